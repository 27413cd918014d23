"""Random programs are valid and the same for a seed; mistakes are found and made small."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from interp.__main__ import main
from interp.apps.suite import implementations
from interp.apps.suite.cases import read_case
from interp.apps.suite.conformance import outcome_of
from interp.apps.suite.fuzz import Failure, Fuzzed, ask, fuzz
from interp.apps.suite.generate import MAKERS, Program, program
from interp.apps.suite.implementations import run_numpy
from interp.apps.suite.shrink import measure, retype, shrink_program
from interp.loading.load import load
from spec.errors import Unsupported
from spec.ir import Module, Op
from spec.rules.verify import verify
from spec.types import QuantizedType

SEEDS = range(60)


def test_programs_are_valid() -> None:
    """For our rows, and as text for jaxlib."""
    for seed in SEEDS:
        module = program(seed).module
        assert verify(module) == []
        assert [v.type for v in load(repr(module)).main.inputs] == [v.type for v in module.main.inputs]


def test_programs_are_of_every_sort() -> None:
    programs = [program(seed) for seed in range(300)]
    assert {p.op.name.partition(".")[2] for p in programs} == {*MAKERS}
    assert {len(p.op.results) for p in programs} == {1, 2}
    inner = {op.name for p in programs for region in p.op.regions[-1:] for op in region.ops}
    assert {f"stablehlo.{name}" for name in ("add", "maximum", "multiply", "select", "subtract")} <= inner
    types = [p.op.operands[0].type for p in programs]
    assert {t.storage_type.bits for t in types if t.is_quantized} == {2, 4, 8, 16, 32}
    assert {t.storage_type.kind for t in types} == {"float", "signed", "unsigned"}
    assert any(t.size == 0 for t in types)


def test_a_seed_is_a_program_everywhere() -> None:
    """Another process, with other hashes, draws the same program."""
    show = "p = program({}); print(repr(p.module), [x.tolist() for x in p.args])"
    for seed in (3, 17):
        code = f"from interp.apps.suite.generate import program; {show.format(seed)}"
        given = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        p = program(seed)
        assert given.stdout == f"{p.module!r} {[x.tolist() for x in p.args]}\n"


@pytest.mark.slow("runs for a second each", rows=1)
@pytest.mark.parametrize(
    ("name", "seconds", "least"), [("numpy", 1, 5), ("oracle", 1, 2), ("compiled", 1, 1)]
)
def test_our_implementations_survive(name: str, seconds: float, least: int) -> None:
    found = fuzz(name, seconds=seconds)
    assert found.ok, found.failures[0].text
    assert found.counts.keys() == {"exact"}
    assert found.counts.total() == found.next_seed >= least


def without_zero_points(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """A mistake: every zero point is taken for 0."""
    op = module.main.body.ops[0]
    for value in (*op.operands, *op.results):
        old = value.type.element_type
        if isinstance(old, QuantizedType) and old.storage_min <= 0 <= old.storage_max:
            op = retype(op, old, replace(old, zero_points=(0,)))
    return run_numpy(Program(op, tuple(args)).module, mode, args)


def crash(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """A mistake in windows of more than one dimension."""
    if len(module.main.body.ops[0].attributes.get("window_dimensions", ())) > 1:
        raise IndexError("list index out of range")
    return run_numpy(module, mode, args)


def lacking(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    if module.main.inputs[0].type.is_quantized:
        raise Unsupported("quantized types")
    return run_numpy(module, mode, args)


def first_failure(name: str, run: object, monkeypatch: pytest.MonkeyPatch) -> Failure:
    monkeypatch.setitem(implementations.OURS, name, run)
    seed = 0
    while True:
        found = fuzz(name, seconds=0, seed=seed)
        if found.failures:
            return found.failures[0]
        seed = found.next_seed


def test_a_mistake_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """One element, or none, and one quantized type: any zero point but 0 shows it."""
    failure = first_failure("broken", without_zero_points, monkeypatch)
    op, args = failure.program
    assert failure.answer.verdict == "wrong"
    assert sum(x.size for x in args) <= 2
    assert len({repr(value.type.element_type) for value in op.operands}) == 1
    assert op.operands[0].type.quantized_element_type.zero_point != 0
    assert measure(failure.program) < measure(program(failure.seed))


def test_a_crash_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dimensions are what it takes, and no element."""
    failure = first_failure("crashing", crash, monkeypatch)
    assert failure.answer.verdict == "crashed"
    assert "IndexError" in failure.answer.detail
    assert failure.program.args[0].ndim == 2
    assert failure.program.args[0].size == 0
    assert "wrong (given)" not in failure.text


