"""Mondegreen: does your system still work on the way people really talk?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mondegreen.lazily import lazily

__version__ = "0.3.0"

if TYPE_CHECKING:
    from mondegreen import arrow as arrow
    from mondegreen import score as score
    from mondegreen.audio.loop import hear as hear
    from mondegreen.conversations.running import converse as converse
    from mondegreen.data import from_dataset as from_dataset
    from mondegreen.data import read as read
    from mondegreen.data import to_dataset as to_dataset
    from mondegreen.data import write as write
    from mondegreen.data.description import describe as describe
    from mondegreen.data.formats.format import Format as Format
    from mondegreen.edits import apply_edits as apply_edits
    from mondegreen.errors import MondegreenError as MondegreenError
    from mondegreen.language.simulation.fitting import fit_recogniser as fit_recogniser
    from mondegreen.language.sounds.alike import sound_alikes as sound_alikes
    from mondegreen.language.sounds.colliding import collide as collide
    from mondegreen.language.sounds.pronunciations import pronounce as pronounce
    from mondegreen.language.vocabulary.common import CommonWords as CommonWords
    from mondegreen.metrics.metric import Metric as Metric
    from mondegreen.metrics.realism_files import realism as realism
    from mondegreen.metrics.scores.score import Score as Score
    from mondegreen.metrics.statistics.comparison import Comparison as Comparison
    from mondegreen.models.loading import load_model as load_model
    from mondegreen.models.protocol import Model as Model
    from mondegreen.models.reference import train as train
    from mondegreen.operators import Operator as Operator
    from mondegreen.operators import registry as _registry
    from mondegreen.operators.amounts import Chance as Chance
    from mondegreen.operators.amounts import Once as Once
    from mondegreen.operators.amounts import Rate as Rate
    from mondegreen.operators.amounts import Severity as Severity
    from mondegreen.perturbation.languages import languages as languages
    from mondegreen.perturbation.recipe import Recipe as Recipe
    from mondegreen.provenance.verify import verify as verify
    from mondegreen.report.writing import report as report
    from mondegreen.runs import Run as Run
    from mondegreen.runs import evaluate as evaluate
    from mondegreen.runs import open_run as open_run
    from mondegreen.runs.blame import blame as blame
    from mondegreen.runs.comparison import compare as compare
    from mondegreen.runs.experiment import experiment as experiment
    from mondegreen.runs.run_slices import slices as slices
    from mondegreen.suites import Suite as Suite
    from mondegreen.suites import open_suite as open_suite
    from mondegreen.suites import suite as suite
    from mondegreen.suites.export import export as export
    from mondegreen.types import Edit as Edit
    from mondegreen.types import Prediction as Prediction
    from mondegreen.types import Slot as Slot
    from mondegreen.types import Utterance as Utterance
    from mondegreen.types import Variant as Variant
    from mondegreen.values import same as same
    from mondegreen.variants import Variants as Variants
    from mondegreen.variants import augment as augment
    from mondegreen.variants import perturb as perturb

    chain = _registry.chain
    operator = _registry.parse

_HOMES = {
    "Chance": "mondegreen.operators.amounts",
    "CommonWords": "mondegreen.language.vocabulary.common",
    "Comparison": "mondegreen.metrics.statistics.comparison",
    "Edit": "mondegreen.types",
    "Format": "mondegreen.data.formats.format",
    "Metric": "mondegreen.metrics.metric",
    "Model": "mondegreen.models.protocol",
    "MondegreenError": "mondegreen.errors",
    "Once": "mondegreen.operators.amounts",
    "Operator": "mondegreen.operators",
    "Prediction": "mondegreen.types",
    "Rate": "mondegreen.operators.amounts",
    "Recipe": "mondegreen.perturbation.recipe",
    "Run": "mondegreen.runs",
    "Score": "mondegreen.metrics.scores.score",
    "Severity": "mondegreen.operators.amounts",
    "Slot": "mondegreen.types",
    "Suite": "mondegreen.suites",
    "Utterance": "mondegreen.types",
    "Variant": "mondegreen.types",
    "Variants": "mondegreen.variants",
    "apply_edits": "mondegreen.edits",
    "arrow": "mondegreen.arrow",
    "augment": "mondegreen.variants",
    "chain": "mondegreen.operators.registry",
    "blame": "mondegreen.runs.blame",
    "collide": "mondegreen.language.sounds.colliding",
    "compare": "mondegreen.runs.comparison",
    "converse": "mondegreen.conversations.running",
    "describe": "mondegreen.data.description",
    "evaluate": "mondegreen.runs",
    "experiment": "mondegreen.runs.experiment",
    "export": "mondegreen.suites.export",
    "fit_recogniser": "mondegreen.language.simulation.fitting",
    "from_dataset": "mondegreen.data",
    "hear": "mondegreen.audio.loop",
    "languages": "mondegreen.perturbation.languages",
    "load_model": "mondegreen.models.loading",
    "open_run": "mondegreen.runs",
    "open_suite": "mondegreen.suites",
    "operator": "mondegreen.operators.registry",
    "perturb": "mondegreen.variants",
    "pronounce": "mondegreen.language.sounds.pronunciations",
    "read": "mondegreen.data",
    "realism": "mondegreen.metrics.realism_files",
    "report": "mondegreen.report",
    "same": "mondegreen.values",
    "score": "mondegreen.score",
    "slices": "mondegreen.runs.run_slices",
    "sound_alikes": "mondegreen.language.sounds.alike",
    "suite": "mondegreen.suites",
    "to_dataset": "mondegreen.data",
    "train": "mondegreen.models.reference",
    "verify": "mondegreen.provenance.verify",
    "write": "mondegreen.data",
}

__all__ = [
    "__version__",
    *_HOMES,
]


__getattr__ = lazily(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
