"""The pages of the viewer, requested like a browser or an attacker would."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import wave
from collections.abc import Iterator
from contextlib import closing
from html import escape, unescape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

import mondegreen as mg
from commands import fails
from mondegreen.audio.voices import pico_engine
from mondegreen.cli.main import main
from mondegreen.errors import DataError
from mondegreen.metrics.statistics.comparison import ALL
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query, ShownRun
from mondegreen.runs import compare, open_run
from mondegreen.viewer.audio import AudioFolder, can_speak
from mondegreen.viewer.server import app
from showing import HOSTILE, Shown

HERE = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def sources(shown: Shown) -> Iterator[list[ShownRun]]:
    paths = (
        shown.run, shown.other, shown.words, shown.other_words, shown.fluency, shown.phonemes,
        shown.calls,
    )  # fmt: skip
    opened = [open_source(path) for path in paths]
    yield opened
    for source in opened:
        source.close()


@pytest.fixture(scope="module")
def client(sources: list[ShownRun], shown: Shown) -> TestClient:
    return TestClient(app(sources, AudioFolder(shown.audio)), base_url=HERE)


RUN, OTHER, WORDS, OTHER_WORDS, FLUENCY, PHONEMES, CALLS = range(7)


@pytest.mark.parametrize("number", range(7))
def test_every_source_has_an_overview(client: TestClient, number: int) -> None:
    answer = client.get(f"/s/{number}/")
    assert answer.status_code == 200
    assert client.get(f"/s/{number}/overview.json").json()["title"] in answer.text


def test_the_overview_of_a_run_shows_every_set(client: TestClient) -> None:
    page = client.get(f"/s/{RUN}/").text
    for name in ("original", "fillers.bos", "typo", "random", "by severity", "2 draws"):
        assert name in page
    assert re.search(r"Understands \d+ % as written, \d+ % with one natural change", page)
    assert page.count('class="origin"') >= 3


def test_the_list_starts_with_the_worst(client: TestClient) -> None:
    rows = client.get(f"/s/{WORDS}/utterances.json").json()
    assert [row["id"] for row in rows] == ["u1", HOSTILE, "u2"]
    turned = client.get(f"/s/{WORDS}/utterances.json?sort=wer&order=asc").json()
    assert [row["id"] for row in turned] == ["u2", HOSTILE, "u1"]


def test_the_list_of_a_run_is_filtered_and_searched(client: TestClient) -> None:
    address = f"/s/{RUN}/utterances.json"
    everything = client.get(address).json()
    assert len(everything) == 61 * (1 + 2 + 2 + 4)
    wrong = client.get(f"{address}?wrong=1").json()
    assert 0 < len(wrong) < len(everything)
    assert all(row["wrong"] for row in wrong)
    named = client.get(f"{address}?f.set=typo").json()
    assert {row["set"] for row in named} == {"typo"}
    assert len(client.get(f"{address}?f.speaker=ann&f.set=original").json()) == 30
    played = client.get(f"{address}?q=play&f.set=original").json()
    assert 0 < len(played) < 61
    assert all("play" in row["text"] for row in played)
    flipped = client.get(f"{address}?flipped=1").json()
    assert 0 < len(flipped) < len(wrong)


def test_the_pages_of_the_list_have_each_utterance_once(client: TestClient) -> None:
    seen = []
    for page in range(1, 13):
        text = client.get(f"/s/{RUN}/utterances?page={page}").text
        seen += re.findall(r'class="open"[^>]* href="([^"]*)"', text)
    assert len(set(seen)) == len(seen) == 61 * 9


def test_downloads_have_the_rows_of_the_list(client: TestClient) -> None:
    query = "?f.set=typo&sort=label&order=asc"
    rows = list(csv.DictReader(io.StringIO(client.get(f"/s/{RUN}/utterances.csv{query}").text)))
    same = client.get(f"/s/{RUN}/utterances.json{query}").json()
    assert [row["text"] for row in rows] == [row["text"] for row in same]
    assert len(rows) == 61


@pytest.fixture(scope="module")
def lost(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run in which every variant by fillers.bos is lost."""
    path = tmp_path_factory.mktemp("lost") / "lost.run"
    path.write_bytes(shown.run.read_bytes())
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE items SET wrong = 1, flip = -1 WHERE set_number = "
            "(SELECT number FROM sets WHERE name = 'fillers.bos')"
        )
    return path


