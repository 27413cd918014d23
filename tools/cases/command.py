"""The command line of `tools/confirm_cases`."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Sequence
from pathlib import Path

from cases.confirm import Refuted, confirmed
from interp.apps.suite.cases import CASES
from interp.engine.files import write_text
from spec.errors import InterpError


def main(arguments: Sequence[str], description: str = "") -> int:
    """Return the exit status: 0 only if there are cases and each states the derived results."""
    parser = argparse.ArgumentParser(
        prog="confirm_cases",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--write", action="store_true", help="change the files")
    parser.add_argument("words", nargs="*", metavar="WORD", help="words of paths; with --write, files")
    options = parser.parse_args(arguments)
    if options.write and not options.words:
        parser.error("--write: expected the files to write into, got none")
    paths = list(map(Path, options.words)) if options.write else chosen(options.words)
    count = sum(confirms(path, options.write) for path in paths)
    print(f"{count} of {len(paths)} cases confirmed")
    return 0 if count == len(paths) > 0 else 1


def chosen(words: Sequence[str], root: Path = CASES) -> list[Path]:
    """Return the cases whose path below `root` contains one of the words; bare programs are not cases."""
    paths = [path for path in sorted(root.glob("*/*.mlir")) if is_case(path)]
    return [p for p in paths if not words or any(word in p.relative_to(root).as_posix() for word in words)]


def is_case(path: Path) -> bool:
    text = path.read_text()
    return "// args: " in text or "// expect: " in text


def confirms(path: Path, write: bool) -> bool:
    """Print the text that a case should have if it differs; return whether it has it now."""
    try:
        text = path.read_text()
        derived = confirmed(text)
    except (Refuted, InterpError, OSError, ValueError) as error:
        print(f"{path}: {error}")
        return False
    if derived == text:
        return True
    lines = difflib.unified_diff(text.splitlines(), derived.splitlines(), str(path), "derived", lineterm="")
    print(f"{'written' if write else 'differs'}: {path}", *lines, sep="\n")
    if write:
        write_text(path, derived)
    return write
