package project

import (
	"io/fs"
	"os"
)

// Dir is a folder of the disk as a file system for [Load]. It reads a text with fewer calls to the system than [os.DirFS] does, which
// are a tenth of the time of reading ten thousand small files.
func Dir(dir string) fs.FS { return diskFolder{os.DirFS(dir).(disk), dir} }

// disk is what [os.DirFS] offers.
type disk interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadFileFS
}

type diskFolder struct {
	disk
	dir string
}

// textReader is a file system that reads a text whole by itself; a text past maxText is errTooLarge.
type textReader interface {
	readText(name string) (string, error)
}
