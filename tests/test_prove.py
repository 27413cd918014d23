"""Proofs about every input: against all inputs where these are few, and against planted overflows."""

from __future__ import annotations

import json
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

import interp
from interp.apps.suite import generate
from spec.schedule import parse
from spec.types import ElementType, integer
from tests.library.oracles.proofs_checked import around, finite, wrong
from tests.library.strategies.chain_programs import chain

SCHEDULES = ("left", "balanced", "blocks(2)")


def dense(weights: np.ndarray) -> str:
    return f'dense<"0x{weights.tobytes().hex().upper()}">'


def dot(weights: np.ndarray, left: str, result: str) -> interp.Module:
    """Return a program that multiplies one row by constant i8 weights."""
    k, n = weights.shape
    types = f"(tensor<1x{k}x{left}>, tensor<{k}x{n}xi8>) -> tensor<1x{n}x{result}>"
    return interp.load(f"""func.func @main(%x: tensor<1x{k}x{left}>) -> tensor<1x{n}x{result}> {{
  %w = stablehlo.constant {dense(weights.astype(np.int8))} : tensor<{k}x{n}xi8>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : {types}
  return %p : tensor<1x{n}x{result}>
}}""")


def overflows(leaves: list[int], type: ElementType, schedule: str) -> bool:
    """Return whether a node of a fold of 0 and these leaves leaves the type, by Python's integers."""
    nodes = [0, *leaves]
    for lhs, rhs in parse(schedule).steps(len(nodes), True):
        nodes.append(nodes[lhs] + nodes[rhs])
    return any(not type.min_value <= node <= type.max_value for node in nodes)


@pytest.mark.parametrize("seed", range(24))
def test_a_dot_with_constant_weights_is_decided_as_all_inputs_decide_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k, schedule = int(rng.integers(1, 5)), SCHEDULES[seed % 3]
    weights, low = rng.integers(-5, 6, (k, 2)), int(rng.integers(-2, 2))
    high = int(rng.integers(low, 2))
    weights, type = weights * 8, integer(8, True)
    program = dot(weights, "i2", "i8")
    (row,) = interp.prove(program, {"x": (low, high)}, schedule=schedule).rows
    every = product(range(low, high + 1), repeat=k)
    does = any(
        overflows([x * int(w) for x, w in zip(row_, weights[:, c], strict=True)], type, schedule)
        for row_ in every
        for c in range(2)
    )
    assert row.verdict == ("refuted" if does else "proved")
    if row.witness:
        (x,) = row.witness.args
        assert low <= x.min()
        assert x.max() <= high
        assert interp.trace(program, x, schedule=schedule).counts["wrap"]


@pytest.mark.parametrize("bits", [3, 4, 5, 6, 7])
def test_the_bits_needed_are_the_least_that_no_input_overflows(bits: int) -> None:
    weights = np.array([[3], [-2], [1]])
    left, right, sums_type = (
        f"!quant.uniform<i{n}:f32, {scale}>" for n, scale in ((8, 0.5), (8, 0.5), (32, 0.25))
    )
    types = f"(tensor<1x3x{left}>, tensor<3x1x{right}>) -> tensor<1x1x{sums_type}>"
    program = interp.load(f"""func.func @main(%x: tensor<1x3x{left}>) -> tensor<1x1x{sums_type}> {{
  %w = stablehlo.constant() {{value = {dense(weights.astype(np.int8))} : tensor<3x1xi8>}}
    : () -> tensor<3x1x{right}>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : {types}
  return %p : tensor<1x1x{sums_type}>
}}""")
    (row,) = interp.prove(program, {"x": (-2, 1)}, reading="integer", accumulator=bits).rows
    sums = [
        sum(x * w for x, w in zip(xs, subset, strict=True))
        for xs in product(range(-2, 2), repeat=3)
        for subset in product(*((0, int(w)) for w in weights[:, 0]))
    ]
    least = next(b for b in range(2, 9) if -(2 ** (b - 1)) <= min(sums) and max(sums) < 2 ** (b - 1))
    assert row.judgement.bits == least
    assert row.verdict == ("proved" if bits >= least else "refuted")


