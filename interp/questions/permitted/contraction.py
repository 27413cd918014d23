"""Contractions as reductions of their products, for which all theorems about reductions hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import body_of
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.facts import facts
from interp.execute.run import run
from interp.kernels import OPERATIONS, folds
from interp.kernels.contraction import factors, geometry_of, multiplication
from interp.kernels.product_fold import product_leaves
from interp.loading.source import RESERVED
from interp.questions.permitted.results import Program
from interp.speed.exact_contraction import accumulation_type
from interp.theory.contractions import number_of_products
from spec.ir import Func, Module, Op, Region, Value
from spec.op_attributes import expressed_element
from spec.schedule import LEFT
from spec.types import TensorType

MOST = 1 << 24  # products that are kept


def expand_contraction(program: Program, mode: str) -> Program:
    """Return the program with its only fold, a contraction, as a `reduce` of products that are an argument.

    The results are the same in every schedule: a contraction is the fold of its products from 0. A program
    with other folds, or with more than `MOST` products, is returned as it is.
    """
    func = program.module[program.function]
    found = list(folds(program.module, func.body))
    if len(found) != 1 or not any(op is found[0] for op in func.body.ops):
        return program
    (op,) = found
    if facts(op).family != "contraction" or number_of_products(op) * op.result.type.size > MOST:
        return program
    kept = Operands(op)
    options: Any = {"function": program.function, "mode": mode, "listeners": [kept]}
    run(program.module, *program.args, **options)
    products = _products(program.module, op, *kept.operands[:2])
    return _with_sum(program, func, op, products)


class Operands(Listener):
    """Listener that keeps the operands of one operation."""

    sees_nodes = False

    def __init__(self, op: Op) -> None:
        self.op = op
        self.operands: State = ()

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if op is self.op:
            self.operands = operands


def _products(module: Module, op: Op, lhs: Array, rhs: Array) -> Array:
    """Return the stored products `[*result, products]`, rounded as the contraction rounds them."""
    context, geometry = Context(NUMPY, module, LEFT, OPERATIONS), geometry_of(NUMPY, op)
    element = accumulation_type(op)
    with np.errstate(all="ignore"):
        left, right, _ = factors(context, op, lhs, rhs)
        multiply, _ = multiplication(context, op)
        found = product_leaves(NUMPY, geometry, multiply, left, right)
        rows = [geometry.result(found.at(i).reshape(found.result)) for i in range(found.n)]
    shape = op.result.type.shape
    stacked = np.stack(rows, -1) if rows else np.zeros((*shape, 0), NUMPY.carrier(element))
    return np.asarray(NUMPY.encode(stacked, element))


def _with_sum(program: Program, func: Func, op: Op, products: Array) -> Program:
    """Return the program with a `reduce` in place of a contraction, and the products as a new argument."""
    element, shape = accumulation_type(op), op.result.type.shape
    leaves = Value(f"%products{RESERVED}", TensorType(products.shape, element))
    init = Value(f"%zero{RESERVED}", TensorType((), element))
    body = body_of("stablehlo.add", TensorType((), element))
    ops = list(_conversion_ops(op, Value(f"%sum{RESERVED}", TensorType(shape, element))))
    total = ops[0].operands[0] if ops else op.result
    summed = Op("stablehlo.reduce", (leaves, init), (total,), {"dimensions": (len(shape),)}, (body,))
    inside = [each for old in func.body.ops for each in ((summed, *ops) if old is op else (old,))]
    region = Region((*func.inputs, leaves, init), tuple(inside))
    functions = {**program.module.functions, func.name: replace(func, body=region)}
    zero = np.asarray(NUMPY.encode(np.zeros((), NUMPY.carrier(element)), element))
    args = (*program.args, products, zero)
    return program._replace(module=replace(program.module, functions=functions), args=args)


def _conversion_ops(op: Op, total: Value) -> Iterator[Op]:
    """Yield the operations that convert a sum to the result of a contraction."""
    type, expressed = op.result.type, expressed_element(op.result.type)
    if total.type.element_type != expressed:
        result = op.result
        if type.is_quantized:
            result = Value(f"%expressed{RESERVED}", TensorType(type.shape, expressed))
        yield Op("stablehlo.convert", (total,), (result,))
        total = result
    if type.is_quantized:
        yield Op("stablehlo.uniform_quantize", (total,), (op.result,))
