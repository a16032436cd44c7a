"""The walk: what a person does who sees the explorer for the first time, in a real browser."""

import json
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.browser.conftest import OpenPage, Server
from toolsearch_core.events import (
    IndexEvicted,
    IndexReady,
    RequestPrepared,
    ToolCalled,
    ToolsDropped,
    ToolsSearched,
    TraceEntry,
    TurnEnded,
)
from toolsearch_core.trace.jsonl import from_lines

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LOOKS = [("en", False), ("en", True), ("ko", False), ("ko", True)]

WORKPLACE = [
    "Who is on call for payments right now?",
    "How many vacation days do I have left this year?",
    "The checkout page returns errors for customers. Declare an incident.",
    "Who is on call for search right now?",
    "Find a meeting time when Mina and Jonas are both free.",
]
GITHUB = [
    "List the open pull requests of the repository hello in the organisation octo",
    "Search issues about the login page",
    "Which branches does the repository hello of octo have?",
    "Show me the commits of the repository hello of octo",
    "List the releases of the repository hello of octo",
]


# The page as a person finds their way on it


class Walker:
    """Somebody who uses the Live page."""

    def __init__(self, page: Page, pictures: Path) -> None:
        self.page = page
        self.pictures = pictures
        self.turns = 0

    @property
    def chat(self) -> Locator:
        return self.page.locator(".st-key-live_chat")

    def keyed(self, key: str, inside: str = "button") -> Locator:
        return self.page.locator(f"[class*='st-key-{key}'] {inside}").first

    def settled(self) -> None:
        """Wait until the server has nothing more to say, and nothing is broken."""
        expect(self.page.locator(".stApp")).to_have_attribute(
            "data-test-script-state", "notRunning"
        )
        expect(self.page.get_by_test_id("stException")).to_have_count(0)

    def load_sample(self, file: str) -> None:
        self.page.locator(f"[class*='st-key-live_load_{file}'] button").click()
        self.ready()

    def upload(self, file: Path) -> None:
        self.page.get_by_role("link", name=re.compile("Catalog|카탈로그")).first.click()
        self.page.get_by_role("tab", name=re.compile("Upload|파일")).first.click()
        self.page.locator("input[type=file]").first.set_input_files(file)
        expect(self.page.locator(".st-key-frame")).to_contain_text("86")
        self.page.get_by_role("link", name=re.compile("Live|라이브")).first.click()
        self.ready()

    def ready(self) -> None:
        expect(self.page.get_by_test_id("stChatInputTextArea")).to_be_enabled()
        self.settled()

    def send(self, message: str) -> None:
        self.page.get_by_test_id("stChatInputTextArea").fill(message)
        self.page.keyboard.press("Enter")

    def ask(self, message: str) -> None:
        self.send(message)
        self.turns += 1
        self.answered()

    def at_the_end(self) -> None:
        """The end of the chat is in view; a run may draw late, and what it draws is followed."""
        self.page.wait_for_function(
            "chat => chat.scrollHeight - chat.scrollTop - chat.clientHeight < 5",
            arg=self.chat.element_handle(),
        )

    def answered(self) -> None:
        ended = self.chat.get_by_text(re.compile(r"model calls: \d+|모델 호출 \d+회"))
        expect(ended).to_have_count(self.turns)
        self.ready()

    def picture(self, name: str, looks: Sequence[tuple[str, bool]] = LOOKS) -> None:
        """The page as it is, in both languages, light and dark."""
        for language, dark in looks:
            self.speak(language)
            self.page.emulate_media(color_scheme="dark" if dark else "light")
            self.page.wait_for_timeout(700)  # charts and the board come to rest
            look = f"{name}-{language}-{'dark' if dark else 'light'}.png"
            self.page.screenshot(path=self.pictures / look)
        self.speak(looks[0][0])
        self.page.emulate_media(color_scheme="light")

    def speak(self, language: str) -> None:
        word = {"en": "English", "ko": "한국어"}[language]
        if f"lang={language}" not in self.page.url:
            self.page.locator(".st-key-frame_language").get_by_text(word).click()
            expect(self.page).to_have_url(re.compile(f"lang={language}"))
            self.settled()

    def close_dialog(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.get_by_role("dialog")).to_have_count(0)
        self.settled()

    def trace(self) -> tuple[TraceEntry, ...]:
        with self.page.expect_download() as download:
            self.keyed("live_download").click()
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert re.fullmatch(r"trace-[\w-]+\.jsonl", download.value.suggested_filename)
        return from_lines(text.splitlines())


@pytest.fixture
def pictures(project_root: Path) -> Path:
    folder = project_root / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def real_catalog() -> Path | None:
    folder = os.environ.get("TOOLSEARCH_TEST_DATA")
    file = Path(folder) / "catalogs" / "github.json" if folder else None
    return file if file and file.is_file() else None


