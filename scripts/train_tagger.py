"""Train the part-of-speech tagger that ``mondegreen.language.tagger`` runs.

    apt-get install wordnet-base
    python scripts/train_tagger.py POS_FOLDER /usr/share/wordnet src/mondegreen/resources/tagger.npz

POS_FOLDER holds UD English EWT and UD English ATIS as ``ewt-train.tsv``, ``ewt-dev.tsv``,
``atis-train.tsv`` and ``atis-dev.tsv``: lines of ``token<TAB>UPOS<TAB>XPOS`` (``_`` where there is
none), a blank line after each sentence. Only the train parts are learnt from.

The sentences are lower-cased and lose their punctuation, as people speak and recognisers write.
What the treebanks lack is made from them: orders ("i want to book a table" holds "book a table"),
and clitics written together ("what's") or without their apostrophe ("what s"). WordNet says which
parts of speech a form can have. The weights are those of python-crfsuite's averaged perceptron,
rounded to whole numbers; the scores are those of the file as it is written.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from mondegreen.kernel.tagging import Seen, Tagger, features
from mondegreen.language.tagger import form_of
from mondegreen.resources import read_resource

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
TAGS = tuple(_TAGS.split())
ITERATIONS = 10
LARGEST = 32_767  # the largest weight in the file
KINDS = 256
FIELDS = 3
FREQUENT = 10  # a word of grammar is no rare word
RARE = 3  # words seen less often say nothing of the genre


class Token(NamedTuple):
    """A word of a treebank with its coarse and its fine tag."""

    form: str
    tag: str
    fine: str


Sentence = list[Token]


def read(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a treebank."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        if block.strip():
            yield [Token(*line.split("\t")) for line in block.strip("\n").split("\n")]


def spoken(sentence: Sentence) -> Sentence:
    """Return a sentence in lower case and without punctuation."""
    return [Token(form_of(t.form).decode() or t.form, *t[1:]) for t in sentence if t.tag != "PUNCT"]


def orders(sentence: Sentence) -> Iterator[Sentence]:
    """Yield what begins with a verb's base form after "to", a modal or "you": an order."""
    for i in range(1, len(sentence) - 1):
        before, verb = sentence[i - 1], sentence[i]
        if (
            verb.tag == "VERB"
            and verb.fine == "VB"
            and (before.tag in ("PART", "AUX") or before.form.lower() in ("you", "please"))
        ):
            end = next((j for j in range(i, len(sentence)) if sentence[j].tag == "PUNCT"), None)
            if end is None or end > i + 1:
                yield sentence[i:end]


def written_together(sentence: Sentence) -> Sentence:
    """Join clitics to the word before them, whose tag they take: "what" and "'s" is "what's"."""
    joined: Sentence = []
    for token in sentence:
        if joined and ("'" in token.form[:2] and token.tag in ("AUX", "PART")):
            joined[-1] = joined[-1]._replace(form=joined[-1].form + token.form)
        else:
            joined.append(token)
    return joined


def without_apostrophes(sentence: Sentence) -> Sentence:
    """Write clitics as corpora without punctuation do: "what s"."""
    return [t._replace(form=t.form.replace("'", "") or t.form) for t in sentence]


def settled(sentences: list[Sentence]) -> list[Sentence]:
    """Give a word between the same two words the tag that it mostly has there.

    ATIS has "like" in "i 'd like to" as a verb in some sentences and as a preposition in others;
    nothing can be learnt from which.
    """
    seen: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for i, place in enumerate(_places(sentence)):
            seen[place][sentence[i].tag] += 1
    return [
        [
            token._replace(tag=seen[place].most_common(1)[0][0])
            for token, place in zip(sentence, _places(sentence), strict=True)
        ]
        for sentence in sentences
    ]


def _places(sentence: Sentence) -> list[tuple[str, ...]]:
    forms = ["", *(token.form.lower() for token in sentence), ""]
    return [tuple(forms[i : i + 3]) for i in range(len(sentence))]


def training_set(folder: Path) -> list[Sentence]:
    """Return the sentences of both treebanks and what is made from them.

    ATIS counts twice: it is a quarter of EWT's size, and nearer to what is tagged here.
    """
    ewt, atis = (list(read(folder / f"{name}-train.tsv")) for name in ("ewt", "atis"))
    base = [*ewt, *2 * settled(atis)]
    said = [spoken(s) for s in [*base, *(order for s in base for order in orders(s))]]
    clitics = [s for s in said if any("'" in t.form for t in s)]
    said += [written_together(s) for s in clitics]
    said += [without_apostrophes(s) for s in clitics]
    return [s for s in said if s]


