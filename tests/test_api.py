"""The public face: what is exported is there, and loads when it is used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest

import mondegreen
from mondegreen.errors import DataError, MondegreenError


def test_every_public_name_is_there_and_documented() -> None:
    for name in mondegreen.__all__:
        assert getattr(mondegreen, name).__doc__
    assert dir(mondegreen) == sorted(mondegreen.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        mondegreen.nothing  # noqa: B018 (the access is the test)


def test_importing_loads_nothing_heavy() -> None:
    program = "import sys, mondegreen; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert not loaded & {"msgspec", "rapidfuzz", "click", "rich", "pyarrow", "datasets", "numpy"}


def test_the_public_names_stay_functions_whatever_is_imported_first() -> None:
    modules = "mondegreen.perturbation.engine, mondegreen.data, mondegreen as mg"
    program = f"import {modules}; mg.perturb(['a b'], 'typo')"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("make", [mondegreen.perturb, mondegreen.augment])
def test_one_text_and_no_data_are_refused_at_once(make: Callable[..., object]) -> None:
    with pytest.raises(DataError, match="a single text is not a list of texts; put it into a list"):
        make("play jazz", "typo")
    for nothing in (None, mondegreen.Utterance.of("1", "play jazz")):
        with pytest.raises(DataError, match="a list of utterances or texts is expected, got"):
            make(nothing, "typo")


def test_every_error_is_one_of_ours() -> None:
    from mondegreen import errors

    for name in ("DataError", "EditError", "OperatorError", "OutputError", "MissingExtraError"):
        assert issubclass(getattr(errors, name), MondegreenError)


def test_a_missing_kernel_is_said_once_and_the_twin_stands_in() -> None:
    program = (
        "import sys; sys.modules['mondegreen.kernel._kernel'] = None\n"
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as said:\n"
        "    warnings.simplefilter('always')\n"
        "    import mondegreen as mg\n"
        "    print(next(mg.perturb(['of course'], 'fillers(words=[uh])')).utterance.text)\n"
        "print(len(said), said[0].category.__name__, 'C++20 compiler' in str(said[0].message))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "of uh course\n1 RuntimeWarning True\n"