def test_the_walk(
    open_page: OpenPage,
    server: Server,
    pictures: Path,
    record_property: Callable[[str, object], None],
) -> None:
    page = open_page()
    walker = Walker(page, pictures)
    expect(page.locator("[class*='st-key-live_load_']").first).to_be_visible()
    usable_s = time.monotonic() - server.up_s
    record_property("usable_s", round(usable_s, 2))
    walker.settled()
    walker.picture("1-first-visit")

    file = real_catalog()
    questions = GITHUB if file else WORKPLACE
    if file:
        walker.upload(file)
    else:
        walker.load_sample("workplace")
    walker.picture("2-loaded")

    asked_s = time.monotonic()
    walker.ask(questions[0])
    record_property("first_answer_s", round(time.monotonic() - asked_s, 2))
    for word in ("discovered", "injected", "called"):
        expect(walker.chat.get_by_text(word, exact=False).first).to_be_attached()
    expect(page.locator(".st-key-live_insight .js-plotly-plot").first).to_be_visible()
    expect(page.locator(".st-key-live_insight h3").first).to_contain_text("−")
    walker.picture("3-first-answer")

    walker.ask(questions[1])
    walker.picture("4-accumulated")

    page.locator(".st-key-choice_accumulate label").first.click()
    walker.settled()
    walker.ask(questions[2])
    walker.at_the_end()
    expect(walker.chat.get_by_text("left the request").first).to_be_attached()
    walker.picture("5-dropped")

    walker.keyed("live_evict").click()
    expect(walker.chat.get_by_text("was evicted").first).to_be_visible()
    walker.picture("6-evicted")
    walker.ask(questions[3])
    expect(walker.chat.get_by_text("Re-indexed").first).to_be_attached()

    page.locator("[data-testid=stSidebar]").get_by_text("Eviction", exact=True).click()
    walker.settled()
    choose_ttl(walker)
    walker.settled()
    walker.keyed("live_clock").click()
    expect(walker.chat.get_by_text("was evicted").first).to_be_visible()
    walker.picture("7-idle-for-too-long")
    walker.ask(questions[4])
    walker.picture("8-indexed-again")

    for looks in (LOOKS[:2], LOOKS[2:]):  # what is behind a dialog cannot be clicked
        walker.speak(looks[0][0])
        open_raw_request(walker)
        walker.picture("9-raw-request", looks)
        walker.close_dialog()
        walker.keyed("live_enlarge").click()
        expect(page.get_by_role("dialog").locator(".js-plotly-plot")).to_be_visible()
        walker.picture("10-ledger", looks)
        walker.close_dialog()

    check(walker.trace())


def choose_ttl(walker: Walker) -> None:
    """Pick the strategy as a person does: a list that closes under the hand is opened again."""
    minutes = walker.keyed("choice_ttl_minutes", "input")
    for _ in range(6):
        field = walker.keyed("choice_strategy", "input")
        field.click()
        field.press_sequentially("TTL", delay=60)
        walker.page.wait_for_timeout(800)
        walker.page.keyboard.press("Enter")
        walker.page.wait_for_timeout(3000)
        if minutes.count():
            break
        walker.page.keyboard.press("Escape")
    expect(minutes).to_be_visible()


def open_raw_request(walker: Walker) -> None:
    step = walker.chat.get_by_text(re.compile(r"(Request|요청) 2: ")).last
    step.click()
    raw = walker.chat.get_by_role("button", name=re.compile("Raw request|요청 원문"))
    raw.filter(visible=True).last.click()
    dialog = walker.page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("What the model saw|모델이 본 것"))
    dialog.get_by_role("tab", name=re.compile("Request body|요청 본문")).click()
    expect(dialog).to_contain_text("tool_search_tool")


def check(entries: tuple[TraceEntry, ...]) -> None:
    """The trace tells the walk, turn by turn."""

    def events(kind: type, turn: int) -> list:
        return [e.event for e in entries if e.turn == turn and isinstance(e.event, kind)]

    for turn in range(1, 6):
        assert events(ToolsSearched, turn)[0].hits
        assert [call for call in events(ToolCalled, turn) if call.outcome == "executed"]
        (ended,) = events(TurnEnded, turn)
        assert ended.status == "answered"
        assert ended.prompt_tokens < ended.baseline_tokens / 2

    def reasons(turn: int) -> set[str]:
        return {tool.reason for sent in events(RequestPrepared, turn) for tool in sent.injected}

    assert reasons(1) == {"search_tool", "discovered"}
    assert "accumulated" in reasons(2)
    assert events(ToolsDropped, 3)[0].reason == "accumulation_off"
    assert [gone.reason for gone in events(IndexEvicted, 3)] == ["explicit"]
    assert [ready.reindexed for ready in events(IndexReady, 4)] == [True]
    assert [gone.reason for gone in events(IndexEvicted, 4)] == ["ttl"]
    assert [ready.reindexed for ready in events(IndexReady, 5)] == [True]


