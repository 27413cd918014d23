"""Environments of their own for frameworks that make models: `.exports/NAME`, created when first needed."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def environment(name: str, packages: list[str]) -> Path:
    """Return the Python of an environment with these packages; create it if missing."""
    home = ROOT / ".exports" / name
    python, stamp = home / "bin" / "python", home / "installed.txt"
    wanted = "\n".join(packages)
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {', '.join(packages)} into {home}", file=sys.stderr, flush=True)
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        stamp.write_text(wanted)
    return python
