"""`reveal`: made-up devices are stated or refused, and what is stated has their bits."""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.revealing import tree as trees
from interp.apps.revealing.device import Inconsistent, Meeting, Nested, Probing
from interp.apps.revealing.insertion import Several, insert
from interp.apps.revealing.statement import Shape, patterns_of
from interp.apps.revealing.tree import recover
from spec.accumulation import Accumulation
from tests.library.devices.float_sums import kahan, left, neumaier
from tests.library.oracles.accumulated_by_hand import DOT

REDUCE = """
func.func @main(%x: tensor<{m}x{k}x{type}>) -> tensor<{m}x{type}> {{
  %c = stablehlo.constant dense<{zero}> : tensor<{type}>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<{m}x{k}x{type}>, tensor<{type}>) -> tensor<{m}x{type}>
  return %0 : tensor<{m}x{type}>
}}"""
Sum = Callable[..., Any]


def program(k: int, type: str = "f32", m: int = 4) -> Any:
    return interp.load(REDUCE.format(m=m, k=k, type=type, zero="0.0" if type[0] in "fb" else "0"))


def product(k: int, type: str = "f32", result: str = "f32") -> Any:
    return interp.load(DOT.format(m=4, k=k, n=2, lhs=type, rhs=type, result=result))


def states(module: Any, device: Sum, text: str, **options: Any) -> Any:
    """Assert that a device is stated as a text, and that the statement runs with its bits."""
    found = interp.reveal(module, device, check=200, **options)
    whole = repr(found.accumulation)
    assert whole == text or (text.endswith("(") and whole.startswith(text)), found
    assert found.ok
    assert found.equal == found.checked >= 200
    rng = np.random.default_rng(7)
    args = [
        rng.integers(-100, 100, v.type.shape).astype(np.float64) * 2.0 ** rng.integers(-9, 2, v.type.shape)
        for v in module.main.inputs
    ]
    args = [x.astype(z.dtype) for x, z in zip(args, empty(module), strict=True)]
    (ran,) = interp.run(module, *args, schedule=found.accumulation)
    assert np.asarray(device(*args)).tolist() == ran.storage.tolist()
    return found


def empty(module: Any) -> list[np.ndarray]:
    from interp.backends.dtypes import numpy_dtype

    return [np.zeros(v.type.shape, numpy_dtype(v.type.storage_type)) for v in module.main.inputs]


# Devices, written by hand: each adds rows.


def lanes(x: np.ndarray) -> np.ndarray:
    """Add four lanes, two and two; a tail one after the other at the end."""
    whole = x.shape[1] // 4 * 4
    sums = [left(x[:, lane:whole:4]) for lane in range(4)]
    total = (sums[0] + sums[1]) + (sums[2] + sums[3])
    return left(np.concatenate([total[:, None], x[:, whole:]], axis=1))


def zigzag(x: np.ndarray) -> np.ndarray:
    order = list(itertools.chain(*zip(range(10), range(19, 9, -1), strict=True)))
    return left(x[:, order])


