package weights

import (
	"context"
	"fmt"
	"os"
	"sync"
)

// A Mapping is a file's bytes in memory. Where the system can, they are mapped: they take no memory of the process until
// they are looked at, and the system may drop them again and read them anew. Elsewhere the file is read.
//
// The bytes must not be written to, nor used after Close. A file that somebody makes shorter while it is mapped ends the
// process when the lost bytes are read; files that are replaced by renaming, as norn replaces its own, stay whole.
type Mapping struct {
	Data   []byte
	close  func() error
	closed sync.Once
}

// OpenMapping maps a regular file.
func OpenMapping(ctx context.Context, path string) (*Mapping, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // a mapping outlives its file; nothing was written, so its error tells nothing
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return mapFile(ctx, f, info.Size())
}

// Close gives the bytes back. It may be called more than once.
func (m *Mapping) Close() error {
	var err error
	m.closed.Do(func() {
		m.Data = nil
		err = m.close()
	})
	return err
}

// readMapping is a mapping of a file that was read.
func readMapping(ctx context.Context, f *os.File, size int64) (*Mapping, error) {
	data, err := readAll(ctx, f, size)
	if err != nil {
		return nil, err
	}
	return &Mapping{Data: data, close: func() error { return nil }}, nil
}
