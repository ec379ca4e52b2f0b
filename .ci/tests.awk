# Reads the output of "go test -v" and shows what a person wants to know of it: each package's line, each skipped test
# with its reason, and everything that a failed test wrote. A passed test is silent.

function remember(text) { written[test] = written[test] text "\n" }

/^=== (RUN|CONT|NAME|PAUSE) / { test = $3; if ($2 == "RUN") order[++started] = test; next }

/^ *--- PASS: / { delete written[$3]; next }

/^ *--- SKIP: / {
  reason = written[$3]
  sub(/\n.*/, "", reason)
  sub(/^ *[^ ]*\.go:[0-9]+: /, "", reason)
  print "skip    " $3 ": " reason
  delete written[$3]
  next
}

/^ *--- FAIL: / { printf "%s", written[$3]; print; delete written[$3]; next }

/^(ok|FAIL|\?|---|panic:|exit status|coverage:|WARNING: DATA RACE|signal:|#)|^(vet: )?[^ ]+\.go:[0-9]+:[0-9]+: / {
  # A package that ends without saying PASS, by a panic or os.Exit, still has something to tell.
  if ($1 == "FAIL" && NF > 1) {
    for (i = 1; i <= started; i++) if (order[i] in written) printf "%s", written[order[i]]
    if ("" in written) printf "%s", written[""]
  }
  if ($1 == "ok" || $1 == "?" || $1 == "FAIL") { delete written; delete order; started = 0; test = "" }
  print
  next
}

/^PASS$/ { next }

{ remember($0) }