def in_f64(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add products, rounded to f32, in f64."""
    products = (x[:, :, None] * y[None]).astype(np.float32).astype(np.float64)
    return np.add.accumulate(products, axis=1)[:, -1].astype(np.float32)


def fused(x: np.ndarray, y: np.ndarray, width: int = 4, least: int = -14, cut: int = 99) -> np.ndarray:
    """Add products, four of f16, and the sum before in integers: 10 bits below the largest exponent."""
    total = np.zeros((x.shape[0], y.shape[1]))
    exponent = lambda a: np.maximum(np.frexp(a)[1] - 1, least)
    a, b = x.astype(np.float64), y.astype(np.float64)
    for k in range(0, x.shape[1], width):
        terms, powers = [total], [np.where(total != 0, np.frexp(total)[1] - 1, -999)]
        for i in range(k, min(k + width, x.shape[1])):
            term = a[:, i, None] * b[None, i]
            terms.append(term)
            powers.append(np.where(term != 0, exponent(a[:, i])[:, None] + exponent(b[i])[None], -999))
        unit = 2.0 ** (np.max(powers, axis=0) - 10.0)
        total = sum(np.trunc(term / unit) for term in terms) * unit
        grid = 2.0 ** (np.frexp(total)[1] - 1.0 - cut)
        total = np.trunc(total / grid) * grid
    return total.astype(np.float32)


def fused_eights(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add eight products of f8E4M3FN and the sum before, as `fused`; ten bits of the sum remain."""
    return fused(x, y, 8, -6, 10)


def promoted(x: np.ndarray) -> np.ndarray:
    """Add blocks of 16 in bf16, and their sums in f32."""
    parts = [left(x[:, k : k + 16].astype(ml_dtypes.bfloat16)) for k in range(0, x.shape[1], 16)]
    return left(np.stack(parts, axis=1).astype(np.float32))


def exactly(x: np.ndarray) -> np.ndarray:
    """Add blocks of four exactly, each rounded once, and their sums one after the other."""
    add = lambda block: math.fsum(block.tolist()) if np.isfinite(block).all() else block.sum()
    return left(np.float32([[add(row[k : k + 4]) for k in range(0, 12, 4)] for row in x]))


def two_chains(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add two chains of fused nodes, of which f32 holds the sum."""
    return fused(x[:, :8], y[:8], 4, -6, 10) + fused(x[:, 8:], y[8:], 4, -6, 10)


def cut_to_tf32(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Add products of factors without their last 13 bits."""
    x, y = ((a.view(np.uint32) & 0xFFFFE000).view(np.float32) for a in (x, y))
    return left((x[:, :, None] * y[None]).transpose(0, 2, 1).reshape(-1, x.shape[1])).reshape(4, -1)


def flush(x: np.ndarray) -> np.ndarray:
    small = lambda v: np.where(np.abs(v) < np.float32(2.0**-126), np.copysign(np.float32(0), v), v)
    total, columns = np.zeros(len(x), np.float32), small(x).T
    for column in columns:
        total = small(total + column)
    return total


def saturate(x: np.ndarray) -> np.ndarray:
    total = np.zeros(len(x), np.int64)
    for column in x.T.astype(np.int64):
        total = np.clip(total + column, -(2**15), 2**15 - 1)
    return total.astype(x.dtype)


@pytest.mark.parametrize(
    ("module", "device", "text"),
    [
        (program(20), left, "left without init"),
        (program(22), lanes, "lanes(4: left; balanced; tail after) without init"),
        (program(140, "f64"), lambda x: np.stack([row.sum() for row in x]), "pairwise"),
        (program(20), flush, "left flush inputs flush"),
        (program(20), lambda x: left(x.astype(np.float16)).astype(np.float32), "left in f16 without init"),
        (program(20, "i16"), saturate, "left saturate"),
        (product(12), in_f64, "left in f64 products in f32 without init"),
        (product(14, "f16"), fused, "left(4) fused(10) toward zero"),
        (product(20, "f8E4M3FN"), fused_eights, "left(8) fused(10) cut 10 toward zero"),
        (program(31), promoted, "blocks(16: left in bf16; left) without init"),
        (program(12), exactly, "blocks(4: star exact; left)"),
        (product(16, "f8E4M3FN"), two_chains, "blocks(8: left(4) fused(10) cut 10 toward zero; left)"),
        (product(9), cut_to_tf32, "left inputs in tf32 toward zero without init"),
    ],
    ids=[
        *("left", "lanes", "numpy", "flush", "f16", "saturate", "f64", "fused", "eights", "promoted"),
        *("exact blocks", "chains", "tf32"),
    ],
)
def test_a_device_is_stated(module: Any, device: Sum, text: str) -> None:
    states(module, device, text)


@pytest.mark.parametrize("text", ["left(8) fused(13) cut 13", "left(8) fused(13) cut 13 toward zero"])
def test_what_overflows_tells_how_cut_sums_are_rounded(text: str) -> None:
    """A sum of 13 bits is rounded where f32 overflows alone: to the largest number, or to infinity."""
    module = product(16, "bf16")
    device = lambda *args: interp.run(module, *args, schedule=Accumulation.parse(text))[0].storage
    assert states(module, device, text).kinds[-1] == "infinities and NaN"


def test_an_explicit_tree_where_no_pattern_is_short() -> None:
    found = states(program(20), zigzag, "tree(")
    assert found.probes < 2 * 20 * np.log2(20) + 300


def test_exact_sums_have_any_order() -> None:
    found = interp.reveal(program(9, "i16"), lambda x: x.sum(axis=1, dtype=x.dtype), check=60)
    assert found.ok
    assert "every order has the same results" in found.unseen[0]


def test_a_mean_is_seen_through_its_division() -> None:
    text = """func.func @main(%x: tensor<4x20xf32>) -> tensor<4xf32> {
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
        : (tensor<4x20xf32>, tensor<f32>) -> tensor<4xf32>
      %n = stablehlo.constant dense<20.0> : tensor<4xf32>
      %1 = stablehlo.divide %0, %n : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    states(interp.load(text), lambda x: left(x) / np.float32(20), "left without init")


def test_rows_that_differ_are_stated_apart() -> None:
    def device(x: np.ndarray) -> np.ndarray:
        return np.where(np.arange(4) % 2, left(x), left(x[:, ::-1]))

    found = interp.reveal(program(16), device, check=60)
    assert not found.ok
    assert [group.results for group in found.groups] == [(0, 2), (1, 3)]
    assert [repr(group.accumulation) for group in found.groups] == ["right without init", "left without init"]
    assert "added in 2 ways" in found.reason


def test_infinities_and_nan_are_compared_apart() -> None:
    found = interp.reveal(program(6), lambda x: left(np.nan_to_num(x)), check=70)
    assert repr(found.accumulation) == "left without init"
    assert "of six kinds" in found.statement
    assert "infinities and NaN" in found.unseen[0]
    found = interp.reveal(program(6), left, check=70)
    assert "of seven kinds" in found.statement
    assert not found.unseen


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("lanes(4: blocks(4: balanced; left; tail after); balanced)", 140),
        ("blocks(32: lanes(2: left fma; left); left)", 100),
        ("blocks(16: right; left; tail joins)", 39),
        ("lanes(4: left in f64; balanced; tail after fma)", 27),
    ],
)
def test_patterns_within_patterns_are_found(text: str, n: int) -> None:
    """The tree without its init is taken apart; what is found has the same nodes."""
    without = Accumulation.parse(f"{text} without init").tree(n, False)
    shape, found = Shape(n), patterns_of(without, every=True)
    assert text in [repr(each).removesuffix(" without init") for each in found]
    for each in found:
        has_init = not each.without_init
        assert shape.keys(each.tree(n + has_init, has_init), has_init) == shape.keys(without, False)


# Devices that have no accumulation.


def one_step_off(x: np.ndarray) -> np.ndarray:
    total = left(x)
    return np.where(total > 3, np.nextafter(total, np.float32(0)), total)


def fails(x: np.ndarray) -> np.ndarray:
    raise RuntimeError("no such kernel")


RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("device", "reason"),
    [
        (kahan, r"14 of 15 nodes .* as Kahan's sums"),
        (neumaier, ""),
        (lambda x: left(np.sort(x, axis=1)), ""),
        (lambda x: np.where(x[:, 0] > 0, left(x), left(x[:, ::-1])), ""),
        (one_step_off, "gives"),
        (lambda x: left(x[:, RANDOM.permutation(16)]), "called again"),
        (fails, "it failed: RuntimeError: no such kernel"),
        (lambda x: x, r"expected \(4,\) float32 got \(4, 16\) float32"),
        (lambda x: left(x).astype(np.float64), "float64"),
        (lambda x: (left(x), left(x)), "it returned 2 results, and the program has 1"),
        (lambda x: np.full(4, np.nan, np.float32), "4 of 4 results for normal numbers are nan"),
    ],
    ids=["Kahan", "Neumaier", "sorts", "by data", "off", "races", "fails", "shape", "type", "two", "NaN"],
)
def test_a_device_that_has_no_accumulation_is_refused(device: Sum, reason: str) -> None:
    found = interp.reveal(program(16), device, check=120)
    assert not found.ok
    assert found.accumulation is None
    assert found.reason
    assert re.search(reason, found.reason), found.reason


# Trees from counts that a list of nodes gives.


def counts_of(nested: Nested) -> Callable[[Any], np.ndarray]:
    def below(at: Nested) -> set[int]:
        return {at} if isinstance(at, int) else set().union(*map(below, at))

    nodes, todo = [], [nested]
    while todo:
        at = todo.pop()
        if not isinstance(at, int):
            nodes.append(below(at))
            todo += at
    nodes.sort(key=len)

    def counts(meetings: list[Meeting]) -> np.ndarray:
        found = []
        for i, j, units in meetings:
            ancestor = next(node for node in nodes if {i, j} <= node)
            found.append(sum(unit not in ancestor for unit in units.tolist()))
        return np.array(found)

    return counts


def shape(nested: Nested) -> Any:
    return nested if isinstance(nested, int) else frozenset(map(shape, nested))


@pytest.mark.parametrize("cap", [1 << 24, 9])
@pytest.mark.parametrize("signs", [False, True])
def test_trees_are_recovered_from_counts(cap: int, signs: bool) -> None:
    rng = np.random.default_rng(3)
    for n in (2, 3, 17, 40):
        parts: list[Nested] = list(map(int, rng.permutation(n)))
        while len(parts) > 1:
            several = int(rng.integers(2, min(len(parts), 5) + 1))
            chosen = sorted(rng.choice(len(parts), several, replace=False), reverse=True)
            parts.append(tuple(parts.pop(k) for k in chosen))
        (tree,) = parts
        found = recover(n, Probing(counts_of(tree), cap, signs=signs), rng, presume=False)
        assert shape(found) == shape(tree)


def counts_of_child(nested: Nested) -> Callable[[Any], np.ndarray]:
    """Count units that are lost below the first leaf's child of the lowest common ancestor alone."""

    def below(at: Nested) -> set[int]:
        return {at} if isinstance(at, int) else set().union(*map(below, at))

    nodes, todo = [], [nested]
    while todo:
        at = todo.pop()
        nodes.append(below(at))
        todo += [] if isinstance(at, int) else at
    nodes.sort(key=len, reverse=True)

    def counts(meetings: list[Meeting]) -> np.ndarray:
        found = []
        for i, j, units in meetings:
            child = next(node for node in nodes if i in node and j not in node)
            found.append(sum(unit not in child for unit in units.tolist() if unit != j))
        return np.array(found)

    return counts


def binary_trees(n: int, seed: int) -> dict[str, Nested]:
    """Return combs, a zigzag, combs of combs, a balanced and a random tree over permuted leaves."""
    rng = np.random.default_rng(seed)
    leaves = list(map(int, rng.permutation(n)))
    size = max(2, int(n**0.5))
    chain = lambda parts: functools.reduce(lambda total, part: (total, part), parts)
    pairs = list[Nested](leaves)
    while len(pairs) > 1:
        pairs = [tuple(pairs[k : k + 2]) if k + 1 < len(pairs) else pairs[k] for k in range(0, len(pairs), 2)]
    random = list[Nested](leaves)
    while len(random) > 1:
        chosen = sorted(rng.choice(len(random), 2, replace=False), reverse=True)
        random.append(tuple(random.pop(int(k)) for k in chosen))
    return {
        "comb": chain(leaves),
        "in order": chain(range(n)),
        "from the right": chain(reversed(range(n))),
        "combs": chain([chain(leaves[k : k + size]) for k in range(0, n, size)]),
        "zigzag": chain([leaves[k // 2] if k % 2 else leaves[-1 - k // 2] for k in range(n)]),
        "balanced": pairs[0],
        "random": random[0],
    }


KINDS: dict[str, Callable[[Any, int], Probing]] = {
    "all units": lambda counts, n: Probing(counts, 1 << 24),
    "few units": lambda counts, n: Probing(counts, max(3, n // 5)),
    "one unit": lambda counts, n: Probing(counts, 1 << 24, signs=True),
}


class Counted:
    """A function of probes that counts them."""

    def __init__(self, counts: Any) -> None:
        self.counts, self.number = counts, 0

    def __call__(self, meetings: list[Meeting]) -> np.ndarray:
        self.number += len(meetings)
        return np.asarray(self.counts(meetings))


@pytest.mark.parametrize("kind", [*KINDS, "saturating"])
@pytest.mark.parametrize("n", [*range(3, 18), 33, 64])
def test_binary_trees_take_at_most_2_n_log2_n_probes(kind: str, n: int) -> None:
    """Of every kind of probes, and every kind of tree."""
    for seed in range(3):
        for name, tree in binary_trees(n, seed).items():
            is_child = kind == "saturating"
            counted = Counted((counts_of_child if is_child else counts_of)(tree))
            probing = Probing(counted, 1 << 24, child=True) if is_child else KINDS[kind](counted, n)
            found = recover(n, probing, np.random.default_rng(seed))
            assert shape(found) == shape(tree), name
            assert counted.number <= 2 * n * np.log2(n), (name, seed, counted.number)


def most_queries(places: int) -> int:
    """Return how many answers single out one of so many places, if two thirds and a half remain of each."""
    return 0 if places == 1 else 1 + most_queries(math.ceil(2 * places / 3 + 0.5) - 1)


@pytest.mark.parametrize("kind", [*KINDS, "saturating"])
def test_insertion_takes_no_more_probes_than_is_proved(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random pivots may take no probe; leaves are inserted from the first probe on."""
    monkeypatch.setattr(trees, "PIVOTS", 0.0)
    monkeypatch.setattr(trees, "PIVOTS_OF_FEW", 0.0)
    for n in (17, 40):
        for seed in range(2):
            for name, tree in binary_trees(n, seed).items():
                is_child = kind == "saturating"
                counted = Counted((counts_of_child if is_child else counts_of)(tree))
                probing = Probing(counted, 5, child=True) if is_child else KINDS[kind](counted, n)
                found = recover(n, probing, np.random.default_rng(seed))
                assert shape(found) == shape(tree), name
                proved = n * (np.log2(n) + 3)
                if kind != "all units":
                    proved = sum(most_queries(2 * m - 1) + 1 for m in range(1, n))
                    proved += n // 8 * (most_queries(2 * n - 1) + 1)
                    assert proved <= 9 / 8 * (1.71 * n * np.log2(n) + 3 * n)
                    proved += 2 * n
                assert counted.number <= proved, (name, counted.number, proved)


@pytest.mark.parametrize("cap", [99, 2])
def test_a_node_of_three_children_is_not_inserted(cap: int) -> None:
    with pytest.raises(Several):
        insert(4, Probing(counts_of(((0, 1, 2), 3)), cap), np.random.default_rng(0))


def test_exact_nodes_are_not_taken_for_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of eight leaves, added exactly: a tree of insertions is not verified, and pivots go on."""
    monkeypatch.setattr(trees, "PIVOTS", 0.0)

    def device(x: np.ndarray) -> np.ndarray:
        add = lambda block: math.fsum(block.tolist()) if np.isfinite(block).all() else block.sum()
        return left(np.float32([[add(row[k : k + 8]) for k in range(0, 24, 8)] for row in x]))

    states(program(24), device, "blocks(8: star exact; left)")


def test_counts_that_contradict_each_other_are_refused() -> None:
    counts = lambda meetings: np.array([(m.i + m.j) % 3 for m in meetings])
    with pytest.raises(Inconsistent, match="contradict"):
        recover(12, Probing(counts, 100), np.random.default_rng(0))


# Programs.


def test_programs_that_are_not_probed() -> None:
    constant = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
      %w = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }"""
    with pytest.raises(interp.Unsupported, match="pass constants as an argument"):
        interp.reveal(constant, lambda x: x)
    none = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}"
    with pytest.raises(interp.Malformed, match="@main has 0 sums"):
        interp.reveal(none, lambda x: x)
    with pytest.raises(interp.Malformed, match="not an implementation"):
        interp.reveal(program(4), 3)
    with pytest.raises(interp.Malformed, match="too few inputs"):
        interp.reveal(program(4), left, check=1)


def test_the_schedule_of_a_run_may_be_an_accumulation() -> None:
    x = np.float32([[2**24, 1, 1]] * 4)
    (found,) = interp.run(program(3), x, schedule=Accumulation.parse("right"))
    assert found.storage.tolist() == [2**24 + 2] * 4
    with pytest.raises(interp.Malformed, match="expected one of both"):
        interp.run(program(3), x, schedule=Accumulation.parse("right"), accumulator="left in f64")


def test_the_command(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.mlir"
    file.write_text(REDUCE.format(m=2, k=6, type="f32", zero="0.0"))
    assert main(["reveal", str(file), "--impl", "numpy", "--check", "12", "--json", "-"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["accumulation"] == "left"
    assert document["equal"] == document["checked"] >= 12


def test_a_device_with_a_product_for_equal_elements_is_refused() -> None:
    """n times an element is rounded once, and the sum from the left n - 2 times."""

    def device(x: np.ndarray) -> np.ndarray:
        return np.where((x == x[:, :1]).all(axis=1), x[:, 0] * np.float32(x.shape[1]), left(x))

    assert interp.reveal(program(21), device, check=300).accumulation is None


@pytest.mark.parametrize("type", ["f32", "i32"])
def test_a_device_with_another_sum_of_one_element_beside_zeros_is_refused(type: str) -> None:
    def device(x: np.ndarray) -> np.ndarray:
        is_alone = ((x != 0).sum(axis=1) == 1) & (np.abs(x).max(axis=1) > 64)
        return np.where(is_alone, 0, left(x)).astype(x.dtype)

    assert interp.reveal(program(6, type), device, check=300).accumulation is None
