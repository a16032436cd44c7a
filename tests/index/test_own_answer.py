"""The answer of an index of one's own, made of what it found."""

from toolsearch_core.search_types import ToolReference, ToolSearchRequest, ToolSearchResponse


def test_what_was_found_is_cut_to_what_was_asked():
    found = [
        ToolReference(tool_name=name, score=score)
        for name, score in [("a", 0.9), ("b", 0.8), ("c", 0.7), ("d", 0.6), ("e", 0.1)]
    ]
    request = ToolSearchRequest(
        session_id="s", query="x", max_results=2, threshold=0.5, exclude=frozenset({"a", "d"})
    )
    answer = ToolSearchResponse.of(request, found, index_kind="registry")

    assert [hit.tool_name for hit in answer.references] == ["b", "c"]
    assert [hit.tool_name for hit in answer.excluded] == ["a"]
    assert answer.total_matches == 2
    assert (answer.metadata.index_kind, answer.metadata.query) == ("registry", "x")
