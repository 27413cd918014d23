"""Formulas of the specification as checks: `0 <= dimensions < rank(inputs[0])` is parsed and judged on an op.

A comparison of a list with a number, or of lists of the same size, is elementwise and holds if it does
everywhere; `=` and `==` are equality. `x...` is each x, `f(x...)` is f of each x; compared with one value,
each must equal it. `a + b` of lists is their concatenation. `if a, b`, `if a, then b` and `a implies b` hold
where a does not. In `x = a ? b : c` the choice is the right side. A name in capitals may be a word: `NORMAL`.
`x[:, k]` is a column of a table. In `formula, where x = e` the name stands for the expression. In
`formula for all i in [0,N)` `x[i]` is each x. `a, b and c have the same f` is `same([f(a), f(b), f(c)])`.

All sides of a comparison, of `and`, `or` and `if` are evaluated: a formula with a name that is missing cannot
be judged (`LookupError`, `TypeError`, ...), whatever its other names are.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, repeat
from math import ceil, isfinite, prod
from typing import Any

from spec.attributes import Dense
from spec.ir import Region, Value
from spec.quantized import storage_range
from spec.rules import members
from spec.types import QuantizedType, TokenType, TupleType, complex_part, is_tensor

Check = Callable[[Any], Any]  # of an Op or a TensorType
TOKEN = re.compile(r"\s*(\.\.\.|<=|>=|==|!=|\w+|[-+*/%<>=!?:()\[\],])")
ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
TERMS: dict[str, Callable[[Any, Any], Any]] = {
    "*": operator.mul,
    "/": Fraction,
    "%": operator.mod,
    "-": operator.sub,
}


class Each(tuple[Any, ...]):
    """The values of `x...` or `f(x...)`; true if each is."""

    def __bool__(self) -> bool:
        return all(self)


def is_list(x: object) -> bool:
    return isinstance(x, tuple | list)


def is_equal(a: Any, b: Any) -> bool:
    """Return whether values are equal; all of `f(x...)` or of a list of numbers may equal one value."""
    if type(a) is type(b) and not is_list(a):
        return bool(a == b)
    if isinstance(a, Each) != isinstance(b, Each):
        each, one = (a, b) if isinstance(a, Each) else (b, a)
        if not is_list(one) or any(map(is_list, each)):
            return all(is_equal(x, one) for x in each)
    if is_list(a) and is_list(b):
        return len(a) == len(b) and all(map(is_equal, a, b))
    if is_list(a) or is_list(b):
        return all(is_equal(x, b) for x in a) if is_list(a) else all(is_equal(a, x) for x in b)
    return bool(a == b)


def is_ordered(order: Callable[[Any, Any], bool], a: Any, b: Any) -> bool:
    """Return whether an order holds, elementwise for lists; `ValueError` for lists of different sizes."""
    if type(a) is type(b) is int:
        return order(a, b)
    if is_list(a) and is_list(b):
        pairs = [*zip(a, b, strict=True)]
        return all(is_ordered(order, x, y) for x, y in pairs)
    numbers = {*map(type, a if is_list(a) else b if is_list(b) else ())} <= {int, float}
    inner = order if numbers else partial(is_ordered, order)  # a table has many
    if is_list(a):
        return all(map(inner, a, repeat(b)))
    return all(map(inner, repeat(a), b)) if is_list(b) else order(a, b)


RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    **{sign: partial(is_ordered, order) for sign, order in ORDERS.items()},
    "=": is_equal,
    "==": is_equal,
    "!=": lambda a, b: not is_equal(a, b),
    "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}


def combine(term: str, a: Any, b: Any) -> Any:
    """Return an arithmetic result, elementwise for a list; `+` of lists concatenates, of a number appends."""
    if term == "+" and (is_list(a) or is_list(b)):
        kind = Each if isinstance(a, Each) or isinstance(b, Each) else tuple
        return kind((*(a if is_list(a) else (a,)), *(b if is_list(b) else (b,))))
    if term == "+":
        return a + b
    if is_list(a):
        others = b if is_list(b) else (b,) * len(a)
        return type(a)(combine(term, x, y) for x, y in zip(a, others, strict=True))
    return TERMS[term](a, b)


def at(x: Any, place: Any) -> Any:
    """Return `x[place]`, for a list of places a list."""
    return tuple(x[k] for k in place) if is_list(place) else x[place]


def size(x: Any) -> int:
    """Return the number of elements of a tensor, a tuple or a list."""
    if isinstance(x, Value):
        return len(x.type.types) if isinstance(x.type, TupleType) else prod(x.type.shape)
    return len(x)


def shape(x: Any) -> tuple[int, ...]:
    """Return the shape of a value, or of a list of pairs; the columns of another table are -1."""
    if isinstance(x, Value | Dense):
        return x.type.shape
    return len(x), 2 if all(len(row) == 2 for row in x) else -1


def zero_points(x: Value) -> tuple[int, ...]:
    """Return the zero points of a quantized value; `TypeError` for another one."""
    type = members.element_type(x)
    if not isinstance(type, QuantizedType):
        raise TypeError(f"{type} is not quantized")
    return type.zero_points


def type_of(x: Any) -> Any:
    """Return the type of a value, of a region, or of each value in a list."""
    if is_list(x):
        return Each(map(type_of, x))
    return members.function_type(x) if isinstance(x, Region) else x.type


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "baseline_element_type": members.baseline_of,
    "baseline_type": lambda x: members.baseline_type(x.type),
    "ceil": lambda xs: tuple(map(ceil, xs)),
    "complex_element_type": complex_part,
    "concatenate": lambda *lists: tuple(x for each in lists for x in each),
    "dim": lambda x, d: at(shape(x), d),
    "element_type": members.element_type,
    "expressed_type": members.expressed_type,
    "input_types": lambda region: [value.type for value in region.arguments],
    "is_complex": lambda x: members.kind(members.element_type(x)) == "complex",
    "is_empty": lambda x: x in (None, ()),
    "is_finite": isfinite,
    "is_float": lambda x: members.kind(members.element_type(x)) == "float",
    "is_namespaced_op_name": lambda name: re.fullmatch(r"[a-zA-Z][\w]*(\.[\w$]+)+", name) is not None,
    "is_per_axis_quantized": members.is_per_axis_quantized,
    "is_per_tensor_quantized": lambda x: members.is_quantized(x) and members.is_per_tensor(x),
    "is_quantized": members.is_quantized,
    "is_sorted": lambda xs: all(a <= b for a, b in pairwise(xs)),
    "is_tensor": is_tensor,
    "is_token": lambda type: isinstance(type, TokenType),
    "is_unique": members.is_unique,
    "max_value": lambda type: storage_range(type)[1],
    "min_value": lambda type: storage_range(type)[0],
    "output_types": lambda region: [value.type for value in region.returns],
    "prod": prod,
    "quantization_dimension": members.quantization_dimension,
    "range": lambda n: tuple(range(n)),
    "rank": members.rank,
    "same": members.same,
    "shape": shape,
    "size": size,
    "storage_type": members.storage_type,
    "tuple_element_types": lambda x: x.type.types,
    "type": type_of,
    "zero_points": zero_points,
}
WORDS: dict[str, Any] = {"true": True, "false": False}


class Parser:
    """A recursive descent over the tokens of a formula; every method returns a function of the subject."""

    def __init__(self, formula: str) -> None:
        self.tokens = TOKEN.findall(formula)
        if "".join(self.tokens) != re.sub(r"\s", "", formula):
            raise SyntaxError(f"not a formula: {formula}")
        self.k = 0

    @property
    def next(self) -> str:
        return self.tokens[self.k] if self.k < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """Return the next token and go on if it is one of these, else ""."""
        if self.next not in wanted or not self.next:
            return ""
        self.k += 1
        return self.tokens[self.k - 1]

    def expect(self, *wanted: str) -> None:
        if not self.take(*wanted):
            raise SyntaxError(f"expected {wanted[0]} before {' '.join(self.tokens[self.k :]) or 'the end'}")

    def whole(self) -> Check:
        check = self.expression()
        if self.next:
            raise SyntaxError(f"unexpected {' '.join(self.tokens[self.k :])}")
        return check

    def expression(self) -> Check:
        if self.take("if"):
            premise = self.either()
            self.expect(",")
            self.take("then")
            return implies(premise, self.expression())
        check = self.either()
        return implies(check, self.expression()) if self.take("implies") else check

    def either(self) -> Check:
        checks = [self.both()]
        while self.take("or"):
            checks.append(self.both())
        return together(any, checks)

    def both(self) -> Check:
        checks = [self.negation()]
        while self.take("and"):
            checks.append(self.negation())
        return together(all, checks)

    def negation(self) -> Check:
        if self.take("!", "not"):
            check = self.negation()
            return lambda op: not check(op)
        return self.comparison()

    def relation(self) -> str:
        if self.take("not"):
            self.expect("in")
            return "not in"
        return self.take("<", "<=", ">", ">=", "=", "==", "!=", "in")

    def comparison(self) -> Check:
        sides, relations = [self.sum()], []
        while relation := self.relation():
            relations.append(relation)
            sides.append(self.sum())
        if not self.take("?"):
            return compare(sides, relations)
        yes = self.sum()
        self.expect(":")
        no = self.sum()
        if relations and relations[0] == "=":  # x = a ? b : c
            return compare([sides[0], choose(compare(sides[1:], relations[1:]), yes, no)], ["="])
        return choose(compare(sides, relations), yes, no)

    def sum(self) -> Check:
        check = self.term()
        while term := self.take("+", "-"):
            check = arithmetic(term, check, self.term())
        return check

    def term(self) -> Check:
        check = self.unary()
        while term := self.take("*", "/", "%"):
            check = arithmetic(term, check, self.unary())
        return check

    def unary(self) -> Check:
        if self.take("-"):
            check = self.unary()
            return lambda op: -check(op)
        return self.postfix()

    def postfix(self) -> Check:
        check = self.atom()
        while token := self.take("[", "..."):
            check = self.place(check) if token == "[" else call(Each, [check])
        return check

    def place(self, check: Check) -> Check:
        """Return an element `x[k]`, those at `x[places...]`, a slice `x[:-1]` or a column `x[:, k]`."""
        ends: list[Check | None] = [None if self.next == ":" else self.expression()]
        if self.take(":"):
            ends.append(None if self.next in ("]", ",") else self.expression())
        column = self.expression() if len(ends) == 2 and self.take(",") else None
        self.expect("]")
        first, *last = ends
        if first and not last:
            return lambda op: at(check(op), first(op))
        part = lambda op: check(op)[slice(*(end and end(op) for end in ends))]
        return (lambda op: tuple(row[column(op)] for row in part(op))) if column else part

    def atom(self) -> Check:
        if self.take("("):
            check = self.expression()
            self.expect(")")
            return check
        if self.take("["):
            items = self.arguments("]")
            return lambda op: tuple(item(op) for item in items)
        name = self.next
        if not re.fullmatch(r"\w+", name):
            raise SyntaxError(f"unexpected {name or 'end'}")
        self.k += 1
        if name.isdigit() or name in WORDS:
            constant = WORDS[name] if name in WORDS else int(name)
            return lambda op: constant
        if self.take("("):
            return call(FUNCTIONS[name] if name in FUNCTIONS else refuse_unknown(name), self.arguments(")"))
        return lambda op: members.value_of(op, name)

    def arguments(self, end: str) -> list[Check]:
        found: list[Check] = []
        while not self.take(end):
            if found:
                self.expect(",")
            found.append(self.expression())
        return found


def refuse_unknown(name: str) -> Callable[..., Any]:
    raise SyntaxError(f"no function {name}")


def together(judge: Callable[[Iterable[Any]], bool], checks: list[Check]) -> Check:
    """Return whether any or all of the checks hold."""
    return checks[0] if len(checks) == 1 else lambda op: judge([check(op) for check in checks])


def implies(premise: Check, conclusion: Check) -> Check:
    def check(op: Any) -> bool:
        first, second = premise(op), conclusion(op)
        return not first or bool(second)

    return check


def choose(condition: Check, yes: Check, no: Check) -> Check:
    return lambda op: yes(op) if condition(op) else no(op)


def arithmetic(term: str, a: Check, b: Check) -> Check:
    return lambda op: combine(term, a(op), b(op))


def compare(sides: list[Check], relations: list[str]) -> Check:
    if not relations:
        return sides[0]
    judges = [RELATIONS[relation] for relation in relations]
    if len(judges) == 1:
        (judge,), (first, second) = judges, sides
        return lambda op: judge(first(op), second(op))

    def check(op: Any) -> bool:
        values = [side(op) for side in sides]
        results = [judge(values[k], values[k + 1]) for k, judge in enumerate(judges)]
        return all(results)

    return check


def call(function: Callable[..., Any], arguments: list[Check]) -> Check:
    """Return a call, for a spread argument one for each of its values."""
    whole = function in (Each, members.same, members.is_unique, size, prod)  # of a list
    if len(arguments) == 1:
        (argument,) = arguments

        def apply(op: Any) -> Any:
            x = argument(op)
            return Each(map(function, x)) if type(x) is Each and not whole else function(x)

        return apply

    def check(op: Any) -> Any:
        values = [argument(op) for argument in arguments]
        spreads = [x for x in values if isinstance(x, Each)]
        if not spreads or whole:
            return function(*values)
        count = len(spreads[0])
        columns = [x if isinstance(x, Each) else (x,) * count for x in values]
        return Each(function(*row) for row in zip(*columns, strict=True))

    return check


def rewrite(formula: str) -> str:
    """Return a formula without `have the same`, `for all` and `where`."""
    if same := re.fullmatch(r"(.+) and (\w+) have the same (\w+)", formula):
        return f"same({same[3]}([{same[1]}, {same[2]}]...))"
    if formula.endswith(" for all i in [0,N)"):
        return formula.partition(" for all ")[0].replace("[i]", "...")
    formula, _, definition = formula.partition(", where ")
    name, _, meaning = definition.partition(" = ")
    return re.sub(rf"\b{name}\b", f"({meaning})", formula) if name else formula


@cache
def parse(formula: str) -> Check:
    """Return the check of a formula; `SyntaxError` if it is not an expression."""
    return Parser(rewrite(formula)).whole()
