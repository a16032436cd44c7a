"""Wire names: what the model sees, made from what the servers said.

The wire names of a catalog are a pure function of the set of its tools, each known by its server and
its original name. Their order and their history play no part:

- An accepted name that one server offers is its own wire name.
- A name that several servers offer belongs to none of them: each tool is sent as
  `server__name`. The bare name then means nothing, so a call from an old message reaches no wrong
  server; it is answered as an unknown name. Adding a catalog with such a name renames the tools of
  that name, and no others; removing it gives back exactly the names from before.
- What has to be changed (other characters, more than 64 of them, the name of the search tool, a
  qualified name that is taken) ends in a digest of the name, and of the server where several offer
  it, so that what happens to one name does not depend on its neighbours.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import count
from typing import NamedTuple

from toolsearch_core.jsonvalues import digest
from toolsearch_core.tools import SEARCH_TOOL_NAME, WIRE_NAME_PATTERN

MAX_NAME_CHARS = 64
DIGEST_CHARS = 8
ACCEPTED_NAMES = f"1 to 64 letters, digits, _ and -, not {SEARCH_TOOL_NAME}"
"""What `is_accepted` takes, in words."""

_ACCEPTED_TOOL = re.compile(WIRE_NAME_PATTERN)
_ACCEPTED_ARGUMENT = re.compile(r"^[a-zA-Z0-9_.-]{1,64}$")


class ToolKey(NamedTuple):
    """What a tool is known by, whatever else is loaded."""

    server: str
    name: str


def wire_names(keys: Iterable[ToolKey]) -> Mapping[ToolKey, str]:
    """One wire name for each tool, all different, for any order of the tools."""
    known = sorted(set(keys))
    offers = Counter(key.name for key in known)
    names = {key: key.name for key in known if offers[key.name] == 1 and is_accepted(key.name)}
    others = [key for key in known if key not in names]
    taken = set(names.values())
    wishes = Counter(_qualified(key) for key in others if offers[key.name] > 1)
    for key in others:
        wish = _qualified(key)
        if offers[key.name] > 1 and is_accepted(wish) and wishes[wish] == 1 and wish not in taken:
            names[key] = wish
            taken.add(wish)
    for key in others:
        if key not in names:
            shared = offers[key.name] > 1
            identity = key if shared else (key.name,)
            names[key] = with_digest(_qualified(key) if shared else key.name, identity, taken)
            taken.add(names[key])
    return names


def is_accepted(name: str) -> bool:
    """Whether a name can be sent as it is."""
    return bool(_ACCEPTED_TOOL.fullmatch(name)) and name.casefold() != SEARCH_TOOL_NAME


def is_accepted_argument(name: str) -> bool:
    """Whether the Messages API takes this as the name of an argument (of the first level)."""
    return _ACCEPTED_ARGUMENT.fullmatch(name) is not None


def with_digest(label: str, identity: tuple[str, ...], taken: Collection[str]) -> str:
    """An accepted name like the label, ending in a digest of the identity; never one that is taken."""
    # A stranger can compute a digest and take a name beforehand, so one try is not enough.
    for attempt in count():
        suffix = digest(*identity, *([str(attempt)] if attempt else []))[:DIGEST_CHARS]
        stem = _plain(label)[: MAX_NAME_CHARS - DIGEST_CHARS - 1].rstrip("_-")
        name = f"{stem or 'tool'}_{suffix}"
        if name not in taken:
            return name
    raise AssertionError("unreachable")


def _qualified(key: ToolKey) -> str:
    return f"{key.server}__{key.name}" if key.server else key.name


def _plain(label: str) -> str:
    decomposed = unicodedata.normalize("NFKD", label[: 4 * MAX_NAME_CHARS])
    unaccented = "".join(char for char in decomposed if not unicodedata.combining(char))
    return re.sub(r"[^a-zA-Z0-9_-]+", "_", unaccented).strip("_-")
