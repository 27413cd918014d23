"""Operations whose geometry is an operand: each is the static one; a mismatch is a violation at run time."""

from __future__ import annotations

import subprocess
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import assume, given, settings

import interp
from interp.execute.run import run
from spec import schedule
from spec.errors import Violation
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.rules.dynamism import AT_RUN_TIME
from spec.rules.members import is_per_axis_quantized
from tests import test_compile, test_engine
from tests.library.builders import convolving, single
from tests.library.strategies.dynamic_programs import Pair, dynamic_programs
from tests.library.strategies.programs import Program
from tests.test_engine import RANDOM, oracle_tensor, same
from tests.test_reference import ask, reference  # noqa: F401


@settings(RANDOM, max_examples=120)
@given(dynamic_programs())
def test_a_dynamic_operation_is_the_static_one(pair: Pair) -> None:
    dynamic, static = pair
    test_engine.agree(dynamic, schedule.LEFT)
    if not any(map(is_per_axis_quantized, dynamic.module.main.inputs)):  # jaxlib refuses such weights
        interp.load(repr(dynamic.module))
    (ours,), (expected,) = (run(p.module, *p.args) for p in (dynamic, static))
    assert same(ours.storage, expected.storage)


@pytest.mark.slow("compiles many programs")
@settings(RANDOM, max_examples=7)
@given(test_compile.few(dynamic_programs().map(lambda pair: pair.dynamic)))
def test_compiled_dynamic_operations_equal_eager(programs: list[Program]) -> None:
    test_compile.agree(programs, "left")


@pytest.mark.slow("runs the reference interpreter")
@settings(RANDOM)
@given(dynamic_programs())
def test_plain_dynamic_operations_equal_the_reference(reference: subprocess.Popen, pair: Pair) -> None:  # noqa: F811
    """It aborts at real_dynamic_slice and some convolutions, and takes no empty tensors nor odd widths."""
    program, op = pair.dynamic, pair.dynamic.module.main.body.ops[0]
    data = [v.type for v in (*pair.static.module.main.inputs, *op.results)]
    assume(op.name not in ("stablehlo.real_dynamic_slice", "stablehlo.dynamic_conv"))
    assume(all(x.size for x in program.args))
    assume(all(t.size and not t.is_quantized and t.storage_type.bits >= 8 for t in data))
    assume(len({t.element_type for t in data}) == 1 or op.name == "stablehlo.dynamic_gather")
    assume(all(x.dtype != np.uint64 or x.max() < 2**63 for x in program.args))  # it reads them as signed
    assume(all(t.storage_type.name != "bf16" and t.storage_type.kind != "complex" for t in data))
    (ours,), (theirs,) = run(program.module, *program.args), ask(reference, program)
    assert same(ours.storage, theirs.astype(ours.storage.dtype, copy=False))


ROW = np.float32([1, 2, 3, 4])
ONE = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "index_vector_dim": 1}
GATHER = single(
    "dynamic_gather",
    "2x4xf32; 3x1xi32; 2xi32 -> 3x2xf32",
    operand_batching_dims=(),
    start_indices_batching_dims=(),
    **ONE,
)
KERNEL = {key: x for key, x in convolving("b0f 0io b0f").items() if key != "padding"}
CONV = single("dynamic_conv", "1x4x1xf32; 2x1x1xf32; 1x2xi32 -> 1x4x1xf32", **KERNEL)
PAD = single("dynamic_pad", "4xf32; f32; 1xi32; 1xi32; 1xi32 -> 6xf32")
SLICE = single("real_dynamic_slice", "4xf32; 1xi32; 1xi32; 1xi32 -> 2xf32")
RESHAPE = single("dynamic_reshape", "4xf32; 2xi32 -> 2x2xf32")
BROADCAST = single("dynamic_broadcast_in_dim", "4xf32; 2xi32 -> 2x4xf32", broadcast_dimensions=(1,))
IOTA = single("dynamic_iota", "2xi32 -> 2x4xf32", iota_dimension=1)
WIDE, STARTS = np.resize(ROW, (2, 4)), np.zeros((3, 1), np.int32)

# By the row: a program, its data, operands that fit the result, and those that violate the row.
MISMATCHES: dict[str, tuple[Module, list[Any], list[Any], list[Any]]] = {
    "dynamic_reshape_d1": (RESHAPE, [ROW], [[2, 2]], [[4, 1]]),
    "dynamic_broadcast_in_dim_d1": (BROADCAST, [ROW], [[2, 4]], [[3, 4]]),
    "dynamic_iota_d1": (IOTA, [], [[2, 4]], [[2, 5]]),
    "dynamic_pad_c3": (PAD, [ROW, np.float32(0)], [[1], [1], [0]], [[8], [0], [-2]]),
    "dynamic_pad_c4": (PAD, [ROW, np.float32(0)], [[-1], [0], [1]], [[1], [2], [0]]),
    "real_dynamic_slice_c3": (SLICE, [ROW], [[0], [4], [2]], [[3], [5], [1]]),
    "real_dynamic_slice_c4": (SLICE, [ROW], [[1], [3], [1]], [[1], [3], [0]]),
    "real_dynamic_slice_c5": (SLICE, [ROW], [[2], [4], [1]], [[0], [4], [1]]),
    "dynamic_gather_c8": (GATHER, [WIDE, STARTS], [[1, 2]], [[2, 2]]),
    "dynamic_gather_c12": (GATHER, [WIDE, STARTS], [[1, 2]], [[-1, 2]]),
    "dynamic_gather_c13": (GATHER, [WIDE, STARTS], [[1, 2]], [[1, 3]]),
    "dynamic_conv_c25": (CONV, [ROW.reshape(1, 4, 1), np.ones((2, 1, 1), "f4")], [[[1, 0]]], [[[1, 1]]]),
}


