"""The table in `README.md` is complete and true."""

from tests.conformance.promises import (
    MOST_WAITING,
    SECTIONS,
    WAITING_TOPICS,
    ids_of,
    marked_tests,
    rows,
    section_of,
)


def test_each_id_that_is_demanded_has_one_row_in_order() -> None:
    assert [row.id for row in rows()] == [
        promise for section in SECTIONS for promise in ids_of(section)
    ]


def test_each_row_says_what_is_promised() -> None:
    assert [row.id for row in rows() if len(row.promise) < 10] == []


def test_each_test_of_a_row_exists_and_carries_the_rows_id() -> None:
    marked = marked_tests()

    assert [
        f"{row.id}: {test}"
        for row in rows()
        for test in row.tests
        if row.id not in marked.get(test, ())
    ] == []


def test_each_marked_test_stands_in_the_rows_of_its_ids() -> None:
    listed = {(row.id, test) for row in rows() for test in row.tests}

    assert [
        f"{promise}: {test}"
        for test, carried in marked_tests().items()
        for promise in carried
        if (promise, test) not in listed
    ] == []


def test_a_row_holds_or_deviates_for_a_reason_or_waits_for_an_allowed_topic() -> None:
    topics = {f"waits: {topic}" for topic in WAITING_TOPICS}
    reason = "deviation: "

    assert [
        f"{row.id}: {row.status}"
        for row in rows()
        if row.status not in {"holds", *topics}
        and not (row.status.startswith(reason) and len(row.status) > len(reason) + 10)
    ] == []
    assert len([row for row in rows() if row.waits]) <= MOST_WAITING


def test_no_row_of_section_a_waits() -> None:
    assert [row.id for row in rows() if section_of(row.id) == "A" and row.waits] == []


def test_each_row_has_its_tests_unless_it_waits() -> None:
    assert [row.id for row in rows() if bool(row.tests) == row.waits] == []
