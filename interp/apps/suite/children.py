"""Implementations that run in a child process, as they may abort: StableHLO's interpreter, XLA, IREE.

The runtimes of `interp.apps.runtimes` run there, too.

`python -m interp.apps.suite.children` serves requests `(name, text, module, args)` of `implementations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from interp.apps.runtimes import translation
from interp.apps.runtimes.runtimes import RUNTIMES, runtime
from interp.apps.runtimes.translation import Reply
from interp.apps.suite.compilers import PJRT, iree, pjrt
from spec.attributes import Dense
from spec.errors import Unsupported
from spec.ir import Module
from spec.types import TensorType

# What turns a quantized program into one that StableHLO's interpreter evaluates.
PASSES = (
    "func.func(stablehlo-legalize-quant-to-math)",
    "func.func(chlo-legalize-to-stablehlo)",
    "canonicalize",
    "func.func(shape-legalize-to-stablehlo)",
    "func.func(stablehlo-canonicalize-dynamism)",
)


def stablehlo(text: str, module: Module, args: Sequence[np.ndarray]) -> Reply:
    """Run StableHLO's reference interpreter, after the passes that lower quantized types."""
    from jaxlib.mlir import ir, passmanager
    from jaxlib.mlir.dialects import stablehlo as dialect

    with ir.Context() as context:
        program = parse_program(context, text)
        try:
            passmanager.PassManager.parse(f"builtin.module({','.join(PASSES)})").run(program.operation)
            types = next(iter(program.body)).type.inputs
            attributes = [attribute(x, type) for x, type in zip(args, types, strict=True)]
            results = dialect.eval_module(program, attributes)
        except (ir.MLIRError, RuntimeError, TypeError) as error:  # TypeError: jaxlib has no such constants
            return Reply("unsupported", message=str(error))
        return Reply("results", tuple(map(stored_elements, results)))


def parse_program(context: Any, text: str) -> Any:
    """Return jaxlib's module for the text, or a reply with the verifier's refusal."""
    from jaxlib.mlir import ir

    from interp.loading.reader import load_dialects

    load_dialects(context, checked=True)
    try:
        program = ir.Module.parse(text)
        program.operation.verify()
    except ir.MLIRError as error:
        return Reply("refused", message=str(error))
    return program


def refusal(text: str) -> Reply | None:
    """Return the message with which StableHLO's verifier, which all of these use, refuses the text."""
    from jaxlib.mlir import ir

    with ir.Context() as context:
        program = parse_program(context, text)
    return program if isinstance(program, Reply) else None


def attribute(x: np.ndarray, type: Any) -> Any:
    """Return stored elements as an MLIR constant, made from text, since jaxlib cannot view every type."""
    from jaxlib.mlir import ir

    from spec.attributes import dense_text
    from spec.types import parse_type

    dense = Dense(parse_type(str(type)), np.ascontiguousarray(x).tobytes())
    return ir.Attribute.parse(dense_text(dense))


def stored_elements(result: Any) -> np.ndarray:
    from interp.backends.dtypes import elements
    from interp.loading.attributes import constant

    dense = constant(str(result), bytes)
    assert isinstance(dense, Dense), result
    return elements(dense)


def xla(text: str, module: Module, args: Sequence[np.ndarray], as_written: bool = False) -> Reply:
    """Run XLA on the CPU, through `jax.export`, with its default options; `as_written`: with `compare`'s."""
    from interp.execute.xla import run_on_xla

    try:
        given = [narrow(x, value.type) for x, value in zip(args, module.main.inputs, strict=True)]
        return Reply("results", tuple(map(np.asarray, run_on_xla(module, given, as_written))))
    except Unsupported as error:
        types = [value.type for value in module.main.inputs]
        why = "cannot take quantized types\n" if any(type.is_quantized for type in types) else ""
        return Reply("unsupported", message=why + error.evidence)


def narrow(x: np.ndarray, type: TensorType) -> np.ndarray:
    """Return i4 and i2 elements in JAX's own dtypes for them."""
    import ml_dtypes

    bits = type.storage_type.bits
    return x.astype(getattr(ml_dtypes, x.dtype.name.replace("8", str(bits)))) if 1 < bits < 8 else x


CHILDREN: dict[str, Callable[[str, Module, Sequence[np.ndarray]], Reply]] = {
    "stablehlo": stablehlo,
    "xla": xla,
    "xla_as_written": partial(xla, as_written=True),
    "iree": iree,
}


def prepare() -> Callable[[Any], Any]:
    """Return the function that answers a request, with Python's error if the implementation raises one."""

    def answer(request: tuple[str, str, Module, Sequence[np.ndarray]]) -> Reply:
        name, text, module, args = request
        try:
            if name in RUNTIMES:
                return translation.answer(runtime(name), module, args)
            run = partial(pjrt, name) if name.startswith(PJRT) else CHILDREN[name]
            return refusal(text) or run(text, module, args)
        except Exception as error:
            return Reply("crashed", message=f"{type(error).__name__}: {error}")

    return answer


if __name__ == "__main__":
    from interp.apps.suite import children
    from interp.loading import server

    server.serve(children.prepare)  # not this module's own, whose replies would be pickled as __main__'s
