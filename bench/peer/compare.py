#!/usr/bin/env python3
"""Time norn and the reference wrapper on the same tables, process against process, and print a Markdown table.

    python3 compare.py --norn ../../bin/norn --python VENV/bin/python [--runs 5] [--threads 1,2]

Standard library only; VENV has what score.py needs. The three contestants take turns, each run in a fresh process, so
that a neighbour on the machine slows all of them. Medians of the runs; processor seconds are user + system of the whole
process. Nothing passes or fails here, except that a comparison of two different answers is refused.
"""
import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WINE = HERE.parent.parent / "internal" / "tabular" / "testdata" / "demo" / "wine.csv"
AGREE = 2e-5  # largest distance of two probabilities that counts as the same work


def wine(path):
    """The real table with every fourth label emptied."""
    with open(WINE, newline="") as f:
        header, *rows = csv.reader(f)
    for row in rows[3::4]:
        row[-1] = ""
    write(path, header, rows)
    return header[-1]


def synthetic(path, labelled, features, asked=100, classes=3):
    """Classes are bands of the sum of half of the columns and some noise."""
    draw = random.Random(42)
    rows = [[draw.gauss(0, 1) for _ in range(features)] for _ in range(labelled + asked)]
    sums = [sum(row[:features // 2]) + 0.5 * draw.gauss(0, 1) for row in rows]
    cuts = sorted(sums)
    for i, (row, s) in enumerate(zip(rows, sums)):
        band = sum(s >= cuts[len(cuts) * c // classes] for c in range(1, classes))
        row.append("band_%d" % band if i < labelled else "")
    write(path, ["x%d" % j for j in range(features)] + ["y"], rows)
    return "y"


def write(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([header, *rows])


def run(command, threads):
    """Wall seconds, processor seconds, peak resident MiB and the JSON that the command printed."""
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), MKL_NUM_THREADS=str(threads), NO_COLOR="1")
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=env)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))} ended with {process.returncode}")
        out.seek(0)
        return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, json.load(out)


def phases(answer):
    """Processor seconds of fit and predict together, wall seconds of each, as the contestant itself measured them. norn
    tells wall time only: NaN."""
    if "timings_ms" in answer:
        return math.nan, answer["timings_ms"]["fit"] / 1e3, answer["timings_ms"]["predict"] / 1e3
    return answer["fit_cpu_s"] + answer["predict_cpu_s"], answer["fit_s"], answer["predict_s"]


def distance(a, b):
    return max(abs(p - q) for r, s in zip(a, b, strict=True) for p, q in zip(r, s, strict=True))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--norn", required=True)
    p.add_argument("--python", required=True, help="an interpreter that has tabicl")
    p.add_argument("--runs", type=int, default=5)
    p.add_argument("--threads", default="1,2")
    p.add_argument("--tables", default="wine,200x10,1000x20")
    a = p.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = str(Path(folder) / "demo.ckpt")
        subprocess.run([a.python, HERE / "score.py", "--convert", checkpoint], check=True)
        print("| table | threads | who | start to answer, wall s | processor s | of it fit + predict | fit, wall s | predict, wall s | peak MiB |")
        print("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for table in a.tables.split(","):
            path = str(Path(folder) / (table + ".csv"))
            target = wine(path) if table == "wine" else synthetic(path, *map(int, table.split("x")))
            for threads in map(int, a.threads.split(",")):
                score = [a.python, str(HERE / "score.py"), path, target, checkpoint, str(threads)]
                contestants = {
                    "norn": [a.norn, "predict", path, "--target", target, "--threads", str(threads), "--json"],
                    "tabicl": [*score, "off"],
                    "tabicl, kv cache": [*score, "kv"],
                }
                results = {who: [] for who in contestants}
                for _ in range(a.runs):
                    for who, command in contestants.items():
                        wall, cpu, peak, answer = run(command, threads)
                        results[who].append((wall, cpu, *phases(answer), peak))
                        if who == "norn":
                            ours = answer["probabilities"]
                        elif (far := distance(ours, answer["probabilities"])) > AGREE:
                            raise SystemExit(f"{table}: norn and {who} answer {far:.1e} apart: not the same work")
                for who, rows in results.items():
                    wall, cpu, inner, fit, predict, peak = (statistics.median(column) for column in zip(*rows))
                    inner = "" if math.isnan(inner) else f"{inner:.2f}"
                    print(f"| {table} | {threads} | {who} | {wall:.2f} | {cpu:.2f} | {inner} | {fit:.3f} | {predict:.3f} "
                          f"| {peak:.0f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
