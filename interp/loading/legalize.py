"""Legalization at load: `mhlo` of older exporters, chlo's operations, and StableHLO's deprecated ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

from interp.loading.refine import replace_idle_resize
from spec.ir import Module, Op

# Support for the dialect `mhlo` of older exporters, in text and as targets of custom calls.

# Operations of mhlo that have another name today; a copy is an identity.
_RENAMED = {"copy": "optimization_barrier", "topk": "top_k"}
_CHLO = "acos acosh asin asinh atan atanh cosh erf mulhi ragged_dot scan sinh topk"
_AS_CHLO = frozenset(_CHLO.split())
_TYPE = r"tensor<(?:[^<>]|<[^<>]*>)*>"
# mhlo writes one type where chlo wants those of the operands and of the result.
_SHORT = re.compile(rf"\bmhlo\.({'|'.join(_AS_CHLO)})([ \t]+%[^:\n]*:[ \t]*)({_TYPE})(?![ \t]*(?:->|,|\)))")
_TOP_K = re.compile(r"\bmhlo\.topk\((%[\w.$#-]+),\s*k\s*=\s*(\d+)(?:,\s*largest\s*=\s*true)?\)")
_GENERIC = re.compile(r'"mhlo\.(\w+)"(?=\s*\()')
_PRETTY = re.compile(r"((?:^|=|\{|\bapplies)[ \t]*)mhlo\.(\w+)(?=[ \t(])(?!\s*=)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"([#!])mhlo(?=[.<])")


def today(name: str) -> str:
    """Return today's name of an operation of mhlo: `chlo.top_k` for topk, `stablehlo.add` for add."""
    return f"{'chlo' if name in _AS_CHLO else 'stablehlo'}.{_RENAMED.get(name, name)}"


def rename_mhlo(text: str) -> str:
    """Return the text with today's names of mhlo's operations, types and enumerations.

    Attributes such as `mhlo.sharding`, which operations of other dialects carry, keep their names.
    """
    if "mhlo" not in text:
        return text
    text = _SHORT.sub(_with_result, text)
    text = _TOP_K.sub(r"chlo.top_k(\1, k = \2)", text)
    text = _GENERIC.sub(lambda m: f'"{today(m[1])}"', text)
    text = _PRETTY.sub(lambda m: m[1] + today(m[2]), text)
    return _ATTRIBUTE.sub(r"\1stablehlo", text)


def _with_result(match: re.Match[str]) -> str:
    name, between, type = match.groups()
    types = ", ".join([type] * (between.count(",") + 1))
    return f"{today(name)}{between}{types} -> {type}"


def is_legacy(target: str) -> bool:
    """Return whether the target of a custom call is the name of an operation."""
    dialect, _, name = target.partition(".")
    return dialect in ("mhlo", "chlo") and bool(name) and "." not in name


def from_custom_call(call: Any) -> None:
    """Replace a custom call by the operation that its target names, if there is one that fits."""
    dialect, _, name = ir.StringAttr(call.attributes["call_target_name"]).value.partition(".")
    successor = today(name) if dialect == "mhlo" else f"chlo.{name}"
    found = _attributes(call)
    if not call.context.is_registered_operation(successor) or not _fits(successor, found):
        return
    types = [result.type for result in call.results]
    with ir.InsertionPoint(call):
        new = ir.Operation.create(successor, types, list(call.operands), found, loc=call.location)
    try:
        new.verify()
    except ir.MLIRError:  # the custom call remains, and is refused by its name
        new.erase()
        return
    for old, result in zip(call.results, new.results, strict=True):
        old.replace_all_uses_with(result)
    call.erase()


def _attributes(call: Any) -> dict[str, Any]:
    """Return the attributes of the operation, which the custom call has in one dictionary."""
    for name in ("mhlo.attributes", "stablehlo.attributes", "composite_attributes"):
        if name in call.attributes:
            held = ir.DictAttr(call.attributes[name])
            return {held[k].name: held[k].attr for k in range(len(held))}
    return {}


def _fits(successor: str, attributes: dict[str, Any]) -> bool:
    """Return whether the successor can mean the same; remove an attribute that it does not have."""
    if successor != "chlo.top_k":
        return True
    largest = attributes.pop("largest", None)
    return largest is None or ir.BoolAttr(largest).value


# Rewrites of deprecated operations that jaxlib leaves: einsum and torch_index_select


_ELLIPSIS = "..."


class Subscripts(NamedTuple):
    """The labels of the dimensions of both operands and of the result."""

    lhs: list[str]
    rhs: list[str]
    result: list[str]


