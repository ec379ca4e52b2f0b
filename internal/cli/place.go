package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/norn-data/norn/internal/diag"
)

// checkWritable finds out before any work whether a file can be written to a path. What it makes for that is gone again, and
// its name is in no message.
func checkWritable(path string) error {
	real, err := linked(path)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if info, err := os.Stat(real); err == nil {
		switch {
		case info.IsDir():
			return diag.WithHint(fmt.Errorf("writing %s: it is a folder", path), "name a file in it, such as %s", filepath.Join(path, "NAME"))
		case !info.Mode().IsRegular():
			return nil // a device or a pipe says itself what it takes
		}
	}
	folder := filepath.Dir(real)
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return diag.WithHint(fmt.Errorf("writing %s: there is no folder %s", path, folder), "mkdir -p %s", shellWord(folder))
	case err != nil:
		return fmt.Errorf("writing %s: looking at the folder %s: %w", path, folder, reason(err))
	case !info.IsDir():
		return diag.WithHint(fmt.Errorf("writing %s: %s is a file, not a folder", path, folder), "name a file in a folder")
	}
	// Rights are more than bits: only trying tells of read-only file systems and lists of access.
	probe, err := os.CreateTemp(folder, ".norn-probe-*")
	if err != nil {
		return diag.WithHint(fmt.Errorf("writing %s: the folder %s takes no files: %w", path, folder, reason(err)), "name a file in a folder that you may write to")
	}
	name := probe.Name()
	return errors.Join(probe.Close(), os.Remove(name))
}

// reason is what the system said, without the path of a file that the user never named.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// checkRoom refuses a file of a planned size that its disk has no room for. Where the system does not tell, writing will.
func checkRoom(path string, planned int64) error {
	real, err := linked(path)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if info, err := os.Stat(real); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if free, ok := freeSpace(filepath.Dir(real)); ok && planned > free {
		return diag.WithHint(fmt.Errorf("writing %s: it will take %s, and its disk has %s left", path, size(planned), size(free)),
			"make room, name a file on another disk, or keep less with --cache compact or --cache none")
	}
	return nil
}
