"""The sums, orders and roundings by which `diagnose` computes deviating devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import interp
from interp.apps.diagnosing import orders
from interp.apps.diagnosing.deviations import Way
from interp.apps.diagnosing.roundings import EXACTLY, MODES
from interp.apps.diagnosing.runner import Runner
from interp.apps.suite import generate
from interp.engine.additions import Terms, chain, sums
from interp.engine.float_sums import settle, sum_of_two
from interp.execute.accumulating import hardware
from spec.accumulation import Accumulation, level_of
from spec.accumulator import reading_named
from spec.formats import round_to
from spec.schedule import BALANCED, LEFT, Schedule, parse
from spec.trees import PLAIN, Arithmetic
from spec.types import ELEMENT_TYPES
from tests.library.devices import devices
from tests.library.devices import devices_quantized as quantized

Make = Callable[[], devices.Device]
SCHEDULES = ("left", "balanced", "blocks(4)", "windows(4)", "random(3)")


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("make", [devices.in_lanes, devices.convolving, devices.wrapping, quantized.tflite])
def test_sums_of_a_device_without_deviation_are_those_of_run(make: Make, schedule: str) -> None:
    """The sums that deviate are computed apart from the engine's; without a deviation they are the same."""
    device = make()
    module = interp.load(device.program)
    for reading in ("dequantize", "integer"):
        way = Way(reading_named(reading), BALANCED if schedule == "left" else LEFT)
        runner = Runner(module, module.main, device.args, way, {})
        runner.run({})
        ways = {op: replace(way, order=parse(schedule)) for op in runner.executed}
        expected = interp.run(module, *device.args, reading=reading, schedule=schedule)
        assert np.array_equal(runner.run(ways)[0], expected[0].storage)


def test_orders_of_groups() -> None:
    """A schedule is that of the groups' sums: 48 pairs, clamped to 16 bits, from the last to the first."""
    device = devices.wrapping()
    x, w = device.args
    module = interp.load(device.program)
    runner = Runner(module, module.main, device.args, Way(reading_named("dequantize"), LEFT), {})
    runner.run({})
    (pairs,) = hardware("i16 saturate blocks(2) i16 saturate")
    way = replace(runner.declared, machine=pairs, order=orders.right_to_left)
    total = np.zeros((4, 3), int)
    for k in reversed(range(0, 96, 2)):
        parts = np.outer(x[:, k].astype(int), w[k].astype(int))
        parts = quantized.clamped(parts + np.outer(x[:, k + 1].astype(int), w[k + 1].astype(int)))
        total = quantized.clamped(total + parts)
    assert np.array_equal(runner.run(dict.fromkeys(runner.executed, way))[0], total)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_orders_are_trees(n: int) -> None:
    """Each order uses every element once, and the init as often as its name says."""
    words = [f"{k}" for k in range(n)]
    expected = {
        orders.right_to_left: ["0", *words[:0:-1]],
        orders.init_last: [*words[1:], "0"],
        orders.init_twice: ["0", "0", *words[1:]],
        orders.without_init: words[1:] or ["0"],
    }
    for order, leaves in expected.items():
        assert sorted(folded(order(n), n)) == sorted(leaves)
    assert folded(orders.init_beside(n), n) == words
    assert folded(orders.blocks_with_one_init(3, n), n) == words
    assert folded(orders.init_last(n), n) == expected[orders.init_last]


def folded(schedule: Schedule, n: int) -> list[str]:
    """Return the leaves of a tree in order, the init as `0`."""
    nodes = [[f"{k}"] for k in range(n)]
    for lhs, rhs in schedule.steps(n, seeded=True):
        nodes.append(nodes[lhs] + nodes[rhs])
    return nodes[-1] if nodes[n:] else nodes[0] if n == 1 else nodes[1]


