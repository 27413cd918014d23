"""Products of matrices that take their scales as operands: `xla.scaled_dot` and `__op$block_scaled_dot`.

JAX writes the first as a composite, whose decomposition is its meaning as declared. Of the second, a custom
call, XLA alone says what it means (block_scaling_rewriter): elements and scales are converted to the result's
type and multiplied there, and so are the products and the global scale. It is read as a composite with that
decomposition, so that every question can be asked about it.

In the integer reading both are sums by blocks: `by_blocks` writes them in plain operations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.loading.writer import Writer
from spec.accumulator import INTEGER
from spec.attributes import Symbol
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value, nested_ops
from spec.types import ELEMENT_TYPES, ElementType, TensorType, integer

CALL, COMPOSITE = "__op$block_scaled_dot", "xla.scaled_dot"
OURS = "interp.block_scaled_dot"  # a composite's name, which has a namespace
F32, F64 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["f64"]
BY_BLOCKS = "interp.by_blocks"  # an attribute of the calls that the integer reading makes
EXACT = 53  # bits of f64, in which the sum of a block times both scales is exact
Dimensions = tuple[tuple[int, ...], tuple[int, ...]]  # of lhs and of rhs


class Numbers(NamedTuple):
    """Dimensions of lhs and rhs that are contracted, and those that are batches."""

    contracting: Dimensions
    batching: Dimensions


def as_composites(module: Module) -> Module:
    """Return the module with a composite, and its decomposition, for each call of `CALL`."""
    if not any(_is_call(op) for op in module.ops()):
        return module
    return replace_ops(module, _is_call, _declare)


def by_blocks(module: Module) -> Module:
    """Return the module in which products with scales as operands are summed by blocks.

    Within a block, integers are added in i32, and floats in f32; the sum is multiplied by both scales, with
    one rounding to the result's type, in which blocks are added.
    """
    if not any(_is_scaled_dot(op) for op in module.ops()):
        return module
    return replace_ops(module, _is_scaled_dot, _call_blocks)


def in_reading(module: Module, reading: object) -> Module:
    """Return the program that a reading, or its name, runs: in the integer reading, `by_blocks`."""
    is_integer = reading == INTEGER or getattr(reading, "is_integer", False)
    return by_blocks(module) if is_integer else module


def _is_call(op: Op) -> bool:
    return op.name == "stablehlo.custom_call" and op.attributes.get("call_target_name") == CALL


def _is_scaled_dot(op: Op) -> bool:
    return op.name == "stablehlo.composite" and op.attributes.get("name") in (OURS, COMPOSITE)


Replace = Callable[[Op, str], tuple[Op, Func]]


def replace_ops(module: Module, concerns: Callable[[Op], bool], new: Replace) -> Module:
    """Return the module with another operation, which calls a new function, for each one concerned."""
    functions = dict(module.functions)

    def region(old: Region) -> Region:
        return replace(old, ops=tuple(map(operation, old.ops)))

    def operation(op: Op) -> Op:
        if not concerns(op):
            return replace(op, regions=tuple(map(region, op.regions))) if op.regions else op
        names = (f"scaled_dot.{k}" for k in range(len(functions) + 1))
        name = next(name for name in names if name not in functions)
        made, functions[name] = new(op, name)
        return made

    for name, function in module.functions.items():
        if any(concerns(op) for op in nested_ops(function.body)):
            functions[name] = replace(function, body=region(function.body))
    return replace(module, functions=functions)


# The meaning of `__op$block_scaled_dot` as declared.


def _declare(op: Op, name: str) -> tuple[Op, Func]:
    """Return the composite for a custom call, and its decomposition."""
    lhs, _, *scales = op.operands
    if len(op.results) != 1 or not 1 <= len(scales) <= 3 or not 2 <= lhs.type.rank <= 3:
        evidence = "expected lhs, rhs, scales of lhs, and perhaps of rhs, and one for all; of rank 2 or 3"
        raise Malformed(f"custom_call @{CALL} of {len(op.operands)} operands", evidence, op.location)
    arguments = tuple(Value(f"%arg{k}", x.type) for k, x in enumerate(op.operands))
    writer = Writer({x.name for x in arguments}, location=op.location, hint="v")
    size = _block_size(op)
    real = op.result.type.tensor_element_type
    sides = []
    for k, x in enumerate(arguments[:2]):
        side = _convert(writer, x, real)
        if k + 2 < len(arguments):
            scale = _convert(writer, arguments[k + 2], real)
            side = writer.emit("multiply", [side, _expand(writer, scale, x.type, size, op)], side.type)
        sides.append(side)
    result = writer.emit("dot_general", sides, op.result.type, **_dot_attributes(numbers_of(op)))
    if len(arguments) == 5:
        spread = writer.emit("broadcast_in_dim", arguments[4:], result.type, broadcast_dimensions=())
        result = writer.emit("multiply", [result, spread], result.type)
    attributes = {"name": OURS, "decomposition": Symbol(name)}
    composite = Op("stablehlo.composite", op.operands, op.results, attributes, (), op.location)
    return composite, function_of(name, arguments, writer, result)


def numbers_of(op: Op) -> Numbers:
    """Return the dimensions: those of a composite's attribute, or the last and, of rank 3, the first."""
    text = repr(op.attributes.get("composite_attributes", ""))
    if found := re.search(r"dimension_numbers = (\[[\[\]\d, ]*\])", text):
        contracting, batching = json.loads(found[1])
        return Numbers(tuple(map(tuple, contracting)), tuple(map(tuple, batching)))  # type: ignore[arg-type]
    rank = op.operands[0].type.rank
    return Numbers(((rank - 1,),) * 2, (tuple(range(rank - 2)),) * 2)


