//go:build !linux

package recheck

import (
	"io/fs"
	"os"
)

// stampOf has the size and the time of modification only.
func stampOf(info fs.FileInfo) stamp {
	return stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}

// stampAt is the stamp of the file at a path.
func stampAt(path string) (stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, err
	}
	return stampOf(info), nil
}
