"""The registry of operators, and their signatures: ``name(parameter=value, …)``."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from mondegreen.errors import OperatorError, PluginError, unknown
from mondegreen.operators.chain import Chain
from mondegreen.operators.protocol import Operator
from mondegreen.plugins import PYTHON, Registry

HUB = "hub:"
"""Begins the name of a model that is downloaded."""
_PACKAGE = "mondegreen.operators"
_THEN = " > "
_LONG = 60  # letters of a value that a short signature shows
OPERATORS: Registry[type[Operator]] = Registry(
    "operator",
    "mondegreen.operators",
    {
        "fillers": f"{_PACKAGE}.fillers:Fillers",
        "fillers.bos": f"{_PACKAGE}.place_fillers:BosFillers",
        "fillers.eos": f"{_PACKAGE}.place_fillers:EosFillers",
        "fillers.preverb": f"{_PACKAGE}.verb_fillers:PreverbFillers",
        "fillers.postverb": f"{_PACKAGE}.verb_fillers:PostverbFillers",
        "repeats": f"{_PACKAGE}.repeats:Repeats",
        "partials": f"{_PACKAGE}.partials:Partials",
        "repairs": f"{_PACKAGE}.repairs:Repairs",
        "restarts": f"{_PACKAGE}.restarts:Restarts",
        "discourse": f"{_PACKAGE}.discourse:Discourse",
        "disfluencies": f"{_PACKAGE}.disfluencies:Disfluencies",
        "typo": f"{_PACKAGE}.typo:Typo",
        "keyboard": f"{_PACKAGE}.keyboard:Keyboard",
        "autocorrect": f"{_PACKAGE}.autocorrect:Autocorrect",
        "autocomplete": f"{_PACKAGE}.autocomplete:Autocomplete",
        "synonym.naive": f"{_PACKAGE}.synonym:NaiveSynonym",
        "synonyms.verb": f"{_PACKAGE}.synonyms:VerbSynonyms",
        "synonyms.adjective": f"{_PACKAGE}.synonyms:AdjectiveSynonyms",
        "synonyms.adverb": f"{_PACKAGE}.synonyms:AdverbSynonyms",
        "synonyms.any": f"{_PACKAGE}.synonyms:AnySynonyms",
        "synonyms.stopword": f"{_PACKAGE}.synonyms:StopwordSynonyms",
        "speako": f"{_PACKAGE}.speako:Speako",
        "mondegreen": f"{_PACKAGE}.mondegreen:Mondegreen",
        "recogniser": f"{_PACKAGE}.recogniser:Recogniser",
        "spoken": f"{_PACKAGE}.spoken:Spoken",
        "typing": f"{_PACKAGE}.typing_errors:Typing",
        "spelling": f"{_PACKAGE}.spelling:Spelling",
        "antonym": f"{_PACKAGE}.antonym:Antonym",
        "tfidf": f"{_PACKAGE}.tfidf:TfIdfWords",
        "contextual": f"{_PACKAGE}.contextual:Contextual",
    },
)


def signature(operator: Operator, *, short: bool = False) -> str:
    """Return an operator as text, with the parameters that differ from their defaults.

    :func:`parse` reads it back. An operator whose edits have changed since its first release has
    its version in the text, as in ``name@2``.

    Args:
        operator: the operator.
        short: give a hash instead of a long value that was learnt; this cannot be read back.

    >>> from mondegreen.operators.fillers import Fillers
    >>> signature(Fillers(language="de"))
    "fillers@2(language='de')"
    """
    if len(operator.links) > 1:
        return _THEN.join(signature(link, short=short) for link in operator.links)
    given = []
    for field in fields(operator):  # type: ignore[arg-type]  # subclasses are dataclasses
        value = getattr(operator, field.name)
        if field.default is MISSING or value != field.default:
            text = repr(value)
            if short and field.name == operator.learnt and len(text) > _LONG:
                text = (
                    f"sha:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
                )
            given.append(f"{field.name}={text}")
    name = OPERATORS.name_of(type(operator))
    if operator.version > 1:
        name += f"@{operator.version}"
    return f"{name}({', '.join(given)})" if given else name


def parse(text: str, *, trust: bool = False) -> Operator:
    """Parse an operator from its name or signature; plain words need no quotes.

    Args:
        text: the name or signature.
        trust: whether it may run code or fetch models: an operator that is named by its place
            (``python:…``), a model of the hub (``hub:…``). Only if the user names it, not if a
            file does.

    >>> parse("fillers(words=[oof, agh])")
    Fillers(words=('oof', 'agh'), language='en', ambiguous=False, punctuate=False)

    Raises:
        OperatorError: if the name is unknown, or if the parameters are wrong.
    """
    links = split_chain(text)
    if len(links) > 1:
        return Chain(tuple(parse(link, trust=trust) for link in links))
    name, parameters = parse_call(text)
    name, _, version = name.partition("@")
    cls = operator_class(name, trust=trust)
    if version and version != str(cls.version):
        raise OperatorError(
            f"{name}: the signature needs version {version} of this operator, but version "
            f"{cls.version} is installed, which makes different edits; install a mondegreen "
            f"release with version {version}"
        )
    known = [field.name for field in fields(cls)]  # type: ignore[arg-type]  # a dataclass
    for parameter in parameters:
        if parameter not in known:
            raise OperatorError(f"{name}: {unknown('parameter', parameter, known)}")
    if not trust and any(map(_names_hub, parameters.values())):
        raise OperatorError(
            f"{name}: {text!r:.80} names a model of the hub, which is downloaded only if you name "
            "it yourself; here a file names it"
        )
    return _built(cls, parameters, text)


def split_chain(text: str) -> list[str]:
    """Split the text of a chain, ``a > b``, into its operators.

    >>> split_chain("fillers.bos(words=['a > b']) > typo")
    ["fillers.bos(words=['a > b'])", 'typo']
    """
    links, depth, quote, escaped = [""], 0, "", False
    for letter in text:
        if quote:
            quote = "" if letter == quote and not escaped else quote
            escaped = letter == "\\" and not escaped
        elif letter in "'\"":
            quote = letter
        elif letter == ">" and depth == 0:
            links.append("")
            continue
        depth += 0 if quote else (letter in "([") - (letter in ")]")
        links[-1] += letter
    return [link.strip() for link in links]


def chain(*operators: str | Operator) -> Chain:
    """Return an operator that applies operators one after another.

    It can be used wherever an operator can. Each operator changes what the one before it has made;
    slots are kept, and the edits of a variant are those of its source.

    >>> signature(chain("recogniser(wer=0.1)", "fillers"))
    'recogniser@7(wer=0.1) > fillers@2'

    Args:
        operators: names, signatures or operators, in order.

    Raises:
        OperatorError: if an operator is unknown, or if there are fewer than two.
    """
    parsed = (parse(one) if isinstance(one, str) else one for one in operators)
    return Chain(tuple(link for one in parsed for link in one.links))


def replaced(operator: Operator, parameter: str, value: Any) -> Operator:
    """Return an operator with another value of one parameter.

    Raises:
        OperatorError: if the value is wrong.
    """
    cls = type(operator)
    own = {field.name: getattr(operator, field.name) for field in fields(cls)}  # type: ignore[arg-type]  # a dataclass
    return _built(cls, own | {parameter: value}, operator.name)


def _built(cls: type[Operator], parameters: dict[str, Any], text: str) -> Operator:
    try:
        return cls(**parameters)
    except (TypeError, ValueError, AttributeError) as error:
        raise OperatorError(f"{text}: a parameter has a wrong value: {error}") from None


def operator(text: str) -> Operator:
    """Return an operator by its name or signature, as the user writes it.

    An operator that is named by its place, such as ``python:package.module:Class``, is imported.

    >>> operator("fillers(words=[oof, agh])").name
    'fillers'

    Raises:
        OperatorError: if the name is unknown, or if the parameters are wrong.
    """
    return parse(text, trust=True)


def operator_class(name: str, *, trust: bool = False) -> type[Operator]:
    """Return the class of an operator.

    Args:
        name: a built-in operator, one of a plugin, or ``python:package.module:Class``.
        trust: whether a ``python:`` operator may be imported.

    Raises:
        OperatorError: if there is no such operator, or if the class is not an operator.
    """
    try:
        cls = OPERATORS.imported(name) if trust else OPERATORS.named(name)
    except PluginError as error:
        raise OperatorError(str(error)) from None
    if name in OPERATORS.own:
        return cls
    found: object = cls
    if not (isinstance(found, type) and issubclass(found, Operator) and is_dataclass(found)):
        raise OperatorError(
            f"{name}: not an operator; write a frozen dataclass that inherits from "
            "mondegreen.Operator"
        )
    if cls.name != name and not name.startswith(PYTHON):
        raise OperatorError(
            f"{name}: the entry point and the class have different names; the class is named "
            f"{cls.name!r}"
        )
    return cls


def parse_call(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``name(parameter=value, …)`` into the name and the parameters.

    Raises:
        OperatorError: if the text is not of this form.
    """
    name, bracket, rest = text.strip().partition("(")
    if not bracket:
        return name, {}
    try:
        call = cast("ast.Call", ast.parse(f"_({rest}", mode="eval").body)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("parameters need names")  # noqa: TRY301 (reported below, with the text)
        return name, {str(k.arg): _value(k.value) for k in call.keywords}
    except (SyntaxError, ValueError, AttributeError) as error:
        raise OperatorError(
            f"{text!r} is not an operator ({error}); write name(parameter=value, …), "
            "such as fillers(words=[oof, agh]); put quotes around anything but plain words and "
            "numbers: 'my/file'"
        ) from None


def _names_hub(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_names_hub, value))
    return isinstance(value, str) and HUB in value


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(_value(item) for item in node.elts)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise ValueError(f"{ast.unparse(node)} is neither a number nor a word") from None
