"""The figures of NATURE's tables 2, 4 and 5 (Alfonso-Hermelo et al.), to compare ours with."""

from __future__ import annotations

SETS = ("ATIS", "SNIPS", "NLU-ED")

OPERATORS = {
    "fillers.bos": "BOS Filler",
    "fillers.preverb": "Pre-V. Filler",
    "fillers.postverb": "Post-V. Filler",
    "fillers.eos": "EOS Filler",
    "synonyms.verb": "Syn. V.",
    "synonyms.adjective": "Syn. Adj.",
    "synonyms.adverb": "Syn. Adv.",
    "synonyms.any": "Syn. Any",
    "synonyms.stopword": "Syn. StopW",
    "speako": "Speako",
}
"""Our operators, and their names in the paper."""

TABLE_2 = {
    "BOS Filler": (0.8, 0.1, 2.5),
    "Pre-V. Filler": (6.0, 3.7, 16.0),
    "Post-V. Filler": (1.9, 8.6, 5.1),
    "EOS Filler": (9.0, 52.3, 8.3),
    "Syn. V.": (25.6, 5.4, 16.3),
    "Syn. Adj.": (29.2, 15.0, 23.4),
    "Syn. Adv.": (11.8, 5.6, 10.2),
    "Syn. Any": (5.3, 1.1, 4.8),
    "Syn. StopW": (3.2, 2.7, 6.4),
    "Speako": (7.2, 5.4, 6.9),
}
"""The share of each operator in the Hard sets, in per cent: ATIS, SNIPS, NLU-ED."""

TABLE_4 = {
    "stack-prop": {
        "Orig": (95.7, 96.5, 86.2, 95.0, 98.3, 87.9, 74.0, 85.1, 67.8),
        "Rand": (91.3, 95.0, 66.5, 83.4, 96.1, 53.8, 67.4, 76.1, 56.8),
        "Hard": (82.3, 90.7, 34.9, 70.6, 95.3, 12.9, 55.5, 62.7, 38.9),
        "Pre-V. Filler": (95.6, 96.5, 85.6, 92.2, 98.3, 79.3, 71.0, 83.6, 65.7),
        "Syn. StopW": (93.0, 94.8, 76.5, 89.7, 96.7, 74.3, 70.2, 78.9, 60.2),
        "BOS Filler": (95.6, 96.2, 85.8, 86.5, 97.1, 54.9, 72.5, 80.8, 63.9),
        "Post-V. Filler": (94.0, 96.5, 80.3, 84.8, 98.0, 57.1, 68.0, 84.1, 63.6),
        "Syn. V.": (90.1, 95.3, 63.6, 88.4, 95.1, 66.7, 68.5, 74.2, 56.5),
        "Speako": (92.9, 92.7, 72.5, 77.9, 94.6, 45.3, 69.5, 74.2, 57.6),
        "Syn. Any": (90.3, 90.5, 54.4, 86.9, 94.4, 61.6, 67.8, 71.0, 53.5),
        "Syn. Adj.": (84.7, 92.7, 42.4, 78.2, 95.4, 44.4, 60.2, 69.7, 47.2),
        "Syn. Adv.": (88.2, 89.1, 43.9, 77.6, 94.3, 41.9, 61.6, 65.6, 45.4),
        "EOS Filler": (88.9, 96.3, 54.1, 72.1, 97.7, 13.1, 63.9, 78.0, 53.6),
    },
    "bi-rnn": {
        "Orig": (94.9, 97.6, 84.7, 89.4, 97.1, 76.6, 66.4, 80.9, 61.7),
        "Rand": (89.9, 94.3, 61.8, 75.6, 94.1, 39.0, 60.6, 70.8, 50.1),
        "Hard": (79.9, 92.0, 27.6, 62.4, 92.9, 7.0, 49.6, 58.8, 34.4),
        "Pre-V. Filler": (94.7, 97.3, 82.2, 84.6, 96.4, 60.0, 63.3, 80.1, 59.3),
        "Syn. StopW": (90.6, 94.7, 72.7, 80.5, 95.4, 56.4, 62.3, 73.2, 52.7),
        "BOS Filler": (80.7, 96.7, 82.6, 80.9, 96.7, 38.4, 65.8, 78.8, 59.6),
        "Post-V. Filler": (93.8, 96.9, 80.3, 77.9, 96.6, 37.4, 62.6, 79.3, 56.6),
        "Syn. V.": (87.6, 95.9, 56.6, 79.5, 92.1, 50.6, 61.3, 70.5, 50.7),
        "Speako": (91.8, 90.3, 68.1, 70.1, 90.1, 33.6, 61.5, 69.8, 51.0),
        "Syn. Any": (89.2, 90.4, 52.6, 77.8, 91.4, 40.6, 62.0, 67.3, 49.1),
        "Syn. Adj.": (81.7, 94.2, 34.4, 71.7, 93.9, 34.9, 54.3, 65.5, 42.1),
        "Syn. Adv.": (87.2, 85.1, 38.4, 69.9, 92.1, 29.0, 54.7, 61.4, 40.3),
        "EOS Filler": (88.9, 96.8, 52.2, 64.1, 94.1, 5.9, 56.4, 65.8, 42.0),
    },
}
"""Slot F1, intent accuracy and end-to-end accuracy on ATIS, then SNIPS, then NLU-ED."""

TABLE_5 = {
    "Orig": ((86.2, 83.3), (87.9, 85.3), (67.8, 66.2)),
    "Rand": ((66.5, 69.2), (39.0, 48.2), (56.8, 56.7)),
    "Hard": ((34.9, 54.0), (12.9, 27.1), (38.9, 40.7)),
}
"""End-to-end accuracy of Stack-Prop+BERT without and with augmentation: ATIS, SNIPS, NLU-ED.

For SNIPS, Rand, without augmentation, table 4 of the paper has 53.8 and table 5 has 39.0.
"""
