"""Programs that are compiled in parts: like parts once, with the bits of the whole, where it pays."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.engine.inputs import random_arguments
from interp.execute import parts
from interp.execute.parts import Part, divide
from spec.ir import Func, Module, Op, Region, Value
from spec.types import parse_type

jax = pytest.importorskip("jax")
SIZE = 8
SPECIAL = 0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-40, -1e-40, 3e38
LAYER = """
    %a{k} = stablehlo.dot_general %x{k}, %w{k}, contracting_dims = [1] x [0] : (TxT, TxT) -> TxT
    %b{k} = stablehlo.constant dense<{scale}> : TxT
    %c{k} = stablehlo.multiply %a{k}, %b{k} : TxT
    %d{k} = stablehlo.reduce(%c{k} init: %zero) applies stablehlo.add across dimensions = [1]
      : (TxT, TxS) -> TxV
    %e{k} = stablehlo.broadcast_in_dim %d{k}, dims = [0] : (TxV) -> TxT
    %f{k} = stablehlo.subtract %c{k}, %e{k} : TxT
    %g{k} = stablehlo.tanh %f{k} : TxT
    %h{k} = func.call @bend(%g{k}, %mask) : (TxT, TxM) -> TxT
    %x{next} = stablehlo.add %x{k}, %h{k} : TxT
"""
PROGRAM = """
  func.func @main({arguments}) -> ({types}) {{
    %zero = stablehlo.constant dense<0.0> : TxS
    %one = stablehlo.iota dim = 0 : TxT
    %mask = stablehlo.compare LT, %one, %x0 : (TxT, TxT) -> TxM
    {layers}
    %end = stablehlo.negate %x{layer_count} : TxT
    return {results} : {types}
  }}
  func.func private @bend(%0: TxT, %1: TxM) -> TxT {{
    %2 = stablehlo.multiply %0, %0 : TxT
    %3 = stablehlo.select %1, %0, %2 : (TxM, TxT, TxT) -> TxT
    return %3 : TxT
  }}
