"""Workspaces: found by their id only, bounded, closed in time; and nothing of one is in another."""

import json
from collections.abc import Callable
from dataclasses import replace

from pages._shared.runs import Runs
from pages._shared.workspaces import Workspaces
from toolsearch_core.index import RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider, Step, call, text
from toolsearch_core.trace.jsonl import to_lines
from toolsearch_core.workspace import Conversation, Workspace

WAIT_S = 60.0
SESSIONS, TURNS = 8, 20


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def make() -> Callable[[], Workspace]:
    store = RetrieverStore()
    return lambda: Workspace(store)


def test_a_workspace_is_found_by_its_id_and_by_no_other() -> None:
    workspaces = Workspaces(make())
    mine, other = workspaces.open(), workspaces.open()

    assert workspaces.find(mine) is workspaces.find(mine)
    assert workspaces.find(mine) is not workspaces.find(other)
    assert workspaces.find("") is None
    assert workspaces.find(mine[:-1]) is None


def test_ids_cannot_be_guessed() -> None:
    ids = {Workspaces(make()).open() for _ in range(50)}

    assert len(ids) == 50
    assert min(map(len, ids)) >= 32


def test_a_workspace_that_nobody_used_for_hours_is_closed() -> None:
    clock, closed = Clock(), []
    workspaces = Workspaces(make(), idle_s=100, clock=clock, closing=closed.append)
    old, used = workspaces.open(), workspaces.open()

    clock.now = 90
    assert workspaces.find(used)
    clock.now = 101

    assert workspaces.find(old) is None
    assert workspaces.find(used)
    assert closed == [old]


def test_of_too_many_the_least_recently_used_one_goes() -> None:
    closed: list[str] = []
    workspaces = Workspaces(make(), capacity=2, closing=closed.append)
    first, second = workspaces.open(), workspaces.open()
    workspaces.find(first)

    third = workspaces.open()

    assert closed == [second]
    assert workspaces.find(first)
    assert workspaces.find(third)


def test_a_workspace_with_a_run_stays() -> None:
    clock = Clock()
    busy: set[str] = set()
    workspaces = Workspaces(
        make(), capacity=1, idle_s=100, clock=clock, busy=lambda known: known in busy
    )
    working = workspaces.open()
    busy.add(working)
    workspaces.open()
    clock.now = 1000

    assert workspaces.find(working)


def test_closing_a_workspace_stops_its_run_first() -> None:
    order: list[str] = []
    workspaces = Workspaces(make(), closing=lambda known: order.append("run"))
    mine = workspaces.open()
    workspace = workspaces.find(mine)
    assert workspace is not None
    workspace.close = lambda: order.append("workspace")  # type: ignore[method-assign]

    workspaces.close(mine)
    workspaces.close(mine)

    assert order == ["run", "workspace"]
    assert workspaces.find(mine) is None


# Eight people at once


def notes(session: int) -> bytes:
    """A catalog of one's own: a tool that writes a note, and one that reads it back."""
    schema = {"type": "object", "properties": {"note": {"type": "string"}}}
    names = [f"write_note_{session}", f"read_note_{session}"]
    return json.dumps(
        {
            "tools": [
                {
                    "name": name,
                    "description": f"{name} for session {session}",
                    "inputSchema": schema,
                }
                for name in names
            ]
        }
    ).encode()


def script(session: int) -> list[Step]:
    steps: list[Step] = []
    for turn in range(1, TURNS + 1):
        marker = f"mark-{session}-{turn}-"
        steps += [
            [call("tool_search_tool", query=f"write note {marker}")],
            [call(f"write_note_{session}", note=marker), call(f"read_note_{session}", note=marker)],
            [text(f"The note says {marker}")],
        ]
    return steps


def prepared(store: RetrieverStore, session: int) -> tuple[Workspace, Conversation]:
    workspace = Workspace(store)
    workspace.use(replace(workspace.settings, index_kind="keyword"))
    workspace.shelf.add(notes(session), f"notes-{session}.json")
    return workspace, workspace.new_conversation()


def totals(conversation: Conversation) -> list[tuple[object, ...]]:
    """What a conversation came to, but for times and ids."""
    kept = []
    for entry in conversation.entries:
        event = entry.event
        kind = type(event).__name__
        tokens = getattr(event, "tokens", None) or getattr(event, "prompt_tokens", None)
        kept.append((entry.turn, kind, str(tokens), getattr(event, "answer", "")))
    return kept


def held_one_after_the_other() -> list[list[tuple[object, ...]]]:
    store = RetrieverStore()
    result = []
    for session in range(SESSIONS):
        workspace, conversation = prepared(store, session)
        provider = ScriptedProvider(script(session))
        for turn in range(1, TURNS + 1):
            for _ in workspace.ask(conversation.id, f"turn {turn} of {session}", provider):
                pass
        result.append(totals(conversation))
    return result


def held_at_the_same_time() -> list[Conversation]:
    store, runs = RetrieverStore(), Runs(max_running=SESSIONS)
    people = [prepared(store, session) for session in range(SESSIONS)]
    providers = [ScriptedProvider(script(session)) for session in range(SESSIONS)]
    for turn in range(1, TURNS + 1):
        started = []
        for session, (workspace, conversation) in enumerate(people):

            def work(
                stopped: Callable[[], bool],
                workspace: Workspace = workspace,
                conversation: Conversation = conversation,
                session: int = session,
                turn: int = turn,
            ) -> object:
                asked = f"turn {turn} of {session}"
                return workspace.ask(conversation.id, asked, providers[session], stopped=stopped)

            started.append(runs.start(f"person {session}", conversation.id, "", work))
        assert all(run.over.wait(WAIT_S) and run.status == "done" for run in started)
    return [conversation for _, conversation in people]


def test_eight_people_at_once_get_what_each_would_get_alone() -> None:
    """SES-06: 8 conversations of 20 turns; the mark of a turn is written by a tool and read back."""
    alone = held_one_after_the_other()
    together = held_at_the_same_time()

    assert [totals(conversation) for conversation in together] == alone
    for session, conversation in enumerate(together):
        trace = "\n".join(to_lines(conversation.entries))
        assert trace.count(f"mark-{session}-{TURNS}-")
        foreign = [
            other
            for other in range(SESSIONS)
            if other != session and (f"mark-{other}-" in trace or f"note_{other}" in trace)
        ]
        assert foreign == []


def test_two_catalogs_in_one_store_do_not_mix() -> None:
    store = RetrieverStore()
    found = []
    for session in (1, 2):
        workspace, conversation = prepared(store, session)
        steps: list[Step] = [
            [call("tool_search_tool", query="note", max_results=10)],
            [text("Done.")],
        ]
        for entry in workspace.ask(conversation.id, "notes?", ScriptedProvider(steps)):
            found += [hit.tool_name for hit in getattr(entry.event, "hits", ())]

    assert sorted(found) == ["read_note_1", "read_note_2", "write_note_1", "write_note_2"]
