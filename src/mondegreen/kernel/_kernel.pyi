# The compiled kernel. The Python modules beside this file document each function.

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mondegreen.types import Edit, Utterance, Variant

_T = TypeVar("_T")
_Times: TypeAlias = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

def block_starts(raw: bytes, /) -> list[int]: ...
def key(prefix: bytes, text: str, /) -> int: ...
def walk(
    key: int, start: int, stop: int, threshold: int, least: int, /
) -> tuple[int, list[int]]: ...
def weighted_walk(
    key: int, start: int, weights: Sequence[float], threshold: int, /
) -> tuple[int, list[int]]: ...
def gap_weights(
    places: list[tuple[float, ...]],
    allowed: list[int],
    expected: Sequence[float],
    average: float,
    /,
) -> tuple[tuple[float, ...], list[float]]: ...
def rewrite(
    utterance: Utterance, edits: tuple[Edit, ...], slot: type, id: str, /
) -> Utterance | None: ...
def align(
    refs: list[str] | list[Sequence[str]],
    hyps: list[str] | list[Sequence[str]],
    costs: Sequence[int],
    characters: bool,
    threads: int,
    marks: Sequence[bytes | None] | None,
    keep: Sequence[str],
    regions: bool,
    times: tuple[_Times, _Times] | None = None,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
def align_and_count(
    refs: list[str] | list[Sequence[str]],
    hyps: list[str] | list[Sequence[str]],
    costs: Sequence[int],
    threads: int,
    keywords: Sequence[tuple[Sequence[str], Sequence[str]]] | None,
    spans: Sequence[Sequence[tuple[str, int, int]]] | None,
    hallucinations: bool,
    written: tuple[list[str] | list[Sequence[str]], list[str] | list[Sequence[str]]] | None,
    take_apart: Callable[[str], tuple[str, str, str]],
    times: tuple[_Times, _Times] | None = None,
) -> tuple[
    npt.NDArray[np.uint8],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    list[tuple[str, tuple[int, ...]]],
]: ...
def align_symbols(
    refs: list[str],
    hyps: list[str],
    symbols: Sequence[str],
    silent: Sequence[str],
    substitution: npt.NDArray[np.int64],
    indel: npt.NDArray[np.int64],
    /,
) -> (
    tuple[
        tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]],
        tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]],
    ]
    | None
): ...
def align_nist(
    refs: list[str] | list[Sequence[str]], hyps: list[str] | list[Sequence[str]], threads: int, /
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]: ...
def align_networks(
    ref: Sequence[tuple[int, int, int, bool]],
    hyp: Sequence[tuple[int, int, int, bool]],
    costs: Sequence[int],
    alike: Sequence[tuple[int, int]],
    times: tuple[Sequence[tuple[int, int]], Sequence[tuple[int, int]]] | None = None,
) -> list[tuple[int, int]]: ...
def distances(
    refs: list[str] | list[Sequence[str]], hyps: list[str] | list[Sequence[str]], threads: int, /
) -> npt.NDArray[np.int64]: ...
def resample(
    rows: npt.NDArray[np.int64], key: int, replicates: int, threads: int, /
) -> npt.NDArray[np.int64]: ...

class Draw:
    def __init__(self, key: int, site: int, /) -> None: ...
    @property
    def key(self) -> int: ...
    def below(self, n: int, /) -> int: ...
    def choice(self, items: Sequence[_T], /) -> _T: ...
    def weighted(self, weights: Sequence[int], /) -> int: ...

class Nearest:
    def __init__(self, words: Iterable[str], /) -> None: ...
    def find(self, word: str, n: int, /) -> list[tuple[int, int]]: ...

class Alike:
    def __init__(
        self, entries: list[list[int]], substitution: list[int], indel: list[int], /
    ) -> None: ...
    def find(self, query: list[int], n: int, /) -> list[tuple[int, int]]: ...

class Tagger:
    def __init__(
        self, model: Mapping[str, npt.NDArray[Any]], form: Callable[[str], bytes], /
    ) -> None: ...
    def tag(self, tokens: tuple[str, ...], /) -> tuple[str, ...]: ...
    def tag_in_place(self, tokens: tuple[str, ...], at: int, word: str, /) -> str: ...

class Trigram:
    def __init__(self, path: str, /) -> None: ...
    def score(self, word: str, before: Sequence[str], /) -> int: ...
    def surprises(
        self, candidates: Sequence[str], before: Sequence[str], after: Sequence[str], /
    ) -> list[int]: ...

