"""Record of one run of a reduction: its operands, the leaves of each result element, and its results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.additions import Adding
from interp.engine.bodies import only_op
from interp.engine.fold import Body, fold
from interp.engine.leaf_counts import UPDATED
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, zero_point
from interp.recorder.blocks import ByBlocks
from interp.recorder.event import heading, signature
from interp.recorder.leaves import Group, Part
from interp.recorder.names import qualifier, qualify, with_layer
from interp.recorder.products import Products, text_of
from spec.accumulator import DEQUANTIZE, INTEGER, Reading
from spec.errors import Malformed, Unsupported
from spec.ir import Module, Op, Region, Value
from spec.schedule import Schedule


class Along(NamedTuple):
    """The accumulation along which a recorded sum added, and the same sum as the program declares it.

    `declared` has the leaves and the types of the program, and no accumulators. reading: that of the run.
    """

    adding: Adding
    declared: Folded
    reading: Reading


@dataclass(frozen=True, eq=False, repr=False)
class Folded:
    """One run of one reduction: `operands` are carriers before conversion, and `init` after it.

    In a scatter, the `inputs` that are reduced are its updates, and each element has its own init value,
    which is the operand's element.

    `accumulators` are the results of the folds, and `results` are these converted to the result types.
    `leaves()` gives the leaves: one part for all elements, or several if elements have different numbers of
    leaves. `run` is the number of earlier runs of the operation. In the integer reading `op` is the operation
    on whole numbers (`interp/speed/integer_bodies.py`), and `as_written` is that of the program. For a
    contraction `op` is the `reduce` of its `products`, which are its inputs. For a collective it is that of
    the operands of the processes of its `group`, the first of which is the init. Of a sum `along` an
    accumulation the leaves are the numbers that enter it, and there are no `accumulators`. Of a contraction
    that is summed `by_blocks` of scales it is the sum across the blocks, whose leaves are their scaled sums.
    """

    op: Op
    module: Module
    schedule: Schedule
    operands: State
    init: State
    leaves: Callable[[], tuple[Part, ...]]
    accumulators: State
    results: State
    run: int = 0
    as_written: Op | None = None
    products: Products | None = None
    group: Group | None = None
    along: Along | None = None
    by_blocks: ByBlocks | None = None

    def __repr__(self) -> str:
        terms = f"{self.terms:,} leaves"
        if self.by_blocks:
            terms = f"{self.terms:,} blocks, {self.by_blocks.products.n:,} leaves in all"
        return f"{self.heading}: {self.size:,} elements of {terms}"

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The leaves, in parts of result elements with equal numbers of leaves."""
        return self.leaves()

    @property
    def written(self) -> Op:
        """The operation as the program has it."""
        return self.as_written or self.op

    @property
    def reading(self) -> str:
        """The reading of quantized operations in which it ran."""
        if self.by_blocks:
            return INTEGER
        if self.products:
            return INTEGER if is_stored_as_integer(self.types[0]) else DEQUANTIZE
        return DEQUANTIZE if self.written.regions[-1] is self.body else INTEGER

    @property
    def name(self) -> str:
        """The name of the operation, with the number of its run unless that is the first: `@pool/%4#2`."""
        return qualify(self.op.results[0].name, qualifier(self.module, self.written), self.run)

    @property
    def layer(self) -> str:
        """The name of the layer in which the operation stands, or ""."""
        return qualifier(self.module, self.written).layer

    @property
    def title(self) -> str:
        """The name with that of the layer: `conv2 (%4)`."""
        return with_layer(self.name, self.layer)

    @property
    def signature(self) -> str:
        """The operation and its name: `reduce %4`."""
        return signature(self.written, qualifier(self.module, self.written), self.run)

    @property
    def heading(self) -> str:
        """The location and the signature: `model.mlir:12:8 reduce %4`."""
        return heading(self.written, qualifier(self.module, self.written), self.run)

    @property
    def body(self) -> Region:
        """Return the body that combines values; for a select_and_scatter, its `scatter`."""
        return self.op.regions[-1]

    @property
    def types(self) -> tuple[Type, ...]:
        """The accumulation type of each operand."""
        return tuple(value.type.element_type for value in self.body.returns)

    @property
    def manner(self) -> str:
        """The types and the order of the additions, as text: `in i16, schedule left`."""
        if self.by_blocks:
            return self.by_blocks.manner
        if self.along:
            return f"along {self.along.adding.accumulation!r}"
        return f"in {self.text(self.types[0])}, schedule {self.schedule!r}"

    def text(self, type: Type) -> str:
        """Return an accumulation type as text; of integer products, the accumulator: `i16 saturate`."""
        if self.products is None:
            return repr(type)
        return text_of(type)

    @property
    def is_scatter(self) -> bool:
        """Return whether this is a scatter: updates are combined with the operand in any permutation."""
        return self.op.name == UPDATED

    @property
    def has_own_inits(self) -> bool:
        """Return whether each element has its own init value, which no schedule repeats."""
        return self.is_scatter or self.group is not None

    @property
    def _places(self) -> tuple[slice, slice]:
        """Return the positions of the inputs among the operands, and those of the init values."""
        n = len(self.op.results)
        ends = slice(-2 * n, -n), slice(-n, None)
        return (ends[1], slice(n)) if self.is_scatter else ends

    @property
    def inputs(self) -> tuple[Value, ...]:
        """Return the operands that are reduced; for a select_and_scatter, its `source`."""
        return self.op.operands[self._places[0]]

    @property
    def init_values(self) -> tuple[Value, ...]:
        return self.op.operands[self._places[1]]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.results[0].type.shape

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def n(self) -> int:
        """The largest number of leaves of an element, without the init."""
        if self.by_blocks:
            return len(self.by_blocks.edges)
        if self.products and not self.along:
            return self.products.n
        return max((part.n for part in self.parts), default=0)

    @property
    def terms(self) -> int:
        """The largest number of leaves of an element; the init counts if it is an element of a process."""
        return self.n + (self.group is not None)

    @property
    def leaves_in_all(self) -> int:
        """The largest number of leaves of an element, those within blocks of scales one by one."""
        return self.by_blocks.products.n if self.by_blocks else self.terms

    @property
    def is_sum(self) -> bool:
        """Return whether the body is one `add` on one operand and one type."""
        return only_op(self.body) == "add"

    @property
    def sums_inits(self) -> bool:
        """Return whether schedules that repeat the init value (`blocks`, `windows`) change the sum."""
        repeated = self.is_sum and not self.has_own_inits
        return repeated and bool((self.init[0] != zero_point(self.types[0])).any())

    @property
    def before(self) -> State:
        """The inputs before their conversion."""
        if self.products or self.by_blocks:
            raise Unsupported(f"the products of {self.name} are not kept", "ask for those of one element")
        return self.operands[self._places[0]]

    @property
    def init_before(self) -> State:
        return self.init if self.products or self.by_blocks else self.operands[self._places[1]]

    def seeds(self, k: int = 0) -> Array:
        """Return the init value of operand k for every element, one after the other."""
        return np.broadcast_to(self.init[k], self.shape).reshape(-1)

    def fold(self, body: Body, seed: Array, part: Part) -> Array:
        """Fold operand 0 of a part by the run's schedule, from these init values."""
        init, leaves = (None, part.with_init(seed)) if self.has_own_inits else ((seed,), part.leaves)
        return fold(NUMPY, body, init, leaves, self.schedule)[0][0]

    def __getstate__(self) -> Any:
        raise TypeError("a reduction cannot be pickled, its leaves are functions: pickle the trace")

    def blocks(self, k: int = 0) -> Iterator[tuple[Array, Array, Array | None]]:
        """Yield `(columns, leaves, present)` for one block of leaves after another: see `Part.blocks`."""
        for part in self.parts:
            for values, present in part.blocks(k):
                yield part.columns, values, present

    def check_index(self, index: tuple[int, ...] | int) -> tuple[int, ...]:
        """Check an index of the result and return it as a tuple; raises `Malformed`."""
        given = tuple(index) if isinstance(index, tuple | list) else (index,)
        fits = len(given) == len(self.shape) and all(
            isinstance(i, int | np.integer) and 0 <= i < size
            for i, size in zip(given, self.shape, strict=True)
        )
        if not fits:
            raise Malformed(f"{index!r} is not an index of {self.name}", f"its shape is {self.shape}")
        return tuple(map(int, given))

    def place(self, index: tuple[int, ...]) -> tuple[int, int]:
        """Return the number of the part that has a result element, and the place of its column there."""
        flat = int(np.ravel_multi_index(index, self.shape)) if index else 0
        where = next(k for k, part in enumerate(self.parts) if flat in part.columns)
        return where, int((self.parts[where].columns == flat).argmax())

    @property
    def origins(self) -> tuple[Part, ...]:
        """Return parts like `parts`, in which the leaves are flat indices of the inputs, or `PADDING`."""
        raise NotImplementedError
