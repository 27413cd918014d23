"""A survey on Ray: Ray Data hands the numbers of the shards to its workers, which leave parts in a folder.

    python docs/examples/on_ray.py m.mlir x.npy 8 parts

Every worker reads only the samples of its shard, and writes its part on the way. A worker that dies takes
nothing with it: Ray starts the shard again, and it goes on from its part. Batches that cannot be read are
left out and listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

import interp

Row = dict[str, Any]


def survey_on_ray(
    survey_shard: Callable[[int, int, Path], object], shards: int, folder: Path, workers: int = 2
) -> interp.Survey:
    """Return the survey of all shards, merged from the parts in a folder that all workers see.

    survey_shard: surveys shard i of n into a file: `interp.survey(m, data, shard=(i, n), save=file)`.
    """

    def leave_part(row: Row) -> Row:
        file = folder / f"part{row['id']}.json"
        survey_shard(int(row["id"]), shards, file)
        return {"file": str(file)}

    numbers = ray.data.range(shards, override_num_blocks=shards)
    parts = numbers.map(leave_part, num_cpus=1, concurrency=workers)
    return interp.merge_surveys(row["file"] for row in parts.iter_rows())


def main(program: str, data: str, shards: int, folder: Path) -> None:
    """Survey a program over a file or folder of samples."""

    def survey_shard(k: int, n: int, file: Path) -> None:
        module = interp.load(program)
        samples = interp.batched(module, *interp.columns(data))
        interp.survey(module, samples, shard=(k, n), save=file, skip_unreadable=True)

    folder.mkdir(exist_ok=True)
    ray.init()
    print(survey_on_ray(survey_shard, shards, folder.resolve()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
