"""Functions and models of JAX, flax, Keras and PyTorch as programs, each by its own library's exporter.

A library is recognized by the names of an object's classes, and imported only if the object is of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from types import BuiltinFunctionType
from typing import Any, TypeGuard

from spec.errors import Malformed, Unsupported, short_text

# Objects that are programs, by an attribute: exported and lowered functions of JAX, lowered ones of
# litert-torch (formerly ai-edge-torch), and models of ONNX.
ATTRIBUTES = "mlir_module_serialized", "compiler_ir", "module_bytecode", "SerializeToString"
EXPORTED = "torch.export.exported_program.ExportedProgram"
# Models, which are programs of their example inputs.
TORCH = "torch.nn.modules.module.Module"
LINEN = "flax.linen.module.Module"
NNX = "flax.nnx.module.Module"
KERAS = "keras.src.layers.layer.Layer"
MODELS = TORCH, LINEN, NNX, KERAS
KERAS_ON_JAX = "keras.src.backend.jax.layer.JaxLayer"
# Objects that are no programs, and the call that gives one.
CALLS = {
    "jax._src.stages.Traced": "call lower() of it",
    "jax._src.stages.Compiled": "give what was compiled: jax.jit(f).lower(*inputs)",
    "torch_xla.stablehlo.StableHLOGraphModule": "give the text that its get_stablehlo_text() returns",
}


def kind_of(source: Any, kinds: Sequence[str]) -> str:
    """Return the first of these classes, named with their modules, that an object is of, or ""."""
    classes = {f"{c.__module__}.{c.__qualname__}" for c in type(source).__mro__}
    return next((kind for kind in kinds if kind in classes), "")


def is_object(source: Any) -> bool:
    """Return whether an object is a program without any inputs being named."""
    has = any(hasattr(source, name) for name in ATTRIBUTES) and not isinstance(source, type)
    return has or bool(kind_of(source, [EXPORTED]))


def is_function(source: Any) -> bool:
    """Return whether a function or model is a program of its inputs; JAX traces no built-in function."""
    return callable(source) and not isinstance(source, type | BuiltinFunctionType) and not is_object(source)


def is_torch(source: Any) -> bool:
    """Return whether a model is PyTorch's, which JAX cannot trace."""
    return bool(kind_of(source, [TORCH]))


def is_pair(source: Any) -> TypeGuard[tuple[Any, Sequence[Any]]]:
    """Return whether a program is given as a function or model and the tuple of its example inputs."""
    return (
        isinstance(source, tuple)
        and len(source) == 2
        and is_function(source[0])
        and isinstance(source[1], tuple | list)
    )


def program(function: Any, *args: Any, **keywords: Any) -> Any:
    """Return a function or model, on inputs of these shapes and types, as a program that every verb takes.

    function: any function that `jax.jit` takes, or a jitted one, with its options; a module of flax (linen's
    with its variables bound, or nnx), Keras (on JAX or PyTorch) or PyTorch. args, keywords: examples or, of
    JAX, `jax.ShapeDtypeStruct`s, in pytrees. Returns the `jax.stages.Lowered`, with which a verb takes and
    gives the trees of the function; of PyTorch, the `onnx.ModelProto` that its exporter writes. The weights
    of a module are constants of the program. The pair `(function, args)` stands for
    `program(function, *args)` wherever a program does.
    """
    if not callable(function):
        raise Malformed(
            f"{short_text(function)} is not a function", "expected a JAX function and its arguments"
        )
    if is_torch(function):
        return export(function, args, keywords)
    return jit(function).lower(*args, **keywords)


def jit(function: Any) -> Any:
    """Return a JAX function, or a model on JAX, as `jax.jit` returns it."""
    import jax

    kind = kind_of(function, [LINEN, NNX, KERAS])
    call = {LINEN: _linen, NNX: _nnx, KERAS: _keras}[kind](function) if kind else function
    return call if hasattr(call, "lower") else jax.jit(call)


def _linen(module: Any) -> Callable[..., Any]:
    if module.scope is None:
        what_to_do = "give (module.bind(variables), inputs), or (module.apply, (variables, *inputs))"
        raise Malformed(f"a flax module without its variables: {type(module).__name__}", what_to_do)
    return _call(module)


