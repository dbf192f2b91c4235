r"""Arguments written in Java or JavaScript, read as BFCL's checker reads them.

Functions in these languages get every argument as a text of code (``"5L"``, ``"[1, 2]"``,
``"new int[]{1, 2}"``), which becomes a value by the type that the function names. Code that is not
of that type stays a text: a name of a variable, or a wrong answer.

BFCL's converters are a set of regular expressions, with their peculiarities (a list is split at
every comma); what they return is returned here, in time that grows with the length of the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mondegreen.data.answers.conversations import JAVA, JAVASCRIPT
from mondegreen.text.patterns import lazy_pattern

TYPES: Mapping[str, Mapping[str, type]] = {
    JAVA: {
        "byte": int, "short": int, "integer": int, "float": float, "double": float, "long": int,
        "boolean": bool, "char": str, "Array": list, "ArrayList": list, "Set": set,
        "HashMap": dict, "Hashtable": dict, "Queue": list, "Stack": list, "String": str, "any": str,
    },
    JAVASCRIPT: {
        "String": str, "integer": int, "float": float, "Bigint": int, "Boolean": bool, "dict": dict,
        "array": list, "any": str,
    },
}  # fmt: skip
"""The types of the languages, each with that of the values that the possible answers have."""
_LONGEST = 20_000  # characters of code; longer code stays a text
_NUMBER = r"-?\d+(?:\.\d+)?"
_INTEGER = lazy_pattern(r"-?\d+$")
_LONG = lazy_pattern(r"-?\d+[lL]$")
_BIGINT = lazy_pattern(r"-?\d+n$")
_DOUBLE = lazy_pattern(_NUMBER + r"(?:[eE][+-]?\d+)?$")
_FLOAT = lazy_pattern(_NUMBER + r"(?:[eE][+-]?\d+)?[fF]$")
_PLAIN = lazy_pattern(_NUMBER + "$")
_AS_LIST = lazy_pattern(r"new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)")
_ADDED = lazy_pattern(r"new\s+ArrayList<\w*>\(\)\s*\{\{\s*")
_ADD = lazy_pattern(r"add\((.[^)\n]*)\)")
_NEW_LIST = lazy_pattern(r"new\s+ArrayList<\w*>\(\)")
_ARRAY = lazy_pattern(r"new\s+\w+\[\]\s*\{([^}\n]*)\}")
_MAP = lazy_pattern(r"(?s)new\s+HashMap<.*?>\s*\(\)\s*\{")
_NEW_MAP = lazy_pattern(r"new\s+HashMap<.*?>\s*\(\)")
_KEY_END = lazy_pattern(r"\",\s*")
_LIST = lazy_pattern(r"\[([^\]\n]*)\]|new\s+Array\(([^)\n]*)\)")
_NESTED_LIST = lazy_pattern(r"(?:\[|new\s+Array\()\s*\[")
_INNER = lazy_pattern(r"\[([^\]\n]*)\]")


def converted(language: str, code: str, named: str, nested: str | None) -> Any:
    """Return the value of code of a type; code that is not of the type stays a text.

    >>> converted("java", "5L", "long", None), converted("java", "5", "long", None)
    (5, '5')
    >>> converted("javascript", "['a', 'b']", "array", "String")
    ['a', 'b']
    """
    if len(code) > _LONGEST:
        return code
    try:
        return (_java if language == JAVA else _javascript)(code, named, nested)
    except ValueError:  # a number of thousands of digits
        return code


def _number(pattern: Any, kind: Callable[[str], Any], code: str, ending: str = "") -> Any:
    if not pattern.match(code):
        return code
    return kind(code.rstrip("\n").rstrip(ending) if ending else code)


def _java(code: str, named: str, nested: str | None) -> Any:
    if named in ("byte", "short", "integer"):
        return _number(_INTEGER, int, code)
    if named == "float":
        return _number(_FLOAT, float, code, "fF")
    if named == "double":
        return _number(_DOUBLE, float, code)
    if named == "long":
        return _number(_LONG, int, code, "lL")
    if named == "boolean":
        return code == "true" if code in ("true", "false") else code
    if named == "ArrayList":
        return _array_list(code, nested)
    if named == "Array":
        return _array(code, nested)
    return _hash_map(code) if named == "HashMap" else code


def _array_list(code: str, nested: str | None) -> Any:
    if found := _AS_LIST.search(code):
        return [_element(one.strip(), nested) for one in found[1].split(",")]
    if found := _ADDED.search(code):
        begin, end = found.end(), code.find("}}", found.end() + 1)
        return [
            _element(one.strip(), nested) for one in _ADD.findall(code[begin : max(end, begin)])
        ]
    return [] if _NEW_LIST.search(code) else code


def _element(code: str, nested: str | None) -> Any:
    if nested in ("char", "String"):
        return code[1:-1]  # without its quotes
    return _java(code, nested, None) if nested else _java_value(code)


def _array(code: str, nested: str | None) -> Any:
    if not (found := _ARRAY.search(code)):
        return code
    items = [one.strip() for one in found[1].split(",") if one.strip()]
    return [_java(one, nested, None) if nested else _java_value(one) for one in items]


def _hash_map(code: str) -> Any:
    found = _MAP.search(code)
    end = code.find("}", found.end()) if found else -1
    if not found or end < 0:
        return {} if _NEW_MAP.search(code) else code
    inner = code[found.end() : end].strip()
    return {key: _java_value(value) for key, value in _puts(inner.removeprefix("{").strip())}


def _puts(code: str) -> Iterator[tuple[str, str]]:
    r"""Yield what ``put\("(.*?)",\s*(.*?)\)`` finds, in linear time."""
    ends = [(one.start(), one.end(), code.find(")", one.end())) for one in _KEY_END.finditer(code)]
    ends = [one for one in ends if one[2] >= 0 and "\n" not in code[one[1] : one[2]]]
    at = place = 0
    while (at := code.find('put("', at)) >= 0:
        begin = at + len('put("')
        while place < len(ends) and ends[place][0] < begin:
            place += 1
        if place < len(ends) and "\n" not in code[begin : ends[place][0]]:
            key_end, value, at = ends[place]
            yield code[begin:key_end], code[value:at].strip()
        else:
            at += 1


def _java_value(code: str) -> Any:
    if code in ("true", "false"):
        return code == "true"
    if code.startswith('"') and code.endswith('"'):
        return code[1:-1]
    if _LONG.match(code):
        return int(code.rstrip("\n")[:-1])
    if _FLOAT.match(code):
        return float(code.rstrip("\n")[:-1])
    return _plain_number(code)


def _plain_number(code: str) -> Any:
    for kind in (int, float):
        try:
            return kind(code)
        except ValueError:
            continue
    return code


def _quoted(code: str) -> bool:
    return any(code.startswith(quote) and code.endswith(quote) for quote in ('"', "'"))


def _javascript(code: str, named: str, nested: str | None) -> Any:
    if named == "String":
        return code[1:-1] if _quoted(code) else code
    if named == "integer":
        return _number(_INTEGER, int, code)
    if named == "float":
        return _number(_PLAIN, float, code)
    if named == "Bigint":
        return int(code.rstrip("\n")[:-1]) if _BIGINT.match(code) else code
    if named == "Boolean":
        return code == "true" if code in ("true", "false") else code
    if named == "dict":
        return _object(code.strip())
    return _list(code.strip(), nested) if named == "array" else code


def _list(code: str, nested: str | None) -> Any:
    end = _end_of_lists(code)
    if end is not None:
        inner = [one.strip() for one in _INNER.findall(code[:end])]
        inner[:1] = [one.removeprefix("[") for one in inner[:1]]
        return [[_javascript_value(one) for one in items.split(",")] for items in inner]
    if not (found := _LIST.match(code)):
        return code
    items = (found[1] if found[1] is not None else found[2]).strip()
    values = [one.strip() for one in items.split(",")] if items else []
    if not nested:
        return [_javascript_value(one) for one in values]
    try:
        return [_javascript(one, nested, None) for one in values]
    except ValueError:
        return code


def _end_of_lists(code: str) -> int | None:
    r"""Return where the text ends that BFCL takes for a list of lists; ``None`` if it is none.

    That is a match of ``\[\s*\[.*?\]\s*(,\s*\[.*?\]\s*)*\]``, or the same after ``new Array(``. A
    regular expression tries all ways to divide the text; from its end to its beginning, each place
    is looked at once.
    """
    begin = _NESTED_LIST.match(code)
    if begin is None:
        return None
    close = "]" if code.startswith("[") else ")"
    length = len(code)
    solid = [length] * (length + 2)  # the next place that is no space
    inner: list[int | None] = [None] * (length + 2)  # where all ends, if an inner list goes on here
    for at in range(length - 1, begin.end() - 1, -1):
        letter = code[at]
        solid[at] = solid[at + 1] if letter.isspace() else at
        if letter == "\n":
            continue
        inner[at] = inner[at + 1]
        if letter == "]" and (next := solid[at + 1]) < length:
            if code[next] == close:
                inner[at] = next + 1
            elif code[next] == "," and code[solid[next + 1] : solid[next + 1] + 1] == "[":
                further = inner[solid[next + 1] + 1]
                inner[at] = inner[at] if further is None else further
    return inner[begin.end()]


def _object(code: str) -> Any:
    if code == "{}":
        return {}
    end = code.find("}")
    if not code.startswith("{") or end < 0 or "\n" in code[:end]:
        return code
    found = {}
    for key, value in _pairs(code[1:end]):
        if value.startswith("[") and value.endswith("]"):
            found[key] = _list(value, None)
        elif value.startswith("{") and value.endswith("}"):
            found[key] = _object(value)
        else:
            found[key] = _javascript_value(value.strip("'\""))
    return found


def _pairs(content: str) -> Iterator[tuple[str, str]]:
    r"""Yield what ``([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)`` finds, in linear time.

    A value ends at a comma after which a key follows: a colon before the next comma.
    """
    commas = [at for at, letter in enumerate(content) if letter == ","]
    bounds = list(zip(commas, [*commas[1:], len(content)], strict=True)) if commas else []
    begin = place = 0
    while (colon := content.find(":", begin)) >= 0:
        if colon == begin:  # a key has a letter
            begin += 1
            continue
        value = colon + 1 + _spaces(content[colon + 1 :])
        end, next = len(content), len(content)
        while place < len(bounds) and end == len(content):
            at, following = bounds[place]
            place += 1
            last = content.rfind(":", at + 2, following)
            if at >= value and last >= 0:
                end, next = at, at + 1 + min(_spaces(content[at + 1 : following]), last - at - 2)
        yield content[begin:colon].strip().strip("'\""), content[value:end].strip()
        begin = next


def _spaces(text: str) -> int:
    return len(text) - len(text.lstrip())


def _javascript_value(code: str) -> Any:
    code = code.strip()
    if code in ("true", "false"):
        return code == "true"
    return code[1:-1] if _quoted(code) else _plain_number(code)
