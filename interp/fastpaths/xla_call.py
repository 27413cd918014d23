"""XLA's foreign function interface, read by functions that numba compiles: a call's buffers as arrays.

XLA passes the address of a frame, whose words are sizes and addresses (`xla/ffi/api/c_api.h` in jaxlib). XLA
asks a handler for its version before it is ever called; ours answers with XLA's own, and works only if every
part of the frame has the size that this file knows. So a jaxlib with another layout gets no result from it,
which `jax_native` finds out before it uses a handler.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import carray

SIGNATURE = types.int64(types.int64)  # from the address of a frame to that of an error, or 0
EXECUTE = 3  # the stage in which a call has its buffers
ALL_FLAGS_MASKED = 0x1F80  # of x86's MXCSR: no exception, rounding to nearest, subnormal numbers as they are

inlined: Any = njit(nogil=True, error_model="numpy")


@intrinsic
def _to_pointer(typingctx: Any, address: Any) -> Any:
    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), made


pointer: Any = _to_pointer


@intrinsic
def _float_modes(typingctx: Any, new: Any) -> Any:
    """Replace x86's word of float modes, and return what it was: XLA runs with subnormal numbers flushed."""

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        old, slot = cgutils.alloca_once(builder, word), cgutils.alloca_once(builder, word)
        kind = ir.FunctionType(ir.VoidType(), [pointer])
        for name, place in (("stmxcsr", old), ("ldmxcsr", slot)):
            if place is slot:
                builder.store(args[0], slot)
            function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sse.{name}")
            builder.call(function, [builder.bitcast(place, pointer)])
        return builder.load(old)

    return types.uint32(types.uint32), made


float_modes: Any = _float_modes


@inlined
def words(address: int, count: int) -> Any:
    """Return words of 64 bits at an address."""
    return carray(pointer(address), (count,), np.int64)


@inlined
def is_call(frame: int) -> bool:
    """Return whether a frame is a call to execute; where XLA asks for the version, answer."""
    parts = words(frame, 16)
    if parts[1]:  # an extension: its metadata begin with size, version's size, extension, and the version
        words(words(parts[1], 4)[3], 4)[3] = words(parts[2], 5)[4]
        return False
    sizes = (parts[0] == 168 or parts[0] == 176) and parts[5] == 40 and parts[10] == 40
    return sizes and (parts[4] & 0xFFFFFFFF) == EXECUTE


@inlined
def argument(frame: int, k: int) -> tuple[int, int]:
    """Return the address of an argument's elements and their number; 0 of them if its layout is unknown."""
    return _elements(words(words(frame, 16)[9], k + 1)[k])


@inlined
def result(frame: int) -> tuple[int, int]:
    """Return the address and the number of the elements of the result."""
    return _elements(words(words(frame, 16)[14], 1)[0])


@inlined
def _elements(buffer: int) -> tuple[int, int]:
    parts, count = words(buffer, 6), 1
    for size in words(parts[5], parts[4]):
        count *= size
    return (parts[3], count) if parts[0] == 48 else (parts[3], 0)


@inlined
def floats(place: tuple[int, int]) -> Any:
    return carray(pointer(place[0]), (place[1],), np.float32)


@inlined
def doubles(place: tuple[int, int]) -> Any:
    return carray(pointer(place[0]), (place[1],), np.float64)


@inlined
def integers(place: tuple[int, int]) -> Any:
    return carray(pointer(place[0]), (place[1],), np.int64)


@inlined
def words32(place: tuple[int, int]) -> Any:
    return carray(pointer(place[0]), (place[1],), np.int32)
