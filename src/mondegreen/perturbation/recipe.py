"""A recipe: everything that decides which variants are made of an utterance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from mondegreen import __version__
from mondegreen.errors import DataError, OperatorError
from mondegreen.operators import Operator, parse, parse_all, signature
from mondegreen.operators.amounts import Amount, amount_of, parse_amount
from mondegreen.perturbation.languages import in_language, require_language
from mondegreen.perturbation.protection import CODES_ONLY, Protection

PERTURB, AUGMENT = "perturb", "augment"
Operators = str | Operator | Sequence[str | Operator]
"""Names, signatures, groups, or operators."""
UNLEARNT = "learnt:nothing"
"""The part of a signature which says that operators could have learnt from data, and did not."""
_DIGITS = 16


class RecipeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A recipe as plain values, as manifests store it.

    ``operators`` are signatures; ``amount`` is empty where each operator has its own.
    """

    operators: tuple[str, ...]
    amount: str
    seed: int
    variants: int = 1
    mix: bool = False
    command: str = PERTURB
    skip: bool = False
    phrases: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    every_slot: bool = False
    codes: bool = False
    language: str = ""


@dataclass(frozen=True)
class Recipe:
    """Operators, seed, amount and everything else that the engine needs to make variants.

    It prints as JSON and parses back.

    Args:
        operators: the operators, each with its own name.
        seed: another seed gives other edits.
        amount: how much is changed; ``None`` for each operator's own amount.
        variants: variants per utterance and operator; per utterance with ``mix``.
        mix: one operator per variant, drawn at random, instead of each operator.
        protection: words and slots that no edit may touch.
        skip: leave out variants without edits.
        augment: keep each utterance and add variants that differ from it and from each other.
        language: the code of the data's language, which all operators know; empty as long as the
            data has not been looked at.

    >>> recipe = Recipe.of(["fillers", "typo"], seed=7)
    >>> Recipe.parse(str(recipe)) == recipe
    True
    >>> recipe.signature
    'mondegreen|perturb|ops:fillers@2+typo|amount:default|seed:7|v:0.3.0'
    """

    operators: tuple[Operator, ...]
    seed: int = 0
    amount: Amount | None = None
    variants: int = 1
    mix: bool = False
    protection: Protection = CODES_ONLY
    skip: bool = False
    augment: bool = False
    language: str = ""

    def __post_init__(self) -> None:
        if not self.operators:
            raise OperatorError("no operator is named; see: mondegreen operators")
        if len({operator.name for operator in self.operators}) < len(self.operators):
            raise OperatorError("two operators have the same name; run them one after the other")
        if self.variants < 1:
            raise OperatorError(f"variants must be 1 or more, got {self.variants}")

    @classmethod
    def build(
        cls,
        operators: Operators | Recipe,
        *,
        language: str | None = None,
        once: bool = False,
        rate: float | None = None,
        chance: float | None = None,
        severity: float | None = None,
        protect: Iterable[str] = (),
        protect_slots: bool | Iterable[str] = False,
        protect_codes: bool = True,
        skip_unchangeable: bool = False,
        **settings: Any,
    ) -> Recipe:
        """Make a recipe of the arguments of :func:`mondegreen.perturb`; nothing is learnt yet.

        Args:
            operators: names, signatures, groups, operators, or a recipe, which is returned.
            language: the code of the data's language; operators must know it.
            once: make one edit per utterance.
            rate: probability of editing each site; at least one edit per utterance.
            chance: probability of editing each site; an utterance may stay unchanged.
            severity: share of the words to change; at least one edit per utterance.
            protect: words or phrases to leave unchanged.
            protect_slots: leave slots unchanged: all of them, or those with the labels given.
            protect_codes: leave numbers and codes unchanged.
            skip_unchangeable: leave out variants without edits.
            settings: other fields of the recipe; an amount counts if no other one is given.

        Raises:
            OperatorError: if an operator or an amount is wrong, or if a recipe has other settings.
        """
        protection = Protection.of(protect, slots=protect_slots, codes=protect_codes)
        amount = amount_of(once=once, rate=rate, chance=chance, severity=severity)
        settings |= {"protection": protection, "skip": skip_unchangeable}
        settings |= {"amount": amount} if amount is not None else {}
        if isinstance(operators, Recipe):
            if cls(operators.operators, **settings) != cls(operators.operators) or language:
                raise OperatorError("a recipe has its own settings; give it without others")
            return operators
        found = in_language(parse_all(operators), language)
        if language:
            require_language(found, (), language)
        return cls(found, language=language or "", **settings)

    @classmethod
    def of(cls, operators: Iterable[str | Operator], **settings: object) -> Recipe:
        """Make a recipe from operators or their signatures, as the user names them."""
        read = tuple(op if isinstance(op, Operator) else parse(op, trust=True) for op in operators)
        return replace(cls(read), **settings)  # type: ignore[arg-type]  # checked by the dataclass

    def split_by_operator(self) -> list[Recipe]:
        """Return one recipe per operator, otherwise the same."""
        return [replace(self, operators=(operator,)) for operator in self.operators]

    @property
    def command(self) -> str:
        """The command that makes variants by this recipe."""
        return AUGMENT if self.augment else PERTURB

    @property
    def signature(self) -> str:
        """The recipe in one line; what is protected appears as a hash."""
        parts = [
            f"mondegreen|{self.command}",
            f"ops:{'+'.join(signature(operator, short=True) for operator in self.operators)}",
            f"amount:{self.amount or 'default'}",
            f"seed:{self.seed}",
        ]
        if self.variants > 1:
            parts.append(f"variants:{self.variants}")
        if self.mix:
            parts.append("mix")
        if self.skip:
            parts.append("skip-unchangeable")
        parts += protection_parts(self.protection)
        if any(operator.can_learn for operator in self.operators):
            parts.append(UNLEARNT)
        return "|".join((*parts, f"v:{__version__}"))

    def record(self) -> RecipeRecord:
        """Return the recipe as plain values."""
        return RecipeRecord(
            operators=tuple(map(signature, self.operators)),
            amount=str(self.amount or ""),
            seed=self.seed,
            variants=self.variants,
            mix=self.mix,
            command=self.command,
            skip=self.skip,
            phrases=self.protection.phrase_texts,
            slots=tuple(sorted(self.protection.labels)),
            every_slot=self.protection.every_slot,
            codes=self.protection.codes,
            language=self.language,
        )

    @classmethod
    def of_record(cls, record: RecipeRecord, operators: Sequence[Operator] | None = None) -> Recipe:
        """Make a recipe from plain values.

        Args:
            record: the plain values.
            operators: the operators, where their files have moved since the record was made.

        Raises:
            DataError: if the command is unknown.
            OperatorError: if an operator or the amount is unknown.
        """
        if record.command not in (PERTURB, AUGMENT):
            raise DataError(f"{record.command!r} is not a command that makes variants")
        return cls(
            tuple(map(parse, record.operators) if operators is None else operators),
            seed=record.seed,
            amount=parse_amount(record.amount),
            variants=record.variants,
            mix=record.mix,
            protection=Protection.of(
                record.phrases, slots=record.every_slot or record.slots, codes=record.codes
            ),
            skip=record.skip,
            augment=record.command == AUGMENT,
            language=record.language,
        )

    def __str__(self) -> str:
        return msgspec.json.encode(self.record()).decode()

    @classmethod
    def parse(cls, text: str) -> Recipe:
        """Read a recipe as it is printed.

        Raises:
            DataError: if the text is not a recipe.
            OperatorError: if an operator or the amount is unknown.
        """
        try:
            return cls.of_record(msgspec.json.decode(text, type=RecipeRecord))
        except msgspec.DecodeError as error:
            raise DataError(f"{text!r:.60} is not a recipe: {error}") from None


def protection_parts(protection: Protection) -> list[str]:
    """Return the parts of a signature that show what is protected; empty for the default.

    >>> protection_parts(Protection()), protection_parts(Protection(codes=False))
    ([], ['codes:changed'])
    """
    parts = [] if protection.codes else ["codes:changed"]
    if protection.phrases or protection.labels or protection.every_slot:
        content = sorted(protection.phrases), sorted(protection.labels), protection.every_slot
        digest = hashlib.sha256(repr(content).encode()).hexdigest()[:_DIGITS]
        parts.append(f"protect:{digest}")
    return parts
