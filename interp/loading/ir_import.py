"""Conversion of jaxlib's operations, values, types and locations to those of `spec.ir`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from interp.loading import rfc, unknown_operations
from interp.loading.attributes import VIEWED, constant, index_list, python_value, spec_attributes, unquote
from interp.loading.source import WrittenNames
from interp.loading.unknown_operations import restore_call
from spec.attributes import Dense
from spec.errors import UNKNOWN, InterpError, Location, Malformed, Unsupported
from spec.grid import with_meshes
from spec.ir import Defaults, Func, Mention, Module, Op, Region, Value
from spec.types import TensorType, parse_type

if TYPE_CHECKING:
    from interp.loading.sub_channel import Types

_STRING = r'"(?:[^"\\]|\\.)*"'
_PART = re.compile(rf"({_STRING})(?::(\d+):(\d+))?")
_ENCODING = re.compile(r", \d+ : i64>$")  # see `sub_channel.py`
_LONGEST_LIST = 1 << 20
_SHORT = 1 << 10  # elements of a constant whose text is short
WRITTEN = "<written>"  # the file of places that `keep_places` adds
ODML_QUANTIZE = "odml_torch.uniform_quantize"


def location(text: str, name: str, is_text: bool = True) -> Location:
    """Return the first place and the first name in a text such as `loc("jit(f)/add"("model.py":3:4))`.

    The name of a type alone, such as `Conv2D:` before the name that TensorFlow gives, does not count.
    is_text: `name` is a text, in which lines can be found.
    """
    parts = [match.groups() for match in _PART.finditer(re.sub(r"fused<.*?>\[", "[", text))]
    labels = [unquote(string) for string, line, _ in parts if line is None]
    label = next((x for x in labels if not x.endswith(":")), labels[0] if labels else "")
    for string, line, column in parts:
        if line is not None and (file := unquote(string)) != WRITTEN:
            place = (int(line), int(column)) if is_text or file != "-" else (0, 0)
            return Location(name if file == "-" else file, *place, label)
    return Location(name=label)


def place_in_text(text: str, name: str) -> Location | None:
    """Return the place in the text that is read, if the text of a location has it."""
    for string, line, column in (match.groups() for match in _PART.finditer(text)):
        if line is not None and unquote(string) in ("-", WRITTEN):
            return Location(name, int(line), int(column))
    return None


def keep_places(module: Any, alike: Any) -> None:
    """Add to locations that the text states the places of the operations there: those of a module without."""
    from jaxlib.mlir import ir

    for region, other in zip(module.regions, alike.regions, strict=True):
        for block, same in zip(region.blocks, other.blocks, strict=True):
            for view, twin in zip(block.operations, same.operations, strict=True):
                op, place = view.operation, place_in_text(str(twin.operation.location), "")
                if place and place_in_text(str(op.location), "") != place:
                    mark = ir.Location.file(WRITTEN, place.line, place.column)
                    op.location = ir.Location.fused([op.location, mark])
                keep_places(op, twin.operation)


def import_module(
    module: Any, name: str, dialect: str = "stablehlo", text: str = "", blocks: Types | None = None
) -> Module:
    """Return a `builtin.module` operation as a `Module`; `name` is the file of locations that have none.

    Values are named as in `text`, from which the operation was read; without a text, as MLIR numbers them.
    blocks: the quantized types of a text that is encoded (`sub_channel.py`).
    """
    with decoding(Location(name)):
        return _module(module, name, dialect, WrittenNames(text), blocks)


def _module(module: Any, name: str, dialect: str, written: WrittenNames, blocks: Types | None) -> Module:
    shared = _Shared(module, written, blocks)
    functions = {}
    shared.meshes = {
        unquote(str(op.attributes["sym_name"])): str(op.attributes["mesh"]).removeprefix("#sdy.")
        for op in module.regions[0].blocks[0].operations
        if op.operation.name == "sdy.mesh"
    }
    for view in module.regions[0].blocks[0].operations:
        op = view.operation
        where = location(str(op.location), name, bool(written.text))
        if op.name == "func.func":
            function = _FunctionImporter(shared, op, name).function(where)
            functions[function.name] = function
        elif op.name != "sdy.mesh":  # stands in the shardings that name it
            raise Unsupported(
                f"{op.name} beside functions", "only func.func is read at the top of a module", where
            )
    if not functions:
        raise Malformed("no function", "a program is a module of func.func operations", Location(name))
    reference = _texts(module, "interp.reference", Mention)
    defaults = _texts(module, "interp.defaults", Defaults)
    return Module(functions, dialect, name, reference=reference, defaults=defaults)


Texts = TypeVar("Texts", Defaults, Mention)


def _texts(module: Any, attribute: str, kind: type[Texts]) -> Texts | None:
    """Return what an attribute of the module says, if it has one of that form."""
    from jaxlib.mlir import ir

    if attribute not in module.attributes:
        return None
    known = module.attributes[attribute]
    if not isinstance(known, ir.DictAttr) or any(name not in known for name in kind._fields):
        return None
    return kind(*(unquote(str(known[name])) for name in kind._fields))


class _Shared:
    """State shared by the functions of a module: the types parsed so far and the resource blobs.

    Equal element types become one object, so that most comparisons of types find the same object.
    """

    def __init__(self, module: Any, written: WrittenNames, blocks: Types | None) -> None:
        self.module, self.written, self.blocks = module, written, blocks
        self.types: dict[Any, TensorType] = {}
        self.elements: dict[Any, Any] = {}
        self.meshes: dict[str, str] = {}

    @cached_property
    def blobs(self) -> dict[str, str]:
        """Return the resource blobs as hexadecimal digits by name, without their four bytes of alignment."""
        whole = self.module
        while whole.parent is not None:  # the resources of a nested module stand behind the outer one
            whole = whole.parent
        found = re.findall(rf'^ *([\w.$-]+|{_STRING}): "0x([0-9A-Fa-f]*)"', str(whole), re.MULTILINE)
        return {unquote(name): digits[8:] for name, digits in found}


class _FunctionImporter:
    """Importer of one function; it keeps the values by their jaxlib objects, and the names in use."""

    def __init__(self, shared: _Shared, op: Any, name: str) -> None:
        from jaxlib.mlir import ir

        self.shared, self.op, self.name = shared, op, name
        self.values: dict[Any, Value] = {}
        self.names: set[str] = set()
        self.state = ir.AsmState(op)

    def function(self, where: Location) -> Func:
        from jaxlib.mlir import ir

        attributes = self.op.attributes
        name = unquote(str(attributes["sym_name"]))
        if not len(self.op.regions[0].blocks):
            raise Unsupported(f"@{name} has no body", "an external function cannot run: define it", where)
        signature = ir.FunctionType(ir.TypeAttr(attributes["function_type"]).value)
        results = tuple(self.type(type, where) for type in signature.results)
        body = self.region(self.op.regions[0], "func.func", where)
        private = "sym_visibility" in attributes and str(attributes["sym_visibility"]) == '"private"'
        return Func(name, body, results, not private, where)

    def region(self, region: Any, owner: str, where: Location) -> Region:
        if (count := len(region.blocks)) != 1:
            reason = "control flow between blocks is not read"
            raise Unsupported(f"{owner} with a region of {count} blocks", reason, where)
        block = region.blocks[0]
        arguments = tuple(map(partial(self.argument, where), block.arguments))
        return Region(arguments, tuple(self.operation(view.operation) for view in block.operations))

    def argument(self, where: Location, argument: Any) -> Value:
        """Return the argument of a block, with the label that JAX's exporter gave it."""
        value = self.value(argument, where, written=self.written_argument(argument))
        place = location(str(argument.location), "") if hasattr(argument, "location") else UNKNOWN
        if place.name and not place.file:
            value = self.values[argument] = replace(value, label=place.name)
        return value

    def operation(self, op: Any) -> Op:
        stated = str(op.location)
        where = location(stated, self.name, bool(self.shared.written.text))
        here = place_in_text(stated, self.name) or where
        operands = tuple(self.value(operand, where) for operand in op.operands)
        with decoding(where):
            name = unknown_operations.unhide(rfc.own_name(op.name))
            op_name, texts = restore_call(name, dict(_attributes(op)))
        quantized = _odml_result(texts) if op.name == "stablehlo.custom_call" else None
        names = self.written_results(op, here)
        results = tuple(
            self.value(result, here, quantized, name) for result, name in zip(op.results, names, strict=True)
        )
        with _add_location(where):
            found = {name: self.attribute(op, name, text, results) for name, text in texts.items()}
        attributes = spec_attributes(op_name, found, operands[0].type.rank if operands else 0)
        with self.shared.blocks.inside(operands) if self.shared.blocks else nullcontext():
            regions = tuple(self.region(region, op_name, where) for region in op.regions)
        return Op(op_name, operands, results, attributes, regions, where)

    def value(
        self, value: Any, where: Location, type: str | None = None, written: str | None = None
    ) -> Value:
        """Return the `Value` of a value of jaxlib, created when met first: defined or, in a graph, used."""
        if value in self.values:
            return self.values[value]
        name = first = written or value.get_name(self.state)
        others = self.shared.written.all_names if self.is_text(where) and not written else ()
        count = 0
        while name in self.names or name in others:  # regions side by side use the same names
            count += 1
            name = _fresh_name(first, count)
        self.names.add(name)
        self.values[value] = Value(name, self.type(value.type if type is None else type, where))
        return self.values[value]

    def is_text(self, where: Location) -> bool:
        """Return whether a location is a place in the text that is being read."""
        return bool(self.shared.written.text) and where.file == self.name

    def written_argument(self, argument: Any) -> str | None:
        """Return the name of a block's argument in the text, or None."""
        if not self.shared.written.text or not hasattr(argument, "location"):  # an older jaxlib
            return None
        where = location(str(argument.location), self.name)
        return self.shared.written.argument_name(where) if self.is_text(where) else None

    def written_results(self, op: Any, where: Location) -> list[str | None]:
        """Return the names of an operation's results in the text, each None if it has none."""
        count = len(op.results)
        found = self.shared.written.result_names(where, op.name, count) if self.is_text(where) else None
        return [None] * count if found is None else list(found)

    def type(self, type: Any, where: Location) -> TensorType:
        types = self.shared.types
        if type not in types:
            with _add_location(where):
                read = _value_type(str(type), self.shared.blocks)
            if self.shared.blocks and self.shared.blocks.inner is not None:
                return read
            element = self.shared.elements.setdefault(read.element_type, read.element_type)
            types[type] = replace(read, element_type=element)
        return types[type]

    def attribute(self, op: Any, name: str, text: str, results: tuple[Value, ...]) -> Any:
        if text.startswith("dense_resource<"):
            text = self.resource(text)
        if self.shared.blocks and text.startswith("dense<"):
            text = self.shared.blocks.plain(text)
        if not text.startswith("dense<"):
            return python_value(name, with_meshes(text, self.shared.meshes))
        is_value = name == "value" and len(results) == 1
        dense = constant(text, lambda: _buffer(op, name), results[0].type if is_value else None)
        is_list = not is_value and op.name != "stablehlo.custom_call"
        if isinstance(dense, Dense) and is_list and dense.type.storage_type.name == "i64":
            return index_list(dense) if dense.type.rank <= 2 and dense.type.size <= _LONGEST_LIST else dense
        return dense

    def resource(self, text: str) -> str:
        """Return `dense_resource<weights> : tensor<2xf32>` with the blob filled in, if there is one."""
        name, _, type = text.removeprefix("dense_resource<").partition("> : ")
        key = unquote(name)
        if key not in self.shared.blobs:  # an attribute that was parsed again got a new number: `weights_1`
            key = re.sub(r"_\d+$", "", key)
        digits = self.shared.blobs.get(key)
        return text if digits is None else f'dense<"0x{digits}"> : {type}'