class WordNet:
    """Which parts of speech a form can have, and as which inflection."""

    _FILES = (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv"))
    _ENDINGS = (
        *(("n", *e) for e in (("s", ""), ("es", ""), ("ies", "y"), ("men", "man"))),
        *(("v", *e) for e in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"))),
        *(("v", *e) for e in (("ied", "y"), ("ing", ""), ("ing", "e"))),
        *(("a", *e) for e in (("er", ""), ("er", "e"), ("est", ""), ("est", "e"))),
    )

    def __init__(self, folder: Path) -> None:
        self.lemmas: dict[str, set[str]] = defaultdict(set)
        self._irregular: dict[str, set[str]] = defaultdict(set)
        for letter, name in self._FILES:
            for line in (folder / f"index.{name}").read_text("utf-8").splitlines():
                if not line.startswith(" "):
                    self.lemmas[line.split(" ", 1)[0]].add(letter)
            for line in (folder / f"{name}.exc").read_text("utf-8").splitlines():
                self._irregular[line.split()[0]].add(letter)
        self._add_names(folder / "data.noun")

    def _add_names(self, path: Path) -> None:
        """Mark the nouns that are only written with a capital."""
        cases: dict[str, set[bool]] = defaultdict(set)
        for line in path.read_text("utf-8").splitlines():
            if not line.startswith("  "):
                fields = line.split()
                for lemma in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                    cases[lemma.lower()].add(lemma[0].isupper())
        for lemma, capital in cases.items():
            self.lemmas[lemma] |= {True: {"N"}, False: set[str]()}[True in capital]
            if capital == {True}:
                self.lemmas[lemma].discard("n")

    def kind(self, form: str) -> str:
        """Return the parts of speech of a form as letters; empty where none is known."""
        found = set(self.lemmas.get(form, ())) | {f"{p}*" for p in self._irregular.get(form, ())}
        for letter, ending, instead in self._ENDINGS:
            if form.endswith(ending):
                stem = form[: -len(ending)]
                doubled = stem[-1:] == stem[-2:-1] and letter == "v" and ending in ("ed", "ing")
                for lemma in (stem + instead, stem[:-1] if doubled else stem + instead):
                    if letter in self.lemmas.get(lemma, ()):
                        found.add(f"{letter}-{ending}")
        return " ".join(sorted(found))


def lexicon(wordnet: WordNet) -> dict[str, int]:
    """Number the kinds of all lemmas of one word and of the common words; 0 is unknown."""
    words = {w for w in wordnet.lemmas if "_" not in w}
    words |= set(read_resource("common.en.txt.gz").decode().split())
    kinds = {word: kind for word in words if (kind := wordnet.kind(word))}
    ranked = [kind for kind, _ in Counter(kinds.values()).most_common(KINDS - 1)]
    numbers = {kind: i for i, kind in enumerate(ranked, start=1)}
    return {word: numbers[kind] for word, kind in sorted(kinds.items()) if kind in numbers}


def leanings(folder: Path) -> dict[str, int]:
    """Return how much more likely the words are in ATIS than in EWT, as sixteenths of a nat."""
    counts = [
        Counter(t.form for s in read(folder / f"{name}-train.tsv") for t in spoken(s))
        for name in ("atis", "ewt")
    ]
    sums = [sum(count.values()) for count in counts]
    found = {}
    for word in sorted(w for w in counts[0] | counts[1] if counts[0][w] + counts[1][w] >= RARE):
        atis, ewt = ((c[word] + 1) / n for c, n in zip(counts, sums, strict=True))
        found[word] = max(-127, min(127, round(16 * math.log(atis / ewt))))
    return found


class Looks(NamedTuple):
    """What is known of words beforehand: their kinds, and how much they speak for travel."""

    kinds: dict[str, int]
    leanings: dict[str, int]

    def at(self, sentence: Sentence) -> list[Seen]:
        """Return the words of a sentence as the model sees them."""
        return [
            Seen(t.form.encode(), b"%d" % self.kinds.get(t.form, 0), self.leanings.get(t.form, 0))
            for t in sentence
        ]


class Weights(NamedTuple):
    """What a field has learnt."""

    states: Counter[tuple[str, str]]
    transitions: Counter[tuple[str, str]]


def train(sentences: Sequence[Sentence], looks: Looks) -> Weights:
    """Return the mean of several fields, each trained on the sentences in another order."""
    items = [
        (
            pycrfsuite.ItemSequence(
                [[f.decode("latin-1") for f in row] for row in features(looks.at(sentence))]
            ),
            [token.tag for token in sentence],
        )
        for sentence in sentences
    ]
    mean = Weights(Counter(), Counter())
    for seed in range(FIELDS):
        random.Random(seed).shuffle(items)  # noqa: S311 (an order, no secret)
        info = _field(items)
        for key, weight in info.state_features.items():
            mean.states[key] += weight
        for key, weight in info.transitions.items():
            mean.transitions[key] += weight
    return mean


def _field(items: Iterable[tuple[Any, list[str]]]) -> Any:
    """Return states and transitions of one field, as python-crfsuite tells them."""
    trainer = pycrfsuite.Trainer("ap", {"max_iterations": ITERATIONS}, verbose=False)
    for words, tags in items:
        trainer.append(words, tags)
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "model")
        trainer.train(model)
        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        return tagger.info()


def arrays_of(learnt: Weights, looks: Looks) -> dict[str, NDArray[Any]]:
    """Return the model as arrays: features by their CRC-32, weights as whole numbers."""
    largest = max(map(abs, [*learnt.states.values(), *learnt.transitions.values()]))
    scale = LARGEST / largest
    table: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (feature, tag), weight in learnt.states.items():
        if rounded := round(weight * scale):
            table[crc32(feature.encode("latin-1"))][TAGS.index(tag)] += rounded
    keys = sorted(table)
    rows = [sorted(table[key].items()) for key in keys]
    transitions = np.zeros((len(TAGS), len(TAGS)), np.int16)
    for (before, after), weight in learnt.transitions.items():
        transitions[TAGS.index(before), TAGS.index(after)] = round(weight * scale)
    words = {crc32(word.encode()): kind for word, kind in looks.kinds.items()}
    cues = {crc32(word.encode()): leaning for word, leaning in looks.leanings.items()}
    return {
        "tags": np.array(" ".join(TAGS)),
        "keys": np.array(keys, np.uint32),
        "ends": np.cumsum([len(row) for row in rows], dtype=np.uint32),
        "targets": np.array([tag for row in rows for tag, _ in row], np.uint8),
        "weights": np.array([w for row in rows for _, w in row])
        .clip(-LARGEST, LARGEST)
        .astype(np.int16),
        "transitions": transitions,
        "lexicon": np.array(sorted(words), np.uint32),
        "kinds": np.array([words[key] for key in sorted(words)], np.uint8),
        "cues": np.array(sorted(cues), np.uint32),
        "leanings": np.array([cues[key] for key in sorted(cues)], np.int8),
    }


def report(name: str, tagger: Tagger, path: Path) -> None:
    """Print how many tags of a dev part are right, the verbs' F1, and what is confused."""
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in map(spoken, read(path)):
        found = tagger.tag(tuple(token.form for token in sentence))
        pairs.update(zip((token.tag for token in sentence), found, strict=True))
    right = sum(n for (gold, found), n in pairs.items() if gold == found)
    verbs = [sum(n for pair, n in pairs.items() if pair[i] == "VERB") for i in (0, 1)]
    f1 = 2 * pairs["VERB", "VERB"] / sum(verbs)
    print(f"{name}: {right / sum(pairs.values()):.4f} of {sum(pairs.values())}, verbs {f1:.4f}")
    wrong = [(pair, n) for pair, n in pairs.most_common() if pair[0] != pair[1]]
    print("  " + ", ".join(f"{gold} as {found} {n}" for (gold, found), n in wrong[:12]))


def stop_words(folder: Path) -> list[str]:
    """Return the words that are mostly words of grammar."""
    grammar = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ")
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for sentence in read(folder / "ewt-train.tsv"):
        for token in spoken(sentence):
            counts[token.form][token.tag in grammar] += 1
    return sorted(
        word
        for word, count in counts.items()
        if count.total() >= FREQUENT and count[True] > 3 * count[False] and word[0].isalpha()
    )


def main() -> None:
    """Train, write and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    looks = Looks(lexicon(WordNet(arguments.wordnet)), leanings(arguments.data))
    sentences = training_set(arguments.data)
    print(f"{len(sentences)} sentences, {len(looks.kinds)} forms in the lexicon")
    model = arrays_of(train(sentences, looks), looks)
    model["stops"] = np.array(" ".join(stop_words(arguments.data)))
    np.savez(arguments.output, allow_pickle=False, **model)
    print(f"{len(model['keys'])} features, {arguments.output.stat().st_size / 1e6:.2f} MB")
    tagger = Tagger(model, form_of)
    for name in ("atis-dev", "ewt-dev"):
        report(name, tagger, arguments.data / f"{name}.tsv")


if __name__ == "__main__":
    main()
