"""The compositions of transforms that jiwer offers."""

from mondegreen.compat.jiwer import transforms as tr

_STANDARD = [
    tr.ToLowerCase(),
    tr.ExpandCommonEnglishContractions(),
    tr.RemoveKaldiNonWords(),
    tr.RemoveWhiteSpace(replace_by_space=True),
    tr.RemoveMultipleSpaces(),
    tr.Strip(),
]
wer_default = tr.Compose([tr.RemoveMultipleSpaces(), tr.Strip(), tr.ReduceToListOfListOfWords()])
wer_contiguous = tr.Compose(
    [
        tr.RemoveMultipleSpaces(),
        tr.Strip(),
        tr.ReduceToSingleSentence(),
        tr.ReduceToListOfListOfWords(),
    ]
)
wer_standardize = tr.Compose([*_STANDARD, tr.ReduceToListOfListOfWords()])
wer_standardize_contiguous = tr.Compose(
    [*_STANDARD, tr.ReduceToSingleSentence(), tr.ReduceToListOfListOfWords()]
)
cer_default = tr.Compose([tr.Strip(), tr.ReduceToListOfListOfChars()])
cer_contiguous = tr.Compose(
    [tr.Strip(), tr.ReduceToSingleSentence(), tr.ReduceToListOfListOfChars()]
)
