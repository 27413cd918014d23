"""XLA's foreign function interface, read by functions that numba compiles: a call's buffers as arrays.

XLA passes the address of a frame, whose words are sizes and addresses (`xla/ffi/api/c_api.h` in jaxlib). XLA
asks a handler for its version before it is ever called; ours answers with XLA's own, and works only if every
part of the frame has the size that this file knows. So a jaxlib with another layout gets no result from it,
which `jax_native` finds out before it uses a handler.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from interp.backends.compiling import inlined

SIGNATURE = types.int64(types.int64)  # from the address of a frame to that of an error, or 0
EXECUTE = 3  # the stage in which a call has its buffers
ALL_FLAGS_MASKED = 0x1F80  # of x86's MXCSR: no exception, rounding to nearest, subnormal numbers as they are


@intrinsic
def _word(typingctx: Any, address: Any, k: Any) -> Any:
    """Return the k-th word of 64 bits at an address."""

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(builder, *args))

    return types.int64(types.int64, types.int64), made


@intrinsic
def _replace_word(typingctx: Any, address: Any, k: Any, new: Any) -> Any:
    """Replace the k-th word at an address."""

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(builder, *args[:2]))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), made


def _place(builder: Any, address: Any, k: Any) -> Any:
    pointer = builder.inttoptr(address, ir.IntType(64).as_pointer())
    return builder.gep(pointer, [k])


def _array_of(element: Any) -> Any:
    """Return `array(place)`: the elements at an address and of a number, as an array."""

    def typed(context: Any, place: Any) -> Any:
        return types.Array(element, 1, "C")(place), made

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, count = cgutils.unpack_tuple(builder, args[0])
        array = make_array(signature.return_type)(context, builder)
        size = element.bitwidth // 8
        data = builder.inttoptr(address, array.data.type)
        populate_array(array, data, [count], [cgutils.intp_t(size)], size, None)
        return array._getvalue()

    def array(context: Any, place: Any) -> Any:
        return typed(context, place)

    return intrinsic(array)


@intrinsic
def _number(typingctx: Any, bits: Any) -> Any:
    """Return the float that has the bits of an integer."""
    number = types.float64 if bits == types.int64 else types.float32

    def made(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], context.get_value_type(number))

    return number(bits), made


word: Any = _word
replace_word: Any = _replace_word
number: Any = _number
floats, doubles = _array_of(types.float32), _array_of(types.float64)
words32, integers = _array_of(types.int32), _array_of(types.int64)


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
def is_call(frame: int) -> bool:
    """Return whether a frame is a call to execute; where XLA asks for the version, answer."""
    if word(
        frame, 1
    ):  # an extension: its metadata begin with size, version's size, extension, and the version
        replace_word(word(word(frame, 1), 3), 3, word(word(frame, 2), 4))
        return False
    sizes = (
        (word(frame, 0) == 168 or word(frame, 0) == 176) and word(frame, 5) == 40 and word(frame, 10) == 40
    )
    return sizes and (word(frame, 4) & 0xFFFFFFFF) == EXECUTE


@inlined
def argument(frame: int, k: int) -> tuple[int, int]:
    """Return the address of an argument's elements and their number; 0 of them if its layout is unknown."""
    return _elements(word(word(frame, 9), k))


@inlined
def result(frame: int) -> tuple[int, int]:
    """Return the address and the number of the elements of the result."""
    return _elements(word(word(frame, 14), 0))


@inlined
def _elements(buffer: int) -> tuple[int, int]:
    count = 1 if word(buffer, 0) == 48 else 0
    for d in range(word(buffer, 4)):
        count *= word(word(buffer, 5), d)
    return word(buffer, 3), count
