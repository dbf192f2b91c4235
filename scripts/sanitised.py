"""Build the kernel with AddressSanitizer and UndefinedBehaviorSanitizer, and run Python with it.

    python scripts/sanitised.py build
    python scripts/sanitised.py run -m pytest tests/test_align.py
    python scripts/sanitised.py run scripts/fuzz.py --only kernel

A fault ends the process with a report of the sanitiser.
"""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "sanitise"
NAME = "mondegreen.kernel._kernel"
INSIDE = "MONDEGREEN_SANITISED"


def build() -> None:
    """Compile the kernel into build/sanitise."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-DMONDEGREEN_SANITISE=ON"]
    subprocess.run([*configure, f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["cmake", "--build", str(BUILD)], check=True)


def run(arguments: list[str]) -> None:
    """Run a script, or a module with -m, in a process in which the sanitisers are loaded first."""
    libraries = [
        subprocess.check_output(["c++", f"-print-file-name={name}"], text=True).strip()
        for name in ("libasan.so", "libubsan.so", "libstdc++.so")
    ]
    settings = {
        INSIDE: "1",
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",  # Python keeps what it likes
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",  # so that freed strings of Python are noticed as well
    }
    command = [sys.executable, __file__, "run", *arguments]
    sys.exit(subprocess.run(command, env=os.environ | settings, check=False).returncode)


def run_inside(arguments: list[str]) -> None:
    """Load the kernel of build/sanitise in place of the installed one, and run."""
    (path,) = BUILD.glob("_kernel*.so")
    spec = spec_from_file_location(NAME, path, loader=ExtensionFileLoader(NAME, str(path)))
    if spec is None or spec.loader is None:
        sys.exit(f"{path}: not an extension of Python")
    sys.modules[NAME] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])
    for name in ("LD_PRELOAD", INSIDE):
        os.environ.pop(name)  # not for other programs that the tests start
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, str(Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build()
    elif INSIDE in os.environ:
        run_inside(sys.argv[2:])
    else:
        run(sys.argv[2:])
