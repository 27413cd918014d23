"""Writer of operations: fresh names, constants, and programs without what nothing uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from interp.backends.dtypes import numpy_dtype
from spec.attributes import Dense
from spec.errors import UNKNOWN, Location
from spec.faults import has_fault
from spec.ir import Op, Region, Value, nested_ops, reads
from spec.types import QuantizedType, TensorType

RETURNS = ("func.return", "stablehlo.return", "quant.return")
EFFECTS = (
    "custom_call",
    "infeed",
    "outfeed",
    "send",
    "recv",
    "rng",
    "call",
    "run_parallel",
    "while",
    "collective",
)


@dataclass
class Writer:
    """Appends operations to a block; `inner` writes a block inside of it."""

    taken: set[str]
    ops: list[Op] = field(default_factory=list)
    location: Location = UNKNOWN
    hint: str = "q"
    known: dict[Any, Any] = field(default_factory=dict)  # values by what they were computed from
    outer: Writer | None = None

    def inner(self) -> Self:
        """Return a writer of a nested block, which sees the values of this one."""
        return type(self)(self.taken, [], self.location, self.hint, {}, self)

    def find(self, key: Any) -> Any:
        """Return what was kept under a key, here or in a block around."""
        at: Writer | None = self
        while at is not None:
            if key in at.known:
                return at.known[key]
            at = at.outer
        return None

    def keep(self, key: Any, value: Any) -> Any:
        self.known[key] = value
        return value

    def fresh(self, hint: str = "") -> str:
        """Return a name that no value has, from the name of the value that it stands for."""
        stem = stem_of(hint or self.hint)
        key = ("names", stem)
        name, n = f"%{stem}", self.find(key) or 0
        if stem[:1].isdigit():  # a name that begins with a digit is a number
            stem = f"v{stem}"
            name = name if name[1:].isdigit() else f"%{stem}"
        while name in self.taken:
            n += 1
            name = f"%{stem}.{n}"
        self.keep(key, n)
        self.taken.add(name)
        return name

    def emit(
        self,
        name: str,
        operands: Sequence[Value],
        type: TensorType,
        regions: tuple[Region, ...] = (),
        **attributes: Any,
    ) -> Value:
        """Append an operation of StableHLO with one result."""
        result = Value(self.fresh(), type)
        self.ops.append(
            Op(f"stablehlo.{name}", tuple(operands), (result,), attributes, regions, self.location)
        )
        return result

    def constant(self, array: np.ndarray, type: TensorType) -> Value:
        """Append a constant of stored numbers; what repeats is broadcast."""
        small = collapse_repeats(np.asarray(array))
        if small.size == array.size or small.size == 0:
            return self._dense(np.asarray(array), type)
        kept = [d for d in range(type.rank) if small.shape[d] == type.shape[d]]
        element = type.element_type
        if isinstance(element, QuantizedType) and element.is_per_axis:
            kept = sorted({*kept, element.quantization_dimension or 0})
            full = [n if d in kept else 1 for d, n in enumerate(type.shape)]
            small = np.broadcast_to(small, full)
            element = replace(element, quantization_dimension=kept.index(element.quantization_dimension or 0))
        shape = tuple(small.shape[d] for d in kept)
        value = self._dense(small.reshape(shape), TensorType(shape, element))
        return self.emit("broadcast_in_dim", [value], type, broadcast_dimensions=tuple(kept))

    def _dense(self, array: np.ndarray, type: TensorType) -> Value:
        stored = np.ascontiguousarray(array, numpy_dtype(type.storage_type))
        dense = Dense(type, stored.tobytes())
        if array.size > 1 and (stored == stored.reshape(-1)[0]).all():
            dense = Dense(type, stored.reshape(-1)[:1].tobytes(), splat=True)
        key = ("constant", type, dense.data, dense.splat)
        return self.find(key) or self.keep(key, self.emit("constant", [], type, value=dense))


def stem_of(hint: str) -> str:
    """Return a name as MLIR can write it, without the percent sign."""
    return re.sub(r"[^\w.$-]", "_", hint.removeprefix("%"))


def names_of(regions: Iterable[Region]) -> set[str]:
    """Return the names of all values of some blocks."""
    found: set[str] = set()
    for region in regions:
        found |= {v.name for v in region.arguments}
        for op in nested_ops(region):
            found |= {v.name for v in op.results}
            found |= {v.name for r in op.regions for v in r.arguments}
    return found


def drop_unused(ops: Sequence[Op]) -> tuple[Op, ...]:
    """Return the operations of a block whose results are used, or that do more than compute them."""
    alive: set[str] = set()
    kept = []
    for op in reversed(ops):
        if op.name in RETURNS or _does_more(op) or any(v.name in alive for v in op.results):
            op = replace(op, regions=tuple(replace(r, ops=drop_unused(r.ops)) for r in op.regions))
            alive |= {v.name for v in reads(op)}
            kept.append(op)
    return tuple(reversed(kept))


def _does_more(op: Op) -> bool:
    return (
        not op.results or has_fault(op) or any(word in inner.name for inner in _all(op) for word in EFFECTS)
    )


def _all(op: Op) -> Iterator[Op]:
    yield op
    for region in op.regions:
        yield from nested_ops(region)


def collapse_repeats(array: np.ndarray) -> np.ndarray:
    """Return a view with one element along each dimension that repeats."""
    return array[
        tuple(
            slice(0, 1) if s == 0 and n else slice(None)
            for s, n in zip(array.strides, array.shape, strict=True)
        )
    ]
