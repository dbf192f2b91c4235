"""The operators by name, and signatures: ``name(parameter=value, …)``, which parse back."""

from __future__ import annotations

import ast
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from mondegreen.errors import OperatorError, PluginError, unknown
from mondegreen.operators.protocol import Operator
from mondegreen.plugins import PYTHON, Registry

_HERE = "mondegreen.operators"
OPERATORS: Registry[type[Operator]] = Registry(
    "operator",
    "mondegreen.operators",
    {
        "fillers": f"{_HERE}.fillers:Fillers",
        "fillers.bos": f"{_HERE}.place_fillers:BosFillers",
        "fillers.eos": f"{_HERE}.place_fillers:EosFillers",
        "fillers.preverb": f"{_HERE}.place_fillers:PreverbFillers",
        "fillers.postverb": f"{_HERE}.place_fillers:PostverbFillers",
        "repeats": f"{_HERE}.repeats:Repeats",
        "partials": f"{_HERE}.partials:Partials",
        "repairs": f"{_HERE}.repairs:Repairs",
        "restarts": f"{_HERE}.restarts:Restarts",
        "discourse": f"{_HERE}.discourse:Discourse",
        "disfluencies": f"{_HERE}.disfluencies:Disfluencies",
        "typo": f"{_HERE}.typo:Typo",
        "keyboard": f"{_HERE}.keyboard:Keyboard",
        "autocorrect": f"{_HERE}.autocorrect:Autocorrect",
        "autocomplete": f"{_HERE}.autocomplete:Autocomplete",
        "synonym.naive": f"{_HERE}.synonym:NaiveSynonym",
        "synonyms.verb": f"{_HERE}.synonyms:VerbSynonyms",
        "synonyms.adjective": f"{_HERE}.synonyms:AdjectiveSynonyms",
        "synonyms.adverb": f"{_HERE}.synonyms:AdverbSynonyms",
        "synonyms.any": f"{_HERE}.synonyms:AnySynonyms",
        "synonyms.stopword": f"{_HERE}.synonyms:StopwordSynonyms",
        "speako": f"{_HERE}.speako:Speako",
        "mondegreen": f"{_HERE}.mondegreen:Mondegreen",
        "typing": f"{_HERE}.typing_errors:Typing",
        "spelling": f"{_HERE}.spelling:Spelling",
        "antonym": f"{_HERE}.antonym:Antonym",
        "tfidf": f"{_HERE}.tfidf:TfIdfWords",
        "contextual": f"{_HERE}.contextual:Contextual",
    },
)
_PLACES: dict[type[Operator], str] = {}
"""The ``python:`` names of operators that were loaded by their place."""


def signature(operator: Operator) -> str:
    """Return an operator as text, with the parameters that differ from their defaults.

    An operator whose edits have changed since its first release carries its version.

    >>> from mondegreen.operators.fillers import Fillers
    >>> signature(Fillers(language="de"))
    "fillers(language='de')"
    """
    given = []
    for field in fields(operator):  # type: ignore[arg-type]  # subclasses are dataclasses
        value = getattr(operator, field.name)
        if field.default is MISSING or value != field.default:
            given.append(f"{field.name}={value!r}")
    name = _PLACES.get(type(operator), operator.name)
    if operator.version > 1:
        name += f"@{operator.version}"
    return f"{name}({', '.join(given)})" if given else name


def parse(text: str) -> Operator:
    """Read an operator from its name or signature; plain words need no quotes.

    >>> parse("fillers(words=[oof, agh])")
    Fillers(words=('oof', 'agh'), language='en', ambiguous=False, punctuate=False)

    Raises:
        OperatorError: if the name is unknown, or if the parameters are wrong.
    """
    name, parameters = _take_apart(text)
    name, _, version = name.partition("@")
    kind = operator_class(name)
    if version and version != str(kind.version):
        raise OperatorError(
            f"{name}: version {version} of this operator is asked for, and version {kind.version} "
            "is installed, which makes other edits; install the mondegreen that has it"
        )
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]  # a dataclass
    for parameter in parameters:
        if parameter not in known:
            raise OperatorError(f"{name}: {unknown('parameter', parameter, known)}")
    try:
        return kind(**parameters)
    except (TypeError, ValueError, AttributeError) as error:
        raise OperatorError(f"{text}: a parameter has a wrong value: {error}") from None


def operator_class(name: str) -> type[Operator]:
    """Return the class of an operator: ours, a plugin's, or ``python:package.module:Class``.

    Raises:
        OperatorError: if there is no such operator, or if it is not an operator.
    """
    try:
        kind = OPERATORS.named(name)
    except PluginError as error:
        raise OperatorError(str(error)) from None
    if name in OPERATORS.own:
        return kind
    found: object = kind
    if not (isinstance(found, type) and issubclass(found, Operator) and is_dataclass(found)):
        raise OperatorError(
            f"{name}: not an operator; write a frozen dataclass that inherits from "
            "mondegreen.Operator"
        )
    if name.startswith(PYTHON):
        _PLACES[kind] = name
    elif kind.name != name:
        raise OperatorError(
            f"{name}: the entry point and the class have different names; the class is named "
            f"{kind.name!r}"
        )
    return kind


def _take_apart(text: str) -> tuple[str, dict[str, Any]]:
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    try:
        call = cast("ast.Call", ast.parse(f"_({rest}", mode="eval").body)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("parameters need their names")  # noqa: TRY301 (reported below, with the text)
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
