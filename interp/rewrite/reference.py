"""`reference_of`: the float program that a quantized one stands for, and what to call it.

That is the program which it was made from, where it carries one (`Module.reference`). Else the types alone
speak: the program with expressed types in place of quantized ones, clipped where its types clip at zero.
Whatever reads a program as another's float reference asks here, so that all answers speak of the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from interp.rewrite.float_reference import entered, stripped
from interp.rewrite.float_reference_rules import plain
from spec.errors import InterpError
from spec.fake_quant import FORMS
from spec.ir import Func, Mention, Module
from spec.types import BundleType

NAMES = 4  # values that a name lists


@dataclass(frozen=True)
class Reference:
    """The float reference of a function, as the `@main` of a module, and its name in answers.

    `bare`: the same function with types stripped, which is the reference where nothing better is known; what
    is proved about errors is proved of it. `quantizes`: whether there is anything to lose against it.
    """

    module: Module
    name: str
    bare: Module
    quantizes: bool

    @property
    def is_bare(self) -> bool:
        """Return whether the reference is the program itself, its types stripped."""
        return self.module is self.bare


ITSELF = "the program itself: no quantized types, so there is nothing to lose against float"


def reference_of(module: Module, func: Func) -> Reference:
    """Return the float reference of a function; `Unsupported` if it reinterprets storage."""
    whole = entered(module, func)
    bare = stripped(whole)
    own, why = _carried(module, func)
    if own is not None:
        return Reference(own, module.origin, bare.module, True)
    quantizes = is_quantized(whole)
    name = _named(bare.clipped) if quantizes else ITSELF
    return Reference(bare.module, "; ".join(filter(None, [why, name])), bare.module, quantizes)


def _named(clipped: tuple[str, ...]) -> str:
    """Return what was done to a program to make it its own float reference."""
    if not clipped:
        return "types stripped"
    names = ", ".join(clipped[:NAMES]) + (f" and {len(clipped) - NAMES} more" if clipped[NAMES:] else "")
    return f"types stripped, clipped at the zero point{'s' * (len(clipped) > 1)} of {names}"


def _carried(module: Module, func: Func) -> tuple[Module | None, str]:
    """Return the float program that a module carries for a function; or None, and why it has none now."""
    reference = module.reference
    if isinstance(reference, Mention):
        return None, f"{reference.origin} is in the file {reference.file}, which was not read"
    if reference is None:
        return None, module.origin
    if func.name != module.main.name:
        return None, f"{module.origin} is that of @{module.main.name} alone"
    own = entered(reference, reference.main)
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
    try:
        known = reference_of(given, given.main)
    except InterpError:
        return module
    return replace(module, reference=known.module, origin=origin)
