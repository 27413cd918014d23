"""Random chains of f32 operations that a tape computes, in every layout; some operands are constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from hypothesis import strategies as st

import interp
from tests.library.strategies.programs import Program

SPECIAL = np.float32([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3.4e38, 1.0, -1.0, 2**-24, 88.7])
Shape = tuple[int, ...]
Value = tuple[str, Shape]
BINARY = "add", "subtract", "multiply", "divide", "maximum", "minimum"
UNARY = "negate", "abs", "sqrt", "exponential", "logistic", "tanh", "rsqrt"
FOLDED = "add", "multiply", "maximum", "minimum"


def numbers(rng: np.random.Generator, shape: Shape, special: bool) -> np.ndarray:
    """Return numbers of one magnitude, or any bits and special values among them."""
    x = rng.normal(size=shape).astype(np.float32)
    if special:
        bits = rng.integers(0, 2**32, shape, np.uint32).view(np.float32)
        x = np.choose(rng.integers(0, 4, shape), [x, x, bits, rng.choice(SPECIAL, shape)])
    return x.astype(np.float32)


def tensor(shape: Sequence[int]) -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"


class Chain:
    """The lines of a program, and its values so far."""

    def __init__(self, draw: st.DrawFn, rng: np.random.Generator, special: bool) -> None:
        self.draw, self.rng, self.special = draw, rng, special
        self.lines: list[str] = []
        self.values: list[Value] = []
        self.arguments: list[Value] = []
        self.args: list[np.ndarray] = []

    def pick(self, *choices: object) -> object:
        return self.draw(st.sampled_from(choices))

    def size(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def add(self, shape: Sequence[int], text: str, operands: Sequence[Value], tail: str = "") -> Value:
        """Append a line; `text` has the operation up to its operands' types."""
        name = f"%v{len(self.lines)}"
        types = ", ".join(tensor(shape) for _, shape in operands)
        self.lines.append(f"{name} = {text} : ({types}) -> {tensor(shape)}{tail}")
        self.values.append((name, tuple(shape)))
        return self.values[-1]

    def argument(self, shape: Sequence[int]) -> Value:
        value = f"%a{len(self.arguments)}", tuple(shape)
        self.arguments.append(value)
        self.args.append(numbers(self.rng, tuple(shape), self.special))
        self.values.append(value)
        return value

    def constant(self, x: np.ndarray) -> Value:
        name, data = f"%c{len(self.lines)}", x.tobytes().hex().upper()
        self.lines.append(f'{name} = stablehlo.constant dense<"0x{data}"> : {tensor(x.shape)}')
        return name, x.shape

    def operand(self, shape: Sequence[int], constant: bool) -> Value:
        if not constant:
            return self.argument(shape)
        return self.constant(numbers(self.rng, tuple(shape), False))

    def elementwise(self, x: Value) -> None:
        same = [value for value in self.values if value[1] == x[1]]
        y = self.draw(st.sampled_from(same))
        name = self.pick(*BINARY)
        self.add(x[1], f"stablehlo.{name} {x[0]}, {y[0]}", [x, y])

    def unary(self, x: Value) -> None:
        self.add(x[1], f"stablehlo.{self.pick(*UNARY)} {x[0]}", [x])

    def clamp(self, x: Value) -> None:
        low, high = (self.constant(np.float32(end)) for end in (-0.5, 0.75))
        self.add(x[1], f"stablehlo.clamp {low[0]}, {x[0]}, {high[0]}", [low, x, high])

    def bias(self, x: Value) -> None:
        d = self.size(0, len(x[1]) - 1)
        bias = self.operand([x[1][d]], bool(self.pick(True, False)))
        wide = self.add(x[1], f"stablehlo.broadcast_in_dim {bias[0]}, dims = [{d}]", [bias])
        self.add(x[1], f"stablehlo.add {x[0]}, {wide[0]}", [x, wide])

    def transpose(self, x: Value) -> None:
        order = self.draw(st.permutations(range(len(x[1]))))
        self.add([x[1][d] for d in order], f"stablehlo.transpose {x[0]}, dims = {[*order]}", [x])

    def reshape(self, x: Value) -> None:
        shape = self.pick((prod(x[1]),), (*x[1][:-2], prod(x[1][-2:])), (1, *x[1]))
        self.add(shape, f"stablehlo.reshape {x[0]}", [x])  # type: ignore[arg-type]

    def slice(self, x: Value) -> None:
        parts, shape = [], []
        for n in x[1]:
            start, step = self.size(0, n - 1), self.size(1, 2)
            parts.append(f"{start}:{n}:{step}")
            shape.append(-(-(n - start) // step))
        self.add(shape, f"stablehlo.slice {x[0]} [{', '.join(parts)}]", [x])

    def concatenate(self, x: Value) -> None:
        d = self.size(0, len(x[1]) - 1)
        shape = [n * 2 if k == d else n for k, n in enumerate(x[1])]
        self.add(shape, f"stablehlo.concatenate {x[0]}, {x[0]}, dim = {d}", [x, x])

    def reverse(self, x: Value) -> None:
        dimensions = sorted(self.draw(st.sets(st.integers(0, len(x[1]) - 1))))
        self.add(x[1], f"stablehlo.reverse {x[0]}, dims = {dimensions}", [x])

    def pad(self, x: Value) -> None:
        edges = [(self.size(-1, 2), self.size(0, 2), self.size(0, 1)) for _ in x[1]]
        shape = [n + low + high + (n - 1) * inner for n, (low, high, inner) in zip(x[1], edges, strict=True)]
        if min(shape) < 1:
            return
        value = self.constant(np.float32(self.pick(0.0, -0.0, np.nan)))
        low, high, inner = ([*column] for column in zip(*edges, strict=True))
        text = f"stablehlo.pad {x[0]}, {value[0]}, low = {low}, high = {high}, interior = {inner}"
        self.add(shape, text, [x, value])

    def gather(self, x: Value) -> None:
        d, n = self.size(0, len(x[1]) - 1), self.size(1, 4)
        rows = [self.size(-1, x[1][d]) for _ in range(n)]  # some beyond: they are clamped
        name = f"%i{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.constant dense<{[[row] for row in rows]}> : tensor<{n}x1xi64>")
        sizes = [1 if k == d else size for k, size in enumerate(x[1])]
        offsets = [k for k in range(len(x[1])) if k != d]
        text = f""""stablehlo.gather"({x[0]}, {name}) {{dimension_numbers = #stablehlo.gather<
    offset_dims = {offsets}, collapsed_slice_dims = [{d}], start_index_map = [{d}], index_vector_dim = 1>,
    slice_sizes = array<i64: {", ".join(map(str, sizes))}>}} : ({tensor(x[1])}, tensor<{n}x1xi64>)"""
        shape = [n if k == d else size for k, size in enumerate(x[1])]
        self.lines.append(f"%v{len(self.lines)} = {text} -> {tensor(shape)}")
        self.values.append((f"%v{len(self.lines) - 1}", tuple(shape)))

    def batch_norm(self, x: Value) -> None:
        d = self.size(0, len(x[1]) - 1)
        vectors = [self.operand([x[1][d]], bool(self.pick(True, False))) for _ in range(4)]
        names = ", ".join(name for name, _ in (x, *vectors))
        attributes = f"epsilon = 0.001 : f32, feature_index = {d} : i64"
        self.add(x[1], f'"stablehlo.batch_norm_inference"({names}) {{{attributes}}}', [x, *vectors])

    def reduce(self, x: Value) -> None:
        dimensions = sorted(self.draw(st.sets(st.integers(0, len(x[1]) - 1))))
        shape = [n for d, n in enumerate(x[1]) if d not in dimensions]
        init = self.constant(np.float32(self.pick(0.0, -0.0, 1.0)))
        name = self.pick(*FOLDED)
        text = f"stablehlo.reduce({x[0]} init: {init[0]}) applies stablehlo.{name}"
        text += f" across dimensions = {dimensions}"
        self.add(shape, text, [x, init])

    def window(self, x: Value) -> None:
        rank = len(x[1])
        window, strides, base, dilation = ([self.size(1, most) for _ in range(rank)] for most in (2, 2, 2, 2))
        edges = [[self.size(-1, 2), self.size(0, 2)] for _ in range(rank)]
        shape = _windows(x[1], window, strides, base, dilation, edges)
        if min(shape, default=1) < 1:
            return
        init = self.constant(np.float32(self.pick(0.0, -1.0)))
        arrays = {
            "window_dimensions": window,
            "window_strides": strides,
            "base_dilations": base,
            "window_dilations": dilation,
        }
        attributes = ", ".join(f"{name} = array<i64: {', '.join(map(str, x))}>" for name, x in arrays.items())
        padding = f"padding = dense<{edges}> : tensor<{rank}x2xi64>"
        name = self.pick(*FOLDED)
        body = f"""({{
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = stablehlo.{name} %p, %q : tensor<f32>
      stablehlo.return %r : tensor<f32>
  }}) {{{attributes}, {padding}}}"""
        self.add(shape, f'"stablehlo.reduce_window"({x[0]}, {init[0]}) {body}', [x, init])

    def dot(self, x: Value) -> None:
        rank = len(x[1])
        order = self.draw(st.permutations(range(rank)))
        batch = self.size(0, max(0, rank - 2))
        summed = self.size(0, rank - batch)
        batches, contracted = [*order[:batch]], [*order[batch : batch + summed]]
        n = self.size(1, 40)
        dims = [("b", d) for d in batches] + [("k", d) for d in contracted] + [("n", None)]
        places = self.draw(st.permutations(range(len(dims))))
        shape = [n if dims[p][1] is None else x[1][dims[p][1]] for p in places]  # type: ignore[index]
        at = {dims[p]: k for k, p in enumerate(places)}
        y = self.operand(shape, bool(self.pick(True, False)))
        free = [d for d in range(rank) if d not in (*batches, *contracted)]
        result = [x[1][d] for d in (*batches, *free)] + [n]
        text = f"stablehlo.dot_general {x[0]}, {y[0]}"
        if batches:
            text += f", batching_dims = {batches} x {[at['b', d] for d in batches]}"
        text += f", contracting_dims = {contracted} x {[at['k', d] for d in contracted]}"
        self.add(result, text, [x, y])

    def convolution(self, x: Value) -> None:
        rank = len(x[1])
        if rank < 3:
            return
        order = self.draw(st.permutations(range(rank)))  # batch, feature, spatial
        features = x[1][order[1]]
        groups = self.pick(*[g for g in range(1, features + 1) if features % g == 0])
        assert isinstance(groups, int)
        outputs = groups * self.size(1, 20 if groups == 1 else 3)
        kernel, strides, base, dilation = (
            [self.size(1, most) for _ in range(rank - 2)] for most in (3, 2, 2, 2)
        )
        edges = [[self.size(-1, 2), self.size(0, 2)] for _ in range(rank - 2)]
        spatial = _windows([x[1][d] for d in order[2:]], kernel, strides, base, dilation, edges)
        if min(spatial, default=1) < 1:
            return
        of_kernel, of_result = (self.draw(st.permutations(range(rank))) for _ in range(2))
        shape = _placed([features // groups, outputs, *kernel], of_kernel)
        result = _placed([x[1][order[0]], outputs, *spatial], of_result)
        w = self.operand(shape, bool(self.pick(True, True, False)))
        letters = lambda first, second, places: (
            "[" + ", ".join(_placed([first, second, *map(str, range(rank - 2))], places)) + "]"
        )
        numbers = f"{letters('b', 'f', order)}x{letters('i', 'o', of_kernel)}->{letters('b', 'f', of_result)}"
        turned = [bool(self.pick(False, True)) for _ in kernel]
        window = (
            f"stride = {strides}, pad = {edges}, lhs_dilate = {base}, rhs_dilate = {dilation}, "
            f"reverse = {str(turned).lower()}"
        )
        attributes = f"{{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}"
        text = f"stablehlo.convolution({x[0]}, {w[0]}) dim_numbers = {numbers}"
        text += f", window = {{{window}}} {attributes}"
        self.add(result, text, [x, w])


def _placed(of: Sequence[object], places: Sequence[int]) -> list[object]:  # type: ignore[type-arg]
    found: list[object] = [None] * len(of)
    for x, place in zip(of, places, strict=True):
        found[place] = x
    return found


def _windows(
    shape: Sequence[int],
    window: Sequence[int],
    strides: Sequence[int],
    base: Sequence[int],
    dilation: Sequence[int],
    edges: Sequence[Sequence[int]],
) -> list[int]:
    rows = zip(shape, window, strides, base, dilation, edges, strict=True)
    return [
        ((n - 1) * b + 1 + sum(edge) - ((w - 1) * d + 1)) // s + 1
        if (n - 1) * b + 1 + sum(edge) >= (w - 1) * d + 1
        else 0
        for n, w, s, b, d, edge in rows
    ]


STEPS: tuple[Callable[[Chain, Value], None], ...] = (
    Chain.elementwise,
    Chain.unary,
    Chain.clamp,
    Chain.bias,
    Chain.transpose,
    Chain.reshape,
    Chain.slice,
    Chain.concatenate,
    Chain.reverse,
    Chain.pad,
    Chain.gather,
    Chain.batch_norm,
    Chain.reduce,
    Chain.window,
    Chain.dot,
    Chain.convolution,
)


@st.composite
def taped(draw: st.DrawFn, step: Callable[[Chain, Value], None] | None = None) -> Program:
    """Return a program of up to ten steps, whose values are used again and again, and some arguments.

    step: one that is taken more often than others.
    """
    chain = Chain(draw, np.random.default_rng(draw(st.integers(0, 2**20))), draw(st.booleans()))
    rank = draw(st.sampled_from((3, 4, 2)))
    chain.argument([draw(st.sampled_from((3, 2, 1, 5, 9, 17))) for _ in range(rank)])
    for _ in range(draw(st.integers(1, 10))):
        few = [value for value in chain.values if value[1] and prod(value[1]) < 6000]
        if not few:
            break
        x = draw(st.sampled_from(few))
        (step if step and draw(st.booleans()) else draw(st.sampled_from(STEPS)))(chain, x)
    results = draw(st.lists(st.sampled_from(chain.values), min_size=1, max_size=3))
    results.append(chain.values[-1])
    types = ", ".join(tensor(shape) for _, shape in results)
    arguments = ", ".join(f"{name}: {tensor(shape)}" for name, shape in chain.arguments)
    lines = "\n  ".join(chain.lines)
    text = f"""func.func @main({arguments}) -> ({types}) {{
  {lines}
  return {", ".join(name for name, _ in results)} : {types}
}}"""
    return Program(interp.load(text), chain.args)