"""
NAMES = {"TxT": "8x8xf32", "TxV": "8xf32", "TxS": "f32", "TxM": "8x8xi1"}


@pytest.fixture(autouse=True)
def every_part_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "OPERATIONS", 4)
    monkeypatch.setattr(parts, "NUMBERS", 1)
    monkeypatch.setattr(parts, "PASSED", 0)


def layered(count: int, scale: Callable[[int], float] = lambda k: 0.5, every: bool = False) -> Module:
    """A program of so many layers, each with weights of its own; `every`: it returns what each one gives."""
    layers = "".join(LAYER.format(k=k, next=k + 1, scale=scale(k)) for k in range(count))
    given = [f"%x{k}" for k in range(1, count)] if every else []
    results = ", ".join([*given, "%end"])
    arguments = ", ".join(f"%{name}: TxT" for name in ("x0", *(f"w{k}" for k in range(count))))
    types = ", ".join(["TxT"] * (len(given) + 1))
    text = PROGRAM.format(arguments=arguments, types=types, results=results, layers=layers, layer_count=count)
    for name, type in NAMES.items():
        text = text.replace(name, f"tensor<{type}>")
    return interp.load(text)


def drawn(module: Module, seed: int = 0) -> list[np.ndarray]:
    """Ordinary numbers, and special ones in one row of the first argument."""
    rng = np.random.default_rng(seed)
    args = [rng.normal(size=v.type.shape).astype(np.float32) for v in module.main.inputs]
    args[0][0, : len(SPECIAL) - 1] = rng.permutation(np.array(SPECIAL, np.float32))[:SIZE]
    return args


def likeness(module: Module) -> list[int]:
    return [part.like for part in divide(module, module.main)]


def assert_same_bits(module: Module, args: list[np.ndarray]) -> None:
    """In parts, as a whole, and without compiling."""
    expected, compiled = interp.run(module, *args), interp.compile(module)
    whole, found = jax.jit(compiled)(*args), compiled(*args)
    for x, y, z in zip(expected, found, whole, strict=True):
        assert np.asarray(y).tobytes() == x.storage.tobytes() == np.asarray(z).tobytes()


@pytest.fixture
def compilations(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], int]]:
    """How many parts XLA has compiled since the last time that somebody asked."""
    with caplog.at_level(logging.WARNING), jax.log_compiles():

        def count() -> int:
            messages = [record.getMessage() for record in caplog.records]
            caplog.clear()
            return sum("XLA compilation of jit(part)" in text for text in messages)

        yield count


def test_twelve_like_layers_are_compiled_once(compilations: Callable[[], int]) -> None:
    """The first one takes an argument of the program where the others take what was computed."""
    module = layered(12)
    assert likeness(module) == [0, *[1] * 12, 13]
    compiled, args = interp.compile(module), drawn(module)
    compiled(*args)
    assert compilations() == 3
    compiled(*args)
    assert compilations() == 0
    assert_same_bits(module, args)


@pytest.mark.parametrize("element", ["!quant.uniform<i8:f32, 0.5>", "bf16", "i32"])
def test_elements_of_other_types_pass_from_part_to_part(element: str) -> None:
    layers = [
        f"%y{k} = stablehlo.dot_general %x{k}, %w, contracting_dims = [1] x [0] : (TxT, TxT) -> TxT\n"
        f"%z{k} = stablehlo.add %y{k}, %w : TxT\n"
        f"%x{k + 1} = stablehlo.maximum %z{k}, %x{k} : TxT"
        for k in range(4)
    ]
    text = "\n".join(["func.func @main(%x0: TxT, %w: TxT) -> TxT {", *layers, "return %x4 : TxT", "}"])
    module = interp.load(text.replace("TxT", f"tensor<8x8x{element}>"))
    assert likeness(module) == [0, 0, 2]  # of two layers each
    assert_same_bits(module, random_arguments(module.main, 0))


def test_layers_with_other_constants_are_compiled_on_their_own() -> None:
    module = layered(6, scale=lambda k: 0.25 if k in (2, 3) else 0.5)
    assert likeness(module) == [0, 1, 1, 3, 3, 1, 1, 7]
    assert_same_bits(module, drawn(module))


def test_layers_of_which_none_is_alike_are_compiled_as_a_whole(compilations: Callable[[], int]) -> None:
    module = layered(4, scale=lambda k: k + 1.0)
    assert likeness(module) == []
    interp.compile(module)(*drawn(module))
    assert compilations() == 0


def test_what_each_layer_gives_may_be_a_result() -> None:
    module = layered(5, every=True)
    assert likeness(module) == [0, *[1] * 5, 6]
    assert_same_bits(module, drawn(module))


def test_a_part_is_worth_its_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of layers that compute little, several are one part; if all compute little, so is the whole program."""
    numbers = parts.operations(module := layered(12), module.main).weights[:, 1]
    of_layer = int(numbers[1:9].sum())
    monkeypatch.setattr(parts, "NUMBERS", of_layer)
    assert len(likeness(module)) == 14
    monkeypatch.setattr(parts, "NUMBERS", of_layer + 1)
    assert len(likeness(module)) == 8
    monkeypatch.setattr(parts, "NUMBERS", 4 * of_layer)
    assert len(likeness(module)) == 5
    assert_same_bits(module, drawn(module))
    monkeypatch.setattr(parts, "NUMBERS", 7 * of_layer)
    assert likeness(module) == []


