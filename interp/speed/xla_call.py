"""XLA's foreign function interface, as instructions that read a call's buffers from its frame.

XLA passes the address of a frame, whose words are sizes and addresses (`xla/ffi/api/c_api.h` in jaxlib). XLA
asks a handler for its version before it is ever called; ours answers with XLA's own, and works only if every
part of the frame has the size that this file knows. So a jaxlib with another layout gets no result from it,
which `jax_native` finds out before it uses a handler.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from interp.backends.machine_code import WORD, Function, Int

EXECUTE = 3  # the stage in which a call has its buffers
SIZES = (168, 176)  # of a frame, in bytes
OPERANDS, RESULTS, BUFFER = 40, 40, 48
FRAME, EXTENSION, API, STAGE, ARGUMENTS, RETURNED = 0, 1, 2, 4, 5, 10


def write_handler(module: Any, run: Function, arguments: int, results: int) -> Function:
    """Write `handler(frame)`: call `run` with the addresses of the elements of all buffers."""
    f = Function(module, "handler", 1, inner=False)
    (frame,) = f.arguments
    zero, extension = ir.Constant(WORD, 0), f.word(frame, EXTENSION)
    with f.builder.if_then(extension.is_("!=", 0)):
        # Its metadata begin with a size, the size of the version, an extension, and the version.
        f.replace_word(f.word(extension, 3), 3, f.word(f.word(frame, API), 4))
        f.builder.ret(zero)
    known = f.word(frame, FRAME).is_("==", SIZES[0])
    for right in (
        f.builder.or_(known, f.word(frame, FRAME).is_("==", SIZES[1])),
        f.word(frame, ARGUMENTS).is_("==", OPERANDS),
        f.word(frame, RETURNED).is_("==", RESULTS),
        (f.word(frame, STAGE) & 0xFFFFFFFF).is_("==", EXECUTE),
    ):
        with f.builder.if_then(f.builder.not_(right)):
            f.builder.ret(zero)
    lists = (f.word(frame, 9), arguments), (f.word(frame, 14), results)
    buffers = [f.word(list, k) for list, number in lists for k in range(number)]
    for buffer in buffers:
        with f.builder.if_then(f.word(buffer).is_("!=", BUFFER)):
            f.builder.ret(zero)
    f.call(run, *(_elements(f, buffer) for buffer in buffers))
    f.builder.ret(zero)
    return f


def _elements(f: Function, buffer: Int) -> Int:
    return f.word(buffer, 3)
