"""Main loop of the child process that reads programs, until the parent closes the pipe.

The first reply comes when everything is imported.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

from interp.loading.child_process import receive, send
from interp.loading.on_demand import LiteRT, Onnx, on_demand
from spec.errors import Bug, InterpError, Location, Malformed, Unsupported

READY = "ready"
MEMORY = 4 << 30  # bytes of address space; and 64 more for each byte of a request


def serve(prepare: Callable[[], Callable[[Any], Any]]) -> None:
    """Answer requests with the function that `prepare` returns, until the parent closes the pipe."""
    answer = prepare()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever C++ prints belongs to the error output
    send(replies, READY)
    while True:
        try:
            request = receive(requests)
        except EOFError:
            return
        send(replies, answer(request.content), request.large)


def _reading() -> Callable[[Any], Any]:
    from interp.loading.reader import read, without_dialect_classes

    without_dialect_classes()

    def reader_of(dialect: Any) -> Callable[..., Any]:
        if isinstance(dialect, Onnx):
            return _read_onnx
        return _read_litert if isinstance(dialect, LiteRT) else read

    def answer(request: tuple[Any, ...]) -> Any:
        _limit_memory(MEMORY + 64 * len(request[0]))
        return _answer(reader_of(request[2] if len(request) > 2 else ""), request)

    return answer


def _read_onnx(*request: Any) -> Any:
    try:
        read_onnx = on_demand("read_onnx")
    except ModuleNotFoundError as error:
        if error.name not in ("onnx", "google"):
            raise
        advice = "pip install 'stablehlo-interp[onnx]'"
        raise Unsupported(
            "reading ONNX models needs the package onnx", advice, Location(request[1])
        ) from None
    return read_onnx(*request)


def _read_litert(data: bytes, name: str, options: LiteRT, *_: Any) -> Any:
    return on_demand("read_litert")(data, name, options.kernels, options.dims)


def _limit_memory(size: int) -> None:
    """Limit the memory of this process, where the system can: with a damaged count jaxlib fills gigabytes."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = size if most == resource.RLIM_INFINITY else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def _answer(read: Callable[..., Any], request: tuple[Any, ...]) -> Any:
    try:
        return read(*request)
    except InterpError as error:
        return error
    except RecursionError:
        return Malformed("nested too deeply", "", Location(request[1]))
    except MemoryError:  # what jaxlib has taken is not given back: the process ends, and the parent says so
        raise
    except Exception as error:
        import traceback

        evidence = traceback.format_exc(limit=-3)
        return Bug(f"reader: {type(error).__name__}: {error}", evidence, Location(request[1]))


def main() -> None:
    serve(_reading)


if __name__ == "__main__":
    main()
