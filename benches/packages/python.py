"""The Python package's side: answers the same lines as `crates/wayforge-analysis/examples/packages.rs`."""

import sys
import time

import wayforge


def answer(work: str, family: str, count: int, threads: int) -> tuple[float, int]:
    start = time.perf_counter()
    if work == "batch":
        table = wayforge.batch(family, 0, count, threads=threads)
        took = time.perf_counter() - start
        return took, sum(int(column.sum()) for name, column in table.items() if name not in ("seed", "made"))
    if work == "maps":
        size = sum(len(wayforge.generate(family, seed).to_json()) for seed in range(count))
        return time.perf_counter() - start, size
    raise ValueError(f"{work!r}: ask for batch or maps")


for line in sys.stdin:
    work, family, count, threads = line.split()
    seconds, total = answer(work, family, int(count), int(threads))
    print(f"{seconds:.6f} {total}", flush=True)
