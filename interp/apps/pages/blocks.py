"""A program as few blocks that read each other: runs of elementwise operations, and parts of networks.

A block begins with an argument, or with an operation that is more than elementwise or reads several blocks.
Elementwise operations, and those that only move elements, belong to the block that they read alone. So do
constants and what is computed of them to the block that reads them first. Operations within the regions of
another one belong to its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from interp.engine.facts import facts
from interp.recorder.event import short
from spec.ir import Func, Op, Value, captures, nested_ops

RESULTS = "results"
PASSED = ("reshape", "broadcast_in_dim", "transpose", "convert", "custom_call")  # names that say little


@dataclass
class Block:
    """Operations that are drawn as one node: an argument or a first operation, and what follows.

    `values` are the arguments of the program in it, `ops` its operations, `reads` the numbers of the blocks
    whose values it reads. `label` names a part of the program that stands for several blocks, `blocks` of
    them.
    """

    values: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    label: str = ""
    blocks: int = 1

    @property
    def names(self) -> Iterator[str]:
        """Yield the names of all values in it, of regions too."""
        yield from (value.name for value in self.values)
        yield from (value.name for op in self.every_op for value in op.results)

    @property
    def every_op(self) -> Iterator[Op]:
        """Yield its operations and those in their regions."""
        for op in self.ops:
            yield op
            for region in op.regions:
                yield from nested_ops(region)

    @property
    def last(self) -> Value | None:
        """The value that the rest of the program most likely reads: the result of its last operation."""
        for op in reversed(self.ops):
            if op.results:
                return op.results[0]
        return self.values[0] if self.values else None


def blocks(func: Func) -> list[Block]:
    """Return the blocks of a function without calls; a block reads only blocks before it."""
    maker = _Maker(func)
    for op in func.body.ops[:-1]:
        maker.add(op)
    maker.end(func.body.returns)
    return absorb_arguments(maker.blocks)


class _Maker:
    """Blocks of the operations so far, and the block of each value."""

    def __init__(self, func: Func) -> None:
        self.blocks: list[Block] = []
        self.home: dict[str, int] = {}
        self.static: dict[str, Op] = {}
        for value in func.inputs:
            self.home[value.name] = self._new(Block(values=[value]))

    def _new(self, block: Block) -> int:
        self.blocks.append(block)
        return len(self.blocks) - 1

    def add(self, op: Op) -> None:
        """Add an operation to the block that it belongs to, or to a new one."""
        read = (*op.operands, *captures(op))
        near = {self.home[v.name] for v in read if v.name in self.home}
        if not near and (facts(op).family == "structure" or is_passing(op)):
            self.static |= {v.name: op for v in op.results}
            return
        k = near.pop() if len(near) == 1 and is_passing(op) else self._new(Block(reads=set(near)))
        self._take(read, self.blocks[k])
        self.blocks[k].ops.append(op)
        self.home |= {v.name: k for v in op.results}

    def _take(self, read: Iterable[Value], block: Block) -> None:
        """Move the constants that are read, and what they are computed of, to a block."""
        for value in read:
            if (op := self.static.pop(value.name, None)) is not None:
                self._take(op.operands, block)
                block.ops.append(op)
                for other in op.results:
                    self.static.pop(other.name, None)

    def end(self, returned: Sequence[Value]) -> None:
        """Add the block of the results."""
        near = {self.home[v.name] for v in returned if v.name in self.home}
        block = Block(reads=near, label=RESULTS)
        self._take(returned, block)
        self._new(block)


def is_passing(op: Op) -> bool:
    """Return whether an operation may follow another one in its block."""
    known = facts(op)
    return not op.regions and (known.computes or known.moves or known.family in ("conversion", "simulation"))


def is_constant(op: Op) -> bool:
    """Return whether an operation is a constant."""
    return facts(op).reference == "constant"


def absorb_arguments(found: Sequence[Block]) -> list[Block]:
    """Return blocks in which an argument that one block alone reads, beside another one, belongs to it."""
    readers: dict[int, list[int]] = {}
    for k, block in enumerate(found):
        for n in block.reads:
            readers.setdefault(n, []).append(k)
    gone: dict[int, int] = {}
    for k in reversed(range(len(found))):
        if found[k].values and len(readers.get(k, ())) == 1:
            (reader,) = readers[k]
            if len(found[reader].reads) > 1:
                found[reader].reads.discard(k)
                found[reader].values = [*found[k].values, *found[reader].values]
                found[reader].ops = [*found[k].ops, *found[reader].ops]
                gone[k] = reader
    kept = [k for k in range(len(found)) if k not in gone]
    return renumber([found[k] for k in kept], {k: at for at, k in enumerate(kept)})


def renumber(found: Sequence[Block], numbers: Mapping[int, int]) -> list[Block]:
    """Return blocks that read others by their new numbers."""
    for at, block in enumerate(found):
        block.reads = {numbers[k] for k in block.reads} - {at}
    return list(found)


def title(block: Block) -> str:
    """Return the name of the operation that says most about a block, or of its argument."""
    if block.label:
        return block.label
    telling = [op for op in block.ops if not is_passing(op) and facts(op).family != "structure"]
    if telling:
        return short(telling[0])
    if block.values:
        return "argument"
    plain = [op for op in block.ops if not is_constant(op)]
    return short(next((op for op in plain if short(op) not in PASSED), (plain or block.ops)[0]))
