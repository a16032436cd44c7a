"""A tool index of one's own: roles over a catalog, under the laws of every index."""

from collections.abc import Callable

import pytest

from tests.conformance.role_index import RoleIndex
from tests.contracts import tool_index as laws
from tests.contracts.tool_index import Case, names, search, tool
from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient
from toolsearch_core.errors import IndexUnavailableError
from toolsearch_core.events import ToolCalled
from toolsearch_core.eviction import Lru
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.search_types import INDEX_KINDS, IndexKind
from toolsearch_core.session import SessionRegistry
from toolsearch_core.tools import Catalog

STORE = RetrieverStore()
NEEDED = {"delete_account": "admin", "refund_order": "clerk"}
TOOLS = (
    tool("delete_account", "Removes the account of a customer for ever"),
    tool("show_account", "Shows the account of a customer"),
    tool("refund_order", "Pays the money of an order back"),
)
every_kind = pytest.mark.parametrize("kind", INDEX_KINDS)


def over(kind: IndexKind, roles: dict[str, set[str]]) -> RoleIndex:
    inner = CatalogToolIndex(STORE, kind, "hashing", patience_s=None)
    return RoleIndex(inner, lambda session_id: roles.get(session_id, ()), NEEDED)


def seen(index: RoleIndex, session_id: str, query: str) -> set[str]:
    """Every tool that an answer names anywhere."""
    everything = frozenset(each.wire_name for each in TOOLS)
    answers = [
        search(index, query, session_id, max_results=50),
        search(index, query, session_id, max_results=1),
        search(index, query, session_id, max_results=50, exclude=everything),
    ]
    return {
        reference.tool_name
        for answer in answers
        for reference in (*answer.references, *answer.near_misses, *answer.excluded)
    }


@pytest.mark.promise("A9")
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
def test_an_index_of_ones_own_keeps_the_laws_of_every_index(law: Callable[[Case], None]) -> None:
    law(Case(kind="keyword", make=lambda: over("keyword", {})))


@pytest.mark.promise("A9", "W14")
@every_kind
def test_a_forbidden_tool_is_never_found_not_even_by_its_exact_name(kind: IndexKind) -> None:
    index = over(kind, {"kim": {"clerk"}, "lee": {"clerk", "admin"}})
    for session_id in ("kim", "lee", "guest"):
        index.index_tools(session_id, TOOLS)

    for query in ("delete_account", "delete the account of a customer for ever", "account"):
        assert "delete_account" in seen(index, "lee", query), query
        assert "delete_account" not in seen(index, "kim", query), query
        assert seen(index, "guest", query) <= {"show_account"}, query
    assert "refund_order" in seen(index, "kim", "refund_order")
    if kind == "regex":
        assert seen(index, "guest", ".*") == {"show_account"}


@pytest.mark.promise("W14")
def test_forbidden_tools_are_not_even_counted() -> None:
    index = over("keyword", {})
    index.index_tools("guest", TOOLS)
    response = search(index, "delete_account", "guest", max_results=50)

    assert response.total_matches == len(response.references) == 1


@pytest.mark.promise("W14")
def test_a_role_counts_from_the_search_after_it_was_given_or_taken_away() -> None:
    roles: dict[str, set[str]] = {"kim": set()}
    index = over("keyword", roles)
    index.index_tools("kim", TOOLS)
    before = seen(index, "kim", "delete_account")
    roles["kim"] = {"admin"}
    given = seen(index, "kim", "delete_account")
    roles["kim"] = set()
    taken = seen(index, "kim", "delete_account")

    assert ("delete_account" in before, "delete_account" in given, "delete_account" in taken) == (
        False,
        True,
        False,
    )


@pytest.mark.promise("W14")
def test_while_the_index_cannot_be_built_anew_a_role_that_is_gone_finds_nothing() -> None:
    class Breaking(CatalogToolIndex):
        broken = False

        def index_tools(self, session_id, tools):  # type: ignore[no-untyped-def]
            if self.broken:
                raise IndexUnavailableError("search.build_broke")
            super().index_tools(session_id, tools)

    roles = {"lee": {"admin"}}
    inner = Breaking(STORE, "keyword")
    index = RoleIndex(inner, lambda session_id: roles[session_id], NEEDED)
    index.index_tools("lee", TOOLS)
    roles["lee"] = set()
    inner.broken = True

    for _ in range(2):
        with pytest.raises(IndexUnavailableError):
            search(index, "delete_account", "lee")


@pytest.mark.promise("A9")
def test_sessions_are_opened_evicted_and_opened_again_over_it() -> None:
    index = over("keyword", {"lee": {"admin"}})
    registry = SessionRegistry(Lru(1))
    registry.open("lee", Catalog(TOOLS), index)
    registry.open("kim", Catalog(TOOLS), index)
    while_evicted = names(search(index, "delete_account", "lee"))
    registry.open("lee", Catalog(TOOLS), index)

    assert while_evicted == []
    assert names(search(index, "delete_account", "lee"))[0] == "delete_account"
    assert names(search(index, "show_account", "kim")) == []


@pytest.mark.promise("W14")
def test_a_forbidden_tool_is_not_there_for_a_model_that_calls_it_by_name() -> None:
    roles: dict[str, set[str]] = {"lee": {"admin"}}
    model = ScriptedProvider([[call("delete_account"), call("delete_acount")], [text("No.")]] * 2)
    client = ChatClient(
        model,
        tools=Catalog(TOOLS),
        advisors=[ToolSearchAdvisor(over("keyword", roles))],
    )
    outcomes = {}
    for session_id in ("kim", "lee"):
        answer = client.prompt("Go on", context={CONVERSATION_ID: session_id}).call()
        called = [each for each in answer.trace.events if isinstance(each, ToolCalled)]
        outcomes[session_id] = [each.outcome for each in called]
        near = "delete_account" in called[1].result
        assert near is (session_id == "lee")
        sent = [each["name"] for each in model.requests[-1]["tools"]]
        assert ("delete_account" in sent) is (session_id == "lee")

    assert outcomes == {
        "kim": ["unknown_tool", "unknown_tool"],
        "lee": ["not_injected", "unknown_tool"],
    }