def backwards(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    """A mistake: a sort in the other order, and a scatter of all updates where the last one goes."""
    op = module.main.body.ops[0]
    if op.name == "stablehlo.sort":
        return [np.flip(x, op["dimension"]) for x in run_numpy(module, mode, args)]
    if op.name == "stablehlo.scatter" and len(args[len(op.results)]):
        indices = args[len(op.results)]
        args = [np.broadcast_to(indices[-1], x.shape) if x is indices else x for x in args]
    return run_numpy(module, mode, args)


@pytest.mark.parametrize(("name", "elements"), [("sort", 2), ("scatter", 5)])
def test_mistakes_in_sorts_and_scatters_are_made_small(
    name: str, elements: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two elements have an order; an element and two updates, one of them outside, show where they went."""
    monkeypatch.setitem(implementations.OURS, "backwards", backwards)
    seeds = [seed for seed in range(100) if program(seed).op.name == f"stablehlo.{name}"]
    failures = [failure for seed in seeds for failure in fuzz("backwards", seconds=0, seed=seed).failures]
    assert len(failures) >= 3
    sizes = [sum(x.size for x in failure.program.args) for failure in failures]
    assert min(sizes) <= elements
    assert all(measure(f.program) <= measure(program(f.seed)) for f in failures)


def zeros(module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
    return [np.zeros_like(result) for result in run_numpy(module, mode, args)]


def test_judging_wrong_answers_warns_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dequantized numbers beyond f16 raise no warning, which is an error here. (Seed 88 had one.)"""
    monkeypatch.setitem(implementations.OURS, "zeros", zeros)
    tested = implementations.implementation("zeros")
    for seed in range(60, 100):
        assert ask(program(seed), tested).verdict in ("exact", "permitted", "wrong", "unknown")


def test_what_is_unsupported_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(implementations.OURS, "lacking", lacking)
    found = fuzz("lacking", seconds=0.5)
    assert found.ok
    assert found.counts.keys() == {"exact", "unsupported"}


def test_a_seed_replays_its_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    failure = first_failure("broken", without_zero_points, monkeypatch)
    (again,) = fuzz("broken", seconds=0, seed=failure.seed).failures
    assert again.text == failure.text


@pytest.mark.slow("runs for seconds")
def test_only_the_first_of_a_sort_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(implementations.OURS, "crashing", crash)
    told: list[Failure] = []
    found = fuzz("crashing", seconds=3, found=told.append)
    first, second, *_ = found.failures
    assert told == list(found.failures)
    assert (first.like, second.like) == (first.seed, first.seed)
    assert second.program.op == program(second.seed).op


def test_the_text_is_a_conformance_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It fails by itself, and ours passes it."""
    failure = first_failure("broken", without_zero_points, monkeypatch)
    (path := tmp_path / "reduce" / "found.mlir").parent.mkdir()
    path.write_text(failure.text)
    case = read_case(path, tmp_path)
    assert case.clause == f"fuzz: seed {failure.seed}"
    broken = outcome_of(case, implementations.implementation("broken"))
    assert (broken.verdict, broken.mistake) == ("wrong", "given")
    assert outcome_of(case, implementations.implementation("numpy")).verdict == "exact"


# A command that takes whole maxima of signed integers, those of their magnitudes, and knows nothing else.
# It starts often: without NumPy in a tenth of the time.
COMMAND = """
import ast, re, sys
from array import array
text, results, inputs = open(sys.argv[1]).read(), sys.argv[2], sys.argv[3:]
E = re.search(r"%l0: tensor<i(8|16|32|64)>", text)
names = re.findall(r"stablehlo.(\\w+)", text)
if names != ["reduce", "maximum", "return"] or "!quant" in text or not E or "-> tensor<i" not in text:
    sys.exit(2)
E = {"8": "b", "16": "h", "32": "i", "64": "q"}[E[1]]
numbers = []
for path in inputs:
    data = open(path, "rb").read()
    start = 10 + int.from_bytes(data[8:10], "little")
    kind = ast.literal_eval(data[10:start].decode())["descr"]
    if kind[1] != "i":
        sys.exit(2)
    numbers.append(array({1: "b", 2: "h", 4: "i", 8: "q"}[int(kind[2:])], data[start:]))
x, (init,) = numbers
head = repr({"descr": f"<i{array(E).itemsize}", "fortran_order": False, "shape": ()}).ljust(117) + "\\n"
with open(results + "/out0.npy", "wb") as file:
    file.write(b"\\x93NUMPY\\1\\0" + len(head).to_bytes(2, "little") + head.encode())
    file.write(array(E, [max([init, *map(abs, x)])]).tobytes())
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    (script := tmp_path / "sum.py").write_text(COMMAND)
    return f"{sys.executable} -I -S {script}"


def is_mistaken(op: Op, args: Sequence[np.ndarray]) -> bool:
    """Return whether the command runs the program, and magnitudes are not what is to be compared."""
    inner = [inner.name for region in op.regions[-1:] for inner in region.ops]
    whole = op.results[0].type.shape == () and op.name == "stablehlo.reduce"
    small = args[0].dtype.kind == "i" and 0 < args[0].size < 9
    if not (whole and small and inner == ["stablehlo.maximum", "stablehlo.return"]):
        return False
    if any(word in repr(op) for word in ("quant", "i4>", "ui")):
        return False
    return abs(int(args[0].min())) > max(args[0].max(), args[1])


def test_a_broken_command(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One negative element is enough, of one digit: the greater of 0 and -1 is not 1."""
    seed = next(seed for seed in range(11_200, 20_000) if is_mistaken(*program(seed)))
    folder = tmp_path / "found"
    arguments = ["fuzz", "--impl", command, "--seconds", "0", "--seed", str(seed), "--save", str(folder)]
    assert main(arguments) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"seed {seed}: wrong\n")
    assert out.endswith(f"1 wrong\nseeds {seed} to {seed}; go on with --seed {seed + 1}\n")
    case = read_case(folder / f"fuzz_{seed}.mlir", tmp_path)
    assert case.text in out
    assert [(x.ravel().tolist(), x.dtype) for x in case.args or ()] == [([-1], np.int8), ([0], np.int8)]
    assert [x.item() for x in case.expect] == [0]
    assert [x.item() for x in case.wrong[0].results] == [1]
    assert outcome_of(case, implementations.implementation(command)).verdict == "wrong"


def test_the_command_survives_what_it_supports(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--seconds", "0.2", "--seed", "5"]) == 0
    counts, seeds = capsys.readouterr().out.splitlines()
    assert counts.endswith(" exact")
    assert seeds.startswith("seeds 5 to ")


@pytest.mark.slow("runs for seconds")
def test_shrinking_keeps_what_matters() -> None:
    """Nothing is left without a condition; a condition holds of what is left."""
    for seed in SEEDS:
        small = shrink_program(program(seed), lambda other: True)
        assert sum(x.size for x in small.args) <= 3
        assert verify(small.module) == []
    wanted = lambda p: p.args[0].size > 2
    big = next(program(seed) for seed in SEEDS if wanted(program(seed)))
    assert shrink_program(big, wanted).args[0].size == 3


def test_no_time_no_shrinking() -> None:
    given = program(3)
    assert shrink_program(given, lambda other: True, until=0.0) is given


def test_fuzzed_is_ok_without_failures() -> None:
    found = fuzz(seconds=0)
    assert isinstance(found, Fuzzed)
    assert found.counts.total() == 1
