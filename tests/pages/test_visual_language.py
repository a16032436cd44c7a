"""The state colours, measured: legible on every background, and apart for colour-blind eyes too."""

import itertools
import re
import tomllib
from typing import get_args

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages._shared import state as app_state
from pages._shared.visual_language import (
    AMOUNT_COLORS,
    LOOKS,
    PART_FILLS,
    REASONS,
    State,
    badge,
    mark,
    marked,
    state_of,
)
from tests.project_files import document
from toolsearch_core.trace.board import BOARD_REASONS, BoardRow

STREAMLIT_DARK = {"main": "#171614", "sidebar": "#21201D"}
CONTRAST = 3.0
"""WCAG 2.2, success criterion 1.4.11: marks against what is beside them."""
APART = 15.0
"""CIE76 distance; the five colours that were given keep 15.2 at the least."""

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
SEEN_BY = {
    "all receptors": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE_POINT = np.array([0.95047, 1.0, 1.08883])


def linear(color: str) -> np.ndarray:
    channels = np.array([int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(linear(color) @ weights) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    xyz = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE_POINT
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, eyes: str) -> float:
    matrix = SEEN_BY[eyes]
    return float(np.linalg.norm(lab(matrix @ linear(one)) - lab(matrix @ linear(other))))


def backgrounds() -> dict[str, str]:
    theme = tomllib.loads(document(".streamlit/config.toml"))["theme"]
    own = {
        f"{mode} {place}".strip(): (theme[mode] if not place else theme[mode][place])[
            "backgroundColor"
        ]
        for mode in ("light", "dark")
        for place in ("", "sidebar")
    }
    return own | STREAMLIT_DARK | {"white": "#FFFFFF"}


def test_the_measures_are_the_known_ones():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)
    assert lab(linear("#FF0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


@pytest.mark.parametrize("background", backgrounds().values(), ids=backgrounds())
@pytest.mark.parametrize("state", LOOKS)
def test_every_mark_stands_out_from_every_background(state, background):
    assert contrast(LOOKS[state].color, background) >= CONTRAST


@pytest.mark.parametrize("background", backgrounds().values(), ids=backgrounds())
@pytest.mark.parametrize("part", PART_FILLS)
def test_every_part_of_a_bar_stands_out_from_every_background(part, background):
    assert contrast(PART_FILLS[part][0], background) >= CONTRAST


@pytest.mark.parametrize("eyes", SEEN_BY)
def test_states_of_different_colour_stay_apart(eyes):
    colors = list(dict.fromkeys(look.color for look in LOOKS.values()))
    close = {
        (one, other): distance(one, other, eyes)
        for one, other in itertools.combinations(colors, 2)
        if distance(one, other, eyes) < APART
    }

    assert len(colors) == 6, "injected and called share theirs; the star tells them apart"
    assert close == {}


def test_colour_never_speaks_alone():
    for trait in ("glyph", "path", "icon", "word", "meaning"):
        values = [getattr(look, trait) for look in LOOKS.values()]

        assert len(set(values)) == len(values), trait


def test_the_two_kinds_of_eviction_differ_in_everything_that_is_seen():
    dropped, index = LOOKS["dropped"], LOOKS["index_evicted"]

    assert dropped.color != index.color
    assert dropped.glyph != index.glyph
    assert dropped.pattern != index.pattern
    assert dropped.path != index.path


def test_white_type_is_legible_on_the_fields_of_the_map():
    assert all(contrast(color, "#FFFFFF") >= 4.5 for color in AMOUNT_COLORS)


def test_there_is_a_look_for_each_state_and_a_word_for_each_reason():
    assert tuple(LOOKS) == get_args(State)
    assert set(REASONS) == set(BOARD_REASONS)


@pytest.mark.parametrize(
    ("state", "called", "drawn"),
    [
        ("injected", True, "called"),
        ("accumulated", True, "called"),
        ("injected", False, "injected"),
        ("deferred", True, "deferred"),
        ("dropped", True, "dropped"),
        ("index_evicted", True, "index_evicted"),
    ],
)
def test_a_tool_in_the_request_that_was_called_in_this_turn_has_a_star(state, called, drawn):
    row = BoardRow(
        name="a", server="", state=state, reason="found", turn=1, seq=1, called_in_turn=called
    )

    assert state_of(row) == drawn


@pytest.mark.parametrize("language", ["en", "ko"])
def test_marks_carry_their_word_and_their_colour(monkeypatch, language):
    monkeypatch.setattr(app_state, "language", lambda: language)

    assert marked("dropped") == {"en": "✕ dropped", "ko": "✕ 제외"}[language]
    assert mark("dropped") == ':color[✕]{foreground="#D55E00"}'
    assert re.fullmatch(
        r':color\[:material/\w+: \w+\]\{background="#\w{6}33"\}', badge("discovered")
    )


def test_the_legend_explains_both_kinds_of_eviction_under_one_heading():
    def script():
        from pages._shared.visual_language import legend

        legend()

    lines = [item.value for item in AppTest.from_function(script).run().markdown]

    heading = lines.index("**Evicted, of two kinds**")
    assert len(lines) == len(LOOKS) + 2
    assert all(
        LOOKS[name].glyph in line for name, line in zip(list(LOOKS)[:5], lines[:5], strict=True)
    )
    assert "dropped" in lines[heading + 1]
    assert "index evicted" in lines[heading + 2]
    assert heading == 6
    assert "pinned" in lines[5]
