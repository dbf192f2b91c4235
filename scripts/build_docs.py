"""Bring the documentation up to date: outputs of commands, examples of operators, help texts.

    make docs

Two parts of every Markdown file are generated:

- ``console`` blocks: the commands are run, and their output is written below them. A command may
  continue after a backslash. A block with a title is the file of that name, which they may use.
- Blocks between ``<!-- KIND NAME -->`` and ``<!-- end -->``: examples of an operator on the
  embedded sample (``examples``) or on SNIPS and ATIS (``real``), its defaults (``defaults``), the
  help of a command (``help``), an example of each operator (``gallery``), the public names of the
  package (``api``), the tables ``fillers``, ``alikes`` and ``mondegreens``, and counts of edits on
  the NATURE test sets (``nature`` and ``synonyms``).

``make docs`` then builds the site with MkDocs (see ``mkdocs.yml`` and ``scripts/site_hooks.py``).

The tests fail if a page is not up to date. If the SNIPS and ATIS data sets are not beside the
project, the blocks that need them (``real``, ``nature``, ``synonyms``) are left unchanged.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from click import Context

import mondegreen as mg
from api_reference import documented
from counted_edits import defaults, nature_table, synonym_table
from mondegreen.cli.main import cli
from mondegreen.data import read
from mondegreen.data.sample import sample
from mondegreen.language.disfluency.fillers import filler_lists
from mondegreen.language.sounds.alike import sound_alikes
from mondegreen.language.sounds.hearing import mishear
from mondegreen.language.vocabulary.ngram import END, START
from mondegreen.operators import OPERATORS, parse
from mondegreen.report.marked import edited_words
from mondegreen.types import Variant
from mondegreen.variants import perturb
from same_tables import same_tables

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = 10
REAL = ROOT.parent / "shared" / "data" / "slu"
POSITIONS = {"snips": (11, 141, 282, 423, 564), "atis": (4, 182, 365, 547, 730)}
"""The utterances of SNIPS and ATIS that are shown, by their positions in the test sets."""
_LISTED = 200  # words in the table of sound-alikes
_SHORT = 2  # letters of a word that is too short for it
_NEAR = 3.5  # maximum distance of the third sound-alike
MISHEARD = (
    "collect us", "dune at", "add it and", "to tell yusuf", "team offsite", "tea timer",
    "sevenish on", "facetime chloe", "the nile or", "am i meeting", "day passes", "deep work",
    "tree switch", "some ramen", "address is", "text back", "queue up adele", "locals eat",
    "play that last", "six tonight", "read out", "of rest eight", "blue door cafe", "high today",
    "aunt may's house", "get lucy", "can you time", "free wifi", "natalie's mobile", "reach liam",
)  # fmt: skip
"""Phrases of the embedded sample for the table of mondegreens."""
_RUN = re.compile(r'```(?:console|\w+ title="(?P<file>[\w.-]+)")\n(?P<text>.*?)```', re.DOTALL)
"""Blocks of commands to run, and of files that they need."""
NEEDS_DATA = ("real", "nature", "synonyms", "same")
"""Kinds of blocks that are made from data sets beside the project."""
COUNTED = 60
"""Utterances whose edits are counted by kind."""
_KINDS = "examples|real|defaults|help|fillers|alikes|mondegreens|gallery|api|nature|synonyms|same"
_BLOCK = re.compile(rf"<!-- ({_KINDS})(?: ([^\n]*?))? -->\n.*?<!-- end -->", re.DOTALL)


def pages() -> list[Path]:
    """Return the paths of all pages of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def rendered(path: Path) -> str:
    """Return the text of a page with all generated parts up to date."""
    text = path.read_text(encoding="utf-8")
    text = _BLOCK.sub(_block, text)
    with TemporaryDirectory() as folder:
        return _RUN.sub(lambda match: _run(match, Path(folder)), text)


def _run(match: re.Match[str], folder: Path) -> str:
    """Return a block with the output of its commands; write a block that is a file."""
    if match["file"]:
        (folder / match["file"]).write_text(match["text"], encoding="utf-8")
        return match[0]
    ran = (f"$ {one}\n{_output(one, folder)}" for one in _commands(match["text"].splitlines()))
    return f"```console\n{''.join(ran)}```"


def _commands(lines: Sequence[str]) -> Iterator[str]:
    """Yield the commands of a block; one that ends with a backslash goes on in the next line."""
    left = iter(lines)
    for line in left:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(left)
            yield command


