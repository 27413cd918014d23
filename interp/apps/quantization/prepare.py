"""`prepare`: a program without calls, in which what constants alone determine is computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from interp.apps.quantization.constants import CONSTANT, array, fold_constants, without_unused
from interp.apps.quantization.decisions import Choices
from interp.apps.quantization.kernels import RETURN, Names, rebuild, region, rename, users
from interp.apps.quantization.patterns import (
    RESHAPING,
    Block,
    block_of,
    channel_dimension,
    is_along,
)
from interp.apps.quantization.spellings import spell
from interp.apps.quantization.targets import Target
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.rewrite.float_reference import entry_module
from interp.theory.contractions import channels
from spec.attributes import Dense, Symbol
from spec.ir import Func, Module, Op, Region, Value, callees
from spec.types import TensorType

CALL, COMPOSITE = "func.call", "stablehlo.composite"
# Composites that are themselves constraints: they are read where they stand.
KEPT = "quant."


def prepare(module: Module, target: Target, choices: Choices | None = None) -> Module:
    """Return a program of one function, with calls and composites replaced by what they call.

    Each call gets a copy of its own, since it may be quantized in its own way. Calls and composites that are
    kernels of the target, `jax.silu` for JAX's `@silu`, become regions. Fake quantization becomes
    `uniform_quantize` and `uniform_dequantize`. Constants are folded, and batch norm is merged into the
    weights before it, as `choices` lists. The values of `@main` keep their names, the results of calls
    included; those of a callee have its name in front.
    """
    main = module.main
    writer = _Flattener(module, target, Names.of(replace(module, functions={main.name: main})))
    body = writer.block(main.body, {})
    functions = {**module.functions, main.name: replace(main, body=body)}
    whole = entry_module(Module(functions, module.dialect, module.source), functions[main.name])
    reached = {"main", *callees(whole, "main")}
    kept = {name: func for name, func in whole.functions.items() if name in reached}
    spelt = rebuild(replace(whole, functions=kept), lambda op: (spell(op),))
    return merge_affine(fold_constants(spelt), Choices() if choices is None else choices)


@dataclass
class _Flattener:
    """Copies operations and inlines calls, wherever they stand."""

    module: Module
    target: Target
    names: Names

    def block(self, body: Region, known: Mapping[str, Value], prefix: str = "") -> Region:
        """Return a block with its calls replaced; `known` has the values that stand for those outside."""
        known = dict(known)
        arguments = tuple(self.argument(v, prefix) for v in body.arguments)
        known |= {old.name: new for old, new in zip(body.arguments, arguments, strict=True)}
        return Region(arguments, tuple(self.ops(body.ops, known, prefix)))

    def ops(self, ops: Sequence[Op], known: dict[str, Value], prefix: str) -> list[Op]:
        found: list[Op] = []
        for op in ops:
            operands = tuple(known.get(v.name, v) for v in op.operands)
            callee = self.callee(op)
            if callee is None:
                results = self.results(op, prefix)
                known |= {old.name: new for old, new in zip(op.results, results, strict=True)}
                regions = tuple(self.block(r, known, prefix) for r in op.regions)
                found.append(replace(op, operands=operands, results=results, regions=regions))
            elif (kernel := self.kernel(op, callee)) in self.target:
                found.append(self.wrap(op, callee, kernel, operands, known, prefix))
            else:
                inner, returned = self.inline(callee, operands)
                named = zip(returned, self.results(op, prefix), strict=True)
                own = {v.name for each in inner for v in each.results if not _is_one_of(each)}
                names = {x.name: v for x, v in named if x.name in own and not _is_one_of(op)}
                found += [rename_results(each, names) for each in inner]
                known |= {v.name: names.get(x.name, x) for v, x in zip(op.results, returned, strict=True)}
        return found

    def inline(self, callee: Func, operands: Sequence[Value]) -> tuple[list[Op], tuple[Value, ...]]:
        """Return the operations of a callee on given operands, and the values that it returns."""
        known = {v.name: x for v, x in zip(callee.inputs, operands, strict=True)}
        inner = self.ops(callee.body.ops, known, f"{plain(callee.name)}.")
        return inner[:-1], inner[-1].operands

    def wrap(
        self,
        op: Op,
        callee: Func,
        kernel: str,
        operands: tuple[Value, ...],
        known: dict[str, Value],
        prefix: str,
    ) -> Op:
        """Return a call as a region of its own."""
        results = self.results(op, prefix)
        known |= {old.name: new for old, new in zip(op.results, results, strict=True)}
        arguments = tuple(self.argument(v, f"{plain(callee.name)}.") for v in callee.inputs)
        alone = replace(self, target=Target(self.target.name))  # a kernel's own calls are its operations
        inner, returned = alone.inline(callee, arguments)
        body = Region(arguments, (*inner, Op(RETURN, returned, ())))
        return region(kernel, operands, results, body, op.location)

    def callee(self, op: Op) -> Func | None:
        """Return the function that an operation stands for, unless it is to be kept."""
        if op.name == CALL:
            return self.module[op["callee"].name]
        if op.name == COMPOSITE and not op["name"].startswith(KEPT):
            decomposition = op["decomposition"]
            return self.module[decomposition.name] if isinstance(decomposition, Symbol) else None
        return None

    def kernel(self, op: Op, callee: Func) -> str:
        return str(op["name"]) if op.name == COMPOSITE else f"jax.{plain(callee.name)}"

    def results(self, op: Op, prefix: str) -> tuple[Value, ...]:
        """Return the results of an operation under names of their own; those of `@main` keep theirs."""
        return self.names.fresh_results(op, prefix) if prefix else op.results

    def argument(self, value: Value, prefix: str) -> Value:
        """Return an argument under a name of its own; those of `@main` keep theirs."""
        if not prefix:
            return value
        return replace(value, name=self.names.fresh(f"%{prefix}{value.name.removeprefix('%')}"))


def _is_one_of(op: Op) -> bool:
    """Return whether an operation's results share a name, so that none can have another."""
    return any("#" in v.name for v in op.results)


