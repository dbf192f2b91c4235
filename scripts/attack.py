"""Attack the commands: hostile files, programs, servers, plugins and surroundings.

Each attack runs a command in a process of its own, with a limit of time and of memory. It has
failed if the command takes longer, is killed, prints a traceback, or exits with a code that is not
ours; or if it succeeds where it must not.

    python scripts/attack.py [--only NAME] [--seconds 60]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from attack_agents import agents

MEMORY = 4 << 30  # address space; the resident part stays under 1 GB
RESIDENT = 1 << 20  # KiB
CODES = (0, 1, 2)
BAD = True  # the command must end with an error
COMMAND = [sys.executable, "-m", "mondegreen"]
PYTHON = sys.executable
TOOL = {"name": "play", "parameters": {"type": "object", "properties": {}}}
CASE = {
    "id": "c1",
    "messages": [{"role": "user", "content": "play jazz"}],
    "tools": [TOOL],
    "expected": [{"name": "play", "arguments": {}}],
}


@dataclass(frozen=True)
class Attack:
    """A command, the files that it finds, and whether it must fail."""

    name: str
    arguments: Sequence[str]
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    fails: bool = False
    environment: Mapping[str, str | None] = field(default_factory=dict)
    closed: bool = False
    file_size: int | None = None
    """The largest file that may be written, as on a disk that is full."""
    around: str = ""
    """A program of the shell that runs the command as "$@"."""


def lines(*rows: object) -> str:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def fits() -> Iterator[Attack]:
    """Yield attacks on fit recogniser: damaged pairs, odd words, large vocabularies."""
    fit = ["fit", "recogniser", "pairs.tsv", "-o", "p.json"]
    head = "ref\thyp\n"
    for name, content, bad in (
        ("repeats", "play " * 300 + "\t" + "play " * 299 + "\n", False),
        ("long words", "a" * 100_000 + "\tb\n", BAD),
        ("no tab", "play\n", BAD),
        ("NUL", "a\0b\tc\n", BAD),
        ("not UTF-8", b"\xff\t\xfe\n", BAD),
        ("empty", "\t\n", BAD),
        ("vocabulary", "".join(f"w{n} play\tw{n} pray\n" for n in range(500)), False),
        ("digits", "1" * 4_400 + " a\tb\n", BAD),
    ):
        body = head.encode() + (content if isinstance(content, bytes) else content.encode() * 3)
        yield Attack(f"fit: {name}", fit, {"pairs.tsv": body}, bad)


def profiles() -> Iterator[Attack]:
    """Yield attacks by profiles that lie, grow or are something else."""
    for name, content in (
        ("bomb", gzip.compress(b'{"version": 6, "source": "' + b"a" * (200 << 20))),
        ("broken deflate", b"\x1f\x8b\x08\x00" + b"\xff" * 99),
        ("deep", b"[" * 100_000),
        ("empty", b""),
        ("other version", b'{"version": 99}'),
    ):
        for op in ("recogniser", "disfluencies"):
            text = f"{op}(profile='p.json')"
            files: dict[str, str | bytes] = {"a.txt": "play jazz\n", "p.json": content}
            yield Attack(f"profile: {op}, {name}", ["perturb", "a.txt", "--op", text], files, BAD)
    text = "recogniser(profile='/dev/zero')"
    yield Attack("profile: device", ["perturb", "a.txt", "--op", text], {"a.txt": "a\n"}, BAD)


def hears() -> Iterator[Attack]:
    """Yield attacks on hear: ids, voices, recognisers that hang, write too much or die."""
    say = f"command:{PYTHON} say.py"
    code = (
        "import sys, wave\nfile = wave.open(sys.stdout.buffer, 'wb')\n"
        "file.setparams((1, 2, 16000, 4000, 'NONE', ''))\nfile.writeframes(b'\\1\\x20' * 4000)\n"
    )
    base = {"say.py": code, "a.jsonl": lines({"id": "u1", "text": "play jazz"})}
    hear = ["hear", "a.jsonl", "-o", "o.txt", "-q", "--timeout", "2", "--voice"]
    for name, recogniser in (
        ("hangs", "command:sleep 300"),
        ("dies", "command:false"),
        ("floods", "command:yes"),
        ("no program", "command:nothing-at-all"),
        ("no server", "http://me:secret@127.0.0.1:9/"),
        ("no module", "python:nothing_at_all:f"),
        ("exits", "python:ends:f"),
        ("unknown", "nothing"),
    ):
        files: dict[str, str | bytes] = {**base, "ends.py": "def f(_):\n    raise SystemExit(0)\n"}
        yield Attack(f"hear: {name}", [*hear, say, "--recogniser", recogniser], files, BAD)
    for id in ("../../x", "/nowhere/mg-attack", "a\0b", "x" * 300):
        odd: dict[str, str | bytes] = {**base, "a.jsonl": lines({"id": id, "text": "play jazz"})}
        keep = [*hear, say, "--recogniser", "command:echo hi", "--keep-audio", "kept"]
        yield Attack(f"hear: id {id!r:.20}", keep, odd, BAD)
    for name, voice in (("none", "flite:nosuch"), ("silent", "command:true"), ("odd", "x:y")):
        yield Attack(
            f"hear: voice {name}", [*hear, voice, "--recogniser", "command:cat"], base, BAD
        )


MEMORY_ENDS = """import resource, builtins
        resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
        builtins.kept = []
        while True: builtins.kept.append(bytearray(1 << 20))"""
# a shell starts programs in the background with SIGINT ignored
FOREGROUND = f"""{PYTHON} -c 'import os, signal, sys; signal.signal(2, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$@" """
PLUGIN = """
from dataclasses import dataclass
from typing import ClassVar
from mondegreen import Edit, Operator
from mondegreen.operators.amounts import Once

@dataclass(frozen=True)
class Odd(Operator):
    name: ClassVar[str] = "odd"
    default: ClassVar = Once()
    def sites(self, utterance):
        return range(len(utterance.tokens))
    def propose(self, utterance, site, draw):
        BODY
"""


