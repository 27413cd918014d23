"""Machine code from LLVM's instructions, which a process writes and compiles in a tenth of a second.

Nothing that compiles Python is loaded for it. Addresses are integers of 64 bits. No instruction has a flag
for fast arithmetic, so LLVM fuses no product with a sum, and reorders no floats.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
from llvmlite import binding, ir

X86 = ("x86_64", "AMD64")
ALL_FLAGS_MASKED = 0x1F80  # of x86's MXCSR: no exception, rounding to nearest, subnormal numbers as they are
WORD, HALF, BYTE = ir.IntType(64), ir.IntType(32), ir.IntType(8)
# All that code needs that is vectorized as it is written: LLVM's whole list takes thirty times as long.
PASSES = "add_sroa_pass", "add_simplify_cfg_pass", "add_instruction_combine_pass"
LIBRARY = "memcpy", "memset", "pthread_create", "pthread_join"  # functions of C that code may call


class Int:
    """An integer of 64 bits that is known when the code runs; its operators write instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _with(self, write: Callable[..., Any], other: Int | int) -> Int:
        value = other.value if isinstance(other, Int) else ir.Constant(WORD, other)
        return Int(self.builder, write(self.value, value))

    def __add__(self, other: Int | int) -> Int:
        return self._with(self.builder.add, other)

    def __sub__(self, other: Int | int) -> Int:
        return self._with(self.builder.sub, other)

    def __mul__(self, other: Int | int) -> Int:
        return self._with(self.builder.mul, other)

    def __and__(self, other: Int | int) -> Int:
        return self._with(self.builder.and_, other)

    def __or__(self, other: Int | int) -> Int:
        return self._with(self.builder.or_, other)

    def __floordiv__(self, other: Int | int) -> Int:
        return self._with(self.builder.udiv, other)

    def __mod__(self, other: Int | int) -> Int:
        return self._with(self.builder.urem, other)

    def is_(self, compared: str, other: Int | int) -> Any:
        """Return the bit of a signed comparison."""
        return self._with(lambda x, y: self.builder.icmp_signed(compared, x, y), other).value

    def at_most(self, other: Int | int) -> Int:
        smaller = self.is_("<", other)
        return self._with(lambda x, y: self.builder.select(smaller, x, y), other)


class Function:
    """A function of integers that returns one, and the builder of its instructions."""

    def __init__(self, module: Any, name: str, arguments: int, inner: bool = True) -> None:
        self.function = ir.Function(module, ir.FunctionType(WORD, [WORD] * arguments), name)
        if inner:
            self.function.linkage = "internal"
        self.builder = ir.IRBuilder(self.function.append_basic_block())
        self.arguments = [Int(self.builder, x) for x in self.function.args]

    def number(self, value: int) -> Int:
        return Int(self.builder, ir.Constant(WORD, value))

    def place(self, address: Int, kind: Any) -> Any:
        return self.builder.inttoptr(address.value, kind.as_pointer())

    def load(self, address: Int, kind: Any, align: int = 1) -> Any:
        return self.builder.load(self.place(address, kind), align=align)

    def store(self, x: Any, address: Int, align: int = 1) -> None:
        self.builder.store(x, self.place(address, x.type), align=align)

    def word(self, address: Int, k: Int | int = 0) -> Int:
        """Return the k-th word of 64 bits at an address."""
        at = k * 8 if isinstance(k, Int) else self.number(8 * k)
        return Int(self.builder, self.load(address + at, WORD, 8))

    def replace_word(self, address: Int, k: Int | int, new: Int | int) -> None:
        at = k * 8 if isinstance(k, Int) else self.number(8 * k)
        self.store((self.number(new) if isinstance(new, int) else new).value, address + at, 8)

    def variable(self, start: Any) -> Any:
        """Return a place that can be loaded and stored; LLVM keeps it in a register."""
        with self.builder.goto_entry_block():
            place = self.builder.alloca(start.type)
        self.builder.store(start, place)
        return place

    def fetch(self, address: Int) -> None:
        """Ask for a line of the cache that is needed soon; an address of nothing does no harm."""
        flags = (ir.Constant(HALF, k) for k in (0, 2, 1))  # to be read, into the second cache, data
        self.intrinsic("llvm.prefetch.p0", ir.VoidType(), self.place(address, BYTE), *flags)

    def opaque(self, x: Int) -> Int:
        """Return the same number, of which LLVM knows nothing: an empty text of assembly."""
        kind = ir.FunctionType(WORD, [WORD])
        return Int(self.builder, self.builder.asm(kind, "", "=r,0", [x.value], False))

    @contextmanager
    def loop(self, count: Int) -> Iterator[Int]:
        """Repeat what is written inside, with 0, 1, ... below a count."""
        k = self.variable(ir.Constant(WORD, 0))
        test, body, end = (self.builder.append_basic_block() for _ in range(3))
        self.builder.branch(test)
        self.builder.position_at_end(test)
        index = Int(self.builder, self.builder.load(k))
        self.builder.cbranch(index.is_("<", count), body, end)
        self.builder.position_at_end(body)
        yield index
        self.builder.store((index + 1).value, k)
        self.builder.branch(test)
        self.builder.position_at_end(end)

    def call(self, other: Function, *arguments: Int) -> Int:
        return Int(self.builder, self.builder.call(other.function, [x.value for x in arguments]))

    def intrinsic(self, name: str, result: Any, *arguments: Any) -> Any:
        """Return what one of LLVM's own functions, or one of C's, gives."""
        kind = ir.FunctionType(result, [x.type for x in arguments])
        known = self.builder.module.globals.get(name)
        return self.builder.call(known or ir.Function(self.builder.module, kind, name), arguments)

    @contextmanager
    def exact_floats(self) -> Iterator[None]:
        """Compute what is written inside with subnormal numbers, which XLA flushes to zero on x86."""
        modes = self._float_modes(ir.Constant(HALF, ALL_FLAGS_MASKED)) if is_x86() else None
        yield
        if modes is not None:
            self._float_modes(modes)

    def _float_modes(self, new: Any) -> Any:
        """Replace x86's word of float modes, and return what it was."""
        old, slot = self.variable(ir.Constant(HALF, 0)), self.variable(new)
        self.intrinsic("llvm.x86.sse.stmxcsr", ir.VoidType(), old)
        self.intrinsic("llvm.x86.sse.ldmxcsr", ir.VoidType(), slot)
        return self.builder.load(old)


