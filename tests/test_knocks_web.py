"""Names from web pages and from strangers' files: nothing is imported, opened or started."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

import mondegreen as mg
from commands import fails
from mondegreen.audio.recognisers import RECOGNISERS
from mondegreen.cli.main import main
from mondegreen.data import FORMATS
from mondegreen.errors import DataError, OperatorError, PluginError
from mondegreen.metrics import METRICS
from mondegreen.models.loading import MODELS
from mondegreen.operators import OPERATORS, parse
from mondegreen.plugins import Registry
from mondegreen.report.opening import open_source
from mondegreen.viewer.audio import AudioFolder
from mondegreen.viewer.server import app
from showing import Shown

HERE = "http://127.0.0.1:8000"
EVIL = "mg_knocks_evil"
REGISTRIES: list[Registry[Any]] = [OPERATORS, METRICS, FORMATS, MODELS, RECOGNISERS]
PARAMETERS = (
    "op", "amount", "share", "seed", "variants", "q", "sort", "order", "page", "wrong", "flipped",
    "f.set", "f.operator", "f.label", "slice", "id", "number", "a", "b", "set", "at", "token",
)  # fmt: skip
STARTS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect")


class Watch:
    """What the interpreter imports, opens and starts, while it is on."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[tuple[str, str]] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event in ("import", "open", *STARTS):
            self.seen.append((event, str(arguments[0])))


_WATCH: list[Watch] = []


