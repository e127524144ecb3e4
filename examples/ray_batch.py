"""Distributes ``wayforge batch`` and ``wayforge find`` over many machines with Ray.

    pip install './bindings/python[arrow]' ray
    python examples/ray_batch.py batch floor --count 10000000 -o floors
    python examples/ray_batch.py find act --where "routes > 300 and min(elite) = 0" --count 20 -o found
    python examples/ray_batch.py find act --closest "nodes=60, routes=200" --count 20 --limit 10000000 \\
        -o near --merge near.parquet
    python examples/ray_batch.py batch level --config stage.toml --count 1000000 -o levels \\
        --address HOST:6379 --merge levels.parquet

Seeds are split into ranges. Each range is a task that writes one Parquet file into the output folder, which all
machines must share under the same path. Files are written under a temporary name and renamed, so they are always
complete. If a worker dies, another one repeats its range. Running the same command again continues an interrupted job.

Maps are deterministic, so the files together equal the table that one machine would write. With ``--closest``, each
file contains the closest seeds of its range, and the closest of all ranges are printed and merged.

Read the files as one table: ``pandas.read_parquet("floors")``, ``polars.read_parquet("floors/*.parquet")``, or use
``--merge FILE``.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import ray

import wayforge

SEEDS = 2**64


class RangeResult(NamedTuple):
    """Result of a range."""

    number: int
    rows: int
    node: str


def part_path(folder: Path, number: int) -> Path:
    return folder / f"part-{number:08}.parquet"


def run_range(request: dict[str, Any], folder: str, number: int) -> RangeResult:
    """Computes one range and writes its file. Runs on a worker."""
    if wayforge.__version__ != request["version"]:
        raise RuntimeError(
            f"this worker has wayforge {wayforge.__version__}, the job needs {request['version']}: "
            "install the same version"
        )
    offset = number * request["range"]
    start, rows = (request["start"] + offset) % SEEDS, min(request["range"], request["seeds"] - offset)
    # The temporary name shows who works on which range; readers ignore names that begin with a dot.
    temporary = Path(folder) / f".part-{number:08}.{os.uname().nodename}.{os.getpid()}.{secrets.token_hex(4)}"
    temporary.touch()
    try:
        table = search(request, start, rows) if "count" in request else measure(request, start, rows)
        write([table], temporary)
        temporary.replace(part_path(Path(folder), number))
    finally:
        temporary.unlink(missing_ok=True)
    return RangeResult(number, table.num_rows, ray.get_runtime_context().get_node_id())


def measure(request: dict[str, Any], start: int, rows: int) -> pa.Table:
    """Returns the metrics of every seed."""
    return wayforge.batch(
        request["family"], start, rows, request["config"], columns=request["columns"], threads=request["threads"]
    ).to_arrow()


def search(request: dict[str, Any], start: int, rows: int) -> pa.Table:
    """Returns the metrics of the matching seeds of a range, at most as many as the whole job needs."""
    options: dict[str, Any] = {"start": start, "limit": rows, "threads": request["threads"]}
    family, count, config = request["family"], request["count"], request["config"]
    if request["targets"] is None:
        return measure_each(request, wayforge.find(family, request["where"], count, config, **options))
    seeds, distances = wayforge.closest(family, request["targets"], count, config, where_=request["where"], **options)
    field = pa.field("distance", pa.uint64(), nullable=False)
    return measure_each(request, seeds).add_column(2, field, pa.array(distances))


def measure_each(request: dict[str, Any], seeds: Any) -> pa.Table:
    empty = measure(request, 0, 0)
    return pa.concat_tables([empty, *(measure(request, int(seed), 1) for seed in seeds)]).combine_chunks()


def write(tables: Any, path: Path) -> None:
    """Writes tables to one file and waits until it is on disk."""
    writer: Optional[pq.ParquetWriter] = None
    with open(path, "wb") as file:
        for table in tables:
            writer = writer or pq.ParquetWriter(file, table.schema, compression="zstd")
            writer.write_table(table)
        if writer:
            writer.close()
        file.flush()
        os.fsync(file.fileno())


class Prefix:
    """Completed ranges without a gap. Only these are part of the result, so it does not depend on timing."""

    def __init__(self, needed: Optional[int]) -> None:
        self.needed, self.ranges, self.rows, self.existing = needed, 0, 0, 0
        self.pending: dict[int, int] = {}

    def add(self, number: int, rows: int) -> None:
        self.pending[number] = rows
        while self.ranges in self.pending and not self.is_complete():
            self.rows += self.pending.pop(self.ranges)
            self.ranges += 1

    def is_complete(self) -> bool:
        return self.needed is not None and self.rows >= self.needed


def missing_ranges(request: dict[str, Any], folder: Path, prefix: Prefix) -> Iterator[int]:
    """Yields the ranges without a file, and adds those with a file to the prefix."""
    for number in range(-(-request["seeds"] // request["range"])):
        if prefix.is_complete():
            return
        if part_path(folder, number).exists():
            prefix.add(number, pq.read_metadata(part_path(folder, number)).num_rows)
            prefix.existing += 1
        else:
            yield number


def run(request: dict[str, Any], folder: Path, in_flight: int, retries: int) -> int:
    """Runs all missing ranges, a bounded number at a time. Returns the number of leading ranges in the result."""
    # The closest seeds need all ranges; the first matching seeds may need fewer.
    prefix = Prefix(None if request.get("targets") else request.get("count"))
    remaining = missing_ranges(request, folder, prefix)
    remote = ray.remote(run_range).options(
        num_cpus=request["threads"], max_retries=retries, scheduling_strategy="SPREAD"
    )
    running: dict[Any, int] = {}
    nodes: collections.Counter[str] = collections.Counter()
    while not prefix.is_complete():
        for number in itertools.islice(remaining, in_flight - len(running)):
            running[remote.remote(request, str(folder), number)] = number
        if not running:
            break
        for reference in ray.wait(list(running), num_returns=1)[0]:
            number = running.pop(reference)
            try:
                done = ray.get(reference)
            except ray.exceptions.RayError as error:
                raise SystemExit(f"range {number} failed; run the same command again to continue\n{error}") from error
            prefix.add(done.number, done.rows)
            nodes[done.node] += 1
        print(f"{prefix.existing + nodes.total()} ranges done, {len(running)} running", file=sys.stderr)
    for reference in running:
        ray.cancel(reference, force=True)
    if running:
        ray.wait(list(running), num_returns=len(running), timeout=60)
    computed = ", ".join(f"{count} computed on node {node[:8]}" for node, count in sorted(nodes.items()))
    print(f"{prefix.existing} ranges existed, {computed or 'none computed'}", file=sys.stderr)
    return prefix.ranges


def result(request: dict[str, Any], folder: Path, ranges: int) -> Iterator[pa.Table]:
    """Yields the tables of the ranges in the order of seeds, limited to the requested number of matches."""
    tables = (pq.read_table(part_path(folder, number)) for number in range(ranges))
    if request.get("targets"):
        yield closest(tables, request["count"])
        return
    remaining = request.get("count", SEEDS)
    for table in tables:
        table = table.slice(0, min(remaining, table.num_rows))
        remaining -= table.num_rows
        yield table


def closest(tables: Iterator[pa.Table], count: int) -> pa.Table:
    """Returns the rows with the smallest distances. Tables are in the order of seeds, so ties are ordered by seed."""

    def select(tables: list[pa.Table]) -> pa.Table:
        table = pa.concat_tables(tables)
        order = np.argsort(table["distance"].to_numpy(), kind="stable")[:count]
        return table.take(pa.array(order)).combine_chunks()

    buffer: list[pa.Table] = []
    rows = 0
    for table in tables:
        buffer.append(table)
        rows += table.num_rows
        # Sorts when the buffer has doubled: memory is bounded, and each row is sorted only a few times.
        if rows >= 2 * count + 1024:
            buffer = [select(buffer)]
            rows = buffer[0].num_rows
    return select(buffer)


def clean_up(folder: Path, ranges: int) -> None:
    """Removes temporary files and ranges beyond the result, so that the folder depends only on the request."""
    first_unused = part_path(folder, ranges).name
    for path in folder.iterdir():
        if path.name.startswith(".part-") or (path.name.startswith("part-") and path.name >= first_unused):
            path.unlink(missing_ok=True)


def store_request(request: dict[str, Any], folder: Path) -> list[str]:
    """Stores the request in the folder, or returns its differences from the stored request."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "_request.json"
    if path.exists():
        before = json.loads(path.read_text())
        keys = sorted({*before, *request} - {"threads"})
        return [
            f"{key} was {before.get(key)!r}, now {request.get(key)!r}"
            for key in keys
            if before.get(key) != request.get(key)
        ]
    temporary = folder / f".request.{secrets.token_hex(4)}"
    temporary.write_text(json.dumps(request, indent=1, sort_keys=True) + "\n")
    temporary.replace(path)
    return []


