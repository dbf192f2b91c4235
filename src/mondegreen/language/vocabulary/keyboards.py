"""Keyboard layouts, and the neighbours of each key."""

from __future__ import annotations

from functools import cache

_SHIFTS = (0.0, 0.25, 0.75)  # how far to the right each row starts, in key widths
_REACH = 1.3  # the distance of neighbours, in key widths

LAYOUTS = {
    "qwerty": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "qwertz": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "azerty": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "qwerty-es": ("qwertyuiop", "asdfghjklñ", "zxcvbnm"),
    "qwerty-it": ("qwertyuiopè", "asdfghjklòà", "zxcvbnm"),
    "inscript": ("ौैाीूबहगदजड", "ोे्िुपरकतचट", "ॆंमनवलस,.य"),
    "dvorak": ("',.pyfgcrl", "aoeuidhtns", ";qjkxbmwvz"),
    "colemak": ("qwfpgjluy;", "arstdhneio", "zxcvbkm"),
    "йцукен": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
}


@cache
def neighbours(layout: str) -> dict[str, str]:
    """Return, per letter of a layout, the letters on the keys around it.

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
