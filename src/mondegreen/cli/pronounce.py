"""``mondegreen pronounce``: how words sound."""

from __future__ import annotations

import click
import msgspec

from mondegreen.language.pronunciations import pronounce


@click.command(
    epilog="\b\nExamples:\n  mondegreen pronounce 'play sxsw at 7:30'\n"
    "  mondegreen pronounce --alphabet ipa tomato"
)
@click.argument("texts", nargs=-1, required=True)
@click.option(
    "--alphabet",
    default="arpabet",
    show_default=True,
    metavar="arpabet|ipa",
    help="How to write the sounds.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(texts: tuple[str, ...], alphabet: str, *, as_json: bool) -> None:
    """Print how the words of TEXTS are said, with all alternatives, and where they are from."""
    found = [word for text in texts for word in pronounce(text, alphabet)]
    if as_json:
        click.echo(msgspec.json.encode([word._asdict() for word in found]).decode())
        return
    width = max((len(word.token) for word in found), default=0)
    for word in found:
        ways = " | ".join(" ".join(way) for way in word.pronunciations) or "(nothing to say)"
        click.echo(f"{word.token:{width}}  {word.source:10}  {ways}")
