"""Build the sdist and the wheels into dist, and test them as a user would install them.

    make dist

One wheel is built with Python 3.11 and one, by the stable ABI, with the first later version that is
installed; the second is tested with every later version. On Linux, auditwheel makes manylinux
wheels of them. Every package is installed into a new virtual environment in a temporary folder, far
from the repository, without the packages of developers and without a compiler on the path; the
demo must run and write its report, and the fast tests must pass. Without a compiler, the sdist
uses the Python twins of the kernel.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
MOST_BYTES = 25_000_000
VERSIONS = ("3.11", "3.12", "3.13")
FAST_TESTS = ("test_edits", "test_draw", "test_types", "test_fillers", "test_speako")
_TEST_PACKAGES = ("pytest", "pytest-timeout", "hypothesis")
_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir")
_NO_COMPILERS = {"CC": "/bin/false", "CXX": "/bin/false"}
_KERNEL = "from mondegreen.kernel import compiled; print('kernel', compiled is not None)"


def main() -> None:
    """Build, install and test."""
    shutil.rmtree(DIST, ignore_errors=True)
    pythons = installed()
    _run([sys.executable, "-m", "build", "--sdist", "--outdir", str(DIST), str(ROOT)], ROOT)
    [sdist] = DIST.glob("*.tar.gz")
    check(sdist, sys.executable, kernel="kernel False", tests=())
    for wheel, testers in build_wheels(sdist, pythons):
        size = wheel.stat().st_size
        print(f"{wheel.name}: {size / 1e6:.1f} MB")
        if size > MOST_BYTES:
            sys.exit(f"{wheel.name} has {size:,} bytes, more than the {MOST_BYTES:,} allowed")
        for python in testers:
            check(wheel, python, kernel="kernel True", tests=FAST_TESTS)


def installed() -> dict[str, str]:
    """Return the Python versions that can be found and started, with their programs."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for version in VERSIONS:
        pyenv = Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}")
        for program in chain(map(str, pyenv), [shutil.which(f"python{version}")]):
            if program and _starts(program):
                found.setdefault(version, program)
    return dict(sorted(found.items(), key=lambda item: VERSIONS.index(item[0])))


def _starts(program: str) -> bool:
    done = subprocess.run([program, "--version"], capture_output=True, check=False)
    return done.returncode == 0


def build_wheels(sdist: Path, pythons: dict[str, str]) -> list[tuple[Path, list[str]]]:
    """Build the wheels; return each with the programs that can run it."""
    later = [program for version, program in pythons.items() if version != VERSIONS[0]]
    own = [program for version, program in pythons.items() if version == VERSIONS[0]]
    return [(_wheel(sdist, programs[0]), programs) for programs in (own, later) if programs]


def _wheel(sdist: Path, python: str) -> Path:
    with TemporaryDirectory() as name:
        folder = Path(name)
        _run([python, "-m", "venv", "venv"], folder)
        build = [_python(folder / "venv"), "-m", "pip", "wheel", "--quiet", "--no-deps"]
        _run([*build, "-w", "built", str(sdist)], folder)
        [wheel] = (folder / "built").glob("*.whl")
        if sys.platform == "linux":
            command = [sys.executable, "-m", "auditwheel", "repair", "-w", "tagged", str(wheel)]
            _run(command, folder, {"PATH": f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"})
            [wheel] = (folder / "tagged").glob("*.whl")
        return Path(shutil.copy(wheel, DIST))


def check(package: Path, python: str, *, kernel: str, tests: Sequence[str]) -> None:
    """Install a package into a new environment, run the demo and the tests there."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _run([python, "-m", "venv", "venv"], folder)
        own = _python(folder / "venv")
        bare = _NO_COMPILERS | {"PATH": str(Path(own).parent)}
        _run([own, "-m", "pip", "install", "--quiet", str(package)], folder, bare)
        found = _run([own, "-c", _KERNEL], folder, bare)
        if found.splitlines()[-1] != kernel:  # without a compiler, a warning comes first
            sys.exit(f"{package.name}: {found.strip()}, expected {kernel}")
        command = [own, "-m", "mondegreen"]
        _run([*command, "demo", "-o", "demo"], folder, bare)
        if not (folder / "demo" / "report.html").stat().st_size:
            sys.exit(f"{package.name}: the demo wrote no report")
        shown = _run([*command, "report", "demo/crf.run", "--json"], folder, bare)
        if '"causes"' not in shown:
            sys.exit(f"{package.name}: the report has no slices")
        print(f"{package.name}: {_tested(own, folder, bare, tests)}")


def _tested(python: str, folder: Path, bare: dict[str, str], tests: Sequence[str]) -> str:
    """Run tests of the repository on the installed package; return pytest's summary."""
    if not tests:
        return "demo ran"
    _run([python, "-m", "pip", "install", "--quiet", *_TEST_PACKAGES], folder, bare)
    shutil.copytree(ROOT / "tests", folder / "tests")
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    settings = re.sub(r"(?m)^testpaths.*$", 'testpaths = ["tests"]', _pytest_settings())
    (folder / "pyproject.toml").write_text(settings, encoding="utf-8")
    files = [f"tests/{test}.py" for test in tests]
    return "demo ran, " + _run([python, *_PYTEST, ".", *files], folder, bare).splitlines()[-1]


def _pytest_settings() -> str:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return text[text.index("[tool.pytest.ini_options]") :]


def _python(environment: Path) -> str:
    return str(environment / "bin" / "python")


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=folder,
        env=kept | (environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
