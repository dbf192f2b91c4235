"""What can be done to an utterance: one file a phenomenon, one registry."""

from mondegreen.operators.protocol import Operator
from mondegreen.operators.registry import OPERATORS, parse, signature

__all__ = ["OPERATORS", "Operator", "parse", "signature"]
