"""Programs of one reduction as MLIR text, from short descriptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

Shape = tuple[int, ...]
LINE = re.compile(r"(\w+) = (\w+) ([\w ]+?)(?: : ([^{]+?))?(?: \{(\w+)\})?")


class Spec(NamedTuple):
    """One reduction.

    `inputs` are element types: `f32`, or the parameters of a quantized one, `i8:f32, 0.5:3`; `bodies` are the
    body's. `combine` is the body: an op's name, or lines `r = add a0 b0` over the arguments a0, a1, ...,
    b0, b1, ... and captured values c0, ..., ended by the names returned.
    """

    op: str
    shape: Shape
    inputs: Sequence[str]
    bodies: Sequence[str]
    result: Shape
    combine: str = "add"
    results: Sequence[str] = ()  # the bodies', where not given
    dimensions: Shape = ()
    window: Shape = ()
    strides: Shape = ()
    base: Shape = ()
    dilations: Shape = ()
    padding: tuple[tuple[int, int], ...] = ()
    source: Shape = ()
    select: str = "GE"
    captured: Sequence[str] = ()
    inits: Sequence[str] = ()  # the inputs', where not given


class Writer:
    """Collects the aliases of quantized types while the program is written."""

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}

    def element(self, text: str) -> str:
        if ":" not in text:
            return text
        if text not in self.aliases:
            stem = re.match(r"\w+", text)[0]  # type: ignore[index]
            taken = set(self.aliases.values())
            names = [f"!{stem}", *(f"!{stem}_{letter}" for letter in "bcdef")]
            self.aliases[text] = next(name for name in names if name not in taken)
        return self.aliases[text]

    def tensor(self, shape: Shape, element: str) -> str:
        return f"tensor<{''.join(f'{n}x' for n in shape)}{self.element(element)}>"

    def region(self, elements: Sequence[str], combine: str, captured: Sequence[str]) -> str:
        """A body over lhs a0, a1, ... and rhs b0, b1, ..."""
        types = {f"{side}{i}": self.tensor((), e) for side in "ab" for i, e in enumerate(elements)}
        header = ", ".join(f"%{name}: {type}" for name, type in types.items())
        types |= {f"c{i}": self.tensor((), e) for i, e in enumerate(captured)}
        if not re.search(r"\s|^[abc]\d$", combine):
            lines = [f"r{i} = {combine} a{i} b{i}" for i in range(len(elements))]
            combine = "\n".join([*lines, " ".join(f"r{i}" for i in range(len(elements)))])
        *lines, last = (line.strip() for line in combine.strip().splitlines())
        written = [self.line(line, types) for line in lines]
        names = last.split()
        returned = ", ".join(f"%{n}" for n in names)
        written.append(f'"stablehlo.return"({returned}) : ({", ".join(types[n] for n in names)}) -> ()')
        return "{\n    ^bb0(" + header + "):\n" + "".join(f"      {line}\n" for line in written) + "    }"

    def line(self, line: str, types: dict[str, str]) -> str:
        found = LINE.fullmatch(line)
        assert found, line
        result, op, operands, type, direction = found.groups()
        names = operands.split()
        is_compare = op == "compare"
        default = "tensor<i1>" if is_compare else types[names[-1]]
        types[result] = self.tensor((), type) if type else default
        shown = (
            " {comparison_direction = #stablehlo<comparison_direction " + f"{direction}>}}"
            if direction
            else ""
        )
        given = ", ".join(f"%{n}" for n in names)
        signature = ", ".join(types[n] for n in names)
        return f'%{result} = "stablehlo.{op}"({given}){shown} : ({signature}) -> {types[result]}'


def array(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def attributes(spec: Spec) -> str:
    if spec.op == "reduce":
        return f"dimensions = {array(spec.dimensions)}"
    rank = len(spec.shape)
    parts = [f"window_dimensions = {array(spec.window)}"]
    parts += [f"window_strides = {array(spec.strides)}"] if spec.strides else []
    parts += [f"base_dilations = {array(spec.base)}"] if spec.base else []
    parts += [f"window_dilations = {array(spec.dilations)}"] if spec.dilations else []
    if spec.padding:
        pairs = ", ".join(f"[{low}, {high}]" for low, high in spec.padding)
        parts.append(f"padding = dense<[{pairs}]> : tensor<{rank}x2xi64>")
    return ", ".join(parts)


def program(spec: Spec | str) -> str:
    """The module of a reduction, or the text itself."""
    if isinstance(spec, str):
        return spec
    w, n = Writer(), len(spec.inputs)
    scatters = spec.op == "select_and_scatter"
    tensors = [w.tensor(spec.shape, e) for e in spec.inputs]
    names = [f"input{i}" for i in range(n)] if n > 1 else ["input"]
    if scatters:
        tensors, names = [*tensors, w.tensor(spec.source, spec.inputs[0])], ["operand", "source"]
    tensors += [w.tensor((), e) for e in spec.inits or spec.inputs]
    names += ["init_value"] if scatters else [f"init{i}" for i in range(n)] if n > 1 else ["init"]
    captured = [f"c{i}" for i in range(len(spec.captured))]
    parameters = list(
        zip([*names, *captured], [*tensors, *(w.tensor((), e) for e in spec.captured)], strict=True)
    )
    results = [w.tensor(spec.result, e) for e in spec.results or spec.bodies]
    regions = [w.region(spec.bodies, spec.combine, spec.captured)]
    if scatters:
        select = f"p = compare a0 b0 {{{spec.select}}}\np" if spec.select.isupper() else spec.select
        regions.insert(0, w.region(spec.inputs, select, spec.captured))
    arity = len(results)
    head, outputs = (
        ("%0", "%0") if arity == 1 else (f"%0:{arity}", ", ".join(f"%0#{i}" for i in range(arity)))
    )
    returned = results[0] if arity == 1 else f"({', '.join(results)})"
    signature = f"({', '.join(t for _, t in parameters)}) -> {returned}"
    lines = [
        "module {",
        '  "func.func"() ({',
        f"  ^bb0({', '.join(f'%{name}: {type}' for name, type in parameters)}):",
        f'    {head} = "stablehlo.{spec.op}"({", ".join(f"%{x}" for x in names)}) ({", ".join(regions)}) '
        f"{{{attributes(spec)}}} : ({', '.join(tensors)}) -> {returned}",
        f'    "func.return"({outputs}) : ({", ".join(results)}) -> ()',
        f'  }}) {{function_type = {signature}, sym_name = "main"}} : () -> ()',
        "}",
    ]
    aliases = [f"{name} = !quant.uniform<{text}>" for text, name in w.aliases.items()]
    return "\n".join([*aliases, *lines]) + "\n"
