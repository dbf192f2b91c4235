"""Languages as values: what is offered works and keeps labels, what is not is refused."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path

import pyarrow as pa
import pytest

import mondegreen as mg
from commands import fails
from mondegreen.cli.main import main
from mondegreen.errors import OperatorError
from mondegreen.language import languages
from mondegreen.language.languages import language, language_codes
from mondegreen.language.offers import entry, offer
from mondegreen.operators.registry import OPERATORS

SAID = {
    "de": [
        ("stell den wecker auf [time:sieben uhr]", "alarm"),
        ("erinnere mich [date:morgen] an [what:die milch]", "reminder"),
        ("wie wird das wetter in [city:bonn] ?", "weather"),
        ("Spiele etwas von [artist:Nina Hagen]", "music"),
    ],
    "fr": [
        ("mets le réveil à [time:sept heures]", "alarm"),
        ("rappelle-moi [date:demain] d'acheter [what:du lait]", "reminder"),
        ("quel temps fait-il à [city:Lyon] ?", "weather"),
        ("Annule la réunion de [date:lundi]", "reminder"),
    ],
    "es": [
        ("pon la alarma a [time:las siete]", "alarm"),
        ("recuérdame [date:mañana] comprar [what:leche]", "reminder"),
        ("qué tiempo hace en [city:Sevilla] ?", "weather"),
        ("Cancela la reserva del [date:lunes]", "reminder"),
    ],
    "it": [
        ("metti la sveglia alle [time:sette]", "alarm"),
        ("ricordami [date:domani] di comprare [what:il latte]", "reminder"),
        ("com'è il tempo nell' [city:Umbria] ?", "weather"),
        ("Cancella la riunione di [date:lunedì]", "reminder"),
    ],
    "nl": [
        ("zet de wekker op [time:zeven uur]", "alarm"),
        ("herinner me [date:morgen] aan [what:de melk]", "reminder"),
        ("hoe is het weer in [city:Utrecht] ?", "weather"),
        ("Annuleer de afspraak van [date:maandag]", "reminder"),
    ],
    "hi": [
        ("[time:सात बजे] का अलार्म लगाओ", "alarm"),
        ("मुझे [date:कल] [what:दूध] लेने की याद दिलाओ", "reminder"),
        ("[city:दिल्ली] में मौसम कैसा है ?", "weather"),
        ("[date:सोमवार] की मीटिंग रद्द करो।", "reminder"),
    ],
    "zh": [
        ("把 闹钟 设置 在 [time:七 点]", "alarm"),
        ("提醒 我 [date:明天] 买 [what:牛奶]", "reminder"),
        ("[city:北京] 的 天气 怎么样 ？", "weather"),
        ("取消 [date:星期一] 的 会议", "reminder"),
    ],
    "ja": [
        ("[time:七 時] に アラーム を 設定 し て", "alarm"),
        ("[date:明日] [what:牛乳] を 買う よう に リマインド し て ください", "reminder"),
        ("[city:東京] の 天気 は どう です か ？", "weather"),
        ("[date:月曜 日] の 会議 を キャンセル する 。", "reminder"),
    ],
}


def utterances(code: str) -> list[mg.Utterance]:
    """Read our own sentences: slots in brackets, by label."""
    found = []
    for number, (text, label) in enumerate(SAID[code]):
        tokens: list[str] = []
        slots: list[mg.Slot] = []
        start, name = 0, ""
        for piece in text.split():
            word = piece
            if word.startswith("["):
                name, _, word = word[1:].partition(":")
                start = len(tokens)
            closes = word.endswith("]")
            tokens.append(word.removesuffix("]"))
            if closes:
                slots.append(mg.Slot(name, start, len(tokens)))
        found.append(mg.Utterance(str(number), tuple(tokens), tuple(slots), label))
    return found


OFFERED = [
    (code, name)
    for code in SAID
    for name in OPERATORS.own
    if offer(name, code) and name not in ("tfidf", "spoken")
]
REFUSED = [(code, name) for code in SAID for name in OPERATORS.own if not offer(name, code)]


@pytest.mark.parametrize(("code", "name"), OFFERED)
def test_what_is_offered_changes_nearly_all_and_keeps_labels(code: str, name: str) -> None:
    data = utterances(code)
    changed = total = 0
    for seed in range(5):
        for variant in mg.perturb(data, name, language=code, seed=seed):
            kept = [slot.label for slot in variant.utterance.slots]
            assert kept == [slot.label for slot in variant.parent.slots]
            assert variant.utterance.label == variant.parent.label
            changed += variant.utterance.tokens != variant.parent.tokens
            total += 1
    assert changed >= 0.95 * total


@pytest.mark.parametrize(("code", "name"), REFUSED)
def test_what_is_not_offered_is_refused_in_the_words_of_the_table(code: str, name: str) -> None:
    with pytest.raises(OperatorError) as refusal:
        list(mg.perturb(utterances(code), name, language=code))
    assert entry(name, code).well in str(refusal.value)
    if any(parameter == "language" for parameter in OPERATORS.named(name).__dataclass_fields__):  # type: ignore[attr-defined]
        with pytest.raises(OperatorError):
            mg.operator(f"{name}(language={code})")


def test_every_route_refuses_in_the_words_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "no thesaurus of German gives inflected words"
    data = utterances("de")
    for route in (mg.perturb, mg.augment):
        with pytest.raises(OperatorError, match=words):
            list(route(data, "synonyms.verb", language="de"))
    with pytest.raises(OperatorError, match=words):
        mg.suite(data, "synonyms.verb", language="de")
    with pytest.raises(OperatorError, match=words):
        mg.arrow.Perturb("synonyms.verb", language="de")(pa.table({"text": ["stell den wecker"]}))
    mg.write(data, tmp_path / "de.jsonl")
    for command, output in (("perturb", "a.jsonl"), ("augment", "b.jsonl"), ("suite", "c")):
        arguments = [command, str(tmp_path / "de.jsonl"), "-o", str(tmp_path / output), "-q"]
        fails([*arguments, "--op", "synonyms.verb", "--language", "de"], words, capsys)


def test_the_table_is_printed_for_people_and_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["languages"]) == 0
    shown = capsys.readouterr().out
    assert "fillers.postverb" in shown
    assert main(["languages", "de"]) == 0
    assert "no misspellings of German are listed" in capsys.readouterr().out
    assert main(["languages", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows == [one._asdict() for one in mg.languages()]
    assert len(rows) == len(language_codes()) * len(OPERATORS.own)
    assert main(["languages", "xx"]) == 1
    assert "there is no language 'xx'" in capsys.readouterr().err


@pytest.mark.parametrize("code", SAID)
def test_no_list_of_a_language_has_english_words(code: str) -> None:
    tongue = language(code)
    said = {*tongue.terms, *tongue.places.opening, *tongue.places.close_command}
    assert not said & {"please", "i mean", "no wait", "well", "actually", "so okay"}


def test_words_without_spaces_are_not_split() -> None:
    whole = ("北京", "天气", "怎么样")
    for seed in range(20):
        for name in ("repeats", "repairs", "restarts", "disfluencies"):
            texts = ["北京的天气怎么样"]
            for variant in mg.perturb(texts, name, language="zh", seed=seed):
                assert all(word in variant.utterance.text for word in whole), variant.utterance.text


@pytest.mark.parametrize(
    ("code", "word", "sounds"),
    [("de", "Wecker", "v ɛ k ɐ"), ("it", "dell'anno", "d e l l a n n o"), ("zh", "北", "p e i 3")],
)
def test_words_are_pronounced_in_ipa(code: str, word: str, sounds: str) -> None:
    (found,) = mg.pronounce(word, language=code)
    assert " ".join(found.pronunciations[0]) == sounds


def test_a_language_without_pronunciations_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    fails(["pronounce", "--language", "sv", "hej"], "no pronunciations of Swedish", capsys)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from mondegreen.language.sounds import tongues

    monkeypatch.setattr(tongues, "find_spec", lambda _: None)
    tongues.package_of.cache_clear()
    with pytest.raises(mg.MondegreenError, match=r"mondegreen\[de\]"):
        tongues.package_of("de")
    tongues.package_of.cache_clear()


def test_the_recipe_for_a_new_language_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parents[1].joinpath("CONTRIBUTING.md").read_text(encoding="utf-8")
    block = page.split("## Add a language")[1].split("```toml\n")[1].split("```")[0]
    own = Path(mg.__file__).parent / "resources" / "languages"
    shutil.copytree(own, tmp_path / "languages")
    (tmp_path / "languages" / "lb").mkdir()
    text = textwrap.dedent(block)
    (tmp_path / "languages" / "lb" / "language.toml").write_text(text, encoding="utf-8")
    caches = (languages.language, languages.language_codes)
    monkeypatch.setattr(languages, "files", lambda _: tmp_path)
    try:
        for cache in caches:
            cache.cache_clear()
        data = [mg.Utterance.of("1", "stell de wecker op muer")]
        for name in (
            "fillers",
            "fillers.bos",
            "fillers.eos",
            "repairs",
            "restarts",
            "disfluencies",
        ):
            (variant,) = mg.perturb(data, name, language="lb", seed=1)
            assert variant.edits, name
        with pytest.raises(OperatorError, match="no verbs and particles are listed for Luxemb"):
            list(mg.perturb(data, "fillers.postverb", language="lb"))
    finally:
        monkeypatch.undo()
        for cache in caches:
            cache.cache_clear()


LEANING = {
    "hi": ("दिल्ली से आगरा की ट्रेन कितना समय लेती है", {"से", "की", "है"}),
    "de": ("erinnere mich morgen an die milch", {"mich"}),
    "fr": ("est-ce qu'il va pleuvoir à Nantes", {"qu'il"}),
}


@pytest.mark.parametrize("code", LEANING)
def test_nobody_pauses_before_words_that_lean_on_the_one_before(code: str) -> None:
    text, leaning = LEANING[code]
    for seed in range(30):
        for variant in mg.perturb([text], "fillers", language=code, seed=seed, rate=1.0):
            after = {variant.parent.tokens[edit.start] for edit in variant.edits if edit.start}
            assert after
            assert not after & leaning


@pytest.mark.parametrize("name", ["repeats", "partials", "disfluencies"])
def test_nothing_comes_before_a_hindi_postposition(name: str) -> None:
    text, leaning = LEANING["hi"]
    for seed in range(30):
        for variant in mg.perturb([text], name, language="hi", seed=seed):
            sites = [edit.start for edit in variant.edits if 0 < edit.start < 9]
            assert not leaning & {variant.parent.tokens[site] for site in sites}
            assert not {"स्टॉप", "शामिल"} & set(variant.utterance.tokens)


def test_a_word_is_not_broken_within_letters_of_one_sound() -> None:
    broken = {
        edit.tokens[0]
        for seed in range(80)
        for variant in mg.perturb(
            ["mach welche stellen schnell"], "partials", language="de", seed=seed
        )
        for edit in variant.edits
        if len(edit.tokens) == 1
    }
    assert broken & {"ma", "we", "wel", "ste", "schn"}
    assert not broken & {"mac", "welc", "s", "sc"}


def test_a_sentence_that_is_complete_is_not_taken_up_again() -> None:
    for text, code in (("今夜ゴミを出すようにリマインドして", "ja"), ("播放周杰伦的歌", "zh")):
        for seed in range(30):
            for variant in mg.perturb([text], "repeats", language=code, seed=seed):
                assert len(variant.edits) == 1
                (edit,) = variant.edits
                said = "".join(edit.tokens)
                assert not text.endswith(said), (text, variant.utterance.text)


def test_typo_is_not_offered_as_natural(capsys: pytest.CaptureFixture[str]) -> None:
    natural = {
        one.language for one in mg.languages() if one.operator == "typo" and one.offered is True
    }
    assert natural == {"ja", "zh"}
    assert entry("typo", "de").offered == "any letter, not natural"
    assert "47.5 %" in entry("typo", "de").measured
    assert main(["languages"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("typo "))
    assert row.split().count("any") == len(language_codes()) - 2
