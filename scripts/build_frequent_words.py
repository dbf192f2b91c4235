"""Write the most frequent English words, by which the language of texts is known.

Run: python scripts/build_frequent_words.py

They are those of mondegreen.language.sounds.frequent, which reads a dictionary and a language model
of 75 MB: too much for a look at the language of a few texts.
"""

from __future__ import annotations

from pathlib import Path

import mondegreen.resources
from mondegreen.language.detection import ENGLISH_WORDS
from mondegreen.language.sounds.frequent import frequent_words


def main() -> None:
    """Write the file, one word per line, the most frequent first."""
    place = Path(mondegreen.resources.__file__).with_name("languages") / "en" / "frequent.txt"
    place.write_text("".join(f"{word}\n" for word in frequent_words(ENGLISH_WORDS)))


if __name__ == "__main__":
    main()
