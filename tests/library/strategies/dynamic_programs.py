"""Random programs whose geometry is an operand, each with the static program that it must equal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from spec.ir import Op, Value
from spec.rules.verify import GEOMETRY
from spec.types import ELEMENT_TYPES, TensorType
from tests.library.builders import module
from tests.library.strategies.indexing_programs import gathers
from tests.library.strategies.op_programs import convolutions, structures
from tests.library.strategies.programs import Program

NAMES = {
    "stablehlo.broadcast_in_dim": "dynamic_broadcast_in_dim",
    "stablehlo.convolution": "dynamic_conv",
    "stablehlo.gather": "dynamic_gather",
    "stablehlo.iota": "dynamic_iota",
    "stablehlo.pad": "dynamic_pad",
    "stablehlo.reshape": "dynamic_reshape",
    "stablehlo.slice": "real_dynamic_slice",
}
SHAPES = ("output_dimensions", "output_shape")


class Pair(NamedTuple):
    dynamic: Program
    static: Program


def made_dynamic(static: Program, integer: str) -> Pair:
    """The program with operands of an integer type in place of attributes."""
    (op, _) = static.module.main.body.ops
    name = f"stablehlo.{NAMES[op.name]}"
    kept = {key: x for key, x in op.attributes.items() if key not in GEOMETRY[name]}
    operands, args = list(op.operands), list(static.args)
    for attribute, position in GEOMETRY[name].items():
        elements = op.result.type.shape if attribute in SHAPES else op[attribute]
        shape = (len(elements), 2) if attribute == "padding" else (len(elements),)
        operands.insert(position, Value(f"%{attribute}", TensorType(shape, ELEMENT_TYPES[integer])))
        args.insert(position, np.array(elements, ELEMENT_TYPES[integer].numpy).reshape(shape))
    made = Op(name, tuple(operands), op.results, kept)
    return Pair(Program(module(made), tuple(args)), static)


def can_be_dynamic(program: Program) -> bool:
    """dynamic_gather has no batching dimensions."""
    op = program.module.main.body.ops[0]
    return op.name in NAMES and not op.attributes.get("operand_batching_dims")


@st.composite
def dynamic_programs(draw: st.DrawFn) -> Pair:
    static = draw(st.one_of(structures(), structures(), convolutions(), gathers()).filter(can_be_dynamic))
    return made_dynamic(static, draw(st.sampled_from(["i16", "i32", "i64"])))


FAMILIES = {"dynamic": dynamic_programs().map(lambda pair: pair.dynamic)}
