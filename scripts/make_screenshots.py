"""Make the pictures of the documentation: docs/images/*.png.

    .venv/bin/python scripts/make_screenshots.py [DEMO]

Needs Chromium and playwright. DEMO is a folder that ``mondegreen demo`` made; without one, it is
made. A second, weaker model is trained for the comparison.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = {"width": 1280, "height": 800}
PAGES = {
    "overview": ("/s/0/", 1030),
    "utterances": ("/s/0/utterances?f.set=speako&wrong=1", 800),
    "utterance": ("/s/0/utterances?f.set=fillers.eos&wrong=1", 800),
    "compare": ("/compare?a=1&b=0", 800),
    "playground": ("/try", 800),
}
"""The address of each picture, and its height."""
COMMAND = [sys.executable, "-m", "mondegreen"]


def main() -> None:
    """Make all pictures."""
    with TemporaryDirectory() as folder:
        demo = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder) / "demo"
        if not demo.exists():
            _run("demo", "-o", demo)
        other = Path(folder) / "small-model.run"
        lines = (demo / "train.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        (Path(folder) / "less.jsonl").write_text("".join(lines[:600]), encoding="utf-8")
        _run("train", "crf", Path(folder) / "less.jsonl", "-o", Path(folder) / "small-model")
        _run("evaluate", demo / "suite", "--model", Path(folder) / "small-model", "-o", other)
        server = subprocess.Popen(
            [*COMMAND, "view", str(demo / "crf.run"), str(other), "--no-open"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None  # noqa: S101 (it is a pipe)
        address = server.stdout.readline().strip().rstrip("/")
        try:
            _take(address)
        finally:
            server.terminate()
            server.wait()


def _run(*arguments: object) -> None:
    subprocess.run([*COMMAND, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def _take(address: str) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]  # it is a size
        for name, (path, height) in PAGES.items():
            page.set_viewport_size({"width": SIZE["width"], "height": height})
            page.goto(address + path)
            if name == "utterance":
                page.locator("#list .open").first.click()
            page.locator("#causes[data-pending]").wait_for(state="detached")
            page.screenshot(path=IMAGES / f"{name}.png")
            print(IMAGES / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
