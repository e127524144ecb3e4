"""Sees that a job on Ray gives what one machine gives, whoever dies meanwhile: `check_ray.py [WAYFORGE]`.

Starts a cluster of two nodes on this machine, runs `examples/ray_batch.py` on it, kills a worker in the middle of a range and later a whole node,
and compares tables. With the `wayforge` command, its Parquet file is compared as well. Ends by itself, and ends what it started.
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
# A cluster of its own: nobody else may join, and no token is left behind.
os.environ["RAY_AUTH_MODE"] = "token"
os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)

import pyarrow.parquet as pq
from ray.cluster_utils import Cluster

import wayforge

EXAMPLE = Path(__file__).parents[1] / "examples" / "ray_batch.py"
START, COUNT, RANGE = 2**64 - 100_000, 250_000, 30_000
WHERE = "routes > 4000 and min(elite) = 0"
AIM, AIM_WHERE, AIM_COUNT, AIM_RANGE = "nodes=60, routes=200", "min(elite) = 0", 700, 30_000
NODE = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "include_dashboard": False}


def main() -> None:
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(180)
    with tempfile.TemporaryDirectory() as scratch:
        cluster = Cluster(initialize_head=True, head_node_args=NODE)
        try:
            second = cluster.add_node(**NODE)
            cluster.wait_for_nodes(timeout=60)
            check_batch(Path(scratch), cluster)
            check_aim(Path(scratch), cluster)
            check_search(Path(scratch), cluster, second)
        finally:
            cluster.shutdown()
        if len(sys.argv) > 1:
            check_command(Path(scratch), sys.argv[1])


def check_batch(scratch: Path, cluster: Any) -> None:
    folder, merged = scratch / "acts", scratch / "acts.parquet"
    wanted = wayforge.batch("act", START, COUNT).to_arrow()
    request = ["batch", "act", "--seed", str(START), "--count", str(COUNT), "--range", str(RANGE), "-o", str(folder)]
    job = Job(cluster, *request, "--merge", str(merged))
    killed = job.kill_a_worker(folder)
    told = job.end()
    check(len(set(re.findall(r"made on node (\w+)", told))) == 2, "both nodes worked", told)
    parts = sorted(folder.glob("part-*"))
    check(len(parts) == -(-COUNT // RANGE) and killed in parts, f"every range has its file, {killed.name} as well")
    check(not list(folder.glob(".*")), "nothing is left beside")
    check(pq.read_table(folder).equals(wanted), "the files together are the table of one machine")
    check(pq.read_table(merged).equals(wanted), "so is the merged file")

    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in parts}
    bytes_before = killed.read_bytes()
    killed.unlink()
    told = Job(cluster, *request).end()
    again = {path for path in parts if (path.stat().st_ino, path.stat().st_mtime_ns) != before[path]}
    check(again == {killed}, "only what was missing is made", told)
    check(killed.read_bytes() == bytes_before, "made again it is the same bytes")
    told = Job(cluster, *request[:-3], "1000", "-o", str(folder)).end(code=2)
    check("range was 30000, now 1000" in told, "another request is refused", told)


def check_aim(scratch: Path, cluster: Any) -> None:
    """The closest of all ranges are those of one machine, in its order."""
    wanted = wayforge.closest("act", AIM, AIM_COUNT, where_=AIM_WHERE, start=START, limit=COUNT)
    places = wanted.seeds - wanted.seeds.dtype.type(START)
    check(len(set((places // AIM_RANGE).tolist())) == -(-COUNT // AIM_RANGE), "every range has some of the closest")
    check(len(set(wanted.distances.tolist())) < AIM_COUNT // 10, "many are equally far, so that their order counts")
    folder, merged = scratch / "near", scratch / "near.parquet"
    job = Job(cluster, "find", "act", "--aim", AIM, "--where", AIM_WHERE, "--count", str(AIM_COUNT), "--seed", str(START),
              "--limit", str(COUNT), "--range", str(AIM_RANGE), "--metrics", "routes", "-o", str(folder), "--merge", str(merged))
    told = job.end()
    check(len(set(re.findall(r"made on node (\w+)", told))) == 2, "both nodes looked for the closest", told)
    check(job.printed() == wanted.seeds.tolist(), "the closest of all ranges are those of one machine, in its order")
    table = pq.read_table(merged)
    check(table.column_names == ["seed", "made", "distance", "routes"], "the columns are named", str(table.column_names))
    check(table["seed"].to_pylist() == wanted.seeds.tolist() and table["distance"].to_pylist() == wanted.distances.tolist(),
          "so are the merged file's seeds and distances")
    check(len(list(folder.glob("part-*"))) == -(-COUNT // AIM_RANGE), "every range is kept")
    told = Job(cluster, "find", "act", "--aim", "ruotes=3", "-o", str(scratch / "wrong")).end(code=2)
    check(told.startswith("aim, column 1: ") and not (scratch / "wrong").exists(), "an aim that is none is refused before any work", told)


def check_search(scratch: Path, cluster: Any, second: Any) -> None:
    folder, merged = scratch / "found", scratch / "found.parquet"
    wanted = wayforge.find("act", WHERE, 10**6, start=START, limit=COUNT)
    check(len(wanted) > 30, f"{len(wanted)} are found")
    # Enough for the middle of the seventh range: what is beyond is no part of the answer.
    count = int(((wanted - wanted.dtype.type(START)) < 6 * RANGE + RANGE // 2).sum())
    job = Job(cluster, "find", "act", "--where", WHERE, "--count", str(count), "--seed", str(START), "--limit", str(COUNT),
              "--range", str(RANGE), "--metrics", "routes", "-o", str(folder), "--merge", str(merged))
    await_(lambda: list(folder.glob("part-*")) and list(folder.glob(".part-*")), "a range done and one under way")
    cluster.remove_node(second, allow_graceful=False)
    job.end()
    table = pq.read_table(merged)
    check(table["seed"].to_pylist() == wanted[:count].tolist(), "the seeds are those of one machine, though a node died")
    check(table["routes"].to_pylist() == [wayforge.act(int(seed)).metrics()["routes"] for seed in wanted[:count]], "with their metrics")
    check(len(list(folder.glob("part-*"))) == 7, "ranges beyond the answer are not kept")


def check_command(scratch: Path, wayforge_command: str) -> None:
    """The command's own file holds the same table."""
    if subprocess.run([wayforge_command, "batch", "--help"], capture_output=True, timeout=60).returncode != 0:
        print(f"left out: {wayforge_command} has no batch")
        return
    path = scratch / "command.parquet"
    line = [wayforge_command, "batch", "act", "--seed", str(START), "--count", str(COUNT), "-o", str(path)]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=120)
    check(ended.returncode == 0, "the command writes its file", ended.stderr)
    check(pq.read_table(path).equals(pq.read_table(scratch / "acts")), "the command's file is the table of the job")
    line = [wayforge_command, "find", "act", "--aim", AIM, "--where", AIM_WHERE, "--count", str(AIM_COUNT), "--seed", str(START),
            "--limit", str(COUNT), "--format", "json"]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=120)
    check(ended.returncode == 0, "the command finds the closest", ended.stderr)
    found = [json.loads(text) for text in ended.stdout.splitlines()]
    rows = pq.read_table(scratch / "near.parquet").to_pylist()
    check([(int(near["seed"]), near["distance"], near["metrics"]["routes"]) for near in found]
          == [(row["seed"], row["distance"], row["routes"]) for row in rows], "the command's closest are those of the job")


