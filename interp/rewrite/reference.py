"""`reference_of`: the float program that a quantized one stands for, and what to call it.

That is the program which it was made from, where it carries one (`Module.reference`). Else the types alone
speak: the program with expressed types in place of quantized ones, clipped where its types clip at zero.
Whatever reads a program as another's float reference asks here, so that all answers speak of the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interp.rewrite.float_reference import entry_module, float_reference, strip_types
from interp.rewrite.float_reference_rules import plain
from spec.errors import InterpError, Unsupported
from spec.ir import Func, Mention, Module
from spec.op_attributes import FORMS
from spec.types import BundleType

NAMES = 4  # values that a name lists


@dataclass(frozen=True)
class Reference:
    """The float reference of a function, as the `@main` of a module, and its name in answers.

    `bare`: the same function with types stripped, which is the reference where nothing better is known; what
    is proved about errors is proved of it. It is None where the program reinterprets storage, but carries a
    reference. `quantizes`: whether there is anything to lose against the reference. `clips` tells, in words,
    the values that were clipped where types are stripped.
    """

    module: Module
    name: str
    bare: Module | None
    quantizes: bool
    clips: str = ""

    @property
    def floats(self) -> Module:
        """The reference without quantized types, which a program that was carried may still have."""
        return self.module if self.is_bare else float_reference(self.module)

    @property
    def is_bare(self) -> bool:
        """Return whether the reference is the program itself, its types stripped."""
        return self.module is self.bare


ITSELF = "the program itself (no quantized types: nothing to lose against float)"


def reference_of(module: Module, func: Func) -> Reference:
    """Return the float reference of a function; `Unsupported` if there is none: it reinterprets storage."""
    whole = entry_module(module, func)
    own, why = _carried_program(module, func)
    if own is not None:
        return Reference(own, module.origin, _bare(whole), True)
    bare = strip_types(whole)
    quantizes = is_quantized(whole)
    name = ", ".join(filter(None, ["types stripped", _clips(bare.clipped)])) if quantizes else ITSELF
    told = "; ".join(filter(None, [why, name]))
    return Reference(bare.module, told, bare.module, quantizes, _clips(bare.clipped))


def _bare(whole: Module) -> Module | None:
    try:
        return strip_types(whole).module
    except Unsupported:
        return None


def _clips(clipped: tuple[str, ...]) -> str:
    """Return in words which values a program clips as its own float reference."""
    if not clipped:
        return ""
    names = ", ".join(clipped[:NAMES]) + (f" and {len(clipped) - NAMES} more" if clipped[NAMES:] else "")
    return f"clipped at the zero point{'s' * (len(clipped) > 1)} of {names}"


def _carried_program(module: Module, func: Func) -> tuple[Module | None, str]:
    """Return the float program that a module carries for a function; or None, and why it has none now."""
    reference = module.reference
    if isinstance(reference, Mention):
        return None, f"{reference.origin} is in the file {reference.file}, which was not read"
    if reference is None:
        return None, module.origin
    if func.name != module.main.name:
        return None, f"{module.origin} is that of @{module.main.name} alone"
    own = entry_module(reference, reference.main)
    if _signature(own.main) != _signature(func):
        return None, f"{module.origin} takes or gives other types than the program does now"
    return own, ""


def _signature(func: Func) -> list[object]:
    """Return the types of a function's arguments and results, as numbers alone have them."""
    types = [*(v.type for v in func.inputs), *func.results]
    return [type if isinstance(type, BundleType) else plain(type) for type in types]


def is_quantized(module: Module) -> bool:
    """Return whether a program has quantized types, or simulates them."""
    values = [v for f in module.functions.values() for v in f.inputs]
    values += [v for op in module.ops() for v in op.results]
    return any(v.type.is_quantized for v in values) or any(op.name in FORMS for op in module.ops())


def with_reference(module: Module, given: Module, origin: str) -> Module:
    """Return a program that was made from a float one with that as its reference.

    What `given` simulates of quantization is no part of the reference. Where it has none, neither has the
    program.
    """
    if not is_quantized(given):
        return replace(module, reference=entry_module(given, given.main), origin=origin)
    try:
        known = reference_of(given, given.main)
    except InterpError:
        return module
    return replace(module, reference=known.module, origin="; ".join(filter(None, [origin, known.clips])))
