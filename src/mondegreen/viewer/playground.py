"""The playground: type utterances, choose operators, see the variants at once.

Only the operators that the page lists can be chosen, without parameters: whoever makes a request
can choose nothing that would be imported, opened or started. A request may work for a few seconds;
the work ends when the client goes away.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from anyio import CancelScope, CapacityLimiter, create_task_group, to_thread
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from mondegreen.data.formats.offsets import parse_brackets, utterance_of_spans
from mondegreen.errors import MondegreenError
from mondegreen.language.languages import language, language_codes
from mondegreen.limits import Limit
from mondegreen.operators import OPERATORS
from mondegreen.operators.registry import operator_class
from mondegreen.report.marked import MarkedLine
from mondegreen.report.notebook import marked_variant
from mondegreen.report.pages import environment
from mondegreen.report.source import ShownRun
from mondegreen.types import Utterance, Variant
from mondegreen.variants import perturb

_EXAMPLE = "play some jazz by [artist: miles davis]\nwake me at [time: seven thirty] tomorrow"
_CHOSEN = ("fillers", "repairs", "synonyms.any", "speako", "mondegreen", "typing")
_AMOUNTS = ("default", "once", "rate", "severity")
_MOST_LINES, _MOST_LETTERS = 30, 4_000
_MOST_VARIANTS = 5
_SECONDS = 5.0  # that a request may work
_AT_ONCE = 2  # requests that work; others wait
_MOST_WAITING = 32
_GONE = 499  # the status of an answer that nobody reads


class Asked(NamedTuple):
    """What is asked for: the texts, the operators, how much, the seed, and the language.

    Without a language, the texts show it.
    """

    text: str
    operators: tuple[str, ...]
    amount: str
    share: float
    seed: int
    variants: int
    language: str = ""


class Playground:
    """The page ``/try``, and its variants as JSON."""

    def __init__(self, sources: Sequence[ShownRun], *, chained: bool) -> None:
        self._sources = sources
        self._chained = chained
        self._operators = _offered()
        self._places = CapacityLimiter(_AT_ONCE)

    async def page(self, request: Request) -> Response:
        """Return the page with the variants of what is asked for."""
        return await self._answer(request, self._page)

    async def json(self, request: Request) -> Response:
        """Return the variants as JSON."""
        return await self._answer(request, self._json)

    async def _answer(self, request: Request, show: Callable[[Request], Response]) -> Response:
        """Work in a thread of its own, as long as the client waits; others keep their threads."""
        if self._places.statistics().tasks_waiting >= _MOST_WAITING:
            raise HTTPException(503, "too many requests are waiting; try again in a minute")
        limit = Limit(_SECONDS, "give fewer or shorter lines, or fewer operators")

        def work() -> Response | Exception:
            with limit.begun():
                try:
                    return show(request)
                except Exception as error:  # noqa: BLE001 (raised below, outside of the group)
                    return error

        answer: Response | Exception = PlainTextResponse("the client is gone", _GONE)
        async with create_task_group() as tasks:
            tasks.start_soon(_watch, request, tasks.cancel_scope)
            try:
                answer = await to_thread.run_sync(
                    work, abandon_on_cancel=True, limiter=self._places
                )
            finally:
                limit.cancel()
            tasks.cancel_scope.cancel()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _page(self, request: Request) -> Response:
        asked = self._asked(request.query_params)
        made, problem = _made(asked)
        page = environment().get_template("try.html")
        return HTMLResponse(
            page.render(
                page="try",
                title="Playground",
                number=None,
                sources=self._sources,
                chain=self._chained,
                downloads=[("JSON", f"/try.json?{request.query_params}")],
                asked=asked,
                amounts=_AMOUNTS,
                languages=[(code, language(code).name) for code in language_codes()],
                operators=self._operators,
                made=made,
                problem=problem,
                command=command_line(asked),
                python=python_code(asked),
            )
        )

    def _json(self, request: Request) -> Response:
        asked = self._asked(request.query_params)
        made, problem = _made(asked)
        rows = [
            {
                "text": source.text,
                "variants": [
                    {
                        "operators": sorted({edit.operator for edit in variant.edits}),
                        "text": variant.utterance.text,
                        "tags": variant.utterance.tags,
                    }
                    for variant, _ in variants
                ],
            }
            for source, variants in made
        ]
        content = {"utterances": rows} | ({"problem": problem} if problem else {})
        return Response(msgspec.json.encode(content), media_type="application/json")

    def _asked(self, values: QueryParams) -> Asked:
        """Return what is asked for; of the operators, only those that the page lists."""
        chosen = tuple(name for name in values.getlist("op") if name in self._operators)
        if "text" not in values:
            chosen = chosen or _CHOSEN
        amount = values.get("amount", _AMOUNTS[0])
        code = values.get("language", "")
        return Asked(
            values.get("text", _EXAMPLE)[:_MOST_LETTERS].replace("\r\n", "\n"),
            chosen,
            amount if amount in _AMOUNTS else _AMOUNTS[0],
            _share(values.get("share", "")),
            _whole(values.get("seed", ""), 7),
            min(max(_whole(values.get("variants", ""), 1), 1), _MOST_VARIANTS),
            code if code in language_codes() else "",
        )


def _offered() -> tuple[str, ...]:
    """Return the operators that can be chosen; those of plugins are loaded now, not by a request.

    A plugin that cannot be loaded is left out with a warning.
    """
    found = list(OPERATORS.own)
    for name in OPERATORS:
        if name not in OPERATORS.own:
            try:
                operator_class(name)
            except MondegreenError as error:
                warnings.warn(f"the playground leaves out an operator: {error}", stacklevel=2)
            else:
                found.append(name)
    return tuple(found)


async def _watch(request: Request, scope: CancelScope) -> None:
    """Cancel the work when the client goes away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def _share(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 1.0)
    except ValueError:
        return 0.3


