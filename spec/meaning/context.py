"""Context in which an operation is evaluated, besides its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from spec.accumulation import Accumulation
from spec.accumulator import LITERAL, Reading
from spec.ir import Module, Op
from spec.meaning.index import Tensor
from spec.processes import Process
from spec.schedule import Schedule

Order = Schedule | Accumulation
Results = tuple[Tensor, ...]
EMPTY = Module({})
ALONE = Process()  # says nothing to anybody: for operations that are looked at one by one


class Context(NamedTuple):
    """Everything that the meaning of an operation may use besides its operands."""

    schedule: Order
    bodies: tuple[Callable[..., Results], ...]  # the op's regions, as functions on tensors
    call: Callable[[str, Sequence[Tensor]], Results]  # a function of the module, by name
    process: Process = ALONE
    module: Module = EMPTY
    reading: Reading = LITERAL
    at: Callable[[Process], Any] = lambda process: None  # the same context in another process


Meaning = Callable[[Op, Sequence[Tensor], Context], Results]
