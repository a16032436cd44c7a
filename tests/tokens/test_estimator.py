import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.messages import (
    Message,
    OpaqueBlock,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    user_text,
)
from toolsearch_core.tokens import FAMILIES, TokenEstimator
from toolsearch_core.tokens.estimator import CORRECTION_RANGE, MIN_CHARS_IN_PIECES
from toolsearch_core.tokens.text_counts import TextCounts
from toolsearch_core.tools import ToolDefinition

NEWEST = "claude-opus-5"
OLDER = "claude-3-5-sonnet-20241022"

FEED_CAT = ToolDefinition(
    name="feed_cat",
    wire_name="feed_cat",
    description="Fill the bowl of one cat. The amount is weighed; a bowl that is still full stays as"
    " it is, and the answer says when the cat was fed last and how much of it was left over.",
    input_schema={
        "type": "object",
        "properties": {
            "cat": {"type": "string", "description": "Name of the cat, as on its collar"},
            "grams": {
                "type": "integer",
                "minimum": 5,
                "maximum": 200,
                "description": "How much, in grams",
            },
            "kind": {
                "type": "string",
                "enum": ["dry", "wet"],
                "description": "Which of the two foods",
            },
        },
        "required": ["cat", "grams"],
    },
)


def counter(model: str = NEWEST) -> TokenEstimator:
    return TokenEstimator(model, counts=TextCounts())


def large_tool() -> ToolDefinition:
    properties = {
        f"room_{n}": {"type": "string", "description": f"Who sleeps in room {n} of this house"}
        for n in range(40)
    }
    return ToolDefinition(
        name="large", wire_name="large", input_schema={"type": "object", "properties": properties}
    )


def test_an_empty_text_and_an_empty_conversation_cost_nothing() -> None:
    assert counter().count_text("") == 0
    assert counter().count_messages([]) == 0


def test_a_definition_costs_per_character_what_was_measured_on_both_families() -> None:
    """Measured: one definition of 576 characters is 147 tokens on the older family, 211 on the newest."""
    text = FEED_CAT.definition_json

    assert counter(OLDER).count_text(text) / len(text) == pytest.approx(147 / 576, rel=0.12)
    assert counter(NEWEST).count_text(text) / len(text) == pytest.approx(211 / 576, rel=0.12)


def test_korean_is_not_counted_as_if_it_were_english() -> None:
    korean = "도시의 현재 날씨와 기온, 습도를 알려줍니다. 주문 번호로 배송 상태를 조회합니다."

    ratio = counter(NEWEST).count_text(korean) / counter(OLDER).count_text(korean)

    assert ratio == pytest.approx(1.0, abs=0.1)
    assert counter(NEWEST).count_text(korean) == pytest.approx(len(korean), rel=0.2)


@given(st.text(st.characters()))
def test_every_text_has_a_count_and_more_text_never_much_fewer(text: str) -> None:
    tokens = counter().count_text(text)

    assert tokens >= (1 if text else 0)
    assert counter().count_text(text + " and a cat") >= tokens - 2


def test_what_is_not_sent_costs_nothing() -> None:
    titled = ToolDefinition(name="other", wire_name=FEED_CAT.wire_name, title="A title", server="home",
                            description=FEED_CAT.description, input_schema=FEED_CAT.input_schema)  # fmt: skip

    assert counter().count_tool(titled) == counter().count_tool(FEED_CAT)


def test_a_large_definition_counted_in_pieces_is_close_to_it_counted_whole() -> None:
    counts = TextCounts()
    tool = large_tool()
    whole = sum(counts.count(tool.definition_json))
    family = counter().family

    assert len(tool.definition_json) > MIN_CHARS_IN_PIECES
    assert counter().count_tool(tool) == pytest.approx(whole * family.latin, rel=0.05)


def test_each_kind_of_block_counts() -> None:
    def of(*blocks: TextBlock | ToolUseBlock | ToolResultBlock | OpaqueBlock) -> int:
        return counter().count_messages([Message("user", blocks)])

    long = "a cat and another cat " * 20
    assert of(TextBlock(long)) > of(TextBlock("cat"))
    assert of(ToolUseBlock("1", "feed", {"cat": long})) > of(ToolUseBlock("1", "feed", {}))
    assert of(ToolResultBlock("1", long)) > of(ToolResultBlock("1", "fed"))
    assert of(OpaqueBlock({"type": "thinking", "thinking": long})) > of(OpaqueBlock({"type": "x"}))
    assert of(ToolUseBlock("1", "feed", {"grams": float("nan")})) > 0


def test_ids_of_calls_are_not_part_of_the_prompt() -> None:
    short, long = (
        [Message("assistant", (ToolUseBlock(call_id, "feed", {}),))] for call_id in ("1", "1" * 99)
    )

    assert counter().count_messages(short) == counter().count_messages(long)


def test_a_conversation_costs_its_frames_once_and_each_message_its_own() -> None:
    one, two = [user_text("cat")], [user_text("cat"), user_text("cat")]

    assert counter().count_messages(one) < counter().count_messages(two)
    assert counter().count_messages(two) < 2 * counter().count_messages(one)


def test_calibration_makes_the_estimate_what_was_reported() -> None:
    first = counter()
    estimated = first.count_tool(FEED_CAT) * 10

    better = first.calibrated_by(reported=round(estimated * 1.2), estimated=estimated)

    assert better.correction == pytest.approx(1.2, rel=0.01)
    assert better.count_tool(FEED_CAT) == pytest.approx(first.count_tool(FEED_CAT) * 1.2, rel=0.02)
    assert better.tool_prompt == pytest.approx(first.tool_prompt * 1.2, rel=0.02)
    assert first.correction == 1.0


def test_calibration_repeats_without_running_away() -> None:
    tuned = counter()
    for _ in range(5):
        tuned = tuned.calibrated_by(reported=1300, estimated=round(1000 * tuned.correction))

    assert tuned.correction == pytest.approx(1.3, rel=0.01)


@pytest.mark.parametrize(("reported", "estimated"), [(0, 100), (100, 0), (-5, 100)])
def test_numbers_that_say_nothing_change_nothing(reported: int, estimated: int) -> None:
    assert counter().calibrated_by(reported=reported, estimated=estimated).correction == 1.0


def test_the_correction_stays_within_its_range() -> None:
    low, high = CORRECTION_RANGE

    assert counter().calibrated_by(reported=100_000, estimated=1).correction == high
    assert counter().calibrated_by(reported=1, estimated=100_000).correction == low


def test_the_tool_prompt_is_the_published_one_of_each_family() -> None:
    assert [counter(f"claude-opus-{a}-{b}").tool_prompt for a, b in [(4, 1), (4, 6), (4, 8)]] == [
        313,
        497,
        290,
    ]
    assert counter("claude-sonnet-5").tool_prompt == 354
    assert len(FAMILIES) == 5


def test_threads_that_count_together_agree_with_one_that_counts_alone() -> None:
    texts = [f"cat number {n % 50} in room {n % 7}" for n in range(400)]
    alone = [counter().count_text(text) for text in texts]
    shared = TokenEstimator(NEWEST, counts=TextCounts(max_texts=20))

    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(shared.count_text, texts))

    assert together == alone


def test_counting_never_loads_the_part_that_asks_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules.get("anthropic_tokenizer") or __import__("anthropic_tokenizer")

    def refuse(*args: object) -> None:
        raise AssertionError("the counting service was asked")

    monkeypatch.setattr(module.ApiTokenizer, "__init__", refuse)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")

    assert counter().count_text("one more cat") > 0
