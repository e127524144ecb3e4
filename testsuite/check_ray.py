"""Tests that a job on Ray gives the results of one machine, even if workers and nodes die: `check_ray.py [WAYFORGE]`.

Starts a cluster of two nodes on this machine, runs `examples/ray_batch.py` on it, kills a worker in the middle of a
range and later a whole node, and compares tables. With the `wayforge` command, compares its Parquet file as well.
Has a time limit and stops everything it started.
"""

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Optional

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# A private cluster: nobody else can join, and no token is left behind.
os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)

import pyarrow.parquet as pq
from ray.cluster_utils import Cluster

import wayforge

EXAMPLE = Path(__file__).parents[1] / "examples" / "ray_batch.py"
START, COUNT, RANGE = 2**64 - 100_000, 250_000, 30_000
WHERE = "routes > 4000 and min(elite) = 0"
TARGETS, CLOSEST_WHERE, CLOSEST_COUNT, CLOSEST_RANGE = "nodes=60, routes=200", "min(elite) = 0", 700, 30_000
CLOSEST = ["find", "act", "--closest", TARGETS, "--where", CLOSEST_WHERE, "--count", str(CLOSEST_COUNT)]
CLOSEST += ["--seed", str(START), "--limit", str(COUNT)]
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}


def main() -> None:
    signal.signal(signal.SIGALRM, time_out)
    signal.alarm(180)
    with tempfile.TemporaryDirectory() as scratch:
        cluster = Cluster(initialize_head=True, head_node_args=NODE)
        try:
            second = cluster.add_node(**NODE)
            cluster.wait_for_nodes(timeout=60)
            check_batch(Path(scratch), cluster)
            check_closest(Path(scratch), cluster)
            check_search(Path(scratch), cluster, second)
        finally:
            cluster.shutdown()
        check_command(Path(scratch), sys.argv[1])


