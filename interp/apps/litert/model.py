"""`read_litert`: a LiteRT model as a StableHLO module, in the child process of `warm.py`.

The graphs are walked in the order of their nodes, each of which becomes operations.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from interp.apps.litert.composites import Composites
from interp.apps.litert.contents import Contents, Graph, NodeContent, Tensor, parse
from interp.apps.litert.node import Node, Result, Symbol, value_in
from interp.apps.litert.operators import TABLE
from interp.loading.build import Folds
from interp.loading.writer import drop_unused, stem_of
from interp.rewrite.float_reference_rules import reading
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Defaults, Func, Module, Op, Region, Value
from spec.types import TensorType

SHOWN = 5  # nodes of an operator that an error names
DEEPEST = 20  # graphs inside of each other


@dataclass
class Walk:
    """A walk through one graph, and those that its nodes name."""

    contents: Contents
    b: Folds
    kernels: str
    composites: Composites
    states: dict[str, Value] = field(default_factory=dict)  # variables by their names
    handles: dict[int, str] = field(default_factory=dict)  # names of variables by the places of their handles
    depth: int = 0

    def function(self, graph: Graph, name: str, titles: dict[int, str]) -> Func:
        """Return the program of a graph; titles: the names of its inputs in a signature."""
        arguments, symbols = [], {}
        for place, title in input_titles(graph, titles):
            tensor = graph.tensors[place]
            advice = advice_on(tensor, title) if name == "main" else ""
            argument = Value(self.b.fresh(title), tensor.type, title, advice)
            arguments.append(argument)
            symbols[place] = Symbol(tensor, argument)
        kept = kept_tensors(graph)
        self.handles |= {place: variable for variable, place in kept.items()}
        types = variables_of(graph) | {variable: graph.tensors[k].type for variable, k in kept.items()}
        for variable, type in types.items():
            argument = Value(self.b.fresh(variable), type, variable)
            arguments.append(argument)
            self.states[variable] = argument
        results = [*self.run(graph, symbols), *self.states.values()]
        last = Op("func.return", tuple(results), ())
        body = Region(tuple(arguments), drop_unused([*self.b.ops, last]))
        return Func(name, body, tuple(v.type for v in results))

    def run(self, graph: Graph, symbols: dict[int, Symbol]) -> list[Value]:
        """Append the nodes of a graph; return its outputs."""
        for content in graph.nodes:
            self._node(graph, content, symbols)
        results = []
        for place in graph.outputs:
            tensor = graph.tensors[place]
            self.b.location = Location(self.contents.where.file, name=f"output '{_stem(tensor.name)}'")
            value = value_in(self.b, self._symbol(graph, symbols, place, "an output of the graph"))
            self._fits(f"output '{tensor.name}'", tensor, value.type)
            results.append(value)
        return results

    def _node(self, graph: Graph, content: NodeContent, symbols: dict[int, Symbol]) -> None:
        outputs = [graph.tensors[place] for place in content.outputs]
        hint = (_stem(outputs[0].name) if outputs else "") or content.operator
        where = f"operator #{content.place} {content.operator} '{hint}'"
        self.b.location, self.b.hint = Location(self.contents.where.file, name=where), hint
        title = f"operator #{content.place} ({content.operator})"
        inputs = [None if k < 0 else self._symbol(graph, symbols, k, title) for k in content.inputs]
        between = [graph.tensors[k] for k in content.intermediates if k >= 0]
        node, mark = Node(content, inputs, outputs, between, self.b, self), len(self.b.ops)
        names = [f"%{stem_of(_stem(tensor.name))}" for tensor in outputs]
        fresh = {name for name in names if not name[1:2].isdigit()} - self.b.taken - {"%"}
        self.b.taken |= fresh
        built = self.composites.build(node)
        if len(built) != len(outputs):
            raise node.malformed_error(f"{len(outputs)} outputs", f"expected {len(built)}")
        results = [self._name(x, name, mark, fresh) for x, name in zip(built, names, strict=True)]
        self.b.taken -= fresh
        for place, tensor, result in zip(content.outputs, outputs, results, strict=True):
            if isinstance(result, Value):
                symbols[place] = Symbol(tensor, result)
            else:
                symbols[place] = Symbol(tensor, None, result)
            if not tensor.is_resource:
                shape = result.type.shape if isinstance(result, Value) else result.shape
                self._fits(title, tensor, TensorType(shape, tensor.element))
                if isinstance(result, Value) and result.type.element_type != tensor.element:
                    said = f"the file says {tensor.type!r}, it is {result.type!r}"
                    raise node.malformed_error("its output has another type", said)

    def _name(self, x: Result, name: str, mark: int, fresh: set[str]) -> Result:
        """Return a result of a node under the name of its tensor; mark: the first operation of the node.

        fresh: the names that no value has; the one that is given is taken out. Constants may have other
        readers.
        """
        ops = self.b.ops[mark:]
        maker = next((op for op in ops if isinstance(x, Value) and x in op.results), None)
        if name not in fresh or maker is None or maker.name == "stablehlo.constant":
            return x
        assert isinstance(x, Value)
        fresh.discard(name)
        named = replace(x, name=name)
        made = replace(maker, results=tuple(named if v == x else v for v in maker.results))
        self.b.keep(("maker", name), made)
        self.b.ops[mark:] = [made if op is maker else reading(op, {x.name: named}) for op in ops]
        return named

    def _symbol(self, graph: Graph, symbols: dict[int, Symbol], place: int, title: str) -> Symbol:
        if place not in symbols:
            tensor = graph.tensors[place]
            if place in self.handles and tensor.is_variable:
                symbols[place] = Symbol(tensor, self.states[self.handles[place]])
            elif not tensor.is_constant:
                verdict = f"{title} reads tensor '{tensor.name}', which nothing has computed"
                raise Malformed(verdict, "expected nodes in an order in which they run", self.contents.where)
            else:
                symbols[place] = Symbol(tensor, None, tensor.array)
        return symbols[place]

    def _fits(self, title: str, tensor: Tensor, type: TensorType) -> None:
        """Raise `Malformed` if a value has another shape than its tensor, as far as the file says it."""
        if not tensor.is_open and tensor.shape != type.shape and tensor.shape != ():
            said = f"the file says {list(tensor.shape)}, it is {list(type.shape)}"
            raise Malformed(f"{title}: '{tensor.name}' has another shape", said, self.contents.where)

    def region(self, graph: int, inputs: Sequence[Value], b: Folds) -> list[Value]:
        """Return the outputs of another graph of the model, appended to a block."""
        if not 0 <= graph < len(self.contents.graphs) or self.depth >= DEEPEST:
            raise Malformed(f"no graph {graph} to run here", f"depth {self.depth}", self.contents.where)
        whole = self.contents.graphs[graph]
        if len(inputs) != len(whole.inputs):
            verdict = f"graph {graph} takes {len(whole.inputs)} inputs"
            raise Malformed(verdict, f"got {len(inputs)}", self.contents.where)
        symbols = {}
        for place, value in zip(whole.inputs, inputs, strict=True):
            tensor = whole.tensors[place]
            if tensor.type != value.type:
                said = f"the file says {tensor.type!r}, it is {value.type!r}"
                raise Malformed(f"graph {graph}: '{tensor.name}' has another type", said, self.contents.where)
            symbols[place] = Symbol(tensor, value)
        outer, handles = self.b, self.handles
        self.b, self.handles, self.depth = b, {}, self.depth + 1
        try:
            return self.run(whole, symbols)
        finally:
            self.b, self.handles, self.depth = outer, handles, self.depth - 1

    def declare(self, place: int, name: str) -> None:
        self.handles[place] = name

    def state(self, place: int, n: Node) -> Value:
        """Return the present value of a variable."""
        name = self.handles.get(place, "")
        if name not in self.states:
            raise n.malformed_error(f"variable '{name}' is read before it has a value")
        return self.states[name]

    def assign(self, place: int, value: Value, n: Node) -> None:
        if place not in self.handles or self.depth:
            raise n.unsupported_error("a variable that is assigned in a branch, a loop, or without a handle")
        self.states[self.handles[place]] = value


def variables_of(graph: Graph) -> dict[str, TensorType]:
    """Return the variables of a graph with their types, which are those of what is read and assigned."""
    names = {n.outputs[0]: n.options["name"] for n in graph.nodes if n.operator == "VAR_HANDLE" and n.outputs}
    types: dict[str, TensorType] = {}
    for node in graph.nodes:
        if node.operator == "READ_VARIABLE" and node.inputs and node.outputs:
            types.setdefault(names.get(node.inputs[0], ""), graph.tensors[node.outputs[0]].type)
        if node.operator == "ASSIGN_VARIABLE" and len(node.inputs) > 1:
            types.setdefault(names.get(node.inputs[0], ""), graph.tensors[node.inputs[1]].type)
    return {name: types[name] for name in dict.fromkeys(names.values()) if name in types}


def kept_tensors(graph: Graph) -> dict[str, int]:
    """Return the tensors that keep their elements from call to call, by names of their own."""
    places = sorted({place for node in graph.nodes for place in node.inputs if place >= 0})
    kept = [k for k in places if graph.tensors[k].is_variable and not graph.tensors[k].is_constant]
    stems = [_stem(graph.tensors[k].name) or "state" for k in kept]
    return {f"{stem}_{k}" if stems.count(stem) > 1 else stem: k for stem, k in zip(stems, kept, strict=True)}


def input_titles(graph: Graph, titles: Mapping[int, str]) -> list[tuple[int, str]]:
    """Return the places of a graph's inputs with their names: of the signature, of the tensor, or `arg0`."""
    name = lambda k, place: titles.get(place) or _stem(graph.tensors[place].name) or f"arg{k}"
    return [(place, name(k, place)) for k, place in enumerate(graph.inputs)]


