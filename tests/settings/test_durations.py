"""Durations, read and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import format_duration, load_settings, parse_duration
from toolsearch_core.settings.durations import MAX_DURATION_S


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30m", 1800.0),
        ("1h", 3600.0),
        ("90s", 90.0),
        ("1h30m", 5400.0),
        ("2d", 172_800.0),
        ("500ms", 0.5),
        ("1.5h", 5400.0),
        ("1d2h3m4s5ms", 93_784.005),
        ("PT30M", 1800.0),
        ("PT1H30M", 5400.0),
        ("P1DT2H", 93_600.0),
        ("P2D", 172_800.0),
        ("PT0.5S", 0.5),
        ("90", 90.0),
        ("90.5", 90.5),
        (" 30m ", 1800.0),
        ("0", 0.0),
        ("36500d", float(MAX_DURATION_S)),
    ],
)
def test_durations_are_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "m", "soon", "30 m", "30M", "1H", "-5m", "+5m", "1m30h", "5m5m", "1h,30m", "1e3",
        "1_000s", "٣٠m", ".5h", "5.", "inf", "nan", "P", "PT", "P1", "P1DT", "P1M", "P1Y", "P1W", "pt30m",
        "PT-5M", "-PT5M", "PT1.5H", "PT5", "36501d", "9" * 5000, "30m\n", "30m\0", "1h 30m", "µs", "5us",
    ],
)  # fmt: skip
def test_everything_else_is_not_read(text: str) -> None:
    assert parse_duration(text) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1800, "30m"),
        (5400.0, "1h30m"),
        (0.5, "500ms"),
        (90.0, "1m30s"),
        (86_400, "1d"),
        (0.0015, "0.0015"),
    ],
)
def test_a_duration_is_written_short(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@given(st.floats(min_value=0.001, max_value=MAX_DURATION_S))
def test_what_is_written_is_read_as_the_same_seconds(seconds: float) -> None:
    assert parse_duration(format_duration(seconds)) == seconds


@given(st.text(alphabet="0123456789dhmsPTDHMS.-+ e", max_size=12) | st.text(max_size=80))
def test_any_text_is_a_number_of_seconds_or_none(text: str) -> None:
    seconds = parse_duration(text)

    assert seconds is None or 0 <= seconds <= MAX_DURATION_S


@given(
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 999),
)
def test_the_units_add_up(days: int, hours: int, minutes: int, seconds: int, ms: int) -> None:
    whole = days * 86_400 + hours * 3_600 + minutes * 60 + seconds

    assert parse_duration(f"{days}d{hours}h{minutes}m{seconds}s") == whole
    assert parse_duration(f"P{days}DT{hours}H{minutes}M{seconds}S") == whole
    assert parse_duration(f"{seconds}s{ms}ms") == (seconds * 1000 + ms) / 1000


@given(st.floats(min_value=0.001, max_value=MAX_DURATION_S))
def test_a_plain_number_is_seconds_in_an_argument_and_in_a_text(seconds: float) -> None:
    by_number = load_settings(environ={}, eviction_ttl=seconds).settings.eviction.ttl_s
    text = {"TOOLSEARCH_EVICTION_TTL": format_duration(seconds)}

    assert by_number == seconds
    assert load_settings(environ=text).settings.eviction.ttl_s == seconds


def test_what_is_no_duration_is_refused_with_examples() -> None:
    with pytest.raises(SettingsError, match=r"eviction\.ttl.*30 minutes.*30m, 1h30m, 2d, PT1H30M"):
        load_settings(environ={}, eviction_ttl="30 minutes")
