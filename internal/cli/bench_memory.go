package cli

import (
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/forward"
	"github.com/norn-data/norn/internal/tabular/kumo"
)

// benchRow is what a labelled row keeps in one member's context, and what it takes beside that while the member is fitted
// (six vectors), in bytes: keys and values of all blocks, or one vector, of the in-context stage of a published size.
func (b benchModel) benchRow() (kept, work float64) {
	channels, blocks := 512.0, 12.0
	if size, ok := strings.CutPrefix(b.architecture, "kumo-"); ok {
		if c, err := kumo.Released(kumo.Size(size), forward.Classification); err == nil {
			channels, blocks = float64(c.Context), float64(c.Blocks)
		}
	}
	if b.cache == string(tabular.CacheFull) {
		return 4 * 2 * blocks * channels, 4 * 6 * channels
	}
	return 4 * channels, 4 * 6 * channels
}

// checkRoom refuses a table that this machine has no memory for, before any of it is made: the runtime ends a process that
// asks for too much, without a word for a person or a program.
func (b benchModel) checkRoom(cmd *cobra.Command) error {
	rows, query, features := float64(b.rows), float64(b.query), float64(b.features)
	kept, work := b.benchRow()
	if b.cache != string(tabular.CacheNone) {
		kept *= float64(b.members)
	}
	need := 4*(rows*(features+1)+query*(features+1)) + rows*(work+kept)
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
