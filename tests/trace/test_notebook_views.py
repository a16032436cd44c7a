"""In a notebook a catalog, a session, an answer, a trace and a ledger show themselves, safely."""

import html.parser
from dataclasses import replace

from tests.advisor.stage import PARCELS, SEARCH, TRACK
from toolsearch_core.advisor import ToolSearchAdvisor
from toolsearch_core.chat import CONVERSATION_ID, ChatClient
from toolsearch_core.events import TurnStarted
from toolsearch_core.index import CatalogToolIndex, RetrieverStore
from toolsearch_core.providers.scripted import ScriptedProvider, call, text
from toolsearch_core.tools import SHOWN, Catalog
from toolsearch_core.trace.jsonl import from_lines
from toolsearch_core.trace.trace import Trace

HOSTILE = "<script>alert(1)</script>"


class Tags(html.parser.HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def talk():
    advisor = ToolSearchAdvisor(CatalogToolIndex(RetrieverStore(), "keyword"))
    provider = ScriptedProvider(
        [
            [call(SEARCH, query=f"parcel {HOSTILE}")],
            [call("track_parcel", number=HOSTILE)],
            [text(f"Done {HOSTILE}")],
            [text("Again.")],
        ]
    )
    tool = replace(TRACK, description=f"Where a parcel is {HOSTILE}")
    client = ChatClient(
        provider,
        tools=Catalog((tool, *PARCELS.tools[1:])),
        advisors=[advisor],
        context={CONVERSATION_ID: HOSTILE},
    )
    return client, advisor, client.prompt(HOSTILE).call(), client.prompt("again").call()


def test_all_show_themselves_and_nothing_of_a_stranger_is_markup():
    client, advisor, answer, _ = talk()
    session = advisor.sessions.session(HOSTILE)
    shown = [client.catalog, session, answer, answer.trace, answer.ledger]
    pages = [Tags(value._repr_html_()) for value in shown]

    for page in pages:
        assert "table" in page.tags
        assert "script" not in page.tags
    for page in (pages[0], pages[1], pages[2], pages[3]):
        assert any(HOSTILE in words for words in page.texts)
    assert "track_parcel" in pages[1].texts
    assert any("4 tools" in words for words in pages[0].texts)
    assert [words for words in pages[4].texts if words in ("1.1", "1.2", "1.3")] == [
        "1.1",
        "1.2",
        "1.3",
    ]
    assert str(answer.ledger.calls[0].tokens.total) in pages[4].texts


def test_a_large_catalog_shows_its_beginning_and_says_how_many_more():
    tools = tuple(replace(TRACK, name=f"t{n}", wire_name=f"t{n}") for n in range(SHOWN + 5))
    page = Tags(Catalog(tools)._repr_html_())

    assert page.tags.count("tr") == SHOWN + 1
    assert any("5 more" in words for words in page.texts)


def test_traces_are_joined_numbered_through_and_written():
    _, _, first, second = talk()
    both = first.trace + second.trace

    assert [entry.seq for entry in both.entries] == list(
        range(len(first.trace) + len(second.trace))
    )
    assert [each.turn for each in both.events if isinstance(each, TurnStarted)] == [1, 2]
    assert len(both.ledger.turns) == 2
    assert from_lines(both.lines()) == both.entries
    assert Trace() + both == both
