"""The page in a real browser: Chromium without a window, driven by selenium."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spider_solver import Position
from spider_solver.game.notation import parse_line
from spider_solver.show.page import replay_page
from tests.case_files import case, checked_lines
from tests.rows import won_row

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="the page is not tested: chromium or chromedriver is missing"
)

ROW = won_row()
START = Position.from_code(ROW.deal)
LINE = parse_line(ROW.line or "")
CASE_161 = next(checked.line for checked in checked_lines() if checked.case == "161")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


class Page:
    """The page as a visitor uses it."""

    def __init__(self, driver: Any, path: Path, fragment: str = "") -> None:
        self.driver = driver
        driver.get("about:blank")
        driver.get(f"{path.as_uri()}{fragment}")
        driver.execute_script("document.documentElement.style.setProperty('--time', '0ms')")

    def text(self, name: str) -> str:
        text: str = self.driver.find_element("id", name).text
        return text

    def click(self, name: str) -> None:
        self.driver.find_element("id", name).click()

    def press(self, key: str) -> None:
        self.driver.find_element("tag name", "body").send_keys(key)

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, script: str) -> None:
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, 20).until(lambda driver: driver.execute_script(script))

    def errors(self) -> list[str]:
        """What the console complained about since the last time."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def page(chromium: Any, tmp_path: Path) -> Iterator[Page]:
    chromium.set_window_size(1200, 900)
    path = tmp_path / "game.html"
    path.write_text(replay_page(START, LINE, "kpat 1, 1 suit", "a note"), encoding="utf-8")
    page = Page(chromium, path)
    yield page
    assert page.errors() == []


def test_to_the_end_it_is_won(page: Page) -> None:
    assert page.driver.title == "kpat 1, 1 suit"
    assert page.text("action") == f"0 / {len(LINE)}"
    assert (page.text("score"), page.text("runs"), page.text("rows")) == ("500", "0 / 8", "5 rows")
    assert page.text("words") == "the start"
    page.click("last")
    assert page.text("action") == f"{len(LINE)} / {len(LINE)}"
    assert page.text("runs") == "8 / 8"
    assert page.text("score") == f"{ROW.score:,}"
    assert f"won in {ROW.actions} actions, score {ROW.score:,}; a note" in page.text("said")
    assert page.run("return document.getElementById('next').disabled")


def test_every_step_and_back(page: Page) -> None:
    frames = json.loads(page.run("return document.getElementById('game').textContent"))["steps"]
    said = page.run(
        "const text = (id) => document.getElementById(id).textContent;"
        "return Array.from({length: arguments[0]}, () => {"
        "document.getElementById('next').click();"
        "return [text('action'), text('move'), text('words'), text('score')]})",
        len(LINE),
    )
    for place, (frame, shown) in enumerate(zip(frames[1:], said, strict=True), start=1):
        action, move, words, score = shown
        assert (action, move) == (f"{place} / {len(LINE)}", frame["move"])
        assert words.startswith(frame["words"])
        assert score == f"{frame['score']:,}"
    assert "won" in page.text("said")
    page.click("back")
    assert page.text("action") == f"{len(LINE) - 1} / {len(LINE)}"
    assert "won in" not in page.text("said")
    page.click("first")
    assert page.text("action") == f"0 / {len(LINE)}"


def test_keys(page: Page) -> None:
    keys = webdriver.Keys
    for key, place in (
        (keys.ARROW_RIGHT, 1), (keys.ARROW_RIGHT, 2), (keys.ARROW_LEFT, 1), (keys.PAGE_DOWN, 11),
        (keys.END, len(LINE)), (keys.PAGE_UP, len(LINE) - 10), (keys.HOME, 0),
    ):  # fmt: skip
        page.press(key)
        assert page.text("action") == f"{place} / {len(LINE)}"
    page.press("u")
    assert page.run("return document.getElementById('under').checked")
    page.press("+")
    assert page.run("return document.getElementById('speed').value") == "2"
    page.press("m")
    assert page.run("return document.querySelectorAll('#moves a').length") == len(LINE) + 1


def test_jumping(page: Page) -> None:
    page.run(
        "const j = document.getElementById('jump'); j.value = 30;"
        "j.dispatchEvent(new Event('input'))"
    )
    assert page.text("action") == f"30 / {len(LINE)}"
    page.click("list")
    page.driver.find_elements("css selector", "#moves a")[7].click()
    assert page.text("action") == f"7 / {len(LINE)}"
    assert page.text("move") == str(LINE[6])


def test_looking_under(page: Page) -> None:
    count = "return document.querySelectorAll('.card.{}').length".format
    assert page.run(count("down")) == START.hidden + len(START.stock)
    assert page.run(count("peek")) == 0
    page.click("under")
    assert page.run(count("down")) == len(START.stock)
    assert page.run(count("peek")) == START.hidden


def test_cards_stand_in_their_columns(page: Page) -> None:
    page.press(webdriver.Keys.PAGE_DOWN)
    position = START
    for move in LINE[:10]:
        position = position.play(move)
    seen = page.run(
        "return [...document.querySelectorAll('.card')].map(card => {"
        "const box = card.getBoundingClientRect();"
        "return [card.getAttribute('aria-label'), box.left, box.top, box.width]})"
    )
    largest = max(width for _, _, _, width in seen)
    on_table = [card for card in seen if card[3] > 0.9 * largest]
    lefts = sorted({round(left) for _, left, _, _ in on_table})
    assert len(lefts) == 10
    for left, cards in zip(lefts, position.columns, strict=True):
        shown = sorted((top, name) for name, x, top, _ in on_table if round(x) == left)
        assert len(shown) == len(cards)
        assert len({top for top, _ in shown}) == len(cards)


@pytest.mark.parametrize("size", [(360, 740), (800, 360), (1920, 1080)])
def test_it_fits_on_any_screen(page: Page, size: tuple[int, int]) -> None:
    command = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", command)
    page.press(webdriver.Keys.PAGE_DOWN)
    assert page.run("return document.documentElement.scrollWidth <= innerWidth")
    assert page.run("return document.documentElement.scrollHeight <= innerHeight")
    outside = page.run(
        "return [...document.querySelectorAll('.card')].filter(card => {"
        "const box = card.getBoundingClientRect();"
        "return box.left < 0 || box.right > innerWidth || box.width < 15}).length"
    )
    assert outside == 0
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_playing(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_page(case("161"), parse_line(CASE_161), "161"), encoding="utf-8")
    page = Page(chromium, path, "#2")
    assert page.text("action") == "2 / 9"
    assert page.text("runs") == "7 / 8"
    page.run(
        "const s = document.getElementById('speed'); s.value = '10';"
        "s.dispatchEvent(new Event('change'))"
    )
    page.press(" ")
    page.wait("return document.getElementById('action').textContent === '9 / 9'")
    assert "won in 9 actions" in page.text("said")
    assert not page.run("return document.body.classList.contains('playing')")
    page.click("play")  # once more, from the start
    page.click("play")
    assert page.text("action") in ("0 / 9", "1 / 9", "2 / 9")
    assert page.errors() == []


def test_a_deal_without_a_line(chromium: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(replay_page(START, [], "lost", "lost: proved (blockade)"), encoding="utf-8")
    page = Page(chromium, path)
    assert page.text("action") == "0 / 0"
    assert "lost: proved (blockade)" in page.text("said")
    assert page.run("return document.getElementById('play').disabled")
    assert page.errors() == []