def plugins() -> Iterator[Attack]:
    """Yield attacks by plugins that raise, exit, or return what they should not."""
    bodies = (
        "raise KeyError(1)", "raise SystemExit(0)", "return 'x'", "return [1]", "return 7",
        "return (Edit(0.0, 1.0, ('a',), '', ''),)", "return (Edit(9, 99, ('a',), '', ''),)",
        "return (Edit(0, 1, (7,), '', ''),)", "import os; os._exit(0)",
        "import os; os.kill(os.getpid(), 9)", MEMORY_ENDS,
    )  # fmt: skip
    for body in bodies:
        files: dict[str, str | bytes] = {
            "a.txt": "play jazz\n",
            "p.py": PLUGIN.replace("BODY", body),
        }
        for engine in ("local", "processes"):
            if "import os" in body and engine == "local":
                continue  # nothing can be done about it
            call = ["perturb", "a.txt", "-o", "b.txt", "--op", "python:p:Odd", "--engine", engine]
            yield Attack(f"plugin: {engine}, {body:.40}", call, files, BAD)


def loops() -> Iterator[Attack]:
    """Yield plugins that loop: not that they end is promised, but that a signal ends the command.

    It ends with the code of the signal, leaves no process and no file.
    """
    files: dict[str, str | bytes] = {
        "a.txt": "play jazz\n" * 50,
        "p.py": PLUGIN.replace("BODY", "open('begun', 'w').close()\n        while True: pass"),
    }
    call = ["perturb", "a.txt", "-o", "b.txt", "--op", "python:p:Odd", "-q", "--engine"]
    ended = 'for P in /proc/[0-9]*; do test "$(readlink $P/cwd)" != "$PWD" || N=$((N+1)); done'
    for engine in ("local", "processes"):
        for name, code in (("TERM", 143), ("INT", 130)):
            around = (
                f"{FOREGROUND} & P=$!; until test -e begun; do sleep 0.1; done; sleep 0.5; "
                f"kill -{name} $P; wait $P; C=$?; sleep 0.5; N=0; {ended}; "
                'test "$C $N $(ls -A | grep -c b.txt)" = '
                f'"{code} 1 0" && exit 1; echo "code $C, $N processes"; ls -A; exit 99'
            )
            title = f"plugin: {engine}, loops until SIG{name}"
            yield Attack(title, [*call, engine], files, BAD, around=around)


