"""A batch or a search over many machines: the work of ``wayforge batch`` and ``wayforge find`` as a job on Ray.

    pip install './bindings/python[arrow]' ray
    python examples/ray_batch.py batch floor --count 10000000 -o floors
    python examples/ray_batch.py find act --where "routes > 300 and min(elite) = 0" --count 20 -o found
    python examples/ray_batch.py find act --aim "nodes=60, routes=200" --count 20 --limit 10000000 -o near --merge near.parquet
    python examples/ray_batch.py batch level --config stage.toml --count 1000000 -o levels --address HOST:6379 --merge levels.parquet

Seeds are cut into ranges, and each range is a task that writes one Parquet file into the folder, which every machine must see under the same
path. A file is written beside its place and renamed, so that it is there whole or not at all: a range whose worker dies is done again by another
one, and what is done stays done when the same command is given again. Since a seed has one map, it does not matter who makes it or how
often: the files together are the table that one machine would have written. With an aim each file holds the closest seeds of its range, and the
closest of all are what is printed and merged.

Read them as one table: ``pandas.read_parquet("floors")``, ``polars.read_parquet("floors/*.parquet")``, or ask for ``--merge FILE``.
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


class Done(NamedTuple):
    """What a range gave."""

    number: int
    rows: int
    node: str


def part(folder: Path, number: int) -> Path:
    return folder / f"part-{number:08}.parquet"


def make_range(request: dict[str, Any], folder: str, number: int) -> Done:
    """Makes one range and puts its file in place. Runs on a worker."""
    if wayforge.__version__ != request["version"]:
        raise RuntimeError(f"wayforge {wayforge.__version__} here, {request['version']} where the job was started: install the same")
    offset = number * request["range"]
    start, rows = (request["start"] + offset) % SEEDS, min(request["range"], request["seeds"] - offset)
    # Who is at work on what can be seen in the folder; names that begin with a dot are nobody's table.
    beside = Path(folder) / f".part-{number:08}.{os.uname().nodename}.{os.getpid()}.{secrets.token_hex(4)}"
    beside.touch()
    try:
        table = found(request, start, rows) if "count" in request else measured(request, start, rows)
        write([table], beside)
        beside.replace(part(Path(folder), number))
    finally:
        beside.unlink(missing_ok=True)
    return Done(number, table.num_rows, ray.get_runtime_context().get_node_id())


def measured(request: dict[str, Any], start: int, rows: int) -> pa.Table:
    """The metrics of every seed."""
    return wayforge.batch(
        request["family"], start, rows, request["config"], columns=request["columns"], threads=request["threads"]
    ).to_arrow()


def found(request: dict[str, Any], start: int, rows: int) -> pa.Table:
    """The metrics of the seeds that are wanted of a range; none needs to give more than are wanted in all."""
    given: dict[str, Any] = {"start": start, "limit": rows, "threads": request["threads"]}
    family, count, config = request["family"], request["count"], request["config"]
    if request["aim"] is None:
        return rows_of(request, wayforge.find(family, request["where"], count, config, **given))
    seeds, distances = wayforge.closest(family, request["aim"], count, config, where_=request["where"], **given)
    field = pa.field("distance", pa.uint64(), nullable=False)
    return rows_of(request, seeds).add_column(2, field, pa.array(distances))


def rows_of(request: dict[str, Any], seeds: Any) -> pa.Table:
    none = measured(request, 0, 0)
    return pa.concat_tables([none, *(measured(request, int(seed), 1) for seed in seeds)]).combine_chunks()


def write(tables: Any, path: Path) -> None:
    """Writes tables one after another, on the disk before it is called written."""
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
    """The ranges gone through without a gap: only these make an answer that does not depend on who was fastest."""

    def __init__(self, wanted: Optional[int]) -> None:
        self.wanted, self.ranges, self.rows, self.kept = wanted, 0, 0, 0
        self.ahead: dict[int, int] = {}

    def add(self, number: int, rows: int) -> None:
        self.ahead[number] = rows
        while self.ranges in self.ahead and not self.enough():
            self.rows += self.ahead.pop(self.ranges)
            self.ranges += 1

    def enough(self) -> bool:
        return self.wanted is not None and self.rows >= self.wanted


def missing(request: dict[str, Any], folder: Path, prefix: Prefix) -> Iterator[int]:
    """The ranges that are not there yet; those that are count as gone through."""
    for number in range(-(-request["seeds"] // request["range"])):
        if prefix.enough():
            return
        if part(folder, number).exists():
            prefix.add(number, pq.read_metadata(part(folder, number)).num_rows)
            prefix.kept += 1
        else:
            yield number


def work(request: dict[str, Any], folder: Path, in_flight: int, retries: int) -> int:
    """Has every range made that is not there yet, a bounded number at a time; returns how many of them, from the first on, make the answer."""
    # What is closest is known when all ranges are gone through; the first ones of which a condition holds are known earlier.
    prefix = Prefix(None if request.get("aim") else request.get("count"))
    todo = missing(request, folder, prefix)
    remote = ray.remote(make_range).options(num_cpus=request["threads"], max_retries=retries, scheduling_strategy="SPREAD")
    busy: dict[Any, int] = {}
    nodes: collections.Counter[str] = collections.Counter()
    while not prefix.enough():
        for number in itertools.islice(todo, in_flight - len(busy)):
            busy[remote.remote(request, str(folder), number)] = number
        if not busy:
            break
        for reference in ray.wait(list(busy), num_returns=1)[0]:
            number = busy.pop(reference)
            try:
                done = ray.get(reference)
            except ray.exceptions.RayError as error:
                raise SystemExit(f"range {number} was given up; the same command goes on with it\n{error}") from error
            prefix.add(done.number, done.rows)
            nodes[done.node] += 1
        print(f"{prefix.kept + nodes.total()} ranges done, {len(busy)} under way", file=sys.stderr)
    for reference in busy:
        ray.cancel(reference, force=True)
    if busy:
        ray.wait(list(busy), num_returns=len(busy), timeout=60)
    made = ", ".join(f"{count} made on node {node[:8]}" for node, count in sorted(nodes.items()))
    print(f"{prefix.kept} ranges were there, {made or 'none made'}", file=sys.stderr)
    return prefix.ranges


def answer(request: dict[str, Any], folder: Path, ranges: int) -> Iterator[pa.Table]:
    """The tables of the ranges in the order of seeds; of a search as many rows as are wanted."""
    tables = (pq.read_table(part(folder, number)) for number in range(ranges))
    if request.get("aim"):
        yield closest(tables, request["count"])
        return
    left = request.get("count", SEEDS)
    for table in tables:
        table = table.slice(0, min(left, table.num_rows))
        left -= table.num_rows
        yield table


def closest(tables: Iterator[pa.Table], count: int) -> pa.Table:
    """The closest rows of all, the nearest first. Tables come in the order of seeds, so that of equals the first stays the first."""

    def sort(some: list[pa.Table]) -> pa.Table:
        table = pa.concat_tables(some)
        order = np.argsort(table["distance"].to_numpy(), kind="stable")[:count]
        return table.take(pa.array(order)).combine_chunks()

    ahead: list[pa.Table] = []
    rows = 0
    for table in tables:
        ahead.append(table)
        rows += table.num_rows
        # Sorted when there is as much again as is kept: memory is bounded, and no row is sorted often.
        if rows >= 2 * count + 1024:
            ahead = [sort(ahead)]
            rows = ahead[0].num_rows
    return sort(ahead)


def tidy(folder: Path, ranges: int) -> None:
    """Takes away what dead workers left, and what a search made beyond its answer: the folder depends on the request alone."""
    beyond = part(folder, ranges).name
    for path in folder.iterdir():
        if path.name.startswith(".part-") or (path.name.startswith("part-") and path.name >= beyond):
            path.unlink(missing_ok=True)


def keep(request: dict[str, Any], folder: Path) -> list[str]:
    """Notes the request in the folder; returns in what it differs from the one that was begun there."""
    folder.mkdir(parents=True, exist_ok=True)
    note = folder / "_request.json"
    if note.exists():
        before = json.loads(note.read_text())
        keys = sorted({*before, *request} - {"threads"})
        return [f"{key} was {before.get(key)!r}, now {request.get(key)!r}" for key in keys if before.get(key) != request.get(key)]
    beside = folder / f".request.{secrets.token_hex(4)}"
    beside.write_text(json.dumps(request, indent=1, sort_keys=True) + "\n")
    beside.replace(note)
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
        "version": wayforge.__version__, "family": args.family, "config": read_config(args.config),
        "columns": args.metrics and [name.strip() for name in args.metrics.split(",")],
        "start": wayforge.floor(args.seed).seed_number, "range": args.range, "threads": args.threads,
    }
    if args.job == "batch":
        return request | {"seeds": args.count}
    return request | {"seeds": args.limit, "where": args.where, "aim": args.aim, "count": args.count}


def whole(least: int, most: int) -> Any:
    def number(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{value} is out of range; use {least} to {most}")
        return value

    return number


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    jobs = parser.add_subparsers(dest="job", required=True)
    for name, about in (("batch", "the metrics of many maps"), ("find", "the first seeds whose maps meet a condition, or the closest to an aim")):
        job = jobs.add_parser(name, help=about)
        job.add_argument("family", choices=["act", "level", "floor", "tower"])
        job.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder for the parts")
        job.add_argument("--config", type=Path, metavar="FILE", help="the configuration, JSON or TOML")
        job.add_argument("--seed", default="0", help="the first seed, a number or any text; the others follow it")
        job.add_argument("--metrics", metavar="NAMES", help="the metrics to keep, with commas between them; all if left out")
        job.add_argument("--range", type=whole(1, 2**24), default=2**18, metavar="N", help="seeds a task (default %(default)s)")
        job.add_argument("--threads", type=whole(1, 1024), default=1, metavar="N", help="threads and processors a task (default %(default)s)")
        job.add_argument("--address", help="a Ray cluster; left out, RAY_ADDRESS or one of this machine")
        job.add_argument("--in-flight", type=whole(1, 10_000), metavar="N", help="tasks under way at a time (default: twice the processors)")
        job.add_argument("--retries", type=whole(0, 1000), default=5, metavar="N", help="how often a range is done again (default %(default)s)")
        job.add_argument("--merge", type=Path, metavar="FILE", help="write the whole table into one file as well")
        if name == "batch":
            job.add_argument("--count", type=whole(1, SEEDS - 1), required=True, metavar="N", help="how many seeds")
        else:
            job.add_argument("--where", metavar="CONDITION", help="what a map must be")
            job.add_argument("--aim", metavar="VALUES", help="what a map should come close to; the closest seeds are found")
            job.add_argument("--count", type=whole(1, 2**24), default=1, metavar="N", help="how many seeds are wanted")
            job.add_argument("--limit", type=whole(1, SEEDS - 1), default=100_000_000, metavar="N", help="how many seeds are gone through")
    args = parser.parse_args()
    if args.job == "find" and args.where is None and args.aim is None:
        parser.error("find needs --where, --aim or both")
    return args


def main() -> int:
    args = arguments()
    # What is wrong is told here, before any machine is asked.
    try:
        request = read_request(args)
        (found if args.job == "find" else measured)(request, request["start"], 0)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    folder = args.output.resolve()
    if differs := keep(request, folder):
        print(f"{folder} holds another request: {'; '.join(differs)}; give the same, or another folder", file=sys.stderr)
        return 2
    alone = args.address is None and "RAY_ADDRESS" not in os.environ
    ray.init(address=args.address, log_to_driver=False, **({"include_dashboard": False} if alone else {}))
    try:
        processors = int(ray.cluster_resources().get("CPU", 1))
        ranges = work(request, folder, args.in_flight or 2 * processors, args.retries)
    finally:
        ray.shutdown()
    tidy(folder, ranges)
    if args.merge:
        beside = args.merge.with_name(f".{args.merge.name}.{secrets.token_hex(4)}")
        try:
            write(answer(request, folder, ranges), beside)
            beside.replace(args.merge)
        finally:
            beside.unlink(missing_ok=True)
    if args.job == "find":
        for table in answer(request, folder, ranges):
            for seed in table["seed"].to_pylist():
                print(seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
