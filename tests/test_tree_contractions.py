"""Contractions along trees by machine code: the bits of the nodes one by one, and of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.execute import along
from interp.speed import jax_trees, native_products, tree_products
from interp.speed.tree_tapes import FMA, PRODUCT, ZERO, tape_of
from spec.accumulation import Accumulation
from spec.types import ELEMENT_TYPES
from tests.library.oracles.accumulated_by_hand import CONVOLUTION, DOT, oracle
from tests.library.strategies.accumulations import DTYPES, float_accumulations, real

jax = pytest.importorskip("jax")
pytest.importorskip("llvmlite", reason="it has no wheel here")

seeds = st.integers(0, 1 << 30)
Kinds = list[Any]


@pytest.fixture(autouse=True)
def kinds() -> Iterator[Kinds]:
    """Call machine code for small contractions, too; return the kinds of sums that it computes."""
    called, known = Kinds(), native_products.sums

    def spy(problem: Any, kind: Any, *rest: Any, **more: Any) -> np.ndarray:
        called.append(kind)
        return known(problem, kind, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_products, "LEAST", 1)
        patch.setattr(tree_products.native_products, "sums", spy)
        yield called


def alike(found: Any, expected: Any) -> None:
    """Assert that floats have the same bits, whatever those of NaN are."""
    found, expected = (np.asarray(x).astype(np.float64).ravel() for x in (found, expected))
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    there = ~np.isnan(found)
    assert found[there].tobytes() == expected[there].tobytes()


def one_by_one(module: Any, args: list[np.ndarray], accumulation: str) -> np.ndarray:
    """Return the result node by node, without machine code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_products, "LEAST", 1 << 60)
        return np.asarray(interp.run(module, *args, accumulator=accumulation)[0].storage)


def dot(type: str, m: int, k: int, n: int) -> Any:
    return interp.load(DOT.format(m=m, k=k, n=n, lhs=type, rhs=type, result=type))


def arguments(seed: int, type: str, *shapes: tuple[int, ...]) -> list[np.ndarray]:
    """Return numbers whose products f32 mostly holds, or, of an odd seed, numbers with all bits."""
    rng = np.random.default_rng(seed)
    if seed % 2:
        return [rng.normal(size=shape).astype(DTYPES[type]) for shape in shapes]
    return [real(rng, shape, DTYPES[type]) for shape in shapes]


@given(float_accumulations, seeds, st.integers(1, 11), st.sampled_from(["f32", "f16", "bf16"]))
@settings(max_examples=60, deadline=None)
def test_sums_are_those_of_the_oracle(accumulation: str, seed: int, k: int, type: str) -> None:
    module, args = dot(type, 2, k, 2), arguments(seed, type, (2, k), (k, 2))
    try:
        expected = oracle(module, args, accumulation, "dequantize")
    except interp.Unsupported:
        with pytest.raises(interp.Unsupported):
            interp.run(module, *args, accumulator=accumulation)
        return
    alike(interp.run(module, *args, accumulator=accumulation)[0].storage, expected)


PATTERNS = ("left", "right", "lanes(16)", "lanes(5: left fma; balanced)", "vector(4: left fma; balanced)")
PATTERNS += ("pairwise", "blocks(8)", "balanced fma", "random(3)", "left flush", "lanes(4) fma flush")
FUSED = ("left(8) fused(25) toward zero", "blocks(7: left(4) fused(9 nearest) cut 6; left)")
FUSED += ("left(3) fused(13 normalized) last",)


