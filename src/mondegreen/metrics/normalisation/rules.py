"""Normalisation as data: a file of rules, each step of which is named in the signature.

A ``.toml`` file may have, in the order in which they are applied::

    unicode = "NFKC"                      # a Unicode normal form
    case = "lower"                        # lower, fold or keep
    brackets = "remove"                   # what is in <> and []
    regex = [{ pattern = "colour", with = "color" }]
    punctuation = "space"                 # space, remove or keep; apostrophes in words stay
    numbers = "en"                        # "fifty" becomes 50
    glm = "en.glm"                        # sclite's rules, from a file beside this one
    equivalent = [["okay", "ok"], ["going to", "gonna"]]

A ``.glm`` file has sclite's rules, ``[GONNA] => [GOING TO] / [ ] __ [ ]``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.compression import read_small
from mondegreen.data.files.hashing import hash_of
from mondegreen.data.files.lines import read_lines
from mondegreen.errors import DataError, MissingExtraError, TimeLimitError
from mondegreen.limits import alarm
from mondegreen.text.patterns import lazy_pattern

V = TypeVar("V")
_EQUIVALENT = "equivalent"
Step = Callable[[str], str]
_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
_BRACKETS = lazy_pattern(r"[<\[][^>\]]*[>\]]")
_SECONDS = 2.0  # that the patterns of a file may take per text
_GLM = lazy_pattern(
    r"\[(?P<before>[^\]]*)\]\s*=>\s*\[?(?P<after>[^\]/]*(?:\{[^}]*\})?[^\]/]*)\]?"
    r"\s*(?:/\s*\[(?P<left>[^\]]*)\]\s*__\s*\[(?P<right>[^\]]*)\])?\s*(?:;;.*)?"
)


@dataclass(frozen=True)
class Rules:
    """A normaliser made of named steps.

    ``name`` is the file with its hash and the names of the steps, for signatures. ``equal`` has
    groups of words and phrases that are the same, which :meth:`offering` offers in references.
    """

    name: str
    steps: tuple[tuple[str, Step], ...]
    alternatives: bool = False
    equal: tuple[tuple[str, ...], ...] = ()

    def __call__(self, text: str) -> str:
        """Apply the steps in order, and make white space single spaces."""
        return self._applied(text, "")

    def apart(self, text: str) -> str:
        """Apply all steps but that of equal words."""
        return self._applied(text, _EQUIVALENT)

    def offering(self, text: str) -> str:
        """Apply all steps; words that are the same as others become alternatives.

        >>> Rules("", (), equal=(("okay", "ok"),)).offering("say ok")
        'say { ok / okay }'
        """
        return _offered(self.equal)(self.apart(text))

    def _applied(self, text: str, but: str) -> str:
        for name, step in self.steps:
            text = text if name == but else step(text)
        return " ".join(text.split())


@by_content
def read_rules(path: str) -> Rules:
    """Read the rules of a ``.toml`` or ``.glm`` file.

    Raises:
        DataError: naming the file, the rule, what is wrong and what to do.
    """
    file = Path(path)
    if file.suffix == ".glm":
        glm, alternatives = _glm(file)
        return Rules(_name(file, ["glm"]), (("glm", glm),), alternatives)
    import tomllib  # few scores have rules of their own

    try:
        content = tomllib.loads(read_small(file).decode())
    except OSError as error:
        raise DataError(f"{file}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{file}: the rules are not TOML: {error}") from None
    unknown = [name for name in content if name not in _STEPS]
    if unknown:
        raise DataError(
            f"{file}: there is no step {unknown[0]!r}; the steps are {', '.join(_STEPS)}"
        )
    steps, alternatives = [], False
    for name, make in _STEPS.items():
        if name not in content:
            continue
        try:
            step, more = make(content[name], file)
        except DataError as error:
            raise DataError(f"{file}, {name}: {error}") from None
        alternatives = alternatives or more
        value = content[name]
        label = f"{name}={value}" if isinstance(value, str) and name != "glm" else name
        steps.append((label, step))
    equal = tuple(
        tuple(" ".join(one.split()) for one in group) for group in content.get(_EQUIVALENT, ())
    )
    return Rules(_name(file, [label for label, _ in steps]), tuple(steps), alternatives, equal)


def _name(path: Path, steps: Sequence[str]) -> str:
    return f"{path.name}({'+'.join(steps)},sha={hash_of(path)[:8]})"


Made = tuple[Step, bool]
"""A step, and whether it writes alternatives."""


def _unicode(value: Any, _: Path) -> Made:
    if value not in list(_FORMS):
        raise DataError(f"one of {', '.join(_FORMS)} is expected, got {value!r}")
    return lambda text: unicodedata.normalize(value, text), False


def _case(value: Any, _: Path) -> Made:
    ways: dict[str, Step] = {"lower": str.lower, "fold": str.casefold, "keep": str}
    if not isinstance(value, str) or value not in ways:
        raise DataError(f"one of {', '.join(ways)} is expected, got {value!r}")
    return ways[value], False


def _brackets(value: Any, _: Path) -> Made:
    if value != "remove":
        raise DataError(f"only remove is possible, got {value!r}")
    return without_brackets, False


def without_brackets(text: str) -> str:
    """Return a text without what is in brackets; an opening one that is not closed stays.

    >>> without_brackets("play <noise> jazz [laughs] a < b")
    'play   jazz   a < b'
    """
    end = max(text.rfind(">"), text.rfind("]")) + 1  # what follows would be looked through again
    return _BRACKETS.sub(" ", text[:end]) + text[end:] if end else text


def _line_of_rule(file: Path, number: int) -> int:
    """Return the line of the pattern of a rule."""
    text = file.read_text(encoding="utf-8")
    starts = [found.start() for found in re.finditer(r"""\bpattern["']?\s*=""", text)]
    return text.count("\n", 0, starts[number - 1]) + 1


