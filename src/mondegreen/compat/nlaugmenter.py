"""NL-Augmenter's speech disfluency perturbation: ``generate(sentence)`` returns noisy sentences.

>>> SpeechDisfluencyPerturbation(seed=3).generate("play some jazz")
['play some um jazz']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mondegreen.draw import Draw
from mondegreen.errors import OperatorError
from mondegreen.operators.amounts import Chance, Rate
from mondegreen.operators.fillers import Fillers
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.protection import Protection
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Edit, Utterance


class SpeechDisfluencyPerturbation:
    """Insert filler words between the words of a sentence, at least one.

    Args:
        seed: another seed gives other places and fillers.
        max_outputs: how many sentences ``generate`` returns, distinct while the text allows.
        insert_prob: probability of a filler between two words.
        filler_words: the fillers to draw from; by default um, uh, erm, ah and er.

    Raises:
        OperatorError: if a value is out of range, or the list of fillers is empty.
    """

    languages = ("en",)

    def __init__(
        self,
        seed: int = 0,
        max_outputs: int = 1,
        insert_prob: float = 0.2,
        filler_words: Iterable[str] | None = None,
    ) -> None:
        if insert_prob < 0:
            raise OperatorError(f"insert_prob must be 0 or more, got {insert_prob}")
        words = None if filler_words is None else tuple(filler_words)
        self.seed, self.max_outputs, self.insert_prob = seed, max_outputs, insert_prob
        # With probability 0 there is still one filler: the least probable rate has the same effect.
        amount = Rate(insert_prob or Chance(1e-9).p)
        operator = _Fillers(words=words, ambiguous=words is not None)
        self._engine = Engine(
            Recipe(
                (operator,),
                seed=seed,
                amount=amount,
                variants=max_outputs,
                protection=Protection(codes=False),
            )
        )

    def generate(self, sentence: str) -> list[str]:
        """Return the sentence with fillers, ``max_outputs`` times."""
        variants = self._engine.make(Utterance.of("1", sentence))
        return [variant.utterance.text for variant in variants]


@dataclass(frozen=True)
class _Fillers(Fillers):
    """Fillers between words; a single word has a place on either side, so that both may be used."""

    def plan(self) -> None:
        """Return nothing: the kernel knows one place beside a single word."""

    def sites(self, utterance: Utterance) -> range:
        """Return the positions between words, or both sides of a single word."""
        return range(2) if len(utterance.tokens) == 1 else super().sites(utterance)

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert one filler."""
        if len(utterance.tokens) != 1:
            return super().propose(utterance, site, draw)
        return (Edit(site, site, draw.choice(self._fillers).tokens, self.name, "filler"),)