def _block_size(op: Op) -> int | None:
    """Return the block size that the call's configuration gives, or None."""
    text = op.attributes.get("backend_config", "")
    try:
        known = json.loads(text) if isinstance(text, str) and text else {}
        size = known.get("block_scaled_dot_backend_config", {}).get("block_size")
    except (ValueError, AttributeError):
        return None
    return int(size) if size else None


def _dot_attributes(numbers: Numbers) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for k, side in enumerate(("lhs", "rhs")):
        found[f"{side}_batching_dimensions"] = numbers.batching[k]
        found[f"{side}_contracting_dimensions"] = numbers.contracting[k]
    return found


def _convert(writer: Writer, x: Value, element: ElementType) -> Value:
    same = x.type.element_type == element
    return x if same else writer.emit("convert", [x], TensorType(x.type.shape, element))


def _expand(writer: Writer, scale: Value, type: TensorType, size: int | None, op: Op) -> Value:
    """Return scales for every element along the last dimension; surplus ones of a padded table are cut."""
    *rows, blocks = scale.type.shape
    columns = type.shape[-1]
    size = size or columns // max(blocks, 1)
    if len(rows) + 1 != type.rank or blocks * size < columns or any(map(int.__lt__, rows, type.shape)):
        evidence = f"expected a scale for each block of the last dimension of {type!r}, got {scale.type!r}"
        raise Malformed(f"scales of @{CALL} do not fit", evidence, op.location)
    element = scale.type.element_type
    wide = TensorType((*rows, blocks, size), element)
    each = writer.emit("broadcast_in_dim", [scale], wide, broadcast_dimensions=tuple(range(type.rank)))
    flat = writer.emit("reshape", [each], TensorType((*rows, blocks * size), element))
    if flat.type.shape == type.shape:
        return flat
    first, steps, short = (0,) * type.rank, (1,) * type.rank, TensorType(type.shape, element)
    return writer.emit("slice", [flat], short, start_indices=first, limit_indices=type.shape, strides=steps)


def function_of(name: str, arguments: tuple[Value, ...], writer: Writer, result: Value) -> Func:
    ops = (*writer.ops, Op("func.return", (result,), ()))
    return Func(name, Region(arguments, ops), (result.type,), False, writer.location)


# Sums by blocks.


def _call_blocks(op: Op, name: str) -> tuple[Op, Func]:
    """Return a call of a function that sums by blocks, and the function."""
    arguments = tuple(Value(f"%arg{k}", x.type) for k, x in enumerate(op.operands))
    writer = Writer({x.name for x in arguments}, location=op.location, hint="v")
    blocks = _Blocks(writer, op, arguments, numbers_of(op))
    result = blocks.total(blocks.times_scales(blocks.sums()))
    call = Op(
        "func.call", op.operands, op.results, {"callee": Symbol(name), BY_BLOCKS: True}, (), op.location
    )
    return call, function_of(name, arguments, writer, result)


