"""Keyboard layouts and which keys lie side by side on them."""

from __future__ import annotations

from functools import cache

# Each row starts further to the right than the one above it, in key widths.
_SHIFTS = (0.0, 0.25, 0.75)
_REACH = 1.3

LAYOUTS = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "dvorak": ("',.pyfgcrl", "aoeuidhtns", ";qjkxbmwvz"),
    "colemak": ("qwfpgjluy;", "arstdhneio", "zxcvbkm"),
    "йцукен": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
}


@cache
def neighbours(layout: str) -> dict[str, str]:
    """Return for each letter of a layout the letters on the keys around it.

    >>> neighbours("qwerty")["g"], neighbours("qwerty")["q"]
    ('tyfhvb', 'wa')
    """
    keys = {
        key: (column + shift, row)
        for row, (shift, letters) in enumerate(zip(_SHIFTS, LAYOUTS[layout], strict=True))
        for column, key in enumerate(letters)
        if key.isalpha()
    }
    return {
        key: "".join(
            other
            for other, (across, down) in keys.items()
            if other != key and (across - x) ** 2 + (down - y) ** 2 < _REACH**2
        )
        for key, (x, y) in keys.items()
    }
