"""pssteval: phoneme and feature error rates of the PSST challenge, and its analysis files.

On the command line, ``python -m mondegreen.compat.pssteval.asr valid-asr.tsv --ref valid.tsv`` and
``python -m mondegreen.compat.pssteval.correctness``; ``mondegreen view`` opens analysis files.
References are your own files, so that no login is needed.
"""

from mondegreen.compat.pssteval.analysis import ErrorAnalysisDict
from mondegreen.compat.pssteval.evaluation import (
    ErrorSummary,
    evaluate_asr,
    evaluate_correctness,
    load_asr_output,
)

__all__ = [
    "ErrorAnalysisDict",
    "ErrorSummary",
    "evaluate_asr",
    "evaluate_correctness",
    "load_asr_output",
]
