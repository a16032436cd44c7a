"""The Catalog page and the board in a real browser: files, strangers' texts, and marks that stay put."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from tests.browser.conftest import OpenPage
from tests.generated_catalog import generated_catalog

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

PATIENCE_MS = 90_000
TRIES = 6
LANGUAGES = ("en", "ko")
HOSTILE = {
    "html_text": '<img src="https://example.invalid/p.png"><script>document.title="taken"</script><b>b</b>',
    "md_text": "![x](https://example.invalid/q.png) [link](javascript:alert(1)) | a | b |\n|---|---|",
    "tex_text": "Costs $5 and then $7 per call, $$x^2$$",
    "rtl_text": "abc \u202egnp.exe\u202c def",
    "long_word": "x" * 5000,
    "short_codes": ":material/home: :red[red] :smile: www.example.invalid https://example.invalid/r",
}


def settled(page: Page) -> None:
    """Wait until the server has nothing more to say, and nothing is broken."""
    expect(page.locator(".stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=PATIENCE_MS
    )
    expect(page.get_by_test_id("stException")).to_have_count(0)


def to_catalog(page: Page) -> Page:
    page.get_by_role("link", name=re.compile("Catalog|카탈로그")).first.click()
    title = page.get_by_role("heading", name=re.compile("Catalog|카탈로그"))
    expect(title).to_be_visible(timeout=PATIENCE_MS)
    settled(page)
    return page


def upload(page: Page, *files: Path, told: str) -> None:
    """Give the files, and wait until the page tells what became of them."""
    add = page.locator(".st-key-catalog_add")
    if add.count() and not page.locator("input[type=file]").first.is_visible():
        ways = add.get_by_role("tab")
        if not ways.first.is_visible():
            add.locator("summary").click()
    page.get_by_role("tab", name=re.compile("Upload|파일 올리기")).click()
    page.locator("input[type=file]").first.set_input_files(files)
    expect(page.get_by_text(told).first).to_be_visible(timeout=PATIENCE_MS)
    settled(page)


def choose(page: Page, name: str) -> None:
    """Choose a tool as a person does: a list that closes under the hand is opened again."""
    field = page.locator(".st-key-catalog_tool input")
    for _ in range(TRIES):
        field.click()
        field.fill(name)
        try:
            page.get_by_role("option", name=name, exact=True).first.click(timeout=5_000)
        except TimeoutError:
            page.keyboard.press("Escape")
        else:
            break
    expect(page.locator(".st-key-catalog_tool_details code").first).to_have_text(name)
    settled(page)


def view(page: Page, name: str) -> None:
    page.locator(".st-key-catalog_tool_view").get_by_text(name, exact=True).click()
    settled(page)


def catalog_file(folder: Path, name: str, tools: dict[str, str]) -> Path:
    file = folder / f"{name}.json"
    listed = [
        {"name": tool, "description": text, "inputSchema": {"type": "object"}}
        for tool, text in tools.items()
    ]
    file.write_text(json.dumps({"tools": listed}), encoding="utf-8")
    return file


@pytest.fixture
def pictures(project_root: Path) -> Path:
    folder = project_root / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_texts_of_strangers_are_text(open_page: OpenPage, tmp_path: Path) -> None:
    """`open_page` fails when anything asked for an address off this machine."""
    page = to_catalog(open_page())
    upload(page, catalog_file(tmp_path, "hostile", HOSTILE), told="Loaded: hostile.json")
    for name, text in HOSTILE.items():
        choose(page, name)
        shown = page.locator(".st-key-catalog_tool_details")
        expect(shown.get_by_test_id("stText").first).to_contain_text(
            re.sub("[\u202e\u202c]", "", text)[:200]
        )

    assert page.locator("img[src*='example.invalid'], a[href*='example.invalid']").count() == 0
    assert page.locator("a[href^='javascript:']").count() == 0
    assert (
        page.locator(".st-key-catalog_tool_details .katex, .st-key-catalog_tool_details b").count()
        == 0
    )
    assert page.title() != "taken"
    choose(page, "long_word")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    choose(page, "rtl_text")
    view(page, "Exact definition")
    expect(page.locator(".st-key-catalog_tool_details pre").first).to_contain_text("\\u202e")


def test_a_broken_file_costs_nothing_that_was_there(open_page: OpenPage, tmp_path: Path) -> None:
    page = to_catalog(open_page())
    good = catalog_file(tmp_path, "good", {"read_note": "Read a note"})
    broken = tmp_path / "broken.json"
    broken.write_text('{"tools": [\n  {"name": "a",}\n]}', encoding="utf-8")
    nothing = tmp_path / "nothing.json"
    nothing.write_text('{"tools": [{"description": "no name"}]}', encoding="utf-8")
    upload(page, good, told="Loaded: good.json")
    upload(page, broken, nothing, told="Not loaded: broken.json")

    alerts = page.get_by_role("alert")
    expect(alerts.filter(has_text="broken.json")).to_contain_text("line 2, column")
    expect(alerts.filter(has_text="nothing.json")).to_contain_text("None of the 1 entries")
    expect(page.get_by_text("The entry has no `name`")).to_be_visible()
    expect(page.get_by_text("What was loaded before is unchanged.")).to_be_visible()
    expect(page.locator(".st-key-frame")).to_contain_text("1 tool")
    page.locator("[class*='st-key-catalog_remove_'] button").first.click()
    settled(page)
    expect(page.locator(".st-key-catalog_tabs")).to_have_count(0)


def test_a_row_of_the_table_opens_its_tool(open_page: OpenPage, tmp_path: Path) -> None:
    page = to_catalog(open_page())
    notes = catalog_file(tmp_path, "notes", {"read_note": "Read", "write_note": "Write"})
    upload(page, notes, told="Loaded: notes.json")
    canvas = page.get_by_test_id("stDataFrame").locator("canvas").first
    canvas.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # the table comes to rest
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 18, box["y"] + 35 * 2 + 17)

    expect(page.locator(".st-key-catalog_tool_details code").first).to_have_text("write_note")


def test_clicks_while_the_index_is_built_lead_where_they_say(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """The part that looks at the index runs again meanwhile, and may neither undo nor misplace a page."""
    page = to_catalog(open_page())
    file = tmp_path / "many.json"
    file.write_bytes(generated_catalog(600))
    upload(page, file, told="Loaded: many.json")
    for click in range(12):
        page.wait_for_timeout(130 + 170 * (click % 5))  # at any moment of it
        if click % 2:
            word = "English" if click % 4 == 1 else "한국어"
            page.locator(".st-key-frame_language").get_by_text(word).click()
            continue
        link, there = (
            (r"^Live|^라이브", ".st-key-live_chat"),
            (r"^Catalog|^카탈로그", ".st-key-catalog_tabs"),
        )[click // 2 % 2]
        page.get_by_role("link", name=re.compile(link)).first.click()
        expect(page.locator(there)).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".st-key-frame")).to_have_count(1)


@pytest.mark.outside_data
def test_every_real_catalog_loads_by_upload(
    open_page: OpenPage, outside_data: Path, pictures: Path
) -> None:
    files = sorted((outside_data / "catalogs").glob("*.json"))
    tools = sum(len(json.loads(file.read_text(encoding="utf-8"))["tools"]) for file in files)
    page = to_catalog(open_page())
    upload(page, *files, told=f"Loaded {len(files)} files with {tools:,} of {tools:,} tools.")
    upload(page, outside_data / "troubles" / "UI-09.json", told="Loaded: UI-09.json")
    choose(page, "html_text")
    page.screenshot(path=pictures / "catalog-all.png")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pictures_of_the_page(
    open_page: OpenPage, pictures: Path, language: str, dark: bool
) -> None:
    page = to_catalog(open_page(f"/?lang={language}", dark=dark))
    look = f"{language}-{'dark' if dark else 'light'}.png"
    page.screenshot(path=pictures / f"catalog-empty-{look}")
    page.locator("[class*='st-key-catalog_sample_workplace'] button").click()
    expect(page.locator(".st-key-catalog_tabs")).to_be_visible(timeout=PATIENCE_MS)
    settled(page)
    choose(page, "send_message")
    page.set_viewport_size({"width": 1280, "height": 1500})
    page.wait_for_timeout(500)
    page.screenshot(path=pictures / f"catalog-tools-{look}")
    page.set_viewport_size({"width": 1280, "height": 720})
    for tab, name in ((1, "tokens"), (2, "report")):
        page.locator(".st-key-catalog_tabs").get_by_role("tab").nth(tab).click()
        settled(page)
        if name == "tokens":
            expect(page.locator(".js-plotly-plot .treemaplayer").first).to_be_attached(
                timeout=PATIENCE_MS
            )
            page.wait_for_timeout(500)
        else:
            expect(page.locator(".st-key-catalog_report_download")).to_be_visible()
        page.screenshot(path=pictures / f"catalog-{name}-{look}")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(500)
    page.screenshot(path=pictures / f"catalog-narrow-{look}")


# The board, on the Live page


def ask(page: Page, question: str, turn: int) -> None:
    page.get_by_test_id("stChatInputTextArea").fill(question)
    page.keyboard.press("Enter")
    ended = page.locator(".st-key-live_chat").get_by_text(re.compile(r"model calls: \d+"))
    expect(ended).to_have_count(turn, timeout=PATIENCE_MS)
    settled(page)


def test_the_board_keeps_its_nodes_and_answers_to_the_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    page.locator("[class*='st-key-live_load_workplace'] button").click()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_enabled(timeout=PATIENCE_MS)
    tools = page.locator(".board .tool")
    expect(tools).to_have_count(110, timeout=PATIENCE_MS)
    first = tools.first.element_handle()
    assert first is not None
    ask(page, "Who is on call for payments right now?", 1)
    ask(page, "How many vacation days do I have left this year?", 2)

    assert first.evaluate("node => node.isConnected"), "the board was made anew"
    assert page.locator(".board").count() == 1
    bars = page.locator(".board .bar:not(.leaving)")
    assert bars.count() > 2
    assert bars.first.get_attribute("data-tool") == "tool_search_tool"
    assert page.locator(".board .tool.accumulated, .board .tool.called").count() > 0

    page.locator(".board .tool[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate(
        "() => { let n = document; while (n.activeElement?.shadowRoot) "
        "n = n.activeElement.shadowRoot; return n.activeElement.dataset.tool }"
    )
    expect(page.locator(".board .tip")).to_contain_text(chosen)
    page.keyboard.press("Enter")
    expect(page.locator(".board .detail")).to_contain_text(chosen)
    page.keyboard.press("End")
    assert page.locator(".board .tool[tabindex='0']").count() == 1
    page.locator(".board .tool.called, .board .bar.called").first.click()
    expect(page.locator(".board .detail")).to_contain_text("found by a search of this turn")


def test_without_motion_the_board_stands_still(open_page: OpenPage) -> None:
    page = open_page()
    page.emulate_media(reduced_motion="reduce")
    page.locator("[class*='st-key-live_load_everyday'] button").click()
    expect(page.locator(".board .tool").first).to_be_visible(timeout=PATIENCE_MS)
    ask(page, "What is the weather in Amsterdam?", 1)

    moving = "nodes => nodes.flatMap(node => node.getAnimations({subtree: true})).length"
    assert page.locator(".board").evaluate_all(moving) == 0
    assert (
        page.locator(".board .bar").first.evaluate(
            "node => getComputedStyle(node).transitionDuration"
        )
        == "0s"
    )
