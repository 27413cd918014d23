"""Patterns that one kernel computes, and the operations that no kernel takes, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from interp.apps.quantization.constants import CONSTANT, array
from interp.apps.quantization.kernels import (
    CONTROL,
    DEQUANTIZE,
    IDENTITIES,
    QUANTIZE,
    REGION,
    STATS,
    is_float,
    users,
)
from interp.apps.quantization.targets import Target
from interp.engine.facts import facts, facts_of
from interp.recorder.layers import layer_of
from interp.recorder.names import with_layer
from spec.ir import Module, Op, Region, Value, captures
from spec.types import is_tensor

RESHAPING = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")


@dataclass(frozen=True)
class Block:
    """The operations of a block, what uses each value there, and the constants that it may name."""

    ops: Sequence[Op]
    users: Mapping[str, Sequence[Op]]
    definitions: Mapping[str, Op]

    def constant(self, value: Value) -> Op | None:
        """Return the constant that a value is, or None."""
        op = self.definitions.get(value.name)
        return op if op is not None and op.name == CONSTANT else None

    def splat(self, value: Value) -> Op | None:
        """Return the constant that a value is if all its elements are one number, or None."""
        op = self.constant(value)
        return op if op is not None and (op["value"].splat or op["value"].type.size == 1) else None

    def next(self, value: Value, passed: list[Op]) -> Op | None:
        """Return the only operation that uses a value, behind statistics, which are added to `passed`."""
        using = self.users.get(value.name, ())
        if len(using) != 1:
            return None
        (op,) = using
        if op.name not in STATS:
            return op
        passed.append(op)
        return self.next(op.result, passed)

    def source(self, value: Value, through: Sequence[str] = ()) -> tuple[Value, list[Op]]:
        """Return what a value is made of by statistics and operations named in `through`, and those."""
        chain: list[Op] = []
        while (op := self.definitions.get(value.name)) is not None and op.name in (*STATS, *through):
            chain.insert(0, op)
            value = op.operand
        return value, chain


@dataclass
class Match:
    """The operations of a kernel in program order, the last of which gives its result.

    absorbed: operations that the kernel has a copy of, since others may use their results.
    """

    name: str
    ops: list[Op]
    absorbed: list[Op] = field(default_factory=list)

    @property
    def last(self) -> Op:
        return self.ops[-1]


def matches(op: Op, block: Block, target: Target) -> Iterator[Match]:
    """Yield the kernels that begin with an operation and which the target has, the longest first."""
    found = [match for match in _growing(op, block) if match.name in target]
    yield from reversed(found)


def kernel_names(op: Op, block: Block) -> list[str]:
    """Return the names of the kernels that begin with an operation, whether or not a target has them."""
    return [match.name for match in _growing(op, block)]


def _growing(op: Op, block: Block) -> Iterator[Match]:
    """Yield the kernels that begin with an operation, shortest first."""
    match = _first(op, block)
    if match is None:
        return
    yield match
    name = match.name.removeprefix("generic.")
    if facts_of(name).family == "contraction":
        if (biased := _with_bias(match, block)) is not None:
            yield biased
            match = biased
        if (clamped := _with_clamp(match, block)) is not None:
            yield clamped
    elif name in ("reduce_add", "reduce_window_add") and (mean := _mean(match, block)) is not None:
        yield mean


def _first(op: Op, block: Block) -> Match | None:
    """Return the kernel of one operation, named after it and, for a fold, after its body."""
    if (
        len(op.results) != 1
        or not is_float(op.result)
        or not op.name.startswith("stablehlo.")
        or captures(op)
    ):
        return None
    floats = [v for v in op.operands if is_float(v)]
    name = op.name.removeprefix("stablehlo.")
    constant = all(block.constant(v) is not None for v in floats)
    if (constant and name != "broadcast_in_dim") or not facts(op).family:
        return None
    if facts(op).folds:
        return _fold(op, name, block)
    if name == "select_and_scatter":
        init = block.splat(op.operands[2])
        return None if init is None else Match(f"generic.{name}", [op], [init])
    if op.regions:
        return None
    if (limits := _limits(op, block)) is not None and len(limits) == len(op.operands) - 1:
        return Match("generic.clamp", [op], limits)
    if any((c := block.constant(v)) is not None and has_infinity(c) for v in floats):
        return None
    return Match(f"generic.{name}", [op])


def _fold(op: Op, name: str, block: Block) -> Match | None:
    """Return the kernel of a reduction whose body is one operation on its two arguments."""
    body, init = op.regions[0], block.splat(op.operands[-1])
    if len(body.ops) != 2 or init is None or set(body.ops[0].operands) != set(body.arguments):
        return None
    kind = body.ops[0].name.removeprefix("stablehlo.")
    return Match(f"generic.{name}_{kind}", [op], [init])


def has_infinity(constant: Op) -> bool:
    """Return whether a constant has an infinity, or a NaN."""
    return not bool(np.isfinite(array(constant).astype(np.float64)).all())


def _limits(op: Op, block: Block) -> list[Op] | None:
    """Return the constants that an operation clamps a value to, or None."""
    if not facts(op).clips:
        return None
    ends = (op.operands[0], op.operands[2]) if op.name == "stablehlo.clamp" else op.operands
    found = [c for v in ends if (c := block.splat(v)) is not None]
    return found if len(found) == (2 if op.name == "stablehlo.clamp" else 1) else None


def _extend(match: Match, name: str, passed: Sequence[Op], op: Op, absorbed: Sequence[Op]) -> Match:
    return Match(f"{match.name}_{name}", [*match.ops, *passed, op], [*match.absorbed, *absorbed])


def _with_bias(match: Match, block: Block) -> Match | None:
    """Return a contraction together with the addition of one number to each channel."""
    passed: list[Op] = []
    op = block.next(match.last.result, passed)
    if op is None or op.name != "stablehlo.add":
        return None
    sums = {match.last.result.name, *(p.result.name for p in passed)}
    others = [v for v in op.operands if v.name not in sums]
    if len(others) != 1:
        return None
    source, chain = block.source(others[0], RESHAPING)
    channel = channel_dimension(match.ops[0])
    count = match.last.result.type.shape[channel]
    if source.type.size != count or not is_along(chain, channel, source, op.result):
        return None
    return _extend(match, "add", passed, op, chain)


def channel_dimension(op: Op) -> int:
    """Return the dimension of a contraction's result in which each index has weights of its own."""
    if op.name == "stablehlo.convolution":
        return int(op["output_feature_dimension"])
    return op.result.type.rank - 1


