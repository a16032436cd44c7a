"""What a session discovers, keeps, drops and forgets."""

from hypothesis import given
from hypothesis import strategies as st

from tests.session.recording_index import catalog_of
from toolsearch_core.events import InjectedTool
from toolsearch_core.session import Discovery, Recorded, Session

LETTERS = "abcdef"


def find(name: str, turn: int = 1, query: str = "q", score: float = 0.5) -> Discovery:
    return Discovery(name=name, query=query, score=score, turn=turn)


def finds(names: str, turn: int = 1) -> list[Discovery]:
    return [find(name, turn) for name in names]


def session() -> Session:
    return Session("s", catalog_of(*LETTERS))


def test_accumulated_tools_stand_in_first_discovery_order() -> None:
    s = session()

    assert s.record("1.1", finds("ba"), accumulate=True) == Recorded(
        discovered=("b", "a"), dropped=()
    )
    assert s.record("1.2", finds("cb"), accumulate=True) == Recorded(discovered=("c",), dropped=())
    assert list(s.discovered) == ["b", "a", "c"]
    assert s.latest == ("c", "b")


def test_a_tool_found_again_keeps_its_place_and_tells_of_its_latest_search() -> None:
    s = session()
    s.record("1.1", [find("a", 1, "first", 0.9), find("b", 1)], accumulate=True)
    s.record("2.1", [find("a", 2, "again", 0.4)], accumulate=True)

    assert list(s.discovered) == ["a", "b"]
    assert s.discovered["a"] == find("a", 2, "again", 0.4)


def test_without_accumulation_the_latest_search_turn_replaces_what_was_there() -> None:
    s = session()
    s.record("1.1", finds("ab"), accumulate=False)

    assert s.record("1.2", finds("bc"), accumulate=False) == Recorded(
        discovered=("c",), dropped=("a",)
    )
    assert list(s.discovered) == ["b", "c"]


def test_parallel_searches_of_one_message_count_together() -> None:
    """The reference's case: three overlapping searches in one message give their union."""
    s = session()
    s.record("1.1", finds("f"), accumulate=False)
    s.record("1.2", finds("ab"), accumulate=False)
    s.record("1.2", finds("bc"), accumulate=False)
    s.record("1.2", finds("d"), accumulate=False)

    assert list(s.discovered) == ["a", "b", "c", "d"]
    assert s.latest == ("a", "b", "c", "d")


def test_a_search_that_finds_nothing_is_a_search_turn_too() -> None:
    s = session()
    s.record("1.1", finds("ab"), accumulate=False)

    assert s.record("1.2", [], accumulate=False) == Recorded(discovered=(), dropped=("a", "b"))
    assert dict(s.discovered) == {}


def test_switching_accumulation_off_leaves_the_latest_search_turn() -> None:
    s = session()
    s.record("1.1", finds("ab"), accumulate=True)
    s.record("2.1", finds("bc", 2), accumulate=True)

    assert s.keep_accumulation(True) == ()
    assert s.keep_accumulation(False) == ("a",)
    assert list(s.discovered) == ["b", "c"]
    assert s.keep_accumulation(False) == ()


def test_a_tool_called_without_a_search_stays_as_long_as_the_latest_finds() -> None:
    s = session()
    s.record("1.1", finds("ab"), accumulate=False)
    s.admit(find("e", query="", score=0.0))
    s.keep_accumulation(False)

    assert list(s.discovered) == ["a", "b", "e"]
    assert s.record("1.3", finds("c"), accumulate=False).dropped == ("a", "b", "e")


def test_names_that_the_catalog_does_not_have_are_never_discovered() -> None:
    s = session()
    s.record("1.1", finds("zax"), accumulate=True)
    s.admit(find("y"))

    assert list(s.discovered) == ["a"]
    assert s.latest == ("a",)


def test_a_changed_catalog_prunes_what_is_gone_and_keeps_the_rest_with_its_new_definition() -> None:
    s = session()
    s.record("1.1", finds("abc"), accumulate=True)
    changed = catalog_of("c", "x", "a", description="new")

    assert s.change_catalog(changed) == ("b",)
    assert list(s.discovered) == ["a", "c"]
    assert s.latest == ("a", "c")
    assert s.catalog.by_wire_name["a"].description == "new"


def test_forgetting_releases_the_discovered_tools_and_leaves_the_pinned_ones_in_the_request() -> (
    None
):
    s = session()
    s.record("1.1", finds("ba"), accumulate=True)
    reasons = {"search": "search_tool", "f": "pinned", "b": "discovered", "a": "accumulated"}
    s.sent = {name: InjectedTool(name=name, tokens=10, reason=why) for name, why in reasons.items()}

    assert s.forget() == ("b", "a")
    assert dict(s.discovered) == {}
    assert s.latest == ()
    assert list(s.sent) == ["search", "f"]
    assert s.record("1.1", finds("c"), accumulate=False).discovered == ("c",)
    assert s.latest == ("c",)


def test_what_was_read_before_a_change_stays_as_it_was() -> None:
    s = session()
    s.record("1.1", finds("a"), accumulate=True)
    before, latest = s.discovered, s.latest
    s.record("1.2", finds("b"), accumulate=True)
    s.forget()

    assert (list(before), latest) == (["a"], ("a",))


SEARCHES = st.lists(
    st.tuples(st.integers(1, 4), st.text("abcdefz", max_size=4), st.booleans()), max_size=12
)


@given(SEARCHES)
def test_any_run_of_searches_agrees_with_the_plain_rules(
    searches: list[tuple[int, str, bool]],
) -> None:
    """Beside a list that is appended to, and a list of the names of the latest message."""
    s = session()
    order: list[str] = []
    latest: list[str] = []
    previous = 0
    for batch, names, accumulate in sorted(searches, key=lambda each: each[0]):
        known = [name for name in dict.fromkeys(names) if name in LETTERS]
        latest = list(dict.fromkeys([*(latest if batch == previous else []), *known]))
        kept = order if accumulate else [name for name in order if name in latest]
        expected_new = tuple(name for name in known if name not in order)
        expected_dropped = tuple(name for name in order if name not in kept)
        order = [*kept, *(name for name in known if name not in kept)]
        previous = batch

        recorded = s.record(str(batch), finds(names), accumulate=accumulate)

        assert recorded == Recorded(discovered=expected_new, dropped=expected_dropped)
        assert list(s.discovered) == order
        assert s.latest == tuple(latest)
