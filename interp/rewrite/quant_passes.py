"""Passes of the quant dialect, by MLIR's names: a module in, a module out; `upstream` keeps LLVM's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from sys import float_info
from typing import Any, NamedTuple

import numpy as np

from interp.backends import fl
from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import retype_function
from interp.engine.quant import round_parameters, wrap_whole
from interp.loading.source import RESERVED
from interp.rewrite.float_reference_rules import dense_of
from spec.attributes import Dense
from spec.errors import Unsupported, one_of
from spec.ir import CALLEES, Func, Module, Op, Region, Value
from spec.op_attributes import attribute_or_default, axis_of, bounds
from spec.quantized import storage_range
from spec.rules.verify import refuse_other
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, integer

# `lower-quant-ops`: the casts of the quant dialect as arithmetic of StableHLO, rounded in one of three
# ways.
#
# `nearest` gives the bits of `quant.qcast` and `quant.dcast` here (erratum E16). `affine` rounds before it
# adds the zero point, as MLIR's Quantization.md writes it. `upstream` is LLVM's own lowering: it truncates,
# clamps only explicit bounds and only after the conversion, and cuts zero points to the width of the
# storage.

I64 = ELEMENT_TYPES["i64"]
CASTS = ("quant.qcast", "quant.dcast")
FAR = 2.0**34  # beyond every storage number and its distance from a zero point of 32 bits


@dataclass
class Lowering:
    """Operations in place of one cast, its quantized type and the shape of its values."""

    op: Op
    type: QuantizedType
    shape: tuple[int, ...]
    ops: list[Op] = field(default_factory=list)

    @property
    def real(self) -> ElementType:
        return self.type.expressed_type

    @property
    def storage(self) -> ElementType:
        return self.type.storage_type

    def fresh(self, label: str, type: ElementType, shape: Sequence[int] | None = None) -> Value:
        stem = self.op.result.name.removeprefix("%").replace("#", ".")
        sizes = self.shape if shape is None else tuple(shape)
        return Value(f"%{label}{RESERVED}{len(self.ops)}.{stem}", TensorType(sizes, type))

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type: ElementType,
        shape: Sequence[int] | None = None,
        **attributes: Any,
    ) -> Value:
        """Append an operation of StableHLO, and return its result."""
        result = self.fresh(name, type, shape)
        self.ops.append(Op(f"stablehlo.{name}", tuple(operands), (result,), attributes, (), self.op.location))
        return result

    def splat(self, number: float, type: ElementType) -> Value:
        held = fl(number, type) if type.kind == "float" else number
        data = dense_of(held, TensorType((), type)).data
        value = Dense(TensorType(self.shape, type), data, splat=True)
        return self.emit("constant", (), type, value=value)

    def parameters(self, numbers: Sequence[float], type: ElementType) -> Value:
        """Return scales or zero points in the shape of the values."""
        if self.type.is_per_tensor:
            return self.splat(numbers[0], type)
        sizes = self.type.parameters_shape if self.type.block_sizes is not None else (len(numbers),)
        table = np.asarray(numbers, numpy_dtype(type)).reshape(sizes)
        constant = self.emit(
            "constant", (), type, sizes, value=Dense(TensorType(sizes, type), table.tobytes())
        )
        if self.type.is_per_axis:
            axis = self.type.quantization_dimension
            return self.emit("broadcast_in_dim", [constant], type, broadcast_dimensions=(axis,))
        pairs = [n for size, whole in zip(sizes, self.shape, strict=True) for n in (size, whole // size)]
        dimensions = tuple(range(0, len(pairs), 2))
        blocks = self.emit("broadcast_in_dim", [constant], type, pairs, broadcast_dimensions=dimensions)
        return self.emit("reshape", [blocks], type)

    def both(self, name: str, x: Value, y: Value) -> Value:
        return self.emit(name, [x, y], x.type.tensor_element_type)

    def scale(self) -> Value:
        return self.parameters(round_parameters(self.type).scales, self.real)

    def store(self, x: Value) -> Value:
        """Return storage numbers as the quantized type: `u8` is signless in MLIR."""
        if x.type.tensor_element_type.kind == "unsigned":
            x = self.emit("bitcast_convert", [x], ELEMENT_TYPES[f"i{self.storage.bits}"])
        self.ops.append(Op("quant.scast", (x,), self.op.results, {}, (), self.op.location))
        return self.op.result

    def storage_of(self, x: Value) -> Value:
        """Return the storage numbers of a quantized value."""
        signless = self.fresh("stored", ELEMENT_TYPES[f"i{self.storage.bits}"])
        self.ops.append(Op("quant.scast", (x,), (signless,), {}, (), self.op.location))
        if self.storage.kind == "signed":
            return signless
        return self.emit("bitcast_convert", [signless], self.storage)

    def within(self, x: Value, least: float, most: float) -> Value:
        type = x.type.tensor_element_type
        return self.emit("clamp", [self.splat(least, type), x, self.splat(most, type)], type)


def lower_cast(op: Op, mode: str) -> tuple[Op, ...]:
    """Return the operations in place of a cast."""
    quantizes = op.name == "quant.qcast"
    value = op.result if quantizes else op.operand
    at = Lowering(op, value.type.quantized_element_type, value.type.shape)
    _refuse_storage(at)
    (QCAST if quantizes else DCAST)[mode](at, op.operand)
    return tuple(at.ops)


def _refuse_storage(at: Lowering) -> None:
    signless = not at.type.spelling.startswith(("ui", "si"))
    if f"i{at.storage.bits}" not in ELEMENT_TYPES or at.storage.kind == "float" or not signless:
        advice = "expected signless storage of 2, 4, 8, 16 or 32 bits, as quant.scast takes it"
        raise Unsupported(f"no StableHLO tensor holds the storage of {at.type!r}", advice, at.op.location)
    if at.real.name not in ELEMENT_TYPES:
        raise Unsupported(f"no StableHLO tensor holds {at.real}", f"the type is {at.type!r}", at.op.location)


def _scale(at: Lowering, x: Value) -> Value:
    return at.both("divide", x, at.scale())


def _nearest(at: Lowering, x: Value) -> None:
    """rne(clamp(x / scale + zero_point)), saturating; NaN is 0 in the range."""
    bounds = at.type.storage_min, at.type.storage_max
    moved = at.both("add", _scale(at, x), at.parameters(round_parameters(at.type).zero_points, at.real))
    inside = at.within(moved, *round_parameters(at.type).bounds)
    whole = at.emit("round_nearest_even", [inside], at.real)
    nan = at.emit("compare", [whole, whole], ELEMENT_TYPES["i1"], comparison_direction="NE")
    zero = at.splat(float(min(max(0, bounds[0]), bounds[1])), at.real)
    known = at.emit("select", [nan, zero, whole], at.real)
    at.store(at.within(at.emit("convert", [known], at.storage), *bounds))


def _affine(at: Lowering, x: Value) -> None:
    """clamp(rne(x / scale) + zero_point), the sum exact; NaN is the zero point."""
    bounds = at.type.storage_min, at.type.storage_max
    whole = at.within(at.emit("round_nearest_even", [_scale(at, x)], at.real), -FAR, FAR)
    steps = at.emit("convert", [whole], I64)
    moved = at.within(at.both("add", steps, at.parameters(at.type.zero_points, I64)), *bounds)
    at.store(at.emit("convert", [moved], at.storage))


def _upstream(at: Lowering, x: Value) -> None:
    """convert(x / scale + zero_point), which truncates; then explicit bounds, in the storage type."""
    scaled = _scale(at, x)
    if not at.type.is_per_tensor or _cut(at)[0]:
        scaled = at.both("add", scaled, at.parameters(_cut(at), at.real))
    stored = at.emit("convert", [scaled], at.storage)
    bounds = at.type.storage_min, at.type.storage_max
    at.store(stored if bounds == storage_range(at.storage) else at.within(stored, *bounds))


def _cut(at: Lowering) -> list[int]:
    """Return the zero points in the width of the storage: 300 is 44 in 8 bits."""
    return list(wrap_whole(np.asarray(at.type.zero_points, np.int64), at.storage).tolist())


def _dequantize(at: Lowering, x: Value) -> None:
    """(stored - zero_point) * scale, the difference exact."""
    steps = at.emit("convert", [at.storage_of(x)], I64)
    difference = at.both("subtract", steps, at.parameters(at.type.zero_points, I64))
    _times_scale(at, at.emit("convert", [difference], at.real))


def _upstream_dequantized(at: Lowering, x: Value) -> None:
    """(convert(stored) - convert(zero_point)) * scale, each step rounded."""
    real = at.emit("convert", [at.storage_of(x)], at.real)
    if not at.type.is_per_tensor or _cut(at)[0]:
        real = at.both("subtract", real, at.parameters(_cut(at), at.real))
    _times_scale(at, real)


def _times_scale(at: Lowering, x: Value) -> None:
    operands = (x, at.scale())
    at.ops.append(Op("stablehlo.multiply", operands, at.op.results, {}, (), at.op.location))


QCAST = {"nearest": _nearest, "affine": _affine, "upstream": _upstream}
DCAST = {"nearest": _dequantize, "affine": _dequantize, "upstream": _upstream_dequantized}


FAKE = ("quant.const_fake_quant", "quant.const_fake_quant_per_axis", "tf.FakeQuantWithMinMaxArgs")
RETURNS = ("func.return",)


def quant_pass(module: Module, name: str, mode: str = "nearest") -> Module:
    """Return a program after one pass of MLIR's quant dialect, by its name there.

    `lower-quant-ops` makes arithmetic of `quant.qcast` and `quant.dcast`: mode "nearest" with the bits of
    `run`; "affine" rounds before it adds the zero point; "upstream" truncates, as LLVM's pass does.
    `strip-func-quant-types` gives arguments, results and calls of functions storage types, with `quant.scast`
    inside. `normalize-quant-types` writes sub-channel types per tensor or per axis where they mean the same;
    mode "upstream" also where they do not. `convert-simulated-quantization` makes a `quant.qcast` and a
    `quant.dcast` of a fake quantization whose range is constant. docs/quant-dialect.md lists the errors of
    upstream.

    Raises `Malformed` for an unknown pass or mode, `Unsupported` for types that no StableHLO tensor holds.
    """
    refuse_other(module)
    run = PASSES[one_of(tuple(PASSES), name, "pass")]
    run = partial(run, mode=one_of(MODES[name], mode, f"mode of {name}"))
    return replace(module, functions={f.name: run(f) for f in module.functions.values()}, unrefined=None)


def expand_operations(func: Func, expand: Callable[[Op], tuple[Op, ...]]) -> Func:
    """Return a function with each operation replaced, those in regions included."""

    def inside(region: Region) -> Region:
        ops = (
            new
            for op in region.ops
            for new in expand(replace(op, regions=tuple(inside(inner) for inner in op.regions)))
        )
        return Region(region.arguments, tuple(ops))

    return replace(func, body=inside(func.body))


def lower(func: Func, mode: str) -> Func:
    return expand_operations(func, lambda op: lower_cast(op, mode) if op.name in CASTS else (op,))


def normalize(func: Func, mode: str) -> Func:
    return retype_function(func, partial(normalize_subchannel, upstream=mode == "upstream"))


def normalize_subchannel(type: QuantizedType, upstream: bool) -> QuantizedType:
    """Return a sub-channel type of one scale per tensor, one of scales along a dimension per axis.

    That means the same only where a block along the dimension is one element: upstream does not ask. It also
    reads zero points as signed.
    """
    long = [d for d, size in enumerate(type.parameters_shape) if size > 1]
    if type.block_sizes is None or len(long) > 1:
        return type
    single = not long or dict(type.block_sizes).get(long[0]) == 1
    if not single and not upstream:
        return type
    points = type.zero_points
    if upstream:
        half = 1 << (type.storage_type.bits - 1)
        points = tuple((point + half) % (2 * half) - half for point in points)
    return replace(
        type,
        block_sizes=None,
        parameters_shape=(),
        quantization_dimension=long[0] if long else None,
        zero_points=points,
    )


def strip(func: Func, mode: str) -> Func:
    """Return a function whose signature, and that of the functions it calls, is of storage types."""
    writer = _Casts(count())
    casts: list[Op] = []
    arguments = tuple(writer.store(v, func, casts, reverse=True) for v in func.inputs)
    body = expand_operations(func, writer.around).body
    results = tuple(signless_storage(type, func) for type in func.results)
    return replace(func, body=Region(arguments, (*casts, *body.ops)), results=results)


def signless_storage(type: TensorType, at: Func | Op) -> TensorType:
    """Return the storage of a quantized tensor as quant.scast takes it: signless integers."""
    if not isinstance(type.element_type, QuantizedType):
        return type
    q = type.element_type
    signless = ELEMENT_TYPES.get(f"i{q.storage_type.bits}")
    if signless is None or q.storage_type.kind == "float" or q.spelling.startswith(("ui", "si")):
        advice = "expected signless storage of 2, 4, 8, 16 or 32 bits, as quant.scast takes it"
        raise Unsupported(f"no StableHLO tensor holds the storage of {q!r}", advice, at.location)
    return replace(type, element_type=signless)


class _Casts(NamedTuple):
    """Writer of the casts in one function; `numbers` tell their values apart."""

    numbers: Iterator[int]

    def store(self, value: Value, at: Func | Op, casts: list[Op], reverse: bool = False) -> Value:
        """Return the stored value; the cast to it, or from it in reverse, is appended to the casts."""
        if not value.type.is_quantized:
            return value
        stem = value.name.removeprefix("%").replace("#", ".")
        new = Value(f"%stored{RESERVED}{next(self.numbers)}.{stem}", signless_storage(value.type, at))
        source, result = (new, value) if reverse else (value, new)
        casts.append(Op("quant.scast", (source,), (result,), {}, (), at.location))
        return new

    def around(self, op: Op) -> tuple[Op, ...]:
        """Return a call, or a return, of storage types, between casts; any other operation unchanged."""
        if op.name not in (*CALLEES, *RETURNS):
            return (op,)
        before: list[Op] = []
        after: list[Op] = []
        operands = tuple(self.store(v, op, before) for v in op.operands)
        results = tuple(self.store(v, op, after, reverse=True) for v in op.results)
        return (*before, replace(op, operands=operands, results=results), *after)


def simulate(func: Func, mode: str) -> Func:
    return expand_operations(func, lambda op: tuple(_casts(op)) if op.name in FAKE else (op,))


def _casts(op: Op) -> Iterator[Op]:
    type = op.result.type
    held = replace(type, element_type=type_of_range(op))
    stem = op.result.name.removeprefix("%").replace("#", ".")
    value = Value(f"%quantized{RESERVED}{stem}", held)
    yield Op("quant.qcast", op.operands, (value,), {}, (), op.location)
    yield Op("quant.dcast", (value,), op.results, {}, (), op.location)


def type_of_range(op: Op) -> QuantizedType:
    """Return the quantized type of a fake quantization with constant ranges: TensorFlow's formula, in f64.

    Its storage has 8, 16 or 32 bits, and all of their range: a `num_bits` of 4 makes no difference to 8.
    """
    bits = next(size for size in (8, 16, 32) if attribute_or_default(op, "num_bits") <= size)
    storage = integer(bits, bool(attribute_or_default(op, "is_signed")))
    least, most = storage_range(storage)
    least += bool(attribute_or_default(op, "narrow_range"))
    f32 = ELEMENT_TYPES["f32"]
    pairs = [scale_of(fl(low, f32), fl(high, f32), least, most) for low, high in bounds(op)]
    scales, points = zip(*pairs, strict=True)
    spelling = f"{'i' if storage.kind == 'signed' else 'u'}{bits}"
    return QuantizedType(storage, least, most, f32, scales, points, axis_of(op), spelling=spelling)


def scale_of(low: float, high: float, least: int, most: int) -> tuple[float, int]:
    """Return the scale and the zero point of a range; one that lacks zero is moved."""
    if abs(high - low) < float_info.epsilon:
        return 1.0, least
    scale = (high - low) / (most - least)
    from_low, from_high = least - low / scale, most - high / scale
    errors = abs(least) + abs(low / scale), abs(most) + abs(high / scale)
    point = from_low if errors[0] < errors[1] else from_high
    if not least <= point <= most:
        return scale, least if point < least else most
    whole = int(abs(point))
    nearest = whole + (abs(point) - whole >= 0.5)  # half away from zero
    return scale, nearest if point >= 0 else -nearest


PASSES: Mapping[str, Callable[..., Func]] = {
    "convert-simulated-quantization": simulate,
    "lower-quant-ops": lower,
    "normalize-quant-types": normalize,
    "strip-func-quant-types": strip,
}
MODES: Mapping[str, tuple[str, ...]] = {
    "convert-simulated-quantization": ("nearest",),
    "lower-quant-ops": tuple(QCAST),
    "normalize-quant-types": ("nearest", "upstream"),
    "strip-func-quant-types": ("nearest",),
}
