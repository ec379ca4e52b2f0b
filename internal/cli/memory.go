package cli

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// leanGC is how much the heap of a running network may grow, in percent, before it is collected. Nearly all of it are a few
// large arrays of numbers, which cost the collector nothing to look at: 1,000 rows of 20 columns and 8 members of the released
// size peak at 244 instead of 325 MiB, in the same processor time.
const leanGC = 25

// leanHeap keeps the heap small until what it returns is called. Who has set GOGC has decided for himself.
func leanHeap() (back func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(leanGC)
	return func() { debug.SetGCPercent(before) }
}

// byteUnits are the endings of a size of memory. Those with an i count in 1,024s; the others, as on the label of a disk,
// in 1,000s.
var byteUnits = []struct {
	name  string
	bytes float64
}{
	{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40},
	{"B", 1},
}

// parseSize reads a number of bytes with its unit: 4GiB, 800MB, 1.5G. A bare number would be bytes to one reader and
// megabytes to another, so it is refused.
func parseSize(text string) (int64, error) {
	upper := strings.ToUpper(strings.TrimSpace(text))
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(upper, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil || !(n > 0) || n*u.bytes >= math.MaxInt64/2 {
			return 0, fmt.Errorf("%q is not a size of memory", text)
		}
		return int64(n * u.bytes), nil
	}
	return 0, fmt.Errorf("%q is a size of memory without a unit", text)
}
