"""``mondegreen``: runs a command; prints an error in one line and returns its exit code."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from contextlib import suppress

import click

from mondegreen import __version__
from mondegreen.cli.parts.lazy import LazyGroup
from mondegreen.errors import MondegreenError

WRONG_INPUT = 1
INTERRUPTED = 130
TERMINATED = 143

COMMANDS = {
    "demo": "Train, test and report on embedded data, in ten seconds.",
    "operators": "List the operators, each with an example.",
    "languages": "List which operators work in which languages, and how well.",
    "perturb": "Perturb utterances: fillers, repairs, misheard words, typing errors.",
    "augment": "Augment a training set with noisy copies; labels are kept.",
    "describe": "Count the utterances, words, vocabulary, slots and intents of data.",
    "suite": "Make a test suite: original, each operator, random, hard.",
    "evaluate": "Evaluate a model on a suite and print its scores.",
    "converse": "Call a voice agent: hold conversations, clean and perturbed, and score them.",
    "export": "Write a suite of tool calls for BFCL, inspect_ai, promptfoo or OpenAI evals.",
    "collide": "List the names of tools or values that sound alike.",
    "compare": "Compare two runs: significance tests, flipped utterances, exit code for CI.",
    "experiment": "Test whether augmentation helps: train with and without, evaluate both.",
    "attention": "Draw the attention of a model in utterances that it gets wrong.",
    "survey": "Ask people whether labels still fit, and count their answers.",
    "report": "Write a report of runs and scores as one HTML file.",
    "view": "Browse runs and scores in the browser, utterance by utterance.",
    "play": "Try operators on your own utterances, in the browser.",
    "verify": "Verify a perturbed set or a suite against its manifest.",
    "score": "Score the output of systems, with confidence intervals.",
    "same": "Say whether two texts say the same value: 8:55 and eight fifty-five.",
    "train": "Train a reference model on your own labelled data.",
    "hear": "Speak utterances, recognise them, and write what was heard.",
    "blame": "Say at which stage of a chain requests were lost: written, said, heard.",
    "realism": "Judge simulated recogniser errors: can a classifier tell them from real ones?",
    "pronounce": "Print the pronunciations of words.",
    "fit": "Learn from your own data: words, tf-idf, disfluencies, slot values, recognisers.",
}


@click.group(
    cls=LazyGroup,
    prefix="mondegreen.cli.",
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="mondegreen")
def cli() -> None:
    """Robustness testing and evaluation for speech recognisers, voice assistants and NLU.

    Does your system still work when people talk naturally, and when machines mishear them?

    \b
    Try:
      mondegreen demo
      mondegreen operators
      mondegreen perturb utterances.txt -o noisy.jsonl --op fillers --seed 7
    """  # noqa: D301 (click's mark for lines that are not rewrapped)


def run() -> None:
    """Run the command line and exit."""
    # numpy's threads wait in loops, which slows fits down on a busy machine, and the last digits of
    # sums depend on how many there are
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(TERMINATED)
    )  # so that temporary files are removed
    code = main(sys.argv[1:])
    gc.freeze()  # all memory is given back at once; no need to look for cycles before
    sys.exit(code)


def _can_print() -> bool:
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


def _forget_output() -> None:
    """Drop what is still to be printed, so that the interpreter does not try again at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"mondegreen: note: {message}", err=True)


def _database_error() -> type[Exception]:
    """Return the error of a damaged run; looked up only if something has failed."""
    from sqlite3 import DatabaseError

    return DatabaseError


def _with_notes(message: str, error: BaseException) -> str:
    """Return a message with what is kept of a job that failed."""
    return "; ".join([message, *getattr(error.__cause__ or error, "__notes__", ())])


def _by_click(error: SystemExit) -> bool:
    """Return whether click ends the program: it does if the reader of a pipe has gone."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("click.")


def _of_a_guest(error: Exception | SystemExit) -> str:
    """Return what to print if a plugin has failed or has ended the program; empty otherwise."""
    from mondegreen.plugins import guest_in, one_line  # only if something has failed

    if isinstance(error, SystemExit) and (error.code == TERMINATED or _by_click(error)):
        return ""
    guest = guest_in(error)
    return f"{guest} failed: {one_line(error)}; nothing was written" if guest else ""


def main(arguments: list[str]) -> int:  # noqa: C901 (one clause per kind of error)
    """Run a command; return 0 (success), 1 (wrong input), 2 (wrong usage) or 130 (interrupted)."""
    warnings.showwarning = _show_warning
    try:
        code = cli.main(arguments, prog_name="mondegreen", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where an error can be reported
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as interruption:
        message = _with_notes("interrupted; nothing was written", interruption)
        click.echo(f"mondegreen: {message}", err=True)
        return INTERRUPTED
    except MondegreenError as error:
        click.echo(f"mondegreen: {_with_notes(str(error), error)}", err=True)
        return WRONG_INPUT
    except _database_error() as error:
        click.echo(
            f"mondegreen: a run is damaged ({error}); make it again with: mondegreen evaluate",
            err=True,
        )
        return WRONG_INPUT
    except BrokenPipeError:
        _forget_output()  # whoever read it has seen enough
        return WRONG_INPUT
    except OSError as error:
        place = error.filename or "the system"
        if error.filename is None and not _can_print():
            place = "standard output"
            _forget_output()
        click.echo(f"mondegreen: {place}: {error.strerror or error}", err=True)
        return WRONG_INPUT
    except (Exception, SystemExit) as error:
        message = _of_a_guest(error)
        if not message:
            raise
        click.echo(f"mondegreen: {message}", err=True)
        return WRONG_INPUT
    return code if isinstance(code, int) else 0
