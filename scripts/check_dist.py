"""Build the sdist and the wheel, and test both as a user would install them.

    make dist

Each is installed into a new virtual environment in a temporary folder, far from the repository and
without the packages of developers. The sdist is built without a C++ compiler, so that the Python
twins of the kernel are used. In both, the demo must run and write its report.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
_COMPILERS = {"CC": "/bin/false", "CXX": "/bin/false"}
_KERNEL = "from mondegreen.kernel import compiled; print('kernel', compiled is not None)"


def main() -> None:
    """Build, install and test."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run([sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT)], ROOT)
    [wheel], [sdist] = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    check(wheel, {}, kernel="kernel True")
    check(sdist, _COMPILERS, kernel="kernel False")
    print(f"tested: {wheel.name}, {sdist.name}")


def check(package: Path, environment: dict[str, str], *, kernel: str) -> None:
    """Install a package into a new environment and run the demo there."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        python = str(folder / "venv" / "bin" / "python")
        _run([python, "-m", "pip", "install", "--quiet", str(package)], folder, environment)
        found = _run([python, "-c", _KERNEL], folder)
        if found.strip() != kernel:
            sys.exit(f"{package.name}: {found.strip()}, expected {kernel}")
        command = [python, "-m", "mondegreen"]
        _run([*command, "demo", "-o", "demo"], folder)
        if not (folder / "demo" / "report.html").stat().st_size:
            sys.exit(f"{package.name}: the demo wrote no report")
        shown = _run([*command, "report", "demo/crf.run", "--json"], folder)
        if '"causes"' not in shown:
            sys.exit(f"{package.name}: the report has no slices")


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
