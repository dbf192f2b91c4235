"""Which columns of a table hold what, and how users say so where the names do not."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mondegreen.data.schemes import ReadTags, read_tags
from mondegreen.errors import DataError, unknown
from mondegreen.text.patterns import lazy_pattern

TEXT_COLUMNS = ("text", "asr_transcript", "transcript", "utterance", "sentence", "utt", "words")
ID_COLUMNS = ("id", "utterance_id", "utt_id", "uid", "guid", "uuid")
LABEL_COLUMNS = ("label", "intent", "intents", "prediction", "correctness")
TAG_COLUMNS = ("tags", "ner_tags", "slot_tags", "bio_tags", "iob_tags")
ENTITY_COLUMNS = ("entities", "spans")
ANNOTATED_COLUMNS = ("annot_utt", "sentence_annotation")
ROLES = {
    "id": ID_COLUMNS,
    "text": TEXT_COLUMNS,
    "label": LABEL_COLUMNS,
    "tokens": ("tokens",),
    "tags": TAG_COLUMNS,
    "slots": ("slots",),
    "entities": ENTITY_COLUMNS,
    "annotated": ANNOTATED_COLUMNS,
    "values": ("values",),
}
"""The columns that may hold each part of an utterance, the preferred name first."""
REF, HYP = "ref", "hyp"
"""The roles of the two sides of a score, which a user may map in a table that has both."""
_LINEAGE = frozenset(("parent", "edits"))
_PARTS = lazy_pattern(r"(tags?|ner|bio|iob\d?|entit\w+|slots?|spans?|annot\w*)", re.IGNORECASE)
_WHOLE = lazy_pattern(r"(labels?|intents?|class|category|target)", re.IGNORECASE)
_NUMBERED = lazy_pattern(r"(\w+_)?(id|idx|key|index)|\w+I[dD]", re.ASCII)
_HEARD = lazy_pattern(r"(pred_\w+|hyp|hypothes[ie]s|asr_\w+)", re.IGNORECASE)


class Layout(NamedTuple):
    """Which columns of a record hold what; of several, the first that is not null counts.

    ``extra`` are the columns that are copied unchanged; ``unread`` are those of them that look as
    if they should be read.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    slots: tuple[str, ...]
    entities: tuple[str, ...]
    annotated: tuple[str, ...]
    values: tuple[str, ...]
    extra: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def layout_of(columns: tuple[str, ...]) -> Layout:
    """Return which columns hold what, given the names of all columns, in any case.

    >>> layout = layout_of(("Sentence", "speaker", "intent"))
    >>> layout.texts, layout.labels, layout.extra
    (('Sentence',), ('intent',), ('speaker',))
    """
    by_name = {str(name).lower(): name for name in reversed(columns)} | {c: c for c in columns}
    roles = [tuple(by_name[n] for n in names if n in by_name) for names in ROLES.values()]
    found = Layout(*roles)
    marks = (*found.tags, *found.slots, *found.entities, *found.annotated)
    read = {role[0] for role in (found.ids, found.texts, found.labels, found.tokens, marks) if role}
    read |= {*found.values, *found.annotated, *_LINEAGE}
    extra = tuple(name for name in columns if name not in read)
    unread = tuple(name for name in extra if _looks_unread(name, found))
    return found._replace(extra=extra, unread=unread)


def _looks_unread(name: str, layout: Layout) -> bool:
    """Return whether a column that is not read looks like labels, an id or a hypothesis."""
    parts = str(name).split("_")
    return bool(
        any(_PARTS.fullmatch(part) for part in parts)
        or _HEARD.fullmatch(str(name))
        or (not layout.labels and any(_WHOLE.fullmatch(part) for part in parts))
        or (not layout.ids and _NUMBERED.fullmatch(str(name)))
    )


def _likely_role(name: str) -> str:
    """Return what a column most likely holds, by its name.

    >>> _likely_role("category"), _likely_role("my_tags"), _likely_role("row_id")
    ('label', 'tags', 'id')
    """
    parts = str(name).split("_")
    if any(_PARTS.fullmatch(part) for part in parts):
        return "tags"
    if any(_WHOLE.fullmatch(part) for part in parts):
        return "label"
    return "id" if _NUMBERED.fullmatch(str(name)) else "text"


