package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/norn-data/norn/internal/warehouse"
)

// An outputFile is a file on its way to a path that the user named. Where a regular file stands there, or nothing, it is a
// draft beside it, which takes its place with [outputFile.Publish]: whoever looks sees the old file or the whole new one. A
// device, a pipe and norn's own standard streams cannot be replaced without destroying them for everyone else, so they are
// written into as they stand.
type outputFile struct {
	*os.File
	path    string // the place of a draft; "" where the path is written into as it stands, or the draft has been published
	draft   bool
	release func() // gives a draft's mark back
	keep    bool   // the file is a standard stream, which stays open
}

// errOutputFolder is the end of writing a file where a folder stands.
var errOutputFolder = errors.New("it is a folder")

// openOutput makes ready to write to a path. A link is followed, also one to a file that does not exist yet: what is
// replaced is the file that it leads to, and the link stays. The caller ends with Publish, and defers Discard.
func openOutput(path string) (*outputFile, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errOutputFolder
	default:
		// /dev/stdout may well be a regular file, the one a shell redirects to: a new file under its name would never see
		// what norn says beside it.
		for _, stream := range []*os.File{os.Stdout, os.Stderr} {
			if own, err := stream.Stat(); err == nil && os.SameFile(info, own) {
				return &outputFile{File: stream, keep: true}, nil
			}
		}
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return nil, err
			}
			return &outputFile{File: f}, nil
		}
	}
	real, err := linked(path)
	if err != nil {
		return nil, err
	}
	// A draft in another folder could be on another disk, and would be left there by a norn that is killed.
	name, release, err := warehouse.NewDraft(real)
	if err != nil {
		return nil, err
	}
	out := &outputFile{path: real, draft: true, release: release}
	if out.File, err = os.OpenFile(name, os.O_RDWR, 0); err == nil && info != nil {
		err = out.Chmod(info.Mode().Perm()) // what is replaced keeps its rights
	}
	if err != nil {
		_ = os.Remove(name)
		release()
		return nil, err
	}
	return out, nil
}

// linked follows the links at the end of a path. What it returns may not exist.
func linked(path string) (string, error) {
	const most = 40 // as many as Linux follows
	for range most {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // not a link, or nothing at all
		}
		if !filepath.IsAbs(target) {
			// The folder of the link may be a link itself, and .. in the target counts from where that leads.
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			target = filepath.Join(folder, target)
		}
		path = target
	}
	return "", fmt.Errorf("more than %d links", most)
}

// Replaceable reports whether the file is a draft, which can be read back before it is published.
func (f *outputFile) Replaceable() bool { return f.draft }

// Publish ends the writing; a draft gets its name.
func (f *outputFile) Publish() error {
	switch {
	case f.draft:
		return f.replace()
	case f.keep:
		return nil
	}
	return f.Close()
}

// replace brings a draft to the disk and gives it its name, which lasts through a power cut.
func (f *outputFile) replace() error {
	if err := f.Sync(); err != nil {
		return err
	}
	// Windows renames closed files only.
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	folder := filepath.Dir(f.path)
	f.path = ""
	f.release()
	if runtime.GOOS == "windows" {
		return nil // it has no way to sync a folder, and needs none
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Discard removes a draft that was not published. After Publish it does nothing.
func (f *outputFile) Discard() {
	switch {
	case f.draft && f.path != "":
		_ = f.Close()
		_ = os.Remove(f.Name()) // it was never whole
		f.release()
	case f.draft:
	case !f.keep:
		_ = f.Close()
	}
}

// writeFile writes a whole file to a path that the user named: see [outputFile].
func writeFile(path string, data []byte) error {
	f, err := openOutput(path)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Publish()
}