def advice_on(tensor: Tensor, title: str) -> str:
    """Return how to load a model with other sizes of an input of `main` that the file leaves unknown."""
    sizes = ", ".join(f'"{title}.{d}": n' for d in tensor.unknown)
    return f"sizes that the file leaves unknown: load(path, dims={{{sizes}}})" if sizes else ""


def _stem(name: str) -> str:
    """Return the name of a tensor, without those of what was fused to it, and without `:0`."""
    first = name.partition(";")[0]
    return re.sub(r":\d+$", "", first)


def refuse_unsupported(contents: Contents) -> None:
    """Raise `Unsupported` with every operator that has no builder, how often it occurs, and where."""
    places = defaultdict(list)
    for graph in contents.graphs:
        for node in graph.nodes:
            if node.operator not in TABLE:
                places[node.operator].append(node.place)
    if not places:
        return
    lines = []
    for name, found in sorted(places.items()):
        more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        lines.append(f"{len(found)} {name}: {', '.join(f'#{k}' for k in found[:SHOWN])}{more}")
    count = sum(map(len, places.values()))
    verdict = f"{count} node{'s' * (count > 1)} of unsupported operators: {', '.join(sorted(places))}"
    raise Unsupported(verdict, "\n".join(lines), contents.where)


# The functions of a module: the first graph, those of other signatures, and the first values of variables.


