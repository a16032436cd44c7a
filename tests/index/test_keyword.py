"""Behaviour of the keyword index that people expect, on small catalogs of our own."""

import pytest

from tests.contracts.tool_index import names, search, tool
from toolsearch_core.errors import SettingsError
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.protocols import ToolIndex
from toolsearch_core.search_types import IndexKind
from toolsearch_core.tools import ToolDefinition


def index_of(*tools: ToolDefinition, kind: str = "keyword") -> ToolIndex:
    index = CatalogToolIndex(RetrieverStore(), kind, "hashing", patience_s=None)  # type: ignore[arg-type]
    index.index_tools("s", tools)
    return index


BOTH = pytest.mark.parametrize("kind", ["keyword", "hybrid"])


@BOTH
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("sendParcel", "sendParcel"),
        ("send parcel", "sendParcel"),
        ("parcels", "sendParcel"),
        ("csv table", "HTMLTableToCSV"),
        ("html", "HTMLTableToCSV"),
        ("rename", "file_v2_renameFolder_run"),
        ("folder run", "file_v2_renameFolder_run"),
        ("token reset", "saml2-token-reset"),
        ("HTMLTABLETOCSV", "HTMLTableToCSV"),
        ("htmltabletocsv", "HTMLTableToCSV"),
        ("git lab", "getGitLabRunner"),
        ("gitlab", "getGitLabRunner"),
    ],
)
def test_words_inside_names_are_found(kind: str, query: str, first: str) -> None:
    index = index_of(
        tool("sendPigeon", "Hand over to the loft"),
        tool("sendParcel", "Hand over to the post"),
        tool("HTMLTableToCSV", "Flatten"),
        tool("file_v2_renameFolder_run", "Change a label"),
        tool("saml2-token-reset", "Renew the secret"),
        tool("getGitLabRunner", "Who builds"),
        kind=kind,
    )

    assert names(search(index, query))[0] == first


@BOTH
def test_a_prefix_of_every_tool_does_not_fill_the_list(kind: str) -> None:
    things = ("order", "user", "file", "team", "ticket", "report", "invoice", "budget")
    tools = [tool(f"zeta_{verb}_{n}", "Zeta suite") for verb in ("list", "make") for n in things]
    index = index_of(*tools, tool("zeta_mute_alarm", "Zeta suite"), kind=kind)

    assert names(search(index, "zeta alarm"))[0] == "zeta_mute_alarm"
    alone = search(index, "zeta", max_results=5)
    assert len(alone.references) == 5
    assert names(alone) == names(search(index, "zeta", max_results=5))
    if kind == "keyword":
        assert names(search(index, "zeta alarm", max_results=50)) == ["zeta_mute_alarm"]


@BOTH
def test_short_words_and_words_of_little_content(kind: str) -> None:
    index = index_of(
        tool("comment_on_merge", "Leave a note"),
        tool("who_am_i", "Show the account in use"),
        tool("bridge_lines", "Draw"),
        tool("find_by_id", "Look a number up"),
        tool("todo_new", "Put on the list of tasks"),
        kind=kind,
    )

    assert names(search(index, "who am I"))[0] == "who_am_i"
    assert names(search(index, "id"))[0] == "find_by_id"
    assert "bridge_lines" not in names(search(index, "id"))[:1]
    assert names(search(index, "to do"))[0] == "todo_new"


@BOTH
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("3/4 hour", "short_break"),
        ("C++", "compile_cpp"),
        ("-break", "short_break"),
        ("break!", "short_break"),
        ('say "break', "short_break"),
        ("(tidy OR lint", "tidy_code"),
        ("zone:08:15", "shift_zone"),
    ],
)
def test_punctuation_is_no_query_language(kind: str, query: str, first: str) -> None:
    index = index_of(
        tool("compile_cpp", "Build a C++ program"),
        tool("short_break", "Take 3/4 hour off"),
        tool("shift_zone", "Move 08:15 to another time zone"),
        tool("tidy_code", "Lint AND format"),
        kind=kind,
    )

    assert names(search(index, query))[0] == first


@BOTH
@pytest.mark.parametrize("query", ["AND", "NOT", "???", "\\", "&& ||", "~ ^ *", "🙂", "[ TO"])
def test_signs_alone_find_nothing(kind: str, query: str) -> None:
    index = index_of(tool("tidy_code", "Lint AND format, NOT run"), kind=kind)

    assert search(index, query).references == ()


@BOTH
@pytest.mark.parametrize(
    ("query", "first"),
    [("fathom", "measure"), ("turquoise", "dye"), ("grace", "store"), ("owner", "store")],
)
def test_words_of_arguments_are_found(kind: str, query: str, first: str) -> None:
    def schema(properties: dict[str, object]) -> dict[str, object]:
        return {"type": "object", "properties": properties}

    def made(name: str, properties: dict[str, object]) -> ToolDefinition:
        return ToolDefinition(
            name=name, wire_name=name, description=f"{name} it", input_schema=schema(properties)
        )

    index = index_of(
        made("measure", {"unit": {"enum": ["cubit", "fathom"]}}),
        made("dye", {"tone": {"description": "Colour such as turquoise"}}),
        made("store", {"how": schema({"grace_days": {}, "who": {"const": "owner"}})}),
        kind=kind,
    )

    hit = search(index, query).references[0]
    assert hit.tool_name == first
    assert "parameter" in {reason.signal for reason in hit.reasons}


