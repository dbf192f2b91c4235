"""The operators by name, and signatures: ``name(parameter=value, …)``, which parse back."""

from __future__ import annotations

import ast
from dataclasses import MISSING, fields
from typing import Any, cast

from mondegreen.errors import OperatorError, unknown
from mondegreen.operators.antonym import Antonym
from mondegreen.operators.autocomplete import Autocomplete
from mondegreen.operators.autocorrect import Autocorrect
from mondegreen.operators.contextual import Contextual
from mondegreen.operators.discourse import Discourse
from mondegreen.operators.disfluencies import Disfluencies
from mondegreen.operators.fillers import Fillers
from mondegreen.operators.keyboard import Keyboard
from mondegreen.operators.mondegreen import Mondegreen
from mondegreen.operators.partials import Partials
from mondegreen.operators.place_fillers import (
    BosFillers,
    EosFillers,
    PostverbFillers,
    PreverbFillers,
)
from mondegreen.operators.protocol import Operator
from mondegreen.operators.repairs import Repairs
from mondegreen.operators.repeats import Repeats
from mondegreen.operators.restarts import Restarts
from mondegreen.operators.speako import Speako
from mondegreen.operators.spelling import Spelling
from mondegreen.operators.synonym import NaiveSynonym
from mondegreen.operators.synonyms import (
    AdjectiveSynonyms,
    AdverbSynonyms,
    AnySynonyms,
    StopwordSynonyms,
    VerbSynonyms,
)
from mondegreen.operators.tfidf import TfIdfWords
from mondegreen.operators.typing_errors import Typing
from mondegreen.operators.typo import Typo

OPERATORS: dict[str, type[Operator]] = {
    kind.name: kind
    for kind in (
        Fillers,
        BosFillers,
        EosFillers,
        PreverbFillers,
        PostverbFillers,
        Repeats,
        Partials,
        Repairs,
        Restarts,
        Discourse,
        Disfluencies,
        Typo,
        Keyboard,
        Autocorrect,
        Autocomplete,
        NaiveSynonym,
        VerbSynonyms,
        AdjectiveSynonyms,
        AdverbSynonyms,
        AnySynonyms,
        StopwordSynonyms,
        Speako,
        Mondegreen,
        Typing,
        Spelling,
        Antonym,
        TfIdfWords,
        Contextual,
    )
}


def signature(operator: Operator) -> str:
    """Write an operator as text; only what differs from the defaults is said.

    >>> signature(Fillers(language="de"))
    "fillers(language='de')"
    """
    said = []
    for field in fields(operator):  # type: ignore[arg-type]  # subclasses are dataclasses
        value = getattr(operator, field.name)
        if field.default is MISSING or value != field.default:
            said.append(f"{field.name}={value!r}")
    return f"{operator.name}({', '.join(said)})" if said else operator.name


def parse(text: str) -> Operator:
    """Read an operator from its name or signature; plain words need no quotes.

    >>> parse("fillers(words=[oof, agh])")
    Fillers(words=('oof', 'agh'), language='en', ambiguous=False, punctuate=False)

    Raises:
        OperatorError: if the name is unknown, or if the parameters do not fit.
    """
    name, parameters = _take_apart(text)
    try:
        kind = OPERATORS[name]
    except KeyError:
        raise OperatorError(unknown("operator", name, OPERATORS)) from None
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # a dataclass
    for parameter in parameters:
        if parameter not in known:
            raise OperatorError(f"{name}: {unknown('parameter', parameter, known)}")
    try:
        return kind(**parameters)
    except (TypeError, ValueError, AttributeError) as error:
        raise OperatorError(f"{text}: a parameter is of the wrong kind: {error}") from None


def _take_apart(text: str) -> tuple[str, dict[str, Any]]:
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    try:
        call = cast("ast.Call", ast.parse(f"_({rest}", mode="eval").body)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("parameters need their names")  # noqa: TRY301 (said below, with the text)
        return name, {str(k.arg): _value(k.value) for k in call.keywords}
    except (SyntaxError, ValueError, AttributeError) as error:
        raise OperatorError(
            f"{text!r} is not an operator ({error}); write name(parameter=value, …), "
            "such as fillers(words=[oof, agh]); what is not a plain word needs quotes: 'my/file'"
        ) from None


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)} is neither a number nor a word") from None
