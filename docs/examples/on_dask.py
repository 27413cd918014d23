"""A survey on Dask: its scheduler hands the numbers of the shards to workers, which leave parts in a folder.

    python docs/examples/on_dask.py m.mlir x.npy 8 parts

Every worker reads only the samples of its shard, and writes its part on the way. A worker that dies takes
nothing with it: Dask starts the shard again elsewhere, and it goes on from its part. Batches that cannot be
read are left out and listed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from distributed import Client, LocalCluster, as_completed

import interp


def survey_on_dask(
    client: Client, survey_shard: Callable[[int, int, Path], object], shards: int, folder: Path
) -> interp.Survey:
    """Return the survey of all shards, merged from the parts in a folder that all workers see.

    survey_shard: surveys shard i of n into a file: `interp.survey(m, data, shard=(i, n), save=file)`.
    """

    def leave_part(k: int) -> str:
        file = folder / f"part{k}.json"
        survey_shard(k, shards, file)
        return str(file)

    futures = client.map(leave_part, range(shards), retries=5, pure=False)
    return interp.merge_surveys(file for _, file in as_completed(futures, with_results=True))


def main(program: str, data: str, shards: int, folder: Path) -> None:
    """Survey a program over a file or folder of samples."""

    def survey_shard(k: int, n: int, file: Path) -> None:
        module = interp.load(program)
        samples = interp.batched(module, *interp.columns(data))
        interp.survey(module, samples, shard=(k, n), save=file, skip_unreadable=True)

    folder.mkdir(exist_ok=True)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(survey_on_dask(Client(cluster), survey_shard, shards, folder.resolve()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
