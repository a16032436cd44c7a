"""Runs: one for each owner, bounded in number, ended when nobody looks, and never lost."""

import threading
from collections.abc import Callable, Iterator

import pytest

from pages._shared.runs import Run, Runs, Work
from toolsearch_core.errors import SessionError

WAIT_S = 20.0


class Gate:
    """Work that goes on until it is let go, and says that it has begun."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()
        self.steps = 0

    def __call__(self, stopped: Callable[[], bool]) -> Iterator[int]:
        self.begun.set()
        while not self.go.wait(0.01) and not stopped():
            self.steps += 1
            yield self.steps

    def wait(self) -> "Gate":
        assert self.begun.wait(WAIT_S)
        return self


def at_once(stopped: Callable[[], bool]) -> Iterator[int]:
    yield 1


def broken(stopped: Callable[[], bool]) -> Iterator[int]:
    raise SessionError("session.id_missing")
    yield 1


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begin(runs: Runs, owner: str, work: Work) -> Run:
    return runs.start(owner, f"chat of {owner}", "hello", work)


def test_a_run_is_done_when_its_work_is() -> None:
    run = begin(Runs(), "a", at_once)

    assert run.over.wait(WAIT_S)
    assert (run.status, run.live, run.problem) == ("done", False, None)


def test_an_owner_has_one_run_at_a_time() -> None:
    runs, gate = Runs(), Gate()
    first = begin(runs, "a", gate)

    with pytest.raises(SessionError, match="chat of a"):
        begin(runs, "a", at_once)
    gate.go.set()
    assert first.over.wait(WAIT_S)
    assert begin(runs, "a", at_once).over.wait(WAIT_S)


def test_what_goes_wrong_before_the_turn_is_told() -> None:
    run = begin(Runs(), "a", broken)

    assert run.over.wait(WAIT_S)
    assert run.status == "failed"
    assert run.problem is not None
    assert run.problem.code == "session.id_missing"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_run_whose_thread_dies_is_interrupted_and_makes_room() -> None:
    def dies(stopped: Callable[[], bool]) -> Iterator[int]:
        raise ZeroDivisionError
        yield 1

    runs = Runs(max_running=1)
    run = begin(runs, "a", dies)
    assert run.over.wait(WAIT_S)

    assert run.status == "interrupted"
    assert begin(runs, "b", at_once).over.wait(WAIT_S)
    for thread in threading.enumerate():  # its last words belong to this test, not to the next one
        if thread.name == f"run-{run.id}":
            thread.join(WAIT_S)


def test_stop_ends_a_run() -> None:
    runs, gate = Runs(), Gate()
    run = begin(runs, "a", gate)
    gate.wait()

    runs.stop("a")

    assert run.over.wait(WAIT_S)
    assert run.status == "done"


def test_too_many_runs_wait_in_line_and_know_their_place() -> None:
    runs = Runs(max_running=2)
    gates = [Gate() for _ in range(4)]
    started = [begin(runs, f"owner {n}", gate) for n, gate in enumerate(gates)]
    gates[0].wait()
    gates[1].wait()

    assert [run.status for run in started] == ["running", "running", "queued", "queued"]
    assert [runs.place(run) for run in started] == [0, 0, 1, 2]

    gates[0].go.set()
    gates[2].wait()
    assert [runs.place(run) for run in started] == [0, 0, 0, 1]
    for gate in gates:
        gate.go.set()
    assert all(run.over.wait(WAIT_S) for run in started)


def test_a_run_that_is_stopped_in_line_never_begins() -> None:
    runs, gate, waiting = Runs(max_running=1), Gate(), Gate()
    begin(runs, "a", gate)
    run = begin(runs, "b", waiting)

    runs.stop("b")

    assert run.over.wait(WAIT_S)
    assert run.status == "withdrawn"
    gate.go.set()
    assert not waiting.begun.is_set()


def test_a_run_that_nobody_looks_at_is_stopped() -> None:
    clock, gate = Clock(), Gate()
    runs = Runs(patience_s=120, clock=clock)
    run = begin(runs, "a", gate)
    gate.wait()

    clock.now = 119
    runs.look("a")
    clock.now = 200
    assert not run.over.wait(0.1)
    clock.now = 240

    assert run.over.wait(WAIT_S)


def test_asking_whether_an_owner_is_busy_is_not_looking() -> None:
    clock, gate = Clock(), Gate()
    runs = Runs(patience_s=120, clock=clock)
    run = begin(runs, "a", gate)
    gate.wait()

    clock.now = 100
    assert runs.busy("a")
    clock.now = 121

    assert run.over.wait(WAIT_S)
    assert not runs.busy("a")


def test_whoever_gave_up_in_line_lets_the_next_one_pass() -> None:
    clock, gate, last = Clock(), Gate(), Gate()
    runs = Runs(max_running=1, patience_s=120, clock=clock)
    begin(runs, "a", gate)
    gone = begin(runs, "b", Gate())
    clock.now = 100
    runs.look("a")
    kept = begin(runs, "c", last)
    clock.now = 130
    runs.look("a")

    assert gone.status == "withdrawn"
    assert runs.place(kept) == 1
    gate.go.set()
    last.wait()
    last.go.set()
    assert kept.over.wait(WAIT_S)


def test_a_forgotten_run_is_stopped_and_gone() -> None:
    runs, gate = Runs(), Gate()
    run = begin(runs, "a", gate)
    gate.wait()

    runs.forget("a")

    assert run.over.wait(WAIT_S)
    assert runs.look("a") is None