def einsum(op: Any) -> None:
    """Replace an einsum by a dot_general and a transpose, unless one term has a label twice.

    A label that only one operand has, and not the result, is summed: the other operand is broadcast along
    it, and both are contracted.
    """
    lhs, rhs = op.operands
    types = [ir.RankedTensorType(value.type) for value in (lhs, rhs)]
    labels = subscripts(ir.StringAttr(op.attributes["einsum_config"]).value, [t.rank for t in types])
    types.append(ir.RankedTensorType(op.results[0].type))
    sizes = labels and _sizes(labels, types)
    if not labels or sizes is None:
        return
    with ir.InsertionPoint(op), op.location:
        left, lhs = _with_all(lhs, labels.lhs, labels.rhs, labels.result, sizes)
        right, rhs = _with_all(rhs, labels.rhs, labels.lhs, labels.result, sizes)
        result = _product(op, (lhs, rhs), Subscripts(left, right, labels.result), sizes)
    op.results[0].replace_all_uses_with(result)
    op.erase()


def _sizes(labels: Subscripts, types: Sequence[Any]) -> dict[str, int] | None:
    """Return the size of each label; None if it has two."""
    sizes: dict[str, int] = {}
    for names, type in zip(labels, types, strict=True):
        if len(names) != type.rank:
            return None
        if any(sizes.setdefault(name, n) != n for name, n in zip(names, type.shape, strict=True)):
            return None
    return sizes


def subscripts(config: str, ranks: Sequence[int]) -> Subscripts | None:
    """Return the labels of `ij,jk->ik`, one for each dimension of an ellipsis; None if they do not fit."""
    inputs, arrow, output = config.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if not arrow or len(terms) != 2:
        return None
    # Ellipses are aligned at their last dimension.
    spare = [rank - len(term.replace(_ELLIPSIS, "")) for term, rank in zip(terms, ranks, strict=True)]
    most = max([n for n, term in zip(spare, terms, strict=True) if _ELLIPSIS in term], default=0)
    counts = [n if _ELLIPSIS in term else 0 for n, term in zip(spare, terms, strict=True)]
    named = [_labels(term, n, most) for term, n in zip((*terms, output), (*counts, most), strict=True)]
    fits = [len(term) for term in named[:2]] == list(ranks) and min(counts) >= 0
    single = all(len(set(term)) == len(term) for term in named)
    known = set(named[2]) <= {*named[0], *named[1]}
    return Subscripts(*named) if fits and single and known else None


def _labels(term: str, count: int, most: int) -> list[str]:
    """Return the labels of a term; its ellipsis becomes the last `count` numbers below `most`."""
    before, ellipsis, after = term.partition(_ELLIPSIS)
    numbers = [str(k) for k in range(most - count, most)] if ellipsis else []
    return [*before, *numbers, *after]


def _with_all(
    value: Any, own: list[str], other: list[str], result: list[str], sizes: dict[str, int]
) -> tuple[list[str], Any]:
    """Return an operand broadcast along the labels that only the other operand has, not the result."""
    added = [label for label in other if label not in own and label not in result]
    if not added:
        return own, value
    old = ir.RankedTensorType(value.type)
    type = ir.RankedTensorType.get([sizes[label] for label in added] + list(old.shape), old.element_type)
    dimensions = ir.DenseI64ArrayAttr.get(range(len(added), len(added) + old.rank))
    return added + own, _create("broadcast_in_dim", type, [value], broadcast_dimensions=dimensions)


def _product(op: Any, operands: Sequence[Any], labels: Subscripts, sizes: dict[str, int]) -> Any:
    """Return the dot_general of both operands, with its dimensions transposed to the order of the result."""
    left, right, wanted = labels
    shared = [label for label in left if label in right]
    batching = [label for label in shared if label in wanted]
    contracting = [label for label in shared if label not in wanted]
    free = [label for term in (left, right) for label in term if label not in shared]
    lists = ", ".join(
        f"{side}_{kind}_dimensions = {[term.index(label) for label in names]}"
        for kind, names in (("batching", batching), ("contracting", contracting))
        for side, term in (("lhs", left), ("rhs", right))
    )
    final = ir.RankedTensorType(op.results[0].type)
    order = batching + free
    type = ir.RankedTensorType.get([sizes[label] for label in order], final.element_type)
    numbers = ir.Attribute.parse(f"#stablehlo.dot<{lists}>")
    product = _create("dot_general", type, operands, dot_dimension_numbers=numbers)
    if order == wanted:
        return product
    permutation = ir.DenseI64ArrayAttr.get([order.index(label) for label in wanted])
    return _create("transpose", final, [product], permutation=permutation)


def torch_index_select(op: Any) -> None:
    """Replace a torch_index_select by the gather that takes whole slices along `dim`."""
    operand, index = op.operands
    shape, rank = ir.RankedTensorType(operand.type).shape, ir.RankedTensorType(index.type).rank
    dim, batch = (ir.IntegerAttr(op.attributes[name]).value for name in ("dim", "batch_dims"))
    batching = list(range(batch))
    kept = [d for d in range(batch, len(shape)) if d != dim]
    places = [d if d < dim else d - 1 + rank - batch for d in kept]
    numbers = ir.Attribute.parse(
        f"#stablehlo.gather<offset_dims = {places}, collapsed_slice_dims = [{dim}], "
        f"operand_batching_dims = {batching}, start_indices_batching_dims = {batching}, "
        f"start_index_map = [{dim}], index_vector_dim = {rank}>"
    )
    sizes = ir.DenseI64ArrayAttr.get([n if d in kept else 1 for d, n in enumerate(shape)])
    with ir.InsertionPoint(op), op.location:
        type = op.results[0].type
        gathered = _create("gather", type, [operand, index], dimension_numbers=numbers, slice_sizes=sizes)
    op.results[0].replace_all_uses_with(gathered)
    op.erase()