@pytest.fixture
def watch() -> Iterator[Watch]:
    if not _WATCH:
        _WATCH.append(Watch())  # a hook stays for ever
    (found,) = _WATCH
    found.seen.clear()
    yield found
    found.on = False


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a folder with a module that leaves a mark where it is imported."""
    folder = tmp_path / "evil"
    folder.mkdir()
    mark = folder / "mark"
    (folder / f"{EVIL}.py").write_text(f"open({str(mark)!r}, 'w').close()\nx = 1\n")
    (folder / "secret.json").write_text("{}")
    (folder / "secret.wav").write_bytes(b"RIFF")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield mark
    sys.modules.pop(EVIL, None)


def spellings(folder: Path) -> list[str]:
    """Return every way to name an operator, a file, a program, a server or a plugin."""
    place = f"python:{EVIL}:x"
    found = [
        place, f" {place}", f"{place}()", f"{place}(a=1)", f"PYTHON:{EVIL}:x", f"python:{EVIL}",
        f"{place}@1", f"fillers+{place}", f"fillers > {place}", f"{EVIL}:x", EVIL,
        f"predictions:{folder}/secret.json", f"command:touch {folder}/mark", f"{HERE}/x",
        "openai:http://127.0.0.1:9/v1#m", "hub:someone/model", "contextual(model='hub:a/b')",
        "contextual(model='h\\x75b:a/b')", f"recogniser(profile='{folder}/secret.json')",
        f"disfluencies(profile='{folder}/secret.json')", f"synonyms.verb(source='mlm={folder}')",
        f"{folder}/secret", "../evil/secret", "secret", "../../etc/passwd", "/etc/passwd", "\0",
        "__import__('os')", "nature", "", "0", "-1", "9" * 40, "[[" * 50, "%70ython:x:y",
    ]  # fmt: skip
    found += [f"{name}:{EVIL}:x" for registry in (MODELS, RECOGNISERS) for name in registry]
    return found


def operator_spellings() -> Iterator[str]:
    """Yield other ways to name the operators that the page lists, and metrics and formats."""
    for name in OPERATORS:
        cls = OPERATORS[name]
        yield from (f"{name}(seed=1)", f"{name}@1", f"python:{cls.__module__}:{cls.__name__}")
    yield from (name for registry in (METRICS, FORMATS) for name in registry)


def paths() -> list[str]:
    """Return the path of every route."""
    routes = [route.path for route in app([]).routes if isinstance(route, Route)]
    assert len(routes) >= 18
    return [
        path.replace("{number:int}", number).replace("{name}", name)
        for path in routes
        for number in ("01" if "{number" in path else ("",))
        for name in (("app.js", f"..%2f{EVIL}.py") if "{name}" in path else ("",))
    ]


def test_no_name_in_a_request_imports_opens_or_starts_anything(
    shown: Shown, evil: Path, watch: Watch
) -> None:
    with closing(open_source(shown.run)) as run, closing(open_source(shown.words)) as words:
        client = TestClient(app([run, words], AudioFolder(shown.audio)), base_url=HERE)
        for path in paths():
            client.get(path)  # what a page needs is loaded now
        offered = [("op", name) for name in OPERATORS.own]
        client.get(f"/try.json?{urlencode([('text', 'play jazz'), *offered])}")
        watch.on = True
        for value in spellings(evil.parent):
            everything = [(name, value) for name in PARAMETERS]
            for path in paths():
                answer = client.get(f"{path}?{urlencode([('text', 'play jazz'), *everything])}")
                assert answer.status_code < 500 or "voice" in path, (path, value)
        for op in operator_spellings():
            answer = client.get(f"/try.json?{urlencode({'text': 'play', 'op': op})}")
            assert answer.json() == {"utterances": [], "problem": "Choose an operator."}
        for name in PARAMETERS:
            for path in paths():
                client.get(f"{path}?{urlencode({'text': 'play', name: f'python:{EVIL}:x'})}")
        watch.on = False
    assert not evil.exists()
    assert EVIL not in sys.modules
    assert [one for one in watch.seen if one[0] in STARTS] == []
    places = [one for one in sys.path if Path(one) != evil.parent]
    known = [Path(mg.__file__).parent, shown.run.parent, *map(Path, places)]
    opened = [Path(one) for event, one in watch.seen if event == "open"]
    strange = [one for one in opened if not any(one.resolve().is_relative_to(k) for k in known)]
    assert strange == []
    new = {one.split(".")[0] for event, one in watch.seen if event == "import"}
    assert new <= {"mondegreen", "ttspico", *sys.stdlib_module_names}


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "Cross-Site"},
        {"Sec-Fetch-Site": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:8001"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Origin": HERE},
    ],
)
def test_other_pages_are_refused_on_every_route(headers: dict[str, str]) -> None:
    client = TestClient(app([]), base_url=HERE)
    for path in [*paths(), "/nothing", "/try.json?text=x&op=fillers"]:
        answer = client.get(path, headers=headers)
        assert (answer.status_code, path) == (403, path)
        assert "fillers" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [{}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin", "Origin": HERE}],
)
def test_its_own_pages_and_programs_are_answered(headers: dict[str, str]) -> None:
    client = TestClient(app([]), base_url=HERE)
    assert client.get("/try.json?text=stop&op=typo", headers=headers).status_code == 200


def test_a_token_does_not_let_other_pages_in() -> None:
    client = TestClient(app([], token="secret"), base_url="http://far.example")  # noqa: S106
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/try?token=secret", headers=cross).status_code == 403
    assert client.get("/try?token=secret").status_code == 200
    assert client.get("/try", headers=cross).status_code == 403


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda one: one.noun)
def test_looking_a_name_up_never_imports(registry: Registry[Any], evil: Path) -> None:
    place = f"python:{EVIL}:x"
    assert place not in registry
    assert registry.get(place) is None
    with pytest.raises(KeyError):
        registry[place]
    with pytest.raises(PluginError, match="is code, which is imported only if you name it"):
        registry.named(place)
    assert not evil.exists()


def test_an_operator_of_a_file_is_not_imported_and_one_of_the_user_is(evil: Path) -> None:
    place = f"python:{EVIL}:x"
    with pytest.raises(OperatorError, match="is code"):
        parse(place)
    with pytest.raises(OperatorError, match="names a model of the hub"):
        parse("contextual(model='h\\x75b:a/b')")
    assert not evil.exists()
    with pytest.raises(OperatorError, match="not an operator"):
        mg.operator(place)
    assert evil.exists()
    OPERATORS._loaded.pop(place)  # noqa: SLF001 (other tests must not find it)


def edited(path: Path, **fields: object) -> None:
    """Change fields of a manifest, as a stranger would."""
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


@pytest.mark.parametrize("kind", ["output", "suite"])
@pytest.mark.parametrize("what", ["operators", "source"])
def test_a_manifest_that_names_code_is_verified_only_if_it_is_trusted(
    evil: Path, what: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("a.jsonl").write_text('{"text": "play some jazz", "label": "play"}\n')
    if kind == "suite":
        mg.suite(Path("a.jsonl"), Path("out"), ["fillers"], random=1)
        manifest, target = Path("out/manifest.json"), "out"
    else:
        assert main(["perturb", "a.jsonl", "-o", "b.txt", "--op", "fillers", "-q"]) == 0
        manifest, target = Path("b.txt.manifest.json"), "b.txt"
    place = f"python:{EVIL}:x"
    source = json.loads(manifest.read_text())["source"] | {"format": place}
    edited(manifest, **({"operators": [place]} if what == "operators" else {"source": source}))
    capsys.readouterr()
    assert main(["verify", target]) == 1
    assert "if you know who made the file, verify it with --trust" in capsys.readouterr().err
    assert not evil.exists()
    assert main(["verify", target, "--trust"]) == 1
    assert evil.exists()
    for registry in REGISTRIES:
        registry._loaded.pop(place, None)  # noqa: SLF001 (other tests must not find it)


def test_the_files_of_a_suite_are_inside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "play some jazz", "label": "play"}\n')
    mg.suite(tmp_path / "a.jsonl", tmp_path / "s", ["fillers"], random=1)
    manifest = tmp_path / "s" / "manifest.json"
    sets = json.loads(manifest.read_text())["sets"]
    for path in ("../../secret", "/etc/passwd"):
        sets[0]["file"]["path"] = path
        edited(manifest, sets=sets)
        with pytest.raises(DataError, match="sets are inside the folder of their suite"):
            mg.open_suite(tmp_path / "s")


def changed_run(run: Path, target: Path, **meta: str) -> Path:
    """Return a copy of a run with other metadata, as a stranger would send it."""
    target.write_bytes(run.read_bytes())
    with closing(sqlite3.connect(target)) as connection, connection:
        for key, value in meta.items():
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [key, value])
    return target


def test_a_run_that_names_code_imports_nothing(
    shown: Shown, evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(changed_run(shown.run, Path("a.run"), metric=f"python:{EVIL}:x"))
    message = f"a.run: python:{EVIL}:x is code"
    fails(["report", run, "-o", "r.html"], message, capsys)
    fails(["compare", run, str(shown.other)], message, capsys)
    fails(["view", run, "--no-open"], message, capsys)
    fails(["blame", "--stage", f"a={run}", "--stage", f"b={run}#typo"], message, capsys)
    Path("rows.jsonl").write_text(json.dumps({"id": "1", "metric": f"python:{EVIL}:x"}) + "\n")
    fails(["report", "rows.jsonl", "-o", "r.html"], f"rows.jsonl: python:{EVIL}:x is", capsys)
    assert not evil.exists()


@pytest.mark.parametrize("spec", ["python:{}:x", "command:touch mark", "http://127.0.0.1:9/"])
def test_a_run_that_names_a_model_does_not_start_it(
    shown: Shown, evil: Path, spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = changed_run(shown.run, Path("a.run"), model_spec=spec.format(EVIL))
    fails(["attention", str(run)], "name the model of the run yourself: --model MODEL", capsys)
    assert not evil.exists()
