"""Summary of a program as MLIR comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spec.ir import Func, Module, walk


def summary(module: Module) -> str:
    """Return each function's signature and operations as MLIR comments."""
    return "\n".join(f"// {line}" for func in module.functions.values() for line in _lines(func))


def _lines(func: Func) -> Iterator[str]:
    ops = [op for op in walk(func.body) if not op.name.endswith(".return")]
    counts = Counter(op.name.removeprefix("stablehlo.") for op in ops)
    quantized = sum(any(v.type.is_quantized for v in (*op.operands, *op.results)) for op in ops)
    yield f"@{func.name}: {len(ops)} operations, {quantized} of them on quantized types"
    yield f"  takes {', '.join(repr(v.type) for v in func.inputs) or 'nothing'}"
    yield f"  gives {', '.join(map(repr, func.results)) or 'nothing'}"
    yield f"  {', '.join(f'{name} x {n}' if n > 1 else name for name, n in counts.most_common())}"
