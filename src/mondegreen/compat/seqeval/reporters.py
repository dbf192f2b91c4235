"""seqeval's reporters: a report as text or as a dictionary."""

from __future__ import annotations

from typing import Any


class DictReporter:
    """Collects the rows of a report in a dictionary."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.report_dict: dict[str, dict[str, Any]] = {}

    def write(self, row_name: str, precision: Any, recall: Any, f1: Any, support: Any) -> None:
        """Add a row."""
        self.report_dict[row_name] = {
            "precision": precision,
            "recall": recall,
            "f1-score": f1,
            "support": support,
        }

    def write_blank(self) -> None:
        """Add nothing: a dictionary has no blank rows."""

    def report(self) -> dict[str, dict[str, Any]]:
        """Return the rows by name."""
        return self.report_dict


class StringReporter:
    """Collects the rows of a report as lines."""

    def __init__(self, *_: Any, width: int = 10, digits: int = 4) -> None:
        self.buffer: list[str] = []
        self.width = width
        self.digits = digits

    def write(self, row_name: str, precision: Any, recall: Any, f1: Any, support: Any) -> None:
        """Add a row."""
        rates = "".join(f" {rate:>9.{self.digits}f}" for rate in (precision, recall, f1))
        self.buffer.append(f"{row_name:>{self.width}s} {rates} {support:>9}")

    def write_blank(self) -> None:
        """Add a blank row."""
        self.buffer.append("")

    def write_header(self) -> str:
        """Return the line with the names of the columns."""
        names = "".join(f" {name:>9}" for name in ("precision", "recall", "f1-score", "support"))
        return f"{'':>{self.width}s} {names}\n\n"

    def report(self) -> str:
        """Return header and rows."""
        return self.write_header() + "\n".join(self.buffer)
