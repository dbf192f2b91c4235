"""The viewer in a real Chromium, as a person uses it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from commands import COMMAND
from showing import HOSTILE, Shown

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium; apt-get install chromium"
)

PICTURES = Path(os.environ.get("MONDEGREEN_PICTURES", "build/screenshots"))
RUN, OTHER, WORDS, PHONEMES, CALLS, FLUENCY, OTHER_WORDS = range(7)


@contextmanager
def viewing(*arguments: object) -> Iterator[str]:
    """Start the viewer in a separate process, as a user does; yield its address."""
    server = subprocess.Popen(
        [*COMMAND, "view", *map(str, arguments), "--no-open"], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip().rstrip("/")
    server.terminate()
    server.wait(20)
    server.stdout.close()


@pytest.fixture(scope="module")
def address(shown: Shown) -> Iterator[str]:
    with viewing(
        shown.run, shown.other, shown.words, shown.phonemes, shown.calls, shown.fluency,
        shown.other_words, "--audio", shown.audio,
    ) as found:  # fmt: skip
        yield found


@pytest.fixture(scope="module")
def chain_address(shown: Shown) -> Iterator[str]:
    with viewing("--stage", f"written={shown.run}", "--stage", f"typed={shown.run}#typo") as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        found = driver.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
        )
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Yield a page; errors in its console fail the test."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    found = context.new_page()
    found.set_default_timeout(20_000)
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    found.on("pageerror", lambda error: errors.append(str(error)))
    found.on("console", listen)
    yield found
    context.close()
    assert errors == []


def picture(page: Page, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def check_access(page: Page) -> None:
    """Check that axe finds no serious problem of accessibility."""
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []


def test_the_overview_shows_sets_and_curves(page: Page, address: str) -> None:
    page.goto(address)
    assert page.get_by_role("heading", level=1).inner_text() == "run"
    assert page.get_by_text("as written", exact=False).first.is_visible()
    assert page.get_by_role("row", name=re.compile("^typo")).count() >= 1
    assert page.get_by_role("img", name="end-to-end accuracy by severity").is_visible()
    check_access(page)
    picture(page, "overview")


def test_the_list_is_sorted_filtered_and_opened(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{RUN}/utterances")
    page.get_by_role("link", name="slot errors").click()
    page.wait_for_url(re.compile("sort=slot_errors"))
    errors = page.locator("#list tbody .k-slot_errors").all_inner_texts()
    assert errors == sorted(errors, key=int, reverse=True)
    page.get_by_label("wrong only").check()
    page.wait_for_url(re.compile("wrong=1"))
    page.locator(".facets").get_by_role("link", name=re.compile("^typo")).first.click()
    page.wait_for_url(re.compile("f.set=typo"))
    page.wait_for_load_state()
    assert set(page.locator("#list tbody .k-set").all_inner_texts()) == {"typo"}
    check_access(page)
    picture(page, "utterances")
    page.locator("#list .open").first.click()
    expect(page.locator(".variant.current .meta")).to_have_text("typo")
    assert page.locator(".variant.current ins").count() >= 1
    assert page.locator(".stack .new").count() >= 1
    check_access(page)
    picture(page, "utterance")


def test_the_list_can_be_compact(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{RUN}/utterances")
    tall = page.evaluate("document.documentElement.scrollHeight")
    page.get_by_role("button", name="Compact").click()
    page.reload()
    assert page.evaluate("document.documentElement.scrollHeight") < 0.8 * tall


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_no_page_is_wider_than_the_screen(browser: Browser, address: str, width: int) -> None:
    theme = "dark" if width == 800 else "light"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]  # it is a theme
    page = context.new_page()
    for place in (
        f"/s/{RUN}/", f"/s/{RUN}/utterances", f"/s/{RUN}/utterance?number=70",
        f"/compare?a={RUN}&b={OTHER}", f"/s/{WORDS}/", f"/s/{WORDS}/utterances",
        f"/s/{PHONEMES}/", f"/s/{PHONEMES}/utterance?id=u1", "/try",
        f"/s/{CALLS}/", f"/s/{CALLS}/utterances", f"/s/{CALLS}/utterance?number=3",
        f"/s/{FLUENCY}/", f"/s/{FLUENCY}/utterances", f"/s/{FLUENCY}/utterance?id=u1",
        f"/s/{WORDS}/utterance?id=u1", "/compare", f"/compare?a={WORDS}&b={OTHER_WORDS}", "/s/99/",
    ):  # fmt: skip
        page.goto(address + place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
        assert page.get_by_role("heading", level=1).bounding_box()["x"] < width  # type: ignore[index]
        check_access(page)
    context.close()


@pytest.mark.parametrize(("width", "theme"), [(390, "light"), (800, "dark"), (1440, "light")])
def test_the_chain_shows_where_requests_are_lost(
    browser: Browser, chain_address: str, width: int, theme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]  # it is a theme
    page = context.new_page()
    page.goto(chain_address)
    assert page.url.endswith("/chain")
    assert page.get_by_role("row", name=re.compile("^typed")).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    check_access(page)
    picture(page, f"chain-{width}")
    page.locator(".lines a").first.click()
    expect(page.locator(".variant.current .meta")).to_have_text("typo")
    context.close()


def test_the_playground_answers_while_one_types(page: Page, address: str) -> None:
    page.goto(f"{address}/try")
    check_access(page)
    while (chosen := page.locator("input[name=op]:checked")).count():
        chosen.first.uncheck()
    page.get_by_label("repeats", exact=True).check()
    page.get_by_label(re.compile("^Utterances")).fill("turn [device: the lamp] on")
    page.locator("#made h2", has_text="turn the lamp on").wait_for()
    expect(page.locator("#made .chip-label")).to_have_text(["device"])
    assert page.locator("#made ins").count() >= 1
    page.wait_for_url(re.compile("op=repeats"))
    picture(page, "playground")


def test_the_keyboard_is_enough(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{WORDS}/utterances")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(":focus")).to_have_text(f"say {HOSTILE}")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("id=u1"))
    page.keyboard.press("j")
    page.wait_for_url(re.compile("id=%3Cscript"))
    page.keyboard.press("u")
    page.wait_for_url(re.compile("utterances$"))
    page.keyboard.press("/")
    page.keyboard.type("jazz")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=jazz"))
    expect(page.locator("#list .k-id")).to_have_text(["u1"])


def test_the_trace_shows_on_hover_and_in_ipa(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{PHONEMES}/utterance?id=u1")
    feature = page.locator(".feature").first
    tip = feature.locator(".tip")
    assert not tip.is_visible()
    feature.hover()
    assert tip.is_visible()
    assert tip.inner_text() == "-voice → +voice, cost 1"
    check_access(page)
    picture(page, "phonemes")
    assert page.locator(".alignment .ipa").first.is_hidden()
    page.get_by_role("button", name="Show IPA").click()
    expect(page.locator(".alignment .ipa").first).to_be_visible()
    page.reload()
    expect(page.locator(".alignment .ipa").first).to_be_visible()


def test_audio_plays_and_seeks(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{WORDS}/utterance?id=u1")
    duration, sought, played = page.evaluate(
        """async () => {
          const audio = document.querySelector("audio");
          const event = (name) => new Promise((done) => audio.addEventListener(name, done));
          if (audio.readyState < 1) await event("loadedmetadata");
          const seeked = event("seeked");
          audio.currentTime = 3;
          await seeked;
          const sought = audio.currentTime;
          const ended = event("ended");
          await audio.play();
          await ended;
          return [audio.duration, sought, audio.currentTime];
        }"""
    )
    assert (duration, sought, played) == pytest.approx((4, 3, 4), abs=0.1)


def test_missing_audio_is_mentioned(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{WORDS}/utterance?id=u2")
    assert page.get_by_text("no file for u2").is_visible()


def test_two_runs_are_compared(page: Page, address: str) -> None:
    page.goto(f"{address}/compare?a={RUN}&b={OTHER}")
    assert page.get_by_role("row", name=re.compile("^typo")).is_visible()
    page.get_by_label("flips of set", exact=True).select_option("typo")
    page.wait_for_url(re.compile("set=typo"))
    expect(page.get_by_text("Right only in run on typo")).to_be_visible()
    check_access(page)
    picture(page, "compare")
    page.locator(".lines a").first.click()
    expect(page.locator(".variant.current .meta")).to_have_text("typo")


def test_which_two_to_compare_is_chosen(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{RUN}/")
    page.get_by_role("link", name="compare").click()
    scores = page.get_by_role("region", name="Scores of words")
    options = scores.get_by_label("second").locator("option")
    expect(options).to_have_text(["words", "other-words"])
    scores.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("other-words against words")
    page.wait_for_load_state()  # the script of the page listens to the choice
    page.get_by_label("first", exact=True).select_option("other-words")
    page.wait_for_url(re.compile(f"a={OTHER_WORDS}"))


def test_fluency_marks_what_should_go(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{FLUENCY}/utterances")
    words = page.locator("#list .open").first
    assert words.locator("mark").all_inner_texts() == ["UH"]
    assert words.locator("s").all_inner_texts() == ["PLAY"]
    assert words.locator("del").all_inner_texts() == ["jazz"]
    page.goto(f"{address}/s/{FLUENCY}/")
    stay = page.get_by_role("region", name="Disfluent words that stay").first
    assert stay.get_by_role("rowheader").all_inner_texts() == ["uh"]


def test_the_dark_theme_and_print(browser: Browser, address: str) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.goto(f"{address}/s/{RUN}/")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 28)"
    check_access(page)
    picture(page, "overview-dark")
    page.emulate_media(media="print", color_scheme="light")
    assert page.locator("nav").first.is_hidden()
    context.close()


def test_a_link_restores_the_list(page: Page, address: str) -> None:
    page.goto(f"{address}/s/{RUN}/utterances?f.set=typo&q=play&sort=label&order=asc")
    assert page.get_by_label("Search").input_value() == "play"
    assert page.locator(".chosen").inner_text().startswith("set: typo")
    assert page.locator(".others [aria-current]").inner_text().startswith("intent")


def test_hostile_data_is_text(page: Page, address: str) -> None:
    for place in (
        f"/s/{RUN}/utterances?{urlencode({'q': 'owned'})}",
        f"/s/{RUN}/utterance?number=60",
        f"/s/{WORDS}/utterance?{urlencode({'id': HOSTILE})}",
    ):
        page.goto(address + place)
        assert page.get_by_text("document.title='owned'").locator("visible=true").count() >= 1
        assert page.title() != "owned"


def test_the_report_opens_from_disk(page: Page, shown: Shown, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    sources = [str(shown.run), str(shown.words)]
    subprocess.run([*COMMAND, "report", *sources, "-o", str(report)], check=True)
    page.goto(report.as_uri())
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["run", "words"]
    assert page.title() != "owned"
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(251, 250, 247)"
    check_access(page)
    picture(page, "report")
