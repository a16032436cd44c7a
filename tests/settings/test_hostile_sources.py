"""Whatever a source holds: settings, or one of our errors, and nothing else."""

import string
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolsearch_core.errors import SettingsError
from toolsearch_core.settings import GROUPS, OPTIONS, Option, load_settings

ODD = st.text(max_size=30) | st.sampled_from(
    [
        "none",
        "\udcff",
        "\x1b[2J",
        "\u202e",
        "a" * 2_000,
        "{}",
        "{0.x}",
        "%s",
        "9" * 5_000,
        "-0",
        "1e9999",
    ]
)
ODD_VALUES = st.recursive(
    ODD | st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


class Unspeakable:
    """Even its text cannot be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparing")

    __hash__ = object.__hash__


def loaded_or_refused(**source: object) -> None:
    with suppress(SettingsError):
        load_settings(**{"environ": {}, **source})  # type: ignore[arg-type]


@given(st.dictionaries(st.sampled_from([option.variable for option in OPTIONS]), ODD, max_size=4))
def test_any_text_in_our_variables(variables: dict[str, str]) -> None:
    loaded_or_refused(environ=variables)


@given(st.text(max_size=40).map(lambda name: f"TOOLSEARCH_{name}"), ODD)
def test_any_name_of_a_variable(name: str, value: str) -> None:
    loaded_or_refused(environ={name: value})


@given(st.sampled_from([option.argument for option in OPTIONS]) | st.text(max_size=40), ODD_VALUES)
def test_any_keyword_argument(name: str, value: object) -> None:
    if name not in ("file", "environ"):
        loaded_or_refused(**{name: value})


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.full_name)
def test_an_object_that_cannot_even_be_shown(option: Option) -> None:
    with pytest.raises(SettingsError, match="Unspeakable"):
        load_settings(environ={}, **{option.argument: Unspeakable()})
    with pytest.raises(SettingsError, match=r"too many digits|duration"):
        load_settings(environ={}, **{option.argument: 10**6_000})


def load_file(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "set.toml"
        path.write_bytes(data)
        loaded_or_refused(file=path)


@given(st.binary(max_size=200))
def test_any_bytes_in_a_file(data: bytes) -> None:
    load_file(data)


LINES = st.lists(
    st.sampled_from([f"[{group}]" for group in GROUPS])
    | st.sampled_from([option.name for option in OPTIONS]).map(lambda name: f"{name} = 5")
    | st.sampled_from([option.full_name for option in OPTIONS]).map(lambda name: f'{name} = "none"')
    | st.text(alphabet=string.printable + "한\u202e", max_size=20),
    max_size=8,
)


@given(LINES)
def test_any_lines_in_a_file(lines: list[str]) -> None:
    load_file("\n".join(lines).encode())