def test_a_slice_opens_its_utterances(lost: Path) -> None:
    with closing(open_source(lost)) as source:
        client = TestClient(app([source]), base_url=HERE)
        causes = source.causes().found
        assert [fact.value for fact in causes[0].slice.facts] == ["fillers.bos"]
        page = client.get("/s/0/").text
        for at, cause in enumerate(causes):
            assert escape(cause.slice.text) in page
            rows = client.get(f"/s/0/utterances.json?slice={at}").json()
            assert len(rows) == cause.slice.n
            wrong = client.get(f"/s/0/utterances.json?slice={at}&wrong=1").json()
            assert len(wrong) == cause.slice.failed
        answer = client.get("/s/0/utterances?slice=999")
        assert (answer.status_code, "there is no slice" in answer.text) == (400, True)
        [first, *_] = client.get("/s/0/overview.json").json()["causes"]
        assert first["sentence"].startswith("fillers.bos: ")
        assert client.get("/s/0/why").status_code == 200


def test_filters_offer_values_with_their_counts(sources: list[ShownRun]) -> None:
    source = sources[RUN]
    everything = {one.column.key: dict(one.values) for one in source.offered(Query(), 549)}
    assert everything["set"]["typo"] == 61
    assert everything["speaker"] == {"ann": 30 * 9, "bob": 31 * 9}
    query = Query(filters={"set": "typo", "speaker": "ann"})
    chosen = {one.column.key: dict(one.values) for one in source.offered(query, 30)}
    assert chosen["speaker"] == {"ann": 30, "bob": 31}
    assert chosen["set"]["typo"] == 30


def test_sorting_by_loss_works_for_every_source(client: TestClient) -> None:
    for number in range(6):
        assert client.get(f"/s/{number}/utterances?sort=loss").status_code == 200
    assert client.get(f"/s/{WORDS}/utterances?sort=nothing").status_code == 400


def test_a_column_of_texts_is_not_a_group(tmp_path: Path) -> None:
    rows = [{"id": str(n), "ref": "a", "hyp": "a", "wer": 0.0, "hits": 1, "substitutions": 0,
             "deletions": 0, "insertions": 0, "wrong": 0, "utterances": 1,
             "signature": "mondegreen|words|costs:unit",
             "columns": {"who": "ab"[n % 2], "written": f"A longer transcript, {n}"}}
            for n in range(40)]  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with closing(open_source(path)) as source:
        assert [one.name for one in source.overview().sets] == ["all utterances", "a", "b"]


def test_columns_of_rows_can_hold_anything(tmp_path: Path) -> None:
    rows = [{"id": n, "ref": "a", "hyp": "a", "wer": 0.0, "hits": 1, "substitutions": 0,
             "deletions": 0, "insertions": 0, "wrong": 0, "utterances": 1,
             "signature": "mondegreen|words|costs:unit", "columns": {"of": value}}
            for n, value in enumerate(["x", 1, 2.5, None, True, ["a", 1], {"b": 2}])]  # fmt: skip
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with closing(open_source(path)) as source:
        found = [source.utterance({"id": str(n)})["columns"].get("of") for n in range(7)]
    assert found == ["x", "1", "2.5", None, "True", "['a', 1]", "{'b': 2}"]


def test_the_playground_makes_variants(client: TestClient) -> None:
    text = "play [artist: miles davis]"
    values = {"text": text, "op": "fillers", "seed": "3", "amount": "once"}
    found = client.get(f"/try.json?{urlencode(values)}").json()["utterances"]
    [variant] = mg.perturb(
        [mg.Utterance.of("1", "play miles davis", [mg.Slot("artist", 1, 3)])],
        "fillers", seed=3, once=True,
    )  # fmt: skip
    assert found[0]["variants"] == [
        {
            "operators": ["fillers"],
            "text": variant.utterance.text,
            "tags": list(variant.utterance.tags),
        }
    ]
    page = client.get(f"/try?{urlencode(values)}").text
    assert "--format annotated --op fillers --once --seed 3" in page
    assert client.get("/try").status_code == 200
    assert "Choose an operator" in client.get("/try?text=a").text


