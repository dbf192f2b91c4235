"""Operators, the changes that can be made to an utterance: one module per phenomenon."""

from mondegreen.operators.groups import GROUPS, group_of, parse_all
from mondegreen.operators.protocol import Operator
from mondegreen.operators.registry import OPERATORS, parse, signature

__all__ = ["GROUPS", "OPERATORS", "Operator", "group_of", "parse", "parse_all", "signature"]
