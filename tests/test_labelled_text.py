"""CoNLL and folders by the kernel: the same files, ledger and counts as by objects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.data.formats.conll import ConllPart
from mondegreen.data.formats.folder import LABELS, TAGS, WORDS, FolderPart
from mondegreen.data.formats.format import Target
from mondegreen.data.formats.text_part import TextPart
from mondegreen.data.layout import PLAIN
from mondegreen.data.pairs.parts import Lines
from mondegreen.data.sample import requests
from mondegreen.engines import open_workers
from mondegreen.kernel import compiled, rewriting
from mondegreen.operators import parse_all
from mondegreen.operators.amounts import amount_of
from mondegreen.perturbation.recipe import Recipe
from mondegreen.variants.work import Making, Output, VariantWork
from test_labelled import PROTECTIONS

pytestmark = pytest.mark.skipif(compiled is None, reason="the kernel is not compiled")
OPERATORS = ("fillers", "typo", "speako", "keyboard", "spelling", "autocorrect")
TARGETS = {"conll": "out.conll", "folder": "out", "jsonl": "out.jsonl"}
WORD = st.sampled_from(
    ["play", "Jazz", "the", "weather", "don't", "café", "“so”", "नमस्ते", "…", ".", "7", "pm", "#",
     "me@x.org", "definitely", "ß", "слово", "one\\two", "東京", "-DOCSTART-", "a\u00a0b", "x\x1cy"]
)  # fmt: skip
LABEL = st.sampled_from(["city", "artist", "x-y", "a.b_c", "é", "\u00a0"])
MARK = st.sampled_from(["O"] * 6 + ["B", "I", "I", "E", "S", "L", "U", "X"])
NOTES = st.sampled_from(
    ["# id = u1", "# id: ü/2", "# id = ", "# id", "# label = play", "# label =", "# intent: x y",
     "# text = one", '# text = "play  Jazz"', '# text = "a" b', "# columns = token value tag",
     "# other = 3", "# é = 3", '# text = "play" ', "#", "# a b", "#id = 4"]
)  # fmt: skip
GAP = st.sampled_from(["", "", "", "", " ", "\t", "\u2003", "-DOCSTART- O", "\x1f"])


@st.composite
def tokens(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw tokens and their tags."""
    words = draw(st.lists(WORD, min_size=1, max_size=8))
    marks = draw(st.lists(MARK, min_size=len(words), max_size=len(words)))
    return words, [mark if mark in "OX" else f"{mark}-{draw(LABEL)}" for mark in marks]


@st.composite
def conll(draw: st.DrawFn) -> list[bytes]:
    """Draw a CoNLL file: most blocks are ordinary, some are wrong."""
    lines = []
    for words, tags in draw(st.lists(tokens(), min_size=1, max_size=5)):
        lines += draw(st.lists(NOTES, max_size=2, unique=True))
        between = draw(st.sampled_from(["\t", "\t", " ", "  ", "\t_\t", " NN ", "\t1\tx\t"]))
        lines += [word + between + tag for word, tag in zip(words, tags, strict=True)]
        lines += draw(st.lists(GAP, min_size=1, max_size=2))
    end = draw(st.sampled_from(["\n"] * 9 + ["\r\n"]))
    return [end.join(lines).encode()]


@st.composite
def folders(draw: st.DrawFn) -> list[bytes]:
    """Draw the files of a folder."""
    rows = draw(st.lists(tokens(), min_size=1, max_size=5))
    gap = st.sampled_from([" "] * 9 + ["  ", "\t"])
    files = [
        [draw(gap).join(words) for words, _ in rows],
        [draw(gap).join(tags) for _, tags in rows],
        [draw(st.sampled_from(["play", "", "x y", "é"])) for _ in rows],
    ]
    end = draw(st.sampled_from(["\n"] * 9 + ["\r\n"]))
    return [end.join(lines).encode() + b"\n" for lines in files[: draw(st.sampled_from([2, 3]))]]


def conll_part(files: list[bytes]) -> ConllPart:
    """Return a file as a part, after 40 utterances."""
    lines = Lines(Path("in.conll"), 301, files[0].count(b"\n") + 1, files[0])
    return ConllPart(Path("in.conll"), 40, lines, PLAIN)


def folder_part(files: list[bytes]) -> FolderPart:
    """Return files as a part, after 40 utterances."""
    n = files[0].count(b"\n")
    lines = [
        Lines(Path("in") / name, 41, n, raw)
        for name, raw in zip((WORDS, TAGS, LABELS), files, strict=False)
    ]
    return FolderPart(Path("in"), 40, n, lines, PLAIN)


