"""Tools that a question names: `run get_weather`, "the tool `old_fax`", `get_me 도구로`.

Such a name is a wish for that tool. It is no value, so it never becomes an argument.
"""

import re
from collections.abc import Iterator

from toolsearch_core.providers.rehearsal.lexicon import is_verb
from toolsearch_core.text.tokens import name_words

_NAME = (
    r"`[A-Za-z][\w.-]{0,80}`"
    r"|(?<![\w/.@#-])[A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){0,9}_[\w-]{0,80}[A-Za-z0-9](?![\w/@]|\.\w)"
    r"|(?<![\w/.@#-])[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,9}(?![\w/@-]|\.\w)"
)
"""Snake case, kebab case with an underscore, camel case, or one word in backticks."""
_KEBAB = r"(?<![\w/.@#-])[A-Za-z][A-Za-z0-9]{0,40}(?:-[A-Za-z0-9]{1,40}){1,9}(?![\w/@-]|\.\w)"
_OPENING = r"(?:^|[.,!?;:\n]\s{0,3}|\b(?:and|then|please|now|just|also|you|let's|(?<!how )to)\s+)"
_NO_TOOL = (
    r"(?!\s+(?:as|branch|label|channel|table|database|account|project|workspace|template|model"
    r"|workflow|job|pipeline|query|script|task|tests?|playbook)\b)"
)
"""What follows the name of another kind of thing."""
_THE = r"(?:the\s+)?(?:(?:tool|function)\s+)?(?:(?:called|named)\s+)?"
_KOREAN_AFTER = (
    r"(?=\s?(?:을|를)?\s*(?:(?:도구|툴)(?:을|를|로)?|(?:지금|바로|좀|한\s?번)?\s*(?:실행|호출)))"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.ASCII)  # a Korean particle may follow a name
    for pattern in (
        rf"\btool\s+(?:(?:called|named)\s+)?(?-i:({_NAME}|{_KEBAB}))",
        rf"(?-i:({_NAME}|{_KEBAB}))(?=\s+tool\b)",
        rf"{_OPENING}(?:run|call|invoke|execute)\s+{_THE}(?-i:({_NAME})){_NO_TOOL}",
        rf"^\W*(?:(?:please|just|now)\s+)?use\s+{_THE}(?-i:({_NAME})){_NO_TOOL}",
        rf"^\s*(?-i:({_NAME}))(?:,?\s+(?:now|please))*\s*[.!?]?\s*$",
        rf"(?-i:({_NAME}|{_KEBAB})){_KOREAN_AFTER}",
    )
)
_USE = re.compile(rf"{_OPENING}use\s+{_THE}(?-i:({_NAME})){_NO_TOOL}", re.IGNORECASE | re.ASCII)
_NUMBERED = re.compile(r"_\d+$")
_AROUND = (
    r"(?:\b(?:run|call|use|using|invoke|execute|with|via)\s+)?(?:\b(?:the\s+)?(?:(?:tool|function)\s+)?"
    r"(?:(?:called|named)\s+)?)?{mask}(?:\s+(?:tool|function)\b)?(?:,?\s+(?:now|please)\b)*"
    r"(?:\s+(?:to|and)\s+(?=[a-z]))?"
)
_AROUND_KOREAN = (
    r"{mask}(?:\s?(?:을|를))?\s*(?:(?:도구|툴|함수)(?:을|를|로)?)?\s*(?:(?:지금|바로|좀|한\s?번)\s*)?"
    r"(?:(?:실행|호출|사용|이용)\S*(?:\s*(?:줘|주세요|줄래\S*))?)?"
)


def named_tools(text: str) -> Iterator[tuple[int, int]]:
    """Where a text names tools: start and end of each name, backticks included; a place may come twice."""
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            # `call user_42` is about a thing with a number.
            if not _NUMBERED.search(match[1]):
                yield match.span(1)
    for match in _USE.finditer(text):
        # Behind another clause `use prod_cluster` rather says with what, `use list_issues` with which tool.
        if is_verb(name_words(match[1])[0]):
            yield match.span(1)


def without_mention(clause: str, mask: str, *, korean: bool) -> str:
    """A masked clause without the name of its tool and what is said around it."""
    around = (_AROUND_KOREAN if korean else _AROUND).format(mask=mask)
    return re.sub(around, " ", clause, flags=re.IGNORECASE).strip(" ,.:")


def goes_by(wanted: str, wire_name: str) -> bool:
    """Whether a tool has this name, in whichever way it is written, its server in front or not."""
    words, own = name_words(wanted), name_words(wire_name)
    return bool(words) and own[-len(words) :] == words