def _create(name: str, type: Any, operands: Sequence[Any], **attributes: Any) -> Any:
    return ir.Operation.create(f"stablehlo.{name}", [type], list(operands), attributes).result


SUCCESSORS = {"stablehlo.einsum": einsum, "stablehlo.torch_index_select": torch_index_select}


CUSTOM_CALL = "stablehlo.custom_call"
# Operations that we rewrite, if we can.
OURS = {**SUCCESSORS, "stablehlo.set_dimension_size": replace_idle_resize}
# Those that the pass rewrites; it leaves the deprecated operations that have no successor.
DEPRECATED = {
    f"stablehlo.{name}" for name in ("broadcast", "create_token", "cross-replica-sum", "dot", "unary_einsum")
}
PASSES = {
    "chlo": "func.func(chlo-legalize-to-stablehlo)",
    "deprecated": "func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false})",
}


def is_rewritten(module: Module) -> bool:
    """Return whether a program has operations that `legalize` rewrites."""
    names = DEPRECATED | OURS.keys()
    return any(op.name.startswith("chlo.") or op.name in names or _is_legacy(op) for op in module.ops())


def _is_legacy(op: Op) -> bool:
    return op.name == CUSTOM_CALL and is_legacy(op["call_target_name"])


def legalize(module: Any) -> None:
    """Replace chlo's and deprecated operations in a `builtin.module`, in place, by others of StableHLO."""
    _stablehlo.register_stablehlo_passes()
    for call in find_operations(module, CUSTOM_CALL):
        if is_legacy(ir.StringAttr(call.attributes["call_target_name"]).value):
            from_custom_call(call)
    for scan in find_operations(module, "chlo.scan"):
        run_forwards(scan)
    for family, passes in PASSES.items():  # chlo first: its expansions have deprecated operations
        if family in families(module):
            passmanager.PassManager.parse(f"builtin.module({passes})", module.context).run(module)
    for name, replace in OURS.items():  # last: the pass makes an einsum of a unary one
        for op in find_operations(module, name):
            replace(op)


def find_operations(module: Any, name: str) -> list[Any]:
    """Return the operations of this name."""
    operations = []

    def look(op: Any) -> Any:
        if op.name == name:
            operations.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return operations


def run_forwards(scan: Any) -> None:
    """Rewrite a reverse scan as a scan of reversed inputs: jaxlib's pass ignores that it is reverse."""
    if "is_reverse" not in scan.attributes or not ir.BoolAttr(scan.attributes["is_reverse"]).value:
        return
    dimension = ir.IntegerAttr(scan.attributes["dimension"]).value
    inputs, outputs = (
        ir.DenseI32ArrayAttr(scan.attributes[f"{kind}SegmentSizes"])[0] for kind in ("operand", "result")
    )
    reversal: dict[str, ir.Attribute] = {"dimensions": ir.DenseI64ArrayAttr.get([dimension], scan.context)}

    def reverse(value: Any) -> Any:
        return ir.Operation.create("stablehlo.reverse", [value.type], [value], reversal, loc=scan.location)

    with ir.InsertionPoint(scan):
        for k in range(inputs):
            scan.operands[k] = reverse(scan.operands[k]).result
    with ir.InsertionPoint.after(scan):
        for k in range(outputs):
            turned = reverse(scan.results[k])
            scan.results[k].replace_all_uses_except(turned.result, [turned])
    scan.attributes["is_reverse"] = ir.BoolAttr.get(False, scan.context)


def families(module: Any) -> set[str]:
    """Return the keys of `PASSES` for which a module has operations."""
    found = set()

    def look(op: Any) -> Any:
        name = op.name
        if name.startswith("chlo."):
            found.add("chlo")
        elif name in DEPRECATED:
            found.add("deprecated")
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return found


def without_verifier(artifact: bytes, sub_channel: re.Pattern[str]) -> Any:
    """Return a portable artifact as StableHLO operations with sub-channel types, or None.

    jaxlib writes such an artifact, and refuses to read it. As operations of VHLO, which may have any type, it
    can be parsed; the pass that makes StableHLO of them runs with its verifier off.
    """
    with suppress(ir.MLIRError, ValueError, RuntimeError):
        module = ir.Module.parse(artifact)
        if sub_channel.search(str(module.operation.get_asm(assume_verified=True))):
            manager = passmanager.PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
            manager.enable_verifier(False)
            manager.run(module.operation)
            return module
    return None
