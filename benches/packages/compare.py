"""Compares Rust with the packages for other languages: the same tasks and threads, in alternating rounds.

Each runner is a command that reads lines `TASK FAMILY COUNT THREADS` and prints `SECONDS CHECKSUM`. Only one runner
works at a time. All checksums of a task must be equal.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import sys


class Runner:
    def __init__(self, text: str) -> None:
        self.name, _, command = text.partition("=")
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, line: str) -> tuple[float, int]:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        output = self.process.stdout.readline()
        seconds, checksum = output.split(maxsplit=1)
        if seconds == "?":
            raise SystemExit(f"{self.name}: {checksum}")
        return float(seconds), int(checksum)

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runners", nargs="+", metavar="NAME=COMMAND", help="the first is the baseline")
    parser.add_argument(
        "--task",
        action="append",
        required=True,
        metavar="'TASK FAMILY COUNT THREADS [SHARE]'",
        help="SHARE is the percentage of the baseline's rate that the others must reach",
    )
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    runners = [Runner(text) for text in args.runners]
    too_slow = False
    print(
        f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} before, "
        f"{args.rounds} alternating rounds; medians"
    )
    print("| task | " + " | ".join(f"{runner.name} per second" for runner in runners) + " | of the baseline |")
    print("|---|" + "---:|" * (len(runners) + 1))
    for text in args.task:
        task, family, count, threads, *share = text.split()
        line = f"{task} {family} {count} {threads}"
        times: list[list[float]] = [[] for _ in runners]
        # Round 0 is a warm-up.
        for number in range(args.rounds + 1):
            checksums = set()
            # The order rotates, so that no runner always follows the same one.
            for index in sorted(range(len(runners)), key=lambda index: (index + number) % len(runners)):
                seconds, checksum = runners[index].run(line)
                checksums.add(checksum)
                if number:
                    times[index].append(seconds)
            if len(checksums) != 1:
                raise SystemExit(f"{line}: checksums differ: {checksums}")
        # Ratios are computed per round, because a disturbance affects a whole round.
        ratios = [statistics.median(base / other for base, other in zip(times[0], seconds)) for seconds in times[1:]]
        rates = [f"{int(count) / statistics.median(seconds):,.0f}" for seconds in times]
        shares = ", ".join(f"{ratio:.0%}" for ratio in ratios)
        label = f"{int(count):,} x {family}, {task}, {threads} thread{'s' if threads != '1' else ''}"
        print(f"| {label} | {' | '.join(rates)} | {shares} |", flush=True)
        too_slow |= bool(share) and min(ratios) < float(share[0]) / 100
    for runner in runners:
        runner.close()
    sys.exit(1 if too_slow else 0)


main()