def _keras(model: Any) -> Callable[..., Any]:
    if not kind_of(model, [KERAS_ON_JAX]):
        what_to_do = "set KERAS_BACKEND=jax or KERAS_BACKEND=torch before keras is imported"
        raise Unsupported("a Keras model on another backend than JAX and PyTorch", what_to_do)
    return _call(model)


def _call(model: Any) -> Callable[..., Any]:
    """Return a function that calls a model, which JAX cannot always hash, under the name of its class."""

    def call(*inputs: Any, **keywords: Any) -> Any:
        return model(*inputs, **keywords)

    call.__name__ = type(model).__name__
    return call


def _nnx(model: Any) -> Callable[..., Any]:
    """Return a function that calls an nnx module whose operations have the paths of its modules as scopes.

    Updates of its state, such as a batch norm makes in training, are not results of the program.
    """
    from flax import nnx

    copy: Any = nnx.clone(model)
    around: list[tuple[str, ...]] = [()]
    for path, module in list(nnx.iter_modules(copy)):
        if path:
            _name_scope(module, tuple(map(str, path)), around)

    def call(*inputs: Any, **keywords: Any) -> Any:
        return nnx.clone(copy)(*inputs, **keywords)  # whose state may change while JAX traces it

    call.__name__ = type(model).__name__
    return call


def _name_scope(module: Any, path: tuple[str, ...], around: list[tuple[str, ...]]) -> None:
    """Make calls of one module run in a scope of its path, less that of the module which calls it.

    around: the paths of the modules that are being called, the innermost last.
    """
    import jax

    base = type(module)

    def call(self: Any, *inputs: Any, **keywords: Any) -> Any:
        outer = around[-1]
        inner = path[len(outer) :] if path[: len(outer)] == outer else path
        around.append(path)
        try:
            with jax.named_scope("/".join(inner)):
                return base.__call__(self, *inputs, **keywords)
        finally:
            around.pop()

    if callable(module):
        module.__class__ = type(base.__name__, (base,), {"__call__": call, "__module__": base.__module__})


def has_torchao(model: Any) -> bool:
    """Return whether torchao stores weights of a module, or of an `ExportedProgram`, as integers.

    The exporter's optimizer would compute the floats that they stand for, and drop the integers.
    """
    graph = getattr(getattr(model, "graph_module", None), "graph", None)
    targets = [str(node.target) for node in graph.nodes] if graph else []
    parameters = model.parameters() if callable(getattr(model, "parameters", None)) else ()
    kinds = [type(each).__module__ for each in parameters]
    return any(name.startswith("torchao") for name in (*targets, *kinds))


def export(model: Any, inputs: Sequence[Any] = (), keywords: dict[str, Any] | None = None) -> Any:
    """Return a module of PyTorch with its inputs, or an `ExportedProgram`, as an `onnx.ModelProto`.

    Raises `Unsupported` if a package is missing, or PyTorch's exporter refuses the model.
    """
    missing = [name for name in ("onnx", "onnxscript") if find_spec(name) is None]
    if missing:
        verdict = f"PyTorch writes a program as ONNX, for which it lacks {' and '.join(missing)}"
        raise Unsupported(verdict, f"pip install {' '.join(missing)}")
    import numpy as np
    import torch

    examples = tuple(torch.from_numpy(x) if isinstance(x, np.ndarray) else x for x in inputs)
    ways = {"dynamo": True, "verbose": False} | ({"optimize": False} if has_torchao(model) else {})
    try:
        made = torch.onnx.export(model, examples, kwargs=keywords or None, **ways)
    except torch.onnx.errors.OnnxExporterError as error:
        lines = str(error.__cause__ or error).strip().splitlines()[:4]
        if type(error).__name__ == "ConversionError":
            lines.append("litert_torch.backend.export.exported_program_to_mlir gives a program, too")
        raise Unsupported(f"torch.onnx.export refuses {type(model).__name__}", "\n".join(lines)) from error
    return made.model_proto
