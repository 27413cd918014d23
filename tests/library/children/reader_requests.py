"""Requests to the process that reads programs, some of which it does not survive."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from interp.loading.warm import Worker
from spec.ir import Module


class Abort:
    """Takes down whoever unpickles it, as a segmentation fault in jaxlib does."""

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return os.abort, ()


class Sleep:
    """Keeps whoever unpickles it waiting, as an endless loop in jaxlib does."""

    def __reduce__(self) -> tuple[Callable[[float], None], tuple[float]]:
        return time.sleep, (60.0,)


SERVER = """
import os, sys
server = sys.modules.get("interp.loading.server", sys.modules["__main__"])
"""


class Executed:
    """Runs Python where it is unpickled: `server` is the child's module."""

    def __init__(self, code: str) -> None:
        self.code = code

    def __reduce__(self) -> tuple[Callable[..., None], tuple[str, dict[str, object]]]:
        return exec, (f"{SERVER}\n{self.code}", {})


LATER = """
usual = server._answer
def first(*args):
    server._answer = lambda *args: os.abort()
    return usual(*args)
server._answer = first
"""
NO_MEMORY = """
usual = server._answer
def read(*args):
    raise MemoryError
server._answer = lambda _, request: usual(read, request)
"""

PROGRAM = "func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }"


def read(worker: Worker, *rest: object, **options: float) -> Module:
    return worker.request(PROGRAM, "a.mlir", *rest, **options)
