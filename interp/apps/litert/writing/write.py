"""`write_litert`: a program as a .tflite file, where its operations have a form that gives the same bits.

What `load` made of a file, and what `quantize` and `raise_qdq` make, is contractions of quantized operands
whose sums of 32 bits take a bias and are requantized, and elementwise operations on quantized types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from interp.apps.litert.schema import OPTION_TABLES
from interp.apps.litert.writing.contractions import CONTRACTIONS, QUANTIZE, write_contraction
from interp.apps.litert.writing.model import write_model
from interp.apps.litert.writing.rules import RULES, write_mean, write_quantization
from interp.apps.litert.writing.walk import Walk, Written, is_sum
from interp.apps.runtimes.litert_model import Subgraph
from interp.apps.runtimes.translation import Operand, need
from interp.engine.files import write_bytes
from interp.loading.load import Program, load
from interp.loading.writer import stem_of
from interp.recorder.layers import litert_tensor, path_of
from interp.rewrite.inlining import inline_calls
from spec.ir import Module, Op

COMPOSITE = "stablehlo.composite"
PREFIX = "litert."


def write_litert(program: Program, path: str | Path | None = None) -> bytes:
    """Return `@main` as a .tflite file, and write it if there is a path.

    `load` gives the program that the file means, whose bits are those of LiteRT's reference kernels. They are
    those of the program given, in the integer reading by the recipe `tflite_double`, but for three things:

    * FULLY_CONNECTED multiplies in f64 instead of with 31 bits, unless the program says so itself.
    * QUANTIZE rounds floats half away from zero before it adds the zero point, and StableHLO half to even
      after: that differs at ties.
    * Functions of floats are the C library's.

    A multiplier that the program gives must be the one that LiteRT computes. Raise `Unsupported` that names
    all operations without a form, with counts.
    """
    module = program if isinstance(program, Module) else load(program)
    walk = Walk(inline_calls(module, module.main))
    main = walk.module.main
    names = [v.label or v.name.lstrip("%") for v in main.inputs]
    for name, value in zip(names, main.inputs, strict=True):
        walk.attempt("argument", value, partial(walk.argument, name, value))
    for op in main.body.ops[:-1]:
        if id(op) not in walk.taken and any(v.name in walk.moving for v in op.results):
            _attempt(walk, op)
    outputs = [walk.attempt("result", v, partial(walk.operand, v)).handle for v in main.body.returns]
    walk.refuse()
    graph = Subgraph(walk.graph.slots, walk.graph.nodes, walk.graph.inputs, outputs)
    content = write_model(graph, names, [f"output_{k}" for k in range(len(outputs))])
    if path is not None:
        write_bytes(Path(path), content)
    return content


def _attempt(walk: Walk, op: Op) -> None:
    """Write an operation with those that its operator takes in, or note why it has no form."""
    if any(v.name in walk.lost for v in op.operands):  # what follows a sum without a form has none either
        walk.lost |= {v.name for v in op.results if is_sum(v)}
        walk.held |= {v.name: Operand(0, v.type) for v in op.results}
        return
    title = op["name"] if op.name == COMPOSITE else op.name.removeprefix("stablehlo.")

    def write() -> Any:
        need(len(op.results) == 1, "several results")
        result, ops = _write(walk, op)
        walk.taken |= {id(each) for each in ops}
        walk.held[ops[-1].result.name] = result
        walk.graph.rename(result, tensor_name(walk.module, ops[-1]))
        return result

    for value in op.results[:1]:
        walk.attempt(title, value, write)


def _write(walk: Walk, op: Op) -> Written:
    name = op.name.removeprefix("stablehlo.")
    if op.name in CONTRACTIONS:
        return write_contraction(walk, op)
    if op.name == COMPOSITE:
        return _write_composite(walk, op)
    if op.name == QUANTIZE:
        return write_quantization(walk, op)
    if name == "reduce" and len(op.results) == 1 and (found := write_mean(walk, op)):
        return found
    need(name in RULES, "no operator for it")
    operands = [walk.operand(v) for v in op.operands]
    walk.graph.hint = f"{op.result.name.lstrip('%')}.part"
    return RULES[name](walk.graph, op, operands), [op]


def _write_composite(walk: Walk, op: Op) -> Written:
    """Write a composite of `load` as the operator that it was."""
    name, options = op["name"].removeprefix(PREFIX), options_in(op)
    need(op["name"].startswith(PREFIX) and options is not None, "its constants are in the decomposition")
    inputs = [walk.operand(v).handle for v in op.operands]
    walk.graph.hint = op.result.name.lstrip("%")
    table = f"{OPTION_TABLES[name]}Options" if name in OPTION_TABLES else ""
    return walk.graph.add(name, inputs, op.result.type, table, options), [op]


def tensor_name(module: Module, op: Op) -> str:
    """Return the name of an operation's result in the file: in front of its own stands its layer's path."""
    name, own = op.result.name.lstrip("%"), litert_tensor(op.location.name)
    if own and stem_of(own) == name:
        return own
    return "/".join((*path_of(module, op), name))


def options_in(op: Op) -> Mapping[str, Any] | None:
    """Return the options of an operator in the attributes of its composite, or None if it has none."""
    text = repr(op.attributes.get("composite_attributes", ""))
    if not text.startswith("{"):
        return None
    return {name: _number(x) for name, x in re.findall(r"(\w+) = ([-+\w.]+)", text)}


def _number(text: str) -> float:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
