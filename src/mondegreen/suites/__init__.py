"""Suites: a test set, and variants of it by each operator, at random, hard, and by severity."""

from typing import TYPE_CHECKING

from mondegreen.lazily import lazily

if TYPE_CHECKING:
    from mondegreen.suites.build import SuiteVariants as SuiteVariants
    from mondegreen.suites.build import suite as suite
    from mondegreen.suites.reading import Case as Case
    from mondegreen.suites.reading import Suite as Suite
    from mondegreen.suites.reading import open_suite as open_suite

_HOMES = {
    "Case": "mondegreen.suites.reading",
    "Suite": "mondegreen.suites.reading",
    "SuiteVariants": "mondegreen.suites.build",
    "open_suite": "mondegreen.suites.reading",
    "suite": "mondegreen.suites.build",
}
__all__ = [*_HOMES]
__getattr__ = lazily(__name__, _HOMES)
