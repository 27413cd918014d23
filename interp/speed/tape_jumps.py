"""Machine code of a tape that decides which instruction is next, and which memory it reads.

An instruction returns 0 where the next one follows, a negative number `~n` where instruction n is next, and
another one where Python has to look at its results before the next one.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from interp.backends.machine_code import HALF, WORD, Function, Int

F32 = ir.FloatType()
JUMPS = "execute", "jump", "jump_unless", "locate"
FUEL = 1 << 12  # jumps after which Python may stop a tape


class Words:
    """The words of an instruction, read one after the other."""

    def __init__(self, f: Function) -> None:
        self.f, (self.address,), self.next = f, f.arguments, 0

    def take(self) -> Int:
        self.next += 1
        return self.f.word(self.address, self.next - 1)

    def takes(self, n: int) -> list[Int]:
        return [self.take() for _ in range(n)]

    @property
    def rest(self) -> Int:
        """The address of the words that were not taken."""
        return self.address + 8 * self.next


def _choose(f: Function, condition: Any, x: Int, y: Int | int) -> Int:
    other = y if isinstance(y, Int) else f.number(y)
    return Int(f.builder, f.builder.select(condition, x.value, other.value))


def write_execute(module: Any) -> None:
    """Write `execute(tape, from, to)`: execute instructions, the last one that which returns a number above
    0, or after which as many jumps were made as there is fuel; return the number of the next.
    """
    f = Function(module, "execute", 3, inner=False)
    tape, start, end = f.arguments
    kind = ir.FunctionType(WORD, [WORD]).as_pointer()
    number, stopped = f.variable(start.value), f.variable(ir.Constant(WORD, 0))
    fuel = f.variable(ir.Constant(WORD, FUEL))
    test, body, finish = (f.builder.append_basic_block() for _ in range(3))
    load = lambda place: Int(f.builder, f.builder.load(place))
    with f.exact_floats():
        f.builder.branch(test)
        f.builder.position_at_end(test)
        k = load(number)
        f.builder.cbranch(f.builder.and_(k.is_("<", end), load(stopped).is_("<=", 0)), body, finish)
        f.builder.position_at_end(body)
        code = f.builder.inttoptr(f.word(tape + k * 16, 0).value, kind)
        result = Int(f.builder, f.builder.call(code, [f.word(tape + k * 16, 1).value]))
        jumps = result.is_("<", 0)
        left = load(fuel) - _choose(f, jumps, f.number(1), 0)
        f.builder.store(left.value, fuel)
        f.builder.store(_choose(f, left.is_("<=", 0), f.number(1), result).value, stopped)
        f.builder.store(_choose(f, jumps, f.number(-1) - result, k + 1).value, number)
        f.builder.branch(test)
        f.builder.position_at_end(finish)
    f.builder.ret(f.builder.load(number))


def write_jump(module: Any, name: str) -> None:
    """Write `jump` or `jump_unless`. Words: the instruction that is next; where a number is that is not 0 if
    none is skipped.
    """
    f = Function(module, name, 1, inner=False)
    words = Words(f)
    away = f.number(-1) - words.take()
    if name == "jump":
        f.builder.ret(away.value)
        return
    zero = f.builder.fcmp_ordered("==", f.load(words.take(), F32, 4), ir.Constant(F32, 0.0))
    f.builder.ret(_choose(f, zero, away, 0).value)


def write_locate(module: Any) -> None:
    """Write `locate`: put an address into a word of another instruction. Words: where that is; the address of
    a slice that starts at 0; the number of start indices; for each of them its address, whether it is a word
    (else a whole number of f32), the greatest start, and the step from start to start.
    """
    f = Function(module, "locate", 1, inner=False)
    words = Words(f)
    target, base, count = words.takes(3)
    place = f.variable(base.value)
    with f.loop(count) as k:
        row = words.rest + k * 32
        index = f.word(row)
        number = f.variable(f.builder.sext(f.load(index, HALF, 4), WORD))
        with f.builder.if_then(f.word(row, 1).is_("==", 0)):
            f.builder.store(f.builder.fptosi(f.load(index, F32, 4), WORD), number)
        start = Int(f.builder, f.builder.load(number)).at_most(f.word(row, 2))
        start = _choose(f, start.is_("<", 0), f.number(0), start)
        moved = Int(f.builder, f.builder.load(place)) + start * f.word(row, 3)
        f.builder.store(moved.value, place)
    f.replace_word(target, 0, Int(f.builder, f.builder.load(place)))
    f.builder.ret(ir.Constant(WORD, 0))


def write_jumps(module: Any) -> None:
    """Write all of them."""
    write_execute(module)
    write_jump(module, "jump")
    write_jump(module, "jump_unless")
    write_locate(module)