def texts() -> Iterator[Attack]:
    """Yield attacks by texts, rules and files of data."""
    digits, dashes = "1" * 4_400, "a-" * 15_000
    for op in ("mondegreen", "disfluencies", "speako", "recogniser", "spoken", "typo", "repairs"):
        files: dict[str, str | bytes] = {"a.txt": f"play {digits} now\n{dashes}\n{'<' * 50_000}\n"}
        yield Attack(f"text: {op}", ["perturb", "a.txt", "-o", "b.txt", "--op", op, "-q"], files)
    score = ["score", "words", "--ref", "a.txt", "--hyp", "a.txt"]
    for name in ("basic", "r.toml"):
        rules = 'regex = [{ pattern = "(a+)+$", with = "b" }]\n'
        brackets: dict[str, str | bytes] = {
            "a.txt": "<" * 100_000 + "a" * 60 + "!\n",
            "r.toml": rules,
        }
        yield Attack(f"rules: {name}", [*score, "--normalise", name], brackets, name != "basic")
    laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    for name, content in (
        ("laughs", f"{laughs}nlu: *i\n"),
        ("cycle", "nlu: &a [*a]\n"),
        ("list", "nlu: [[]]\n"),
    ):
        call = ["perturb", "n.yml", "-o", "b.txt", "--op", "typo"]
        yield Attack(f"yaml: {name}", call, {"n.yml": content}, BAD)
    odd = lines({"id": "a", "text": "x", "label": "l"}, {"id": "b", "text": "y", "label": "m"})
    other = lines({"id": "a", "text": "x", "label": "l"}, {"id": "Z", "text": "y", "label": "m"})
    stages = ["--stage", "one=b.jsonl", "--stage", "two=b.jsonl"]
    yield Attack(
        "blame: ids",
        ["blame", "--ref", "a.jsonl", *stages],
        {"a.jsonl": odd, "b.jsonl": other},
        BAD,
    )
    pairs: dict[str, str | bytes] = {"a.tsv": b"ref\thyp\n\xff\t\n", "b.tsv": "ref\thyp\na\tb\n"}
    yield Attack("realism: damaged", ["realism", "a.tsv", "b.tsv"], pairs, BAD)


def surroundings() -> Iterator[Attack]:
    """Yield commands in odd surroundings: locale, no HOME, no TMPDIR, closed input."""
    files: dict[str, str | bytes] = {"a.txt": "play jazz in Köln\n"}
    call = ["perturb", "a.txt", "-o", "b.txt", "--op", "typo", "-q"]
    for name, environment in (
        ("locale C", {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}),
        ("no HOME", {"HOME": None}),
        ("no TMPDIR", {"TMPDIR": "/nowhere"}),
        ("hash seed", {"PYTHONHASHSEED": "77"}),
    ):
        yield Attack(f"surroundings: {name}", call, files, environment=environment)
    yield Attack(
        "surroundings: closed input", ["perturb", "-", "--op", "typo"], files, BAD, closed=True
    )
    yield Attack("surroundings: no folder", [*call[:3], "/proc/x/b.txt", *call[4:]], files, BAD)


# root may write everywhere, unless it gives up the right to
READ_ONLY = (
    "chmod 555 .; RIGHTS=; test $(id -u) != 0 || "
    "RIGHTS='setpriv --bounding-set=-dac_override,-dac_read_search'; "
    '$RIGHTS "$@"; C=$?; chmod 755 .; exit $C'
)


def disks() -> Iterator[Attack]:
    """Yield commands that write on a full disk, in folders that are read-only, or to a pipe."""
    many = lines(
        *({"id": f"u{n}", "text": f"play song {n} please", "label": "x"} for n in range(20_000))
    )
    files: dict[str, str | bytes] = {"a.jsonl": many}
    prepared = "suite a.jsonl -o s --op fillers --random 0 -q"
    answer = "def f(batch):\n    return [{'label': 'x'} for _ in batch]\n"
    for name, first, call in (
        ("perturb", "", ["perturb", "a.jsonl", "-o", "b.jsonl", "--op", "typo", "-q"]),
        ("suite", "", ["suite", "a.jsonl", "-o", "s", "--op", "typo", "-q"]),
        (
            "score",
            "",
            ["score", "words", "--ref", "a.jsonl", "--hyp", "h.jsonl", "--items", "i.run"],
        ),
        ("evaluate", prepared, ["evaluate", "s", "--model", "python:m:f", "-o", "e.run", "-q"]),
    ):
        more: dict[str, str | bytes] = {
            **files,
            "m.py": answer,
            "h.jsonl": many.replace("g 1", "g"),
        }
        arguments = [first, *call] if first else call
        yield Attack(f"disk: full, {name}", arguments, more, BAD, file_size=100_000)
        yield Attack(f"disk: read-only, {name}", arguments, more, BAD, around=READ_ONLY)
    call = ["perturb", "a.jsonl", "--op", "typo", "-q"]
    yield Attack("disk: closed pipe", call, files, around='"$@" | head -1; exit 0')
    yield Attack("disk: folder that is a file", [*call, "-o", "a.jsonl/b"], files, BAD)


