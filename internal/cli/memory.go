package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

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
