//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package weights

import (
	"context"
	"os"
)

// mapFile reads a file where norn does not know how to map one.
func mapFile(ctx context.Context, f *os.File, size int64) (*Mapping, error) {
	return readMapping(ctx, f, size)
}
