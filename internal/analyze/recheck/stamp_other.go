//go:build !linux

package recheck

import "io/fs"

// stampOf has the size and the time of modification only.
func stampOf(info fs.FileInfo) stamp {
	return stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
}