def work_of(operator: str, protection: str, target: str) -> VariantWork:
    """Return the work that makes variants of CoNLL or folders, with a ledger."""
    recipe = Recipe(
        tuple(parse_all(operator)),
        seed=5,
        amount=amount_of(severity=0.5),
        protection=PROTECTIONS[protection],
    )
    output = Output(Target(Path(TARGETS[target])), target)
    return VariantWork((Making(recipe, (output,)),), ledger=True)


WORKS = {
    (operator, protection, target): work_of(operator, protection, target)
    for operator in OPERATORS
    for protection in ("codes", "city")
    for target in TARGETS
}


def outcome(work: VariantWork, make: Any, part: TextPart) -> Any:
    """Return all that was made of a part, or what was wrong with it."""
    output = work.outputs[0]
    try:
        made = make(part)
        if made is None:
            return None
        (found,) = made.outputs
        texts = [found.lines] if output.lines else found.texts
        if texts is None:
            each = [output.texts_of(item) for item in found.items]
            texts = [b"".join(one) for one in zip(*each, strict=True)]
    except Exception as error:  # noqa: BLE001 (whatever it is, both raise it)
        return type(error), str(error)
    tally = found.tally
    counts = (made.read, tally.written, tally.changed, tally.edits, tally.failed_over)
    files = [bytes(text) for text in texts]
    ids = made.ids if part.has_ids else []
    return files, bytes(made.ledger), ids, counts, tally.operators


@given(
    st.sampled_from(list(WORKS)), st.builds(conll_part, conll()) | st.builds(folder_part, folders())
)
def test_texts_are_those_of_objects(which: tuple[str, str, str], part: TextPart) -> None:
    work = WORKS[which]
    fast = outcome(work, work.by_kernel, part)
    if part.texts is not None:
        assert fast is not None
    assert fast in (None, outcome(work, work.by_objects, part))


@given(conll())
def test_blocks_start_where_they_are_read(files: list[bytes]) -> None:
    assert compiled is not None
    starts = compiled.block_starts(files[0])
    assert starts == rewriting.block_starts(files[0])
    try:
        assert len(starts) == len(list(conll_part(files)))
    except mg.MondegreenError:
        """One of them is wrong."""


@pytest.mark.parametrize("source", TARGETS.values())
@pytest.mark.parametrize("target", TARGETS.values())
def test_files_are_those_of_objects(
    tmp_path: Path, source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole command, with parts of a few lines."""
    monkeypatch.setattr("mondegreen.data.formats.conll._PART", 100)
    monkeypatch.setattr("mondegreen.variants.sources.PART", 20)
    into = tmp_path / "into"
    into.mkdir()
    mg.write(requests(300, 3)[0], into / source)
    for at, twin in enumerate((False, True)):
        if twin:
            monkeypatch.setattr(VariantWork, "by_kernel", lambda *_: None)
        out = tmp_path / str(at) / target
        out.parent.mkdir()
        command = ["perturb", f"{into / source}", "-o", f"{out}", "--op", "fillers", "-q"]
        assert main([*command, "--ledger", f"{out.parent / 'ledger.jsonl'}"]) == 0
        assert main(["verify", f"{out}"]) == 0
    first, second = (
        {
            path.relative_to(tmp_path / at): path.read_bytes()
            for path in (tmp_path / at).rglob("*")
            if path.is_file() and "manifest" not in path.name
        }
        for at in "01"
    )
    assert first == second
    assert sum(map(len, first.values())) > 10_000


def test_workers_make_the_same_of_parts() -> None:
    work = WORKS["typo", "codes", "conll"]
    part = conll_part([b"play O\njazz B-genre\n\nstop O\n"])
    (made,) = open_workers("processes", 1).map(work, [part])
    assert outcome(work, lambda _: made, part) == outcome(work, work.by_objects, part)


def test_wrong_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / WORDS).write_text("play jazz\nplay some jazz\n")
    (folder / TAGS).write_text("O O\nO O\n")
    (folder / LABELS).write_text("a\nb\n")
    out = ["--op", "typo", "-o", f"{tmp_path}/out"]
    fails(["perturb", f"{folder}", *out], f"{TAGS}, line 2: 2 tags for 3 tokens", capsys)
    (folder / LABELS).write_text("a\n")
    fails(
        ["perturb", f"{folder}", *out], f"{LABELS}: ends at line 1, another file does not", capsys
    )
    (tmp_path / "in.conll").write_text("# id = u1\nplay O\n\n# id = u1\njazz O\n")
    out[-1] += ".conll"
    fails(["perturb", f"{tmp_path}/in.conll", *out], "the id 'u1' occurs twice", capsys)
    (tmp_path / "in.conll").write_text("play O\n\njazz X\n")
    fails(["perturb", f"{tmp_path}/in.conll", *out], "in.conll, line 3: in the utterance", capsys)
    (tmp_path / "in.conll").write_text("")
    fails(["perturb", f"{tmp_path}/in.conll", *out], "the file is empty", capsys)
