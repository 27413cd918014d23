"""`lower`: plain StableHLO with our bits, whether we, StableHLO's reference interpreter or XLA run it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.apps.suite.children import Reply
from interp.engine.inputs import random_arguments
from interp.loading.child_process import spawner
from interp.loading.warm import Child
from spec.errors import UNKNOWN
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.schedule import LEFT
from spec.types import TensorType
from tests.library.builders import reduced
from tests.library.strategies.indexing_programs import dynamic_slices, gathers
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program
from tests.test_compile import SCHEDULES
from tests.test_engine import RANDOM, agree, oracle_tensor, same

PROGRAM_FILES = Path(__file__).parent.parent / "testdata" / "programs"
FILES = {  # one for every way of building a reduction, each with a schedule
    "argmax": "left",
    "average_pool": "blocks(4)",
    "global_sum": "balanced",
    "max_pool_gradient": "balanced",
    "saturating_sum": "left",
    "sum_i4_i32": "blocks(4)",
    "sum_i8_bf16": "left",
}


@pytest.fixture(scope="module")
def others() -> Iterator[Child]:
    child = Child(spawner("interp.apps.suite.children"))
    yield child
    child.close()


def answer(child: Child, name: str, program: Module, args: tuple[np.ndarray, ...]) -> Reply:
    return child.ask((name, repr(program), program, args), 60)


def lowered(program: Module, tree: str) -> Module:
    """Return the lowered program as it comes back from its text, in which no type is quantized."""
    text = repr(interp.lower(program, schedule=tree))
    assert "!quant" not in text
    return interp.load(text)


@pytest.mark.slow("compiles, and runs the reference interpreter")
@pytest.mark.parametrize("name", FILES)
def test_a_lowered_program_has_the_same_bits_everywhere(others: Child, name: str) -> None:
    original = interp.load(PROGRAM_FILES / f"{name}.mlir")
    args = tuple(random_arguments(original.main, 5))
    expected = interp.run(original, *args, schedule=FILES[name])
    plain = lowered(original, FILES[name])
    assert [x.storage.tobytes() for x in interp.run(plain, *args)] == [x.storage.tobytes() for x in expected]
    for other in ("stablehlo", "xla"):
        reply = answer(others, other, plain, args)
        assert reply.kind == "results", reply.message
        assert [same(x.storage, y) for x, y in zip(expected, reply.results, strict=True)] == [True] * len(
            expected
        )


@pytest.mark.slow("compiles many programs")
@settings(RANDOM, max_examples=10)
@given(program=st.one_of(PROGRAMS, *FAMILIES.values()), tree=SCHEDULES)
def test_any_lowered_program_has_the_same_bits(others: Child, program: Program, tree: str) -> None:
    expected = interp.run(program.module, *program.args, schedule=tree)
    plain = lowered(program.module, tree)
    assert [v.type for v in plain.main.inputs] == [stored_type(v.type) for v in program.module.main.inputs]
    results = [x.storage for x in interp.run(plain, *program.args)]
    assert all(map(same, results, (x.storage for x in expected)))
    if not any(is_complex(t) for t in (*(v.type for v in plain.main.inputs), *plain.main.results)):
        reply = answer(others, "stablehlo", plain, program.args)
        note(repr(reply))
        assert all(map(same, results, reply.results))
        assert len(results) == len(reply.results)


def stored_type(type: TensorType) -> TensorType:
    return TensorType(type.shape, type.storage_type)


def is_complex(type: TensorType) -> bool:
    """jaxlib cannot hand over what the reference interpreter gives then."""
    return type.storage_type.kind == "complex"


@pytest.mark.slow("compiles, and runs the reference interpreter")
@settings(RANDOM)
@given(program=st.one_of(gathers(), dynamic_slices()))
def test_indexing_equals_the_oracle_the_reference_and_xla(others: Child, program: Program) -> None:
    agree(program, LEFT)
    interp.load(repr(program.module))  # jaxlib accepts it
    (ours,) = interp.run(program.module, *program.args)
    assume(all(x.size for x in (*program.args, ours.storage)))  # the reference cannot be given empty tensors,
    # and starts from 2^63 on are negative to it
    assume(not any((x.astype(np.uint64) >> 63).any() for x in program.args if x.dtype == np.uint64))
    reply = answer(others, "stablehlo", program.module, program.args)
    assert reply.kind == "results", reply.message
    assert same(ours.storage, reply.results[0])


COUNT = """
func.func @count(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%a = %x, %n = %one) : tensor<i32>, tensor<i32> cond {
    %more = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %a, %one : tensor<i32>
    %half = func.call @halved(%n) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %next, %half : tensor<i32>, tensor<i32>
  }
  %1:2 = stablehlo.optimization_barrier %0#0, %0#1 : tensor<i32>, tensor<i32>
  return %1#0, %1#1 : tensor<i32>, tensor<i32>
}
func.func private @halved(%x: tensor<i32>) -> tensor<i32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.divide %x, %two : tensor<i32>
  return %0 : tensor<i32>
}
func.func @twice(%x: tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %x, %x : tensor<3x!quant.uniform<i8:f32, 0.5>>
  return %0 : tensor<3x!quant.uniform<i8:f32, 0.5>>
}
"""


@cache
def counts() -> list[Callable[..., Any]]:
    """Return what runs the loop: as written and lowered, eagerly and compiled."""
    programs = interp.load(COUNT), lowered(interp.load(COUNT), "left")
    eager = [partial(interp.run, program, function="count") for program in programs]
    return [*eager, *(interp.compile(program, function="count") for program in programs)]


@pytest.mark.parametrize(("start", "expected"), [(-3, [0, 0]), (0, [1, 0]), (1, [1, 1]), (7, [7, 1])])
def test_while_runs_until_its_condition_fails(start: int, expected: list[int]) -> None:
    """-3 < 1, -2 < 0, -1 < 0, and 0 < 0 no more; from 1 on it does not run at all."""
    for run in counts():
        assert [int(np.asarray(x)) for x in run(np.int32(start))] == expected


CHOICE = """
func.func @main(%i: tensor<i32>, %p: tensor<i1>, %x: tensor<i8>) -> (tensor<i8>, tensor<i8>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<i8>
  }, {
    %a = stablehlo.add %x, %x : tensor<i8>
    stablehlo.return %a : tensor<i8>
  }, {
    %b = stablehlo.negate %x : tensor<i8>
    stablehlo.return %b : tensor<i8>
  }) : (tensor<i32>) -> tensor<i8>
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<i8>
  }, {
    stablehlo.return %0 : tensor<i8>
  }) : (tensor<i1>) -> tensor<i8>
  return %0, %1 : tensor<i8>, tensor<i8>
}
"""


@cache
def choice() -> tuple[Module, Callable[..., Any]]:
    program = interp.load(CHOICE)
    return program, interp.compile(program)


@pytest.mark.parametrize(
    ("index", "pred", "expected"),
    [
        (0, True, [7, 7]),
        (1, False, [14, 14]),
        (2, True, [-7, 7]),
        (3, False, [-7, -7]),
        (4, True, [-7, 7]),
        (-1, True, [-7, 7]),
        (-2, False, [-7, -7]),
        (2**31 - 1, False, [-7, -7]),
    ],
)
def test_case_and_if_choose_a_branch(others: Child, index: int, pred: bool, expected: list[int]) -> None:
    """An index that names no branch names the last one."""
    program, compiled = choice()
    args = np.array(index, np.int32), np.array(pred), np.array(7, np.int8)
    assert [int(x.storage) for x in interp.run(program, *args)] == expected
    assert list(map(int, compiled(*args))) == expected
    assert [int(x) for x in answer(others, "stablehlo", program, args).results] == expected
    tensors = [oracle_tensor(x, v.type) for x, v in zip(args, program.main.inputs, strict=True)]
    assert [x.elements[0] for x in evaluate(program, tensors)] == expected


def test_a_fast_path_that_the_data_decides_is_lowered(others: Child) -> None:
    """Sums of 4,000 that stay within i16 and others that saturate: one program with both ways in it."""
    narrow, wide = "!quant.uniform<i8:f32, 0.3>", "!quant.uniform<i16:f32, 0.3>"
    original = reduced(f"1x4000x{narrow}", wide, dimensions=(1,))
    plain = lowered(original, "balanced")
    assert "stablehlo.case" in {op.name for op in plain.ops()}
    for element, total in ((3, 12_000), (100, 32_767)):
        args = np.full((1, 4000), element, np.int8), np.array(0, np.int8)
        assert interp.run(original, *args, schedule="balanced")[0].storage.tolist() == [total]
        assert interp.run(plain, *args)[0].storage.tolist() == [total]
        assert answer(others, "stablehlo", plain, args).results[0].tolist() == [total]


def test_every_public_function_is_lowered_or_the_one_named() -> None:
    program = interp.load(COUNT)
    assert list(interp.lower(program).functions) == ["count", "twice"]
    only = interp.lower(program, function="twice")
    assert list(only.functions) == ["twice"]
    assert interp.run(only, np.int8([-3, 60, 127]))[0].storage.tolist() == [-6, 120, 127]
    with pytest.raises(interp.Malformed, match="no function @thrice"):
        interp.lower(program, function="thrice")
    with pytest.raises(interp.Unsupported, match=r"random\(3\)"):
        interp.lower(program, schedule="random(3)")


def test_places_in_the_interpreter_are_not_those_of_the_program() -> None:
    """JAX notes them with their callers, which took longer to read than all the rest."""
    lowered = interp.lower(interp.load("testdata/programs/widened_sum.mlir"))
    assert {op.location for op in lowered.ops()} == {UNKNOWN}


def test_lower_writes_text_and_artifacts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = str(PROGRAM_FILES / "saturating_sum.mlir")
    original = interp.load(source)
    args = random_arguments(original.main, 3)
    expected = interp.run(original, *args, schedule="balanced")[0].storage
    text, old = tmp_path / "plain.mlir", tmp_path / "plain.mlirbc"
    assert main(["lower", source, "--schedule", "balanced", "-o", str(text)]) == 0
    assert main(["lower", source, "--schedule", "balanced", "-o", str(old), "--target", "1.0.0"]) == 0
    assert b"StableHLO_v1.0.0" in old.read_bytes()[:32]
    for file in (text, old):
        assert np.array_equal(interp.run(interp.load(file), *args)[0].storage, expected)
    assert main(["lower", source, "--schedule", "balanced"]) == 0
    assert capsys.readouterr().out == text.read_text()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["-o", "x.mlir", "--target", "1.0.0"], "text has no version"),
        (["-o", "x.mlirbc", "--target", "0.1.0"], "no StableHLO version 0.1.0"),
        (["-o", "x.mlirbc", "--target", "new"], "no StableHLO version new"),
        (["-o", "nowhere/x.mlir"], "cannot be written"),
        (["--schedule", "random(1)"], "under jit"),
    ],
)
def test_what_lower_refuses(
    words: list[str],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["lower", str(PROGRAM_FILES / "saturating_sum.mlir"), *words]) == 2
    assert reason in capfd.readouterr().err
    assert not list(tmp_path.iterdir())
