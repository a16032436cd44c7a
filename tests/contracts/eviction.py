"""The laws of an eviction strategy, beside a plain record of the sessions that have an index.

What a strategy should answer is stated as a pure function of that record, so that no law repeats how
a strategy does it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from toolsearch_core.protocols import Clock, EvictionStrategy

Live = Mapping[str, float]
"""Session id -> time of its last access, for the sessions that have an index."""

SESSIONS = st.sampled_from(["a", "b", "c", "d", "e"])


class TurnedClock:
    """A clock that stands still until it is turned."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@dataclass(frozen=True, kw_only=True)
class Case:
    """One strategy, how it is made, and what it should answer."""

    name: str
    make: Callable[[Clock, Live], EvictionStrategy]
    """A strategy that knows these sessions already."""
    evicts_current: bool = False
    bound: int | None = None
    """The largest number of sessions that may have an index after an access."""
    on_access: Callable[[Live, str, float], Mapping[str, str]]
    """(live, accessed session, now) -> session to release -> the reason."""
    expired: Callable[[Live, float], Mapping[str, str]]
    """(live, now) -> session to release -> the reason."""


class EvictionMachine(RuleBasedStateMachine):
    """Accesses, removals and time, beside the plain record."""

    case: Case

    def __init__(self) -> None:
        super().__init__()
        self.clock = TurnedClock()
        self.live: dict[str, float] = {}
        self.strategy = self.case.make(self.clock, {})
        self.twin = self.case.make(self.clock, {})

    @rule(session_id=SESSIONS)
    def access(self, session_id: str) -> None:
        self.clock.now_s += 0.5  # no two accesses at the same time
        self.live[session_id] = self.clock.now_s
        expected = self.case.on_access(self.live, session_id, self.clock.now_s)
        answer = self.strategy.on_access(session_id)
        assert self.case.evicts_current or session_id not in answer
        assert answer == self.twin.on_access(session_id)
        self._check(answer, expected)
        for gone in answer:
            if gone != session_id:
                del self.live[gone]
        assert self.case.bound is None or len(self.live) <= self.case.bound

    @rule()
    def sweep(self) -> None:
        expected = self.case.expired(self.live, self.clock.now_s)
        answer = self.strategy.expired()
        assert answer == self.twin.expired()
        self._check(answer, expected)
        for gone in answer:
            del self.live[gone]
        assert self.strategy.expired() == self.twin.expired() == ()

    @rule(session_id=SESSIONS, times=st.integers(1, 2))
    def remove(self, session_id: str, times: int) -> None:
        for _ in range(times):
            self.strategy.on_removed(session_id)
        self.twin.on_removed(session_id)
        self.live.pop(session_id, None)

    @rule(seconds=st.sampled_from([0.5, 4.0, 9.5, 10.0, 60.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now_s += seconds

    @rule(order=st.randoms(use_true_random=False))
    def exchange(self, order: object) -> None:
        """A new strategy that is given the last accesses goes on where the old one was."""
        known = list(self.live.items())
        order.shuffle(known)  # type: ignore[attr-defined]
        self.strategy = self.case.make(self.clock, dict(known))
        self.twin = self.case.make(self.clock, dict(reversed(known)))

    @invariant()
    def says_whether_it_evicts_the_current_session(self) -> None:
        assert self.strategy.evicts_current == self.case.evicts_current

    def _check(self, answer: tuple[str, ...], expected: Mapping[str, str]) -> None:
        assert list(answer) == sorted(expected, key=self.live.__getitem__)
        assert {gone: self.strategy.reason(gone) for gone in answer} == dict(expected)


def machine_of(case: Case) -> type[EvictionMachine]:
    """The state machine that holds one strategy to the laws."""
    return type(f"EvictionMachine_{case.name}", (EvictionMachine,), {"case": case})


def nothing_on_access(live: Live, current: str, now_s: float) -> Mapping[str, str]:
    return {}


def nothing_expired(live: Live, now_s: float) -> Mapping[str, str]:
    return {}


def current_always(live: Live, current: str, now_s: float) -> Mapping[str, str]:
    return {current: "always"}


def beyond(limit: int) -> Callable[[Live, str, float], Mapping[str, str]]:
    """What an LRU of this limit should release."""

    def on_access(live: Live, current: str, now_s: float) -> Mapping[str, str]:
        newest_first = sorted(live, key=live.__getitem__, reverse=True)
        return dict.fromkeys(newest_first[limit:], "lru")

    return on_access


def idle(ttl_s: float) -> Callable[[Live, float], Mapping[str, str]]:
    """What a TTL should release."""

    def expired(live: Live, now_s: float) -> Mapping[str, str]:
        return {known: "ttl" for known, at_s in live.items() if now_s - at_s >= ttl_s}

    return expired


def idle_on_access(ttl_s: float) -> Callable[[Live, str, float], Mapping[str, str]]:
    def on_access(live: Live, current: str, now_s: float) -> Mapping[str, str]:
        return idle(ttl_s)(live, now_s)

    return on_access


def any_of(
    *parts: Callable[..., Mapping[str, str]],
) -> Callable[..., Mapping[str, str]]:
    """The union of what several should release; the first gives the reason."""

    def union(*given: object) -> Mapping[str, str]:
        named: dict[str, str] = {}
        for part in parts:
            for known, reason in part(*given).items():
                named.setdefault(known, reason)
        return named

    return union
