"""Programs for tests, from the few facts that a test is about.

In the IR: `reduce`, `reduce_window`, `select_and_scatter` and `operation` are one operation each, on operands
%arg0, %arg1, ... with results %0, %1, ...; `combining`, `selecting` and `region` are their bodies; `module`
puts operations into @main. `op` and `single` take the types as text, `reduced` and `convolution` more of it.
As text, read by jaxlib: `reduction`, `conversion` and `function`. `oracle` runs a program on plain numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interp.loading.load import load
from spec.ir import Func, Module, Op, Region, Value
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.schedule import LEFT, Schedule
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, parse_element_type, parse_type

Element = ElementType | QuantizedType
Shape = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]


def value(name: str, element: Element, *shape: int) -> Value:
    return Value(f"%{name}", TensorType(shape, element))


def operands(shape: Shape, types: Sequence[Element], inits: Sequence[Element] = ()) -> tuple[Value, ...]:
    """Inputs of a shape and an init value for each, of the inputs' types where not given."""
    tensors = [*(TensorType(shape, t) for t in types), *(TensorType((), t) for t in inits or types)]
    return arguments(tensors)


def arguments(types: Sequence[TensorType]) -> tuple[Value, ...]:
    return tuple(Value(f"%arg{k}", type) for k, type in enumerate(types))


def results(shape: Shape, types: Sequence[Element]) -> tuple[Value, ...]:
    return tuple(value(str(k), type, *shape) for k, type in enumerate(types))


def module(*ops: Op) -> Module:
    """`@main` of operations that follow one another; a value that none of them defines is an argument."""
    made = {v.name for op in ops for v in op.results}
    free = tuple(dict.fromkeys(v for op in ops for v in op.operands if v.name not in made))
    returned = ops[-1].results
    code = Region(free, (*ops, Op("func.return", returned, ())))
    return Module({"main": Func("main", code, tuple(v.type for v in returned))})


# Bodies
# -------------------------------------------------------------------------------------------------


def combining(name: str, *elements: Element) -> Region:
    """A body of one operation for each operand."""
    lhs, rhs, out = ([value(f"{s}{k}", e) for k, e in enumerate(elements)] for s in "abc")
    ops = [Op(f"stablehlo.{name}", (a, b), (c,)) for a, b, c in zip(lhs, rhs, out, strict=True)]
    return Region((*lhs, *rhs), (*ops, Op("stablehlo.return", tuple(out), ())))


def selecting(element: Element, direction: str = "GE") -> Region:
    """The `select` of a select_and_scatter."""
    a, b, p = value("a", element), value("b", element), value("p", ELEMENT_TYPES["i1"])
    compare = Op("stablehlo.compare", (a, b), (p,), {"comparison_direction": direction})
    return Region((a, b), (compare, Op("stablehlo.return", (p,), ())))


def region(recipe: Sequence[str], element: Element) -> Region:
    """A body of lines `add a b`, `maximum 0 a`: operations on a, b and the results of earlier lines."""
    values = {name: value(name, element) for name in "ab01"}
    ops = []
    for k, line in enumerate(recipe):
        name, lhs, rhs = line.split()
        ops.append(Op(f"stablehlo.{name}", (values[lhs], values[rhs]), (values[str(k)],)))
    return Region((values["a"], values["b"]), (*ops, Op("stablehlo.return", ops[-1].results, ())))


# Operations. `body` is the name of what combines, or a region.
# -------------------------------------------------------------------------------------------------


def operation(name: str, inputs: Sequence[TensorType], result: TensorType, **attributes: object) -> Op:
    """One operation; a name without a dialect is StableHLO's."""
    name = name if "." in name else f"stablehlo.{name}"
    return Op(name, arguments(inputs), (Value("%0", result),), attributes)


def reduce(
    body: str | Region,
    source: Element,
    accumulation: Element,
    shape: Shape,
    dimensions: Shape | None = None,
    *,
    arity: int = 1,
    init: Element | None = None,
    result: Element | None = None,
) -> Op:
    """`reduce` along the last dimension, or `dimensions`, of `arity` operands alike."""
    dimensions = (len(shape) - 1,) if dimensions is None else dimensions
    kept = tuple(n for d, n in enumerate(shape) if d not in dimensions)
    return Op(
        "stablehlo.reduce",
        operands(shape, [source] * arity, [init or source] * arity),
        results(kept, [result or accumulation] * arity),
        {"dimensions": dimensions},
        (combining(body, *[accumulation] * arity) if isinstance(body, str) else body,),
    )


def num_windows(size: int, low: int, high: int, window: int, stride: int) -> int:
    """docs/spec.md, reduce_window C15, for one dimension that is already dilated."""
    padded = low + size + high
    return 0 if padded == 0 or window > padded else (padded - window) // stride + 1


