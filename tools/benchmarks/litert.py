"""LiteRT as a peer, where it is installed: one int8 operator, run by XNNPACK where that can."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.cases import Case
from benchmarks.measure import Call, Unavailable, local
from interp.apps.runtimes.litert_model import Operator, Slot, one_operator, session
from interp.apps.runtimes.runtimes import missing

Options = tuple[str, dict[str, int]]


def prepare(operator: str, options: Options, axes: Sequence[int], case: Case) -> Call:
    """Prepare the operator; input and result have the same parameters. `axes` may be the second operand."""
    if missing("litert"):
        raise Unavailable("ai-edge-litert is not installed")
    x, _ = case.args
    operands = [Slot("int8", x.shape, [1.0])]
    if axes:
        operands.append(Slot("int32", [len(axes)], data=np.array(axes, np.int32)))
    started = session(one_operator(Operator(operator, *options), operands, Slot("int8", [], [1.0])))
    started.set_tensor(started.get_input_details()[0]["index"], x)
    started.invoke()
    result = started.get_tensor(started.get_output_details()[0]["index"])
    return local(started.invoke)._replace(result=result)
