"""`refine`: a program made static for given arguments: their shapes, and values that decide sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from interp.engine.arguments import complete
from interp.engine.memo import once
from interp.loading.on_demand import Arguments, Question
from spec.attributes import Dense
from spec.errors import InterpError, Malformed, Unsupported
from spec.ir import Module, Value
from spec.types import TensorType, is_tensor


def refine(module: Module, *args: Any) -> Module:
    """Return the program for arguments of these shapes, with all sizes known; a static program is unchanged.

    args: arrays, or types as text (`"tensor<8x4xf32>"`), for the parameters of @main. Sizes may also depend
    on the value of a 0-d integer argument, which becomes a constant of the refined program, and those of an
    ONNX model on anything that follows from arguments: then the refined program is for these values. Raises
    `Malformed` if the shapes do not fit the parameters' types or violate an assertion of the exporter, and
    `Unsupported` if sizes depend on anything else.
    """
    if not module.is_dynamic:
        return module
    main = module.main
    args = tuple(complete(main, args))
    types = tuple(_type(x, parameter) for x, parameter in zip(args, main.inputs, strict=True))
    pairs = enumerate(zip(args, main.inputs, strict=True))
    constants = tuple((k, text) for k, (x, v) in pairs if (text := _constant(x, v)))
    answers: tuple[tuple[str, Dense], ...] = ()
    while isinstance(refined := _refine(module, types, constants, answers), Question):
        answers = *answers, (refined.name, _answer(refined, args))
    return refined


def refuse_other_values(module: Module, refined: Module, args: Sequence[Any]) -> None:
    """Raise `Unsupported` if a program that was refined for some arguments is not the one for these.

    Other shapes are left to whoever takes the arguments.
    """
    import numpy as np

    if not module.is_dynamic or refined is module:
        return
    shapes = [v.type.shape for v in refined.main.inputs]
    if shapes == [np.shape(x) for x in args] and refine(module, *args) is not refined:
        what_to_do = "ask about these arguments alone, or about arguments that give the same sizes"
        raise Unsupported(
            "sizes depend on the values of arguments, which differ from the first ones", what_to_do
        )


def _answer(question: Question, args: Sequence[Any]) -> Dense:
    """Return the elements that a question asks for, computed from the arguments."""
    import numpy as np

    from interp.execute.run import run  # few programs ask

    if any(isinstance(x, str) for x in args):
        what_to_do = "give arguments in the place of types: interp.refine(m, x)"
        raise Unsupported("sizes depend on numbers", f"{question.reason}\n{what_to_do}")
    (result,) = run(question.program, *args)
    return Dense(result.type, np.ascontiguousarray(result.storage).tobytes())


@once
def _refine(
    module: Module,
    types: Sequence[str],
    constants: Sequence[tuple[int, str]],
    answers: Sequence[tuple[str, Dense]],
) -> Module | Question:
    from interp.loading.warm import WORKER

    if module.unrefined is None:
        raise Unsupported("sizes are unknown", "load the program from a file, bytes or text to refine it")
    arguments = Arguments(types, dict(constants), answers)
    refined: Module | Question = WORKER.request(*module.unrefined, arguments)
    if isinstance(refined, Question):
        return refined
    if not isinstance(module.reference, Module):
        return replace(refined, reference=None, origin=module.origin)
    reference = _reference(module.reference, types)
    lost = "" if reference else " is lost: its sizes do not follow from those of the arguments"
    return replace(refined, reference=reference, origin=module.origin + lost)


def _reference(reference: Module, types: Sequence[str]) -> Module | None:
    """Return a float reference for arguments of these shapes; None if it does not take them."""
    from spec.types import parse_type

    shapes = [getattr(parse_type(text), "shape", ()) for text in types]
    if len(shapes) != len(reference.main.inputs):
        return None
    given = zip(shapes, reference.main.inputs, strict=True)
    try:
        return refine(reference, *(repr(TensorType(shape, v.type.element_type)) for shape, v in given))
    except InterpError:
        return None


def _type(x: Any, parameter: Value) -> str:
    """Return the type of an argument as text; `Malformed` if it does not fit the parameter.

    Tokens and tuples have no sizes to fit.
    """
    import numpy as np

    from spec.types import parse_type

    if not is_tensor(parameter.type):
        return repr(parameter.type)
    given = parse_type(x) if isinstance(x, str) else TensorType(np.shape(x), parameter.type.element_type)
    shape, bounds = parameter.type.shape, parameter.type.bounds or (None,) * parameter.type.rank
    fits = len(given.shape) == len(shape) and all(
        wanted in (None, size) and (bound is None or size is None or size <= bound)
        for size, wanted, bound in zip(given.shape, shape, bounds, strict=True)
    )
    if not fits or given.element_type != parameter.type.element_type or None in given.shape:
        evidence = f"expected {parameter.type!r}\ngot {given!r}"
        raise Malformed(f"argument {parameter.title} has another shape", evidence)
    return repr(given)


def _constant(x: Any, parameter: Value) -> str:
    """Return a 0-d integer argument as the text of an attribute, any other as ""."""
    type = parameter.type
    if isinstance(x, str) or type.rank or type.is_quantized or type.tensor_element_type.kind == "float":
        return ""
    if not type.tensor_element_type.is_integer:
        return ""
    return f"dense<{int(x)}> : {type!r}"