class Hearing:
    def __init__(
        self,
        pronunciations: list[list[int]],
        words: list[str],
        substitution: list[int],
        indel: list[int],
        model: Trigram,
        /,
    ) -> None: ...
    def hear(
        self,
        phonemes: list[int],
        before: list[str],
        after: list[str],
        barred: list[tuple[str, tuple[int, int]]],
        limits: Sequence[int],
        n: int,
        /,
    ) -> list[tuple[list[int], list[int], int, int]]: ...

class Ids:
    def __init__(self) -> None: ...
    def add(self, id: str, /) -> bool: ...

class Places:
    def __init__(self) -> None: ...
    def add(self, key: int, place: int, /) -> None: ...
    def get(self, key: int, /) -> int: ...

class Codes:
    def __init__(
        self,
        look: Callable[[str], int],
        spans: Callable[[Sequence[str]], list[tuple[int, int]]],
        /,
    ) -> None: ...
    def find(self, tokens: Sequence[str], /) -> list[tuple[int, int]]: ...

class Rewriter:
    def __init__(
        self,
        edit: type,
        slot: type,
        variant: type,
        options: tuple[type, type, type, type, type],
        name: str,
        inserts: bool,
        grow: Callable[[str], object],
        /,
    ) -> None: ...
    def rewrite(
        self,
        utterance: Utterance,
        id: str,
        prefix: bytes,
        threshold: int,
        share: float,
        barred: Sequence[tuple[int, int]],
        /,
    ) -> Variant | None: ...

class LineRewriter(Rewriter):
    def rewrite_lines(
        self,
        block: bytes,
        prefix: bytes,
        threshold: int,
        share: float,
        look: Callable[[str], int] | None,
        spans: Callable[[list[str]], list[tuple[int, int]]] | None,
        /,
    ) -> tuple[bytes, list[tuple[int, int, int, int]], int, int, int]: ...

class RowPlan:
    def __init__(
        self,
        prefix: bytes,
        threshold: int,
        share: float,
        look: Callable[[str], int] | None,
        spans: Callable[[Sequence[str]], list[tuple[int, int]]] | None,
        every_slot: bool,
        labels: Sequence[str],
        /,
    ) -> None: ...

class TextColumn:
    def __init__(
        self,
        offsets: npt.NDArray[np.int32],
        bytes: npt.NDArray[np.uint8],
        there: npt.NDArray[np.uint8],
        /,
    ) -> None: ...

class ListColumn:
    def __init__(
        self, offsets: npt.NDArray[np.int32], there: npt.NDArray[np.uint8], items: TextColumn, /
    ) -> None: ...

_Texts: TypeAlias = tuple[
    tuple[bytes, ...],
    bytes,
    list[str | None],
    list[tuple[int, tuple[int, ...], int]],
    int,
    dict[str, int],
]

class RowRewriter(LineRewriter):
    def rewrite_columns(
        self,
        ids: TextColumn | None,
        texts: TextColumn | None,
        tokens: ListColumn | None,
        tags: ListColumn | None,
        rows: int,
        plan: RowPlan,
        first: int,
        ledger: bool,
        /,
    ) -> tuple[
        dict[str, Any], bytes, list[str | None], list[tuple[int, int]], int, dict[str, int]
    ]: ...
    def rewrite_json(
        self,
        block: bytes,
        roles: Callable[[tuple[str, ...]], Sequence[tuple[int, str]] | None],
        plan: RowPlan,
        first: int,
        form: str,
        newline: str,
        ledger: bool,
        /,
    ) -> _Texts: ...
    def rewrite_conll(
        self,
        block: bytes,
        plan: RowPlan,
        first: int,
        form: str,
        newline: str,
        ledger: bool,
        /,
    ) -> _Texts: ...
    def rewrite_folder(
        self,
        words: bytes,
        tags: bytes,
        labels: bytes,
        plan: RowPlan,
        first: int,
        form: str,
        newline: str,
        ledger: bool,
        /,
    ) -> _Texts: ...

class Values:
    def __init__(
        self,
        tables: Callable[[], dict[str, Any]],
        char: Callable[[int], tuple[int, int, str, str, str, str]],
        plain: Callable[[str], str],
        key: Callable[[str], str],
        apart: Callable[[str, str], tuple[str, str, str] | None],
        stretches: Callable[[Sequence[str], Sequence[str]], list[tuple[int, int, int, int]]],
        /,
    ) -> None: ...
    def same(self, refs: Sequence[str], hyps: Sequence[str], /) -> list[bool]: ...
    def apart(
        self, refs: Sequence[str], hyps: Sequence[str], /
    ) -> list[tuple[str, str, str] | None]: ...
    def stretches(
        self, ref: Sequence[str], hyp: Sequence[str], /
    ) -> list[tuple[int, int, int, int]]: ...
