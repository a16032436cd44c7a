"""The options of a turn: what is out of range is named with its value and what is allowed."""

import pytest

from toolsearch_core.advisor import AdvisorOptions
from toolsearch_core.errors import SettingsError


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("disclosure", "both"),
        ("max_results", 0),
        ("max_results", 11),
        ("max_results", True),
        ("max_results", "3"),
        ("max_results_cap", 51),
        ("threshold", -0.1),
        ("threshold", 1.1),
        ("threshold", float("nan")),
        ("threshold", "high"),
        ("pinned", "get_weather"),
        ("pinned", None),
        ("pinned", (1,)),
        ("iteration_limit", 0),
        ("max_tokens", 0),
        ("max_tokens", 128_001),
    ],
)
def test_what_is_out_of_range_is_told(option: str, value: object) -> None:
    with pytest.raises(SettingsError) as caught:
        AdvisorOptions(**{option: value})

    told = caught.value.notice
    assert told.code == "settings.out_of_range"
    assert told.params["option"] == option
    assert told.params["value"] in (str(value), repr(value))


@pytest.mark.parametrize("option", [{"threshold": 0}, {"threshold": 1}, {"max_results": 10}])
def test_the_ends_of_a_range_are_within(option: dict[str, int]) -> None:
    AdvisorOptions(**option)
