"""What was wrong with a history, counted, so that a long one gives a short list."""

from toolsearch_core.notices import Notice


class Tally:
    """One notice a code, with how often it happened and the first thing it happened to."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, code: str, first: str = "") -> None:
        """Count one."""
        count, known = self._found.get(code, (0, first))
        self._found[code] = (count + 1, known)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """In the order of their first occurrence."""
        return tuple(
            Notice(code, {"count": count, "first": first})
            for code, (count, first) in self._found.items()
        )