def warn_unread(unread: Sequence[str]) -> None:
    """Warn about columns that look like labels, ids or texts and are not read."""
    names = ", ".join(unread)
    warnings.warn(
        f"not read, and copied unchanged: {names}. If it holds labels, an id or the text, name it "
        f"with --map, for example --map {_likely_role(unread[0])}={unread[0]}",
        stacklevel=4,
    )


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file whose columns or tags need a word of explanation.

    Args:
        columns: for each role (id, text, label, …) the name of the column that holds it.
        classes: for a column of numbers, the names that the numbers stand for.
        scheme: the tagging scheme, if tags are to be read strictly; see :mod:`schemes`.
        other: columns that are known to hold something else, so that nobody needs a warning.
    """

    columns: tuple[tuple[str, str], ...] = ()
    classes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    scheme: str | None = None
    other: tuple[str, ...] = ()

    @classmethod
    def parse(cls, map: str | Mapping[str, str] = "", scheme: str | None = None) -> ReadOptions:
        """Read ``ROLE=COLUMN,…``; a column of numbers has their names: ``COLUMN:NAME|NAME``.

        >>> ReadOptions.parse("text=Utterance,label=Intent:stop|go").columns
        (('text', 'Utterance'), ('label', 'Intent'))

        Raises:
            DataError: if it is of another form, or a role is unknown.
        """
        columns, classes = {}, {}
        for role, value in _pairs(map):
            column, colon, names = value.partition(":")
            if role not in ROLES and role not in (REF, HYP):
                raise DataError(unknown("role", role, [*ROLES, REF, HYP]))
            columns[role] = column
            if colon:
                classes[column] = tuple(names.split("|"))
        return cls(tuple(columns.items()), tuple(classes.items()), scheme)

    def over(self, other: ReadOptions) -> ReadOptions:
        """Return this reading, with what it leaves open from another one."""
        return ReadOptions(
            self.columns or other.columns,
            self.classes or other.classes,
            self.scheme or other.scheme,
            self.other or other.other,
        )

    def __str__(self) -> str:
        """The columns as :meth:`parse` reads them."""
        names = {column: ":" + "|".join(classes) for column, classes in self.classes}
        return ",".join(f"{role}={column}{names.get(column, '')}" for role, column in self.columns)

    @cached_property
    def read_tags(self) -> ReadTags:
        """How to read tags: leniently, or strictly in a scheme."""
        return read_tags(self.scheme)

    def renamed(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a record with its columns under the names of their roles.

        A column that has the name of a mapped role itself is kept as ``original_ROLE``.

        Raises:
            DataError: if a column is missing, or a number has no name.
        """
        if not self.columns and not self.classes:
            return record
        mapped = {column: role for role, column in self.columns}
        missing = next((column for column in mapped if column not in record), None)
        if missing is not None:
            raise DataError(unknown("column", missing, [str(name) for name in record]))
        found = {role: self._named(column, record[column]) for column, role in mapped.items()}
        roles = set(found)
        others = {
            f"original_{name}" if str(name).lower() in roles else name: value
            for name, value in record.items()
            if name not in mapped
        }
        return found | {name: self._named(name, value) for name, value in others.items()}

    def _named(self, column: str, value: Any) -> Any:
        names = dict(self.classes).get(column)
        if names is None or value is None:
            return value
        if isinstance(value, list | tuple):
            return [self._named(column, one) for one in value]
        try:
            number = int(value)
            if number < 0:
                return None  # Hugging Face's mark for a missing label
            return names[number]
        except (IndexError, TypeError, ValueError):
            raise DataError(
                f"the column {column} has {value!r}, which is not one of the numbers of its "
                f"{len(names)} names: {', '.join(names)}"
            ) from None


def _pairs(map: str | Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if not isinstance(map, str):
        yield from map.items()
        return
    for part in filter(None, map.split(",")):
        role, _, column = part.strip().partition("=")
        if not role or not column:
            raise DataError(f"a map has the form ROLE=COLUMN, such as text=Utterance; got {part!r}")
        yield role, column


PLAIN = ReadOptions()
