"""`prepare`: a program without calls, in which what constants alone determine is computed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from interp.apps.quantization.batch_norm import merged
from interp.apps.quantization.choices import Choices
from interp.apps.quantization.folding import folded
from interp.apps.quantization.kernels import RETURN, Names, rebuilt, region, renamed
from interp.apps.quantization.qdq_pairs import spelled
from interp.apps.quantization.targets import Target
from interp.rewrite.float_reference import entered
from spec.ir import Func, Module, Op, Region, Symbol, Value
from spec.verify import callees

CALL, COMPOSITE = "func.call", "stablehlo.composite"
# Composites that are themselves constraints: they are read where they stand.
KEPT = "quant."


def prepare(module: Module, target: Target, choices: Choices | None = None) -> Module:
    """Return a program of one function, with calls and composites replaced by what they call.

    Each call gets a copy of its own, since it may be quantized in its own way. Calls and composites that are
    kernels of the target, `jax.silu` for JAX's `@silu`, become regions. Fake quantization becomes
    `uniform_quantize` and `uniform_dequantize`. Constants are folded, and batch norm is merged into the
    weights before it, as `choices` are told. The values of `@main` keep their names, the results of calls
    included; those of a callee have its name in front.
    """
    main = module.main
    writer = _Flattener(module, target, Names.of(replace(module, functions={main.name: main})))
    body = writer.block(main.body, {})
    functions = {**module.functions, main.name: replace(main, body=body)}
    whole = entered(Module(functions, module.dialect, module.source), functions[main.name])
    reached = {"main", *callees(whole, "main")}
    kept = {name: func for name, func in whole.functions.items() if name in reached}
    spelt = rebuilt(replace(whole, functions=kept), lambda op: (spelled(op),))
    return merged(folded(spelt), Choices() if choices is None else choices)


@dataclass
class _Flattener:
    """Copies operations and inlines calls, wherever they stand."""

    module: Module
    target: Target
    names: Names

    def block(self, body: Region, known: Mapping[str, Value], prefix: str = "") -> Region:
        """Return a block with its calls replaced; `known` has the values that stand for those outside."""
        known = dict(known)
        arguments = tuple(self.named(v, prefix) for v in body.arguments)
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
                found.append(self.wrapped(op, callee, kernel, operands, known, prefix))
            else:
                inner, returned = self.inlined(callee, operands)
                named = zip(returned, self.results(op, prefix), strict=True)
                own = {v.name for each in inner for v in each.results if not _is_one_of(each)}
                names = {x.name: v for x, v in named if x.name in own and not _is_one_of(op)}
                found += [called(each, names) for each in inner]
                known |= {v.name: names.get(x.name, x) for v, x in zip(op.results, returned, strict=True)}
        return found

    def inlined(self, callee: Func, operands: Sequence[Value]) -> tuple[list[Op], tuple[Value, ...]]:
        """Return the operations of a callee on given operands, and the values that it returns."""
        known = {v.name: x for v, x in zip(callee.inputs, operands, strict=True)}
        inner = self.ops(callee.body.ops, known, f"{plain(callee.name)}.")
        return inner[:-1], inner[-1].operands

    def wrapped(
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
        arguments = tuple(self.named(v, f"{plain(callee.name)}.") for v in callee.inputs)
        alone = replace(self, target=Target(self.target.name))  # a kernel's own calls are its operations
        inner, returned = alone.inlined(callee, arguments)
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
        return self.names.of_results(op, prefix) if prefix else op.results

    def named(self, value: Value, prefix: str) -> Value:
        """Return an argument under a name of its own; those of `@main` keep theirs."""
        if not prefix:
            return value
        return replace(value, name=self.names.fresh(f"%{prefix}{value.name.removeprefix('%')}"))


def _is_one_of(op: Op) -> bool:
    """Return whether an operation's results share a name, so that none can have another."""
    return any("#" in v.name for v in op.results)


def called(op: Op, names: Mapping[str, Value]) -> Op:
    """Return an operation of a callee, which gives what the callee returns under the names of the call."""
    return replace(renamed(op, names), results=tuple(names.get(v.name, v) for v in op.results))


def plain(name: str) -> str:
    """Return the name of a function as it was written: JAX numbers further ones, `relu_0`."""
    return re.sub(r"\W", "_", re.sub(r"(_\d+)+$", "", name.lstrip("_")))
