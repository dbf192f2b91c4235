"""Metrics of labelled utterances: both sides are frames, which have slots and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mondegreen.data.pairs.frames import Predictions, answer_parts, frame_parts
from mondegreen.data.pairs.joining import joined
from mondegreen.data.pairs.texts import Side
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.metrics.metric import Files, Metric, Part, References
from mondegreen.metrics.scores.score import Score
from mondegreen.types import Prediction, Utterance


class FrameMetric(Metric):
    """A metric that compares the slots and labels of utterances with those of predictions."""

    both = "token, gold tag and predicted tag on each line, as conlleval reads it"

    def references(self, side: Side, settings: Any) -> Iterator[Transcripts]:
        """Yield labelled utterances."""
        return frame_parts(side, getattr(settings, "scheme", None))

    def hypotheses(self, side: Side, refs: Side, settings: Any) -> Iterator[Transcripts]:  # noqa: ARG002
        """Yield answers, which become predictions beside their utterances."""
        return answer_parts(side, getattr(settings, "scheme", None))

    def pairs(self, files: Files, settings: Any) -> Iterator[Part]:
        """Yield utterances with their predictions, in parts; all of them are checked."""
        sides = [self.hypotheses(one, files.ref, settings) for one in files.hyps]
        scheme = getattr(settings, "scheme", None)
        systems = [Predictions(one.path, scheme) for one in files.hyps]
        refs = self.references(files.ref, settings)
        for ref, *hyps in joined(refs, sides, missing=files.missing):
            answers = zip(systems, hyps, strict=True)
            found = tuple(system.of(ref.items, hyp.items) for system, hyp in answers)
            yield Part(References.of(ref), found)
        for system in systems:
            system.finish(files.ref.path)

    def traits(self, refs: References, settings: Any) -> Mapping[str, Any]:  # noqa: ARG002
        """Return nothing."""
        return {}

    def judged(self, utterances: Sequence[Utterance], predictions: Sequence[Prediction]) -> Score:
        """Score the frames that a model answers."""
        return self._score_of(utterances, utterances, predictions)
