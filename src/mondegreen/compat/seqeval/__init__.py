"""The interface of seqeval 1.2, on this package's tables of tagging schemes.

>>> from mondegreen.compat.seqeval.metrics import f1_score
>>> f1_score([["B-city", "I-city", "O"]], [["B-city", "I-city", "B-city"]])
0.6666666666666666
"""