class _Blocks(NamedTuple):
    """A product of matrices whose contracted dimension is cut into blocks of one pair of scales each."""

    writer: Writer
    op: Op
    arguments: tuple[Value, ...]
    numbers: Numbers

    @property
    def size(self) -> int:
        """The number of elements of a block; `Unsupported` where blocks of both sides do not fit."""
        (lhs, *more), _ = self.numbers.contracting
        columns = self.arguments[0].type.shape[lhs]
        if more or not columns:
            advice = 'expected one contracted dimension with elements: use reading="dequantize"'
            raise Unsupported("a scaled dot by blocks of several dimensions", advice, self.op.location)
        sizes = [columns // x.type.shape[self.numbers.contracting[k][0]] for k, x in enumerate(self.scales)]
        size = gcd(*sizes)
        if any(columns % each for each in sizes) or size not in sizes:
            advice = f"expected one block size to divide the other and {columns}, got {sizes}"
            raise Unsupported("a scaled dot whose blocks do not fit", advice, self.op.location)
        return size

    @property
    def scales(self) -> tuple[Value, ...]:
        return self.arguments[2:4]

    def sums(self) -> Value:
        """Return the sum of each block: [batch, block, free dimensions of lhs, and of rhs]."""
        sides, batching, contracting, shape = [], [], [], list[int]()
        for k, x in enumerate(self.arguments[:2]):
            (d,), batches = self.numbers.contracting[k], self.numbers.batching[k]
            sizes = x.type.shape
            cut = (*sizes[:d], sizes[d] // self.size, self.size, *sizes[d + 1 :])
            element = x.type.element_type
            sides.append(self.writer.emit("reshape", [x], TensorType(cut, element)))
            place = lambda i, d=d: i if i <= d else i + 1
            batching.append((*map(place, batches), d))
            contracting.append((d + 1,))
            if k == 0:
                shape += [cut[i] for i in batching[0]]
            shape += [n for i, n in enumerate(cut) if i not in (*batching[k], d + 1)]
        numbers = Numbers((contracting[0], contracting[1]), (batching[0], batching[1]))
        type = TensorType(tuple(shape), self._accumulator())
        return self.writer.emit("dot_general", sides, type, **_dot_attributes(numbers))

    def _accumulator(self) -> ElementType:
        elements = [x.type.tensor_element_type for x in self.arguments[:2]]
        if all(element.is_integer for element in elements):
            return integer(32, True)
        return F64 if F64 in elements else F32

    def times_scales(self, sums: Value) -> Value:
        """Return sums times both scales, rounded once to the result's type."""
        element, real = sums.type.tensor_element_type, self.op.result.type.tensor_element_type
        digits = [31 if element.is_integer else element.precision]
        digits += [x.type.tensor_element_type.precision for x in self.scales]
        if sum(digits) > EXACT:
            advice = f'their {sum(digits)} bits exceed the {EXACT} of f64: use reading="dequantize"'
            raise Unsupported("a scaled dot by blocks with scales of many bits", advice, self.op.location)
        product = _convert(self.writer, sums, F64)
        for k, scale in enumerate(self.scales):
            spread = self._spread(k, _convert(self.writer, scale, F64), product.type)
            product = self.writer.emit("multiply", [product, spread], product.type)
        return _convert(self.writer, product, real)

    def _spread(self, k: int, scale: Value, type: TensorType) -> Value:
        """Return scales of operand k, one for each sum of a block."""
        (d,), batches = self.numbers.contracting[k], self.numbers.batching[k]
        sizes = scale.type.shape
        blocks = type.shape[len(batches)]
        if (times := blocks // sizes[d]) > 1:
            wide = TensorType((*sizes[: d + 1], times, *sizes[d + 1 :]), F64)
            places = tuple(i if i <= d else i + 1 for i in range(len(sizes)))
            scale = self.writer.emit("broadcast_in_dim", [scale], wide, broadcast_dimensions=places)
            scale = self.writer.emit(
                "reshape", [scale], TensorType((*sizes[:d], blocks, *sizes[d + 1 :]), F64)
            )
        free = [i for i in range(len(sizes)) if i not in (*batches, d)]
        first = len(batches) + 1 if k == 0 else type.rank - len(free)
        where = {**{i: j for j, i in enumerate(batches)}, d: len(batches)}
        where |= {i: first + j for j, i in enumerate(free)}
        places = tuple(where[i] for i in range(len(sizes)))
        order = tuple(sorted(range(len(sizes)), key=places.__getitem__))
        turned = TensorType(tuple(scale.type.shape[i] for i in order), F64)
        if order != tuple(range(len(sizes))):
            scale = self.writer.emit("transpose", [scale], turned, permutation=order)
        return self.writer.emit("broadcast_in_dim", [scale], type, broadcast_dimensions=tuple(sorted(places)))

    def total(self, terms: Value) -> Value:
        """Return the sums over blocks in the result's type, times the scale for all if there is one."""
        type, batches = self.op.result.type, len(self.numbers.batching[0])
        scalar = TensorType((), type.element_type)
        zero = self.writer.constant(np.zeros((), numpy_dtype(type.storage_type)), scalar)
        a, b, c = (Value(f"%{label}", scalar) for label in ("lhs", "rhs", "sum"))
        body = Region((a, b), (Op("stablehlo.add", (a, b), (c,)), Op("stablehlo.return", (c,), ())))
        result = self.writer.emit("reduce", [terms, zero], type, (body,), dimensions=(batches,))
        for scale in self.arguments[4:]:
            spread = self.writer.emit("broadcast_in_dim", [scale], type, broadcast_dimensions=())
            result = self.writer.emit("multiply", [result, spread], type)
        return result
