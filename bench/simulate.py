"""A job over shards on many workers: how long it takes with stragglers and failures.

Run: python bench/simulate.py [--utterances N] [--micros MICROSECONDS] [--shard UTTERANCES]

No shard needs another one, so a job is a queue of shards. A worker takes the next shard, works on
it for as long as its utterances take, and takes another. Some workers are slow for a shard
(stragglers), and some die; a shard that was lost is put back into the queue, and its worker starts
again. What a shard takes beyond that is the time of a start.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass

START = 0.6  # seconds of a worker until it works
SLOW, SLOWER_BY = 0.02, 4.0  # the share of shards on slow workers, and how slow these are
HOURS_TO_FAILURE = 20.0  # of one worker, on the average
SPREAD = 0.1  # standard deviation of the time of a shard


@dataclass(frozen=True)
class Found:
    """The time of a job, the work that was lost, and how busy the workers were."""

    hours: float
    lost: int
    busy: float


def simulate(workers: int, shards: int, seconds: float, rng: random.Random) -> Found:
    """Let workers work on shards that take some seconds each."""
    free = [(START, worker) for worker in range(workers)]
    heapq.heapify(free)
    left, lost, worked, end = shards, 0, 0.0, 0.0
    while left:
        at, worker = heapq.heappop(free)
        takes = seconds * max(0.5, rng.gauss(1, SPREAD))
        if rng.random() < SLOW:
            takes *= SLOWER_BY
        dies = rng.expovariate(1 / (HOURS_TO_FAILURE * 3600))
        if dies < takes:
            lost += 1
            heapq.heappush(free, (at + dies + START, worker))
            continue
        left -= 1
        worked += takes
        end = max(end, at + takes)
        heapq.heappush(free, (at + takes, worker))
    return Found(end / 3600, lost, worked / (end * workers))


def main() -> None:
    """Print how long a job takes on several numbers of workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, default=10_000_000_000)
    parser.add_argument("--micros", type=float, default=1.0, help="per utterance, on one core")
    parser.add_argument("--shard", type=int, default=1_000_000, help="utterances of a shard")
    options = parser.parse_args()
    shards = -(-options.utterances // options.shard)
    seconds = options.shard * options.micros / 1e6
    print("| workers | hours | of the ideal | shards lost | busy |\n|---|---|---|---|---|")
    for workers in (1, 100, 1_000, 10_000):
        found = simulate(workers, shards, seconds, random.Random(0))
        ideal = options.utterances * options.micros / 1e6 / workers / 3600
        print(
            f"| {workers:,} | {found.hours:.3g} | {found.hours / ideal:.2f} | {found.lost:,} | "
            f"{100 * found.busy:.0f} % |"
        )


if __name__ == "__main__":
    main()