def windowing(window: Shape, strides: Shape, base: Shape, dilations: Shape, padding: Pairs) -> dict[str, Any]:
    """Return the attributes of a reduce_window."""
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")
    return dict(zip(names, (window, strides, base, dilations, padding), strict=True))


def windows_in(shape: Shape, attributes: dict[str, Any]) -> Shape:
    """Return how many windows there are along each dimension."""
    window, ones = attributes["window_dimensions"], (1,) * len(shape)
    base, dilations = attributes.get("base_dilations", ones), attributes.get("window_dilations", ones)
    rows = zip(
        shape, window, attributes["window_strides"], base, dilations, attributes["padding"], strict=True
    )
    return tuple(
        num_windows((n - 1) * b + 1 if n else 0, *p, (w - 1) * d + 1, s) for n, w, s, b, d, p in rows
    )


def reduce_window(
    body: str | Region,
    source: Element,
    accumulation: Element,
    shape: Shape,
    window: Shape,
    *,
    strides: Shape = (),
    base: Shape = (),
    dilations: Shape = (),
    padding: Pairs = (),
    init: Element | None = None,
    result: Element | None = None,
) -> Op:
    """`reduce_window` of one operand."""
    ones = (1,) * len(shape)
    attributes = windowing(
        window, strides or ones, base or ones, dilations or ones, padding or ((0, 0),) * len(shape)
    )
    return Op(
        "stablehlo.reduce_window",
        operands(shape, [source], [init or source]),
        results(windows_in(shape, attributes), [result or accumulation]),
        attributes,
        (combining(body, accumulation) if isinstance(body, str) else body,),
    )


def select_and_scatter(
    body: str | Region,
    source: Element,
    accumulation: Element,
    shape: Shape,
    window: Shape,
    *,
    strides: Shape = (),
    padding: Pairs = (),
    direction: str = "GE",
) -> Op:
    """`select_and_scatter` whose operand and source are of one element type."""
    ones, none = (1,) * len(shape), ((0, 0),) * len(shape)
    attributes = {"window_dimensions": window, "window_strides": strides or ones, "padding": padding or none}
    shapes = shape, windows_in(shape, attributes), ()
    scatter = combining(body, accumulation) if isinstance(body, str) else body
    return Op(
        "stablehlo.select_and_scatter",
        arguments([TensorType(s, source) for s in shapes]),
        results(shape, [accumulation]),
        attributes,
        (selecting(source, direction), scatter),
    )


# One operation, its types as MLIR's text without `tensor<>`
# -------------------------------------------------------------------------------------------------


def types(text: str) -> list[TensorType]:
    return [parse_type(f"tensor<{word.strip()}>") for word in text.split(";") if word.strip()]


def op(name: str, signature: str, **attributes: Any) -> Op:
    """`op("compare", "2xf32; 2xf32 -> 2xi1", comparison_direction="LT")`."""
    inputs, outputs = map(types, signature.split("->"))
    name = name if "." in name else f"stablehlo.{name}"
    made = tuple(Value(f"%{k}", type) for k, type in enumerate(outputs))
    return Op(name, arguments(inputs), made, attributes)


def single(name: str, signature: str, **attributes: Any) -> Module:
    """`@main` of one operation."""
    return module(op(name, signature, **attributes))


def chained(signature: str, *lines: str) -> Module:
    """`@main` of operations on one type; the last is returned.

    `chained("a b: 4xf32", "c = add a b", "negate c")`
    """
    names, _, text = signature.partition(": ")
    (type,) = types(text)
    values = {name: Value(f"%{name}", type) for name in names.split()}
    inputs, ops = tuple(values.values()), []
    for line in lines:
        name, _, call = line.rpartition(" = ")
        body, *operands = call.split()
        values[name] = Value(f"%{name or 'result'}", type)
        ops.append(Op(f"stablehlo.{body}", tuple(values[x] for x in operands), (values[name],)))
    code = Region(inputs, (*ops, Op("func.return", ops[-1].results, ())))
    return Module({"main": Func("main", code, (type,))})


def element(text: str) -> Element | None:
    return parse_element_type(text) if text else None


def reduced(
    input: str,
    accumulation: str = "",
    body: str | Region = "add",
    dimensions: Shape = (0,),
    *,
    init: str = "",
    result: str = "",
) -> Module:
    """`@main` of one reduce: `reduced("2x3xi8", "i32", "maximum", (1,))`; types not given are the input's."""
    ((shape, source),) = ((type.shape, type.element_type) for type in types(input))
    wide, given = element(accumulation) or source, {"init": element(init), "result": element(result)}
    return module(reduce(body, source, wide, shape, dimensions, **given))


def windowed(input: str, window: Shape, accumulation: str = "", body: str = "add", **geometry: Any) -> Module:
    """`@main` of one reduce_window: `windowed("4xi8", (2,), "i32", padding=((1, 0),))`."""
    ((shape, source),) = ((type.shape, type.element_type) for type in types(input))
    return module(reduce_window(body, source, element(accumulation) or source, shape, window, **geometry))