def test_sums_rounded_once() -> None:
    """Against exact fractions, rounded by their own code."""
    rng = np.random.default_rng(3)
    a = rng.standard_normal(2000).astype("f4").astype("f8")
    b = (rng.standard_normal(2000) * 2.0 ** rng.integers(-40, 40, 2000)).astype("f4").astype("f8") * a
    got = settle(*sum_of_two(a, b), ELEMENT_TYPES["f32"], PLAIN)
    wanted = [
        float(round_to(Fraction(x) + Fraction(y), ELEMENT_TYPES["f32"])) for x, y in zip(a, b, strict=True)
    ]
    assert got.tolist() == wanted
    assert (got != (a + b).astype("f4")).any() or (got == (a + b).astype("f4")).all()


@pytest.mark.parametrize("mode", sorted(EXACTLY))
def test_roundings_of_reals_and_of_fractions_agree(mode: str) -> None:
    eighths = np.arange(-40, 41)
    assert MODES[mode](eighths / 8).tolist() == EXACTLY[mode](eighths, 8).tolist()


@pytest.mark.parametrize("recipe", ["specification", "exact", "float", "onnx"])
def test_quotients_are_truncated_before_the_zero_point_in_every_recipe(recipe: str) -> None:
    """The zero point is 3, so that truncating the sum would round quotients in (-3, 0) down."""
    device = quantized.truncating()
    module = interp.load(device.program)
    way = Way(reading_named("integer", recipe=recipe), LEFT, rounding="toward zero")
    runner = Runner(module, module.main, device.args, Way(reading_named("dequantize"), LEFT), {})
    runner.run({})
    assert np.array_equal(runner.run(dict.fromkeys(runner.executed, way))[0], device.results)
    assert device.results.min() < 3


@pytest.mark.parametrize("seed", range(12))
def test_every_deviation_runs_on_random_programs(seed: int) -> None:
    """Reductions, scatters and sorts of any types: a deviation runs, or says why it cannot."""
    program = generate.program(seed)
    outs = [np.asarray(out.storage).copy() for out in interp.run(program.module, *program.args)]
    for x in outs:
        bits = x.view(f"u{x.dtype.itemsize}")
        bits ^= np.random.default_rng(seed).integers(0, 2, x.shape).astype(bits.dtype)
    found = interp.diagnose(program.module, program.args, outs, limit=80)
    assert all((trial.unequal is None) == bool(trial.error) for trial in found.tried)
    assert bool(found.differing) == (found.first is not None)


@pytest.mark.parametrize("name", ["f16", "f32", "f64", "i16", "i16 saturate"])
@pytest.mark.parametrize("n", [2, 3, 50, 2000])
def test_a_chain_has_the_bits_of_its_nodes_one_by_one(name: str, n: int) -> None:
    rng, is_of_integers = np.random.default_rng(n), name.startswith("i")
    x = rng.standard_normal((n, 6)) * np.exp2(rng.integers(-30, 12, (n, 6)))
    x[n // 2, :3] = np.inf, np.nan, -0.0
    x = rng.integers(-(2**15), 2**15, (n, 6)) if is_of_integers else x.astype(np.float32).astype(np.float64)
    type = ELEMENT_TYPES["i32" if is_of_integers else "f32"]
    terms = Terms(n, x.__getitem__, type, lambda i, own: np.zeros(6))
    init = np.full(6, 2**15 if is_of_integers else -0.0).astype(x.dtype)
    chains = (orders.right_to_left, orders.init_last, orders.init_twice, orders.without_init)
    word, _, mode = name.partition(" ")
    for schedule in (LEFT, *(order(n + 1) for order in chains)):
        accumulation = Accumulation(level_of(schedule, Arithmetic(type=word, rounding=mode)))
        with np.errstate(all="ignore"):
            quick = sums(accumulation, terms, init, type)
            slow = sums(accumulation, terms, init, type, hear=lambda addition: None)
        numbers = ~np.isnan(slow.astype(np.float64))
        assert np.array_equal(np.isnan(quick.astype(np.float64)), ~numbers)
        assert quick[numbers].tobytes() == slow[numbers].tobytes()
    assert chain(Accumulation(level_of(orders.init_beside(9), PLAIN)).tree(9)) is None
