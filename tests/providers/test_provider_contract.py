"""Every provider keeps the laws of a provider."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import toolsearch_core.providers
from tests.contracts.model_provider import (
    FAILURES,
    ModelProviderLaws,
    Stage,
    a_failure_becomes_its_error_without_the_key,
    tools_are_sent_in_the_given_order,
)
from tests.providers.loopback import Service, loopback
from tests.providers.stages import claude_stage, rehearsal_stage, scripted_stage

STAGES = {
    "ScriptedProvider": lambda service: scripted_stage(),
    "RehearsalProvider": lambda service: rehearsal_stage(),
    "AnthropicProvider": claude_stage,
}


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with loopback() as running:
        yield running


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, service: Service) -> Stage:
    return STAGES[request.param](service)


class TestModelProvider(ModelProviderLaws):
    """The laws stand in `tests/contracts/model_provider.py`."""


WITH_ANOTHER_SIDE = ("ScriptedProvider", "AnthropicProvider")
"""Providers that answer what they are told to, and keep or send what they receive."""


@pytest.mark.parametrize("name", WITH_ANOTHER_SIDE)
def test_tools_are_sent_in_the_given_order(name: str, service: Service) -> None:
    tools_are_sent_in_the_given_order(STAGES[name](service))


FAILING = [
    (name, failure)
    for name in WITH_ANOTHER_SIDE
    for failure in FAILURES
    if (name, failure) != ("ScriptedProvider", "no answer in time")  # a script does not wait
]


@pytest.mark.parametrize(("name", "failure"), FAILING)
def test_each_failure_becomes_its_error(name: str, failure: str, service: Service) -> None:
    a_failure_becomes_its_error_without_the_key(STAGES[name](service), failure)


def test_no_provider_is_left_out_of_the_contract() -> None:
    found: set[str] = set()
    package = toolsearch_core.providers
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if (
                isinstance(value, type)
                and hasattr(value, "stream")
                and hasattr(value, "count_tokens")
            ):
                found.add(name)

    assert found == set(STAGES)
