"""Algorithms of dot_general that split their operands: three, six or nine products of parts.

The specification names them, and does not say what they compute; XLA's rewriter for GPUs does
(dot_algorithm_rewriter), and is written here as a composite's decomposition (erratum E48): the high part
of a number, and the middle one, are its leading bits, the rest is rounded. Each product of parts is a dot of
its own with sums in f32; they are added from the smallest to the largest. What is NaN before the largest
comes, since infinity minus infinity is, becomes 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.loading.scaled_dots import function_of, replace_ops
from interp.loading.writer import Writer
from spec.attributes import ALGORITHM, Symbol
from spec.ir import Func, Module, Op, Value
from spec.op_attributes import COUNTS, TF32, has_algorithm
from spec.types import ELEMENT_TYPES, ElementType, TensorType, integer

BF16, F32, I1 = (ELEMENT_TYPES[name] for name in ("bf16", "f32", "i1"))
WORD = integer(32, False)
MASKS = {BF16.name: 0xFFFF0000, TF32: 0xFFFFE000}  # of the leading bits of f32
# Pairs of parts (high, middle, low) in the order in which their products are added, before high by high.
TERMS = {
    3: "lh hl",
    6: "mm hl lh hm mh",
    9: "ll lm ml mm hl lh hm mh",
}


def as_decompositions(module: Module) -> Module:
    """Return the module with a composite, and its decomposition, for each algorithm of several products."""
    if not any(_is_split(op) for op in module.ops()):
        return module
    return replace_ops(module, _is_split, _decompose)


def _is_split(op: Op) -> bool:
    """Return whether an algorithm is one of these, on f32: in bf16 any of them, in tf32 that of three."""
    if op.name != "stablehlo.dot_general" or not has_algorithm(op):
        return False
    lhs, rhs, accumulator, *counts = (op.attributes.get(name) for name in ALGORITHM[:6])
    plain = all(value.type.element_type == F32 for value in (*op.operands, *op.results))
    if not plain or lhs != rhs or accumulator != F32 or counts[:2] != [1, 1]:
        return False
    products = {BF16.name: (3, 6, 9), TF32: (3,)}
    return counts[2] in products.get(getattr(lhs, "name", ""), ())


def _decompose(op: Op, name: str) -> tuple[Op, Func]:
    """Return the composite for a dot_general, and its decomposition."""
    arguments = tuple(Value(f"%arg{k}", x.type) for k, x in enumerate(op.operands))
    writer = Writer({x.name for x in arguments}, location=op.location, hint="v")
    count, type = op["num_primitive_operations"], op["lhs_precision_type"]
    sides = [_Parts(writer, x, type).split(2 if count == 3 else 3) for x in arguments]
    attributes = {key: x for key, x in op.attributes.items() if key not in (*ALGORITHM, "algorithm")}
    if type.name == TF32:
        attributes |= {key: op[key] for key in ALGORITHM} | dict.fromkeys(COUNTS, 1)
    real = op.result.type
    product = lambda pair: writer.emit("dot_general", [s[p] for s, p in zip(sides, pair)], real, **attributes)  # noqa: B905
    first, *others = map(product, TERMS[count].split())
    total = first
    for term in others:
        total = writer.emit("add", [total, term], real)
    total = writer.emit("add", [_without_nan(writer, total), product("hh")], real)
    composite = {"name": f"interp.dot_{type.name}_x{count}", "decomposition": Symbol(name)}
    made = Op("stablehlo.composite", op.operands, op.results, composite, (), op.location)
    return made, function_of(name, arguments, writer, total)


def _without_nan(writer: Writer, x: Value) -> Value:
    """Return x with 0 in place of NaN."""
    truth = TensorType(x.type.shape, I1)
    is_number = writer.emit("compare", [x, x], truth, comparison_direction="EQ", compare_type="FLOAT")
    zero = writer.constant(np.broadcast_to(np.float32(0), x.type.shape), x.type)
    return writer.emit("select", [is_number, x, zero], x.type)


class _Parts(NamedTuple):
    """The parts of an operand: leading bits, and the rest, rounded to the precision type."""

    writer: Writer
    operand: Value
    type: ElementType

    def split(self, count: int) -> dict[str, Value]:
        """Return the parts by their letter; of two, the second is the low one."""
        letters: Sequence[str] = "hl" if count == 2 else "hml"
        rest, found = self.operand, {}
        for letter in letters[:-1]:
            part = self._leading_bits(rest)
            found[letter] = self._round(part)
            rest = self.writer.emit("subtract", [rest, part], rest.type)
        return {**found, letters[-1]: self._round(rest)}

    def _leading_bits(self, x: Value) -> Value:
        word = TensorType(x.type.shape, WORD)
        bits = self.writer.emit("bitcast_convert", [x], word)
        mask = np.broadcast_to(np.uint32(MASKS[self.type.name]), x.type.shape)
        high = self.writer.emit("and", [bits, self.writer.constant(mask, word)], word)
        return self.writer.emit("bitcast_convert", [high], x.type)

    def _round(self, x: Value) -> Value:
        """Return a part in bf16; in tf32 it stays f32, and the dot rounds it."""
        if self.type.name == TF32:
            return x
        return self.writer.emit("convert", [x], TensorType(x.type.shape, BF16))
