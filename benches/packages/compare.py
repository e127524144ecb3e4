"""Rounds by turns between Rust and packages: the same work, the same number of threads, one table of rates.

Each side is a command that reads lines `WORK FAMILY COUNT THREADS` and answers `SECONDS SUM`. Nobody works while another one does, and sums must
be equal: who did something else is not compared.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys


class Side:
    def __init__(self, text: str) -> None:
        self.name, _, command = text.partition("=")
        self.running = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def ask(self, line: str) -> tuple[float, int]:
        assert self.running.stdin and self.running.stdout
        self.running.stdin.write(line + "\n")
        self.running.stdin.flush()
        answer = self.running.stdout.readline()
        seconds, total = answer.split(maxsplit=1)
        if seconds == "?":
            raise SystemExit(f"{self.name}: {total}")
        return float(seconds), int(total)

    def end(self) -> None:
        assert self.running.stdin
        self.running.stdin.close()
        self.running.wait(timeout=60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sides", nargs="+", metavar="NAME=COMMAND", help="the first is the measure of the others")
    parser.add_argument("--work", action="append", required=True, metavar="'WORK FAMILY COUNT THREADS [SHARE]'",
                        help="with SHARE, the percentage of the first side's rate that others must reach")
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    sides = [Side(text) for text in args.sides]
    slow = False
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} before, {args.rounds} rounds by turns; medians")
    print("| work | " + " | ".join(f"{side.name}, a second" for side in sides) + " | of the first |")
    print("|---|" + "---:|" * (len(sides) + 1))
    for text in args.work:
        work, family, count, threads, *share = text.split()
        line = f"{work} {family} {count} {threads}"
        took: list[list[float]] = [[] for _ in sides]
        # The first round warms everybody up.
        for turn in range(args.rounds + 1):
            sums = set()
            # Who begins changes, so that nobody always follows the same one.
            for at in sorted(range(len(sides)), key=lambda at: (at + turn) % len(sides)):
                seconds, total = sides[at].ask(line)
                sums.add(total)
                if turn:
                    took[at].append(seconds)
            if len(sums) != 1:
                raise SystemExit(f"{line}: not the same was made: {sums}")
        # A ratio within each round: what disturbs a round disturbs all of it.
        ratios = [statistics.median(one / other for one, other in zip(took[0], seconds)) for seconds in took[1:]]
        rates = [f"{int(count) / statistics.median(seconds):,.0f}" for seconds in took]
        shares = ", ".join(f"{ratio:.0%}" for ratio in ratios)
        told = f"{int(count):,} x {family}, {work}, {threads} thread{'s' if threads != '1' else ''}"
        print(f"| {told} | {' | '.join(rates)} | {shares} |", flush=True)
        slow |= bool(share) and min(ratios) < float(share[0]) / 100
    for side in sides:
        side.end()
    sys.exit(1 if slow else 0)


main()
