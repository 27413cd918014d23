"""The survivors that tools/mutants.txt lists, each with the reason why nothing can notice it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mutation.operators import ROOT, Mutant

LIST = ROOT / "tools" / "mutants.txt"
MISTAKES = ROOT / "tools" / "mistakes.txt"
UNSEEN = ROOT / "tools" / "unseen.txt"

Key = tuple[str, str, str]  # where, the line before, the line after


def key(mutant: Mutant) -> Key:
    """Return a key that identifies a mutant without line numbers."""
    before, after = mutant.change((ROOT / mutant.file).read_bytes())
    return f"{mutant.file} {mutant.function or 'module'} {mutant.operator}", f"- {before}", f"+ {after}"


def described(mutant: Mutant) -> str:
    """Describe a survivor as in the list, under its line."""
    return "\n".join([f"# line {mutant.line}", *key(mutant), ""])


def unseen() -> dict[Key, str]:
    """Return the reasons why the conformance suite misses mutants that a random program notices."""
    return listed(UNSEEN)


def noticed() -> dict[str, str]:
    """Return for each named mistake the case of the conformance suite that notices it."""
    lines = (line for line in MISTAKES.read_text().splitlines() if not line.startswith("#"))
    return {name: case for name, _, case in (line.partition(": ") for line in lines)}


def listed(file: Path = LIST) -> dict[Key, str]:
    """Return the reasons, from blocks of where, before, after, which may repeat, and one reason for all."""
    reasons = {}
    for block in file.read_text().split("\n\n"):
        *changes, why = [line for line in block.splitlines() if not line.startswith("#")] or [""]
        where = before = ""
        for line in changes:
            if line.startswith("+ "):
                reasons[where, before, line] = why.removeprefix("because ")
            elif line.startswith("- "):
                before = line
            else:
                where = line
    return reasons


def differences(survived: Sequence[Mutant], killed: Sequence[Mutant]) -> list[str]:
    """Survivors without a reason, and reasons whose mutant was killed."""
    reasons, gone = listed(), {key(m) for m in killed} - {key(m) for m in survived}
    missing = [("survives without a reason:", k) for k in map(key, survived) if k not in reasons]
    stale = [("is listed as equivalent, and killed:", k) for k in sorted(reasons.keys() & gone)]
    return ["\n".join([verdict, *k, ""]) for verdict, k in missing + stale]
