"""Texts as values are read in them: tokens that count, and what stands between them."""

from __future__ import annotations

from typing import NamedTuple

from mondegreen.text.patterns import lazy_pattern
from mondegreen.values.grammar import Grammar
from mondegreen.values.tokens import ValueToken, plain, tokens

_NEVER = frozenset("\"'()[]{}!?;…¿¡|“”")
UNSPACED = "\u2e80"  # the first character of scripts without spaces
_PARTING = frozenset(".-_:")
ADDRESS = lazy_pattern(
    r"[^\s@]*@[^\s@]*\w|\S+://\S*\w|www\.\S*\w|(?<!\S)(?:[\w-]{2,}|[\w-]+(?=\.[\w-]{3}))(?:\.[^\W\d_][\w-]+)+(?:/\S*\w)?"
    r"|(?<!\S)\S*\w[/\\][^\W\d_]\S*\w"
)
"""An address, whose dots and hyphens count."""
_DIGIT_SIGNS = frozenset(".,:")


class Text(NamedTuple):
    """A text: its tokens, what stands before each of them, and words that were split."""

    text: str
    tokens: list[ValueToken]
    gaps: list[str]
    words: list[tuple[int, int, str]]


def read(text: str, grammar: Grammar) -> Text:
    """Return the tokens of a text that count; quotes, full stops and hyphens go to the gaps."""
    text = plain(text).strip()
    found = tokens(text, accents=grammar.accents)
    kept: list[ValueToken] = []
    gaps: list[str] = []
    words: list[tuple[int, int, str]] = []
    end = 0
    addresses = [(match.start(), match.end()) for match in ADDRESS.finditer(text)]
    for at, token in enumerate(found):
        if not token.text[0].isalnum() and _vanishes(found, at, grammar):
            inside = any(start < token.start and token.end < stop for start, stop in addresses)
            if not inside or token.text not in _PARTING or _abbreviates(found, at, grammar):
                continue
        gap = text[end : token.start]
        end = token.end
        parts = _split(token, grammar)
        if len(parts) > 1:
            words.append((len(kept), len(kept) + len(parts), token.text))
        kept += parts
        gaps += [gap, *[""] * (len(parts) - 1)]
    return Text(text, kept, gaps, words)


def _vanishes(found: list[ValueToken], at: int, grammar: Grammar) -> bool:
    """Return whether a sign says nothing: a full stop, a hyphen between words, a quote."""
    token = found[at]
    sign = token.text
    if sign in _NEVER:
        return not (sign in "\"'" and _is_unit(found, at))
    before = found[at - 1] if at and _tight(found, at) else None
    after = found[at + 1] if at + 1 < len(found) and _tight(found, at + 1) else None
    digits_after = after is not None and after.text.isdecimal()
    digits_before = before is not None and before.text.isdecimal()
    if sign in _DIGIT_SIGNS:
        if sign == "." and digits_after and (before is None or not before.text[0].isalnum()):
            return False
        return not (digits_before and digits_after)
    if sign == "-":
        follows = before is not None and (_is_word(before.text) or before.text == ")")
        return follows or not (
            digits_after or _is_money(after) or _is_sign_of_number(after, grammar)
        )
    return False


def _is_unit(found: list[ValueToken], at: int) -> bool:
    """Return whether a quote is a sign of feet or inches: 5' 3", not '25' or 80's."""
    if not at or not found[at - 1].text.isdecimal() or not _tight(found, at):
        return False
    quoted = at > 1 and found[at - 2].text == found[at].text and _tight(found, at - 1)
    letter = at + 1 < len(found) and found[at + 1].text[0].isalpha() and _tight(found, at + 1)
    return not (quoted or letter)


def _abbreviates(found: list[ValueToken], at: int, grammar: Grammar) -> bool:
    """Return whether what is around a full stop is an abbreviation of two words ("Sig.ra")."""
    if found[at].text != "." or not at or at + 1 >= len(found):
        return False
    after = found[at + 1].key
    longer = grammar.meanings(found[at - 1].key).longer.get(after, ())
    return any(one.kind == "label" and one.rest == (after,) for one in longer)


def _is_word(text: str) -> bool:
    """Return whether a token is letters or digits; not a character of a script without spaces."""
    return text[0].isalnum() and (len(text) > 1 or text < UNSPACED or text.isdecimal())


def _is_money(token: ValueToken | None) -> bool:
    return token is not None and (token.text in "$€£¥" or token.text == ".")


def _is_sign_of_number(token: ValueToken | None, grammar: Grammar) -> bool:
    """Return whether a token is a number of a script without spaces."""
    if token is None or token.text < UNSPACED:
        return False
    return any(meaning.kind in ("add", "mul") for meaning in grammar.meanings(token.key).alone)


def _tight(found: list[ValueToken], at: int) -> bool:
    return found[at - 1].end == found[at].start


def _split(token: ValueToken, grammar: Grammar) -> list[ValueToken]:
    """Return the parts of a number in one word, such as "vierundzwanzig"; else the token."""
    morphemes = grammar.morphemes
    if not morphemes or token.key in morphemes or not token.key[:1].isalpha():
        return [token]
    pieces = grammar.pieces.get(token.key)
    if pieces is None:
        pieces = grammar.pieces[token.key] = _pieces(token.key, morphemes)
    if len(pieces) < 2:  # noqa: PLR2004 (a whole is no compound)
        return [token]
    parts, start = [], token.start
    for at, piece in enumerate(pieces):
        end = token.end if at == len(pieces) - 1 else start
        parts.append(ValueToken(piece, piece, start, end))
        start = end
    return parts


def _pieces(word: str, morphemes: frozenset[str]) -> list[str]:
    """Return the fewest morphemes that make up a word; none if it is not made of them."""
    best: list[list[str] | None] = [[], *[None] * len(word)]
    longest = 20
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - longest), end):
            before = best[start]
            if before is None or word[start:end] not in morphemes:
                continue
            now = best[end]
            if now is None or len(before) + 1 < len(now):
                best[end] = [*before, word[start:end]]
    return best[-1] or []
