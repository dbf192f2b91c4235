"""Train the part-of-speech tagger that ``mondegreen.language.vocabulary.tagger`` runs.

    apt-get install wordnet-base
    python scripts/train_tagger.py POS_FOLDER /usr/share/wordnet src/mondegreen/resources/tagger.npz

POS_FOLDER has UD English EWT and UD English ATIS as ``ewt-train.tsv``, ``ewt-dev.tsv``,
``atis-train.tsv`` and ``atis-dev.tsv``: lines of ``token<TAB>UPOS<TAB>XPOS`` (``_`` for no XPOS),
and a blank line after each sentence. The tagger is trained on the train parts only.

Sentences are converted to lower case without punctuation, like the output of recognisers. Sentences
that the treebanks lack are derived from them: commands ("book a table" from "i want to book a
table"), and clitics written together ("what's") or without their apostrophe ("what s"). WordNet
provides the possible parts of speech of a form. The weights are those of python-crfsuite's averaged
perceptron, rounded to integers; the scores are those of the file that is written.
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

from mondegreen.kernel.tagging import LexiconWord, Tagger, features
from mondegreen.language.vocabulary.tagger import form_of
from mondegreen.resources import read_resource

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
TAGS = tuple(_TAGS.split())
ITERATIONS = 10
LARGEST = 32_767  # the largest weight in the file
CLASSES = 256  # of words in the lexicon; 0 is unknown
MODELS = 3  # random fields whose weights are averaged
FREQUENT = 10  # the least count of a stop word
RARE = 3  # rarer words have no weight for travel


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


def commands(sentence: Sentence) -> Iterator[Sentence]:
    """Yield the parts of a sentence that are commands: a base form after "to", a modal or "you"."""
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
    """Join clitics to the word before them, which keeps its tag: "what" and "'s" to "what's"."""
    joined: Sentence = []
    for token in sentence:
        if joined and ("'" in token.form[:2] and token.tag in ("AUX", "PART")):
            joined[-1] = joined[-1]._replace(form=joined[-1].form + token.form)
        else:
            joined.append(token)
    return joined


def without_apostrophes(sentence: Sentence) -> Sentence:
    """Return a sentence with clitics as in corpora without punctuation: "what s"."""
    return [t._replace(form=t.form.replace("'", "") or t.form) for t in sentence]


def with_majority_tags(sentences: list[Sentence]) -> list[Sentence]:
    """Give a word between the same two words the tag that it mostly has there.

    In ATIS, "like" in "i 'd like to" is a verb in some sentences and a preposition in others, for
    no reason that a tagger could learn.
    """
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for i, place in enumerate(_places(sentence)):
            counts[place][sentence[i].tag] += 1
    return [
        [
            token._replace(tag=counts[place].most_common(1)[0][0])
            for token, place in zip(sentence, _places(sentence), strict=True)
        ]
        for sentence in sentences
    ]


def _places(sentence: Sentence) -> list[tuple[str, ...]]:
    forms = ["", *(token.form.lower() for token in sentence), ""]
    return [tuple(forms[i : i + 3]) for i in range(len(sentence))]


def training_set(folder: Path) -> list[Sentence]:
    """Return the sentences of both treebanks and those derived from them.

    ATIS counts twice: it is a quarter of the size of EWT, and closer to the utterances to tag.
    """
    ewt, atis = (list(read(folder / f"{name}-train.tsv")) for name in ("ewt", "atis"))
    base = [*ewt, *2 * with_majority_tags(atis)]
    sentences = [spoken(s) for s in [*base, *(command for s in base for command in commands(s))]]
    clitics = [s for s in sentences if any("'" in t.form for t in s)]
    sentences += [written_together(s) for s in clitics]
    sentences += [without_apostrophes(s) for s in clitics]
    return [s for s in sentences if s]


class WordNet:
    """The parts of speech that a form can have, and its possible inflections."""

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
        """Mark the nouns that are written with a capital."""
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

    def class_of(self, form: str) -> str:
        """Return the parts of speech of a form as letters; empty for an unknown form."""
        found = set(self.lemmas.get(form, ())) | {f"{p}*" for p in self._irregular.get(form, ())}
        for letter, ending, replacement in self._ENDINGS:
            if form.endswith(ending):
                stem = form[: -len(ending)]
                doubled = stem[-1:] == stem[-2:-1] and letter == "v" and ending in ("ed", "ing")
                for lemma in (stem + replacement, stem[:-1] if doubled else stem + replacement):
                    if letter in self.lemmas.get(lemma, ()):
                        found.add(f"{letter}-{ending}")
        return " ".join(sorted(found))


def word_classes(wordnet: WordNet) -> dict[str, int]:
    """Return the numbers of the classes of all single-word lemmas and common words."""
    words = {w for w in wordnet.lemmas if "_" not in w}
    words |= set(read_resource("languages/en/common.txt.gz").decode().split())
    classes = {word: name for word in words if (name := wordnet.class_of(word))}
    ranked = [name for name, _ in Counter(classes.values()).most_common(CLASSES - 1)]
    numbers = {name: i for i, name in enumerate(ranked, start=1)}
    return {word: numbers[name] for word, name in sorted(classes.items()) if name in numbers}


def travel_weights(folder: Path) -> dict[str, int]:
    """Return how much more likely words are in ATIS than in EWT, in sixteenths of a nat."""
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


class Lexicon(NamedTuple):
    """The classes of words, and their weights for questions about travel."""

    classes: dict[str, int]
    travel: dict[str, int]

    def words(self, sentence: Sentence) -> list[LexiconWord]:
        """Return the words of a sentence as the tagger reads them."""
        return [
            LexiconWord(
                t.form.encode(), b"%d" % self.classes.get(t.form, 0), self.travel.get(t.form, 0)
            )
            for t in sentence
        ]


class Weights(NamedTuple):
    """The weights of a conditional random field."""

    states: Counter[tuple[str, str]]
    transitions: Counter[tuple[str, str]]


def train(sentences: Sequence[Sentence], lexicon: Lexicon) -> Weights:
    """Return the sum of the weights of several models, each trained in another order."""
    items = [
        (
            pycrfsuite.ItemSequence(
                [[f.decode("latin-1") for f in row] for row in features(lexicon.words(sentence))]
            ),
            [token.tag for token in sentence],
        )
        for sentence in sentences
    ]
    total = Weights(Counter(), Counter())
    for seed in range(MODELS):
        random.Random(seed).shuffle(items)  # noqa: S311 (an order, not a secret)
        info = _train_one(items)
        for key, weight in info.state_features.items():
            total.states[key] += weight
        for key, weight in info.transitions.items():
            total.transitions[key] += weight
    return total


def _train_one(items: Iterable[tuple[Any, list[str]]]) -> Any:
    """Train one model, and return its states and transitions as python-crfsuite reports them."""
    trainer = pycrfsuite.Trainer("ap", {"max_iterations": ITERATIONS}, verbose=False)
    for words, tags in items:
        trainer.append(words, tags)
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "model")
        trainer.train(model)
        tagger = pycrfsuite.Tagger()
        tagger.open(model)
        return tagger.info()


def arrays_of(learnt: Weights, lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    """Return the model as arrays, with features as CRC-32 and weights as integers."""
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
    words = {crc32(word.encode()): number for word, number in lexicon.classes.items()}
    cues = {crc32(word.encode()): weight for word, weight in lexicon.travel.items()}
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
    """Print the accuracy on a dev set, the F1 of verbs, and the most frequent confusions."""
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
    """Return the words that are mostly used as function words."""
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
    """Train the tagger, write it, and print its scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    lexicon = Lexicon(word_classes(WordNet(arguments.wordnet)), travel_weights(arguments.data))
    sentences = training_set(arguments.data)
    print(f"{len(sentences)} sentences, {len(lexicon.classes)} forms in the lexicon")
    model = arrays_of(train(sentences, lexicon), lexicon)
    model["stops"] = np.array(" ".join(stop_words(arguments.data)))
    np.savez(arguments.output, allow_pickle=False, **model)
    print(f"{len(model['keys'])} features, {arguments.output.stat().st_size / 1e6:.2f} MB")
    tagger = Tagger(model, form_of)
    for name in ("atis-dev", "ewt-dev"):
        report(name, tagger, arguments.data / f"{name}.tsv")


if __name__ == "__main__":
    main()
