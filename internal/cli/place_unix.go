//go:build linux || darwin || freebsd

package cli

import "syscall"

// freeSpace is what a user without privileges may still write into the file system of a folder.
func freeSpace(folder string) (int64, bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, false
	}
	return bytesOf(fs.Bavail, fs.Bsize), true
}

// bytesOf hides that the systems do not agree on the types of these two numbers.
func bytesOf[A, B int32 | uint32 | int64 | uint64](blocks A, size B) int64 {
	return int64(blocks) * int64(size)
}
