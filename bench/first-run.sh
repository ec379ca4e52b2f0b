#!/usr/bin/env bash
# Prints what a newcomer waits for: medians over RUNS fresh processes, in milliseconds, and the size of the binary.
# Nothing passes or fails here; the budgets stand in bench/README.md. Usage: make bench, or RUNS=9 bench/first-run.sh
set -euo pipefail
cd "$(dirname "$0")/.."

runs=${RUNS:-5}
norn=$PWD/bin/norn
wine=$PWD/examples/wine/wine.csv
[ -x "$norn" ] || { echo "bin/norn is not there: make build" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export NO_COLOR=1 LC_ALL=C

# once runs a command and prints how long it took, in milliseconds. The clock is bash's own: no process is started for it.
once() {
  local begin=${EPOCHREALTIME/./}
  "$@" >"$scratch/out" 2>&1 || { echo "failed: $*" >&2; cat "$scratch/out" >&2; return 1; }
  local end=${EPOCHREALTIME/./}
  echo $(((end - begin) / 1000))
}

# row prints the median, the least and the most of the times on its input beside a name and a budget.
row() {
  sort -n | awk -v name="$1" -v budget="$2" '
    { t[NR] = $1 }
    END { printf "%-34s %8d %8d %8d   %s\n", name, t[int((NR + 1) / 2)], t[1], t[NR], budget }'
}

# A project of its own for each run, so that each first build is a first build.
for ((i = 1; i <= runs; i++)); do once "$norn" new "$scratch/shop$i"; done >"$scratch/new"
for ((i = 1; i <= runs; i++)); do (cd "$scratch/shop$i" && once "$norn" check); done >"$scratch/check"
for ((i = 1; i <= runs; i++)); do (cd "$scratch/shop$i" && once "$norn" build); done >"$scratch/first"
for ((i = 1; i <= runs; i++)); do (cd "$scratch/shop$i" && once "$norn" build); done >"$scratch/second"
for ((i = 1; i <= runs; i++)); do once "$norn" predict "$wine" --target cultivar; done >"$scratch/predict"

"$norn" version
echo "$(nproc) processors, $runs runs, milliseconds"
printf '%-34s %8s %8s %8s   %s\n' "" median least most budget
row "norn new shop" "1000" <"$scratch/new"
row "norn check" "100" <"$scratch/check"
row "norn build, first" "5000" <"$scratch/first"
row "norn build, nothing changed" "300" <"$scratch/second"
row "norn predict wine.csv" "3000" <"$scratch/predict"
awk -v bytes="$(wc -c <"$norn")" 'BEGIN { printf "%-34s %5.1f MB %20s 120 MB\n", "bin/norn", bytes / 1e6, "" }'