def read_config(path: Optional[Path]) -> Any:
    if path is None:
        return {}
    if path.suffix == ".toml":
        import tomllib

        return tomllib.loads(path.read_text())
    return json.loads(path.read_text())


def read_request(args: argparse.Namespace) -> dict[str, Any]:
    request: dict[str, Any] = {
        "version": wayforge.__version__,
        "family": args.family,
        "config": read_config(args.config),
        "columns": args.metrics and [name.strip() for name in args.metrics.split(",")],
        "start": wayforge.floor(args.seed).seed_number,
        "range": args.range,
        "threads": args.threads,
    }
    if args.job == "batch":
        return request | {"seeds": args.count}
    return request | {"seeds": args.limit, "where": args.where, "targets": args.closest, "count": args.count}


def integer(min_value: int, max_value: int) -> Any:
    def number(text: str) -> int:
        value = int(text)
        if not min_value <= value <= max_value:
            raise argparse.ArgumentTypeError(f"{value} is out of range; use {min_value} to {max_value}")
        return value

    return number


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    for name, summary in (
        ("batch", "compute the metrics of many maps"),
        ("find", "find matching seeds, or the closest to target values"),
    ):
        job = jobs.add_parser(name, help=summary)
        job.add_argument("family", choices=["act", "level", "floor", "tower"])
        job.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="output folder")
        job.add_argument("--config", type=Path, metavar="FILE", help="configuration, JSON or TOML")
        job.add_argument("--seed", default="0", help="first seed, a number or text (default %(default)s)")
        job.add_argument("--metrics", metavar="NAMES", help="comma-separated metrics (default: all)")
        job.add_argument(
            "--range", type=integer(1, 2**24), default=2**18, metavar="N", help="seeds per task (default %(default)s)"
        )
        job.add_argument(
            "--threads", type=integer(1, 1024), default=1, metavar="N", help="threads per task (default %(default)s)"
        )
        job.add_argument("--address", help="address of a Ray cluster (default: RAY_ADDRESS, or a local cluster)")
        job.add_argument(
            "--in-flight",
            type=integer(1, 10_000),
            metavar="N",
            help="number of concurrent tasks (default: twice the processors)",
        )
        job.add_argument(
            "--retries", type=integer(0, 1000), default=5, metavar="N", help="retries per range (default %(default)s)"
        )
        job.add_argument("--merge", type=Path, metavar="FILE", help="also write the whole table to one file")
        if name == "batch":
            job.add_argument("--count", type=integer(1, SEEDS - 1), required=True, metavar="N", help="number of seeds")
        else:
            job.add_argument("--where", metavar="CONDITION", help="condition on the map, e.g. 'routes > 300'")
            job.add_argument(
                "--closest",
                metavar="VALUES",
                help="target values, e.g. 'nodes=60, routes=200'; finds the closest seeds",
            )
            job.add_argument("--count", type=integer(1, 2**24), default=1, metavar="N", help="number of seeds to find")
            job.add_argument(
                "--limit",
                type=integer(1, SEEDS - 1),
                default=100_000_000,
                metavar="N",
                help="number of seeds to search",
            )
    args = parser.parse_args()
    if args.job == "find" and args.where is None and args.closest is None:
        parser.error("find needs --where, --closest or both")
    return args


def main() -> int:
    args = parse_arguments()
    # Reports errors here, before any task starts.
    try:
        request = read_request(args)
        (search if args.job == "find" else measure)(request, request["start"], 0)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    folder = args.output.resolve()
    if differences := store_request(request, folder):
        print(
            f"{folder} contains a different request: {'; '.join(differences)}; use the same request or another folder",
            file=sys.stderr,
        )
        return 2
    local = args.address is None and "RAY_ADDRESS" not in os.environ
    ray.init(address=args.address, log_to_driver=False, **({"include_dashboard": False} if local else {}))
    try:
        processors = int(ray.cluster_resources().get("CPU", 1))
        ranges = run(request, folder, args.in_flight or 2 * processors, args.retries)
    finally:
        ray.shutdown()
    clean_up(folder, ranges)
    if args.merge:
        temporary = args.merge.with_name(f".{args.merge.name}.{secrets.token_hex(4)}")
        try:
            write(result(request, folder, ranges), temporary)
            temporary.replace(args.merge)
        finally:
            temporary.unlink(missing_ok=True)
    if args.job == "find":
        for table in result(request, folder, ranges):
            for seed in table["seed"].to_pylist():
                print(seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
