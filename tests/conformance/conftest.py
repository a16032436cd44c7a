"""After a run, the count per section; in section A a test that is skipped has failed."""

from collections import Counter
from collections.abc import Generator

import pytest

from tests.conformance.promises import FOLDER, SECTIONS, marked_tests, rows, section_of


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the documentation promises is shown everywhere, so nothing of it may depend on the machine."""
    report = yield
    mark = item.get_closest_marker("promise")
    if mark and report.skipped and any(section_of(promise) == "A" for promise in mark.args):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} is skipped, and section A has no skipped test."
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Reports reach this process from every worker, so the count is that of the whole run."""
    promises = marked_tests()
    passed, failed, tests = set[str](), set[str](), Counter[str]()
    for outcome in ("passed", "failed", "error"):
        for report in terminalreporter.stats.get(outcome, []):
            folder, _, name = report.nodeid.rpartition("/")
            carried = promises.get(name.split("[")[0], ()) if folder == FOLDER else ()
            if report.passed and report.when == "call":
                passed |= {*carried}
                tests.update({section_of(promise) for promise in carried})
            elif report.failed:
                failed |= {*carried}
    if not passed | failed:
        return
    terminalreporter.section("promises")
    cases = Counter(section_of(promise) for promise in passed - failed)
    waiting = Counter(section_of(row.id) for row in rows() if row.waits)
    for section, count in SECTIONS.items():
        line = f"section {section}: {cases[section]} of {count} cases, {tests[section]} tests"
        waits = f"; waiting: {waiting[section]}" if waiting[section] else ""
        terminalreporter.write_line(line + waits)