@contextmanager
def decoding(where: Location) -> Iterator[None]:
    """Raise `Malformed` if jaxlib cannot convert a name or a text to Python because it is not UTF-8."""
    try:
        yield
    except (UnicodeError, RuntimeError) as error:  # nanobind raises a RuntimeError of its own
        if not isinstance(error, UnicodeError) and "conversion error" not in str(error):
            raise
        raise Malformed("a name or a text in it is not UTF-8", "the file is damaged", where) from None


@contextmanager
def _add_location(where: Location) -> Iterator[None]:
    """Add this location to errors that are raised inside and have none."""
    try:
        yield
    except InterpError as error:
        raise type(error)(error.verdict, error.evidence, where) from None


def _fresh_name(name: str, count: int) -> str:
    """Return a new name, `%arg2_1` for `%arg2`; `%_7_1` for `%7`, as MLIR has no name `%7_1`."""
    stem, mark, result = name[1:].partition("#")
    return f"%{'_' * stem[0].isdigit()}{stem}_{count}{mark}{result}"


def _attributes(op: Any) -> Iterator[tuple[str, str]]:
    """Yield names and texts of attributes, including the `<{...}>` of an unregistered operation."""
    if not op.context.is_registered_operation(op.name):
        yield from _properties(op.get_asm(skip_regions=True))
    for name in op.attributes:
        yield name, _attribute_text(op, name)


