"""The walk through a function that is written: values in the model, and operations that have no form."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from interp.apps.runtimes.litert_graph import LitertGraph, slot_of
from interp.apps.runtimes.litert_model import Slot
from interp.apps.runtimes.translation import NotExpressible, Operand
from interp.execute.run import run
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Region, Value, needed_ops, reads

NAMED = 5  # values that a line of an error names


class NamedGraph(LitertGraph):
    """A model whose tensors are named after the values of the program."""

    hint = ""

    def hold(self, slot: Slot) -> int:
        return super().hold(slot._replace(name=self.hint))

    def rename(self, x: Operand, name: str) -> None:
        """Name a result, unless it is an argument."""
        if x.handle not in self.inputs:
            self.slots[x.handle] = self.slots[x.handle]._replace(name=name)


@dataclass
class Walk:
    """Walk through `@main`: the operators written so far, and the operations without a form.

    taken: the operations that the operators of others took in, by identity.
    """

    module: Module
    graph: NamedGraph = field(default_factory=NamedGraph)
    held: dict[str, Operand] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    refused: list[tuple[str, str, str]] = field(default_factory=list)  # operation, reason, value
    lost: set[str] = field(
        default_factory=set
    )  # sums of 32 bits that have no form, and what requantizes them

    def __post_init__(self) -> None:
        self.ops = self.module.main.body.ops
        self.users: dict[str, list[Op]] = defaultdict(list)
        self.moving = {v.name for v in self.module.main.inputs}  # what depends on arguments
        for op in self.ops:
            for value in reads(op):
                self.users[value.name].append(op)
            if any(v.name in self.moving for v in reads(op)):
                self.moving |= {v.name for v in op.results}

    def argument(self, name: str, value: Value) -> Operand:
        self.graph.hint = name
        self.held[value.name] = x = Operand(self.graph.hold(slot_of(value.type)), value.type)
        self.graph.inputs.append(x.handle)
        return x

    def attempt(self, title: str, value: Value, write: Callable[[], Operand]) -> Operand:
        """Write something; note why that is not possible, and go on as if it were."""
        try:
            return write()
        except NotExpressible as reason:
            self.refused.append((title, str(reason), value.title))
            self.lost |= {value.name} if is_sum(value) else set()
            self.held[value.name] = Operand(0, value.type)
            return self.held[value.name]

    def array(self, value: Value) -> np.ndarray | None:
        """Return the stored numbers of a value that depends on no argument, else None."""
        if value.name in self.moving:
            return None
        end = Op("func.return", (value,), ())
        body = Region((), (*needed_ops(self.ops[:-1], [value]), end))
        (x,) = run(Module({**self.module.functions, "main": Func("main", body, (value.type,))}))
        return np.asarray(x.storage)

    def demand(self, value: Value, what: str) -> np.ndarray:
        """Return the stored numbers of a value that must not depend on an argument."""
        array = self.array(value)
        if array is None:
            raise NotExpressible(f"{what} computed, not given")
        return array

    def operand(self, value: Value) -> Operand:
        """Return a value in the model; a constant is written where it is first read."""
        if value.name not in self.held:
            array, self.graph.hint = self.demand(value, "a value that is"), value.name.lstrip("%")
            self.held[value.name] = self.graph.constant(value.type, array)
        return self.held[value.name]

    def only_user(self, value: Value) -> Op | None:
        """Return the operation that alone reads a value, unless it returns it."""
        users = self.users[value.name]
        return users[0] if len(users) == 1 and users[0] is not self.ops[-1] else None

    def refuse(self) -> None:
        """Raise `Unsupported` that names every operation without a form, if there are any."""
        if not self.refused:
            return
        groups = Counter((operation, reason) for operation, reason, _ in self.refused)
        lines = []
        for (operation, reason), count in groups.items():
            values = [title for *group, title in self.refused if tuple(group) == (operation, reason)]
            more = f" and {count - NAMED} more" if count > NAMED else ""
            lines.append(f"{count} {operation}: {reason}: {', '.join(values[:NAMED])}{more}")
        names = ", ".join(sorted({operation for operation, _ in groups}))
        number = f"{len(self.refused)} operation{'s' * (len(self.refused) > 1)}"
        raise Unsupported(f"{number} without a form in LiteRT: {names}", "\n".join(lines))


def is_sum(value: Value) -> bool:
    """Return whether a value holds sums of 32 bits that wait for their requantization."""
    return value.type.is_quantized and value.type.storage_type.bits > 16


Written = tuple[Operand, Sequence[Op]]  # a result, and the operations that its operator took in