def test_the_commands_of_the_playground_run(client: TestClient, tmp_path: Path) -> None:
    values = {"text": "play [artist: miles davis]\nit's late", "op": "repeats", "seed": "2"}
    page = unescape(client.get(f"/try?{urlencode(values)}").text)
    command, code = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, check=True, env=environment)
    made = [json.loads(line) for line in (tmp_path / "noisy.jsonl").read_text().splitlines()]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, text=True, stdout=subprocess.PIPE
    )
    assert len(made) == 2
    for row, line in zip(made, done.stdout.splitlines(), strict=True):
        assert line.startswith(row["text"])


def test_a_viewer_without_sources_is_the_playground() -> None:
    client = TestClient(app([]), base_url=HERE)
    assert "Playground" in client.get("/").text


def test_an_empty_download_is_valid(client: TestClient) -> None:
    assert client.get(f"/s/{WORDS}/utterances.json?q=nowhere").json() == []
    assert client.get(f"/s/{WORDS}/utterances.csv?q=nowhere").text == ""


def test_an_utterance_of_a_run_shows_its_variants(client: TestClient) -> None:
    found = client.get(f"/s/{RUN}/utterance.json?number=61").json()
    assert found["set"] == "fillers.bos"
    sets = [one["set"] for one in found["variants"]]
    assert sets[:3] == ["original", "fillers.bos", "typo"]
    edited = [word["text"] for word in found["variants"][1]["marked"]["words"] if word["mark"]]
    assert edited
    page = client.get(f"/s/{RUN}/utterance?number=61").text
    assert "fillers.bos: filler" in page


def test_a_case_shows_the_calls_side_by_side_and_the_conversation(client: TestClient) -> None:
    rows = client.get(f"/s/{CALLS}/utterances.json?f.set=repairs&wrong=1").json()
    number = next(row["number"] for row in rows if row["id"].startswith("Orlando"))
    address = f"/s/{CALLS}/utterance?number={number}"
    page = client.get(address).text
    (row,) = re.findall(r'<tr class="differs"><th scope="row">city</th>(.*?)</tr>', page)
    assert row.startswith("<td>&#34;Orlando&#34;</td><td>&#34;")
    assert "taken back by the speaker" in row
    assert '<tr class=""><th scope="row">tool</th><td>book</td><td>book</td></tr>' in page
    assert page.index('class="role">system') < page.index('class="role">user')
    found = client.get(address.replace("utterance?", "utterance.json?")).json()["conversation"]
    assert [turn["role"] for turn in found["turns"]] == ["system", "user"]
    assert any(word["mark"] == "ins" for word in found["turns"][1]["marked"]["words"])
    (argument,) = found["calls"][0]["arguments"]
    assert (argument["state"], argument["expected"]) == ("different", '"Orlando"')