def _output(command: str, folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(  # noqa: S602 (the documentation's own commands)
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def _block(match: re.Match[str]) -> str:
    kind, name = match[1], match[2] or ""
    if kind in NEEDS_DATA and not REAL.is_dir():
        return match[0]
    makers: dict[str, Callable[[str], str]] = {
        "examples": _examples,
        "real": _real,
        "help": _help,
        "fillers": _fillers,
        "alikes": _alikes,
        "mondegreens": _mondegreens,
        "gallery": _gallery,
        "api": _api,
        "defaults": defaults,
        "nature": lambda _: nature_table(REAL),
        "synonyms": lambda _: synonym_table(REAL),
        "same": lambda _: same_tables(REAL.parent),
    }
    return f"<!-- {kind}{' ' + name if name else ''} -->\n{makers[kind](name)}\n<!-- end -->"


def _examples(name: str) -> str:
    """Return a table of variants of the embedded sample by an operator."""
    utterances = list(sample("train"))[3::41]
    head = (
        f"Variants by `{name}` with seed 7 and its default amount, `{parse(name).default}`:\n\n"
        "| original | variant |\n|---|---|\n"
    )
    variants = perturb(utterances[:EXAMPLES], name, seed=7)
    rows = "\n".join(f"| {v.parent.text} | {v.utterance.text} |" for v in variants)
    return head + rows + (_edited(name) if name.startswith("synonyms.") else "")


def _edited(name: str) -> str:
    """Return which words an operator really replaces: its name says what it tries first."""
    variants = perturb(list(sample())[:COUNTED], name, seed=7)
    kinds = Counter(edit.kind.partition("+")[0] for one in variants for edit in one.edits)
    ranked = sorted(kinds.most_common(), key=lambda pair: pair[0] not in name)
    parts = ", ".join(f"{kind} {n}" for kind, n in ranked)
    return (
        f"\n\nThe name says what is tried first. What {kinds.total()} edits in the embedded sample "
        f"really replaced: {parts}."
    )


def _real(name: str) -> str:
    """Return a table of variants of SNIPS and ATIS; all operators get the same utterances."""
    lines = [
        "Variants of utterances from the SNIPS and ATIS test sets, also with seed 7:",
        "",
        "| data | original | variant |",
        "|---|---|---|",
    ]
    for folder, positions in POSITIONS.items():
        data = list(read(REAL / folder / "test"))
        for variant in perturb([data[at] for at in positions], name, seed=7):
            before, after = (" ".join(one.tokens) for one in (variant.parent, variant.utterance))
            lines.append(f"| {folder.upper()} | {before} | {after} |")
    return "\n".join(lines)


def _help(name: str) -> str:
    """Return the help text of a command."""
    command = cli
    context = Context(cli, info_name="mondegreen", terminal_width=80, **cli.context_settings)
    for part in name.split():
        found = command.get_command(context, part)
        context = Context(found, info_name=part, parent=context)  # type: ignore[arg-type]  # never None
        command = found  # type: ignore[assignment]  # never None, always a group or a command
    return f"```\n{command.get_help(context)}\n```"


def _fillers(_name: str) -> str:
    """Return the table of fillers by language."""
    lines = [
        "| code | language | fillers | ambiguous: also words of the language | source |",
        "|---|---|---|---|---|",
    ]
    for code, known in filler_lists().items():
        ambiguous = ", ".join(f"{word} ({meaning})" for word, meaning in known.ambiguous.items())
        fillers = ", ".join(known.fillers)
        lines.append(f"| {code} | {known.language} | {fillers} | {ambiguous} | {known.source} |")
    return "\n".join(lines)


def _alikes(_name: str) -> str:
    """Return the table of words of the sample with three near sound-alikes."""
    words = sorted(
        {token for one in sample("train") for token in one.tokens if len(token) > _SHORT}
    )
    near = {word: sound_alikes(word, 3) for word in words}
    close = [word for word in words if near[word] and near[word][-1].distance <= _NEAR]
    lines = ["| word | sounds like |", "|---|---|"]
    chosen = close[:: max(1, len(close) // _LISTED)][:_LISTED]
    lines += [f"| {w} | {', '.join(f'{a} ({d:g})' for a, d in near[w])} |" for w in chosen]
    return "\n".join(lines)


def _mondegreens(_name: str) -> str:
    """Return the table of phrases of the sample with their best mishearings."""
    lines = ["| phrase | misheard as | distance | utterance |", "|---|---|---|---|"]
    texts = [f" {utterance.text} " for utterance in sample("train")]
    for phrase in MISHEARD:
        text = next(text for text in texts if f" {phrase} " in text)
        before, _, after = text.partition(f" {phrase} ")
        left, right = (START, *before.split())[-2:], (*after.split(), END)[:2]
        [heard] = mishear(phrase.split(), before=left, after=right, n=1)
        words = " ".join(heard.words)
        lines.append(f"| {phrase} | {words} | {heard.distance:.3f} | {text.strip()} |")
    return "\n".join(lines)


def _gallery(_name: str) -> str:
    """Return a table with an example of each operator."""
    lines = ["| operator | example | what it does |", "|---|---|---|"]
    for name in OPERATORS:
        operator = parse(name)
        [variant] = perturb([operator.example], operator, seed=7, once=True)
        what = (type(operator).__doc__ or "").strip().partition("\n")[0].partition(":")[0]
        link = f"[{name}](operators/{name}.md)"
        lines.append(f"| {link} | {_marked(variant)} | {what} |")
    return "\n".join(lines)


def _marked(variant: Variant) -> str:
    """Return a variant in Markdown: replaced words struck out, new words bold."""
    before = [variant.parent.tokens[edit.start : edit.end] for edit in variant.edits]
    marks = {"del": "~~{}~~", "ins": "**{}**", "": "{}"}
    words = edited_words(variant.utterance.tokens, variant.edits, before)
    return " ".join(marks[word.mark].format(word.text) for word in words)


def _api(_name: str) -> str:
    """Return the public names with their signatures and docstrings."""
    parts = []
    for name in sorted(mg.__all__, key=str.lower):
        value = getattr(mg, name)
        if name == "score":
            parts.append("## mg.score\n\nOne function per [metric](../metrics/README.md).")
            for one in value.__all__:
                shown = documented(f"score.{one}", getattr(value, one))
                parts.append(f"### mg.score.{one}\n\n{shown}")
        elif callable(value):
            parts.append(f"## mg.{name}\n\n{documented(name, value)}")
    return "\n\n".join(parts)


def main() -> None:
    """Write the pages that have changed."""
    for path in pages():
        text = rendered(path)
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")
            print(f"updated: {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
