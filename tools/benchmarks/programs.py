"""The programs as MLIR text. Types are element types: quantized ones for us, plain ones for the others."""

from __future__ import annotations

from collections.abc import Sequence

Shape = tuple[int, ...]
Padding = Sequence[tuple[int, int]]


def quantized(storage: str, scale: float) -> str:
    return f"!quant.uniform<{storage}:f32, {scale}>"


def tensor(shape: Shape, element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def windows(shape: Shape, window: Shape, strides: Shape, padding: Padding) -> Shape:
    """Return how many windows fit, per dimension."""
    dimensions = zip(shape, window, strides, padding, strict=True)
    return tuple((size + sum(pads) - width) // stride + 1 for size, width, stride, pads in dimensions)


def reduce(
    body: str, shape: Shape, dimensions: Sequence[int], element: str, init: str, accumulator: str
) -> str:
    kept = tuple(size for d, size in enumerate(shape) if d not in dimensions)
    return _main(
        [tensor(shape, element), tensor((), init)],
        tensor(kept, accumulator),
        f"""%0 = "stablehlo.reduce"(%arg0, %arg1) ({{
{_binary(body, accumulator)}
  }}) {{dimensions = {_array(dimensions)}}}""",
    )


def reduce_window(
    body: str, shape: Shape, window: Shape, strides: Shape, padding: Padding, element: str, accumulator: str
) -> str:
    return _main(
        [tensor(shape, element), tensor((), element)],
        tensor(windows(shape, window, strides, padding), accumulator),
        f"""%0 = "stablehlo.reduce_window"(%arg0, %arg1) ({{
{_binary(body, accumulator)}
  }}) {_attributes(window, strides, padding)}""",
    )


def select_and_scatter(
    shape: Shape, source: Shape, window: Shape, strides: Shape, padding: Padding, element: str
) -> str:
    """Select the first greatest of each window, and add up the scattered values."""
    scalar = tensor((), element)
    return _main(
        [tensor(shape, element), tensor(source, element), scalar],
        tensor(shape, element),
        f"""%0 = "stablehlo.select_and_scatter"(%arg0, %arg1, %arg2) ({{
  ^select(%a: {scalar}, %b: {scalar}):
    %p = stablehlo.compare GE, %a, %b : ({scalar}, {scalar}) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
{_binary("add", element)}
  }}) {_attributes(window, strides, padding)}""",
    )


def scan(rows: int, columns: int, element: str) -> str:
    """Return running sums of rows, a row in each iteration of a loop, as exporters write a scan."""
    whole, row, line = (tensor(shape, element) for shape in ((rows, columns), (columns,), (1, columns)))
    number = tensor((), "i32")
    return f"""func.func @main(%xs: {whole}, %init: {row}) -> {whole} {{
  %zero = stablehlo.constant dense<0> : {number}
  %one = stablehlo.constant dense<1> : {number}
  %end = stablehlo.constant dense<{rows}> : {number}
  %0:3 = stablehlo.while(%i = %zero, %sum = %init, %ys = %xs) : {number}, {row}, {whole}
  cond {{
    %p = stablehlo.compare LT, %i, %end : ({number}, {number}) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %x = stablehlo.dynamic_slice %xs, %i, %zero, sizes = [1, {columns}]
      : ({whole}, {number}, {number}) -> {line}
    %y = stablehlo.reshape %x : ({line}) -> {row}
    %next = stablehlo.add %sum, %y : {row}
    %z = stablehlo.reshape %next : ({row}) -> {line}
    %more = stablehlo.dynamic_update_slice %ys, %z, %i, %zero
      : ({whole}, {line}, {number}, {number}) -> {whole}
    %j = stablehlo.add %i, %one : {number}
    stablehlo.return %j, %next, %more : {number}, {row}, {whole}
  }}
  return %0#2 : {whole}
}}
"""


CHAIN = "add", "maximum", "multiply", "subtract"


def chain(times: int, columns: int, element: str) -> str:
    """Return `times` times the operations of `CHAIN`, each on the result of the one before and on %y."""
    row = tensor((columns,), element)
    lines = [f"  %{k + 1} = stablehlo.{CHAIN[k % len(CHAIN)]} %{k}, %y : {row}" for k in range(4 * times)]
    lines[0] = lines[0].replace("%0, ", "%x, ")
    body = "\n".join(lines)
    return f"func.func @main(%x: {row}, %y: {row}) -> {row} {{\n{body}\n  return %{4 * times} : {row}\n}}\n"


def _main(operands: Sequence[str], result: str, operation: str) -> str:
    """Return @main around one operation whose operands are the parameters."""
    parameters = ", ".join(f"%arg{i}: {type}" for i, type in enumerate(operands))
    return f"""func.func @main({parameters}) -> {result} {{
  {operation} : ({", ".join(operands)}) -> {result}
  return %0 : {result}
}}
"""


def _binary(operation: str, element: str) -> str:
    scalar = tensor((), element)
    return f"""  ^body(%x: {scalar}, %y: {scalar}):
    %z = stablehlo.{operation} %x, %y : {scalar}
    stablehlo.return %z : {scalar}"""


def _attributes(window: Shape, strides: Shape, padding: Padding) -> str:
    pads = f"dense<{[list(pair) for pair in padding]}> : tensor<{len(padding)}x2xi64>"
    return f"{{window_dimensions = {_array(window)}, window_strides = {_array(strides)}, padding = {pads}}}"


def _array(integers: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, integers))}>"
