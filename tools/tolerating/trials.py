"""Mutants of the five functions, and which of them the two kinds of tests notice."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from interp.testing import assert_close_to_float, assert_permitted
from spec.errors import InterpError
from tools.mutation.operators import mutants
from tools.tolerating.cases import CASES, Case

FUNCTIONS = Path(__file__).with_name("functions.py")
# Mistakes that people make in such code, in place of a piece of it.
HALF_UP, HALF_AWAY = (
    "(lambda z: np.floor(z + F32(0.5)))",
    "(lambda z: np.trunc(z + np.copysign(F32(0.5), z)))",
)
MISTAKES: Sequence[tuple[str, str]] = (
    *(("np.rint", name) for name in ("np.floor", "np.ceil", "np.trunc", HALF_UP, HALF_AWAY)),
    *(("I32", f"np.{name}") for name in ("int8", "int16", "uint8", "float16", "float32")),
    *(
        ("F32", name)
        for name in ("np.float16", "np.float64", "(lambda z: F32(z).astype('<f4') * F32(1.001))")
    ),
    ("total / scale", "total * (1 / scale)"),
    ("average / scale", "average * (1 / scale)"),
    ("x / scale)", "x * (1 / scale))"),
    ("/ F32(127)", "* F32(1 / 127)"),
    ("/ F32(127.5)", "* F32(1 / 127.5)"),
    ("F32(127.5)", "F32(127)"),
    ("F32(127)", "F32(128)"),
    ("-128, 127", "-127, 127"),
    ("0, 255", "0, 254"),
    ("np.clip(np.rint(total / scale) + zero, -128, 127)", "(np.rint(total / scale) + zero)"),
    ("np.rint(total / scale) + zero", "np.rint(total / scale + zero)"),
    ("np.rint(average / scale) + zero", "np.rint(average / scale + zero)"),
    (" - x_zero", ""),
    (" - y_zero", ""),
    (" + zero", ""),
    ("np.abs(x).max(axis=1, keepdims=True)", "np.abs(x).max()"),
    ("np.maximum(-x.min(axis=1), x.max(axis=1))", "x.max(axis=1)"),
    ("* scale * w_scale", "* (scale * w_scale)"),
    ("* scale * w_scale", "* scale * w_scale[::-1]"),
    ("rows[:, k : k + 1] * columns[k : k + 1]", "(rows[:, k : k + 1] * columns[k : k + 1])"),
    ("range(x_scale.shape[1])", "reversed(range(x_scale.shape[1]))"),
    ("np.repeat(x_scale, x.shape[0] // x_scale.shape[0], axis=0)", "np.tile(x_scale, (8, 1))"),
)


class Trial(NamedTuple):
    """A mutant: its change, and which tests notice it; `same`: it gives the bits of the original."""

    case: str
    before: str
    after: str
    same: bool
    theirs: bool
    permitted: bool
    close: bool


def trials(case: Case) -> Iterator[Trial]:
    """Yield the mutants of a function, each tried; `AssertionError` if a test refuses the original."""
    args = case.draw()
    original = results_of(FUNCTIONS.read_text(), case.name, args)
    noticed = judgements(case, args, original)
    assert not any(noticed), f"{case.name}: a test refuses the original: {noticed}"
    for (before, after), source in changed_sources(case.name).items():
        got = results_of(source, case.name, args)
        same = got is not None and all(map(alike, pair(got), pair(original)))
        noticed = (False,) * 3 if same else judgements(case, args, got)
        yield Trial(case.name, before, after, same, *noticed)


def changed_sources(name: str) -> dict[tuple[str, str], str]:
    """Return the texts of the functions with one change in the named one, by the lines before and after."""
    source = FUNCTIONS.read_bytes()
    node = next(x for x in ast.parse(source).body if isinstance(x, ast.FunctionDef) and x.name == name)
    changes = [
        (mutant.change(source), mutant.applied(source).decode())
        for mutant in mutants("functions.py", source)
        if mutant.function == name
    ]
    lines = source.decode().splitlines()
    for k in range(node.body[0].end_lineno, node.end_lineno):
        for before, after in MISTAKES:
            if before in lines[k]:
                line = lines[k].replace(before, after, 1)
                text = "\n".join([*lines[:k], line, *lines[k + 1 :]])
                changes.append(((lines[k].strip(), line.strip()), text))
    return dict(changes)


def results_of(source: str, name: str, args: tuple[Any, ...]) -> Any:
    """Return the results of a function in a source text; None if it raises an error."""
    scope: dict[str, Any] = {}
    try:
        with np.errstate(all="ignore"):
            exec(source, scope)
            return scope[name](*args)
    except Exception:
        return None


def judgements(case: Case, args: tuple[Any, ...], got: Any) -> tuple[bool, bool, bool]:
    """Return which tests notice that results are wrong: theirs, and our two."""
    if got is None:
        return True, True, True
    ours = (fails(check, case, args, got) for check in (assert_permitted, assert_close_to_float))
    with np.errstate(all="ignore"):
        return not case.accepts(args, got), *ours


def fails(check: Callable[..., Any], case: Case, args: tuple[Any, ...], got: Any) -> bool:
    try:
        check(case.program, *case.operands(args), got=got, diagnose=0)
    except (AssertionError, InterpError):
        return True
    return False


def pair(results: Any) -> tuple[np.ndarray, ...]:
    return tuple(map(np.asarray, results)) if isinstance(results, tuple) else (np.asarray(results),)


def alike(x: np.ndarray, y: np.ndarray) -> bool:
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def row(case: Case, found: Sequence[Trial]) -> list[str]:
    """Return a row of the table."""
    wrong = [trial for trial in found if not trial.same]
    count = lambda name: str(sum(getattr(trial, name) for trial in wrong))
    test = f"{case.where}: {case.test}"
    kills = [count(name) for name in ("theirs", "permitted", "close")]
    return [f"`{case.name}`", test, case.tolerance, str(len(found)), str(len(wrong)), *kills]


HEADINGS = (
    "function",
    "another project's test",
    "its tolerance",
    "mutants",
    "give other numbers",
    "killed by its tolerance",
    "by `assert_permitted`",
    "by `assert_close_to_float`",
)


def table() -> str:
    """Return the table of docs/pytest.md."""
    rows = [row(case, list(trials(case))) for case in CASES]
    total = [str(sum(int(each[k]) for each in rows)) for k in range(3, len(HEADINGS))]
    rows.append(["all", "", "", *total])
    lines = [HEADINGS, ["---"] * 3 + ["---:"] * 5, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
