"""What the score of words shows beside its rates: alignments, confusions, sounds, entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mondegreen.metrics.metric import Section, setting
from mondegreen.metrics.scores.score import Score
from mondegreen.metrics.words.entities import EntityClass, classes_of

_ERRORS = ("substitutions", "deletions", "insertions")
_RANKED = 10_000  # words that have a rank
_SHOWN = 20  # substitutions that are printed; JSON has all
_PAIR = ("ref", "hyp", "times")


@dataclass(frozen=True)
class WordDisplay:
    """What only shows more."""

    align: bool = setting(default=False, help="Print the alignment of every utterance.")
    errors: bool = setting(default=False, help="Print the alignment of the utterances with errors.")
    phonetic: bool = setting(
        default=False,
        help="Print how far apart the words of each substitution sound (0 is a homophone), and the "
        "phoneme error rate of the whole transcript.",
    )
    rarity: bool = setting(
        default=False,
        help="Print how many words of the reference are wrong, by how rare they are in English.",
    )
    confusions: int = setting(
        default=0,
        help="Print the N most frequent substitutions, deletions and insertions.",
        metavar="N",
    )


def sections(score: Score, display: WordDisplay) -> list[Section]:
    """Return what the display options ask for, and the classes of entities if there are any."""
    found = []
    if display.confusions:
        found.append(_confusions(score, display.confusions))
    if display.phonetic:
        found.append(_phonetic(score))
    if display.rarity:
        found.append(_rarity(score.tallies["rarity"]))
    if "entities" in score.tallies:
        found.append(_entities(classes_of(score.tallies["entities"])))
    if "forgiven" in score.tallies:
        found.append(_forgiven(score.tallies["forgiven"]))
    return found


def _forgiven(counts: Counter[tuple[str, str]]) -> Section:
    """Show what was written in another way; JSON has all."""
    rows = [(ref, hyp, times) for (ref, hyp), times in counts.most_common()]
    lines = [f"\nforgiven: {counts.total():,} values that are written in another way"]
    lines += [f"{times:8,}  {ref} = {hyp}" for ref, hyp, times in rows[:_SHOWN]]
    if len(rows) > _SHOWN:
        lines.append(f"     and {len(rows) - _SHOWN:,} other ones; --json has all")
    return Section("forgiven", [dict(zip(_PAIR, row, strict=True)) for row in rows], lines)


def _confusions(score: Score, n: int) -> Section:
    found = {name: score.tallies[name].most_common(n) for name in _ERRORS}
    lines = []
    for name, counts in found.items():
        lines.append(f"\n{name}")
        lines += [f"{count:8,}  {' → '.join(pair)}" for pair, count in counts]
    return Section("confusions", found, lines)


def _phonetic(score: Score) -> Section:
    from mondegreen.metrics.words.phonetic import phoneme_rates, substitutions

    found = substitutions(score.tallies["substitutions"])
    rates = phoneme_rates(score.tallies["sounds"])
    lines = ["\nby sound"]
    for name, value in rates.items():
        lines.append(f"{name}  {'' if value is None else f'{100 * value:.2f} %'}")
    for ref, hyp, times, distance in found[:_SHOWN]:
        far = "   ?" if distance is None else f"{distance:4.2f}"
        lines.append(f"{times:8,}  {far}  {ref} → {hyp}")
    return Section("phonetic", {**rates, "substitutions": [one._asdict() for one in found]}, lines)


def tally_rarity(score: Score) -> Counter[tuple[str, bool]]:
    """Count the words of the references by how rare they are, and whether they are right."""
    from mondegreen.language.sounds.frequent import frequent_words

    ranks = {word: rank for rank, word in enumerate(frequent_words(_RANKED))}
    found: Counter[tuple[str, bool]] = Counter()
    for steps in score.alignments:
        for step in steps:
            if step.ref is not None:
                rank = ranks.get(step.ref.lower(), _RANKED)
                found[_rank_name(rank), step.kind == "match"] += 1
    return found


def _rank_name(rank: int) -> str:
    names = {100: "the 100 most frequent", 1_000: "the next 900", 10_000: "the next 9,000"}
    return next((name for edge, name in names.items() if rank < edge), "rarer words")


def _rarity(counts: Counter[tuple[str, bool]]) -> Section:
    names = [_rank_name(rank) for rank in (0, 100, 1_000, _RANKED)]
    value, lines = {}, ["\nwords of the reference that are wrong, by how frequent they are"]
    for name in names:
        wrong, n = counts[name, False], counts[name, False] + counts[name, True]
        value[name] = {"wrong": wrong, "words": n, "error_rate": wrong / n if n else None}
        share = f"{100 * wrong / n:7.2f} %" if n else "         "
        lines.append(f"{name:22} {share}  {wrong:,} / {n:,}")
    return Section("rarity", value, lines)


def _entities(classes: dict[str, EntityClass]) -> Section:
    return Section(
        "entities", {label: one.record() for label, one in classes.items()}, _table(classes)
    )


def _table(classes: dict[str, EntityClass]) -> Iterator[str]:
    width = max(map(len, classes), default=5)
    yield f"\n{'class':{width}}  error rate     recall  precision  entities  mentions"
    for label, one in classes.items():
        rates = (one.error_rate, one.recall, one.precision)
        cells = "  ".join("         " if r is None else f"{100 * r:7.2f} %" for r in rates)
        yield f"{label:{width}}   {cells}  {one.entities:8,}  {one.mentions:8,}"
    known = [one.error_rate for one in classes.values() if one.error_rate is not None]
    if known:
        yield f"mean error rate of {len(known)} classes: {100 * sum(known) / len(known):.2f} %"