def test_a_korean_question_is_answered_by_keyboard_alone(
    open_page: OpenPage, pictures: Path
) -> None:
    page = open_page("/?lang=ko", dark=True)
    walker = Walker(page, pictures)
    page.locator("[class*='st-key-live_load_korean'] button").focus()
    page.keyboard.press("Enter")
    walker.ready()
    page.get_by_test_id("stChatInputTextArea").focus()
    page.keyboard.type("서울 마포구 날씨랑 미세먼지 어때?")
    page.keyboard.press("Enter")
    walker.turns = 1
    walker.answered()

    expect(walker.chat.get_by_text("발견").first).to_be_attached()
    page.screenshot(path=pictures / "korean-question.png")


def test_a_reload_finds_the_conversation_and_the_run(open_page: OpenPage, pictures: Path) -> None:
    page = open_page()
    walker = Walker(page, pictures)
    walker.load_sample("everyday")
    walker.send("How much is 250 euros in Japanese yen?")
    expect(walker.chat.get_by_text("How much is 250 euros").first).to_be_visible()

    page.reload()
    walker.turns = 1
    walker.answered()

    expect(walker.chat.get_by_text("How much is 250 euros").first).to_be_visible()


def test_a_page_of_its_own_address_keeps_the_session(open_page: OpenPage, pictures: Path) -> None:
    page = open_page()
    walker = Walker(page, pictures)
    walker.load_sample("everyday")
    before = page.url

    page.get_by_role("link", name="Catalog").first.click()
    expect(page).to_have_url(re.compile("/catalog"))
    page.reload()
    page.get_by_role("link", name="Live").first.click()
    walker.ready()

    assert sorted(page.url.split("?")[1].split("&")) == sorted(before.split("?")[1].split("&"))


def test_an_idle_page_is_silent(open_page: OpenPage, pictures: Path) -> None:
    page = open_page("/catalog")
    frames: list[object] = []

    def listen(websocket: WebSocket) -> None:
        websocket.on("framereceived", lambda frame: frames.append(frame))
        websocket.on("framesent", lambda frame: frames.append(frame))

    page.on("websocket", listen)
    walker = Walker(page, pictures)
    page.goto(page.url.split("/catalog")[0])
    walker.load_sample("everyday")
    walker.ask("How much is 250 euros in Japanese yen?")
    expect(page.locator(".st-key-frame")).to_contain_text("search ready")
    page.wait_for_timeout(2000)
    assert frames

    frames.clear()
    page.wait_for_timeout(4000)

    assert frames == []


def test_projector_mode_folds_the_sidebar_and_comes_back(
    open_page: OpenPage, pictures: Path
) -> None:
    page = open_page()
    walker = Walker(page, pictures)
    walker.load_sample("everyday")
    expect(page.get_by_role("heading", name="Settings")).to_be_in_viewport()
    small = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")

    page.locator(".st-key-frame_projector label").first.click()
    expect(page).to_have_url(re.compile("proj=1"))
    walker.settled()
    expect(page.get_by_role("heading", name="Settings")).not_to_be_in_viewport()
    large = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")

    assert large > small


def test_texts_of_strangers_stay_inert(open_page: OpenPage, pictures: Path, tmp_path: Path) -> None:
    hostile = (
        "![x](https://example.invalid/q.png) <img src=https://example.invalid/p.png> $5 and $7"
    )
    file = tmp_path / "hostile.json"
    tools = [
        {"name": name, "description": hostile, "title": hostile, "inputSchema": {"type": "object"}}
        for name in ("fetch_red_thing", "store_blue_thing", "list_green_things")
    ]
    file.write_text(json.dumps({"tools": tools}), encoding="utf-8")
    page = open_page("/catalog")
    page.get_by_role("tab", name="Upload").first.click()
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".st-key-frame")).to_contain_text("3 tools")
    page.get_by_role("link", name="Live").first.click()
    walker = Walker(page, pictures)
    walker.ready()

    walker.ask(f"{hostile} fetch the red thing")

    expect(walker.chat.get_by_text("https://example.invalid/q.png").first).to_be_visible()
    assert page.locator("main img").count() == 0
    assert page.locator("main .katex").count() == 0
    assert page.locator("main a[href*=invalid]").count() == 0


@pytest.mark.parametrize(
    ("name", "path", "width", "height"),
    [
        ("projector", "/?lang=en&proj=1", 1280, 720),
        ("phone", "/?lang=ko", 390, 844),
        ("large", "/?lang=en", 1920, 1080),
    ],
)
def test_it_fits_the_window(
    open_page: OpenPage, pictures: Path, name: str, path: str, width: int, height: int
) -> None:
    page = open_page(path, width=width, height=height)
    walker = Walker(page, pictures)
    walker.load_sample("workplace")
    walker.ask(WORKPLACE[0])

    page.screenshot(path=pictures / f"{name}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.get_by_test_id("stChatInputTextArea").bounding_box()["y"] < height