def _properties(text: str) -> Iterator[tuple[str, str]]:
    from jaxlib.mlir import ir

    start = re.match(r'(?:%[^=]*= )?"[^"]*"\([^)]*\) <(?=\{)', text)
    if start is None:
        return
    for end in re.finditer(r"\}(?=>)", text):
        with suppress(ir.MLIRError):  # a `}>` inside a string, or a bracket, is not the end yet
            parsed = ir.DictAttr(ir.Attribute.parse(text[start.end() : end.end()]))
            items = [parsed[i] for i in range(len(parsed))]
            yield from ((item.name, str(item.attr)) for item in items)
            return


def _attribute_text(op: Any, name: str) -> str:
    """Return the text of an attribute, even of a complex constant, for which jaxlib has no Python class."""
    if name == "value" and any("complex<" in str(result.type) for result in op.results):
        text = op.get_asm(print_generic_op_form=True, skip_regions=True)
        if match := re.search(r"value = (dense<.*> : tensor<.*?>)\}", text, re.DOTALL):
            return match[1]
    try:
        attribute = op.attributes[name]
        return _large(attribute) if name == "value" else str(attribute)
    except TypeError as error:  # nor one for an array of unsigned integers, which the message has as text
        if match := re.search(r"\(Attribute\((.*)\)\)$", str(error), re.DOTALL):
            return match[1]
        raise Malformed(f"attribute {name} cannot be read", str(error)) from None


