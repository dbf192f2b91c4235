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


SAID_ALIKE = {
    "en": [
        ("half past twelve", "twelve thirty"),
        ("a quarter to one", "twelve forty five"),
        ("half past three p m", "three thirty p m"),
        ("july twenty fifth", "the twenty fifth of july"),
        ("four dollars and sixty nine cents", "four point six nine dollars"),
        ("three hours and fifteen minutes", "three hours fifteen minutes"),
    ],
    "de": [("halb neun", "acht uhr dreißig"), ("zwei dollar zwanzig", "zwei dollar zwanzig cent")],
    "es": [("las ocho y media", "las ocho treinta"), ("primero de mayo", "uno de mayo")],
    "fr": [("huit heures et demie", "huit heures trente"), ("midi et demi", "midi trente")],
    "it": [("otto e mezza", "otto e trenta")],
    "pt": [("quinze para as nove", "oito e quarenta e cinco")],
    "sv": [("halv nio", "åtta trettio")],
    "ru": [("половина девятого", "восемь тридцать")],
    "zh": [("八点半", "八点三十分"), ("三点一刻", "三点十五分")],
    "ja": [("九時半", "九時三十分")],
    "ko": [("세시반", "세시삼십분")],
    "hi": [("साढ़े पाँच बजे", "पाँच बजकर तीस मिनट")],
    "vi": [("tám giờ rưỡi", "tám giờ ba mươi phút")],
    "nl": [("half negen", "acht uur dertig")],
}  # fmt: skip
SAID_APART = {
    "en": [
        ("half past twelve", "twelve thirteen"),
        ("half past three p m", "three thirty a m"),
        ("quarter past three", "three hours fifteen minutes"),
        ("july twenty fifth", "july twenty sixth"),
        ("four dollars and sixty nine cents", "four pounds and sixty nine pence"),
        ("half past twelve", "twelve hundred thirty"),
    ],
    "de": [("halb neun", "neun uhr dreißig"), ("null uhr", "vierundzwanzig uhr")],
    "ru": [("половина девятого", "девять тридцать")],
    "nl": [("half negen", "negen uur dertig")],
    "sv": [("halv nio", "nio trettio")],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "one", "other", "alike"),
    [(lang, *pair, True) for lang, pairs in SAID_ALIKE.items() for pair in pairs]
    + [(lang, *pair, False) for lang, pairs in SAID_APART.items() for pair in pairs],
)
def test_two_ways_to_say_a_value(language: str, one: str, other: str, *, alike: bool) -> None:
    assert mg.same([one, other], [other, one], language=language) == [alike, alike]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("A four six F C W (A46FCW)", "A46FCW", True),
        ("A four six F C W (A46FCX)", "A46FCW", False),
        ("four seven nine (479)", "four seven nine (479)", True),
        ("capital z as in zulu, three", "Z3", True),
        ("triple seven four", "7774", True),
        ("em nine em six", "M9M6", True),
        ("john underscore smith at sign gmail dot com", "john_smith@gmail.com", True),
        ("twelve noon", "12:00 PM", True),
        ("midnight", "12:00 AM", True),
        ("noon", "midnight", False),
        ("nine fifteen in the evening", "9:15 PM", True),
        ("nine fifteen in the evening", "9:15 AM", False),
        ("eight o'clock in the morning", "8:00 AM", True),
        ("O'Brien", "OBrien", True),
        ("José", "Jose", True),
        ("non-stop", "nonstop", True),
        ("an hour and a half", "1.5 hours", True),
        ("12's", "twelve's", True),
        ("a '25' example", "a 'twenty five' example", True),
        ("5'", "5", False),
    ],
)
def test_how_callers_spell_and_say(one: str, other: str, *, alike: bool) -> None:
    assert mg.same([one, other], [other, one]) == [alike, alike]
    parting = difference(one, other)
    assert (parting is None) == alike


@pytest.mark.parametrize(
    ("language", "one", "other", "alike"),
    [
        ("pt", "06/09/2024", "nove de junho de dois mil e vinte e quatro", False),
        ("de", "6.9.2024", "neunter juni zweitausendvierundzwanzig", False),
        ("zh", "下午三点", "15:00", True),
        ("zh", "下午三点", "14:00", False),
        ("zh", "90万", "九十一万", False),
        ("zh", "¥1万", "一万日元", False),
        ("ja", "¥100", "百円", True),
        ("es", "1ra", "primera", True),
        ("es", "1ra", "primer", False),
        ("ja", "午後三時", "15:00", True),
        ("ko", "오후 세시", "오후 3시", True),
        ("es", "dos millones y medio", "2,5 millones", True),
        ("es", "dos millones y medio", "2.000.000,5", False),
        ("it", "Sig.ra Bianchi", "signora bianchi", True),
        ("de", "anderthalb Liter", "1,5 l", True),
        ("ru", "полтора литра", "1,5 л", True),
        ("hi", "3 qt", "तीन क्वार्ट", True),
    ],
)
def test_what_a_language_says(language: str, one: str, other: str, *, alike: bool) -> None:
    assert mg.same([one, other], [other, one], language=language) == [alike, alike]


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


AROUND = (("", ""), ("at ", " or so"), ("(", ")"), ("from 3 to ", ", please"), ("am ", " (5)"))


@given(TEXTS, st.sampled_from(LANGUAGES), st.data())
def test_a_changed_digit_is_another_value(text: str, language: str, data: st.DataObject) -> None:
    before, after = data.draw(st.sampled_from(AROUND))
    text = f"{before}{text}{after}"
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
