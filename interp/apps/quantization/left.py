"""The operations that stay in float because no kernel takes them, each with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interp.apps.quantization.kernels import CONTROL, DEQUANTIZE, IDENTITIES, QUANTIZE, REGION, users
from interp.apps.quantization.patterns import Block, block_of, has_infinity, kernel_names
from interp.apps.quantization.targets import Target
from spec.ir import Module, Op, Region
from spec.types import is_tensor


@dataclass(frozen=True)
class Left:
    """An operation that is still computed in float, and the reason."""

    value: str
    operation: str
    reason: str

    def __str__(self) -> str:
        return f"{self.value} {self.operation}: {self.reason}"


def left_in_float(module: Module, target: Target) -> tuple[Left, ...]:
    """Return the operations on floats outside of regions, also in control flow; not those of constants."""
    return tuple(left for f in module.functions.values() for left in _left_in_block(f.body, {}, target))


def _left_in_block(body: Region, outer: Mapping[str, Op], target: Target) -> Iterator[Left]:
    block = block_of(body, users(body), outer)
    for op in body.ops:
        if op.name in CONTROL:
            for inner in op.regions:
                yield from _left_in_block(inner, block.definitions, target)
        elif (
            op.name not in (REGION, *IDENTITIES, QUANTIZE, DEQUANTIZE) and op.results and _computes(op, block)
        ):
            name = op.name.removeprefix("stablehlo.")
            yield Left(op.results[0].name, name, _reason(op, block, target))


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
