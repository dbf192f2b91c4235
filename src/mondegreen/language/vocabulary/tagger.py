"""Part-of-speech tagging of short utterances, in any case, with or without punctuation."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from mondegreen.errors import MissingExtraError, OperatorError
from mondegreen.kernel import Tagger
from mondegreen.resources import read_resource
from mondegreen.types import Utterance

if TYPE_CHECKING:
    from numpy.typing import NDArray

Tag = Callable[[tuple[str, ...]], tuple[str, ...]]
"""A tagger: returns one Universal part of speech (VERB, AUX, NOUN, …) per token."""

_MARKS = ".,;:!?…\"“”„«»()[]{}<>|*~`´‘’'–—-"  # noqa: RUF001 (typographic marks)
_APOSTROPHES = str.maketrans("’‘`´", "''''")  # noqa: RUF001 (apostrophes)
_CLITICS = frozenset(("'s", "'t", "'d", "'m", "'ll", "'re", "'ve", "'em", "'til", "'cause"))
_CACHED = 16_384  # utterances
GRAMMAR = frozenset(("DET", "PRON", "ADP", "AUX", "CCONJ", "SCONJ", "PART"))
_NAMES = ("PROPN", "NUM", "NOUN")  # parts of speech of entities, the likeliest first


@lru_cache(_CACHED)
def form_of(token: str) -> bytes:
    """Return the form of a token that the tagger reads; empty for punctuation.

    >>> form_of("Don't,"), form_of("'s"), form_of("?!"), form_of("$5")
    (b"don't", b"'s", b'', b'$5')
    """
    lower = token.lower().translate(_APOSTROPHES)
    core = lower.strip(_MARKS)
    if "'" + core in _CLITICS and lower.lstrip('"(').startswith("'"):
        core = "'" + core
    if not core and len(set(lower)) > 1 and not set(lower) <= set(".!?,"):
        core = lower  # marks that are not punctuation, such as ":)"
    return core.encode("utf-8", "surrogatepass")


@cache
def _model() -> Mapping[str, NDArray[Any]]:
    import numpy as np

    with np.load(io.BytesIO(read_resource("tagger.npz")), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


@cache
def _own() -> Tagger:
    return Tagger(_model(), form_of)


@lru_cache(_CACHED)
def tag(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the Universal part of speech of each token.

    >>> tag(("add", "tune", "to", "sxsw", "fresh", "playlist"))
    ('VERB', 'NOUN', 'ADP', 'PROPN', 'ADJ', 'NOUN')
    """
    return _own().tag(tokens)


@lru_cache(_CACHED)
def part_in_place(tokens: tuple[str, ...], at: int, word: str, name: str = "") -> str:
    """Return the part of speech that a word has in place of the token at a position.

    ``name`` is the name of a tagger.

    >>> part_in_place(("book", "a", "table"), 0, "reserve")
    'VERB'
    """
    if not name:
        part: str = _own().tag_in_place(tokens, at, word)
        return part
    return tagger(name)((*tokens[:at], word, *tokens[at + 1 :]))[at]


@cache
def tagger(name: str = "") -> Tag:
    """Return a tagger by its name: ``spacy:MODEL``, or an empty name for the package's own.

    >>> tagger()(("book", "a", "table"))
    ('VERB', 'DET', 'NOUN')

    Raises:
        OperatorError: if the name is unknown, or if spaCy does not have the model.
        MissingExtraError: if spaCy is not installed.
    """
    if not name:
        return tag
    library, _, model = name.partition(":")
    if library != "spacy" or not model:
        raise OperatorError(
            f"No tagger named {name!r}. Leave it out for the default tagger, or name a spaCy "
            "model, such as tagger='spacy:en_core_web_sm'."
        )
    return _spacy(model)


def _spacy(model: str) -> Tag:
    try:
        import spacy
        from spacy.tokens import Doc
    except ImportError:
        raise MissingExtraError.of("spacy", "spaCy's taggers") from None
    try:
        pipeline = spacy.load(model, exclude=["ner"])
    except OSError:
        raise OperatorError(
            f"spaCy has no model {model!r}; install it with: python -m spacy download {model}"
        ) from None

    @lru_cache(_CACHED)
    def tag_with_spacy(tokens: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(token.pos_ for token in pipeline(Doc(pipeline.vocab, words=list(tokens))))

    return tag_with_spacy


@lru_cache(_CACHED)
def stop_word(token: str) -> bool:
    """Return whether a token is mostly used as a function word.

    >>> stop_word("the"), stop_word("You,"), stop_word("playlist")
    (True, True, False)
    """
    form = form_of(token).decode("utf-8", "surrogatepass")
    return form in _stop_words()


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(str(_model()["stops"]).split())


def first_entity(utterance: Utterance, tagger: Tag = tag) -> int | None:
    """Return the position of the first entity: a slot, else a name, a number or a noun.

    Without any of these, it is the last content word, or the last word; ``None`` if the utterance
    is empty.

    >>> first_entity(Utterance.of("u1", "what is the weather in paris"))
    5
    """
    if utterance.slots:
        return utterance.slots[0].start
    tags = tagger(utterance.tokens)
    for name in _NAMES:
        if name in tags:
            return tags.index(name)
    words = [i for i, tag in enumerate(tags) if tag != "PUNCT"] or list(range(len(tags)))
    content = [i for i in words if tags[i] not in GRAMMAR]
    found = content or words
    return found[-1] if found else None