def test_the_overview_of_calls_has_the_calls_of_the_worst(
    client: TestClient, shown: Shown, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    assert main(["report", str(shown.calls), "-o", str(report)]) == 0
    for page in (client.get(f"/s/{CALLS}/").text, report.read_text()):
        assert '<th scope="col">expected</th><th scope="col">made</th>' in page
        assert "taken back by the speaker" in page
        assert "Conversation" in page
        assert HOSTILE not in page
    facets = client.get(f"/s/{CALLS}/utterances").text
    assert ">tool</h2>" in facets


def test_words_are_aligned_and_disfluent_words_marked(client: TestClient) -> None:
    cells = client.get(f"/s/{FLUENCY}/utterance.json?id=u1").json()["alignment"]
    assert [(cell["ref"], cell["step"], cell["disfluent"]) for cell in cells] == [
        ("uh", "", True),
        ("play", "", False),
        ("play", "D", True),
        ("some", "", False),
        ("jazz", "D", False),
    ]


def test_phonemes_have_a_trace(client: TestClient) -> None:
    steps = client.get(f"/s/{PHONEMES}/utterance.json?id=u1").json()["trace"]
    assert (steps[0]["action"], steps[0]["cost"]) == ("SUB", "1/24")
    page = client.get(f"/s/{PHONEMES}/utterance?id=u1").text
    assert "-voice → +voice, cost 1" in page
    assert '<span class="ipa">æ</span>' in page


def test_two_runs_are_compared(client: TestClient) -> None:
    found = client.get(f"/compare.json?a={RUN}&b={OTHER}&set=typo").json()
    assert found["rates"]["e2e_accuracy"]["first"] > found["rates"]["e2e_accuracy"]["second"]
    assert len(found["only_first_right"]) == found["flips"]["worse"] > 0
    page = client.get(f"/compare?a={WORDS}&b={OTHER_WORDS}").text
    assert "other-words against words" in page


def test_the_page_and_the_command_give_the_same_p_values(client: TestClient, shown: Shown) -> None:
    page = client.get(f"/compare.json?a={RUN}&b={OTHER}&set=typo").json()
    (verdict,) = [one for one in compare(shown.run, shown.other).sets if one.name == "typo"]
    assert {rate: page["rates"][rate]["p"] for rate in verdict.p} == verdict.p


def test_sources_of_different_metrics_cannot_be_compared(client: TestClient) -> None:
    answer = client.get(f"/compare?a={RUN}&b={WORDS}")
    assert answer.status_code == 400
    assert "compare two scores of one metric" in answer.text


def test_audio_is_served_in_ranges(client: TestClient) -> None:
    whole = client.get("/audio?id=u1")
    part = client.get("/audio?id=u1", headers={"Range": "bytes=100-199"})
    assert part.status_code == 206
    assert part.content == whole.content[100:200]


@pytest.mark.parametrize(
    "id", ["../words", "..%2Fwords", "/etc/passwd", "outside", "", "u1.wav/../u1", "\0", "u2"]
)
def test_nothing_outside_the_audio_folder_is_read(client: TestClient, id: str) -> None:
    assert client.get(f"/audio?{urlencode({'id': id})}").status_code == 404


def test_text_from_data_is_never_html(client: TestClient) -> None:
    for address in (
        f"/s/{RUN}/", f"/s/{RUN}/utterances", f"/s/{RUN}/utterance?number=60",
        f"/s/{WORDS}/utterances", f"/try?{urlencode({'text': HOSTILE, 'op': 'typo'})}",
        f"/s/{WORDS}/utterance?{urlencode({'id': HOSTILE})}",
        f"/s/{CALLS}/", f"/s/{CALLS}/utterances", f"/s/{CALLS}/utterance?number=3",
        f"/compare?a={WORDS}&b={OTHER_WORDS}", f"/s/{WORDS}/utterances?{urlencode({'q': HOSTILE})}",
    ):  # fmt: skip
        page = client.get(address).text
        assert "&lt;script&gt;" in page, address
        assert HOSTILE not in page, address


def test_the_content_security_policy_is_strict(client: TestClient) -> None:
    policy = client.get(f"/s/{RUN}/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert " style=" not in client.get(f"/s/{RUN}/").text


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", ""]
)
def test_requests_to_other_hosts_are_rejected(client: TestClient, host: str) -> None:
    assert client.get("/s/0/", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1:99", "[::1]:8000"])
def test_requests_to_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/s/0/", headers={"Host": host}).status_code == 200


def test_only_read_requests_are_answered(client: TestClient) -> None:
    assert client.post("/s/0/").status_code == 405


def test_a_token_is_required_on_other_addresses(sources: list[ShownRun]) -> None:
    client = TestClient(app(sources, token="secret"), base_url="http://far.example")  # noqa: S106
    assert client.get("/s/0/").status_code == 403
    assert client.get("/s/0/?token=wrong").status_code == 403
    assert client.get("/s/0/", headers={"Cookie": "mondegreen=wrong"}).status_code == 403
    entered = client.get("/s/0/utterances?token=secret&wrong=1")
    assert entered.status_code == 200
    assert str(entered.url) == "http://far.example/s/0/utterances?wrong=1"
    assert client.get("/s/0/").status_code == 200


def test_without_a_voice_the_page_has_no_button(client: TestClient) -> None:
    if can_speak():
        pytest.skip("a voice is installed")
    assert "synthetic voice" not in client.get(f"/s/{WORDS}/utterance?id=u1").text
    answer = client.get(f"/s/{WORDS}/voice?id=u1")
    assert answer.status_code == 501
    assert "mondegreen[audio]" in answer.text


def test_a_voice_speaks_the_reference(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    spoken: list[str] = []

    class TtsEngine:
        def __init__(self, language: str) -> None:
            assert language == "en-US"

        def speak(self, text: str) -> bytes:
            spoken.append(text)
            return b"\0\1" * 16_000

    monkeypatch.setitem(sys.modules, "ttspico", SimpleNamespace(TtsEngine=TtsEngine))
    pico_engine.cache_clear()
    try:
        assert "synthetic voice" in client.get(f"/s/{WORDS}/utterance?id=u1").text
        answer = client.get(f"/s/{WORDS}/voice?id=u1")
    finally:
        pico_engine.cache_clear()
    assert spoken == ["play some jazz"]
    with wave.open(io.BytesIO(answer.content)) as sound:
        assert sound.getnframes() == sound.getframerate() == 16_000


_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_NAMES = st.sampled_from(
    ["q", "sort", "order", "page", "wrong", "flipped", "f.set", "f.operator", "f.column speaker",
     "id", "number", "a", "b", "set", "at", "token"]
)  # fmt: skip
_PLACES = st.sampled_from(
    ["/", "/s/{}/", "/s/{}/overview.json", "/s/{}/utterances", "/s/{}/utterances.csv",
     "/s/{}/utterances.json", "/s/{}/utterance", "/s/{}/utterance.json", "/s/{}/voice", "/compare",
     "/compare.json", "/audio", "/static/app.js", "/static/../server.py", "/static/%2e%2e/x"]
)  # fmt: skip
_VALUES = _TEXT | st.integers().map(str) | st.sampled_from(
    ["text", "loss", "wer", "asc", "typo", "u1", "../u1", "1e9", "9" * 40, "\x00", "%", "'\"--"]
)  # fmt: skip


@settings(max_examples=300)
@given(_PLACES, st.integers(0, 7), st.lists(st.tuples(_NAMES | _TEXT, _VALUES), max_size=4))
def test_every_request_is_answered_without_a_crash(
    client: TestClient, place: str, number: int, values: list[tuple[str, str]]
) -> None:
    address = place.format(number) + (f"?{urlencode(values)}" if values else "")
    answer = client.get(address)
    assert answer.status_code in (200, 400, 404, 501)
    assert b"def app(" not in answer.content


def test_an_unfinished_run_is_shown(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "going.sqlite"
    path.write_bytes(shown.run.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM items WHERE number >= 100")
        connection.execute("DELETE FROM scores")
        connection.execute("UPDATE meta SET value = 'running' WHERE key = 'state'")
    connection.close()
    with closing(open_source(path)) as source:
        client = TestClient(app([source]), base_url=HERE)
        page = client.get("/s/0/").text
        assert "Unfinished: 100 of 549 utterances are done" in page
        assert "39 of 61 done</span>" in page
        assert client.get("/s/0/utterances").status_code == 200


def test_a_run_without_answers_is_shown(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "begun.sqlite"
    path.write_bytes(shown.run.read_bytes())
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM items")
        connection.execute("DELETE FROM scores")
        connection.execute("UPDATE meta SET value = 'running' WHERE key = 'state'")
    connection.close()
    with closing(open_source(path)) as source:
        client = TestClient(app([source]), base_url=HERE)
        assert "Unfinished: 0 of 549 utterances are done" in client.get("/s/0/").text
        assert client.get("/s/0/utterances").status_code == 200
    assert main(["report", str(path), "-o", str(tmp_path / "report.html")]) == 0


def test_a_damaged_run_gives_an_error(
    shown: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.sqlite"
    content = bytearray(shown.run.read_bytes())
    content[20_000:90_000] = b"\x5a" * 70_000
    path.write_bytes(content)
    assert main(["report", str(path), "-o", str(tmp_path / "report.html")]) == 1
    printed = capsys.readouterr().err
    assert printed.startswith("mondegreen: ")
    assert "Traceback" not in printed


def test_a_file_that_is_not_a_run_raises_an_error(tmp_path: Path, shown: Shown) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    with pytest.raises(DataError, match="not a run"):
        open_source(other)
    newer = tmp_path / "newer.sqlite"
    newer.write_bytes(shown.run.read_bytes())
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(DataError, match="format 99"):
        open_source(newer)


def test_a_file_that_is_not_rows_raises_an_error(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    for content, message in (
        ("", "contains no utterances"),
        ('{"id": "a"}\n', "does not name its metric"),
        ("nonsense\n", "line 1: not a row"),
        ('{"text": "a"}\n', "line 1: there is no id"),
    ):
        path.write_text(content)
        with pytest.raises(DataError, match=message):
            open_source(path)
    with pytest.raises(DataError, match="there is no such file"):
        open_source(tmp_path / "nowhere.jsonl")


def test_the_report_is_one_file(
    shown: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.html"
    sources = map(str, (shown.run, shown.words, shown.phonemes))
    assert main(["report", *sources, "-o", str(path)]) == 0
    page = path.read_text()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))
    fails(["report", str(shown.run), "-o", str(path)], "exists already", capsys)
    fails(["report", str(tmp_path / "none")], "there is no such file", capsys)


def test_two_runs_are_one_comparison(shown: Shown, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert main(["report", str(shown.run), str(shown.other), "-o", str(report)]) == 0
    page = report.read_text()
    assert page.index("other against run") < page.index('id="part-1"')
    assert page.count("<h1>") == 3


def test_the_report_is_also_json(
    shown: Shown, lost: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(shown.run), str(lost), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["title"] for one in found["reports"]] == ["run", "lost"]
    assert found["reports"][1]["causes"][0]["p"] < 0.05
    assert found["comparison"]["main"] == "e2e_accuracy"


def test_every_figure_can_be_had_as_csv(shown: Shown, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert main(["report", str(shown.run), "-o", str(report)]) == 0
    links = re.findall(r'download="([^"]+)" href="data:text/csv;charset=utf-8,([^"]*)"',
                       report.read_text())  # fmt: skip
    tables = {name: list(csv.reader(io.StringIO(unquote(text)))) for name, text in links}
    assert {"sets.csv", "heat map.csv", "severity.csv"} <= set(tables)
    assert tables["sets.csv"][0][:3] == ["group", "set", "utterances"]
    assert len({len(row) for row in tables["heat map.csv"]}) == 1


def test_a_busy_port_gives_an_error(shown: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        view = ["view", str(shown.words), "--no-open", "--port", port]
        fails(view, "give another --port", capsys)


def test_texts_as_written_are_shown_though_the_first_row_has_none(tmp_path: Path) -> None:
    ref, hyp, rows = (tmp_path / name for name in ("ref.txt", "hyp.txt", "rows.jsonl"))
    ref.write_text("play jazz\nPlay Jazz\n")
    hyp.write_text("play jazz\nplay jaws")
    score = ["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--ignore-case"]
    assert main([*score, "--items", str(rows)]) == 0
    with closing(open_source(rows)) as source:
        assert source.utterance({"id": "1"})["written"] == {}
        assert source.utterance({"id": "2"})["written"] == {"reference": "Play Jazz"}


def test_many_rows_give_the_figures_of_their_score(tmp_path: Path) -> None:
    refs = ["play some jazz", "stop", "turn it off"] * 12_000  # more than are kept in order
    hyps = ["play sum jazz", "stop", "turn off"] * 12_000
    who = ["ann", "bob", "bob"] * 12_000
    lines = [
        {"id": str(n), "text": t, "speaker": w}
        for n, (t, w) in enumerate(zip(refs, who, strict=True))
    ]
    ref, hyp, rows = (tmp_path / name for name in ("ref.jsonl", "hyp.jsonl", "rows.jsonl"))
    ref.write_text("".join(json.dumps(line) + "\n" for line in lines))
    hyp.write_text(
        "".join(json.dumps({"id": str(n), "text": t}) + "\n" for n, t in enumerate(hyps))
    )
    score = ["score", "words", "--ref", str(ref), "--hyp", str(hyp), "--no-intervals"]
    assert main([*score, "--items", str(rows)]) == 0
    with closing(open_source(rows)) as source:
        found = {one.name: one.rate("wer").value for one in source.overview().sets}
        assert found == {"all utterances": 2 / 7, "ann": 1 / 3, "bob": 1 / 4}
    with open_run(rows) as run:
        assert run.score(ALL)["wer"].value == 2 / 7
        assert len(run.score(ALL).ids) == 36_000
