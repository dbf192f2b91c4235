"""The interface of jiwer 4, on this package's aligner.

Error rates are equal to jiwer's. Where several alignments are equally cheap, this package takes
the one with the most hits, so that hits are never fewer than jiwer's (docs/differences.md).

>>> import mondegreen.compat.jiwer as jiwer
>>> jiwer.wer("play some jazz", "play jaws")
0.6666666666666666
"""

from mondegreen.compat.jiwer import transformations, transforms
from mondegreen.compat.jiwer.alignment import (
    collect_error_counts,
    visualize_alignment,
    visualize_error_counts,
)
from mondegreen.compat.jiwer.measures import cer, mer, wer, wil, wip
from mondegreen.compat.jiwer.process import (
    AlignmentChunk,
    CharacterOutput,
    WordOutput,
    process_characters,
    process_words,
)
from mondegreen.compat.jiwer.transformations import (
    cer_contiguous,
    cer_default,
    wer_contiguous,
    wer_default,
    wer_standardize,
    wer_standardize_contiguous,
)
from mondegreen.compat.jiwer.transforms import (
    AbstractTransform,
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveEmptyStrings,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemovePunctuation,
    RemoveSpecificWords,
    RemoveWhiteSpace,
    Strip,
    SubstituteRegexes,
    SubstituteWords,
    ToLowerCase,
    ToUpperCase,
)

__all__ = [
    "AbstractTransform",
    "AlignmentChunk",
    "CharacterOutput",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
    "WordOutput",
    "cer",
    "cer_contiguous",
    "cer_default",
    "collect_error_counts",
    "mer",
    "process_characters",
    "process_words",
    "transformations",
    "transforms",
    "visualize_alignment",
    "visualize_error_counts",
    "wer",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
    "wil",
    "wip",
]
