import random
import re

from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.catalog.wire_names import ToolKey, is_accepted, wire_names, with_digest
from toolsearch_core.tools import SEARCH_TOOL_NAME, WIRE_NAME_PATTERN

NAMES = (
    st.sampled_from(
        ["send", "send.", "send_", "home__send", "x" * 64, "x" * 65, "x" * 66, "고양이"]
    )
    | st.sampled_from([SEARCH_TOOL_NAME, SEARCH_TOOL_NAME.upper(), "📅", "a\n", "_", "-"])
    | st.text(min_size=1, max_size=80)
)
SERVERS = st.sampled_from(["", "home", "shop", "home__", "s" * 70, "상점"]) | st.text(max_size=8)
KEYS = st.builds(ToolKey, SERVERS, NAMES)


def one(name: str, server: str = "") -> str:
    return wire_names([ToolKey(server, name)])[ToolKey(server, name)]


@given(st.lists(KEYS, max_size=30), st.randoms(use_true_random=False))
def test_names_are_accepted_unique_and_the_same_in_any_order(
    keys: list[ToolKey], chance: random.Random
) -> None:
    names = wire_names(keys)

    assert names.keys() == set(keys)
    assert all(re.fullmatch(WIRE_NAME_PATTERN, name) for name in names.values())
    assert len(set(names.values())) == len(names)
    assert SEARCH_TOOL_NAME not in {name.casefold() for name in names.values()}
    shuffled = keys[:]
    chance.shuffle(shuffled)
    assert wire_names(shuffled) == names


@given(st.lists(KEYS, max_size=20))
def test_an_accepted_name_of_one_server_is_its_own_wire_name(keys: list[ToolKey]) -> None:
    names = wire_names(keys)

    for key in keys:
        if is_accepted(key.name) and {other for other in keys if other.name == key.name} == {key}:
            assert names[key] == key.name


@given(st.lists(KEYS, max_size=15), KEYS)
def test_a_further_tool_changes_only_the_names_it_shares(
    keys: list[ToolKey], added: ToolKey
) -> None:
    before, after = wire_names(keys), wire_names([*keys, added])

    moved = {key for key in before if before[key] != after[key]}

    # A name is shared when it is equal, or when the new tool takes a name that was made for another.
    assert all(key.name == added.name or before[key] in after.values() for key in moved)


def test_a_name_that_several_servers_offer_belongs_to_none_of_them() -> None:
    home, shop = ToolKey("home", "send"), ToolKey("shop", "send")

    assert wire_names([home, shop]) == {home: "home__send", shop: "shop__send"}
    assert wire_names([home]) == {home: "send"}


def test_a_qualified_name_that_is_taken_gets_a_digest() -> None:
    home, shop = ToolKey("home", "send"), ToolKey("shop", "send")
    squatter = ToolKey("", "home__send")

    names = wire_names([home, shop, squatter])

    assert names[squatter] == "home__send"
    assert re.fullmatch(r"home__send_[0-9a-f]{8}", names[home])


def test_what_is_changed_ends_in_a_digest_of_its_own_name() -> None:
    assert re.fullmatch(r"orders_list_[0-9a-f]{8}", one("orders.list"))
    assert re.fullmatch(r"add_event_[0-9a-f]{8}", one("📅 add event"))
    assert re.fullmatch(r"Uber_Suche_[0-9a-f]{8}", one("Über Suche"))
    assert re.fullmatch(r"tool_[0-9a-f]{8}", one("날씨"))
    assert one("orders.list") == one("orders.list", server="elsewhere")
    assert one("orders.list") != one("orders/list")


def test_sixty_four_characters_are_kept_and_sixty_five_are_cut_to_fit() -> None:
    assert one("n" * 64) == "n" * 64
    assert re.fullmatch(r"n{55}_[0-9a-f]{8}", one("n" * 65))
    assert one("n" * 65) != one("n" * 66)


def test_the_name_of_the_search_tool_is_reserved_in_any_case() -> None:
    assert one(SEARCH_TOOL_NAME) != SEARCH_TOOL_NAME
    assert one(SEARCH_TOOL_NAME.title()).casefold() != SEARCH_TOOL_NAME


def test_a_name_made_to_collide_finds_another_way() -> None:
    made = one("orders.list")
    attacked, squatter = ToolKey("", "orders.list"), ToolKey("", made)

    names = wire_names([attacked, squatter])

    assert names[squatter] == made
    assert names[attacked] not in (made, "orders.list")
    assert with_digest("a", ("a",), [with_digest("a", ("a",), [])]) != with_digest("a", ("a",), [])
