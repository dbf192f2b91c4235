"""Hooks of the documentation site: pages from outside of docs, folders in the menu, llms.txt.

MkDocs calls the functions by their names (see ``mkdocs.yml``).
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "bench/RESULTS.md": "benchmarks.md",
}
"""Files of the repository that are pages of the site."""
_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)]*)?\)")
_FIRST = re.compile(r"^(?!#|<|\||```|!\[|-|\s)(.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
_SENTENCE = 200  # letters of a summary


def on_config(config: Any) -> Any:
    """Put the pages of a folder into the menu wherever it names the folder."""
    config["nav"] = [_with_folders(entry) for entry in config["nav"]]
    return config


def _with_folders(entry: Any) -> Any:
    if isinstance(entry, dict):
        [(title, value)] = entry.items()
        if isinstance(value, list):
            return {title: [_with_folders(one) for one in value]}
        if value.endswith("/"):
            pages = sorted((ROOT / "docs" / value).glob("*.md"))
            pages.sort(key=lambda path: path.name != "README.md")
            return {title: [f"{value}{path.name}" for path in pages]}
    return entry


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside of docs."""
    from mkdocs.structure.files import File

    for source, page in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_rewritten(text, source, page)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to files of the repository into links to pages, or into plain names."""
    if page.file.src_uri in OUTSIDE.values():
        return markdown
    return _rewritten(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)


def _rewritten(text: str, source: str, page: str) -> str:
    """Return a text whose links lead to pages of the site.

    Args:
        text: Markdown.
        source: the file that it is from, from the root of the repository.
        page: the page that it becomes.
    """

    def link(match: re.Match[str]) -> str:
        target = os.path.normpath(PurePosixPath(source).parent / match[1])
        if target.startswith("docs/"):
            there = target.removeprefix("docs/")
        elif target in OUTSIDE:
            there = OUTSIDE[target]
        else:
            return f"](#) (`{target}`)" if not target.endswith(".md") else "](#)"
        if there.endswith("/") or (ROOT / "docs" / there).is_dir():
            there += "/README.md"
        away = os.path.relpath(there, PurePosixPath(page).parent)
        return f"]({away}{match[2] or ''})"

    return _LINK.sub(link, text)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """Load the search from our own file; the theme would load a part of it from a network."""
    there = os.path.relpath("assets/frame-worker.js", PurePosixPath(page.file.dest_uri).parent)
    return output.replace("https://unpkg.com/iframe-worker/shim", there)


_FRAME_WORKER = """\
// Browsers refuse workers in pages that are opened from disk: run the worker in a hidden frame.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = address;
      script.onload = () => {
        const waiting = this.waiting;
        this.waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      };
      inside.document.body.append(script);
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
"""


def on_post_build(config: Any) -> None:
    """Write the script of the search, llms.txt (a line per page) and llms-full.txt (all pages)."""
    site = Path(config["site_dir"])
    (site / "assets" / "frame-worker.js").write_text(_FRAME_WORKER, encoding="utf-8")
    docs = sorted((ROOT / "docs").rglob("*.md"))
    lines = ["# Mondegreen", "", f"> {config['site_description']}", ""]
    whole = []
    for path in docs:
        text = path.read_text(encoding="utf-8")
        page = path.relative_to(ROOT / "docs").as_posix()
        title = text.partition("\n")[0].lstrip("# ")
        html = page.removesuffix(".md") + ".html"
        html = re.sub(r"(^|/)README\.html$", r"\1index.html", html)
        lines.append(f"- [{title}]({html}): {_summary(text)}")
        whole.append(f"<!-- {page} -->\n{text}")
    (site / "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(whole), encoding="utf-8")


def _summary(text: str) -> str:
    """Return the first sentences of a page."""
    found = _FIRST.search(text.partition("\n")[2])
    plain = re.sub(r"\s+", " ", re.sub(r"\]\([^)]*\)", "", found[1] if found else ""))
    plain = plain.replace("[", "").replace("**", "")
    return plain if len(plain) <= _SENTENCE else plain[:_SENTENCE].rpartition(" ")[0] + " …"