def is_along(chain: Sequence[Op], channel: int, source: Value, result: Value) -> bool:
    """Return whether a broadcast repeats numbers along every dimension of the result but one.

    Each broadcast of the chain keeps the dimension that counts channels, or reshapes it to ones beside it.
    """
    dimension = next((d for d, n in enumerate(source.type.shape) if n == source.type.size), None)
    if dimension is None:
        return False
    for op in chain:
        if op.name == "stablehlo.broadcast_in_dim":
            dimension = op["broadcast_dimensions"][dimension]
        elif op.name == "stablehlo.reshape":
            sizes = op.result.type.shape
            dimension = next((d for d, n in enumerate(sizes) if n == source.type.size), -1)
    shape = chain[-1].result.type.shape if chain else source.type.shape
    return dimension == channel and shape == result.type.shape


def _with_clamp(match: Match, block: Block) -> Match | None:
    """Return a contraction together with the clamp that follows it."""
    passed: list[Op] = []
    op = block.next(match.last.result, passed)
    if op is None or (limits := _limits(op, block)) is None:
        return None
    return _extend(match, "clamp", passed, op, limits)


def _mean(match: Match, block: Block) -> Match | None:
    """Return a sum together with its division by a number, or its product with one; a mean, in general."""
    passed: list[Op] = []
    op = block.next(match.last.result, passed)
    while op is not None and op.name in RESHAPING and op.result.type.size == op.operand.type.size:
        passed.append(op)
        op = block.next(op.result, passed)
    if op is None or not facts(op).scales:
        return None
    divisors = op.operands[1:] if op.name == "stablehlo.divide" else op.operands
    divisor = next((c for v in divisors if (c := block.splat(v)) is not None), None)
    if divisor is None:
        return None
    name = match.name.removesuffix("_add") + "_mean"
    return Match(name, [*match.ops, *passed, op], [*match.absorbed, divisor])