def rename_results(op: Op, names: Mapping[str, Value]) -> Op:
    """Return an operation of a callee, which gives what the callee returns under the names of the call."""
    return replace(rename(op, names), results=tuple(names.get(v.name, v) for v in op.results))


def plain(name: str) -> str:
    """Return the name of a function as it was written: JAX numbers further ones, `relu_0`."""
    return re.sub(r"\W", "_", re.sub(r"(_\d+)+$", "", name.lstrip("_")))


# Batch norm after a contraction with constant weights, merged into the weights and one bias


BATCH_NORM = "stablehlo.batch_norm_inference"
TEXT = "{} operations by constants per channel are merged into its weights, which rounds floats elsewhere"
_SHIFTS = ("stablehlo.add", "stablehlo.subtract")


def merge_affine(module: Module, choices: Choices) -> Module:
    """Merge operations by constants per channel into the weights of the contraction before them.

    It merges multiplications, divisions, additions, subtractions and `batch_norm_inference`, if one of them
    scales each channel by a number of its own and nothing else reads the values between. The result is the
    same in reals; in floats, it is rounded at other places, which `choices` lists.
    """
    main = module.main
    writer = _Writer(block_of(main.body, users(main.body), {}), Names.of(module), choices)
    changed = replace(main, body=writer.rewrite(main.body))
    return without_unused(replace(module, functions={**module.functions, main.name: changed}))


@dataclass
class Affine:
    """The operations `ops` after a contraction, as `scale * x + shift` per channel, in f64."""

    scale: np.ndarray
    shift: np.ndarray
    ops: list[Op] = field(default_factory=list)
    normalizes: bool = False

    def then(self, scale: np.ndarray, shift: np.ndarray, op: Op, normalizes: bool) -> Affine:
        """Return this, and then the operation, which computes `scale * x + shift`."""
        ops = [*self.ops, op]
        with np.errstate(all="ignore"):
            return Affine(self.scale * scale, self.shift * scale + shift, ops, self.normalizes or normalizes)


