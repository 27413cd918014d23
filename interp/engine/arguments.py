"""Values that enter and leave the engine: arguments are checked and stored, results become tensors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from interp.backends import Array, Namespace
from interp.engine.memo import once
from interp.engine.tensor import Tensor, accept
from spec.errors import Malformed
from spec.ir import Func, Module, Value
from spec.types import TOKEN, BundleType, TensorType

# Conversion of values that enter and leave the engine: tensors, and bundles, which are not tensors.
#
# A token is `()`, a tuple or a future the Python tuple of its values.


def accept_value(value: Any, parameter: Value, position: int) -> Any:
    """Check argument number `position`, and return its stored elements; for a bundle those of its values."""
    type = parameter.type
    if not isinstance(type, BundleType):
        return accept(value, parameter, position)
    values = () if value is None else value
    if not isinstance(values, tuple | list) or len(values) != len(type.types):
        raise Malformed(
            f"argument {parameter.name} is not of type {type!r}",
            f"expected a tuple of {len(type.types)} values, got {_describe(value)}",
        )
    inner = [Value(f"{parameter.name}[{k}]", element) for k, element in enumerate(type.types)]
    return tuple(accept_value(x, part, position) for x, part in zip(values, inner, strict=True))


def _describe(value: Any) -> str:
    return f"{len(value)} values" if isinstance(value, tuple | list) else type(value).__name__


def decode(xp: Namespace, x: Any, type: TensorType) -> Array:
    """Return stored elements in their carrier."""
    if type.__class__ is TensorType:
        return xp.decode(x, type.storage_type)
    assert isinstance(type, BundleType)
    return tuple(decode(xp, part, element) for part, element in zip(x, type.types, strict=True))


def encode(xp: Namespace, x: Array, type: TensorType) -> Any:
    """Return the stored elements of a carrier."""
    if type.__class__ is TensorType:
        return xp.encode(x, type.storage_type)
    assert isinstance(type, BundleType)
    return tuple(encode(xp, part, element) for part, element in zip(x, type.types, strict=True))


def results_of(types: Sequence[TensorType], results: Sequence[Any], args: Sequence[Any]) -> tuple[Any, ...]:
    """Return results as tensors that own their memory, and bundles as tuples of such tensors.

    A result that shares memory with an argument or a constant is copied.
    """
    taken = [x for arg in args for x in (arrays(arg) if isinstance(arg, tuple) else (arg,))]
    return tuple([_own(x, type, taken) for x, type in zip(results, types, strict=True)])


def _own(x: Any, type: TensorType, taken: list[np.ndarray]) -> Any:
    if isinstance(type, BundleType):
        return tuple(_own(part, element, taken) for part, element in zip(x, type.types, strict=True))
    whole = np.ascontiguousarray(x).reshape(x.shape)
    shared = any(np.may_share_memory(whole, other) for other in taken) or not whole.flags.writeable
    taken.append(whole.copy() if shared else whole)
    return Tensor(type, taken[-1])


def arrays(x: Any) -> Iterator[Any]:
    """Yield the arrays of a value, which may be a bundle."""
    if isinstance(x, tuple):
        for part in x:
            yield from arrays(part)
    else:
        yield x


def accept_arguments(func: Func, args: Sequence[Any]) -> list[Any]:
    """Check the number of arguments, and return each as a stored array of its parameter's type."""
    pairs = zip(complete(func, args), func.inputs, strict=True)
    return [accept_value(x, parameter, i) for i, (x, parameter) in enumerate(pairs)]


def complete(func: Func, args: Sequence[Any]) -> list[Any]:
    """Return the arguments with tokens added that were left out; `Malformed` if their number is wrong.

    JAX gives a function with ordered effects tokens that its caller never sees.
    """
    tokens = _tokens(func)
    if any(tokens) and len(args) == tokens.count(False):
        given = iter(args)
        return [() if is_token else next(given) for is_token in tokens]
    check_count(func, args)
    return list(args)


@once
def _tokens(func: Func) -> list[bool]:
    """Return which parameters are tokens."""
    return [value.type == TOKEN for value in func.inputs]


def check_count(func: Func, args: Sequence[Any]) -> None:
    if len(args) != len(func.inputs):
        wanted = "\n".join(f"{v.title}: {v.type!r}" for v in func.inputs) or "none"
        raise Malformed(f"@{func.name} takes {len(func.inputs)} arguments, {len(args)} given", wanted)


def function_named(module: Module, name: str) -> Func:
    return module.main if isinstance(name, str) and name == "main" else module[name]