def _regex(value: Any, file: Path) -> Made:
    rules = []
    for number, rule in enumerate(value if isinstance(value, list) else [value], start=1):
        if not isinstance(rule, dict) or not {"pattern", "with"} == rule.keys():
            raise DataError(f"rule {number} needs a pattern and a with")
        if not all(isinstance(part, str) for part in rule.values()):
            raise DataError(f"rule {number}: the pattern and the with are texts, got {rule!r:.80}")
        try:
            pattern = re.compile(rule["pattern"])
            re.compile(f"{rule['pattern']}\n|").sub(rule["with"], "")  # checks its groups
        except (re.error, IndexError, OverflowError, RecursionError) as error:
            raise DataError(
                f"rule {number}: {rule['pattern']!r} with {rule['with']!r} is not a regular "
                f"expression with its replacement: {error} (line {_line_of_rule(file, number)})"
            ) from None
        rules.append((pattern, rule["with"]))

    def step(text: str) -> str:
        tried = ""
        try:
            with alarm(_SECONDS):
                for pattern, new in rules:
                    tried = pattern.pattern
                    text = pattern.sub(new, text)
        except TimeLimitError:
            raise DataError(
                f"{file}: the pattern {tried!r:.60} takes longer than {_SECONDS:g} s on the text "
                f"{text!r:.60}; write it without repeats inside repeats"
            ) from None
        return text

    return step, False


def _punctuation(value: Any, _: Path) -> Made:
    if not isinstance(value, str) or value not in ("space", "remove", "keep"):
        raise DataError(f"one of space, remove, keep is expected, got {value!r}")
    if value == "keep":
        return str, False
    new = " " if value == "space" else ""

    def step(text: str) -> str:
        plain = text.replace("’", "'")  # noqa: RUF001 (the typographic apostrophe)
        return "".join(
            c if _stays(plain, i) else "" if unicodedata.category(c) == "Cf" else new
            for i, c in enumerate(plain)
        )

    return step, False


