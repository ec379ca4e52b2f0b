package duckdb

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// A target is the file that a write replaces or makes: behind all links, with the rights that it has, or nil for a new one.
type target struct {
	path   string
	rights *fs.FileMode
}

// findTarget follows links to the file that path stands for, which need not exist, and refuses what a file cannot replace.
func findTarget(path string) (target, error) {
	real, err := followed(path)
	if err != nil {
		return target{}, writeTrouble(path, err)
	}
	info, err := os.Stat(real)
	if errors.Is(err, fs.ErrNotExist) {
		return target{path: real}, nil
	}
	if err != nil {
		return target{}, writeTrouble(path, err)
	}
	switch {
	case info.IsDir():
		return target{}, diag.WithHint(fmt.Errorf("writing %s: it is a folder", path), "name a file in it, such as %s", filepath.Join(path, "out.parquet"))
	case !info.Mode().IsRegular():
		return target{}, diag.WithHint(fmt.Errorf("writing %s: it is a pipe or a device, not a file", path), "choose another name")
	}
	// A rename would replace a file that its owner has protected, because it asks for the rights of the folder alone.
	file, err := os.OpenFile(real, os.O_WRONLY, 0)
	if err != nil {
		return target{}, writeTrouble(path, err)
	}
	rights := info.Mode().Perm()
	return target{path: real, rights: &rights}, file.Close()
}

// followed returns what a chain of links leads to. [filepath.EvalSymlinks] would fail where the end does not exist yet.
func followed(path string) (string, error) {
	const most = 40 // links in a row, the limit that Linux has as well
	for range most {
		info, gone := os.Lstat(path)
		if gone != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil //nolint:nilerr // whatever else is wrong with the path, creating the file will say
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			// Cleaning would turn link/.. into the wrong folder where link leads elsewhere.
			next = filepath.Dir(path) + string(filepath.Separator) + next
		}
		path = next
	}
	return "", errors.New("its links lead in a circle")
}

// keepRights gives a new file the rights of the one that it replaces.
func (t target) keepRights(name string) error {
	if t.rights == nil {
		return nil
	}
	return os.Chmod(name, *t.rights)
}

// SameFile reports whether two paths stand for one file, through links and different spellings as well. Paths to files that
// do not exist are compared after their links.
func SameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, otherErr := os.Stat(b)
	if err == nil && otherErr == nil {
		return os.SameFile(first, second)
	}
	if err == nil || otherErr == nil {
		return false
	}
	return absolute(a) == absolute(b)
}

// absolute spells a path in one way only, as far as its folder exists.
func absolute(path string) string {
	if real, err := followed(path); err == nil {
		path = real
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}

// errDiskFull is the end of writing a file to a disk without room.
var errDiskFull = errors.New("there is no room left on the disk")

// writeTrouble names the file that was asked for, and what can be done about the reason.
func writeTrouble(path string, err error) error {
	folder := filepath.Dir(path)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		// The temporary name would only puzzle the reader.
		err = pathError.Err
	} else if linkError, ok := errors.AsType[*os.LinkError](err); ok {
		err = linkError.Err
	}
	if engine, ok := errors.AsType[*engineError](err); ok {
		// What norn was doing and what it advises are about the database in memory that writes for it, which nobody asked for.
		err = errors.New(engine.message)
		if text := strings.ToLower(engine.message); strings.Contains(text, "no space left") || strings.Contains(text, "file too large") {
			err = errDiskFull // DuckDB's own sentence names the draft
		} else if strings.Contains(text, "quota exceeded") {
			err = errors.New("the disk quota is exceeded")
		}
	}
	wrapped := fmt.Errorf("writing %s: %w", path, err)
	says := func(words string) bool { return strings.Contains(strings.ToLower(err.Error()), words) }
	info, statErr := os.Stat(folder)
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		return diag.WithHint(wrapped, "create the folder first: mkdir -p %s", folder)
	case statErr == nil && !info.IsDir():
		return diag.WithHint(wrapped, "%s is a file, not a folder; choose another path", folder)
	case errors.Is(err, fs.ErrPermission) || says("read-only file system"):
		return diag.WithHint(wrapped, "make the file and the folder %s writable for you, or choose another path", folder)
	case says("no space left") || says("quota") || says("no room left"):
		return diag.WithHint(wrapped, "free space on the disk; nothing was changed")
	case says("name too long"):
		return diag.WithHint(wrapped, "choose a shorter name")
	}
	return diag.WithHint(wrapped, "choose another path, or check the disk or the network drive it lies on; nothing was changed")
}