def check_batch(scratch: Path, cluster: Any) -> None:
    folder, merged = scratch / "acts", scratch / "acts.parquet"
    expected = wayforge.batch("act", START, COUNT).to_arrow()
    request = ["batch", "act", "--seed", str(START), "--count", str(COUNT), "--range", str(RANGE), "-o", str(folder)]
    job = Job(cluster, *request, "--merge", str(merged))
    killed = job.kill_a_worker(folder)
    stderr = job.end()
    check(len(set(re.findall(r"computed on node (\w+)", stderr))) == 2, "both nodes worked", stderr)
    parts = sorted(folder.glob("part-*"))
    check(len(parts) == -(-COUNT // RANGE) and killed in parts, f"every range has its file, including {killed.name}")
    check(not list(folder.glob(".*")), "no temporary files are left")
    check(pq.read_table(folder).equals(expected), "the files together equal the table of one machine")
    check(pq.read_table(merged).equals(expected), "the merged file equals it too")

    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in parts}
    bytes_before = killed.read_bytes()
    killed.unlink()
    stderr = Job(cluster, *request).end()
    again = {path for path in parts if (path.stat().st_ino, path.stat().st_mtime_ns) != before[path]}
    check(again == {killed}, "only the missing range is generated", stderr)
    check(killed.read_bytes() == bytes_before, "the repeated range has the same bytes")
    stderr = Job(cluster, *request[:-3], "1000", "-o", str(folder)).end(code=2)
    check("range was 30000, now 1000" in stderr, "a different request is rejected", stderr)


def check_closest(scratch: Path, cluster: Any) -> None:
    """Checks that the closest seeds of all ranges are those of one machine, in the same order."""
    expected = wayforge.closest("act", TARGETS, CLOSEST_COUNT, where_=CLOSEST_WHERE, start=START, limit=COUNT)
    places = expected.seeds - expected.seeds.dtype.type(START)
    check(
        len(set((places // CLOSEST_RANGE).tolist())) == -(-COUNT // CLOSEST_RANGE),
        "every range has some of the closest",
    )
    check(
        len(set(expected.distances.tolist())) < CLOSEST_COUNT // 10, "many have equal distances, so their order matters"
    )
    folder, merged = scratch / "near", scratch / "near.parquet"
    job = Job(
        cluster,
        *CLOSEST,
        "--range",
        str(CLOSEST_RANGE),
        "--metrics",
        "routes",
        "-o",
        str(folder),
        "--merge",
        str(merged),
    )
    stderr = job.end()
    check(
        len(set(re.findall(r"computed on node (\w+)", stderr))) == 2,
        "both nodes searched for the closest seeds",
        stderr,
    )
    check(
        job.printed() == expected.seeds.tolist(),
        "the closest seeds of all ranges are those of one machine, in the same order",
    )
    table = pq.read_table(merged)
    check(
        table.column_names == ["seed", "generated", "distance", "routes"],
        "the columns have the expected names",
        str(table.column_names),
    )
    check(
        table["seed"].to_pylist() == expected.seeds.tolist()
        and table["distance"].to_pylist() == expected.distances.tolist(),
        "the merged file has the same seeds and distances",
    )
    check(len(list(folder.glob("part-*"))) == -(-COUNT // CLOSEST_RANGE), "every range has a file")
    stderr = Job(cluster, "find", "act", "--closest", "ruotes=3", "-o", str(scratch / "wrong")).end(code=2)
    check(
        stderr.startswith("targets, column 1: ") and not (scratch / "wrong").exists(),
        "an invalid target is rejected before any work",
        stderr,
    )


def check_search(scratch: Path, cluster: Any, second: Any) -> None:
    folder, merged = scratch / "found", scratch / "found.parquet"
    expected = wayforge.find("act", WHERE, 10**6, start=START, limit=COUNT)
    check(len(expected) > 30, f"{len(expected)} seeds are found")
    # The count ends in the middle of the seventh range; later ranges are not part of the result.
    count = int(((expected - expected.dtype.type(START)) < 6 * RANGE + RANGE // 2).sum())
    job = Job(
        cluster,
        "find",
        "act",
        "--where",
        WHERE,
        "--count",
        str(count),
        "--seed",
        str(START),
        "--limit",
        str(COUNT),
        "--range",
        str(RANGE),
        "--metrics",
        "routes",
        "-o",
        str(folder),
        "--merge",
        str(merged),
    )
    wait_for(lambda: list(folder.glob("part-*")) and list(folder.glob(".part-*")), "one range done and one in progress")
    cluster.remove_node(second, allow_graceful=False)
    job.end()
    table = pq.read_table(merged)
    check(
        table["seed"].to_pylist() == expected[:count].tolist(),
        "the seeds are those of one machine, although a node died",
    )
    check(
        table["routes"].to_pylist() == [wayforge.act(int(seed)).metrics()["routes"] for seed in expected[:count]],
        "with their metrics",
    )
    check(len(list(folder.glob("part-*"))) == 7, "ranges beyond the result are removed")


def check_command(scratch: Path, wayforge_command: str) -> None:
    """Checks that the command writes the same table."""
    if subprocess.run([wayforge_command, "batch", "--help"], capture_output=True, timeout=60).returncode != 0:
        print(f"skipped: {wayforge_command} has no batch command")
        return
    path = scratch / "command.parquet"
    line = [wayforge_command, "batch", "act", "--seed", str(START), "--count", str(COUNT), "-o", str(path)]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=120)
    check(ended.returncode == 0, "the command writes its file", ended.stderr)
    check(pq.read_table(path).equals(pq.read_table(scratch / "acts")), "the command's file equals the table of the job")
    line = [wayforge_command, *CLOSEST, "--format", "json"]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=120)
    check(ended.returncode == 0, "the command finds the closest seeds", ended.stderr)
    found = [json.loads(text) for text in ended.stdout.splitlines()]
    rows = pq.read_table(scratch / "near.parquet").to_pylist()
    check(
        [(int(match["seed"]), match["distance"], match["metrics"]["routes"]) for match in found]
        == [(row["seed"], row["distance"], row["routes"]) for row in rows],
        "the command's closest seeds are those of the job",
    )


class Job:
    """A running process of the example."""

    def __init__(self, cluster: Any, *arguments: str) -> None:
        self.errors, self.output = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        line = [sys.executable, str(EXAMPLE), *arguments, "--address", cluster.address]
        self.running = subprocess.Popen(line, stdout=self.output, stderr=self.errors)

    def kill_a_worker(self, folder: Path) -> Path:
        """Kills a worker in the middle of a range; returns the path of the missing file."""

        def victim() -> Optional[Path]:
            return next(iter(sorted(folder.glob(".part-*"))), None) if list(folder.glob("part-*")) else None

        unfinished = wait_for(victim, "a range in progress after another one is done")
        number, pid = re.fullmatch(r"\.part-(\d+)\..*\.(\d+)\.\w+", unfinished.name).groups()
        os.kill(int(pid), signal.SIGKILL)
        missing = folder / f"part-{number}.parquet"
        check(unfinished.exists() and not missing.exists(), f"worker {pid} died in the middle of range {number}")
        return missing

    def end(self, code: int = 0) -> str:
        try:
            ended = self.running.wait(timeout=120)
        except BaseException:
            self.running.kill()
            raise
        self.errors.seek(0)
        stderr = self.errors.read()
        check(ended == code, f"the job ended with {code}", f"{ended}: {stderr}")
        return stderr

    def printed(self) -> list[int]:
        """Returns the printed seeds."""
        self.output.seek(0)
        return [int(line) for line in self.output]


def time_out(*_: Any) -> None:
    raise TimeoutError("it took more than three minutes")


def wait_for(condition: Callable[[], Any], name: str) -> Any:
    for _ in range(6000):
        if value := condition():
            return value
        time.sleep(0.01)
    raise TimeoutError(name)


def check(condition: bool, description: str, stderr: str = "") -> None:
    if not condition:
        raise SystemExit(f"failed: {description}\n{stderr}")
    print(f"ok: {description}", flush=True)


main()