def block_of(body: Region, users: Mapping[str, Sequence[Op]], outer: Mapping[str, Op]) -> Block:
    """Return a block; `outer` has the definitions that surround it."""
    own = {v.name: op for op in body.ops for v in op.results}
    return Block(body.ops, users, {**outer, **own})


# The operations that stay in float because no kernel takes them, each with the reason.


@dataclass(frozen=True)
class Left:
    """An operation that is still computed in float, and the reason.

    node: the node of a model that it is from, or "". layer: the name of the layer in which it stands, or "".
    """

    value: str
    operation: str
    reason: str
    node: str = ""
    layer: str = ""

    def __str__(self) -> str:
        return f"{with_layer(self.value, self.layer)} {self.operation}: {self.reason}"


def lines(left: Iterable[Left]) -> Iterator[str]:
    """Yield a line for each operation, and one for all those of a node or, for one reason, of a layer."""
    groups: dict[tuple[str, str], list[Left]] = {}
    for each in left:
        group = (each.layer, each.reason) if each.layer else (each.node or each.value, "")
        groups.setdefault(group, []).append(each)
    for (name, _), (first, *others) in groups.items():
        more = f"{len(others) + 1} operations, of which {replace(first, layer='')}"
        yield f"{name}: {more}" if others else str(first)


def left_in_float(module: Module, target: Target) -> tuple[Left, ...]:
    """Return the operations on floats outside of regions, also in control flow; not those of constants."""
    return tuple(
        left for f in module.functions.values() for left in _left_in_block(module, f.body, {}, target)
    )


def _left_in_block(module: Module, body: Region, outer: Mapping[str, Op], target: Target) -> Iterator[Left]:
    block = block_of(body, users(body), outer)
    for op in body.ops:
        if op.name in CONTROL:
            for inner in op.regions:
                yield from _left_in_block(module, inner, block.definitions, target)
        elif (
            op.name not in (REGION, *IDENTITIES, QUANTIZE, DEQUANTIZE) and op.results and _computes(op, block)
        ):
            name = op.name.removeprefix("stablehlo.")
            layer = layer_of(module, op)
            yield Left(op.results[0].name, name, _reason(op, block, target), layer=layer)


def _computes(op: Op, block: Block) -> bool:
    """Return whether an operation computes with floats that are not constant."""
    read = [v for v in op.operands if block.constant(v) is None]
    return bool(read) and computes_floats(op)


def computes_floats(op: Op) -> bool:
    """Return whether an operation computes with floats, and not on quantized values."""
    values = [v for v in (*op.operands, *op.results) if is_tensor(v.type)]
    if any(v.type.is_quantized for v in values):
        return False
    return any(v.type.tensor_element_type.kind in ("float", "complex") for v in values)


def _reason(op: Op, block: Block, target: Target) -> str:
    """Return why no region has the operation."""
    if names := kernel_names(op, block):
        missing = [name for name in names if name not in target]
        verdict = f"the target {target.name} has no kernel {missing[0]}" if missing else ""
        return verdict or f"it is no part of a kernel {names[0]} of the target {target.name}"
    if any((c := block.constant(v)) is not None and has_infinity(c) for v in op.operands):
        return "one of its constants is infinite"
    if len(op.results) != 1:
        return f"it has {len(op.results)} results, and kernels have one"
    if op.regions:
        return "what its body computes is no kernel"
    if getattr(op.results[0].type.element_type, "kind", "") != "float":
        return f"its result is {op.results[0].type.element_type}, and kernels give floats"
    return "there are no kernels of such operations"
