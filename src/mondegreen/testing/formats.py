"""The laws of formats: what is written comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from mondegreen.data.formats.format import Format, Target
from mondegreen.data.sample import sample
from mondegreen.errors import DataError, OutputError
from mondegreen.variants import perturb


class FormatLaws:
    """One test per law; see :func:`format_laws`."""

    format: Format
    file: str

    def test_texts_come_back(self, tmp_path: Path) -> None:
        """Texts are kept, and ids where the format has them."""
        data = list(sample())
        path = tmp_path / self.file
        with self.format.open(Target(path)) as sink:
            for utterance in data:
                sink(utterance)
        back = list(self.format.read(path, None))
        assert [one.tokens for one in back] == [one.tokens for one in data]
        if self.format.keeps_spacing:
            assert [one.text for one in back] == [one.text for one in data]
        if self.format.has_ids:
            assert [one.id for one in back] == [one.id for one in data]
        if self.format.always_tagged:
            assert [one.slots for one in back] == [one.slots for one in data]

    def test_variants_can_be_written(self, tmp_path: Path) -> None:
        """Variants are written as their utterances."""
        path = tmp_path / self.file
        variants = list(perturb(sample(), "typo", seed=1))
        with self.format.open(Target(path)) as sink:
            for variant in variants:
                sink(variant)
        back = [one.tokens for one in self.format.read(path, None)]
        assert back == [variant.utterance.tokens for variant in variants]

    def test_what_exists_is_not_replaced(self, tmp_path: Path) -> None:
        """A target that exists is an error, unless it is forced."""
        path = tmp_path / self.file
        with self.format.open(Target(path)) as sink:
            sink(next(sample()))
        with pytest.raises(OutputError), self.format.open(Target(path)):
            pass

    def test_a_missing_file_is_a_data_error(self, tmp_path: Path) -> None:
        """A file that is not there is an error of ours, not of the system."""
        with pytest.raises(DataError):
            list(self.format.read(tmp_path / "missing" / self.file, None))


def format_laws(format: Format, file: str = "") -> type[FormatLaws]:
    """Return a class of tests that runs all laws on a format.

    Args:
        format: the format.
        file: the name of a file or folder of this format; by default ``data`` with its ending.
    """
    name = file or "data" + (format.suffixes or ("",))[0]
    return type("FormatLaws", (FormatLaws,), {"format": format, "file": name})
