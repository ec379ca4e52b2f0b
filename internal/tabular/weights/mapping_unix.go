//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package weights

import (
	"context"
	"os"
	"syscall"
)

// mapFile maps a file of the given size for reading. What the system refuses to map, such as files of some network file
// systems, is read.
func mapFile(ctx context.Context, f *os.File, size int64) (*Mapping, error) {
	if size == 0 || size != int64(int(size)) {
		return readMapping(ctx, f, size)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return readMapping(ctx, f, size)
	}
	return &Mapping{Data: data, close: func() error { return syscall.Munmap(data) }}, nil
}
