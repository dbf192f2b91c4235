"""A page of another origin, in a real Chromium, against a running viewer."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Response, sync_playwright
from starlette.routing import Route

from mondegreen.viewer.server import app
from showing import Shown

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="there is no Chromium; apt-get install chromium"
)
EVIL = "mg_knocks_page"
PAGE = """<!doctype html><title>harmless</title><body><script>
const addresses = ADDRESSES, seen = [];
const settle = (promise, of) => promise.then(
  (one) => one.type === "opaque" ? "" : one.text().then((text) => seen.push(of + ": " + text)),
  () => "");
function add(tag, values) {
  return new Promise((done) => {
    const one = Object.assign(document.createElement(tag), values);
    one.onerror = done;
    one.onload = () => {
      if (tag !== "iframe") seen.push(tag + " loaded " + (values.src || values.href));
      done();
    };
    document.body.append(one);
    setTimeout(done, 3000);
  });
}
function submit(address, method) {
  const frame = Object.assign(document.createElement("iframe"), {name: "f" + Math.random()});
  const form = Object.assign(
    document.createElement("form"), {action: address, method, target: frame.name});
  for (const [name, value] of new URL(address).searchParams) {
    form.append(Object.assign(document.createElement("input"), {name, value}));
  }
  document.body.append(frame, form);
  form.submit();
}
async function knock() {
  for (const address of addresses) {
    const tries = [
      settle(fetch(address), "fetch"),
      settle(fetch(address, {mode: "no-cors"}), "no-cors"),
      settle(fetch(address, {credentials: "include"}), "credentials"),
      settle(fetch(address, {method: "POST", mode: "no-cors", body: "x"}), "post"),
      add("img", {src: address}), add("script", {src: address}), add("iframe", {src: address}),
      add("link", {rel: "stylesheet", href: address}), add("audio", {src: address}),
    ];
    submit(address, "get");
    submit(address, "post");
    navigator.sendBeacon(address, "x");
    await Promise.all(tries);
  }
  return seen;
}
</script>LINKS</body>"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def viewing(folder: Path, shown: Shown) -> Iterator[str]:
    """Start the viewer in a folder with a module that leaves a mark; yield its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "mondegreen", "view", str(shown.run), str(shown.words),
         "--audio", str(shown.audio), "--no-open"],
        stdout=subprocess.PIPE, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )  # fmt: skip
    assert server.stdout is not None
    yield server.stdout.readline().strip().rstrip("/")
    server.terminate()
    assert server.wait(20) is not None
    server.stdout.close()


@contextmanager
def another_page(addresses: list[str]) -> Iterator[str]:
    """Serve a page on another port that asks for the addresses in every way; yield its address."""
    links = "".join(f'<a id="l{n}" href="{one}">x</a>' for n, one in enumerate(addresses))
    content = PAGE.replace("ADDRESSES", json.dumps(addresses)).replace("LINKS", links).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def every_address(viewer: str) -> list[str]:
    """Return an address of every route of a viewer, with names that would do harm."""
    evil = urlencode({
        "text": "x", "op": f"python:{EVIL}:x", "id": "u1", "number": "1", "a": "0", "b": "1",
    })  # fmt: skip
    routes = [route.path for route in app([]).routes if isinstance(route, Route)]
    named = [re.sub(r"\{number:int\}", "0", path).replace("{name}", "app.js") for path in routes]
    return [f"{viewer}{path}?{evil}" for path in named]


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def ask(page: Page, address: str, viewer: str) -> tuple[list[str], list[tuple[str, int]]]:
    """Open the other page and let it knock; return what it saw, and the viewer's answers."""
    answers: list[tuple[str, int]] = []

    def listen(response: Response) -> None:
        if response.url.startswith(viewer):
            answers.append((response.url, response.status))

    page.on("response", listen)
    page.goto(address)
    seen: list[str] = page.evaluate("knock()")
    for number in range(page.locator("a").count()):
        page.locator(f"#l{number}").dispatch_event("click")
        page.wait_for_url(f"{viewer}/**")
        assert page.locator("body").inner_text().startswith("another page asks for this one")
        page.goto(address)
    return seen, answers


def test_another_page_imports_reads_and_changes_nothing(
    browser: Browser, shown: Shown, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / f"{EVIL}.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    before = content_of(tmp_path), content_of(shown.run.parent)
    with viewing(tmp_path, shown) as viewer:
        addresses = every_address(viewer)
        assert len(addresses) >= 18
        with another_page(addresses) as elsewhere:
            context = browser.new_context()
            seen, answers = ask(context.new_page(), elsewhere, viewer)
            context.close()
        own = browser.new_page()
        own.goto(f"{viewer}/try")
        assert own.get_by_role("heading", level=1).inner_text() == "Playground"
        own.close()
    assert seen == []
    assert {url for url, _ in answers} >= set(addresses)
    assert {status for _, status in answers} <= {403, 405}
    assert not mark.exists()
    assert (content_of(tmp_path), content_of(shown.run.parent)) == before