def _whole(text: str, default: int) -> int:
    return int(text[:15]) if text.isascii() and text.isdecimal() else default


def amount_options(asked: Asked) -> dict[str, Any]:
    """Return the amount as arguments of :func:`mondegreen.perturb`."""
    if asked.amount == "once":
        return {"once": True}
    return {asked.amount: asked.share} if asked.amount in ("rate", "severity") else {}


def _lines(asked: Asked) -> list[str]:
    return [line for line in asked.text.split("\n") if line.strip()][:_MOST_LINES]


Made = list[tuple[Utterance, list[tuple[Variant, MarkedLine]]]]


def _made(asked: Asked) -> tuple[Made, str]:
    """Return the variants of each utterance, and what is wrong with the input, if anything."""
    found: Made = []
    if not asked.operators:
        return found, "Choose an operator."
    try:
        utterances = [
            utterance_of_spans(str(number), *parse_brackets(line))
            for number, line in enumerate(_lines(asked), start=1)
        ]
        options = {"seed": asked.seed, "variants": asked.variants, **amount_options(asked)}
        options |= {"language": asked.language} if asked.language else {}
        recipe = perturb(utterances, list(asked.operators), **options).recipe
        for utterance in utterances:
            variants = perturb([utterance], recipe)
            found.append((utterance, [(variant, marked_variant(variant)) for variant in variants]))
    except MondegreenError as error:
        return found, str(error)
    return found, ""


def command_line(asked: Asked) -> str:
    """Return the commands that make the same variants."""
    lines = _lines(asked)
    words = ["mondegreen", "perturb", "utterances.txt", "--format", "annotated"]
    for name in asked.operators:
        words += ["--op", name]
    for name, value in amount_options(asked).items():
        words += [f"--{name}"] if value is True else [f"--{name}", f"{value:g}"]
    if asked.variants > 1:
        words += ["--variants", str(asked.variants)]
    words += ["--language", asked.language] if asked.language else []
    words += ["--seed", str(asked.seed), "-o", "noisy.jsonl"]
    text = shlex.join(lines)
    return f"printf '%s\\n' {text} > utterances.txt\n{shlex.join(words)}"


def python_code(asked: Asked) -> str:
    """Return the Python code that makes the same variants."""
    options: Mapping[str, Any] = {
        "seed": asked.seed,
        **amount_options(asked),
        **({"variants": asked.variants} if asked.variants > 1 else {}),
        **({"language": asked.language} if asked.language else {}),
    }
    given = ", ".join(f"{name}={value!r}" for name, value in options.items())
    return (
        "import mondegreen as mg\n\n"
        'utterances = mg.read("utterances.txt", format="annotated")\n'
        f"for variant in mg.perturb(utterances, {list(asked.operators)!r}, {given}):\n"
        "    print(variant.utterance.text, variant.utterance.tags)"
    )