def meetings_of_commands() -> Iterator[Attack]:
    """Yield commands that meet others: on one output, or on shards that change between starts."""
    files: dict[str, str | bytes] = {
        f"shard-{n}.jsonl": lines(
            *({"id": f"{n}-{i}", "text": "play some jazz"} for i in range(300))
        )
        for n in range(3)
    }
    call = ["perturb", "shard-?.jsonl", "-o", "b.jsonl", "--op", "typing", "-q"]
    same = 'cp b.jsonl one.jsonl; rm b.jsonl*; "$@" || exit $?; cmp b.jsonl one.jsonl'
    killed = '"$@" & P=$!; sleep 1.2; kill -9 $P; wait $P'
    for name, change, fails in (
        ("changed", "sed -i s/jazz/rock/ shard-1.jsonl", False),
        ("removed", "rm shard-1.jsonl", False),
        ("all removed", "rm shard-?.jsonl", BAD),
    ):
        around = f'{killed}; {change}; "$@" --force || exit $?; {same}'
        yield Attack(f"shards: {name} between two starts", call, files, fails, around=around)
    two = '"$@" & P=$!; "$@"; A=$?; wait $P; B=$?; test $A = 0 -o $B = 0 || exit 1; '
    yield Attack("two commands on one output", [*call, "--force"], files, around=two + same)
    back = 'touch -d 2040-01-01 shard-?.jsonl; "$@" || exit $?; touch -d 1971-01-01 shard-?.jsonl; '
    yield Attack("clock that goes back", [*call, "--force"], files, around=back + same)


def schemas() -> Iterator[Attack]:
    """Yield attacks by schemas of tools: deep, recursive, enormous."""
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(400):
        deep = {"type": "object", "properties": {"a": deep}}
    for name, schema in (
        ("deep", deep),
        ("recursive", {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}),
        ("enormous", {"type": "object", "properties": {"a": {"enum": ["x" * 20] * 100_000}}}),
        ("odd types", {"type": ["object", 7, None], "properties": {"a": {"type": {"b": 1}}}}),
    ):
        case = CASE | {"tools": [{"name": "play", "parameters": schema}]}
        answers = lines({"id": "c1", "calls": [{"name": "play", "arguments": {}}]})
        files: dict[str, str | bytes] = {"c.jsonl": lines(case), "h.jsonl": answers}
        yield Attack(
            f"schema: {name}", ["score", "calls", "--ref", "c.jsonl", "--hyp", "h.jsonl"], files
        )
        suite = ["suite", "c.jsonl", "-o", "s", "--op", "fillers", "--random", "0", "-q"]
        yield Attack(f"schema: suite, {name}", suite, files)


def servers() -> Iterator[Attack]:
    """Yield attacks by servers of models; the address is filled in when they run."""
    files: dict[str, str | bytes] = {"cases.jsonl": lines(CASE)}
    suite = "suite cases.jsonl -o s --op fillers --random 0 -q"
    for path in HOSTILE:
        model = f"openai:http://me:secret-word@HOST/{path}#m"
        call = [
            "evaluate",
            "s",
            "--model",
            model,
            "-o",
            "r.run",
            "--timeout",
            "2",
            "--retries",
            "1",
        ]
        yield Attack(
            f"server: {path}", [suite, *call], files, BAD, {"OPENAI_API_KEY": "sk-secret-key"}
        )


HOSTILE = ("drip", "flood", "busy", "broken", "deep", "null", "surrogate", "moved", "reason")


