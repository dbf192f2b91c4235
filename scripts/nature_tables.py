"""NATURE's tables 2, 4 and 5 with our operators and models; can be resumed.

    python scripts/nature_tables.py prepare --data ../shared/data/slu --encoder FOLDER
    python scripts/nature_tables.py train --device cuda --at-once 6      # here or on a GPU machine
    python scripts/nature_tables.py train --only crf                     # without a GPU
    python scripts/nature_tables.py tables                               # into docs/results

The test sets are made with the groups `nature` (ours) and `nature.paper` (as the paper has them).
For table 5, the training and development data are augmented with the six strategies of section 4.4
of the paper, the group `augment`, which are other operators than those of the test sets.

The data: ATIS and SNIPS as NATURE uses them are in https://github.com/MiuLab/SlotGated-SLU (folder
data), NLU-ED in https://github.com/xliuhw/NLU-Evaluation-Data. Give --data a folder with atis,
snips and nlued, each with train, valid and test, and in each of those seq.in, seq.out and label.

All files are in the folder --work; steps that are done are skipped. Tables are written for the
models that have results. To train on another machine,
copy the repository and WORK/pack to it, and copy back the archive that `train --collect FILE`
writes (`tables --collected FILE` reads it).
"""

from __future__ import annotations

import argparse
import sys
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

import nature_jobs
from mondegreen.types import Utterance
from nature_jobs import AUGMENT, DATA, GROUPS, Job, Pack

if TYPE_CHECKING:
    from mondegreen.suites.reading import Suite

SEED = 0
RANDOM = 10


def main() -> None:
    """Run one phase."""
    arguments = _arguments()
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    if arguments.phase == "prepare":
        check_data(arguments.data)
        prepare(work, arguments.data, arguments.encoder)
    elif arguments.phase == "train":
        _train(arguments)
    elif arguments.phase == "job":
        model, data, training, seed = arguments.job
        job = Job(model, data, training, int(seed))
        nature_jobs.run_job(work, job, arguments.encoder, arguments.device)
    else:
        if arguments.collected:
            with tarfile.open(arguments.collected) as archive:
                archive.extractall(work, filter="data")
        import nature_write

        nature_write.write_tables(work, arguments.output, arguments.prefix)


def check_data(folder: Path) -> None:
    """Exit with a message if a data set is missing."""
    parts = (f"{data}/{part}/seq.in" for data in DATA for part in ("train", "valid", "test"))
    missing = [part for part in parts if not (folder / part).is_file()]
    if missing:
        sys.exit(
            f"{folder}: {len(missing)} files are missing, such as {missing[0]}; the beginning of "
            f"{Path(__file__).name} says where to get the data, and --data where it is"
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    phases = parser.add_subparsers(dest="phase", required=True)
    for name in ("prepare", "train", "job", "tables"):
        phase = phases.add_parser(name)
        if name == "job":
            phase.add_argument("job", nargs=4)
        phase.add_argument("--work", type=Path, default=Path("build/nature"))
        phase.add_argument("--encoder", type=Path, default=None)
        phase.add_argument("--data", type=Path, default=Path("../shared/data/slu"))
        phase.add_argument("--prefix", default="nature", help="of the names of the pages")
        phase.add_argument("--only", nargs="+", default=[""], help="prefixes of the names of jobs")
        phase.add_argument("--device", default="auto")
        phase.add_argument("--at-once", type=int, default=1)
        phase.add_argument("--minutes", type=float, default=10_000)
        phase.add_argument("--collect", type=Path, default=None)
        phase.add_argument("--collected", type=Path, default=None)
        phase.add_argument("--output", type=Path, default=Path("docs/results"))
    return parser.parse_args()


def _train(arguments: argparse.Namespace) -> None:
    work = arguments.work
    encoder = arguments.encoder or work / "pack" / "encoder"
    nature_jobs.unshrink(encoder)
    wanted = [job for job in nature_jobs.jobs() if job.name.startswith(tuple(arguments.only))]
    left = nature_jobs.run_all(
        wanted,
        work,
        encoder,
        arguments.device,
        at_once=arguments.at_once,
        minutes=arguments.minutes,
    )
    if arguments.collect:
        nature_jobs.collect(work, arguments.collect)
    print(f"{len(left)} jobs are left: {', '.join(job.name for job in left) or 'none'}")


def prepare(work: Path, source: Path, encoder: Path | None) -> None:
    """Make suites and augmented training sets, and pack them for the jobs."""
    from mondegreen.suites.build import suite
    from mondegreen.suites.reading import open_suite

    (work / "pack").mkdir(exist_ok=True)
    (work / "suites").mkdir(exist_ok=True)
    for data in DATA:
        target = work / "pack" / f"{data}.json.xz"
        if target.exists():
            continue
        suites = {}
        for group in GROUPS:
            folder = work / "suites" / f"{data}-{group}"
            if not folder.exists():
                suite(source / data / "test", folder, group, random=RANDOM, seed=SEED)
            suites[group] = open_suite(folder)
        pack = _pack_of(source / data, suites)
        nature_jobs.write_pack(pack, target)
        print(
            f"{data}: {len(pack.more_train):,} augmented, {len(pack.units):,} to predict",
            flush=True,
        )
    last = work / "pack" / "encoder" / "tokenizer_config.json"  # the last file that is written
    if encoder is not None and not last.exists():
        texts = (
            utterance.tokens
            for data in DATA
            for part in _parts(nature_jobs.read_pack(work, data))
            for utterance in part
        )
        nature_jobs.shrink(encoder, texts, last.parent)


def _parts(pack: Pack) -> tuple[list[Utterance], ...]:
    return pack.more_train, pack.more_valid, pack.units


def _pack_of(source: Path, suites: dict[str, Suite]) -> Pack:
    from mondegreen.data import read
    from mondegreen.variants import augment

    pack = Pack([], [], [], [], [], {}, {})
    for part in ("train", "valid"):
        utterances = list(read(source / part))
        getattr(pack, part).extend(utterances)
        more = getattr(pack, f"more_{part}")
        more.extend(variant.utterance for variant in augment(utterances, AUGMENT, seed=SEED))
    numbers: dict[tuple[object, ...], int] = {}
    for group, suite in suites.items():
        _add_suite(pack, group, suite, numbers)
    return pack


def _add_suite(
    pack: Pack, group: str, suite: Suite, numbers: dict[tuple[object, ...], int]
) -> None:
    """Add the sets of a suite; equal utterances of both groups are one unit."""
    for entry in suite.manifest.sets:
        rows = pack.sets.setdefault(group, {}).setdefault(entry.name, [])
        cases = list(suite.cases(entry))
        for case in cases:
            key = (case.utterance.tokens, case.utterance.slots, case.utterance.label)
            if key not in numbers:
                numbers[key] = len(numbers)
                pack.units.append(Utterance(str(numbers[key]), *key))
            rows.append(numbers[key])
        if entry.kind == "operator":
            changed = pack.changed.setdefault(group, {})
            changed[entry.name] = [bool(case.edits) for case in cases]


if __name__ == "__main__":
    main()
