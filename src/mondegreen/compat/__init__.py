"""Drop-in replacements for other packages: change the import, keep the code.

``import mondegreen.compat.jiwer as jiwer`` and ``from mondegreen.compat.seqeval.metrics import
f1_score``. Their numbers come from this package's aligner and tag reader. ``nlaugmenter``,
``corrupted_text``, ``fluency`` and ``pssteval`` have the calls, reports and files of the systems
that this package unites (docs/moving.md).
"""