@pytest.mark.parametrize("bias", [-128, -119, -118, 0, 5, 119, 120])
def test_a_bias_is_a_term_of_the_sum_and_its_addition_may_wrap(bias: int) -> None:
    """Over all inputs the sum goes from -10 to 8; a partial sum, in any order, has the bias or not."""
    program = interp.load(f"""func.func @main(%x: tensor<1x3xi8>) -> tensor<1x1xi8> {{
  %w = stablehlo.constant dense<[[3], [-2], [1]]> : tensor<3x1xi8>
  %b = stablehlo.constant dense<{bias}> : tensor<1x1xi8>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<1x3xi8>, tensor<3x1xi8>) -> tensor<1x1xi8>
  %y = stablehlo.add %p, %b : tensor<1x1xi8>
  return %y : tensor<1x1xi8>
}}""")
    proof = interp.prove(program, {"x": (-2, 1)})
    leaves = [(3 * a, -2 * b, c, bias) for a, b, c in product(range(-2, 2), repeat=3)]
    sums = [sum(x) for row in leaves for n in range(5) for x in combinations(row, n)]
    bits = next(b for b in range(1, 12) if -(2 ** (b - 1)) <= min(sums) and max(sums) < 2 ** (b - 1))
    assert proof["%p"].judgement.bits == bits
    wraps = any(not -128 <= sum(row) < 128 for row in leaves)
    assert [row.verdict for row in proof.rows] == (["proved", "refuted"] if wraps else ["proved"])
    if wraps:
        (x,) = proof["%y"].witness.args
        assert not -128 <= int(x[0] @ [3, -2, 1]) + bias < 128


# Planted overflows -----------------------------------------------------------------------------------


def convolution(weights: np.ndarray, result: str) -> interp.Module:
    o, i = weights.shape[-1], weights.shape[-2]
    return interp.load(f"""func.func @main(%x: tensor<1x6x6x{i}xi8>) -> tensor<1x6x6x{o}x{result}> {{
  %w = stablehlo.constant {dense(weights.astype(np.int8))} : tensor<3x3x{i}x{o}xi8>
  %p = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x6x6x{i}xi8>, tensor<3x3x{i}x{o}xi8>) -> tensor<1x6x6x{o}x{result}>
  return %p : tensor<1x6x6x{o}x{result}>
}}""")


def test_an_overflow_in_the_37th_channel_is_found_and_no_other_channel_is_blamed() -> None:
    weights = np.zeros((3, 3, 2, 64), int)
    weights[1, 1] = 100
    weights[:, :, :, 37] = 15  # 18 * 15 * 128 > 2^15, 2 * 100 * 128 is not
    (row,) = interp.prove(convolution(weights, "i16")).rows
    assert (row.verdict, row.place) == ("refuted", "(:, :, :, 37)")
    assert row.witness
    assert row.witness.event.index is not None
    assert row.witness.event.index[3] == 37
    weights[0, 0, 0, 37] = 0
    weights[1, 1, :, 37] = 7
    (row,) = interp.prove(convolution(weights, "i16")).rows
    assert row.verdict == "proved"


def test_an_overflow_in_one_schedule_only_is_told_apart() -> None:
    """Leaves of known signs: 100 + 100 - 100 - 100 overflows from the left, and pairs cancel otherwise."""
    program = dot(np.array([[100], [100], [-100], [-100]]), "i8", "i8")
    one = {"x": np.ones((1, 4), np.int8)}
    alternating = dot(np.array([[100], [-100], [100], [-100]]), "i8", "i8")
    rows = [interp.prove(program, one, schedule=s).rows[0] for s in ("left", "balanced")]
    assert [row.verdict for row in rows] == ["refuted", "proved"]
    assert "proved in the schedule balanced: in another order it may overflow" in repr(rows[1])
    (row,) = interp.prove(alternating, one).rows
    assert (row.verdict, row.judgement.scope) == ("proved", "any schedule")
    assert "proved in any schedule: in another order of the leaves it may overflow" in repr(row)
    assert (
        interp.prove(alternating, {"x": np.full((1, 4), 0, np.int8)}).rows[0].judgement.scope == "any order"
    )


