"""``mondegreen pronounce``: print the pronunciations of words."""

from __future__ import annotations

import click
import msgspec

from mondegreen.language.sounds.alike import SoundAlike, sound_alikes
from mondegreen.language.sounds.pronunciations import pronounce
from mondegreen.language.sounds.tongue_alike import alikes_in


@click.command(
    epilog="\b\nExamples:\n  mondegreen pronounce 'play sxsw at 7:30'\n"
    "  mondegreen pronounce --alphabet ipa tomato\n"
    "  mondegreen pronounce --alike 3 flight\n"
    "  mondegreen pronounce --language de 'stell den wecker auf 7:30'"
)
@click.argument("texts", nargs=-1, required=True)
@click.option(
    "--alphabet",
    default="arpabet",
    show_default=True,
    metavar="arpabet|ipa",
    help="Alphabet of the phonemes.",
)
@click.option(
    "--alike",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Also print the N frequent words that sound most similar.",
)
@click.option(
    "--distance",
    default="features",
    show_default=True,
    metavar="features|phonemes",
    help="Distance for --alike: the number of different features, or of different phonemes.",
)
@click.option(
    "--language",
    default="en",
    show_default=True,
    metavar="CODE",
    help="Language of the words; in others than English, pronunciations are in IPA.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    texts: tuple[str, ...],
    alphabet: str,
    alike: int,
    distance: str,
    language: str,
    *,
    as_json: bool,
) -> None:
    """Print the pronunciations of the words of TEXTS, with alternatives and their source."""
    found = [word for text in texts for word in pronounce(text, alphabet, language)]
    near = [_alikes(word.token, alike, distance, language) for word in found]
    if as_json:
        records = [
            word._asdict() | ({"alike": [a._asdict() for a in words]} if alike else {})
            for word, words in zip(found, near, strict=True)
        ]
        click.echo(msgspec.json.encode(records).decode())
        return
    width = max((len(word.token) for word in found), default=0)
    for word, words in zip(found, near, strict=True):
        pronunciations = (
            " | ".join(" ".join(phonemes) for phonemes in word.pronunciations) or "(not pronounced)"
        )
        click.echo(f"{word.token:{width}}  {word.source:10}  {pronunciations}")
        if words:
            click.echo(f"{'':{width}}  sounds like {', '.join(f'{w} ({d:g})' for w, d in words)}")


def _alikes(word: str, n: int, distance: str, language: str) -> list[SoundAlike]:
    if not n:
        return []
    if language == "en":
        return sound_alikes(word, n, distance=distance)
    return [SoundAlike(*one) for one in alikes_in(word, language, n)]
