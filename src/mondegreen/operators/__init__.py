"""What can be done to an utterance: one file a phenomenon, one registry."""

from mondegreen.operators.groups import GROUPS, group_of, parse_all
from mondegreen.operators.protocol import Operator
from mondegreen.operators.registry import OPERATORS, parse, signature

__all__ = ["GROUPS", "OPERATORS", "Operator", "group_of", "parse", "parse_all", "signature"]
