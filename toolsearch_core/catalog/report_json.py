"""The load report as JSON, for the command line and for download."""

from collections.abc import Callable

from toolsearch_core.catalog.report import LoadReport
from toolsearch_core.notices import Notice, notice_as_json


def report_as_json(
    report: LoadReport, sentence: Callable[[Notice], str] = lambda found: found.text
) -> dict[str, object]:
    """What happened to a file and to each of its entries.

    Args:
        report: the report.
        sentence: words a notice in the reader's language; English by default.
    """

    def as_json(found: Notice) -> dict[str, object]:
        return notice_as_json(found, sentence(found))

    return {
        "file": report.source,
        "read": report.read,
        "loaded": report.loaded,
        "repaired": report.repaired,
        "rejected": report.rejected,
        "notices": [as_json(found) for found in report.notices],
        "entries": [
            {
                "position": entry.position,
                "server": entry.server,
                "name": entry.name,
                "wire_name": entry.wire_name,
                "status": entry.status,
                "reasons": [as_json(reason) for reason in entry.reasons],
            }
            for entry in report.entries
        ],
    }
