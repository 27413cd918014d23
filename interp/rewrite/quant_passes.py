"""Passes of the quant dialect, by MLIR's names: a module in, a module out; `upstream` keeps LLVM's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from sys import float_info
from typing import NamedTuple

from interp.backends import fl
from interp.engine.retyped import retype_function
from interp.loading.names import RESERVED
from interp.rewrite.quant_lowering import CASTS, QCAST, lower_cast
from spec.errors import Unsupported
from spec.fake_quant import axis_of, bounds, attribute_or_default
from spec.ir import CALLEES, Func, Module, Op, Region, Value
from spec.options import one_of
from spec.quantized import storage_range
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, integer
from spec.verify import refuse_other

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
