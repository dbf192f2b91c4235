"""Values in the kernel: it reads texts as its twin in Python does."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mondegreen import kernel
from mondegreen.kernel.values import Values as Twin
from mondegreen.values.characters import described
from mondegreen.values.engine import engine
from mondegreen.values.entries import unit_names
from mondegreen.values.expressions import expression
from mondegreen.values.grammar import LANGUAGES, grammar
from mondegreen.values.tokens import folded, plain
from mondegreen.values.twin import apart, stretches

pytestmark = pytest.mark.skipif(kernel.compiled is None, reason="there is no compiled kernel")

WRITTEN = (
    *[
        "8:55",
        "20:30",
        "0:05",
        "12:00",
        "24:00",
        "7.15",
        "10:15:30",
        "8h30",
        "$5.20",
        "€23,50",
        "-$4",
        "¥100",
        "5¢",
        "£1.5 million",
    ],
    *[
        "1,000",
        "1.000",
        "12.000,50",
        "3/4",
        "2 1/2",
        "√3/4",
        "½",
        "21st",
        "2.",
        "3º",
        "4:a",
        "1980s",
        "'90s",
        "1/2/2003",
        "2003-01-02",
    ],
    *[
        "25.7.2012",
        "5 May 2011",
        "Jan. 5th",
        "8.5 %",
        "-60.24",
        "- 5",
        "+3",
        "10-12",
        "ZK3FFW",
        "john.smith@gmail.com",
    ],
    *[
        "www.x.de/a-b",
        "http://a.b",
        "192.168.0.1",
        "555-1234",
        "1 800 555 1234",
        "km²",
        "60 km/h",
        "20°C",
        "5'",
    ],
    *[
        '6"',
        "Chapter IV",
        "XIV",
        "Dr.",
        "a.m.",
        "p. m.",
        "(月)",
        "5k",
        "3m",
        "12345678901234567890",
        "0",
        "00",
        "007",
        "x",
        "A",
    ],
    *[
        "b",
        "-",
        ".",
        ",",
        ":",
        "…",
        "２",
        "五",
        "५",
        "ﬁ",
        "ς",
        "İ",
        "₹२०६",
        "—",
        "“5”",
        "²",
        "ª",
        "`",
        "#",
        "5#",
        "&",
        "~",
        "=",
        "minus",
        "Sig.ra",
        "'25'",
        "80's",
        "non-stop",
        "o'brien",
        "8:30 pm",
        "15:00",
    ],
    *("9" * 45, "caf\u0301e", "क्\u093c", "ज\u093cर\u093c", "\u094d", "\u00a0"),
)


def spoken(language: str) -> list[str]:
    """Return words of a language that mean something, in one order."""
    return sorted(grammar(language).phrases)


@st.composite
def texts(draw: st.DrawFn, language: str) -> str:
    words = st.sampled_from(spoken(language))
    part = st.one_of(
        words, words.map(str.upper), st.sampled_from(WRITTEN), st.integers(0, 130).map(str)
    )
    joint = st.sampled_from([" ", " ", " ", "", "-", ", ", ". ", "  ", "\n"])
    parts = draw(st.lists(st.tuples(part, joint), max_size=7))
    return "".join(text + between for text, between in parts)


@settings(max_examples=120)
@given(st.data(), st.sampled_from(LANGUAGES))
def test_the_kernel_reads_as_its_twin_does(data: st.DataObject, language: str) -> None:
    some = st.lists(texts(language) | st.text(max_size=12), min_size=2, max_size=3)
    found = data.draw(some)
    refs = [one for one in found for _ in found]
    hyps = found * len(found)
    expected = [apart(ref, hyp, language) for ref, hyp in zip(refs, hyps, strict=True)]
    assert engine(language).apart(refs, hyps) == expected
    assert engine(language).same(refs, hyps) == [one is None for one in expected]
    ref, hyp = found[0].split(), found[1].split()
    assert engine(language).stretches(ref, hyp) == stretches(ref, hyp, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_said_and_written_numbers_are_read_as_by_the_twin(language: str) -> None:
    rng = random.Random(language)
    words = spoken(language)
    refs = [" ".join(rng.choices(words, k=rng.randint(1, 5))) for _ in range(90)]
    refs += [" ".join(rng.choices(WRITTEN, k=2)) for _ in range(50)]
    hyps = refs[::-1]
    expected = [apart(ref, hyp, language) for ref, hyp in zip(refs, hyps, strict=True)]
    assert engine(language).apart(refs, hyps) == expected


def said(source: str, language: str, rng: random.Random) -> str:
    """Return what a template says of some numbers, in digits and words."""
    tables = grammar(language).tables
    units = unit_names(tables.get("units", {}), grammar(language).common["units"])
    months = str(tables.get("dates", {}).get("months", "5")).split()
    cents = str(tables["money"]["cent"]).split("|")
    currencies = [names.split("|")[0] for names in tables["money"]["currencies"].values()]
    parts = {"M": [month.split("|")[0] for month in months], "C": currencies, "¢": cents}
    text = re.sub(r"\[[^\]]*\]|[()]", "", source.rsplit(": ", maxsplit=1)[-1])
    text = re.sub(r"u:(\w+)", lambda match: units[match[1]][0], text.removeprefix("~"))
    small = [str(n) for n in (*range(13), 15, 20, 30, 45)] + ["4.5", "4.69", "8.25"]
    words = re.sub(r"\{([^}]+)\}", lambda match: rng.choice(parts.get(match[1], small)), text)
    return words.replace("#", "").replace("_", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_values_in_words_are_read_as_by_the_twin(language: str) -> None:
    rng = random.Random(language)
    tables = grammar(language).tables
    known = [tables.get(name, {}).get("said", ()) for name in ("times", "dates", "money")]
    texts = [said(source, language, rng) for sources in known for source in sources for _ in "ab"]
    pairs = [(one, other) for one in texts for other in rng.sample(texts, 3)]
    pairs += list(zip(texts[::2], texts[1::2], strict=True))
    expected = [apart(one, other, language) for one, other in pairs]
    found = engine(language).apart([one for one, _ in pairs], [other for _, other in pairs])
    assert found == expected


def test_numbers_beyond_128_bits_are_left_to_python() -> None:
    large = "9" * 60
    assert engine("en").same(
        [f"${large}", f"${large}"], [f"{large} dollars", f"{large[1:]} dollars"]
    ) == [True, False]


def test_the_twin_has_the_same_face() -> None:
    def slow(ref: str, hyp: str) -> tuple[str, str, str] | None:
        return apart(ref, hyp, "en")

    twin = Twin(
        dict,
        lambda code: described(code, accents=False),
        plain,
        lambda word: folded(word, accents=False),
        slow,
        lambda ref, hyp: stretches(ref, hyp, "en"),
    )
    assert twin.same(["5", "5"], ["five", "six"]) == [True, False]
    assert (
        twin.apart(["at 5"], ["at six"])
        == engine("en").apart(["at 5"], ["at six"])
        == [("at", "5", "six")]
    )


@pytest.mark.parametrize("refs", [["a"], ["a", "b", "c"]])
def test_lists_of_two_lengths_are_refused(refs: list[str]) -> None:
    with pytest.raises(ValueError, match=r"length|shorter|longer"):
        engine("en").same(refs, ["a", "b"])


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        engine("en").same([5], ["five"])  # type: ignore[list-item]
    assert engine("en").same(["5"], ["five"]) == [True]


def test_an_expression_that_the_kernel_does_not_know_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="AT_BEGINNING"):
        expression(re.compile(r"^a"))
