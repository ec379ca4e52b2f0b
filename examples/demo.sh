#!/usr/bin/env bash
# norn in a minute: a project from nothing, then a real table. Everything it makes lies in demo/, which is made anew.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/bin:$PATH

# step shows a command before it runs it, so that what is seen can be typed.
step() { printf '\n$ %s\n' "$*"; "$@"; }

rm -rf demo
mkdir demo
cd demo

step norn new shop
printf '\n$ cd shop\n'
cd shop
step norn build
step norn show churn --rows 8
cd ..

# Every fifth wine loses its label; norn learns from the others and fills it in.
awk -F, 'NR > 1 && NR % 5 == 0 { sub(/[^,]*$/, "") } { print }' ../examples/wine/wine.csv > wine.csv
step norn predict wine.csv --target cultivar --out filled.csv

# The labels that were taken out are known here, so the answers can be counted. Columns 14 and 15 are the label and
# whether norn filled it in.
awk -F, '
  NR == FNR { truth[FNR] = $14; next }
  FNR > 1 && $15 == "true" { n++; right += $14 == truth[FNR] }
  END { printf "\nof %d emptied labels, norn gave %d back as they were\n", n, right }' ../examples/wine/wine.csv filled.csv

printf '\nthe project is in demo/shop, the tables are in demo/wine.csv and demo/filled.csv\n'
