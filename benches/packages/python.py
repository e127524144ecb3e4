"""Python runner: runs the same tasks as `crates/wayforge-analysis/examples/packages.rs`."""

import sys
import time

import wayforge


def run_task(task: str, family: str, count: int, threads: int) -> tuple[float, int]:
    start = time.perf_counter()
    if task == "batch":
        table = wayforge.batch(family, 0, count, threads=threads)
        elapsed = time.perf_counter() - start
        return elapsed, sum(int(column.sum()) for name, column in table.items() if name not in ("seed", "generated"))
    if task == "maps":
        size = sum(len(wayforge.generate(family, seed).to_json()) for seed in range(count))
        return time.perf_counter() - start, size
    raise ValueError(f"{task!r} is not a task; use batch or maps")


for line in sys.stdin:
    task, family, count, threads = line.split()
    seconds, checksum = run_task(task, family, int(count), int(threads))
    print(f"{seconds:.6f} {checksum}", flush=True)
