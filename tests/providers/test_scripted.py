"""Scripts: what they say, what they keep, and where they end."""

import pytest

from tests.contracts.model_provider import CLOCK, WEATHER, listen, request
from toolsearch_core.errors import ProviderRateLimitError, ProviderResponseError
from toolsearch_core.messages import ToolUseBlock
from toolsearch_core.providers.in_process import ServiceError
from toolsearch_core.providers.scripted import Break, Reply, ScriptedProvider, call, text
from toolsearch_core.usage import Usage


def test_answers_come_in_the_order_of_the_queue() -> None:
    provider = ScriptedProvider([[text("one")], [text("two")]])
    provider.add([text("three")])

    said = ["".join(listen(provider, request("go")).pieces) for _ in range(3)]
    assert said == ["one", "two", "three"]


def test_the_bodies_received_are_kept() -> None:
    provider = ScriptedProvider([[text("one")], [text("two")]])
    listen(provider, request("first", WEATHER))
    listen(provider, request("second", WEATHER, CLOCK))

    assert [len(body["tools"]) for body in provider.requests] == [1, 2]  # type: ignore[arg-type]
    assert provider.requests[0]["messages"][0]["content"][0]["text"] == "first"  # type: ignore[index, call-overload]


def test_calls_get_ids_that_no_other_call_of_the_script_has() -> None:
    provider = ScriptedProvider([[call("a"), call("b", x=1)], [call("c")]])
    responses = [listen(provider, request("go")).response for _ in range(2)]
    ids = [block.id for r in responses for block in r.content if isinstance(block, ToolUseBlock)]  # type: ignore[union-attr]

    assert len(set(ids)) == 3


def test_a_given_id_stays() -> None:
    block = {"type": "tool_use", "id": "mine", "name": "a", "input": {}}
    response = listen(ScriptedProvider([[block]]), request("go")).response

    assert response is not None
    assert response.content == (ToolUseBlock("mine", "a", {}),)


def test_stop_reason_and_usage_can_be_said() -> None:
    usage = {"input_tokens": 3, "output_tokens": 2, "cache_read_input_tokens": 1}
    response = listen(
        ScriptedProvider([Reply([text("half a sen")], "max_tokens", usage)]), request("go")
    ).response

    assert response is not None
    assert response.stop_reason == "max_tokens"
    assert response.usage == Usage(
        input_tokens=4, output_tokens=2, cache_read_tokens=1, source="estimated"
    )


def test_an_answer_can_depend_on_the_request() -> None:
    provider = ScriptedProvider([lambda body: [text(f"{len(body['messages'])} message")]])  # type: ignore[arg-type]

    assert "".join(listen(provider, request("go")).pieces) == "1 message"


def test_errors_take_their_turn() -> None:
    provider = ScriptedProvider(
        [ServiceError("rate_limit_error", "slow", 5), Break([text("Hello")], 3), [text("fine")]]
    )
    with pytest.raises(ProviderRateLimitError):
        listen(provider, request("go"))
    with pytest.raises(Exception, match="middle of the answer"):
        listen(provider, request("go"))

    assert "".join(listen(provider, request("go")).pieces) == "fine"


def test_a_request_past_the_end_is_refused_and_says_which() -> None:
    provider = ScriptedProvider([[text("one")]])
    listen(provider, request("go"))

    with pytest.raises(ProviderResponseError, match="request 2: the script is over"):
        listen(provider, request("go"))


def test_a_request_that_the_service_would_refuse_is_refused() -> None:
    provider = ScriptedProvider([[text("one")]])

    with pytest.raises(ProviderResponseError, match="tool names must be unique"):
        listen(provider, request("go", WEATHER, WEATHER))
    assert provider.requests == []
