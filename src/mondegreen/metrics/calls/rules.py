"""When a call is right, by the rules of BFCL's checker.

A call is right if it names the tool, gives every argument that is expected and no other, each with
the type of the schema and one of the possible values. Texts are compared without case, spaces and
the signs ``, . / - _ * ^``. An argument whose possible values include the empty text may be left
out. Several calls may come in any order. Tools whose parameters name a language, Java or
JavaScript, get texts of code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mondegreen.data.answers.conversations import LANGUAGE, Call
from mondegreen.metrics.calls.languages import TYPES, converted
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import MadeCall

Schema = Mapping[str, Any]
_TYPES: dict[str, type] = {
    "string": str, "integer": int, "float": float, "boolean": bool, "array": list, "tuple": list,
    "dict": dict, "any": str, "number": float, "object": dict,
}  # fmt: skip
_FLOATS = ("float", "number")
_IGNORED = lazy_pattern(r"[ ,./\-_*^]")


def calls_right(
    functions: Mapping[str, Schema], made: Sequence[MadeCall], expected: Sequence[Call]
) -> bool:
    """Return whether the calls that were made are those that are expected, in any order."""
    return len(made) == len(expected) and None not in pair_calls(functions, made, expected)


def pair_calls(
    functions: Mapping[str, Schema], made: Sequence[MadeCall], expected: Sequence[Call]
) -> list[MadeCall | None]:
    """Return for each expected call the first right one that is left, or ``None``."""
    left = list(made)
    found: list[MadeCall | None] = []
    for wanted in expected:
        schema = functions.get(wanted.name, {})
        at = next((i for i, call in enumerate(left) if call_right(schema, call, wanted)), None)
        found.append(None if at is None else left.pop(at))
    return found


def call_right(function: Schema, made: MadeCall, expected: Call) -> bool:
    """Return whether one call is the one that is expected."""
    parameters = function.get("parameters") or {}
    given = made.arguments
    if made.name != expected.name or not set(parameters.get("required") or ()) <= given.keys():
        return False
    details = properties_of(parameters)
    for name, value in given.items():
        possible = expected.arguments.get(name)
        if possible is None or (details and name not in details):
            return False
        if not argument_right(details.get(name, {}), value, possible, parameters):
            return False
    return all(name in given or "" in possible for name, possible in expected.arguments.items())


def properties_of(parameters: Schema) -> Mapping[str, Schema]:
    """Return the schemas of the arguments; of a schema by reference, those that it refers to."""
    properties = _resolved(parameters, parameters).get("properties")
    return properties if isinstance(properties, Mapping) else {}


def argument_right(schema: Schema, value: Any, possible: Sequence[Any], root: Schema) -> bool:
    """Return whether the value of an argument has its type and is one of the possible ones.

    >>> argument_right({"type": "string"}, "new york", ["New York"], {})
    True
    >>> argument_right({"type": "integer"}, "5", [5], {})
    False
    """
    return any(_right(one, value, possible, root) for one in _alternatives(schema, root))


def _alternatives(schema: Schema, root: Schema) -> Iterator[Schema]:
    """Yield the schemas that a value may have: ``$ref``, ``anyOf`` and lists of types resolved."""
    schema = _resolved(schema, root)
    for key in ("anyOf", "oneOf"):
        if isinstance(schema.get(key), list):
            for one in schema[key]:
                yield from _alternatives(one, root)
            return
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        yield {**schema, "type": kind}


def _resolved(schema: Schema, root: Schema) -> Schema:
    """Follow a reference within the schema; one that leads nowhere allows everything."""
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found.get(part, {}) if isinstance(found, Mapping) else {}
    return found if isinstance(found, Mapping) and "$ref" not in found else {}


def _right(schema: Schema, value: Any, possible: Sequence[Any], root: Schema) -> bool:
    named, language = schema.get("type"), root.get(LANGUAGE)
    types = TYPES.get(language, _TYPES) if isinstance(language, str) else _TYPES
    kind = types.get(named) if isinstance(named, str) else None
    if kind is None:  # no type, or one that BFCL does not know: only the value counts
        return value in possible or (isinstance(value, str) and _text_right(value, possible))
    items = _items_type(schema, root) if kind is list else None
    nested = types.get(items) if items is not None else None
    if types is not _TYPES:
        if not isinstance(value, str):
            return False
        value = converted(str(language), value, str(named), items)
    elif named in _FLOATS and type(value) is int:
        value = float(value)
    elif named == "tuple" and type(value) is tuple:
        value = list(value)  # as JSON writes it, in the possible values
    valid, variable = _typed(value, possible, kind, nested)
    return valid and (
        value in possible if variable else _value_right(value, possible, kind, nested)
    )


def _value_right(value: Any, possible: Sequence[Any], kind: type, nested: type | None) -> bool:
    if kind is dict:
        return _object_right(value, possible)
    if kind is list and nested is dict:
        return _objects_right(value, possible)
    if kind is str:
        return _text_right(value, possible)
    return _list_right(value, possible) if kind is list else value in possible


def _items_type(schema: Schema, root: Schema) -> str | None:
    items = schema.get("items")
    items = _resolved(items, root) if isinstance(items, Mapping) else {}
    named = items.get("type")
    return named if isinstance(named, str) else None


def _typed(
    value: Any, possible: Sequence[Any], kind: type, nested: type | None
) -> tuple[bool, bool]:
    """Return whether a value has a type that is allowed, and whether it is a variable.

    Where the possible values are of another type than the schema, they are names of variables.
    """
    of_answers = next((type(one) for one in possible if one != ""), None)
    variable = of_answers is not None and of_answers is not kind
    if type(value) is kind:
        if nested is None:
            return True, variable
        return any(_items_typed(value, one, nested) for one in possible), variable
    return of_answers is not None and type(value) is of_answers, True


def _items_typed(items: Any, possible: Any, kind: type) -> bool:
    if not isinstance(possible, list):
        return True
    return all(_typed(item, possible, kind, None)[0] for item in items)


def _standard(value: Any) -> Any:
    return _IGNORED.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value


def _text_right(value: str, possible: Sequence[Any]) -> bool:
    return _standard(value) in [_standard(one) for one in possible if isinstance(one, str)]


def _list_right(value: Sequence[Any], possible: Sequence[Any]) -> bool:
    wanted = [list(map(_standard, one)) for one in possible if isinstance(one, list | str)]
    return list(map(_standard, value)) in wanted


def _object_right(value: Any, possible: Sequence[Any]) -> bool:
    return any(_keys_right(value, one) for one in possible if isinstance(one, Mapping))


def _keys_right(value: Any, wanted: Mapping[str, Any]) -> bool:
    if not isinstance(value, Mapping):
        return False
    for key, item in value.items():
        if key not in wanted or _standard(item) not in list(map(_standard, wanted[key])):
            return False
    return all(key in value or "" in answers for key, answers in wanted.items())


def _objects_right(value: Sequence[Any], possible: Sequence[Any]) -> bool:
    return any(
        len(value) == len(wanted)
        and all(
            one != "" and _keys_right(item, one) for item, one in zip(value, wanted, strict=True)
        )
        for wanted in possible
        if isinstance(wanted, list | str)
    )
