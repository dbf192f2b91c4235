"""Report, viewer and playground in a real Chromium with texts of many scripts and directions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from mondegreen.cli.main import main
from mondegreen.language.languages import language
from mondegreen.language.offers import entry
from mondegreen.models.protocol import Model
from mondegreen.runs.evaluation import evaluate
from mondegreen.suites.build import suite
from mondegreen.types import Prediction, Slot, Utterance
from test_browser import browser, check_access, page, picture, pytestmark, viewing

__all__ = ["browser", "page", "pytestmark"]

SAID = {
    "ar": ("اضبط المنبه على الساعة السابعة صباحا", 3, 6),
    "he": ("תזכיר לי מחר לקנות חלב", 2, 3),
    "mixed": ("شغل أغنية Imagine في المطبخ", 2, 3),
    "zh": ("把 闹钟 设置 在 明天 早上 七点", 4, 7),
    "ja": ("明日 の 朝 七時 に アラーム を かけて", 0, 4),
    "hi": ("मुझे कल दूध लेने की याद दिलाना", 1, 2),
    "de": ("stell den Wecker auf halb sieben", 4, 6),
}
LEFTWARD = ("ar", "he", "mixed")


class _Wrong(Model):
    """Answers another intent, and no slot."""

    signature = "wrong"

    def predict(self, batch: Sequence[Utterance]) -> list[Prediction]:
        return [Prediction(one.id, (), "music") for one in batch]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    data = [
        Utterance(code, tuple(text.split()), (Slot("time", start, end),), "alarm")
        for code, (text, start, end) in SAID.items()
    ]
    suite(data, folder / "suite", "keyboard", language="und", random=0)
    evaluate(folder / "suite", _Wrong(), folder / "s.run").close()
    return folder / "s.run"


@pytest.fixture(scope="module")
def address(run: Path) -> Iterator[str]:
    with viewing(run) as found:
        yield found


def directions(page: Page, selector: str) -> dict[str, tuple[str, str]]:
    """Return direction and alignment of the elements, by their text."""
    found = page.locator(selector).evaluate_all(
        "all => all.map(one => [one.innerText, getComputedStyle(one).direction,"
        " getComputedStyle(one).textAlign])"
    )
    return {text: (direction, align) for text, direction, align in found}


def test_the_list_aligns_each_text_by_its_script(page: Page, address: str) -> None:
    page.goto(f"{address}/s/0/utterances")
    found = directions(page, "#list tbody a.open")
    for code, (text, _, _) in SAID.items():
        direction, align = found[text]
        assert direction == ("rtl" if code in LEFTWARD else "ltr"), code
        assert align == "start"
    check_access(page)
    picture(page, "scripts-list")


@pytest.mark.parametrize("code", SAID)
def test_the_words_of_an_utterance_go_in_their_direction(
    page: Page, address: str, code: str
) -> None:
    page.goto(f"{address}/s/0/utterances")
    page.locator("#list tbody a.open", has_text=SAID[code][0]).first.click()
    page.wait_for_selector("h1.said")
    first, second = (
        page.locator(".stacks .stack:not(.names)").nth(n).bounding_box() for n in (0, 1)
    )
    assert first is not None
    assert second is not None
    assert (first["x"] > second["x"]) == (code in LEFTWARD)
    picture(page, f"scripts-{code}")


def test_the_playground_and_the_report_show_both_directions(
    page: Page, address: str, run: Path
) -> None:
    text = "\n".join(SAID[code][0] for code in ("he", "de"))
    page.goto(f"{address}/try?" + urlencode({"text": text, "op": "keyboard", "language": "und"}))
    shown = [direction for direction, _ in directions(page, "#made h2[dir]").values()]
    assert shown[:2] == ["rtl", "ltr"]
    report = run.with_name("r.html")
    assert main(["report", str(run), "-o", str(report)]) == 0
    page.goto(report.as_uri())
    found = directions(page, "p.said, span.said")
    assert {direction for direction, _ in found.values()} == {"rtl", "ltr"}
    picture(page, "scripts-report")


def test_the_playground_speaks_a_language_and_refuses_in_its_words(
    page: Page, address: str
) -> None:
    page.goto(f"{address}/try?" + urlencode({"text": "stell den wecker", "op": "fillers.postverb"}))
    page.get_by_label("Language").select_option(label="German")
    page.get_by_role("button", name="Perturb").click()
    page.wait_for_url(re.compile("language=de"))
    page.wait_for_load_state()
    shown = page.locator("#made p.said ins").first.inner_text()
    assert shown in {*language("de").places.command, *language("de").places.otherwise}
    assert page.get_by_text("--language de").count() >= 1
    page.goto(f"{address}/try?" + urlencode({"text": "stell", "op": "spelling", "language": "de"}))
    assert entry("spelling", "de").well in page.get_by_role("alert").inner_text()
