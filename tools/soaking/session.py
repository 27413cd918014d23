"""A soak: blocks of items given to processes, their findings gathered, and processes that die replaced."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import wait

from soaking.children import seconds_of
from soaking.outcome import Counts, Failure
from soaking.state import KINDS, State
from soaking.work import Begun, Block, Done, name_of, serve, work

SIZE = {"program": 40, "damaged": 100}  # items in a block
START = 600.0  # seconds until a process is at its first item
TIMEOUT = 120.0  # seconds for an item, all its checks and its making smaller
LOADED = 10  # times as long may a process take that gets no CPU time
SAVED = 10.0  # seconds between two writings of the state
PROCESSES = get_context("spawn")


@dataclass
class Plan:
    """Plan of a soak: items of each kind, at most `seconds`, in `jobs` processes (0: in this one)."""

    wanted: dict[str, float]
    seconds: float = float("inf")
    jobs: int = 2
    save: Callable[[State], None] = lambda state: None
    found: Callable[[Failure], None] = lambda failure: None
    progress: Callable[[State], None] = lambda state: None


def blocks(state: State, plan: Plan) -> Iterator[Block]:
    """Yield the blocks that are still to do: kinds take turns, by how far each is."""
    ahead = {kind: {block[0]: len(block) for block in state.ahead[kind]} for kind in KINDS}
    first = dict(state.next)
    while True:
        left = [kind for kind in KINDS if first[kind] < plan.wanted[kind]]
        if not left:
            return
        kind = min(left, key=lambda kind: first[kind] / min(plan.wanted[kind], 1e9))
        if size := ahead[kind].get(first[kind]):
            first[kind] += size
            continue
        size = int(min(SIZE[kind], plan.wanted[kind] - first[kind]))
        yield Block(state.seed, kind, tuple(range(first[kind], first[kind] + size)))
        first[kind] += size


@dataclass
class Part:
    """Partial results of a block that is worked on: they count only once it is done."""

    block: Block
    counts: Counts = field(default_factory=Counts)
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0.0
    item: str = ""

    def hear(self, message: Begun | Done) -> None:
        if isinstance(message, Begun):
            self.item = message.item
            return
        self.counts += message.counts
        self.failures += message.failures
        self.seconds += message.seconds

    def end(self, state: State, plan: Plan) -> None:
        for failure in self.failures:
            if state.found(failure):
                plan.found(failure)
        state.counts.update(self.counts)
        state.cpu[self.block.kind] += self.seconds
        state.finish(self.block.kind, self.block.numbers)
        plan.progress(state)


class Hand:
    """A process that works on one block at a time."""

    def __init__(self) -> None:
        self.pipe, theirs = PROCESSES.Pipe()
        self.process = PROCESSES.Process(target=serve, args=(theirs,), daemon=False)
        self.process.start()
        theirs.close()
        self.part: Part | None = None
        self.numbers: tuple[int, ...] = ()
        self.begin()

    def give(self, part: Part, known: set[str], numbers: tuple[int, ...]) -> None:
        part.item = ""
        self.part, self.numbers = part, numbers
        self.begin()
        self.pipe.send((part.block._replace(numbers=numbers), known))

    def begin(self) -> None:
        """Give the next item its whole time."""
        self.since: float = time.monotonic()
        self.used: float | None = None  # seconds of CPU when the limit had passed on the clock

    def is_late(self) -> bool:
        """Return whether the item takes too long, or before the first one the start of the process.

        The machine may have other work: after the limit on the clock follows as much CPU time.
        """
        limit = TIMEOUT if self.part and self.part.item else START
        passed = time.monotonic() - self.since
        if self.part is None or passed <= limit:
            return False
        used = seconds_of(self.process.pid)
        self.used = used if self.used is None else self.used
        return passed > limit * LOADED or used - self.used > limit

    def rest(self) -> tuple[int, ...]:
        """Return the items after the one that is under way; none where that is a compilation."""
        assert self.part
        names = [name_of(self.part.block.kind, number) for number in self.numbers]
        if not self.part.item:
            return self.numbers
        return self.numbers[names.index(self.part.item) + 1 :] if self.part.item in names else ()

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def soak(state: State, plan: Plan) -> None:
    """Go on until all is done, or the time is over, or an interrupt; the state is then saved."""
    start, before = time.monotonic(), state.wall
    run = _in_processes if plan.jobs else _here

    def over() -> bool:
        state.wall = before + time.monotonic() - start
        return time.monotonic() - start > plan.seconds

    try:
        run(state, plan, over)
    finally:
        over()
        plan.save(state)


def _here(state: State, plan: Plan, over: Callable[[], bool]) -> None:
    for block in blocks(state, plan):
        if over():
            return
        part = Part(block)
        work(block, set(state.sorts), part.hear)
        part.end(state, plan)
        plan.save(state)


def _in_processes(state: State, plan: Plan, over: Callable[[], bool]) -> None:
    todo, saved = blocks(state, plan), time.monotonic()
    hands = [Hand() for _ in range(plan.jobs)]
    try:
        while True:
            for hand in hands:
                if hand.part is None and not over() and (block := next(todo, None)):
                    hand.give(Part(block), set(state.sorts), block.numbers)
            busy = [hand for hand in hands if hand.part]
            if not busy:
                return
            for ready in wait([hand.pipe for hand in busy], timeout=1.0):
                hand = next(hand for hand in hands if hand.pipe is ready)
                _listen(hand, hands, state, plan)
            for hand in [hand for hand in hands if hand.is_late()]:
                _replace(hand, hands, state, plan, f"hangs: no end after {TIMEOUT:.0f} seconds")
            if time.monotonic() - saved > SAVED:
                over()
                plan.save(state)
                saved = time.monotonic()
    finally:
        for hand in hands:
            hand.close()


def _listen(hand: Hand, hands: list[Hand], state: State, plan: Plan) -> None:
    """Hear one message; a process that is gone took its item with it."""
    try:
        message = hand.pipe.recv()
    except (EOFError, OSError):
        hand.process.join(5)
        _replace(hand, hands, state, plan, f"the process died with exit code {hand.process.exitcode}")
        return
    assert hand.part
    hand.begin()
    if message is None:
        hand.part.end(state, plan)
        hand.part = None
    else:
        hand.part.hear(message)


def _replace(hand: Hand, hands: list[Hand], state: State, plan: Plan, what: str) -> None:
    """Note what the item did, and give the items after it to a new process."""
    hand.close()
    part, rest = hand.part, hand.rest()
    assert part
    kind = "hang" if what.startswith("hang") else "crash"
    part.failures.append(Failure(part.item, kind, what, f"{kind} | {part.block.kind} | {what}"))
    hands[hands.index(hand)] = fresh = Hand()
    fresh.give(part, set(state.sorts), rest)
