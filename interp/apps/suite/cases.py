"""A conformance case: a program whose head comment has its inputs and expected results.

    // clause: reduce: init_values_converted         the sentence of the semantics that it tests
    // The reason why a wrong implementation fails, in words.
    // derivation: by hand: ...                      or: exact arithmetic in tools/cases/exact, and the oracle
    // schedules: any                                every schedule gives these results: others are wrong
    // args: dense<[13, 23]> : tensor<2xi8>          one line for each argument: its stored elements
    // expect: dense<15> : tensor<i8>                one line for each result, under the schedule `left`
    // permitted (balanced): dense<14> : tensor<i8>  another schedule's results, separated by semicolons
    // wrong (right to left): dense<7> : tensor<i8>  a known mistake and its answer

`// mode: mlir` marks a program that only jaxlib's verifier accepts, `// dialect: rfc` one in the RFC's form.
In place of arguments and results a case may have `// expect: violation reduce_c5 (strict)`, `// expect: no
violation (mlir)` (on one line) or `// expect: malformed <message>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from interp.backends.dtypes import elements, numpy_dtype
from interp.loading.attributes import constant
from spec.attributes import Dense
from spec.errata import ERRATA, Erratum, look_up, table
from spec.errors import Location, Malformed
from spec.rules.verify import CONSTRAINTS
from spec.types import TensorType

# Files of an installed package, a link in a checkout; without links `testdata` itself stands beside `interp`.
_ROOM = Path(__file__).resolve().parent
_PLACES = [folder / "testdata" for folder in (_ROOM, _ROOM.parent.parent)]
CASES = next(filter(Path.is_dir, _PLACES), _PLACES[0]).resolve()
Arrays = tuple[np.ndarray, ...]
HEAD = re.compile(
    r"// (clause|mode|dialect|derivation|schedules|args|expect|permitted|wrong)(?: \((.*?)\))?: (.*)"
)
OPERATION = re.compile(r"(?<!#)\b(?:stablehlo|chlo)\.([a-z]\w*)")
VERDICT = re.compile(r"(?:violation (\w+)|no violation) \((\w+)\)")


class Answer(NamedTuple):
    """Named results: those of a schedule, or of a known mistake."""

    name: str
    results: Arrays


@dataclass(frozen=True)
class Case:
    """A program with its arguments and expected results.

    `violations` has, for each mode, the first violated constraint, or "" if none is violated. `any_schedule`:
    every schedule gives the results `expect`.
    """

    id: str
    path: Path
    text: str
    clause: str
    mode: str
    dialect: str
    args: Arrays | None
    expect: Arrays
    permitted: tuple[Answer, ...]
    wrong: tuple[Answer, ...]
    violations: dict[str, str]
    malformed: str
    any_schedule: bool = False

    @property
    def op(self) -> str:
        return self.id.partition("/")[0]

    @property
    def operations(self) -> set[str]:
        """The names of the operations in the program, those of its bodies included."""
        lines = self.text.splitlines(True)
        program = "".join(line for line in lines if not line.lstrip().startswith("//"))
        return set(OPERATION.findall(program)) - {"return"}

    @property
    def is_verified(self) -> bool:
        """Return whether jaxlib verifies the program when it reads it: not if it would refuse it."""
        return not (self.malformed or any(self.violations.values()))

    @property
    def constraint(self) -> str:
        """The violated constraint that the case tests; "" for a program that must run."""
        return next(filter(None, self.violations.values()), self.malformed)

    @property
    def is_tolerated(self) -> bool:
        """Return whether jaxlib's verifier accepts the violation, which an implementation may then do too."""
        return bool(self.constraint) and "" in self.violations.values()


