"""Files of parts: a survey as JSON that keeps every bit, is checked when it is read, and executes nothing.

The file is one object. `format` is "interp survey part" and `version` the number of this format, here 1.
`sha256` is the digest of the rest: of the text `json.dumps(rest, sort_keys=True, separators=(",", ":"))`. The
rest has `part` (see `Part`) and `survey`, whose fields have the names of `Survey`, `Layer` and `Counted`.
Exact sums are text, `-1b3p-40` for -0x1b3 * 2^-40, or `3/7` in hexadecimal digits; floats are text as C
prints them in hexadecimal (`0x1.8p+1`, `inf`, `nan`), complex numbers pairs of these; types are MLIR's.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.surveys.event_counts import Counted
from interp.apps.surveys.layer import BINS, Layer, Noisiest, Worst
from interp.apps.surveys.measure import Effect, Measured, Ranked, Ranking
from interp.apps.surveys.part import MODULUS, Origin, Part, Unread
from interp.apps.surveys.result import Survey
from interp.engine.files import write_bytes
from interp.engine.work import Covered
from interp.execute.unused import Sum, Unused
from spec.accumulator import Reading, accumulator_of
from spec.errors import InterpError, Location, Malformed
from spec.types import parse_type

FORMAT, VERSION = "interp survey part", 1
LARGEST = 1 << 16  # bits of a sum, in a file: those of floats have at most some thousand


def save_survey(found: Survey, path: str | Path) -> Path:
    """Write a survey with its part; the file is replaced at once, complete. `Malformed` if it has no part."""
    if found.part is None:
        raise Malformed("a survey without its origin", "make it with shard=(0, 1), or with save=")
    rest = {"part": _part_out(found.part), "survey": _survey_out(found)}
    text = json.dumps({**_seal(rest), **rest}, sort_keys=True, indent=1)
    write_bytes(Path(path), f"{text}\n".encode())
    return Path(path)


def _seal(rest: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {"format": FORMAT, "version": VERSION, "sha256": sha256(text.encode()).hexdigest()}


def read_survey(path: str | Path) -> Survey:
    """Read a survey that `save=` or `interp survey -o` wrote; `Malformed` if it is damaged or no survey."""
    where = Location(str(path))
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise Malformed(error.strerror or "not readable", "expected a part of a survey", where) from error
    except (ValueError, RecursionError):
        raise Malformed("not a part of a survey", "expected what interp survey -o wrote", where) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Malformed("not a part of a survey", "expected what interp survey -o wrote", where)
    if content.get("version") != VERSION:
        evidence = f"expected version {VERSION} of the format, got {content.get('version')!r:.20}"
        raise Malformed("a part of another version", evidence, where)
    rest: dict[str, Any] = {key: content.get(key) for key in ("part", "survey")}
    if content != {**_seal(rest), **rest}:
        raise Malformed("a damaged part of a survey", "its digest is not that of its content", where)
    try:
        return _survey_in(rest["survey"], _part_in(rest["part"]))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, InterpError) as error:
        raise Malformed("a damaged part of a survey", f"{type(error).__name__}: {error}", where) from error


# Numbers


def exact_out(x: Fraction) -> str:
    """Return a fraction as text, a dyadic one as an integer times a power of two."""
    top, bottom = x.numerator, x.denominator
    if bottom & (bottom - 1):
        return f"{top:x}/{bottom:x}"
    zeros = (top & -top).bit_length() - 1 if top else 0
    return f"{top >> zeros:x}p{zeros - bottom.bit_length() + 1}"


def exact_in(text: str) -> Fraction:
    """Return the fraction of a text of `exact_out`; `ValueError` for others, and for sums beyond floats."""
    if len(text) > LARGEST // 4:
        raise ValueError(f"a sum of {len(text)} digits")
    if "/" in text:
        top, bottom = text.split("/")
        return Fraction(int(top, 16), int(bottom, 16))
    top, power = text.split("p")
    if abs(int(power)) > LARGEST:
        raise ValueError(f"a sum with the exponent {power}")
    return Fraction(int(top, 16)) * Fraction(2) ** int(power)


def real_out(x: Any) -> Any:
    """Return a float as text, a complex number as a pair; integers and booleans as they are."""
    if isinstance(x, complex):
        return [x.real.hex(), x.imag.hex()]
    return x.hex() if isinstance(x, float) else x


def real_in(given: Any) -> Any:
    """Return the number of `real_out`."""
    if isinstance(given, list):
        return complex(*map(float.fromhex, given))
    return float.fromhex(given) if isinstance(given, str) else given


def _count(x: Any) -> int:
    if type(x) is not int or x < 0:
        raise ValueError(f"a count of {x!r:.20}")
    return x


# The part


def _part_out(part: Part) -> dict[str, Any]:
    return {**asdict(part), "digest": f"{part.digest:064x}"}


def _part_in(given: dict[str, Any]) -> Part:
    origin = dict(given["origin"])
    origin["options"] = tuple((str(name), str(text)) for name, text in origin["options"])
    known = {**given, "origin": Origin(**origin), "digest": int(given["digest"], 16) % MODULUS}
    known["shards"] = tuple(map(_count, given["shards"]))
    known["wanted"] = given["wanted"] and _range(given["wanted"])
    known["done"] = tuple(map(_range, given["done"]))
    return Part(**known)


def _range(given: Any) -> tuple[int, int]:
    first, last = given
    return _count(first), _count(last)


# The survey


def _survey_out(found: Survey) -> dict[str, Any]:
    metric, ranking = found.metric, found.ranking
    return {
        "samples": found.samples,
        "layers": [_layer_out(x) for x in found.layers],
        "events": [_event_out(x) for x in found.events],
        "metric": metric and _measured_out(metric),
        "ranking": ranking and _ranking_out(ranking),
        "unmatched": found.unmatched,
        "left_out": found.left_out,
        "unread": found.unread,
        "inner": found.inner,
        "unused": _unused_out(found.unused),
        **{name: getattr(found, name) for name in PLAIN},
    }


PLAIN = ("function", "reference", "quantizes", "accumulator", "reading", "overflowing", "until")


def _survey_in(given: dict[str, Any], part: Part) -> Survey:
    metric, ranking = given["metric"], given["ranking"]
    left, right = given["unmatched"]
    return Survey(
        _count(given["samples"]),
        tuple(map(_layer_in, given["layers"])),
        tuple(map(_event_in, given["events"])),
        metric and _measured_in(metric),
        (tuple(left), tuple(right)),
        ranking=ranking and _ranking_in(ranking),
        left_out=tuple((a, b, c) for a, b, c in given["left_out"]),
        unread=tuple(Unread(_range(samples), str(reason)) for samples, reason in given["unread"]),
        unused=_unused_in(given["unused"]),
        inner=tuple((str(name), None if room is None else int(room)) for name, room in given["inner"]),
        part=part,
        covered=covered_of(part),
        **{name: given[name] for name in PLAIN},
    )


def covered_of(part: Part) -> tuple[Covered, ...]:
    """Return how much of a part is done, if it is unfinished."""
    if part.following is None:
        return ()
    wanted = part.wanted[1] - part.wanted[0] if part.wanted else part.samples + 1
    return (Covered("samples" if part.wanted else "or more samples", part.samples, wanted),)


def _layer_out(x: Layer) -> dict[str, Any]:
    worst = x.worst and [real_out(x.worst.error), *x.worst[1:3], *map(real_out, x.worst[3:])]
    changed = {
        "type": str(x.type),
        "signal": exact_out(x.signal),
        "noise": exact_out(x.noise),
        "worst": worst,
        "noisiest": [exact_out(x.noisiest.noise), x.noisiest.samples],
        "histogram": None if x.histogram is None else x.histogram.tolist(),
    }
    return {**{f.name: getattr(x, f.name) for f in fields(x)}, **changed}


def _layer_in(given: dict[str, Any]) -> Layer:
    worst, histogram, (noise, samples) = given["worst"], given["histogram"], given["noisiest"]
    if histogram is not None and len(histogram) != BINS:
        raise ValueError(f"a histogram of {len(histogram)} bins")
    for name in ("elements", "unequal", "not_finite"):
        _count(given[name])
    changed = {
        "type": parse_type(given["type"]),
        "signal": exact_in(given["signal"]),
        "noise": exact_in(given["noise"]),
        "worst": worst and _worst_in(*worst),
        "noisiest": Noisiest(exact_in(noise), _range(samples)),
        "histogram": None if histogram is None else np.array([*map(_count, histogram)], np.int64),
    }
    return Layer(**{**given, **changed})


def _worst_in(error: Any, samples: Any, place: Any, value: Any, reference: Any) -> Worst:
    numbers = real_in(value), real_in(reference)
    return Worst(real_in(error), _range(samples), tuple(map(_count, place)), *numbers)


def _event_out(x: Counted) -> dict[str, Any]:
    return {**asdict(x), "size": real_out(x.size)}


def _event_in(given: dict[str, Any]) -> Counted:
    spans = {name: _range(given[name]) for name in ("first_at", "worst_at")}
    return Counted(**{**given, **spans, "size": real_in(given["size"]), "count": _count(given["count"])})


def _measured_out(x: Measured) -> list[Any]:
    return [exact_out(x.ours), exact_out(x.reference), x.number, x.is_share]


def _measured_in(given: list[Any]) -> Measured:
    ours, reference, number, is_share = given
    return Measured(exact_in(ours), exact_in(reference), _count(number), bool(is_share))


def _effect_out(x: Effect) -> list[Any]:
    return [exact_out(x.signal), exact_out(x.noise), x.metric and _measured_out(x.metric)]


def _effect_in(given: list[Any]) -> Effect:
    signal, noise, metric = given
    return Effect(exact_in(signal), exact_in(noise), metric and _measured_in(metric))


def _ranking_out(x: Ranking) -> list[Any]:
    layers = [[y.layer, _effect_out(y.alone), _effect_out(y.without)] for y in x.layers]
    return [x.samples, layers, _effect_out(x.whole)]


def _ranking_in(given: list[Any]) -> Ranking:
    samples, layers, whole = given
    ranked = tuple(Ranked(str(name), _effect_in(a), _effect_in(b)) for name, a, b in layers)
    return Ranking(_count(samples), ranked, _effect_in(whole))


def _unused_out(x: Unused) -> dict[str, Any]:
    reading = x.reading
    named = [reading.name, str(reading.accumulator), reading.chosen, reading.is_asked]
    return {"reading": named, "sums": x.sums, "total": x.total, "holds": x.holds, "others": x.others}


def _unused_in(given: dict[str, Any]) -> Unused:
    name, accumulator, chosen, is_asked = given["reading"]
    return Unused(
        Reading(name, accumulator_of(accumulator), chosen, is_asked),
        tuple(Sum(*x) for x in given["sums"]),
        given["total"],
        given["holds"],
        tuple((a, b) for a, b in given["others"]),
    )