def _large(attribute: Any) -> str:
    """Return the text of a constant; if it is long and a buffer holds its elements, without these.

    Printing weights as text would take twice as long as all other work.
    """
    from jaxlib.mlir import ir

    if isinstance(attribute, ir.DenseElementsAttr) and len(attribute) > _SHORT and not attribute.is_splat:
        type = _ENCODING.sub(">", str(attribute.type))
        if type.rpartition("x")[2].removesuffix(">") in VIEWED:
            return f"dense<[]> : {type}"
    return str(attribute)


def _buffer(op: Any, name: str) -> bytes:
    """Return the bytes of a constant's elements; b"" for an unregistered operation, which has only text."""
    return memoryview(op.attributes[name]).tobytes() if name in op.attributes else b""


def _odml_result(texts: dict[str, str]) -> str | None:
    """Return the quantized type that PyTorch's exporter writes as text beside a float result."""
    if unquote(texts.get("call_target_name", "")) != ODML_QUANTIZE:
        return None
    return unquote(texts.get("backend_config", ""))


def _value_type(text: str, types: Types | None) -> TensorType:
    if not text.startswith(("tensor<", "tuple<", "!stablehlo.")):
        raise Unsupported(f"a value of type {text}", "tensors, tokens and tuples are read")
    return types.parse(text) if types else parse_type(text)
