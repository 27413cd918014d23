"""The extension that `model-explorer --extensions=interp.model_explorer` loads: it looks for this module."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from interp.answers.trace import trace
from interp.apps.model_explorer.graphs import SMALL, graphs
from interp.apps.model_explorer.overlays import overlays
from interp.engine.inputs import random_arguments, read_arguments
from interp.execute.refine import refine
from interp.execute.refusals import refuse_dynamic
from interp.loading.load import load
from spec.errors import InterpError, Malformed, Unsupported
from spec.ir import Module

try:
    from model_explorer import (
        Adapter,
        AdapterMetadata,
        GetConfigEditorsResult,
        NodeDataProvider,
        NodeDataProviderFilter,
        NodeDataProviderMetadata,
        NodeDataProviderResult,
    )
    from model_explorer.config_editor import TextInputConfigEditor
    from model_explorer.extension_manager import ExtensionManager
    from model_explorer.graph_builder import GraphCollection
except ImportError as error:
    what_to_do = "pip install 'stablehlo-interp[explorer]'"
    raise Unsupported(f"Model Explorer cannot be imported: {error}", what_to_do) from None

ADAPTER = "interp"
ENDINGS = ["mlir", "mlirbc", "stablehlo", "export", "onnx"]  # of files
FILES = ".npy files, or .npz or .safetensors, on this machine, separated by spaces; none: random arguments"


class StablehloAdapter(Adapter):
    """Adapter that shows every program that `interp.load` reads."""

    metadata = AdapterMetadata(
        id=ADAPTER,
        name="StableHLO (interp)",
        description="Shows StableHLO with quantized types, from MLIR, bytecode, jax.export and ONNX",
        fileExts=ENDINGS,
    )

    def convert(self, model_path: str, settings: dict[str, Any]) -> dict[str, Any]:
        limit = int(settings.get("const_element_count_limit", SMALL))
        shown = graphs(load_program(model_path), limit if limit >= 0 else None)
        return {"graphCollections": [GraphCollection(label="", graphs=shown)]}


class TraceProvider(NodeDataProvider):
    """Provider that runs the program that is shown, and adds the overlays of its trace."""

    metadata = NodeDataProviderMetadata(
        id="interp_trace",
        name="Run with interp",
        description="Runs the program once, and shows events, overflow, error and headroom",
        icon="bug_report",
        filter=NodeDataProviderFilter(adapterIds=[ADAPTER]),
    )

    def get_config_editors(self, provider_id: str) -> Any:
        files = TextInputConfigEditor(id="arguments", label="Arguments", description=FILES, defaultValue="")
        seed = TextInputConfigEditor(id="seed", label="Seed of random arguments", number=True, defaultValue=0)
        return GetConfigEditorsResult(configEditors=[files, seed])

    def run(
        self, provider_id: str, model_path: str, graph_id: str, config_values: dict[str, Any], graph: Any
    ) -> Any:
        files, seed = str(config_values.get("arguments") or ""), int(config_values.get("seed") or 0)
        try:
            found = run_overlays(model_path, files.split(), seed)
        except InterpError as error:
            return NodeDataProviderResult(error=str(error))
        return NodeDataProviderResult(result=[data[graph_id] for data in found.values() if graph_id in data])


def load_program(path: str) -> Module:
    """Return a program; one that is not StableHLO may be in the reduction RFC's dialect."""
    try:
        return load(Path(path))
    except Malformed:
        with suppress(InterpError):
            return load(Path(path), dialect="rfc")
        raise


def run_overlays(path: str, files: list[str], seed: int) -> dict[str, Any]:
    """Return the overlays of a run on arguments from files, or on random ones."""
    module = load_program(path)
    if not files:
        refuse_dynamic(module)
    args = read_arguments(files, module.main) if files else random_arguments(module.main, seed)
    return overlays(module, trace(refine(module, *args), *args))


def ours_first(manager: Any, listed: Any = ExtensionManager.get_extensions_metadata) -> list[dict[str, Any]]:
    """Return all extensions, this adapter first.

    Model Explorer opens a file with the first adapter that takes its ending, and has one for `.mlir`, which
    refuses some quantized programs and to whose nodes the overlays do not fit. It can be chosen on the page.
    """
    return sorted(listed(manager), key=lambda extension: bool(extension["id"] != ADAPTER))


ExtensionManager.get_extensions_metadata = ours_first
