"""Operators that know English only refuse text that is plainly in another language."""

from __future__ import annotations

import ast
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import mondegreen as mg
from commands import COMMAND, fails
from mondegreen.cli.main import main
from mondegreen.data.sample import sample
from mondegreen.errors import OperatorError
from mondegreen.language.detection import ENGLISH_WORDS, plain_language
from mondegreen.language.disfluency.fillers import filler_list
from mondegreen.language.disfluency.profile import named_profile
from mondegreen.language.sounds.frequent import frequent_words
from mondegreen.operators.registry import OPERATORS
from mondegreen.resources import read_resource

GERMAN = ["weck mich bitte um sieben uhr", "wie wird das wetter morgen in berlin"]
CHINESE = ["我想去北京", "明天天气怎么样"]
OTHERS = {
    "de": GERMAN,
    "zh": CHINESE,
    "es": ["pon una alarma para las siete de la mañana", "qué tiempo hace en la ciudad"],
    "fr": ["mets une alarme pour sept heures du matin", "quel temps fait il dans la ville"],
    "ru": ["поставь будильник на семь часов", "какая погода завтра"],
    "ja": ["明日の天気はどうですか", "七時に起こしてください"],
}
ENGLISH_ONLY = [name for name in OPERATORS.own if OPERATORS.named(name).english]


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_is_recognised(code: str) -> None:
    assert plain_language(OTHERS[code]) == code


def test_english_is_not_taken_for_another_language(shared: Path) -> None:
    texts = [utterance.text for utterance in sample()]
    assert plain_language(texts) == "en"
    for path in sorted((shared / "data").glob("*/test")):
        assert plain_language(one.text for one in mg.read(path)) == "en"


def test_english_is_known_by_the_words_of_the_dictionary() -> None:
    words = read_resource("languages/en/frequent.txt").decode().split()
    assert words == list(frequent_words(ENGLISH_WORDS))


@pytest.mark.parametrize(
    "text", ["w1 w2 w3 w4", "a b c d", "z z z z", "song a by artist u", "la la la la"]
)
def test_what_is_no_language_is_not_taken_for_one(text: str) -> None:
    assert plain_language([text] * 100) in (None, "en")


@pytest.mark.parametrize("name", ENGLISH_ONLY)
def test_an_operator_for_english_refuses_german(name: str) -> None:
    with pytest.raises(OperatorError, match=rf"{name}: .* plainly German.*fillers\(language=de\)"):
        list(mg.perturb(GERMAN, name))


def test_the_user_can_say_that_text_is_english() -> None:
    assert list(mg.perturb(GERMAN, "typing", language="en"))


def test_what_the_refusal_names_works() -> None:
    with pytest.raises(OperatorError) as refusal:
        list(mg.perturb(GERMAN, "synonyms.verb"))
    names = str(refusal.value).split("there are ")[1].split("; for")[0].replace('"', "").split(", ")
    assert len(names) > 3
    for name in names:
        if name != "tfidf":  # which needs a file
            assert list(mg.perturb(GERMAN, name))


@pytest.mark.parametrize("name", ["repeats", "partials"])
def test_what_comes_between_repeated_words_is_in_their_language(name: str) -> None:
    said = {word for text in GERMAN for word in text.split()}
    lexicon = named_profile("assistant", "de").words_of_speech
    pauses = {*filler_list("de").fillers, *lexicon.interjections}
    found = set()
    for seed in range(60):
        for variant in mg.perturb(GERMAN, name, seed=seed, rate=1.0, language="de"):
            words = {word for edit in variant.edits for word in edit.tokens}
            found |= {w for w in words if not any(one.startswith(w) for one in said)}
    assert found <= said | pauses
    assert found & pauses
    with pytest.raises(OperatorError, match="plainly German"):
        list(mg.perturb(GERMAN, name))


@pytest.mark.parametrize("command", ["perturb", "suite", "augment"])
def test_each_command_refuses(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = [mg.Utterance.of(str(i), text, label="alarm") for i, text in enumerate(GERMAN)]
    mg.write(data, tmp_path / "de.jsonl")
    output = tmp_path / ("out" if command == "suite" else "out.jsonl")
    arguments = [command, str(tmp_path / "de.jsonl"), "--op", "synonyms.verb", "-q"]
    arguments += ["-o", str(output)]
    fails(arguments, "plainly German", capsys)
    assert not output.exists()
    assert main([*arguments, "--language", "en"]) == 0
    assert output.exists()


@pytest.mark.parametrize("limit", [[], ["--limit", "2"]])
def test_the_language_of_a_stream_is_looked_at(limit: list[str]) -> None:
    text = "\n".join(GERMAN)
    arguments = [*COMMAND, "perturb", "-", "--op", "synonyms.verb", "-q", *limit]
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "plainly German" in done.stderr
    arguments += ["--language", "en"]
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == len(GERMAN)


@pytest.mark.parametrize("operator", ["fillers(words=[呃])", "fillers(language=zh)"])
def test_a_chinese_filler_goes_between_words(operator: str) -> None:
    texts = ["我想去北京", "北京的天气怎么样", "帮我叫一辆出租车去上海"]
    for seed in range(40):
        for text, variant in zip(texts, mg.perturb(texts, operator, seed=seed), strict=True):
            whole = ("北京", "天气", "上海", "怎么样", "出租车")
            spans = [(text.find(word), text.find(word) + len(word)) for word in whole]
            for edit in variant.edits:
                assert not any(start < edit.start < end for start, end in spans if start >= 0)


def test_no_operator_has_english_words_in_its_code() -> None:
    package = Path(mg.__file__).parent
    lists = tomllib.loads((package / "resources/languages/en/words.toml").read_text("utf-8"))
    known = {word for section in lists.values() for words in section.values() for word in words}
    known |= {word for phrase in known for word in phrase.split()} - {"?", "would"}
    found = {
        (path.name, node.value)
        for path in (package / "operators").glob("*.py")
        for node in _constants(ast.parse(path.read_text("utf-8")))
        if node.value in known
    }
    assert known > {"please", "you know", "the", "want", "basically"}
    assert not found - {("synonym_search.py", "other")}  # the name of a kind of edit
    listed = [*(package / "resources").glob("*.en.txt*"), *(package / "resources").glob("*/*.en.*")]
    assert not listed, "lists of English words belong into resources/languages/en"


def _constants(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield the constants of code, except the names of lists of words."""
    if isinstance(tree, ast.Call) and "words" in ast.unparse(tree.func):
        return
    if isinstance(tree, ast.Constant):
        yield tree
    for node in ast.iter_child_nodes(tree):
        yield from _constants(node)