def scattered(
    input: str, window: Shape, accumulation: str = "", body: str = "add", **geometry: Any
) -> Module:
    """`@main` of one select_and_scatter that selects the greatest."""
    ((shape, source),) = ((type.shape, type.element_type) for type in types(input))
    wide = element(accumulation) or source
    return module(select_and_scatter(body, source, wide, shape, window, **geometry))


def contracting(lhs: int = 0, rhs: int = 0) -> dict[str, Any]:
    """Attributes of a dot_general that contracts one dimension of each operand."""
    batching = {"lhs_batching_dimensions": (), "rhs_batching_dimensions": ()}
    return {**batching, "lhs_contracting_dimensions": (lhs,), "rhs_contracting_dimensions": (rhs,)}


def convolving(layout: str, **attributes: Any) -> dict[str, Any]:
    """Attributes of a convolution whose dimensions lie as in `b01f 01io b01f`."""
    found: dict[str, Any] = {}
    parts = (("input", "b", "batch", "f", "feature"), ("kernel", "i", "input_feature", "o", "output_feature"))
    for letters, (name, *rest) in zip(layout.split(), (*parts, ("output", *parts[0][1:])), strict=True):
        spatial = tuple(letters.index(str(k)) for k in range(len(letters) - 2))
        found[f"{name}_spatial_dimensions"] = spatial
        for letter, meaning in zip(rest[::2], rest[1::2], strict=True):
            found[f"{name}_{meaning}_dimension"] = letters.index(letter)
    ones = (1,) * len(spatial)
    for name in ("window_strides", "lhs_dilation", "rhs_dilation"):
        found[name] = ones
    found |= {"padding": ((0, 0),) * len(ones), "window_reversal": (False,) * len(ones)}
    return {**found, "feature_group_count": 1, "batch_group_count": 1, **attributes}


def convolution(signature: str, layout: str, **attributes: Any) -> Module:
    return single("convolution", signature, **convolving(layout, **attributes))


# Text
# -------------------------------------------------------------------------------------------------


# One dimension twice: jaxlib refuses it, so it is read in the RFC's form, unchecked.
BATCH = """func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %sum : tensor<?xf32>
}"""
UNCHECKED = """
"func.func"() ({
^bb0(%x: tensor<2x3xf32>, %init: tensor<f32>):
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) {dimensions = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  "func.return"(%0) : (tensor<2xf32>) -> ()
}) {function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>, sym_name = "main"} : () -> ()
"""


def oracle(module: Module, *args: Sequence[Any], schedule: Schedule = LEFT) -> tuple[Any, ...]:
    """The stored elements of the first result, from stored elements in row-major order."""
    tensors = [Tensor(x.type, tuple(arg)) for x, arg in zip(module.main.inputs, args, strict=True)]
    return evaluate(module, tensors, schedule)[0].elements


def quantized(parameters: str) -> str:
    return f"!quant.uniform<{parameters}>"


def function(signature: str, *lines: str, before: str = "", after: str = "") -> Module:
    """`@main` of these lines; `before` are aliases of types, `after` other functions.

    The result of the last line is returned unless that returns something.
    """
    if not lines[-1].startswith("return"):
        name = lines[-1].partition(" = ")[0]
        lines = (*lines, f"return {name} : {signature.rpartition('-> ')[2]}")
    return load("\n".join([before, f"func.func @main{signature} {{", *lines, "}", after]))


def reduction(
    op: str,
    input: str,
    init: str,
    body: str,
    result: str,
    attributes: str,
    combine: str = "add",
    dialect: str = "stablehlo",
) -> Module:
    """One reduction. Tensor types are MLIR's text inside `tensor<>`, `body` an element type."""
    text = f"""
      module {{
        "func.func"() ({{
        ^bb0(%input: tensor<{input}>, %init: tensor<{init}>):
          %0 = "stablehlo.{op}"(%input, %init) ({{
          ^bb0(%a: tensor<{body}>, %b: tensor<{body}>):
            %1 = "stablehlo.{combine}"(%a, %b) : (tensor<{body}>, tensor<{body}>) -> tensor<{body}>
            "stablehlo.return"(%1) : (tensor<{body}>) -> ()
          }}) {{{attributes}}} : (tensor<{input}>, tensor<{init}>) -> tensor<{result}>
          "func.return"(%0) : (tensor<{result}>) -> ()
        }}) {{function_type = (tensor<{input}>, tensor<{init}>) -> tensor<{result}>, sym_name = "main"}}
          : () -> ()
      }}"""
    return load(text, dialect=dialect)


def conversion(op: str, operand: str, result: str) -> Module:
    """One op on one tensor."""
    type = f"tensor<{result}>"
    line = f'%0 = "{op}"(%operand) : (tensor<{operand}>) -> {type}'
    return function(f"(%operand: tensor<{operand}>) -> {type}", line, f"return %0 : {type}")
