"""A module for Hugging Face evaluate: ``evaluate.load("mondegreen_wer")``."""

import datasets

import evaluate
import mondegreen as mg


class MondegreenWER(evaluate.Metric):
    """Word error rate and its like, with intervals and signature."""

    def _info(self) -> evaluate.MetricInfo:
        """Describe the module."""
        return evaluate.MetricInfo(
            description="Word, match and character error rate by Mondegreen, with intervals.",
            citation="",
            inputs_description="predictions and references: lists of texts; options of score.words",
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )

    def _compute(
        self, predictions: list[str], references: list[str], **options: object
    ) -> dict[str, object]:
        """Return all rates, their intervals, and the signature."""
        score = mg.score.words(references, predictions, **options)
        found: dict[str, object] = {"signature": score.signature}
        for rate in score.estimates():
            found |= {rate.name: rate.value, f"{rate.name}_interval": (rate.low, rate.high)}
        return found
