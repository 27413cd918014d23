"""One text for sums of several sizes: a pattern, and other patterns `where n < 64`.

THEOREM. At each size that was revealed, the tree of the text over that many elements is the tree of an
accumulation that was executed again there, arithmetics and start included. Between two sizes with the same
level nothing is stated but by the pattern; a bound between two levels lies between neighbouring sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from interp.apps.revealing.revealed import Revealed
from interp.apps.revealing.statement import Shape
from spec.accumulation import Accumulation
from spec.patterns import Where


def reveal_sizes(sizes: Sequence[int], reveal: Callable[[int], Revealed]) -> Revealed:
    """Return what is stated at each size, and as one text; sizes between two levels are tried by halves."""
    found = {n: reveal(n) for n in sorted(set(sizes))}
    while (wide := _between_levels(found)) is not None:
        found[wide] = reveal(wide)
    return join(found)


def _between_levels(found: Mapping[int, Revealed]) -> int | None:
    """Return a size in the middle of two that are stated by different levels, None if they are neighbours."""
    text = one_text({n: x.accumulation for n, x in found.items() if x.accumulation})
    for where in text.where if text else ():
        below = max(n for n in found if n < where.bound)
        if where.bound - below > 1:
            return (below + where.bound) // 2
    return None


def join(found: Mapping[int, Revealed]) -> Revealed:
    """Return one answer for several sizes: `sizes` has those of each."""
    stated = {n: x.accumulation for n, x in found.items() if x.accumulation}
    refused = [n for n in found if n not in stated]
    text = None if refused else one_text(stated)
    reason = ""
    if text is None:
        listed = ", ".join(f"{n:,}" for n in refused)
        several = "no pattern has the trees of all sizes"
        reason = f"at n = {listed}: {found[refused[0]].reason}" if refused else several
    answers, largest = [*found.values()], found[max(found)]
    equals, checks = sum(x.equal for x in answers), sum(x.checked for x in answers)
    return Revealed(
        largest.name,
        largest.n,
        largest.declared,
        text,
        reason,
        equals if text else 0,
        checks if text else 0,
        min((x.kinds for x in answers), key=len),
        sum(x.probes for x in answers),
        sum(x.calls for x in answers),
        tuple(_list_unseen(found)),
        (),
        dict(sorted(found.items())),
    )


def _list_unseen(found: Mapping[int, Revealed]) -> Iterator[str]:
    """Yield what was not seen, and at which sizes, where it was seen at others."""
    for each in dict.fromkeys(each for x in found.values() for each in x.unseen):
        sizes = [n for n in sorted(found) if each in found[n].unseen]
        yield each if len(sizes) == len(found) else f"at n = {', '.join(f'{n:,}' for n in sizes)}: {each}"


def is_alike(first: Accumulation, second: Accumulation, n: int) -> bool:
    """Return whether two accumulations have the same tree over n elements, arithmetics and zeros included.

    An init that is zero changes no sum but one of zeros that are all negative, unless a product is too small.
    """
    same = first.flushes_inputs == second.flushes_inputs and first.without_init == second.without_init
    same &= first.inputs == second.inputs
    if not same or any(a.level.tree and a.level.tree.n != n + (not a.without_init) for a in (first, second)):
        return False
    has_init, shape = not first.without_init, Shape(n)
    keys = [shape.keys(a.tree(n + has_init, has_init), has_init) for a in (first, second)]
    fma = any(a.kind == "fma" for a in first.arithmetics)
    return keys[0] == keys[1] and (first.start == second.start or not fma)


def one_text(stated: Mapping[int, Accumulation]) -> Accumulation | None:
    """Return an accumulation that is the one stated at each size, None if there is no such pattern."""
    patterns = [a for a in dict.fromkeys(stated.values()) if a.level.tree is None]
    sizes, spans = sorted(stated), list[tuple[int, Accumulation]]()
    holds = {(k, n): is_alike(a, stated[n], n) for k, a in enumerate(patterns) for n in sizes}
    at = 0
    while at < len(sizes):
        reach = [0] * len(patterns)
        for k in range(len(patterns)):
            while at + reach[k] < len(sizes) and holds[k, sizes[at + reach[k]]]:
                reach[k] += 1
        if not reach or not max(reach):
            return None
        best = max(range(len(patterns)), key=lambda k: reach[k])
        spans.append((sizes[at], patterns[best]))
        at += reach[best]
    if not spans:
        return None
    last = spans[-1][1]
    fields = lambda a: (a.start, a.flushes_inputs, a.inputs)
    if any(fields(a) != fields(last) for _, a in spans):
        return None
    where = [Where(True, bound, a.level) for (_, a), (bound, _) in pairwise(spans)]
    return Accumulation(last.level, tuple(where), last.start, last.flushes_inputs, last.inputs)