@dataclass
class _Writer:
    block: Block
    names: Names
    choices: Choices

    def rewrite(self, body: Region) -> Region:
        """Return a block with its contractions merged with what follows them."""
        last: dict[str, list[Op]] = {}
        for op in body.ops:
            if (found := self.affine(op)) is not None and (new := self.merge(op, found)):
                last[found.ops[-1].result.name] = new
        ops = (last.get(op.results[0].name, [op]) if op.results else [op] for op in body.ops)
        return replace(body, ops=tuple(new for each in ops for new in each))

    def affine(self, op: Op) -> Affine | None:
        """Return the operations that normalize the result of a contraction with constant weights, or None."""
        if facts(op).family != "contraction" or _weights_axis(op) is None:
            return None
        element = op.result.type.element_type
        if self.block.constant(op.operands[1]) is None or getattr(element, "kind", "") != "float":
            return None
        channel = channel_dimension(op)
        count = op.result.type.shape[channel]
        found, kept = Affine(np.ones(count), np.zeros(count)), None
        while (after := self.step(found.ops[-1] if found.ops else op, channel)) is not None:
            found = found.then(*after)
            kept = found if found.normalizes else None
        return kept

    def step(self, op: Op, channel: int) -> tuple[np.ndarray, np.ndarray, Op, bool] | None:
        """Return scale and shift of the only operation that reads a result, if it is by constants."""
        passed: list[Op] = []
        after = self.block.next(op.result, passed)
        if after is None or passed or [v.type for v in after.results] != [op.result.type]:
            return None
        if after.name == BATCH_NORM and after.operands[0] == op.result:
            return self.batch_norm(after, channel)
        if after.name not in RULES or [v == op.result for v in after.operands].count(True) != 1:
            return None
        first = after.operands[0] == op.result
        number = self.per_channel(after.operands[1 if first else 0], channel, op.result)
        if number is None or not (first or after.name != "stablehlo.divide"):
            return None
        x, is_splat = number
        with np.errstate(all="ignore"):
            scale, shift = RULES[after.name](x, first)
        return scale, shift, after, after.name not in _SHIFTS and not is_splat

    def per_channel(self, value: Value, channel: int, result: Value) -> tuple[np.ndarray, bool] | None:
        """Return the number of each channel that a constant adds or multiplies by, and whether it is one."""
        source, chain = self.block.source(value, RESHAPING)
        constant, count = self.block.constant(source), result.type.shape[channel]
        if constant is None:
            return None
        data = array(constant).astype(np.float64)
        if self.block.splat(source) is not None:
            return np.full(count, data.reshape(-1)[0]), True
        if source.type.size != count or not is_along(chain, channel, source, result):
            return None
        return data.reshape(-1), False

    def batch_norm(self, op: Op, channel: int) -> tuple[np.ndarray, np.ndarray, Op, bool] | None:
        """Return `scale / sqrt(variance + epsilon)` and `offset - mean` times it."""
        constants = [self.block.constant(v) for v in op.operands[1:]]
        if op["feature_index"] != channel or None in constants:
            return None
        scale, offset, mean, variance = (array(c).astype(np.float64) for c in constants if c is not None)
        with np.errstate(all="ignore"):
            factor = scale / np.sqrt(variance + float(op["epsilon"]))
        return factor, offset - mean * factor, op, True

    def merge(self, op: Op, found: Affine) -> list[Op]:
        """Return the contraction with other weights, and one bias; nothing if one of them overflows."""
        weights, axis = self.block.constant(op.operands[1]), _weights_axis(op)
        assert weights is not None
        shape = [-1 if d == axis else 1 for d in range(op.operands[1].type.rank)]
        with np.errstate(all="ignore"):
            products = array(weights).astype(np.float64) * found.scale.reshape(shape)
            scaled = self.constant(products, op.operands[1], weights)
            bias = self.constant(found.shift, op.result, op)
        if scaled is None or bias is None:
            return []
        last = found.ops[-1]
        text = TEXT.format(len(found.ops))
        self.choices.note(last.result.name, op.name, "batch norm", text, steps=None)
        operands = op.operands[0], scaled.result
        if not found.shift.any():
            return [scaled, replace(op, operands=operands, results=last.results)]
        product = replace(op.result, name=self.names.fresh(f"{op.result.name}.merged"))
        contracted = replace(op, operands=operands, results=(product,))
        return [scaled, contracted, bias, *self.add_bias(contracted, bias, last)]

    def add_bias(self, op: Op, bias: Op, last: Op) -> list[Op]:
        """Return the addition of a number to each channel, in place of the last operation."""
        wide = replace(last.result, name=self.names.fresh(f"{last.result.name}.biases"))
        at, attributes = last.location, {"broadcast_dimensions": (channel_dimension(op),)}
        broadcast = Op("stablehlo.broadcast_in_dim", (bias.result,), (wide,), attributes, location=at)
        return [broadcast, Op("stablehlo.add", (op.result, wide), last.results, location=at)]

    def constant(self, numbers: np.ndarray, like: Value, at: Op) -> Op | None:
        """Return numbers, rounded to the type of a value's elements, as a constant; None if one overflows."""
        element = like.type.tensor_element_type
        data = numbers.astype(numpy_dtype(element))
        if not np.isfinite(data.astype(np.float64)).all():
            return None
        type = TensorType(numbers.shape, element)
        value = Value(self.names.fresh(f"{at.result.name}.per_channel"), type)
        return Op(CONSTANT, (), (value,), {"value": Dense(type, data.tobytes())}, location=at.location)


def _weights_axis(op: Op) -> int | None:
    """Return the dimension of the right operand that counts the channels of the result, if one does."""
    placed = {target: source for source, target in channels(op)[1]}
    return placed.get(channel_dimension(op))


# Scale and shift of `x op number`, or of `number op x`.
Rule = Callable[[np.ndarray, bool], tuple[np.ndarray, np.ndarray]]
RULES: Mapping[str, Rule] = {
    "stablehlo.add": lambda n, first: (np.ones_like(n), n),
    "stablehlo.subtract": lambda n, first: (np.ones_like(n), -n) if first else (-np.ones_like(n), n),
    "stablehlo.multiply": lambda n, first: (n, np.zeros_like(n)),
    "stablehlo.divide": lambda n, first: (1 / n, np.zeros_like(n)),
}