def read_litert(
    data: bytes, name: str, kernels: str = "litert", dims: Mapping[str, int] | None = None
) -> Module:
    """Return the program of a LiteRT model: its first graph is `main`, other signatures are functions.

    dims: unknown sizes of inputs of `main`, by name and dimension (`{"x.0": 4}`).

    Whoever runs it verifies it.
    """
    where = Location(name)
    contents = parse(bytes(data), where)
    refuse_unsupported(contents)
    set_sizes(contents, dims or {})
    functions: dict[str, Func] = {}
    entries = _entries(contents)
    titles = [title for title, *_ in entries]
    composites = Composites({"init", *titles, *map(init_name, titles)})
    for title, graph, names in entries:
        walk = Walk(contents, Folds(set(), location=where), kernels, composites)
        functions[title] = walk.function(contents.graphs[graph], title, names)
        first = first_values(walk, contents.graphs[graph], init_name(title))
        if first is not None:
            functions.setdefault(first.name, first)
    return Module(
        functions | composites.functions, source=name, defaults=Defaults("integer", "tflite_double", kernels)
    )


def init_name(title: str) -> str:
    """Return the name of the function that gives the first values of a function's variables."""
    return "init" if title == "main" else f"init_{title}"


def first_values(walked: Walk, graph: Graph, title: str) -> Func | None:
    """Return the function that gives the first values of a graph's variables, by the order of their names.

    Graphs of CALL_ONCE assign those of handles; if the graph has none, those of all graphs do. Tensors that
    keep their elements are 0 first, and integers of 8 bits with a sign are their zero point.
    """
    names, contents = list(walked.states), walked.contents
    starts = starts_of([graph]) or starts_of(contents.graphs)
    kept = kept_tensors(graph)
    if not names or not (starts or kept):
        return None
    walk = Walk(contents, Folds(set(), location=contents.where), walked.kernels, walked.composites)
    for place in starts:
        walk.run(_graph(contents, place), {})
    for name, place in kept.items():
        tensor = graph.tensors[place]
        first = tensor.zero_points[0] if tensor.storage.name == "i8" and tensor.zero_points else 0
        walk.states[name] = walk.b.full(first, tensor.type)
    if lost := [name for name in names if name not in walk.states]:
        raise Unsupported(f"variable '{lost[0]}' has no first value", "", contents.where)
    results = tuple(walk.states[name] for name in names)
    ops = drop_unused([*walk.b.ops, Op("func.return", results, ())])
    return Func(title, Region((), ops), tuple(v.type for v in results))