def test_parts_compute_much_for_what_passes_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one layer gives the next, and the mask for all of them: 128 numbers."""
    known = parts.operations(module := layered(12), module.main)
    of_layer = int(known.weights[1:9, 1].sum())
    monkeypatch.setattr(parts, "PASSED", of_layer // 128)
    assert len(likeness(module)) == 14
    monkeypatch.setattr(parts, "PASSED", of_layer // 128 + 1)
    assert len(likeness(module)) == 8


def test_parts_are_for_calls_with_arrays(compilations: Callable[[], int]) -> None:
    """What traces a program gets it as a whole, with the same bits."""
    module = layered(4)
    compiled, args = interp.compile(module), drawn(module)
    (batch,) = jax.vmap(compiled, in_axes=(0, *[None] * 4))(np.stack([args[0], args[0]]), *args[1:])
    (row,) = jax.jit(compiled)(*args)
    assert compilations() == 0
    (found,) = compiled(*args)
    assert compilations() == 3
    assert found.tobytes() == row.tobytes() == batch[1].tobytes()


def test_values_pass_in_their_carriers() -> None:
    """A NaN has a sign within a program, which total order sees; storage would lose it."""
    T, B = parse_type("tensor<8xf32>"), parse_type("tensor<8xi1>")
    ops, x = [], Value("%x", T)
    order = {"comparison_direction": "LT", "compare_type": "TOTALORDER"}
    for k in range(6):
        less, y, z, w = (Value(f"%{k}{n}", t) for n, t in (("b", B), ("y", T), ("z", T), ("w", T)))
        ops += [
            Op("stablehlo.negate", (x,), (y,)),
            Op("stablehlo.compare", (y, Value("%x", T)), (less,), order),
            Op("stablehlo.select", (less, y, Value("%y", T)), (z,)),
            Op("stablehlo.negate", (z,), (w,)),
        ]
        x = w
    body = Region((Value("%x", T), Value("%y", T)), (*ops, Op("func.return", (x, less), ())))
    module = Module({"main": Func("main", body, (T, B))})
    assert len(likeness(module)) > 3
    numbers = np.array([np.nan, -np.nan, 1, -1, 0, -0.0, np.inf, -np.inf], np.float32)
    assert_same_bits(module, [numbers, numbers[::-1].copy()])


@st.composite
def repetitions(draw: st.DrawFn) -> Module:
    """A few random operations, again and again on their own results, with others before and behind."""
    type = parse_type("tensor<3xi32>")
    names = st.sampled_from(["add", "multiply", "maximum", "xor"])
    count = draw(st.integers(0, 3))
    arguments = [Value(f"%arg{k}", type) for k in range(count + 1)]
    lines = [draw(st.lists(st.tuples(names, *[st.integers(1, 6)] * 2), max_size=6)) for _ in range(3)]
    values, ops, before = list(arguments), list[Op](), Op("stablehlo.iota", (), (), {"iota_dimension": 0})
    for line in (*lines[0], *lines[1] * draw(st.integers(2, 6)), *lines[2]):
        name, *back = line
        result = Value(f"%{len(ops)}", type)
        operands = tuple(values[-min(k, len(values))] for k in back)
        is_constant = operands[0] is values[0] and draw(st.booleans())
        op = (
            replace(before, results=(result,))
            if is_constant
            else Op(f"stablehlo.{name}", operands, (result,))
        )
        ops.append(op)
        values.append(result)
    returned = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)))
    body = Region(tuple(arguments), (*ops, Op("func.return", returned, ())))
    return Module({"main": Func("main", body, tuple(v.type for v in returned))})


@given(repetitions(), st.integers(0, 5))
def test_parts_one_after_the_other_are_the_function(module: Module, seed: int) -> None:
    """And each like part is the function of the one that it is like."""
    rng = np.random.default_rng(seed)
    args = [rng.integers(-(2**31), 2**31, 3).astype(np.int32) for _ in module.main.inputs]
    found = divide(module, module.main)
    values = dict(zip((v.name for v in module.main.inputs), args, strict=True))
    for part in found:
        taken = [values[v.name] for v in part.region.arguments]
        given = run_part(module, found[part.like], taken)
        assert [x.tobytes() for x in given] == [x.tobytes() for x in run_part(module, part, taken)]
        values |= zip((v.name for v in part.region.returns), given, strict=True)
    if found:
        expected = [x.storage.tobytes() for x in interp.run(module, *args)]
        assert expected == [values[v.name].tobytes() for v in module.main.body.returns]


def run_part(module: Module, part: Part, args: list[np.ndarray]) -> list[np.ndarray]:
    func = Func("part", part.region, tuple(v.type for v in part.region.returns))
    return [x.storage for x in interp.run(replace(module, functions={"part": func}), *args, function="part")]


def test_large_constants_that_like_parts_read_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are too large for copies are values from outside, on which a kernel may yet rely."""
    monkeypatch.setattr(parts, "SMALL", 0)
    monkeypatch.setattr(parts, "SAVED", 0.0)
    type = parse_type("tensor<3xf32>")
    x = Value("%x", type)
    start = Value("%start", type)
    ops = [Op("stablehlo.iota", (), (start,), {"iota_dimension": 0})]
    tables = [Value(f"%t{k}", type) for k in range(2)]
    ops += [
        Op(f"stablehlo.{name}", (start,), (t,)) for name, t in zip(("cosine", "sine"), tables, strict=True)
    ]
    for k in range(4):
        table = tables[k // 2]
        y, z = Value(f"%y{k}", type), Value(f"%z{k}", type)
        ops += [Op("stablehlo.multiply", (x, table), (y,)), Op("stablehlo.tanh", (y,), (z,))]
        x = z
    monkeypatch.setattr(parts, "OPERATIONS", 2)
    body = Region((Value("%x", type),), (*ops, Op("func.return", (x,), ())))
    module = Module({"main": Func("main", body, (type,))})
    assert likeness(module) == [0, 1, 1, 3, 3, 5]
    assert_same_bits(module, [np.array([0.1, -0.2, 3], np.float32)])


def test_a_program_of_unknown_sizes_is_compiled_once_for_each_size(caplog: pytest.LogCaptureFixture) -> None:
    rows = jax.export.symbolic_shape("n")
    exported = jax.export.export(jax.jit(lambda x: x * 2))(jax.ShapeDtypeStruct(rows, np.float32))
    compiled = interp.compile(interp.load(exported))
    with caplog.at_level(logging.WARNING), jax.log_compiles():
        results = [compiled(np.ones(n, np.float32))[0].shape for n in (3, 5, 3, 5)]
    assert results == [(3,), (5,), (3,), (5,)]
    assert sum("XLA compilation" in record.getMessage() for record in caplog.records) == 2


def test_attributes_that_are_zeros_of_either_sign_are_no_likeness(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variance of -0 plus an epsilon of -0 is -0, by whose root a number is divided."""
    monkeypatch.setattr(parts, "OPERATIONS", 1)
    monkeypatch.setattr(parts, "SAVED", 0.0)
    x, v, lines = "tensor<2x4xf32>", "tensor<4xf32>", []
    for k, epsilon in enumerate(("0.0", "0.0", "-0.0", "0.0", "0.0", "0.0")):
        about = f"<{{epsilon = {epsilon} : f32, feature_index = 1 : i64}}> : ({x}, {v}, {v}, {v}, {v}) -> {x}"
        lines.append(f'%{k + 1} = "stablehlo.batch_norm_inference"(%{k}, %s, %s, %s, %v) {about}')
    body = "\n".join([*lines, f"return %6 : {x}"])
    module = interp.load(
        f"func.func @main(%0: {x}, %s: {v}, %v: {v}) -> {x} {{\n{body}\n}}".replace("%0", "%x")
    )
    assert likeness(module) == [0, 0, 2, 0, 0, 0, 6]
    args = [np.ones((2, 4), np.float32), np.full(4, 0.5, np.float32), np.full(4, -0.0, np.float32)]
    assert_same_bits(module, args)
    assert (interp.run(module, *args)[0].storage == -np.inf).all()