@given(
    st.sampled_from(PATTERNS + FUSED),
    st.sampled_from(["", " without init"]),
    seeds,
    st.integers(1, 40),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_tiles_of_every_size(pattern: str, start: str, seed: int, k: int, data: st.DataObject) -> None:
    """Rows and columns beside whole blocks, fewer products than lanes, and inputs that flush."""
    m, n = data.draw(st.integers(1, 19)), data.draw(st.integers(1, 67))
    inputs = data.draw(st.sampled_from(["", " inputs flush", " inputs in bf16"]))
    type = data.draw(st.sampled_from(["f32"] if "fused" in pattern else ["f32", "f64"]))
    module, args = dot(type, m, k, n), arguments(seed, type, (m, k), (k, n))
    accumulation = pattern + inputs + start
    found = interp.run(module, *args, accumulator=accumulation)[0].storage
    alike(found, one_by_one(module, args, accumulation))


@st.composite
def trees(draw: st.DrawFn, leaves: int) -> str:
    """Draw a tree over an init and so many products in any order, some of them unrounded."""
    items = ["0", *draw(st.permutations([str(k) for k in range(1, leaves + 1)]))]
    while len(items) > 1:
        first = items.pop(draw(st.integers(0, len(items) - 1)))
        second = items.pop(draw(st.integers(0, len(items) - 1)))
        fused = second.isdigit() and second != "0" and draw(st.booleans())
        items.append(f"({first} {second}')" if fused else f"({first} {second}) plain")
    return f"tree{items[0].removesuffix(' plain')} fma"


@given(st.integers(1, 9).flatmap(lambda k: st.tuples(st.just(k), trees(k))), seeds)
@settings(max_examples=60, deadline=None)
def test_explicit_trees(tree: tuple[int, str], seed: int) -> None:
    k, accumulation = tree
    module, args = dot("f32", 3, k, 5), arguments(seed, "f32", (3, k), (k, 5))
    found = interp.run(module, *args, accumulator=accumulation)[0].storage
    alike(found, one_by_one(module, args, accumulation))


@pytest.mark.parametrize("start", ["", " without init"])
@pytest.mark.parametrize("pattern", PATTERNS + FUSED)
def test_windows_with_holes(pattern: str, start: str) -> None:
    module = interp.load(CONVOLUTION.format(lhs="f32", rhs="f32", result="f32"))
    for seed in range(6):
        args = arguments(seed, "f32", (1, 6, 2), (3, 2, 2))
        found = interp.run(module, *args, accumulator=pattern + start)[0].storage
        alike(found, one_by_one(module, args, pattern + start))


@pytest.mark.parametrize("exponent", [-79, -78, -77, -150])
@pytest.mark.parametrize("accumulation", ["left fma flush", "left flush"])
def test_sums_flush_where_a_product_is_less_than_the_theorem_asks(
    exponent: int, accumulation: str, kinds: Kinds
) -> None:
    """Products of 2^-78 are sums of numbers no smaller than 2^-126: f32's least normal one."""
    module, rng = dot("f32", 2, 6, 40), np.random.default_rng(1)
    x = rng.uniform(1, 2, (2, 6)).astype(np.float32) * np.float32(2.0 ** (exponent // 2))
    w = rng.uniform(-2, 2, (6, 40)).astype(np.float32) * np.float32(2.0 ** (exponent - exponent // 2))
    x[0, 0] = 2.0 ** (exponent // 2)
    w = np.where(
        np.abs(w) < 2.0 ** (exponent - exponent // 2), np.float32(2.0 ** (exponent - exponent // 2)), w
    )
    w[1] = -w[0]
    found = interp.run(module, x, w, accumulator=accumulation)[0].storage
    assert kinds[-1].flushes == (exponent < -78)
    alike(found, one_by_one(module, [x, w], accumulation))


def test_what_has_no_code(kinds: Kinds) -> None:
    """An unrounded product of bf16 in a bf16 sum would be rounded twice; other nodes have no instruction."""
    f32, f64, bf16 = (ELEMENT_TYPES[name] for name in ("f32", "f64", "bf16"))
    parse, plan = Accumulation.parse, tree_products.along_of
    assert plan(parse("left fma"), 4, [bf16, bf16], bf16) is None
    assert plan(parse("left"), 4, [f32, f32], bf16) is None
    assert plan(parse("star"), 4, [f32, f32], f32) is None
    assert plan(parse("left toward zero"), 4, [f32, f32], f32) is None
    assert plan(parse("left in f64 products in f32"), 4, [f32, f32], f32) is None
    assert plan(parse("left(4) fused(25)"), 4, [f64, f64], f64) is None
    assert plan(parse("left(4) fused(49)"), 8, [f32, f32], f32) is None
    assert plan(parse("lanes(2: left(3) fused(25); star fused(25))"), 8, [f32, f32], f32) is None
    mixed = plan(parse("blocks(2: left; left flush)"), 4, [f32, f32], f32)
    assert mixed is not None
    assert mixed.flushes is None


def test_a_case_of_double_rounding_is_not_taken() -> None:
    """1 + 2^-8 + 2^-16 * 2^-16 in bf16: f32 drops the last term, and a tie goes to 1."""
    module = dot("bf16", 1, 2, 1)
    x, w = np.array([[1, 2.0**-16]], DTYPES["bf16"]), np.array([[1], [2.0**-16]], DTYPES["bf16"])
    x, w = np.array([[1 + 2.0**-7, 2.0**-15]], x.dtype), np.array([[1 + 2.0**-7], [2.0**-15]], x.dtype)
    found = interp.run(module, x, w, accumulator="left fma")[0].storage
    alike(found, oracle(module, [x, w], "left fma", "dequantize"))


def test_the_tape_of_lanes() -> None:
    tape = tape_of(
        Accumulation.parse("lanes(2: left fma; balanced) without init"), 5, True, tree_products.fuses
    )
    assert tape is not None
    assert tape.order.tolist() == [0, 2, 4, 1, 3]
    assert tape.words.tolist() == [2, 2, PRODUCT, 0, 2, 0, PRODUCT, 0, 1, 1]
    assert [step for step, _ in tape.steps].count(FMA) == 3
    seeded = tape_of(Accumulation.parse("left"), 3, True, tree_products.fuses)
    assert seeded is not None
    assert seeded.words.tolist() == [1, 1, ZERO, 3, 0, 0]


COMPILED = ("left fma", "lanes(16)", "vector(4: left fma; balanced) flush inputs flush", "pairwise")
COMPILED += ("blocks(3)", "tree((3 1) (2 (0 4))) without init", "windows(2)", "random(5)")


@pytest.mark.parametrize("accumulation", COMPILED)
@pytest.mark.parametrize("by_code", [True, False])
def test_compiled_sums(accumulation: str, by_code: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bits by machine code and, where that is not to be had, step by step."""
    if not by_code:
        monkeypatch.setattr(jax_trees, "works", lambda *_: False)
    module = dot("f32", 3, 5, 35)
    call = interp.compile(module, accumulator=accumulation)
    for seed in range(5):
        args = arguments(seed, "f32", (3, 5), (5, 35))
        alike(call(*args)[0], one_by_one(module, args, accumulation))


def test_compiled_windows_and_mappings() -> None:
    module = interp.load(CONVOLUTION.format(lhs="f32", rhs="f32", result="f32"))
    for accumulation in ({"%0": "lanes(3: left fma; balanced)"}, "left fma without init", "pairwise flush"):
        call = interp.compile(module, accumulator=accumulation)
        for seed in range(6):
            args = arguments(seed, "f32", (1, 6, 2), (3, 2, 2))
            alike(call(*args)[0], one_by_one(module, args, accumulation))  # type: ignore[arg-type]


@pytest.mark.parametrize("accumulation", ["left fma", "left flush", "lanes(2) fma"])
def test_holes_beside_products_that_vanish(accumulation: str) -> None:
    """A hole is +0, and 0 times a negative weight is not; -1e-60 is -0 in a sum that takes it unrounded."""
    module = interp.load(CONVOLUTION.format(lhs="f32", rhs="f32", result="f32"))
    args = [np.full((1, 6, 2), 1e-30, np.float32), np.full((3, 2, 2), -1e-30, np.float32)]
    expected = one_by_one(module, args, accumulation)
    alike(interp.run(module, *args, accumulator=accumulation)[0].storage, expected)
    alike(interp.compile(module, accumulator=accumulation)(*args)[0], expected)


def test_exported_programs_call_no_machine_code() -> None:
    module, args = dot("f32", 3, 9, 35), arguments(0, "f32", (3, 9), (9, 35))
    compiled = interp.compile(module, accumulator="lanes(4: left fma; balanced)")
    exported = jax.export.export(jax.jit(compiled))(*args)
    assert "interp_sums" not in exported.mlir_module()
    alike(exported.call(*args)[0], one_by_one(module, args, "lanes(4: left fma; balanced)"))


@pytest.mark.parametrize(
    "accumulation", ["left toward zero", "star exact", "left(4) fused(25)", "left inputs in bf16"]
)
def test_what_is_not_compiled_says_so(accumulation: str) -> None:
    module = dot("f32", 3, 9, 5)
    with pytest.raises(interp.Unsupported, match="not compiled"):
        interp.compile(module, accumulator=accumulation)


def test_schedules_take_the_same_code(kinds: Kinds) -> None:
    module, args = dot("f32", 3, 9, 35), arguments(2, "f32", (3, 9), (9, 35))
    args = [np.nan_to_num(x, posinf=1, neginf=-1) for x in args]
    for schedule in ("balanced", "blocks(4)", "windows(2)", "random(3)"):
        found = interp.run(module, *args, schedule=schedule)[0].storage
        assert kinds.pop().tree
        alike(found, one_by_one(module, args, schedule))


@pytest.mark.parametrize("accumulation", ["left fma", "lanes(4)", "pairwise", "right", "left flush"])
def test_a_trace_counts_in_the_same_code(
    accumulation: str, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of events, the first and the worst are those that listeners hear of node by node."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        m, k, n = rng.integers(1, 9), rng.integers(2, 40), rng.integers(1, 70)
        x, w = rng.normal(size=(m, k)), rng.normal(size=(k, n))
        x, w = (np.round(4 * x), np.round(w)) if seed == 1 else (x, w)
        module, args = dot("f32", m, k, n), [x.astype(np.float32), w.astype(np.float32)]
        found = interp.trace(module, *args, accumulator=accumulation)
        assert kinds.pop().counts
        with monkeypatch.context() as patch:
            patch.setattr(along, "count_by_code", lambda *_: None)
            expected = interp.trace(module, *args, accumulator=accumulation)
        assert repr(found) == repr(expected)
        assert list(map(repr, found.events)) == list(map(repr, expected.events))
        assert (seed == 1) == (not found.events)
        alike(found.results[0].storage, expected.results[0].storage)


def test_infinite_sums_are_heard_of_node_by_node(kinds: Kinds) -> None:
    module, x = dot("f32", 1, 2, 1), np.full((1, 2), 2e19, np.float32)
    found = interp.trace(module, x, x.T, accumulator="left fma")
    assert not kinds
    assert any(event.kind == "inf" for event in found.events)