def test_an_overflow_for_one_input_of_two_to_the_24_is_found() -> None:
    """Only three times -128 gives 128 * (127 + 127 + 2) = 2^15."""
    program = dot(np.array([[-127], [-127], [-2]]), "i8", "i16")
    (row,) = interp.prove(program).rows
    assert row.witness
    assert [x.tolist() for x in row.witness.args] == [[[-128, -128, -128]]]
    assert row.judgement.bits == 17
    for ranges in ({"x": (-127, 127)}, {"x": (np.int8([[-128, -128, -127]]), np.int8([[127, 127, 127]]))}):
        assert interp.prove(program, ranges).rows[0].verdict == "proved"


# Programs at random ----------------------------------------------------------------------------------


@pytest.mark.parametrize("first", range(0, 120, 40))
def test_no_random_reduction_contradicts_its_proof(first: int) -> None:
    for seed in range(first, first + 40):
        program = generate.program(seed)
        held(program.module, program.args, SCHEDULES[seed % 3])


def test_no_random_chain_contradicts_its_proof() -> None:
    for seed in range(60):
        program = chain(Random(seed))
        held(program.module, program.args, "left")


def held(module: interp.Module, args: tuple[np.ndarray, ...], schedule: str) -> None:
    types = [value.type for value in module.main.inputs]
    args = finite(args, types)
    for ranges in ({}, around(args, types)):
        with np.errstate(all="ignore"):
            proof = interp.prove(module, ranges, schedule=schedule)
            assert wrong(module, args, ranges, proof, schedule=schedule) == []


# What is said ----------------------------------------------------------------------------------------


def test_what_may_be_infinite_is_unknown_or_refuted_and_never_proved() -> None:
    text = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %q = stablehlo.divide %x, %y : tensor<4xf32>
  %s = stablehlo.reduce(%q init: %z) applies stablehlo.add across dimensions = [0]
    : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}"""
    assert interp.prove(text).rows[0].verdict == "unknown"
    assert interp.prove(text, {"x": (-1.0, 1.0), "y": (-1.0, 2.0)}).rows[0].verdict == "unknown"
    assert interp.prove(text, {"x": (-1.0, 1.0), "y": (1.0, 2.0)}).rows[0].verdict == "proved"
    assert interp.prove(text, {"x": (-3e38, 3e38), "y": (1.0, 1.0)}).rows[0].verdict == "refuted"


def test_a_proof_is_json_and_its_witness_overflows_again() -> None:
    weights = np.array([[100], [27]])
    proof = interp.prove(dot(weights, "i8", "i16"), {0: (-128, 127)})
    assert proof.ok
    program = dot(np.array([[-127], [-127], [-2]]), "i8", "i16")
    proof = interp.prove(program)
    (row,) = json.loads(proof.to_json())["rows"]
    assert not proof.ok
    assert (row["verdict"], row["bits"], row["ends"]) == ("refuted", 17, [-32512, 32768])
    x = np.array(row["witness"]["%x"], np.int8)
    assert interp.trace(program, x).counts == {"wrap": 1}


@pytest.mark.parametrize(
    "ranges", [{"z": (0, 1)}, {1: (0, 1)}, {"x": (1, 0)}, {"x": (0, 1, 2)}, {"x": (0, 300)}, {"x": (0.5, 1)}]
)
def test_a_range_that_fits_no_parameter_is_malformed(ranges: dict[str, object]) -> None:
    with pytest.raises(interp.Malformed):
        interp.prove(dot(np.array([[1]]), "i8", "i16"), ranges)