def test_the_server_of_a_tool_tells_equal_names_apart() -> None:
    index = index_of(
        ToolDefinition(name="send_message", wire_name="a_send_message", server="office"),
        ToolDefinition(name="send_message", wire_name="b_send_message", server="field crew"),
    )

    assert names(search(index, "field message"))[0] == "b_send_message"
    assert names(search(index, "send_message")) == ["a_send_message", "b_send_message"]


def test_a_name_weighs_more_than_a_description_and_that_more_than_an_argument() -> None:
    index = index_of(
        tool("first", "Some text", harbour="word"),
        tool("second", "Some harbour"),
        tool("harbour", "Some text"),
    )

    assert names(search(index, "the harbour now")) == ["harbour", "second", "first"]


def test_a_word_nobody_has_is_taken_as_the_beginning_of_words() -> None:
    index = index_of(
        tool("clone_repository", "Copy"), tool("authenticate", "Sign in"), tool("paint", "Red")
    )
    (hit,) = search(index, "my repo").references

    assert hit.tool_name == "clone_repository"
    assert [(reason.signal, reason.matched) for reason in hit.reasons] == [("name", ("repo*",))]
    assert names(search(index, "auth")) == ["authenticate"]
    assert names(search(index, "pai")) == []


def test_a_whole_word_comes_before_the_beginning_of_one() -> None:
    index = index_of(tool("reformat_disk", "Format"), tool("formatter", "x"), tool("y", "z"))

    assert names(search(index, "format disk")) == ["reformat_disk"]


def test_nonsense_finds_nothing() -> None:
    index = index_of(tool("pay", "Settle a bill"), tool("print", "Put on paper"))
    for query in ("xyzzy plugh", "ㅁㄴㅇㄹ", "qwrtp", "lorem ipsum dolor"):
        response = search(index, query)
        assert (response.references, response.total_matches) == ((), 0)
        assert [each.code for each in response.metadata.notices] == ["search.no_match"]


def test_reasons_name_fields_and_words_and_share_the_score() -> None:
    index = index_of(
        tool("pay_invoice", "Settle an invoice", title="Invoices", invoice="the number"),
        tool("other", "Else"),
    )
    (hit,) = search(index, "please pay the Invoices").references

    assert {reason.signal: reason.matched for reason in hit.reasons} == {
        "name": ("pay", "Invoices"),
        "title": ("Invoices",),
        "description": ("Invoices",),
        "parameter": ("Invoices",),
    }
    shares = [reason.share for reason in hit.reasons]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1.0)


# The least score

LETTERS = (
    tool("send_letter", "Take a letter to the post"),
    tool("file_papers", "Put each letter, bill and receipt into a folder"),
    tool("water_plants", "Keep them alive"),
)


def with_min_score(min_score: float | None, kind: IndexKind = "keyword") -> ToolIndex:
    index = CatalogToolIndex(
        RetrieverStore(), kind, "hashing", keyword_min_score=min_score, patience_s=None
    )
    index.index_tools("s", LETTERS)
    return index


def test_hits_below_the_least_score_are_near_misses() -> None:
    free = search(with_min_score(None), "send a letter")
    between = (free.references[0].score + free.references[1].score) / 2
    cut = search(with_min_score(between), "send a letter")

    assert names(free) == ["send_letter", "file_papers"]
    assert names(cut) == ["send_letter"]
    assert cut.total_matches == 1
    assert cut.near_misses == free.references[1:]
    assert cut.metadata.notices == ()


def test_when_the_least_score_leaves_nothing_the_answer_says_which_number_to_lower() -> None:
    nothing = search(with_min_score(0.9), "send a letter")

    assert nothing.references == ()
    assert [miss.tool_name for miss in nothing.near_misses] == ["send_letter", "file_papers"]
    assert [each.code for each in nothing.metadata.notices] == ["search.below_min_score"]
    assert "0.9" in nothing.metadata.notices[0].text


def test_of_the_least_score_and_the_threshold_the_higher_one_counts() -> None:
    low, high = with_min_score(0.01), with_min_score(0.9)

    assert [each.code for each in search(low, "letter", threshold=0.95).metadata.notices] == [
        "search.below_threshold"
    ]
    assert [each.code for each in search(high, "letter", threshold=0.1).metadata.notices] == [
        "search.below_min_score"
    ]
    assert names(search(low, "send a letter", threshold=0.0)) == ["send_letter", "file_papers"]


def test_a_name_in_full_reaches_every_least_score() -> None:
    assert names(search(with_min_score(1.0), "send_letter")) == ["send_letter"]


@pytest.mark.parametrize("kind", ["hybrid", "regex", "vector"])
def test_the_least_score_is_the_keyword_kinds_alone(kind: IndexKind) -> None:
    assert names(search(with_min_score(1.0, kind), "send a letter"))[0] == "send_letter"


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan"), True, "0.5"])
def test_a_least_score_that_is_none_is_refused(wrong: object) -> None:
    with pytest.raises(SettingsError, match="keyword_min_score"):
        with_min_score(wrong)  # type: ignore[arg-type]
