"""Questions are taken apart where a person would, and values inside of them never are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.providers.rehearsal.literals import MAX_LITERALS, masked
from toolsearch_core.providers.rehearsal.needs import MAX_NEEDS, find_needs
from toolsearch_core.providers.rehearsal.queries import (
    MAX_QUERY_WORDS,
    first_query,
    second_query,
)
from toolsearch_core.providers.rehearsal.small_talk import small_talk


@pytest.mark.parametrize(
    ("question", "needs"),
    [
        ("List the issues", ["List the issues"]),
        ("List the issues and create a branch", ["List the issues", "create a branch"]),
        ("List the issues, then close them", ["List the issues", "close them"]),
        (
            "Find the report, translate it and send it to Kim",
            ["Find the report", "translate it", "send it to Kim"],
        ),
        ("Show the pages and their owners", ["Show the pages", "Show their owners"]),
        ("Search and replace words in the file", ["Search and replace words in the file"]),
        ("Show issues and comments", ["Show issues and comments"]),
        ("What's the weather and what time is it?", ["What's the weather", "what time is it"]),
        ("Could you please list the issues?", ["list the issues"]),
        ("I'd like to book a room. Can you help me with that?", ["book a room"]),
        ("List the issues. Sort them by date.", ["List the issues, Sort them by date"]),
        ("My repo is a/b. List the issues.", ["List the issues"]),
        (
            'Create an issue titled "Save and then close the file"',
            ['Create an issue titled "Save and then close the file"'],
        ),
        (
            "Open https://example.com/and/then?list=1 and take a picture",
            ["Open https://example.com/and/then?list=1", "take a picture"],
        ),
        ("Weather in Oslo, Norway", ["Weather in Oslo, Norway"]),
        (
            "Get the weather in Oslo and Rome",
            ["Get the weather in Oslo", "Get the weather in Rome"],
        ),
        (
            "How are the weather and the fine dust in Oslo?",
            ["How are the weather in Oslo", "How are the fine dust in Oslo"],
        ),
        ("서울 날씨랑 미세먼지 어때?", ["서울 날씨 어때", "서울 미세먼지 어때"]),
        (
            "연차가 며칠 남았는지, 공휴일은 언제인지 알려 줘",
            ["연차가 며칠 남았는지,", "공휴일은 언제인지 알려 줘"],
        ),
        ("오류가 나고 있어. 장애를 선언해 줘.", ["장애를 선언해 줘"]),
        ("이슈를 만들고 브랜치를 지워 줘", ["이슈를 만들고", "브랜치를 지워 줘"]),
        ("이슈를 찾아 줘. 그리고 댓글을 달아 줘", ["이슈를 찾아 줘", "그리고 댓글을 달아 줘"]),
        ("파일을 복사한 후 보내 줘", ["파일을 복사한 후", "보내 줘"]),
        (
            "'찾고 있는 것'이라는 제목으로 이슈를 만들어 줘",
            ["'찾고 있는 것'이라는 제목으로 이슈를 만들어 줘"],
        ),
        ("주간 보고 파일을 보여 줘", ["주간 보고 파일을 보여 줘"]),
        ("메일을 보내고 싶어", ["메일을 보내고 싶어"]),
        ("", []),
        (" \n", []),
        ("?!", []),
    ],
)
def test_a_question_is_taken_apart(question: str, needs: list[str]) -> None:
    assert [need.text for need in find_needs(question)] == needs


@pytest.mark.parametrize(
    ("question", "later"),
    [
        ("List the issues and create a branch", [False, False]),
        ("List the issues, then create a branch", [False, True]),
        ("Create an issue and assign it to Kim", [False, True]),
        ("Show the pages and their owners", [False, False]),
        ("What's the weather in Seoul? And what time is it in Oslo?", [False, False]),
        ("List my invoices. Is it raining in Oslo?", [False, False]),
        ("Get the file a.txt. What is it about?", [False, True]),
        ("파일을 찾아서 지워 줘", [False, True]),
        ("Find a time for Kim and send a message to #team", [False, True]),
        ('Find a time for Kim and send "hello" to #team', [False, False]),
        ("이슈를 만들고 브랜치를 지워 줘", [False, False]),
    ],
)
def test_what_builds_on_the_clause_before_waits_for_it(question: str, later: list[bool]) -> None:
    assert [need.later for need in find_needs(question)] == later


@pytest.mark.parametrize(
    ("question", "action"),
    [
        ("List the issues", "read"),
        ("Who is on call?", "read"),
        ("Create a branch", "create"),
        ("Rename the branch", "update"),
        ("Delete the branch", "delete"),
        ("Send a message", "send"),
        ("이슈 목록을 보여 줘", "read"),
        ("이슈를 만들어 줘", "create"),
        ("이슈를 지워 줘", "delete"),
        ("이슈가 몇 개야?", "read"),
    ],
)
def test_a_need_says_what_kind_of_action_it_wants(question: str, action: str) -> None:
    (need,) = find_needs(question)

    assert need.actions[0] == action


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("Could you please show me the latest release of acme/shop?", "get latest release"),
        ("Which pull requests are open in acme/shop?", "list pull requests"),
        ('File a bug titled "It does not work" in acme/shop', "create bug issue"),
        ("Send an email to dana@example.com saying hello", "send email"),
        ("Move PROJ-42 to Done", "transition status issue"),
        ("Find pages about onboarding", "find pages"),
    ],
)
def test_a_query_has_the_action_and_the_thing_and_no_values(question: str, query: str) -> None:
    (need,) = find_needs(question)

    assert first_query(need) == query


def test_a_korean_query_has_its_english_beside_it() -> None:
    (need,) = find_needs("acme/shop 저장소의 이슈를 만들어 줘")
    words = first_query(need).split()

    assert {"이슈", "issue", "create"} <= set(words)
    assert "acme/shop" not in words


@pytest.mark.parametrize(
    "question", ["List the issues", "Delete the repo", "이슈를 만들어 줘", "x"]
)
def test_the_second_query_uses_other_words(question: str) -> None:
    (need,) = find_needs(question)

    assert second_query(need)
    assert second_query(need) != first_query(need) or len(first_query(need).split()) < 2


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ('say "hello there"', "quote", "hello there"),
        ("say “안녕하세요”라고", "quote", "안녕하세요"),
        ("it's Dana's 'big idea' here", "quote", "big idea"),
        ("in octocat/hello-world.", "pair", "octocat/hello-world"),
        ("acme/api의 이슈", "pair", "acme/api"),
        ("close #12, please", "hash", "#12"),
        ("PROJ-42를 닫아", "key", "PROJ-42"),
        ("to dana@example.com에게", "email", "dana@example.com"),
        ("see https://example.com/a?b=1.", "url", "https://example.com/a?b=1"),
        ("on 2026-03-02에", "date", "2026-03-02"),
        ("2026년 3월 2일", "date", "2026년 3월 2일"),
        ("at 3pm", "time", "3pm"),
        ("on March 2", "date", "March 2"),
        ("on 2 March 2027", "date", "2 March 2027"),
        ("3월 2일에", "date", "3월 2일"),
        ("30분 안에", "duration", "30분 안에"),
        ("250 yen", "money", "250 yen"),
        ("250엔은", "money", "250엔"),
        ("parcel 6412-3345-9087", "id", "6412-3345-9087"),
        ("at 14:30", "time", "14:30"),
        ("오후 3시에", "time", "오후 3시"),
        ("for 2 hours", "duration", "2 hours"),
        ("for two hours", "duration", "two hours"),
        ("pay $25.50", "money", "$25.50"),
        ("10,000원을", "money", "10,000원"),
        ("20% off", "percent", "20%"),
        ("to #general", "channel", "#general"),
        ("ask @kim", "mention", "@kim"),
        ("cells A1:D10", "range", "A1:D10"),
        ("the README.md file", "path", "README.md"),
        ("in src/app/main.py", "path", "src/app/main.py"),
        ("at /etc/hosts", "path", "/etc/hosts"),
        ("refund pi_3Nabc123", "id", "pi_3Nabc123"),
        ("version v1.2.3", "id", "v1.2.3"),
        ("the top 5", "number", "5"),
    ],
)
def test_a_value_is_found_by_its_shape(text: str, kind: str, value: str) -> None:
    assert (kind, value) in [(found.kind, found.text) for found in masked(text).found]


@pytest.mark.parametrize("text", ["this and/or that", "don't", "it's", "a - b", "e.g. this", "and"])
def test_plain_words_are_no_values(text: str) -> None:
    assert masked(text).found == ()


PIECES = st.sampled_from(
    [
        *("and ", "then ", "list ", "the issue ", "it ", ", ", ". ", '"', "'", "a/b ", "#1 "),
        *("이슈를 ", "만들고 ", "그리고 ", "찾아서 ", "보여 줘 ", "in Oslo ", "?", "1,", "@"),
        *("\n", "\ue000", "🙂 "),
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
def test_any_text_gives_few_needs_with_short_queries(text: str) -> None:
    needs = find_needs(text)

    assert len(needs) <= MAX_NEEDS
    for need in needs:
        for query in (first_query(need), second_query(need)):
            assert query.strip() or not need.text.strip()
            assert len(query.split()) <= max(MAX_QUERY_WORDS, 100)
        assert not any("\ue000" <= mark <= "\uf8ff" for mark in need.text + first_query(need))


@given(st.text(max_size=300) | st.lists(PIECES, max_size=80).map("".join))
def test_masked_text_can_be_written_back(text: str) -> None:
    source = masked(text)
    plain = "".join(" " if "\ue000" <= mark <= "\uf8ff" else mark for mark in text)

    assert source.written(source.text) == plain
    assert len(source.found) <= MAX_LITERALS


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hello!", "hello"),
        ("hi, how are you?", "hello"),
        ("Thank you very much.", "thanks"),
        ("안녕하세요!", "hello"),
        ("Hi, what can you do?", "about"),
        ("Hello, list the issues", None),
        ("Thanks, now list the issues", None),
        ("help me find a room", None),
        ("", None),
    ],
)
def test_small_talk_is_told_from_a_question(text: str, name: str | None) -> None:
    assert small_talk(text) == name
