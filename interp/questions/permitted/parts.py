"""Parts of a body on several operands: sets of operands whose results depend on no other operands."""

from __future__ import annotations

from spec.ir import Op, Region, Value, captures

Part = tuple[int, ...]  # numbers of operands, ascending


def parts(body: Region) -> list[Part]:
    """Return the smallest parts that contain each operand, smaller parts first, without repetition.

    Each result of a tree, restricted to a part, is the result of the same tree of `restrict(body, part)`.
    """
    needs = _needs(body)
    found = set()
    for k in range(len(body.returns)):
        part, before = {k}, set[int]()
        while part != before:
            part, before = part.union(*(needs[j] for j in part)), part
        found.add(tuple(sorted(part)))
    return sorted(found, key=lambda part: (len(part), part))


def _needs(body: Region) -> list[set[int]]:
    """Return, for each result, the operands from which it is computed."""
    half = len(body.returns)
    known = {value.name: {k % half} for k, value in enumerate(body.arguments)}
    for op in body.ops[:-1]:
        read = [known[value.name] for value in _read(op)]
        known.update((value.name, set[int]().union(*read)) for value in op.results)
    return [known[value.name] for value in body.returns]


def _read(op: Op) -> tuple[Value, ...]:
    return (*op.operands, *captures(op))


def restrict(body: Region, part: Part) -> Region:
    """Return the body on the operands of a part alone."""
    half = len(body.returns)
    returns = tuple(body.returns[k] for k in part)
    used, ops = {value.name for value in returns}, []
    for op in reversed(body.ops[:-1]):
        if any(value.name in used for value in op.results):
            used |= {value.name for value in _read(op)}
            ops.append(op)
    arguments = (body.arguments[side + k] for side in (0, half) for k in part)
    end = Op(body.ops[-1].name, returns, ())
    return Region(tuple(arguments), (*reversed(ops), end))
