"""Feed damaged input to everything that reads input, and count what is not an error of our own.

    python scripts/fuzz.py --inputs 100000
    python scripts/fuzz.py --seconds 3600 --only run,kernel --seed 7

Real files (of the sample, and of ../shared/data if it is there) are damaged: bytes flipped, cut,
repeated, exchanged for odd ones. Every target must return, or raise a MondegreenError. Any other
exception is a finding; one input for each is kept in --keep. The kernel is called with arguments of
wrong types and sizes; there, any ordinary exception will do, but no crash.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fuzz_kernel import kernel_target
from fuzz_targets import Target, targets
from mondegreen.errors import MondegreenError

ODD = (
    b"\0", b"\xff", b"\xfe\xff", b"\xed\xa0\x80", b"\\ud800", b"\r", b"\r\n", b"\n\n", b'"', b"\t",
    b"{", b"}", b"[", b"]", b"[" * 3000, b"null", b"NaN", b"1e999", b"-1", b"1" * 400, b"true",
    b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"a" * 5000, b"''", b"()", b":", b",", b"|",
)  # fmt: skip


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return content with one to eight faults."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 1, 2, 8, 64, 512)))
        kind = rng.randrange(7)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at:at] = data[at:end] * rng.choice((1, 2, 50))
        elif kind == 5:
            data[at:at] = rng.choice(ODD)
        else:
            data[at:end] = rng.choice(ODD)
    return bytes(data)


def main() -> int:
    """Fuzz, print the counts, and return 1 if there were findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="names of targets, separated by commas")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        found = [*targets(Path(folder)), kernel_target()]
        names = set(filter(None, options.only.split(",")))
        chosen = [one for one in found if not names or one.name.split(" ")[0] in names]
        return fuzz(chosen, Path(folder) / "work", options)


def fuzz(chosen: list[Target], work: Path, options: argparse.Namespace) -> int:
    """Run inputs through the targets in turn."""
    rng = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    done: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    findings: Counter[tuple[str, str]] = Counter()
    for number in range(options.inputs):
        if time.monotonic() > end:
            break
        target = chosen[number % len(chosen)]
        seed = target.seeds[rng.randrange(len(target.seeds))]
        content = damaged(seed, rng)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        place = run(target.call, content, work, refused, target.name)
        done[target.name] += 1
        if place:
            findings[target.name, place] += 1
            if findings[target.name, place] == 1:
                keep(options.keep, target.name, content, place)
    for name in sorted(done):
        print(f"{name:34} {done[name]:8,} inputs {refused[name]:8,} refused")
    for (name, place), times in findings.most_common():
        print(f"{times:6,}  {name}: {place}")
    print(f"{done.total():,} inputs, {findings.total():,} foreign exceptions")
    return 1 if findings else 0


def run(
    call: Callable[[bytes, Path], object],
    content: bytes,
    work: Path,
    refused: Counter[str],
    name: str,
) -> str:
    """Call a target; return where a foreign exception was raised, or nothing."""
    try:
        call(content, work)
    except MondegreenError:
        refused[name] += 1
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (what it is all about)
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "mondegreen" in frame.filename] or frames
        return f"{type(error).__name__} in {Path(ours[-1].filename).name}:{ours[-1].lineno}"
    return ""


def keep(folder: Path, name: str, content: bytes, place: str) -> None:
    """Keep an input, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "".join(c if c.isalnum() else "-" for c in f"{name} {place}")
    path.write_bytes(content)
    print(f"{name}: {place}; kept in {path}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