def test_a_compiled_dynamic_conv_of_many_products_pads_by_its_operand() -> None:
    """Machine code adds up many products, but its padding belongs to the trace."""
    module = single("dynamic_conv", "1x4x1xf32; 2x1x9xf32; 1x2xi32 -> 1x4x9xf32", **KERNEL)
    kernel = np.float32([np.arange(9), np.arange(9) - 4]).reshape(2, 1, 9)
    compiled, x = interp.compile(module), ROW.reshape(1, 4, 1)
    for low in (0, 1):
        padded = np.pad(ROW, (low, 1 - low))
        expected = np.outer(padded[:-1], kernel[0]) + np.outer(padded[1:], kernel[1])
        (found,) = compiled(x, kernel, np.int32([[low, 1 - low]]))
        assert np.array_equal(found, expected[None])


@pytest.mark.parametrize("code", MISMATCHES)
def test_a_mismatch_at_run_time_violates_the_row(code: str) -> None:
    """Both the engine and the oracle say so; operands that fit run."""
    module, data, fitting, wrong = MISMATCHES[code]
    right, mismatched = ([*data, *(np.array(x, np.int32) for x in given)] for given in (fitting, wrong))
    run(module, *right)
    found = []
    for execute in (run, oracle):
        with pytest.raises(Violation) as error:
            execute(module, *mismatched)
        found.append(error.value)
    assert found[0].code == code
    assert found[0] == found[1]


def oracle(module: Module, *args: np.ndarray) -> Any:
    return evaluate(module, [oracle_tensor(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)])


def test_a_mismatch_names_both_shapes() -> None:
    with pytest.raises(Violation) as error:
        run(RESHAPE, ROW, np.int32([4, 1]))
    expected = (
        "dynamic_reshape_d1: shape(result) = output_shape\n  shape(result) = (2, 2), output_shape = (4, 1)"
    )
    assert str(error.value) == expected


def test_every_row_at_run_time_is_violated_by_a_case() -> None:
    codes = {f"{name.partition('.')[2]}_{row.label}" for name, rows in AT_RUN_TIME.items() for row in rows}
    assert codes == MISMATCHES.keys()


@pytest.mark.parametrize("module", [RESHAPE, BROADCAST, IOTA], ids=lambda m: m.main.body.ops[0].name)
def test_compiled_the_shape_is_that_of_the_result(module: Module) -> None:
    """A traced operand has no elements to check."""
    args = [ROW] * (len(module.main.inputs) - 1)
    (wrong,) = interp.compile(module)(*args, np.int32([7, 7]))
    (right,) = run(module, *args, np.int32(module.main.results[0].shape))
    assert np.array_equal(wrong, right.storage)


def test_compiled_padding_is_computed_with() -> None:
    pad = interp.compile(PAD)
    assert pad(ROW, np.float32(9), *np.int32([[2], [0], [0]]))[0].tolist() == [9, 9, 1, 2, 3, 4]
    assert pad(ROW, np.float32(9), *np.int32([[-1], [0], [1]]))[0].tolist() == [9, 2, 9, 3, 9, 4]


def test_a_lowered_dynamic_program_is_static() -> None:
    plain = interp.lower(CONV)
    assert not any("dynamic_conv" in op.name for op in plain.ops())
    args = ROW.reshape(1, 4, 1), np.ones((2, 1, 1), np.float32), np.int32([[1, 0]])
    assert same(run(plain, *args)[0].storage, run(CONV, *args)[0].storage)


def test_get_dimension_size() -> None:
    module = single("get_dimension_size", "2x3xi8 -> i32", dimension=1)
    assert run(module, np.zeros((2, 3), np.int8))[0].storage == 3
    assert oracle(module, np.zeros((2, 3), np.int8))[0].item == 3
    assert jax.jit(interp.compile(module))(np.zeros((2, 3), np.int8))[0] == 3


@pytest.mark.parametrize("size", [0, 1])
def test_a_dropped_slice_reads_one_element_whatever_its_size(size: int) -> None:
    """The specification takes a collapsed slice of size 0, and adds no offset: it reads
    where the slice begins.

    Its start is clamped to the operand, as that of a slice of size 1.
    """
    text = f"""func.func @main(%x: tensor<2xi8>, %i: tensor<1xui64>) -> tensor<i8> {{
      %0 = "stablehlo.gather"(%x, %i) {{slice_sizes = array<i64: {size}>, indices_are_sorted = false,
        dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>
      }} : (tensor<2xi8>, tensor<1xui64>) -> tensor<i8>
      return %0 : tensor<i8>
    }}"""
    module, x = interp.load(text), np.int8([4, 5])
    for index, expected in ((0, 4), (1, 5), (2, 5), (2**63, 5)):
        i = np.uint64([index])
        assert run(module, x, i)[0].storage == expected
        assert oracle(module, x, i)[0].item == expected
        assert interp.compile(module)(x, i)[0] == expected
    nothing = interp.load(text.replace("tensor<2xi8>", "tensor<0xi8>").replace("i64: 1", "i64: 0"))
    for call in (run, oracle):
        with pytest.raises(interp.Unspecified, match="an element of nothing"):
            call(nothing, np.int8([]), np.uint64([0]))
