"""Quantization and conversions on a tape, and which operations it has for quantized elements and integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY
from interp.engine.quant import dequantize as storage_to_reals
from interp.engine.quant import round_parameters, spread
from interp.speed.tape import (
    F32,
    WORD,
    Array,
    Tape,
    keep_as,
    layout,
    write_as,
    write_elementwise,
)
from interp.speed.taped_integers import (
    WHOLE,
    Bounds,
    dtype_of,
    is_quantized,
    is_whole,
    leaves_no_type,
    lie_within,
    type_bounds,
)
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, is_tensor

SINGLE, I32 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["i32"]
Kept = Sequence[Bounds | None]  # the bounds of the operands, None for floats


class Task(NamedTuple):
    """An operation to write: its operands, which of them never change, and its function in Python.

    dtype: of its result. bounds: those of its operands. spare: the first operand's array may be written to.
    """

    op: Op
    operands: Sequence[Array]
    constants: Sequence[bool]
    function: Callable[..., Any]
    dtype: np.dtype = F32
    bounds: Kept = ()
    spare: bool = False


# Quantization: see `engine.quant`.


def _parameter(tape: Tape, values: Sequence[Any], dtype: np.dtype, type: QuantizedType, shape: Any) -> Array:
    """Return scales or zero points in an array that repeats them along the other dimensions."""
    tape.keep.append(np.array(spread(NUMPY, tuple(values), dtype, type, shape)))
    return np.broadcast_to(tape.keep[-1], shape)


def quantize(tape: Tape, x: Array, type: QuantizedType) -> Array:
    """Write the storage of numbers of f32."""
    rounded, shape = round_parameters(type), x.shape
    scale = _parameter(tape, rounded.scales, F32, type, shape)
    zero_point = _parameter(tape, rounded.zero_points, F32, type, shape)
    low, high = type.storage_min, type.storage_max
    if not is_whole((low, high)):
        out = tape.array(shape, layout(x), WORD)
        write_elementwise(tape, "quantize_word", out, x, scale, zero_point)
        return out
    ends = np.array([low, high, min(max(0, low), high)], F32)
    tape.keep.append(ends)
    out = tape.array(shape, layout(x))
    singles = [np.broadcast_to(ends[k : k + 1].reshape(()), shape) for k in range(3)]
    write_elementwise(tape, "quantize", out, x, scale, zero_point, *singles)
    return out


def dequantize(tape: Tape, x: Array, type: QuantizedType) -> Array:
    """Write the numbers of f32 that a storage stands for."""
    out = tape.array(x.shape, layout(x))
    scale = _parameter(tape, round_parameters(type).scales, F32, type, x.shape)
    wide = x.dtype == WORD or not _is_small(type)
    if wide:
        x = keep_as(tape, x, WORD)
    zero_point = _parameter(tape, type.zero_points, WORD if wide else F32, type, x.shape)
    write_elementwise(tape, "dequantize_word" if wide else "dequantize", out, x, zero_point, scale)
    return out


def _is_small(type: QuantizedType) -> bool:
    """Return whether the difference of a storage and a zero point is exact in f32."""
    ends = type.storage_min, type.storage_max, *type.zero_points
    return max(ends) - min(ends) <= WHOLE


def uniform_quantize(tape: Tape, task: Task) -> Array:
    (x,), source = task.operands, task.op.operand.type.element_type
    if isinstance(source, QuantizedType):
        x = tape.temporary(dequantize(tape, x, source))
    return quantize(tape, x, task.op.result.type.quantized_element_type)


def uniform_dequantize(tape: Tape, task: Task) -> Array:
    return dequantize(tape, task.operands[0], task.op.operand.type.quantized_element_type)


def through_floats(write: Callable[[Tape, Task], Array]) -> Callable[[Tape, Task], Array]:
    """Return how to write an operation where operands or results are quantized, too."""

    def write_it(tape: Tape, task: Task) -> Array:
        types = [v.type.element_type for v in task.op.operands]
        result = task.op.result.type.element_type
        if not any(isinstance(type, QuantizedType) for type in (*types, result)):
            return write(tape, task)
        operands = [_real(tape, *each) for each in zip(task.operands, types, task.constants, strict=True)]
        y = write(tape, task._replace(operands=operands, dtype=F32, bounds=[None] * len(types)))
        return quantize(tape, tape.temporary(y), result) if isinstance(result, QuantizedType) else y

    return write_it


def _real(tape: Tape, x: Array, type: Any, is_constant: bool) -> Array:
    if not isinstance(type, QuantizedType):
        return x
    if is_constant:
        real = storage_to_reals(NUMPY, x.astype(NUMPY.carrier(type.storage_type)), type)
        tape.keep.append(np.asarray(real))  # of one number NumPy returns no array, whose address would last
        return tape.keep[-1]
    return tape.temporary(dequantize(tape, x, type))


# Conversions and choices.


def convert(tape: Tape, task: Task) -> Array:
    (x,), source = task.operands, task.op.operand.type.element_type
    if source == SINGLE and task.op.result.type.element_type != SINGLE:
        out = tape.array(x.shape, layout(x), WORD)
        write_elementwise(tape, "saturated_word", out, x)
        return out
    return write_as(tape, x, task.dtype)


def view(tape: Tape, task: Task) -> Array:
    return task.operands[0]


def compare(tape: Tape, task: Task) -> Array:
    words = any(x.dtype == WORD for x in task.operands)
    x, y = (keep_as(tape, x, WORD) if words else x for x in task.operands)
    out = tape.array(x.shape, layout(x))
    name = f"compare_{'words_' * words}{task.op['comparison_direction']}"
    write_elementwise(tape, name, out, x, y)
    return out


def logic(tape: Tape, task: Task) -> Array:
    """Write a function of booleans, which are 0 or 1."""
    name, operands = LOGIC[task.op.name], list(task.operands)
    if name == "subtract":
        tape.keep.append(np.ones((), F32))
        operands.insert(0, np.broadcast_to(tape.keep[-1], operands[0].shape))
    out = tape.array(operands[-1].shape, layout(operands[-1]))
    write_elementwise(tape, name, out, *operands)
    return out


def select(tape: Tape, task: Task) -> Array:
    pred, *values = task.operands
    x, y = (keep_as(tape, value, task.dtype) for value in values)
    out = tape.array(x.shape, layout(x), task.dtype)
    write_elementwise(tape, "select", out, np.broadcast_to(pred, x.shape), x, y)
    return out


# What a tape computes, by the types and bounds of operands.

MOVES = "broadcast_in_dim reshape transpose slice reverse concatenate pad gather"
MOVING = {f"stablehlo.{name}" for name in MOVES.split()}
WHOLE_ELEMENTWISE = {f"stablehlo.{name}" for name in "add subtract multiply maximum minimum clamp".split()}
QUANTIZED = WHOLE_ELEMENTWISE | {"stablehlo.divide", "stablehlo.abs", "stablehlo.negate"}
CHOOSING = "maximum", "minimum"
CONTRACTIONS = {"stablehlo.dot_general", "stablehlo.convolution"}


def takes(op: Op, bounds: Kept, result: Bounds | None, arity: int | None) -> bool:
    """Return whether a tape computes an operation on elements of these types and bounds."""
    values = op.operands[:arity]
    types = [v.type.element_type for v in values]
    to, bounds = op.result.type.element_type, bounds[:arity]
    if any(dtype_of(type, each) is None for type, each in zip((*types, to), (*bounds, result), strict=True)):
        return False
    if all(type == SINGLE for type in (*types, to)):
        return op.name not in BY_TYPE
    if op.name in BY_TYPE:
        return BY_TYPE[op.name](op, types, to, bounds, result)
    if op.name in MOVING:
        return _is_moved(types, to)
    if any(isinstance(type, QuantizedType) for type in (*types, to)):
        computed = op.name in QUANTIZED or op.name in CONTRACTIONS
        return computed and all(type == SINGLE or is_quantized(type) for type in (*types, to))
    if isinstance(to, QuantizedType) or not all(type.is_integer for type in (*types, to)):  # type: ignore[union-attr]
        return False
    if op.name in WHOLE_ELEMENTWISE:
        return to == I32 or (result is not None and leaves_no_type(op, bounds, result))
    return op.name in CONTRACTIONS and _has_exact_products(op, to, bounds)


def _has_exact_products(op: Op, to: ElementType, bounds: Kept) -> bool:
    left, right = (max(map(abs, each)) if each else WHOLE for each in bounds)
    usual = op.name != "stablehlo.convolution" or op["batch_group_count"] == 1
    exact = 0 < left * right <= WHOLE and left <= WHOLE and right <= WHOLE
    return usual and exact and (to == I32 or leaves_no_type(op, bounds, (0, 0)))


def takes_fold(op: Op, body: str | None, bounds: Kept) -> bool:
    """Return whether a tape folds elements of these types: floats, or integers that stay what they are."""
    values = (op.regions[0].arguments[0], *op.operands, *op.results)
    types = {v.type.element_type for v in values if is_tensor(v.type)}
    if body is None or len(types) != 1:
        return False
    (type,) = types
    if any(dtype_of(type, each) is None for each in (*bounds, type_bounds(type))):
        return False
    if type == SINGLE:
        return True
    if isinstance(type, QuantizedType):
        return body in CHOOSING and type.is_per_tensor and is_quantized(type) and _is_small(type)
    return type.is_integer and (type == I32 or body in CHOOSING)


def _is_moved(types: Sequence[Any], to: Any) -> bool:
    """Return whether elements stay what they are: equal but for the dimension of quantization."""
    storage = lambda type: (
        (
            type.storage_type,
            type.scales,
            type.zero_points,
            type.storage_min,
            type.storage_max,
            type.block_sizes,
        )
        if isinstance(type, QuantizedType)
        else type
    )
    return len({storage(type) for type in (*types, to)}) == 1


def _quantizes(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    return is_quantized(to) and (types[0] == SINGLE or is_quantized(types[0]))


def _dequantizes(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    return to == SINGLE and is_quantized(types[0])


def _converts(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    (source,), (ends,) = types, bounds
    if source == SINGLE:
        return to == I32
    if to == SINGLE:
        return True
    limits = type_bounds(to)
    return to.is_integer and lie_within(ends, limits)


def _keeps_bits(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    """Return whether operand and result have one storage type, and the operand what the result may have."""
    storage = [type.storage_type if isinstance(type, QuantizedType) else type for type in (types[0], to)]
    (ends,), limits = bounds, type_bounds(to)
    return storage[0] == storage[1] and lie_within(ends, limits)


def _compares(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    if op.attributes.get("compare_type") == "TOTALORDER" or any(isinstance(t, QuantizedType) for t in types):
        return False
    return types[0].kind != "boolean"


def _is_logical(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    return not isinstance(to, QuantizedType) and to.kind == "boolean"


def _selects(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    return op.operands[0].type.shape in ((), op.result.type.shape) and _is_moved(types[1:], to)


def _slices(op: Op, types: Any, to: Any, bounds: Kept, result: Any) -> bool:
    return _is_moved(types[: len(types) - op.result.type.rank], to)


LOGIC = {
    "stablehlo.and": "minimum",
    "stablehlo.or": "maximum",
    "stablehlo.xor": "compare_NE",
    "stablehlo.not": "subtract",
}
BY_TYPE: dict[str, Callable[..., bool]] = {
    "stablehlo.uniform_quantize": _quantizes,
    "stablehlo.uniform_dequantize": _dequantizes,
    "stablehlo.convert": _converts,
    "stablehlo.bitcast_convert": _keeps_bits,
    "stablehlo.compare": _compares,
    "stablehlo.select": _selects,
    **dict.fromkeys(LOGIC, _is_logical),
    "stablehlo.dynamic_slice": _slices,
    "stablehlo.dynamic_update_slice": _slices,
}
WRITE: dict[str, Callable[[Tape, Task], Array]] = {
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": view,
    "stablehlo.compare": compare,
    "stablehlo.select": select,
    **dict.fromkeys(LOGIC, logic),
}
