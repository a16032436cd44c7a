"""The rehearsal model: from the body of a request to the next message, by rule.

It takes the question apart into needs. For each need it searches, once and once more in other words,
picks the tool that fits, calls it, and at the end sums up what the tools answered. The same body gives
the same message; what tools say about themselves or answer is compared and quoted, never obeyed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from toolsearch_core.jsonvalues import JsonObject, JsonValue, compact_json, digest
from toolsearch_core.providers.rehearsal.answers import Outcome, sum_up
from toolsearch_core.providers.rehearsal.arguments import Filled, fill
from toolsearch_core.providers.rehearsal.choosing import Choice, Chooser
from toolsearch_core.providers.rehearsal.clauses import points_back
from toolsearch_core.providers.rehearsal.lexicon import language_of, phrase
from toolsearch_core.providers.rehearsal.memory import Memory
from toolsearch_core.providers.rehearsal.needs import Need, find_needs
from toolsearch_core.providers.rehearsal.queries import container_words, first_query, second_query
from toolsearch_core.providers.rehearsal.reading import (
    SEARCH_TOOL_NAME,
    Reading,
    Step,
    call_id,
    read,
)
from toolsearch_core.providers.rehearsal.results import parsed
from toolsearch_core.providers.rehearsal.small_talk import small_talk
from toolsearch_core.providers.rehearsal.widths import results_asked
from toolsearch_core.text.tokens import name_words
from toolsearch_core.tools import ToolDefinition

MAX_CALLS_PER_NEED = 2
MAX_EARLIER_CALLS = 20
_TAKES_ALL, _MADE_UP, MOST_MADE_UP = 1.2, 1.1, 3
"""What speaks for a tool: its call holds all values of the need. Against it: it holds values nobody said."""
_LEAVES_OUT = 1.0
"""And that it has no place for what the thing is in: `pods in namespace prod`."""
_TRY_AGAIN = re.compile(
    r"call (?:it )?again|schema|argument|parameter|invalid|required|time.?out|temporar|unavailable|try again",
    re.IGNORECASE,
)
_NO_SUCH_TOOL = re.compile(r"no (?:such )?tool|unknown tool|not found: tool", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call to make."""

    need: int
    name: str
    arguments: JsonObject

    def repeats(self, other: "_Call") -> bool:
        """Whether another need wants the very same."""
        return (self.name, self.arguments) == (other.name, other.arguments)


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far one need has come in this turn."""

    searches: tuple[Step, ...]
    calls: tuple[Step, ...]

    @property
    def served(self) -> bool:
        return bool(self.calls) and not self.calls[-1].failed


def next_message(body: JsonObject, chooser: Chooser) -> JsonObject:
    """Content and stop reason of the next message, as the Messages API words them."""
    reading = read(body)
    talk = small_talk(reading.question)
    needs = () if talk else find_needs(reading.question)
    if not needs:
        language = language_of(reading.question)
        return _said(phrase(language, talk or ("hello" if reading.question else "blank")))
    turn = _Turn(reading, needs, chooser)
    calls = turn.calls()
    if not calls:
        return _said(sum_up(turn.outcomes(), has_tools=bool(reading.tools) or reading.can_search))
    seed = digest(compact_json(body.get("messages")))
    return {
        "content": [
            {
                "type": "tool_use",
                "id": call_id(seed, call.need, place),
                "name": call.name,
                "input": call.arguments,
            }
            for place, call in enumerate(calls)
        ],
        "stop_reason": "tool_use",
    }


class _Turn:
    """One question with what was done about it so far."""

    def __init__(self, reading: Reading, needs: Sequence[Need], chooser: Chooser) -> None:
        self._reading = reading
        self._needs = needs
        self._chooser = chooser
        self._unsearched = _never_found(reading)
        self._progress = [self._read_progress(place) for place in range(len(needs))]

    def calls(self) -> list[_Call]:
        """Everything that can be done now, at once; empty when the answer is due.

        What waits for another result can be searched for meanwhile, unless it may only add to that.
        """
        wanted: list[_Call] = []
        for place, need in enumerate(self._needs):
            call = self._next(place)
            waits = need.later and (_adds(need) or (call and call.name != SEARCH_TOOL_NAME))
            if call is None or (waits and wanted):
                continue
            if not any(call.repeats(other) for other in wanted):
                wanted.append(call)
        return wanted

    def outcomes(self) -> list[Outcome]:
        """What became of each need."""
        places = range(len(self._needs))
        return [self._outcome(place) for place in places if not self._covered(place)]

    # -- what was done -------------------------------------------------------------------------------

    def _read_progress(self, place: int) -> _Progress:
        need = self._needs[place]
        queries = (first_query(need), second_query(need))
        searches = tuple(
            step
            for step in self._reading.steps
            if step.is_search and step.arguments.get("query") in queries
        )
        calls = [step for step in self._reading.steps if not step.is_search]
        mine = tuple(
            step for n, step in enumerate(calls) if (n if step.need is None else step.need) == place
        )
        return _Progress(searches, mine)

    def _found(self, place: int) -> list[str]:
        """Names of the request's tools in what the searches for a need answered, in their order."""
        offered = frozenset(tool.wire_name for tool in self._reading.tools)
        names = [name for step in self._progress[place].searches for name in _names_in(step)]
        return [name for name in dict.fromkeys(names) if name in offered]

    # -- what to do next -----------------------------------------------------------------------------

    def _next(self, place: int) -> _Call | None:
        progress = self._progress[place]
        if progress.served or self._covered(place):
            return None
        if progress.calls:
            return self._retry(place)
        choice = self._choice(place)
        if self._reading.can_search:
            return self._search_or_call(place, choice)
        return self._call(place, choice.tool) if choice and choice.enough else None

    def _search_or_call(self, place: int, choice: Choice | None) -> _Call | None:
        need, searches = self._needs[place], self._progress[place].searches
        if not searches:
            if choice and choice.sure:
                return self._call(place, choice.tool)
            return self._search(place, first_query(need))
        may_search = len(searches) == 1 and second_query(need) != first_query(need)
        if choice and choice.enough and not (choice.doubtful and may_search):
            return self._call(place, choice.tool)
        return self._search(place, second_query(need)) if may_search else None

    def _search(self, place: int, query: str) -> _Call:
        asked = results_asked(self._reading.search_tool, self._needs[place])
        return _Call(place, SEARCH_TOOL_NAME, {"query": query, **asked})

    def _choice(self, place: int, skip: Sequence[str] = ()) -> Choice | None:
        def fitting(tool: ToolDefinition) -> float:
            return self._fitting(place, tool)

        need = self._needs[place]
        return self._chooser.best(
            need, self._reading.tools, self._found(place), skip, fitting, self._unsearched
        )

    def _fitting(self, place: int, tool: ToolDefinition) -> float:
        """How well a call of the tool takes what is said: all that is said, and nothing made up."""
        need, filled = self._needs[place], self._filled(place, tool)
        said = [found.mask for found in need.source.inside(need.masked)]
        taken = sum(mask in filled.used for mask in said) / len(said) if said else 0.0
        left_out = [word for word in container_words(need) if not _has_place(filled, word)]
        lost = _LEAVES_OUT if left_out else 0.0
        return _TAKES_ALL * taken - lost - _MADE_UP * min(len(filled.invented), MOST_MADE_UP)

    def _additions(self, place: int) -> range:
        """The needs behind one that may only add to it: `create an issue and assign it to jane`."""
        if self._needs[place].actions[:1] not in (("create",), ("update",)):
            return range(0)
        end = place + 1
        while end < len(self._needs) and _adds(self._needs[end]):
            end += 1
        return range(place + 1, end)

    def _covered(self, place: int) -> bool:
        """Whether the call for a need before this one did what this one asks for."""
        for base in range(place):
            progress, additions = self._progress[base], self._additions(base)
            if place not in additions or not progress.served:
                continue
            step = progress.calls[-1]
            tool = next((t for t in self._reading.tools if t.wire_name == step.name), None)
            if tool is not None:
                filled = self._filled(base, tool, self._reading.steps.index(step))
                return additions.index(place) in filled.added
        return False

    def _call(self, place: int, tool: ToolDefinition) -> _Call | None:
        """The call, unless this very call was answered for another need of the question."""
        filled = self._filled(place, tool)
        if any(
            step.name == tool.wire_name and step.arguments == filled.arguments and not step.failed
            for step in self._reading.steps
        ):
            return None
        return _Call(place, tool.wire_name, filled.arguments)

    def _retry(self, place: int) -> _Call | None:
        """Once more after an error: the same tool where that may help, another one where there is none."""
        calls = self._progress[place].calls
        last = calls[-1]
        if len(calls) >= MAX_CALLS_PER_NEED or not _TRY_AGAIN.search(last.result or ""):
            return None
        tool = next((tool for tool in self._reading.tools if tool.wire_name == last.name), None)
        if tool is None or _NO_SUCH_TOOL.search(last.result or ""):
            other = self._choice(place, skip=[last.name])
            tool = other.tool if other and other.enough else None
        return (
            None
            if tool is None
            else _Call(place, tool.wire_name, self._filled(place, tool).arguments)
        )

    def _filled(self, place: int, tool: ToolDefinition, until: int | None = None) -> Filled:
        """Arguments by what was known before the step at `until`; by all that is known for `None`."""
        steps = self._reading.steps[:until]
        calls = [
            step
            for step in (*self._reading.earlier, *steps)
            if not step.is_search and not step.failed
        ]
        results: list[JsonValue] = [
            parsed(step.result)
            for step in steps
            if not step.is_search and not step.failed and step.result
        ]
        memory = Memory(
            calls=tuple(step.arguments for step in reversed(calls[-MAX_EARLIER_CALLS:])),
            results=tuple(reversed(results)),
        )
        also = [self._needs[other] for other in self._additions(place)]
        return fill(tool, self._needs[place], memory, also)

    # -- what came of it -----------------------------------------------------------------------------

    def _outcome(self, place: int) -> Outcome:
        need, calls = self._needs[place], self._progress[place].calls
        step = calls[-1] if calls else self._served_by_another(place)
        if step is None:
            return Outcome(need=need)
        return Outcome(
            need=need,
            tool=step.name,
            asked=step.arguments,
            result=step.result or "",
            failed=step.failed,
            invented=self._invented(place, step),
        )

    def _invented(self, place: int, step: Step) -> tuple[str, ...]:
        """Which arguments of a call were placeholders."""
        tool = next((tool for tool in self._reading.tools if tool.wire_name == step.name), None)
        if tool is None:
            return ()
        filled = self._filled(place, tool, self._reading.steps.index(step))
        return filled.invented if filled.arguments == step.arguments else ()

    def _served_by_another(self, place: int) -> Step | None:
        choice = self._choice(place)
        if choice is None or not (choice.enough if self._progress[place].searches else choice.sure):
            return None
        steps = [step for step in self._reading.steps if step.name == choice.tool.wire_name]
        return steps[-1] if steps else None


def _names_in(search: Step) -> list[str]:
    """All that may be names of tools in what a search answered."""
    return re.findall(r"[a-zA-Z0-9_-]{1,64}", search.result or "")


def _never_found(reading: Reading) -> list[str]:
    """The tools that are in the request though no search of the conversation gave them, as pinned ones."""
    steps = (*reading.earlier, *reading.steps)
    found = {name for step in steps if step.is_search for name in _names_in(step)}
    return [tool.wire_name for tool in reading.tools if tool.wire_name not in found]


def _has_place(filled: Filled, container: str) -> bool:
    """Whether a call names a container of this kind; a repository is a value that is looked for anyway."""
    if container in ("repository", "repo"):
        return True
    return any(
        word.startswith(container[:3]) for name in filled.arguments for word in name_words(name)
    )


def _adds(need: Need) -> bool:
    """Whether a need may be a part of the one before: it points back, to change what is made there."""
    return need.later and points_back(need.masked) and need.actions[:1] == ("update",)


def _said(text: str) -> dict[str, Any]:
    reason: Literal["end_turn"] = "end_turn"
    return {"content": [{"type": "text", "text": text}], "stop_reason": reason}