def _stays(text: str, i: int) -> bool:
    if text[i].isspace():
        return True
    if text[i] == "'":
        return 0 < i < len(text) - 1 and text[i - 1].isalnum() and text[i + 1].isalnum()
    return unicodedata.category(text[i])[0] not in "PSC"


def _equivalent(value: Any, _: Path) -> Made:
    canonical: dict[str, str] = {}
    if not isinstance(value, list):
        raise DataError('lists of equal words are expected, such as [["okay", "ok"]]')
    for group in value:
        if (
            not isinstance(group, list)
            or len(group) <= 1
            or not all(isinstance(word, str) and word.split() for word in group)
        ):
            raise DataError(f"a list of two words or more is expected, got {group!r}")
        canonical |= {" ".join(word.split()).lower(): group[0] for word in group[1:]}
    return _replacer(canonical), False


@cache
def _offered(groups: tuple[tuple[str, ...], ...]) -> Step:
    """Return a step that writes whole words and phrases with those that are the same."""
    ways: dict[str, list[str]] = {}
    for group in groups:
        for one in group:
            ways.setdefault(one.lower(), []).extend(other for other in group if other != one)

    def written(match: re.Match[str]) -> str:
        return f"{{ {' / '.join([match[0], *_found(ways, match[0], [])])} }}"

    pattern = _whole_words(ways)
    return lambda text: pattern.sub(written, text)


def _replacer(words: dict[str, str]) -> Step:
    """Return a step that replaces whole words and phrases; capitals do not count."""
    pattern = _whole_words(words)
    return lambda text: pattern.sub(lambda m: _found(words, m[0], m[0]), " ".join(text.split()))


def _found(words: Mapping[str, V], written: str, otherwise: V) -> V:
    """Return what is known of a word; "\u017ft" is "st" in capitals, but not in small letters."""
    known = words.get(written.lower())
    return words.get(written.upper().lower(), otherwise) if known is None else known


def _whole_words(words: Iterable[str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, longest))})(?!\S)", re.IGNORECASE)


def _numbers(value: Any, _: Path) -> Made:
    try:
        from text_to_num import alpha2digit
    except ImportError:
        raise MissingExtraError.of("numbers", "Rules for numbers") from None
    try:
        alpha2digit("one", value)
    except Exception:  # noqa: BLE001 (its errors have no common type)
        raise DataError(f"numbers are not known in the language {value!r}") from None
    return lambda text: str(alpha2digit(text, value)), False


def _glm_beside(value: Any, path: Path) -> Made:
    return _glm(path.parent / str(value))


def _glm(path: Path) -> Made:
    rules = []
    alternatives = False
    for number, line in read_lines(path):
        if not line.strip() or line.lstrip().startswith((";;", "*")):
            continue
        match = _GLM.fullmatch(line.strip())
        if match is None or not match["before"].strip():
            raise DataError.at(path, number, "a rule is [BEFORE] => [AFTER] / [LEFT] __ [RIGHT]")
        alternatives = alternatives or "{" in match["after"]
        rules.append((_glm_pattern(match), " ".join(match["after"].split())))

    def step(text: str) -> str:
        words = f" {' '.join(text.split())} "
        for pattern, new in rules:
            words = pattern.sub(lambda _, new=new: new, words)  # type: ignore[misc]
        return words

    return step, alternatives


def _glm_pattern(match: re.Match[str]) -> re.Pattern[str]:
    left, right = ((match[side] or "").strip() for side in ("left", "right"))
    before = " ".join(match["before"].split())
    behind = rf"(?<= {re.escape(left)} )" if left else r"(?<= )"
    ahead = rf"(?= {re.escape(right)} )" if right else r"(?= )"
    return re.compile(behind + re.escape(before) + ahead, re.IGNORECASE)


_STEPS: dict[str, Callable[[Any, Path], Made]] = {
    "unicode": _unicode,
    "case": _case,
    "brackets": _brackets,
    "regex": _regex,
    "punctuation": _punctuation,
    "numbers": _numbers,
    "glm": _glm_beside,
    _EQUIVALENT: _equivalent,
}
