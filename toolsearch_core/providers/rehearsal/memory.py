"""What a conversation knows beside the question: arguments of earlier calls, and what they answered."""

import re
from dataclasses import dataclass
from itertools import islice

from toolsearch_core.jsonvalues import JsonObject, JsonValue
from toolsearch_core.providers.rehearsal.results import MAX_PAIRS, pairs, same_name
from toolsearch_core.providers.rehearsal.roles import FREE_TEXT, roles_of
from toolsearch_core.text.tokens import name_words

_IDENTIFIERS = (["id"], ["uid"], ["key"], ["number"])


@dataclass(frozen=True, slots=True)
class Memory:
    """What was said and answered before a call."""

    calls: tuple[JsonObject, ...] = ()
    """Arguments of earlier calls, the latest first."""
    results: tuple[JsonValue, ...] = ()
    """What earlier calls of this turn answered, the latest first."""

    def recall(self, name: str, *, later: bool) -> JsonValue:
        """The value that a property had before, or that a result names; `None` when unknown.

        Args:
            name: the property.
            later: the need builds on the one before, so a bare `id` of its result will do for `file_id`.
        """
        if FREE_TEXT & set(roles_of(name)[:1]):
            return None
        return self._from_calls(name, later) or self._from_results(name, later) or self._now(name)

    def _now(self, name: str) -> JsonValue:
        """For a moment: what a clock has just said, as date, time and offset."""
        if roles_of(name)[:1] != ("datetime",):
            return None
        for result in self.results:
            told = {key: value for key, value in pairs(result) if isinstance(value, str)}
            date, time = told.get("date", ""), told.get("time", "")
            if re.fullmatch(r"\d{4}-\d\d-\d\d", date) and re.fullmatch(r"\d\d:\d\d(:\d\d)?", time):
                offset = told.get("utc_offset", "")
                zone = offset if re.fullmatch(r"[+-]\d\d:\d\d", offset) else "Z"
                return f"{date}T{time[:5]}:00{zone}"
        return None

    def _from_calls(self, name: str, later: bool) -> JsonValue:
        for arguments in self.calls:
            for key, value in arguments.items():
                if same_name(key, name):
                    return value
            # The branch that was just made is where a pull request comes from.
            if later and same_name(name, "head"):
                for key, value in arguments.items():
                    if roles_of(key)[:1] == ("branch",):
                        return value
        return None

    def _from_results(self, name: str, later: bool) -> JsonValue:
        identifier = name_words(name)[-1:]
        known = [
            (key, value)
            for result in self.results
            for key, value in islice(pairs(result), MAX_PAIRS)
            if value is not None
        ]
        for key, value in known:
            if same_name(key, name):
                return value
        for key, value in known if later and identifier in _IDENTIFIERS else ():
            if name_words(key) == identifier:
                return value
        return None
