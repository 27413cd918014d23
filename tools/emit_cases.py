"""Writes the value cases of the conformance suite, testdata/<op>/<case>.mlir.

Worked cases hold results by hand, which the oracle in spec/ must confirm; families hold the oracle's, on
arguments drawn from a fixed seed until the known mistakes of implementations give other answers. The engine
takes no part, but that `interp.permits` strikes out mistakes that some schedule makes right.

    python tools/emit_cases.py            write them
    python tools/emit_cases.py --check    exit with status 1 if one is missing or says something else
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from cases import (  # noqa: E402
    algorithms,
    arithmetic,
    contractions,
    drafts,
    families,
    formats,
    many,
    movement,
    operations,
    worked,
)

from interp.engine.files import write_text  # noqa: E402

TESTDATA = ROOT / "testdata"
BY_HAND = (worked, formats, many)
OPERATIONS = (arithmetic, movement, contractions)


def every_draft() -> Iterator[tuple[str, drafts.Draft]]:
    """The op's name and the draft of every case."""
    for cases in BY_HAND:
        yield from (("reduce", draft) for draft in cases.reductions())
        yield from (("reduce_window", draft) for draft in cases.window_reductions())
        yield from (("select_and_scatter", draft) for draft in cases.scatters())
    yield from families.drafts()
    yield from (("dot_general", draft) for draft in algorithms.dots())


def files(pattern: str) -> dict[Path, str]:
    """The text of every case whose path contains the pattern."""
    texts: dict[Path, str] = {}
    for op, draft in every_draft():
        path = TESTDATA / op / f"{draft.name}.mlir"
        assert path not in texts, f"two cases are named {path}"
        if pattern in str(path):
            texts[path] = drafts.written(draft)
    for cases in OPERATIONS:
        for operation in cases.operations():
            path = TESTDATA / operation.family / f"{operation.name}.mlir"
            assert path not in texts, f"two cases are named {path}"
            if pattern in str(path):
                texts[path] = operations.written(operation)
    return texts


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("pattern", nargs="?", default="", help="only cases whose path contains this")
    options = parser.parse_args()
    texts = files(options.pattern)
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if not options.check:
            path.parent.mkdir(exist_ok=True)
            write_text(path, texts[path])
    print(
        "\n".join(f"{'differs' if options.check else 'written'}: {path.relative_to(ROOT)}" for path in stale)
    )
    print(f"{len(texts)} cases: {dict(Counter(path.parent.name for path in texts))}")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
