"""The mutants of a source text: one small change each, by a fixed list of operators."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
KERNELS = (
    "interp/engine/fold.py",
    "interp/backends/windows.py",
    "interp/backends/windows.py",
    "interp/engine/quant.py",
    "interp/speed/order_free.py",
    "interp/speed/numpy_impl.py",
    "interp/speed/order_free.py",
    "interp/speed/integer_bodies.py",
    "interp/speed/saturating_fold.py",
    "interp/speed/numpy_impl.py",
    "interp/theory/quantized_arithmetic.py",
    "interp/theory/quantized_arithmetic.py",
    "interp/speed/choice.py",
    "interp/speed/numpy_impl.py",
    "interp/speed/saturating_fold.py",
    "interp/kernels/*.py",
)
OPERATORS = ("constant", "operator", "comparison", "statement", "operands", "semantic")

Function = ast.FunctionDef | ast.Lambda

SWAPPED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("-",),
    ast.Sub: ("+",),
    ast.Mult: ("+",),
    ast.Div: ("*",),
    ast.FloorDiv: ("*",),
    ast.Mod: ("*",),
    ast.Pow: ("*",),
    ast.LShift: (">>",),
    ast.RShift: ("<<",),
    ast.BitAnd: ("|",),
    ast.BitOr: ("&",),
    ast.BitXor: ("|",),
}
FLIPPED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">="),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<="),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
}
ORDERED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
COMMUTATIVE = {"add", "multiply", "maximum", "minimum", "max", "min", "hypot"}
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass, ast.Assert)


class Mutant(NamedTuple):
    """`source[start:end]`, in UTF-8 bytes, becomes `text`.

    `function` and `scope`: name and first line of the function (or lambda) around it, "" and 0 in a module's
    own code.
    """

    file: str
    line: int
    operator: str
    function: str
    scope: int
    start: int
    end: int
    text: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]

    def change(self, source: bytes) -> tuple[str, str]:
        """Return the lines it touches, before and after, in one line each."""
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        after = source[first : self.start] + self.text.encode() + source[self.end : last]
        return tuple(" ".join(text.decode().split()) for text in (source[first:last], after))


def files() -> list[str]:
    """Return the kernels, as paths in the repository."""
    return [str(path.relative_to(ROOT)) for pattern in KERNELS for path in sorted(ROOT.glob(pattern))]


def mutants(file: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a file, in order of lines."""
    place = _Places(source)
    found = []
    for node, function, scope in _nodes(ast.parse(source)):
        for operator, (start, end), text in _changes(node, place):
            line = source.count(b"\n", 0, start) + 1
            found.append(Mutant(file, line, operator, function, scope, start, end, text))
    return sorted(found, key=lambda m: (m.line, m.start, m.end, m.text))


class _Places:
    """Places of nodes in a source text, in bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        end = self.lines[node.end_lineno - 1] + node.end_col_offset
        return self.lines[node.lineno - 1] + node.col_offset, end

    def text(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def between(self, left: ast.AST, right: ast.AST, symbol: str) -> tuple[int, int]:
        """Return the position of an operator's symbol between its operands."""
        end = self.span(left)[1]
        start = end + self.source[end : self.span(right)[0]].index(symbol.encode())
        return start, start + len(symbol)


def _nodes(tree: ast.AST, function: str = "", scope: int = 0) -> Iterator[tuple[ast.AST, str, int]]:
    """Yield every node that runs, with the function around it."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST) or _is_for_readers(node):
                continue
            yield node, function, scope
            inner, first = function, scope
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                inner = f"{function}.{node.name}".lstrip(".")
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                first = node.lineno
            if isinstance(node, ast.Lambda):
                first = node.lineno
            yield from _nodes(node, inner, first)


def _is_for_readers(node: ast.AST) -> bool:
    """Return whether only a reader or a checker notices: docstrings, names of types, `strict` of a zip."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id.istitle()
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or (isinstance(node, ast.keyword) and node.arg == "strict")


def _changes(node: ast.AST, place: _Places) -> Iterator[tuple[str, tuple[int, int], str]]:
    """(operator, span, text) for every mutant of this very node."""
    if isinstance(node, ast.Constant):
        for text in _other_constants(node.value):
            yield "constant", place.span(node), text
    if isinstance(node, ast.BinOp):
        yield from _of_binary(node, place)
    if isinstance(node, ast.BoolOp):
        symbol, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield "operator", place.between(left, right, symbol), other
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield "operator", place.span(node), f"({place.text(node.operand)})"
    if isinstance(node, ast.Compare):
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            symbol = _SYMBOLS[type(op)]
            for other in FLIPPED[type(op)]:
                yield "comparison", place.between(left, right, symbol), other
    if isinstance(node, ast.stmt) and not isinstance(node, KEPT) and getattr(node, "value", node):
        yield "statement", place.span(node), "pass"
    for first, second in _pairs(node):
        start, end = place.span(first)[0], place.span(second)[1]
        if place.text(first) != place.text(second):
            middle = place.source[place.span(first)[1] : place.span(second)[0]].decode()
            yield "operands", (start, end), place.text(second) + middle + place.text(first)


def _other_constants(value: object) -> tuple[str, ...]:
    if isinstance(value, bool):
        return (str(not value),)
    return (f"({value + 1})", f"({value - 1})") if isinstance(value, int | float) else ()


def _of_binary(node: ast.BinOp, place: _Places) -> Iterator[tuple[str, tuple[int, int], str]]:
    left, right = place.text(node.left), place.text(node.right)
    for other in SWAPPED.get(type(node.op), ()):
        yield "operator", place.span(node), f"(({left}) {other} ({right}))"
    if isinstance(node.op, ORDERED):
        yield "operands", place.span(node), f"(({right}) {_SYMBOLS[type(node.op)]} ({left}))"


def _pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Neighbouring arguments of a call, and the two values of a conditional expression."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] not in COMMUTATIVE:
        arguments = zip(node.args, node.args[1:], strict=False)
        yield from (pair for pair in arguments if not any(isinstance(a, ast.Starred) for a in pair))
    if isinstance(node, ast.IfExp):
        yield node.body, node.orelse


_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Sub: "-",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