class Job:
    """The example, running."""

    def __init__(self, cluster: Any, *words: str) -> None:
        self.errors, self.answer = tempfile.TemporaryFile("w+"), tempfile.TemporaryFile("w+")
        line = [sys.executable, str(EXAMPLE), *words, "--address", cluster.address]
        self.running = subprocess.Popen(line, stdout=self.answer, stderr=self.errors)

    def kill_a_worker(self, folder: Path) -> Path:
        """Kills a worker in the middle of a range; returns the file that is missing then."""
        def victim() -> Optional[Path]:
            return next(iter(sorted(folder.glob(".part-*"))), None) if list(folder.glob("part-*")) else None

        beside = await_(victim, "a range under way after another one is done")
        number, pid = re.fullmatch(r"\.part-(\d+)\..*\.(\d+)\.\w+", beside.name).groups()
        os.kill(int(pid), signal.SIGKILL)
        missing = folder / f"part-{number}.parquet"
        check(beside.exists() and not missing.exists(), f"worker {pid} died in the middle of range {number}")
        return missing

    def end(self, code: int = 0) -> str:
        try:
            ended = self.running.wait(timeout=120)
        except BaseException:
            self.running.kill()
            raise
        self.errors.seek(0)
        told = self.errors.read()
        check(ended == code, f"the job ended with {code}", f"{ended}: {told}")
        return told

    def printed(self) -> list[int]:
        """The seeds that it printed."""
        self.answer.seek(0)
        return [int(line) for line in self.answer]


def too_long(*_: Any) -> None:
    raise TimeoutError("it took more than three minutes")


def await_(what: Callable[[], Any], name: str) -> Any:
    for _ in range(6000):
        if value := what():
            return value
        time.sleep(0.01)
    raise TimeoutError(name)


def check(is_so: bool, what: str, told: str = "") -> None:
    if not is_so:
        raise SystemExit(f"not so: {what}\n{told}")
    print(f"ok: {what}", flush=True)


main()