def read_case(path: Path, root: Path) -> Case:
    """Return the case in a file; its id is the path below `root` without suffix."""
    text = path.read_text()
    lines = [found.groups() for line in text.splitlines() if (found := HEAD.fullmatch(line.rstrip()))]

    def values(key: str) -> list[str]:
        return [value for name, _, value in lines if name == key]

    def only(key: str, default: str) -> str:
        return next(iter(values(key)), default)

    def answers(key: str) -> tuple[Answer, ...]:
        return tuple(Answer(label or "", tensors(v.split("; "))) for name, label, v in lines if name == key)

    try:
        violations = {mode: code for v in values("expect") for code, mode in VERDICT.findall(v)}
        malformed = [v.removeprefix("malformed ") for v in values("expect") if v.startswith("malformed")]
        expect = tensors(v for v in values("expect") if v.startswith("dense"))
        rfc = only("dialect", "") == "rfc" or set(violations) == {"rfc"}
        return Case(
            identity(path, root),
            path,
            text,
            only("clause", next(filter(None, violations.values()), "")),
            only("mode", "strict"),
            "rfc" if rfc else "stablehlo",
            tensors(values("args")) if expect else None,
            expect,
            answers("permitted"),
            answers("wrong"),
            violations,
            next(iter(malformed), ""),
            only("schedules", "") == "any",
        )
    except ValueError as error:
        raise Malformed(
            f"not a conformance case: {error}", "see interp/apps/suite/cases.py", Location(str(path))
        ) from None


def tensors(texts: Sequence[str] | Iterator[str]) -> Arrays:
    return tuple(map(tensor, texts))


def tensor(text: str) -> np.ndarray:
    """Return the elements of `dense<[1, 2]> : tensor<2xi8>`, in the dtype in which NumPy holds them here."""
    dense = constant(text.strip(), bytes)
    if not isinstance(dense, Dense):
        raise ValueError(f"{text} is not a constant")
    return elements(dense)


def same(x: np.ndarray, y: np.ndarray) -> bool:
    """Return whether shape, dtype and bits are equal; any NaN equals any NaN."""
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    nan = (x != x) & (y != y)
    bits = f"u{x.dtype.itemsize}" if x.dtype.kind != "c" else f"u{x.dtype.itemsize // 2}"
    a, b = (np.ascontiguousarray(v).reshape(*v.shape, 1).view(bits) for v in (x, y))
    return bool(np.all((a == b).all(-1) | nan))


def to_storage(x: np.ndarray, type: TensorType) -> np.ndarray | None:
    """Return an implementation's array as stored elements of `type`, if its shape and kind agree, else None.

    Integers of other widths are converted by value, those of the same width by their bits (u8 storage as
    int8, bf16 as uint16).
    """
    wanted = numpy_dtype(type.storage_type)
    if x.shape != type.shape:
        return None
    x = x.astype(x.dtype.newbyteorder("="))  # a file may have been written in another order of bytes
    if x.dtype == wanted:
        return x
    if x.dtype.kind in "iuV" and x.dtype.itemsize == wanted.itemsize:
        return np.ascontiguousarray(x).view(wanted).reshape(type.shape)
    if x.dtype.kind in "iu" and wanted.kind in "iu":
        narrowed = x.astype(wanted)
        return narrowed if np.array_equal(narrowed, x) else None
    return None


def discover(root: Path, *patterns: str) -> list[Case]:
    """Return every case below `root` whose id contains one of the patterns; with no patterns, all cases."""
    ids = {path: identity(path, root) for path in sorted(root.glob("*/*.mlir"))}
    chosen = [path for path, id in ids.items() if not patterns or any(p in id for p in patterns)]
    cases = (read_case(path, root) for path in chosen)
    return [case for case in cases if case.expect or case.violations or case.malformed]


def identity(path: Path, root: Path) -> str:
    return path.relative_to(root).with_suffix("").as_posix()


# From an erratum to the case that shows it.


def errata_about(asked: Sequence[str]) -> tuple[Erratum, ...]:
    """Return the errata of some numbers and operations, each once; without any, all."""
    operations = {name.partition(".")[2] for name in CONSTRAINTS}
    rows = {row.id: row for what in asked for row in look_up(what, operations)}
    return tuple(rows.values()) if asked else ERRATA


def show_errata(asked: Sequence[str]) -> str:
    """Return errata as text; one that is asked for by its number has its case, as it stands in its file."""
    rows = errata_about(asked)
    if not rows:
        return f"no erratum speaks of {', '.join(asked)}"
    numbered = len(asked) == 1 and len(rows) == 1 and any(map(str.isdigit, asked[0]))
    return "\n".join([table(rows), *(_case_text(rows[0].case) if numbered and rows[0].case else ())])


def _case_text(id: str) -> Iterator[str]:
    """Yield the lines of a case's file, behind the command that runs it."""
    yield f"\nthe case {id}, which `interp conformance --filter {id}` runs:\n"
    yield (CASES / f"{id}.mlir").read_text("utf-8").rstrip()
