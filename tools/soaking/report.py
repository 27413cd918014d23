"""The table of a soak."""

from __future__ import annotations

from collections.abc import Iterator

from soaking.state import State


def table(state: State) -> str:
    """Return the table of a soak: what was checked, how fast, and the findings."""
    return "\n".join(_lines(state))


def _lines(state: State) -> Iterator[str]:
    yield f"seed {state.seed}, {state.wall:,.0f} seconds"
    for kind, plural in (("program", "programs"), ("damaged", "damaged inputs")):
        done, cpu = state.done(kind), state.cpu[kind]
        yield f"{done:>9,} {plural}, {1000 * cpu / max(done, 1):.1f} ms of CPU each, less the reader's"
    for name, count in sorted(state.counts.items()):
        if count:
            yield f"{count:>9,} {name}"
    yield f"{sum(state.sorts.values()):>9,} findings of {len(state.sorts)} sorts"
    for sort, count in state.sorts.most_common():
        example = next((f.item for f in state.failures if f.sort == sort), "")
        yield f"{count:>9,} {sort}  (first: {example})"
