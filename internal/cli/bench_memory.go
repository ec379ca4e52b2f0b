package cli

import (
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/fitted"
)

// benchContextRow is what a labelled row keeps, in bytes, in a context of the released size: 12 blocks of keys and values,
// or one vector, of 512 channels.
var benchContextRow = map[string]float64{"full": 4 * 2 * 12 * 512, "compact": 4 * 512, "none": 4 * 512}

// benchWork is what a labelled row takes beside that while it is fitted: six vectors of 512 channels.
const benchWork = 4 * 6 * 512

// checkRoom refuses a table that this machine has no memory for, before any of it is made: the runtime ends a process that
// asks for too much, without a word for a person or a program.
func (b benchModel) checkRoom(cmd *cobra.Command) error {
	rows, query, features := float64(b.rows), float64(b.query), float64(b.features)
	need := 4*(rows*(features+1)+query*(features+1)) + rows*benchWork + float64(b.members)*rows*benchContextRow[b.cache]
	free, ok := availableMemory()
	if !ok {
		free = 1 << 40 // no machine of today that norn is measured on has more
	}
	if need <= float64(free) {
		return nil
	}
	m := mistake(cmd, "%s of %s need about %.0f GiB of memory, and this machine has %s left", count(b.rows, "row"), count(b.features, "column"), need/(1<<30), fitted.Bytes(free))
	m.hint = "ask for fewer --rows, --features or --members, or --cache compact"
	return m
}

// availableMemory is what the system can give without swapping; false where it does not say.
func availableMemory() (int64, bool) {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for row := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(row, "MemAvailable:"); ok {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}