def conversations() -> Iterator[Attack]:
    """Yield attacks by agents and by texts that are compared."""
    for name, arguments, files, fails, around in agents((*HOSTILE, "echo")):
        keys = {"OPENAI_API_KEY": "sk-secret-key"}
        yield Attack(name, arguments, files, fails, keys, around=around)


class Hostile(BaseHTTPRequestHandler):
    """A server that answers badly, in the way that the path names."""

    def do_POST(self) -> None:
        """Answer a request."""
        self.rfile.read(int(self.headers["Content-Length"]))
        kind = self.path.split("/")[1]
        status = {"busy": 429, "moved": 302, "reason": 400}.get(kind, 200)
        self.send_response(status, "sk-secret-key" if kind == "reason" else None)
        self.send_header("Location", "/elsewhere")
        self.send_header("Retry-After", "0")
        self.end_headers()
        content = {
            "broken": b'{"choices": [', "deep": b"[" * 200_000, "null": b'{"choices": null}',
            "surrogate": b'{"choices": [{"message": {"content": "\\ud800"}}]}',
        }.get(kind, b"secret-word sk-secret-key")  # fmt: skip
        try:
            while kind in ("drip", "flood"):
                self.wfile.write(b" " * (1 if kind == "drip" else 1 << 20))
                self.wfile.flush()
                time.sleep(0.1 if kind == "drip" else 0)
            self.wfile.write(content)
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def serving() -> Iterator[str]:
    """Run the hostile server; yield its host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()


def limited(file_size: int | None) -> None:
    """Limit the memory and the files of the process that is about to start."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if file_size is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # an error of writing, not the end
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))


def problem_of(attack: Attack, folder: Path, seconds: float, host: str) -> str:
    """Run an attack; return what is wrong, or nothing."""
    for name, content in attack.files.items():
        target = folder / name
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    environment: dict[str, str] = {**os.environ, "PYTHONPATH": str(folder)}
    for name, value in attack.environment.items():
        environment.pop(name, None)
        environment |= {} if value is None else {name: value}
    first, *rest = attack.arguments
    common: dict[str, Any] = {"cwd": folder, "env": environment, "capture_output": True}
    if " " in first:  # a command that prepares the attack
        subprocess.run([*COMMAND, *first.split()], check=True, **common)
    else:
        rest = list(attack.arguments)
    call = [*COMMAND, *(one.replace("HOST", host) for one in rest)]
    if attack.around:
        call = ["sh", "-c", attack.around, "sh", *call]
    if attack.closed:
        call = ["sh", "-c", 'exec "$@" <&-', "sh", *call]
    try:
        done = subprocess.run(
            call,
            timeout=seconds,
            preexec_fn=partial(limited, attack.file_size),
            check=False,
            **common,
        )
    except subprocess.TimeoutExpired:
        return f"took longer than {seconds:g} s"
    return _wrong(attack, done)


def _wrong(attack: Attack, done: subprocess.CompletedProcess[bytes]) -> str:
    printed: str = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode not in CODES:
        return f"exit code {done.returncode}: {printed[-300:]}"
    if "Traceback" in printed:
        return printed[-600:]
    if any(secret in printed for secret in ("secret-word", "sk-secret-key")):
        return f"shows a secret: {printed[-300:]}"
    if attack.fails and not done.returncode:
        return "exit code 0, where an error is expected"
    return ""


PARTS: tuple[Callable[[], Iterator[Attack]], ...] = (
    fits, profiles, hears, plugins, loops, texts, surroundings, disks, meetings_of_commands,
    schemas, servers, conversations,
)  # fmt: skip


def main() -> int:
    """Run the attacks; return how many succeeded."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="only attacks whose names contain this")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each attack")
    given = parser.parse_args()
    attacks = [one for part in PARTS for one in part() if given.only in one.name]
    failed = 0
    with serving() as host:
        for attack in attacks:
            with tempfile.TemporaryDirectory() as folder:
                wrong = problem_of(attack, Path(folder), given.seconds, host)
            if wrong:
                failed += 1
                print(f"FAIL  {attack.name}: {wrong}", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{len(attacks)} attacks, {failed} failed; at most {used >> 10:,} MiB of memory")
    return min(1, failed) or int(used > RESIDENT)


if __name__ == "__main__":
    sys.exit(main())
