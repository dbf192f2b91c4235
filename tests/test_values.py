"""Values: two texts are the same if they share a reading, and never if a digit differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mondegreen as mg
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.values import LANGUAGES, difference
from mondegreen.values.speaking import spoken_word

EQUAL = {
    "en": [
        ("8:55 a.m.", "eight fifty five a m"),
        ("8:55", "eight fifty-five a m"),
        ("11:45", "quarter to twelve"),
        ("20:55", "8:55 p.m."),
        ("ZK3FFW", "Z K three F F W"),
        ("b as in bravo double t 4", "BTT4"),
        ("Delta Hotel Juliet zero", "DHJ0"),
        ("john dot smith at gmail dot com", "john.smith@gmail.com"),
        ("h t t p colon slash slash w w w dot nvidia dot com", "http://www.nvidia.com"),
        ("$5,000.00", "five thousand dollars"),
        ("$4.69", "four dollars and sixty nine cents"),
        ("$50 million", "fifty million dollars"),
        ("5¢", "five cents"),
        ("the twenty fifth of july twenty twelve", "July 25, 2012"),
        ("1980s", "nineteen eighties"),
        ("3/4", "three quarters"),
        ("2 1/2 hours", "two and a half hours"),
        ("-60.24", "minus sixty point two four"),
        ("121st", "one hundred and twenty first"),
        ("18 km²", "eighteen square kilometers"),
        ("60 km/h", "sixty kilometers per hour"),
        ("8.5 %", "eight point five percent"),
        ("1-800-555-1234", "one eight hundred five five five one two three four"),
        ("Chapter IV", "chapter four"),
        ("Dr. Smith", "doctor smith"),
        ("1,000,000", "one million"),
        ("eleven hundred", "one thousand one hundred"),
        ("$20/mo", "twenty dollars per month"),
        ("ten fifteen", "10:15"),
        ("ten fifteen", "1015"),
        ("$0.05", "five cents"),
        ("£0.05", "five pence"),
    ],
    "de": [
        ("23,50 €", "dreiundzwanzig Euro fünfzig"),
        ("8:30 Uhr", "halb neun"),
        ("254", "zweihundertvierundfünfzig"),
        ("2.3.2003", "zweiter März zweitausenddrei"),
        ("1/22", "ein zweiundzwanzigstel"),
        ("12.000", "zwölftausend"),
    ],
    "es": [
        ("23:30", "veintitrés y media"),
        ("1.001.º", "milésimo primero"),
        ("11.ª", "undécima"),
        ("undécimo", "décimo primero"),
        ("€ 0,01", "un céntimo"),
        ("28%", "veintiocho por ciento"),
    ],
    "fr": [
        ("97", "quatre-vingt-dix-sept"),
        ("XXᵉ siècle", "vingtième siècle"),
        ("1ʳᵉ", "première"),
        ("8 h 07", "huit heures sept"),
    ],
    "pt": [
        ("R$ 1,01", "um real e um centavo"),
        ("23:45", "quinze para a meia noite"),
        ("3/11", "três onze avos"),
    ],
    "it": [
        ("38", "trentotto"),
        ("23:45", "ventitré e quarantacinque"),
        ("€ 2,50", "due euro e cinquanta"),
    ],
    "sv": [("2022-01-23", "tjugotredje januari tjugotjugotvå"), ("54", "femtiofyra")],
    "ru": [
        ("2,0003", "две целых три десятитысячных"),
        ("56-го", "пятьдесят шестого"),
        ("13:05", "тринадцать часов пять минут"),
    ],
    "zh": [
        ("1,101", "一千一百零一"),
        ("60%", "百分之六十"),
        ("13:05", "十三点零五分"),
        ("15000", "一万五"),
    ],
    "ja": [("1/3", "三分の一"), ("4月30日(日)", "四月三十日日曜日"), ("9時半", "九時半")],
    "ko": [("2018년4월30일", "이천십팔년사월삼십일"), ("24번째", "스물네번째"), ("10월", "시월")],
    "hi": [("७२५०", "सवा सात हज़ार"), ("५:३०", "साढ़े पाँच बजे"), ("1,00,000", "एक लाख")],
    "nl": [
        ("8:30 uur", "half negen"),
        ("8:25", "vijf voor half negen"),
        ("20:45", "kwart voor negen"),
        ("254", "tweehonderdvierenvijftig"),
        ("22", "tweeëntwintig"),
        ("€ 23,50", "drieëntwintig euro vijftig"),
        ("2-3-2003", "twee maart tweeduizend drie"),
        ("1980", "negentienhonderdtachtig"),
        ("3/4", "drie kwart"),
        ("21e", "eenentwintigste"),
        ("1,5", "anderhalf"),
        ("12.000", "twaalfduizend"),
        ("60 km/h", "zestig kilometer per uur"),
        ("14:00", "twee uur 's middags"),
        ("jan@bedrijf.nl", "jan apenstaartje bedrijf punt nl"),
    ],
    "vi": [
        ("540", "năm trăm tư"),
        ("10:50", "mười một giờ kém mười"),
        ("10.5 triệu", "mười triệu rưỡi"),
    ],
}  # fmt: skip
UNEQUAL = {
    "en": [
        ("fifteen dollar", "$50"),
        ("$5", "£5"),
        ("car pet", "carpet"),
        ("1.2", "12"),
        ("1-2", "12"),
        ("two hundred five", "2105"),
        ("one hundred twenty three", "100203"),
        ("8:55 a.m.", "8:55 p.m."),
        ("15:30", "three thirty"),
        ("1/2/2003", "2/1/2003"),
        ("ab-c@mail.com", "ab.c@mail.com"),
        ("I am", "I a.m. tired"),
        ("-5", "5"),
        ("five miles", "five kilometers"),
        ("1/2", "2/1"),
        ("Browne", "Brown"),
        ("0.05", "0.5"),
        ("$0.05", "five pence"),
        ("five cents", "five pence"),
    ],
    "es": [
        ("11.ª", "undécimo"),
        ("undécima", "undécimo"),
        ("0,01 $", "un penique"),
        ("un penique", "un céntimo"),
    ],
    "fr": [("1ʳᵉ", "premier"), ("premiers", "première"), ("1ᵉʳ", "1ʳᵉ")],
    "ru": [("2-го", "вторая"), ("2-м", "2-го")],
    "de": [
        ("121tem", "einhunderteinundzwanzigster"),
        ("1.000", "1,000"),
        ("23,50 €", "2350 €"),
        ("8:00 Uhr", "20:00 Uhr"),
        ("€0,05", "£0,05"),
    ],
    "zh": [("-百分之1", "一百分之一"), ("110000", "1万"), ("111万", "一千一百一十一万")],
    "nl": [
        ("8:30", "half acht"),
        ("15", "vijftig"),
        ("254", "tweehonderdvijfenveertig"),
        ("21e", "eenentwintig"),
        ("€0,05", "vijf pence"),
    ],
    "hi": [("३/२", "१/२"), ("५:३०", "५:००")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "one", "other"), [(lang, *pair) for lang, pairs in EQUAL.items() for pair in pairs]
)
def test_the_same_value_however_it_is_written(language: str, one: str, other: str) -> None:
    assert mg.same([one, other], [other, one], language=language) == [True, True]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [(lang, *pair) for lang, pairs in UNEQUAL.items() for pair in pairs],
)
def test_another_value_is_never_the_same(language: str, one: str, other: str) -> None:
    assert mg.same([one, other], [other, one], language=language) == [False, False]


FORMS = (
    "{0}", "{0}.{1:02d}", "{0},{1:02d}", "{2}:{3:02d}", "${0}.{1:02d}", "€ {0}", "{0} km", "{0}%",
    "{2}/{4}/{5}", "{5}-{2:02d}-{4:02d}", "-{0}", "{0}/{1}", "AB{0}C",
    "+{0}-{1:02d}-{5}", "{0} 1/{2}",
    "{2} {3} pm", "call {0} at {2}:{3:02d}", "{0}th", "a{0}@mail{1}.com", "{0}k",
)  # fmt: skip
TEXTS = st.builds(
    lambda form, *numbers: form.format(*numbers),
    st.sampled_from(FORMS), st.integers(0, 2_000_000), st.integers(0, 99), st.integers(1, 12),
    st.integers(0, 59), st.integers(1, 28), st.integers(1000, 2999),
)  # fmt: skip


@given(TEXTS, st.sampled_from(LANGUAGES), st.data())
def test_a_changed_digit_is_another_value(text: str, language: str, data: st.DataObject) -> None:
    places = [at for at, sign in enumerate(text) if sign.isdecimal()]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != text[at]]))
    changed = text[:at] + digit + text[at + 1 :]
    assert mg.same([text, changed], [changed, text], language=language) == [False, False]


@given(st.text(max_size=30) | TEXTS, st.text(max_size=30) | TEXTS, st.sampled_from(LANGUAGES))
def test_identical_texts_are_the_same_and_the_order_does_not_matter(
    one: str, other: str, language: str
) -> None:
    verdicts = mg.same([one, one, other], [one, other, one], language=language)
    assert verdicts[0]
    assert verdicts[1] == verdicts[2]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(DataError, match="'xx'"):
        mg.same(["a"], ["a"], language="xx")
    with pytest.raises(DataError, match="2 references but 1"):
        mg.same(["a", "b"], ["a"])


def test_the_difference_is_named() -> None:
    found = difference("Minneapolis at one fifty p m", "Minneapolis at 1:15 p.m.")
    assert found == ("Minneapolis at", "one fifty p m", "1:15 p.m.")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "pairs.tsv"
    table.write_text("written\tsaid\n8:55\teight fifty five\n$15\tfifty dollars\n", "utf-8")
    options = ["same", str(table), "--map", "ref=written,hyp=said"]
    assert main(options) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 say the same (50.0 %)" in printed
    assert "“$15” is not “fifty dollars”" in printed
    assert main([*options, "--json", "--fail-under", "0.9"]) == 3
    record = json.loads(capsys.readouterr().out)
    assert record["n"], record["same"] == (2, 0.5)
    assert [pair["same"] for pair in record["pairs"]] == [True, False]
    assert main([*options[:2], "--map", "left=written"]) == 2
    assert main(options[:2]) == 1
    assert "no column" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("de", "17te", "siebzehnte"),
        ("de", "121tem", "einhunderteinundzwanzigstem"),
        ("fr", "1re", "première"),
        ("es", "11.ª", "undécima"),
        ("it", "1ª", "prima"),
        ("ru", "2-го", "второго"),
    ],
)
def test_an_ordinal_is_said_in_the_form_that_is_written(
    language: str, written: str, said: str
) -> None:
    assert " ".join(spoken_word(written, language)) == said
