"""Configuration of checks: the table `[tool.interp]` of `pyproject.toml`, and the check of its models.

[tool.interp]
models = ["models/*.onnx", "exported/model.mlirbc"]   # paths and patterns, from the file's folder
ignore = ["lint_overflow"]                            # rules
strict = true                                         # every remark counts
dims = { N = 1 }                                      # sizes with names
ranges = { x = [-4, 4] }                              # of parameters, in stored elements
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from interp.apps.checking.check import STAGES, Check, check
from interp.engine.work import Progress
from spec.errors import Malformed

NAME = "pyproject.toml"
TESTING = "testing"  # options of assertions, which `apps/assertions` reads
ONNX = ".onnx"


@dataclass
class Config:
    """Models, as paths or patterns, and the options of `check` for all of them."""

    models: list[str] = field(default_factory=list)
    ignore: list[str] = field(default_factory=list)
    stages: list[str] = field(default_factory=list)
    strict: bool = False
    mode: str = "strict"
    seconds: float = 60.0
    dims: dict[str, Any] = field(default_factory=dict)
    ranges: dict[str, Sequence[float]] = field(default_factory=dict)


def read_config(path: Path) -> Config:
    """Return the table of a file; an empty one if there is no such table. `Malformed` for what it is not."""
    table = {key: value for key, value in read_table(path).items() if key != TESTING}
    known = {each.name: type(getattr(Config(), each.name)) for each in fields(Config)}
    for key, value in table.items():
        if key not in known:
            raise Malformed(f"{path}: no key {key!r} in [tool.interp]", f"known: {', '.join(known)}")
        if not FITS[known[key]](value):
            raise Malformed(f"{path}: {key} = {value!r}", f"expected {EXPECTED[key]}")
    return Config(**table)


def read_table(path: Path) -> dict[str, Any]:
    """Return the table `[tool.interp]` of a file; `Malformed` if it, or its table for tests, is none."""
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text("utf-8")).get("tool", {}).get("interp", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"{path} is not TOML", str(error)) from None
    if not isinstance(table.get(TESTING, {}), dict):
        raise Malformed(
            f"{path}: {TESTING} = {table[TESTING]!r}", f"expected a table, [tool.interp.{TESTING}]"
        )
    return table


def check_models(config: Config, progress: Progress | None = None) -> dict[str, Check]:
    """Return the check of each model, by its path. Sizes with names are those of ONNX models."""
    if config.dims and not any(model.endswith(ONNX) for model in config.models):
        raise Malformed(f"sizes {config.dims}, and no ONNX model", "sizes have names in ONNX models only")
    ways: dict[str, Any] = {"mode": config.mode, "ignore": config.ignore, "strict": config.strict}
    ways |= {"stages": config.stages or STAGES, "seconds": config.seconds, "progress": progress}
    ranges: dict[str | int, Any] = {name: tuple(ends) for name, ends in config.ranges.items()}
    sizes = {model: config.dims if model.endswith(ONNX) else {} for model in config.models}
    return {model: check(model, dims=sizes[model], ranges=ranges, **ways) for model in config.models}


def models_of(config: Config, folder: Path) -> list[str]:
    """Return the paths of a configuration's models, in order; `Malformed` for a pattern that none matches."""
    found: list[str] = []
    for pattern in config.models:
        paths = sorted(folder.glob(pattern)) if not Path(pattern).is_absolute() else [Path(pattern)]
        if not paths:
            raise Malformed(f"models: nothing matches {pattern!r}", f"in {folder.resolve()}")
        found += [path.as_posix() for path in paths if path.as_posix() not in found]
    return found


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float) and not isinstance(x, bool)


def _is_list(x: Any) -> bool:
    return isinstance(x, list) and all(isinstance(each, str) for each in x)


FITS: dict[type, Callable[[Any], bool]] = {
    list: _is_list,
    dict: lambda x: isinstance(x, dict) and all(_is_number(v) or _is_pair(v) for v in x.values()),
    bool: lambda x: isinstance(x, bool),
    str: lambda x: isinstance(x, str),
    float: _is_number,
}


def _is_pair(x: Any) -> bool:
    return isinstance(x, list) and len(x) == 2 and all(map(_is_number, x))


EXPECTED = {
    "models": "a list of paths and patterns",
    "ignore": "a list of rules, such as lint_overflow",
    "stages": "a list of stages, such as verify",
    "strict": "true or false",
    "mode": "strict, mlir or rfc",
    "seconds": "a number of seconds",
    "dims": "sizes by name: { N = 1 }",
    "ranges": "two ends by parameter: { x = [-4, 4] }",
}
