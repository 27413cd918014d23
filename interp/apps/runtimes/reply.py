"""Answer of an implementation that the suite asks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NOT_EXPRESSIBLE = "not expressible"  # in the runtime's own format; neither a success nor a failure


class Reply(NamedTuple):
    """Answer of an implementation, with a `message`.

    Its `kind` is "results", "refused", "unsupported" or `NOT_EXPRESSIBLE`. `how` names the operators that a
    runtime with a format of its own ran.
    """

    kind: str
    results: tuple[np.ndarray, ...] = ()
    message: str = ""
    how: tuple[str, ...] = ()