def is_x86() -> bool:
    """Return whether the processor has x86's float modes."""
    return platform.machine() in X86


@cache
def features() -> dict[str, bool]:
    """Return the features of the processor, by LLVM's names."""
    return dict(binding.get_host_cpu_features())


@cache
def has_threads() -> bool:
    """Return whether compiled code can start threads as POSIX has them."""
    return os.name == "posix" and all(_library(name) for name in LIBRARY)


def _library(name: str) -> int | None:
    found = getattr(ctypes.CDLL(None), name, None) if os.name == "posix" else None
    return None if found is None else ctypes.cast(found, ctypes.c_void_p).value


def _machine() -> Any:
    """Return the processor as LLVM's target; compiled code owns its own."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    for name in LIBRARY:
        if address := _library(name):
            binding.add_symbol(name, address)
    target = binding.Target.from_default_triple()
    named = {"cpu": binding.get_host_cpu_name(), "features": binding.get_host_cpu_features().flatten()}
    return target.create_target_machine(opt=2, jit=True, **named)


def optimize(module: Any, machine: Any) -> Any:
    """Return a module of instructions, checked and optimized for a processor."""
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    options = binding.create_pipeline_tuning_options(speed_level=2)
    builder = binding.create_pass_builder(machine, options)
    passes = binding.create_new_module_pass_manager()
    if all(hasattr(passes, name) for name in PASSES):
        for name in PASSES:
            getattr(passes, name)()
    else:
        passes = builder.getModulePassManager()
    passes.run(parsed, builder)
    return parsed


def addresses(module: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Return the addresses of functions of a module, compiled; they stay as long as the process."""
    machine = _machine()
    return _load(binding.create_mcjit_compiler(optimize(module, machine), machine), names)


def addresses_from_disk(text: str, write: Callable[[], Any], names: Sequence[str]) -> tuple[int, ...]:
    """Return the addresses of functions of the module that `write` returns, compiled once and kept on disk.

    text: everything that the module depends on, besides this file, LLVM and the processor.
    """
    machine, place = _machine(), folder()
    around = Path(__file__).read_text(encoding="utf-8"), llvmlite.__version__, machine.triple
    host = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    digest = hashlib.sha256("\0".join((text, *around, *host)).encode()).hexdigest()
    path = place / f"{digest}.o" if place else None
    code = read_code(path) if path else None
    if code is None:
        code = machine.emit_object(optimize(write(), machine))
        if path:
            write_code(path, code)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    return _load(engine, names)


def _load(engine: Any, names: Sequence[str]) -> tuple[int, ...]:
    engine.finalize_object()
    _ENGINES.append(engine)
    return tuple(engine.get_function_address(name) for name in names)


_ENGINES: list[Any] = []  # which own their code


def assembly(module: Any) -> str:
    """Return the machine code of a module as text."""
    machine = _machine()
    return str(machine.emit_assembly(optimize(module, machine)))


# Folder of compiled code, of one user alone, and its files, each with a checksum before the code.
#
# A file is named by everything that its machine code depends on, so that no upgrade meets code of before. It
# is written under another name and then renamed, so that several processes may write at once.

FOLDER = "INTERP_CACHE"  # in the environment: where compiled code is kept; empty for nowhere
CHECKED = 32  # bytes of a checksum before the code


@cache
def folder() -> Path | None:
    """Return the folder of compiled code, of this user alone; None where none can be written."""
    known = os.environ.get(FOLDER)
    if known == "":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = Path(known or os.path.join(home, "stablehlo-interp"))
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    status = path.stat()
    mine = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if mine and os.access(path, os.W_OK | os.X_OK) else None


def read_code(path: Path) -> bytes | None:
    """Return the code of a file, or None if there is none or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checked, code = data[:CHECKED], data[CHECKED:]
    return code if hashlib.sha256(code).digest() == checked else None


def write_code(path: Path, code: bytes) -> None:
    """Write code to a file of the folder; nothing is written where the disk has no room."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)
