"""The laws of Mondegreen, run on the plugin."""

from __future__ import annotations

from pathlib import Path

from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.metrics.metric import References
from mondegreen.testing import format_laws, metric_laws, operator_laws
from mondegreen_shout.format import SEMICOLONS
from mondegreen_shout.metric import LENGTH

TEXTS = ["play some jazz", "stop", "wake me at seven"]
FILE = Transcripts(Path("ref.txt"), has_ids=False, ids=["1", "2", "3"], texts=TEXTS)

TestShout = operator_laws("shout(mark='!')")
TestSemicolons = format_laws(SEMICOLONS)
TestLength = metric_laws(LENGTH, References(FILE, TEXTS), ["play jazz", "stop it", "wake me"])
