"""The project's environment, `.venv`, with the packages of pyproject.toml. Standard library only."""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
PYTHON = HOME / "bin" / "python"
PIP = HOME / "bin" / "pip"
STAMP = HOME / "installed.txt"
EXTRAS = "test,lint,docs"


def enter() -> None:
    """Restart this script inside `.venv`; create it if missing, and install what pyproject.toml changed."""
    if sys.version_info < (3, 11):  # noqa: UP036  (this file is what tells an older Python so)
        sys.exit(f"{sys.argv[0]}: needs Python 3.11 or newer, this is {sys.version.split()[0]}")
    if HOME.is_symlink():  # that of another checkout, whose sources are not those beside this file
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    if install() or Path(sys.prefix).resolve() != HOME.resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])


def install() -> bool:
    """Create `.venv` and install the project in it, unless that was done for this pyproject.toml.

    A `.venv` that is a link stays as it is: it would begin to import this checkout instead of its own.
    """
    if HOME.is_symlink():
        return False
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if PIP.exists() and STAMP.exists() and STAMP.read_text() == wanted:
        return False
    print(f"installing into {HOME} (once, and after changes of pyproject.toml)", file=sys.stderr, flush=True)
    try:
        if not PIP.exists():
            venv.create(HOME, with_pip=True)
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--editable", f"{ROOT}[{EXTRAS}]"], check=True)
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"{sys.argv[0]}: could not set up {HOME}: {error}\n  Debian and Ubuntu: apt install python3-venv"
        )
    STAMP.write_text(wanted)
    return True
