"""Which tool of a request serves a need."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolsearch_core.embeddings import VectorCache
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.protocols import Encoder
from toolsearch_core.providers.rehearsal.fit import (
    Signals,
    found_at,
    signals,
    takes_out,
    vocabulary,
)
from toolsearch_core.providers.rehearsal.lexicon import is_foreign
from toolsearch_core.providers.rehearsal.literals import has_mask
from toolsearch_core.providers.rehearsal.mentions import goes_by
from toolsearch_core.providers.rehearsal.needs import Need
from toolsearch_core.providers.rehearsal.queries import core_words, first_query
from toolsearch_core.text.tool_text import embedded_text
from toolsearch_core.tools import ToolDefinition

# Weights and bars were chosen on the development halves of four public tool-retrieval sets, each judged
# by weights fitted to the other three; they are round numbers near the fitted ones.
_IN_NAME, _IN_SUMMARY, _IN_ALL, _NAME_TOLD, _SEVERAL, _MEANING, _FOUND = (
    1.0,
    1.5,
    2.0,
    1.0,
    0.5,
    6.0,
    3.0,
)
_OWN, _EXACT = 1.0, 1.5
_SAME_ACTION, _OTHER_ACTION = 0.5, 2.5
"""Wanting to read and being offered to change weighs more than any set says: a wrong write does harm."""


_BESIDE_THE_POINT = 1.0
_LIKELY = 5
"""So many of the best are compared by what their calls would hold."""


@dataclass(frozen=True, slots=True)
class Bars:
    """How well a tool must fit."""

    enough: float
    """To be called after a search has found it, or when there is nothing to search."""
    sure: float
    """To be called without a search."""
    per_word: float
    """How much lower `enough` is for each word past the fifth: long requests say much beside the point."""

    def enough_for(self, need: Need) -> float:
        """The bar for a need of this length."""
        further = max(0, len(core_words(need)) - _PLAIN_WORDS)
        return self.enough - self.per_word * min(further, _MOST_LOWERED)


_BARS = Bars(enough=3.4, sure=7.5, per_word=0.15)
_BARS_WITHOUT_MEANING = Bars(enough=1.6, sure=4.0, per_word=0.08)
_MEANT = 0.25
"""Cosine that is enough by itself where no word can be compared, or none is the same."""
_PLAIN_WORDS = 5
_MOST_LOWERED = 8


_Scored = tuple[bool, float, float, ToolDefinition, Signals]
"""A tool: like what is asked; its worth, with and without what searches found; what speaks for it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The best tool for a need."""

    tool: ToolDefinition
    enough: bool
    sure: bool
    doubtful: bool
    """It changes something where something is to be read, or the other way round, or it has no word for
    what is asked about: other words may find a better one."""


class Chooser:
    """Compares tools with needs, by words and, with an encoder, by meaning."""

    def __init__(self, encoder: Encoder | None, vectors: VectorCache) -> None:
        self._encoder = encoder
        self._vectors = vectors

    def best(
        self,
        need: Need,
        tools: Sequence[ToolDefinition],
        found: Sequence[str],
        skip: Sequence[str] = (),
        fitting: Callable[[ToolDefinition], float] | None = None,
        unsearched: Sequence[str] = (),
    ) -> Choice | None:
        """The tool that fits best; of equals the earlier one. `None` when there is none.

        Args:
            need: what is asked.
            tools: the tools of the request.
            found: wire names that searches for this need found, best first.
            skip: wire names that failed already.
            fitting: how well a call of a tool takes what is said; asked about the likeliest tools alone.
            unsearched: wire names of tools that no search gives, since they are in every request.
        """
        offered = [tool for tool in tools if tool.wire_name not in skip]
        if need.tool:
            return _named(need.tool, offered)
        if not offered:
            return None
        meanings = self._meanings(need, offered)
        known = vocabulary(offered)
        bars = _BARS_WITHOUT_MEANING if meanings is None else _BARS
        scored: list[_Scored] = []
        for place, tool in enumerate(offered):
            rank = found.index(tool.wire_name) if tool.wire_name in found else None
            told = signals(need, tool, known, 0.0 if meanings is None else meanings[place], rank)
            quality = _quality(told)
            alike = told.thing or meanings is None or told.meaning >= _MEANT
            if need.actions[:1] == ("delete",):
                alike = told.thing and (told.action >= 0 or takes_out(need))
            scored.append((alike, quality + _FOUND * told.found, quality, tool, told))
        if found and unsearched:
            scored = [_as_if_found(entry, scored, unsearched) for entry in scored]
        likely = sorted(scored, key=lambda entry: entry[:2], reverse=True)[:_LIKELY]
        if fitting is not None and len(likely) > 1:
            likely.sort(key=lambda entry: (entry[0], entry[1] + fitting(entry[3])), reverse=True)
        if likely[0][4].action <= -1:
            likely.sort(key=_opposes_alone(bars.enough_for(need)))
        return _choice(need, bars, likely[0], None if fitting is None else fitting(likely[0][3]))

    def _meanings(self, need: Need, tools: Sequence[ToolDefinition]) -> list[float] | None:
        """Cosine of each tool to the need; `None` when no encoder can say."""
        if self._encoder is None:
            return None
        texts = [first_query(need), *(embedded_text(tool) for tool in tools)]
        try:
            vectors = self._vectors.encode(self._encoder, texts)
        except IndexUnavailableError:
            return None
        # Rounded, so that the last bits of a batched product decide nothing.
        return [round(float(cosine), 4) for cosine in vectors[1:] @ vectors[0]]


def _choice(need: Need, bars: Bars, entry: _Scored, fits: float | None) -> Choice:
    """The best tool, and whether it is good enough."""
    alike, _, quality, tool, told = entry
    reads = need.actions[:1] == ("read",)
    sure = quality >= bars.sure and told.action > 0 and told.name_told >= 0.5
    bar = bars.enough_for(need)
    if fits is not None and has_mask(need.masked) and fits <= -1:
        # Nothing of what is said has a place in the call, and what it needs is not said.
        bar += _BESIDE_THE_POINT
    enough = quality >= bar and alike
    if need.actions[:1] == ("delete",) and not told.exact and fits is not None:
        # What is deleted is gone: more of it has to be said than made up.
        enough = enough and (not has_mask(need.masked) or fits >= 0)
    if is_foreign(need.masked):
        # Words of a language without a table here say nothing, so the meaning has to.
        enough = enough or told.meaning >= _MEANT
    return Choice(
        tool=tool,
        enough=enough,
        sure=sure,
        doubtful=told.action <= -1 or (reads and not told.thing),
    )


def _named(name: str, tools: Sequence[ToolDefinition]) -> Choice | None:
    """The tool of this name: exactly, else however it is written; no other tool will do."""
    same = [tool for tool in tools if goes_by(name, tool.wire_name)]
    same.sort(key=lambda tool: (tool.wire_name != name, len(tool.wire_name)))
    return Choice(tool=same[0], enough=True, sure=True, doubtful=False) if same else None


def _as_if_found(
    entry: _Scored, all_scored: Sequence[_Scored], unsearched: Sequence[str]
) -> _Scored:
    """A tool that no search gives stands where a search would have had it by what speaks for it."""
    alike, _, quality, tool, told = entry
    if tool.wire_name not in unsearched:
        return entry
    better = sum(other[4].found > 0 and other[2] > quality for other in all_scored)
    return (alike, quality + _FOUND * found_at(better), quality, tool, told)


def _opposes_alone(
    enough: float,
) -> Callable[[_Scored], bool]:
    """Sorts a tool of the opposite action behind those that do what is asked and fit well enough."""

    def behind(entry: _Scored) -> bool:
        alike, _, quality, _, told = entry
        return not (alike and quality >= enough and told.action > -1)

    return behind


def _quality(told: Signals) -> float:
    return (
        _IN_NAME * told.in_name
        + _IN_SUMMARY * told.in_summary
        + _IN_ALL * told.in_all
        + _NAME_TOLD * told.name_told
        + _SEVERAL * told.several
        + _OWN * told.own
        + (_EXACT if told.exact and told.action >= 0 else 0.0)
        + (_SAME_ACTION if told.action > 0 else _OTHER_ACTION) * told.action
        + _MEANING * told.meaning
    )
