"""Reading and writing utterances: one file per format, chosen by name or by content."""

from typing import TYPE_CHECKING

from mondegreen.lazily import lazily

if TYPE_CHECKING:
    from mondegreen.data.formats.arrow import from_dataset as from_dataset
    from mondegreen.data.formats.arrow import to_dataset as to_dataset
    from mondegreen.data.formats.detection import FORMATS as FORMATS
    from mondegreen.data.formats.detection import format_of as format_of
    from mondegreen.data.formats.detection import target_format as target_format
    from mondegreen.data.formats.format import Format as Format
    from mondegreen.data.formats.format import Item as Item
    from mondegreen.data.formats.format import Sink as Sink
    from mondegreen.data.reading import open_sink as open_sink
    from mondegreen.data.reading import read as read
    from mondegreen.data.reading import write as write

_HOMES = {
    "FORMATS": "mondegreen.data.formats.detection",
    "Format": "mondegreen.data.formats.format",
    "Item": "mondegreen.data.formats.format",
    "Sink": "mondegreen.data.formats.format",
    "format_of": "mondegreen.data.formats.detection",
    "from_dataset": "mondegreen.data.formats.arrow",
    "open_sink": "mondegreen.data.reading",
    "read": "mondegreen.data.reading",
    "target_format": "mondegreen.data.formats.detection",
    "to_dataset": "mondegreen.data.formats.arrow",
    "write": "mondegreen.data.reading",
}
__all__ = [*_HOMES]
__getattr__ = lazily(__name__, _HOMES)