def starts_of(graphs: Sequence[Graph]) -> list[int]:
    """Return the graphs that CALL_ONCE names, each once."""
    nodes = [node for graph in graphs for node in graph.nodes if node.operator == "CALL_ONCE"]
    return list(dict.fromkeys(node.options["subgraph"] for node in nodes))


def set_sizes(contents: Contents, dims: Mapping[str, int]) -> None:
    """Set the sizes that the file leaves unknown in the inputs of the first graph; the others follow."""
    graph, titles = contents.graphs[0], _entries(contents)[0][2]
    known: dict[str, tuple[Tensor, int]] = {}
    for place, title in input_titles(graph, titles):
        tensor = graph.tensors[place]
        known |= {f"{title}.{d}": (tensor, d) for d in tensor.unknown}
    for name, size in dims.items():
        if name not in known:
            evidence = f"unknown sizes: {', '.join(known) or 'none'}"
            raise Malformed(f"no size of the model is unknown as {name!r}", evidence, contents.where)
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise Malformed(f"the size {name} is {size!r}", "expected a positive integer", contents.where)
        tensor, d = known[name]
        tensor.shape = (*tensor.shape[:d], size, *tensor.shape[d + 1 :])


def _graph(contents: Contents, place: int) -> Graph:
    if not 0 <= place < len(contents.graphs):
        raise Malformed(f"CALL_ONCE names graph {place}", f"{len(contents.graphs)} there", contents.where)
    return contents.graphs[place]


def _entries(contents: Contents) -> list[tuple[str, int, dict[int, str]]]:
    """Return the functions: their names, graphs, and the names of their arguments."""
    first = next((s for s in contents.signatures if s.graph == 0), None)
    found = [("main", 0, first.inputs if first else {})]
    others = [s for s in contents.signatures if s is not first]
    taken = {"main"}
    for k, signature in enumerate(others):
        name = signature.key if signature.key and signature.key not in taken else f"signature_{k}"
        taken.add(name)
        found.append((name, signature.graph, signature.inputs))
    return found
