import dataclasses
import json

import pytest

from tests.advisor.stage import SEARCH, Stage
from toolsearch_core.events import TraceEntry
from toolsearch_core.providers.scripted import call, text
from toolsearch_core.trace.jsonl import EVENT_TYPES, TraceError, from_lines, to_lines


def recorded():
    stage = Stage()
    events = stage.ask(
        "어디에 있나요? where is parcel 77?",
        [
            [call(SEARCH, query="where is a parcel"), call(SEARCH)],
            [call("track_parcel"), call("no_such_tool")],
            [call("track_parcel", number="77")],
            [text("In the depot.")],
        ],
    )
    return [
        TraceEntry(seq=seq, turn=1, at_s=1000.5, event=event) for seq, event in enumerate(events)
    ]


def test_a_trace_read_back_equals_what_was_written():
    entries = recorded()

    assert list(from_lines(to_lines(entries))) == entries


def test_a_trace_of_lines_holds_no_line_end_inside():
    assert all("\n" not in line for line in to_lines(recorded()))


def test_every_event_class_has_a_name_in_the_file():
    assert len(EVENT_TYPES) == 11
    assert all(dataclasses.is_dataclass(kind) for kind in EVENT_TYPES.values())


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([], "trace.empty"),
        (["", " "], "trace.empty"),
        (["not json"], "trace.bad_line"),
        (["[]"], "trace.bad_line"),
        (['{"schema":"toolsearch-trace","version":99}'], "trace.unknown_version"),
        (['{"some":"file"}'], "trace.unknown_version"),
    ],
)
def test_what_is_no_trace_is_refused_by_name(lines, code):
    with pytest.raises(TraceError) as caught:
        from_lines(lines)

    assert caught.value.notice.code == code


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"kind": "Exploded"}, "trace.unknown_event"),
        ({"event": {}}, "trace.bad_line"),
        ({"event": 5}, "trace.bad_line"),
        ({"seq": "first"}, "trace.bad_line"),
        (
            {"event": {"names": [5], "reason": "unpinned", "tokens": 1}, "kind": "ToolsDropped"},
            "trace.bad_line",
        ),
        (
            {"event": {"names": "abc", "reason": "unpinned"}, "kind": "ToolsDropped"},
            "trace.bad_line",
        ),
        (
            {"event": {"names": ["a"], "reason": "whim", "tokens": 1}, "kind": "ToolsDropped"},
            "trace.bad_line",
        ),
    ],
)
def test_a_line_that_cannot_be_read_is_named(change, code):
    lines = list(to_lines(recorded()))
    lines[2] = json.dumps(json.loads(lines[2]) | change)
    with pytest.raises(TraceError) as caught:
        from_lines(lines)

    assert caught.value.notice.code == code
    assert caught.value.notice.params["line"] == 3
