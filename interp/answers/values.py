"""Values at a point of a walk: what an argument is, and what an operation gave when it last ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.answers.visit import Visit
from interp.backends import NUMPY
from interp.engine.tensor import Tensor
from interp.questions.links import type_at
from interp.recorder.names import find
from spec.errors import Malformed
from spec.ir import Value
from spec.types import TensorType, is_tensor


def value_before(visits: Sequence[Visit], moment: int, name: Any, index: Sequence[Any] = ()) -> Tensor:
    """Return the value of an argument or operation after the last of these visits, at this moment of it."""
    value, carried = _argument(visits[0], str(name)) or _result(visits, moment, name)
    if not is_tensor(value.type):
        raise Malformed(f"{name} is not a tensor", f"it is {value.type!r}")
    (where,) = index if len(index) == 1 and isinstance(index[0], tuple | list) else (index,)
    at = tuple(where)
    shape = value.type.shape
    if at and not (len(at) == len(shape) and all(0 <= i < n for i, n in zip(at, shape, strict=True))):
        raise Malformed(f"{at} is not an index of {name}", f"its shape is {shape}")
    type = TensorType((), type_at(value, at)) if at else value.type
    with np.errstate(all="ignore"):
        stored = np.asarray(NUMPY.encode(np.asarray(carried[at] if at else carried), type.storage_type))
    return Tensor(type, stored)


def _argument(start: Visit, name: str) -> tuple[Value, Any] | None:
    for value, x in zip(start.values, start.results, strict=True):
        if value.name.removeprefix("%") == name.strip().removeprefix("%"):
            return value, x
    return None


def _result(visits: Sequence[Visit], moment: int, name: Any) -> tuple[Value, Any]:
    """Return what an operation gave when it last ran; `Malformed` if it has not run yet."""
    last = visits[-1]
    done = [v for v in visits if v.named and (v is not last or moment == last.moments - 1)]
    known = {id(v.op): v.named._replace(run=None) for v in done if v.named}
    try:
        meant = find(name, list(known.values()), "operation")
    except Malformed as error:
        raise Malformed(f"{error.verdict} has run yet", f"{error.evidence}\nuntil goes to one") from None
    runs = [v for v in done if v.op is meant.op and v.named and meant.run in (None, v.named.run)]
    if not runs:
        raise Malformed(f"{name} has not run yet", f"until {name} goes there")
    wanted = str(name).rpartition("/")[2].removeprefix("%")
    names = [value.name.removeprefix("%") for value in runs[-1].values]
    k = names.index(wanted) if wanted in names else 0
    return runs[-1].values[k], runs[-1].results[k]
