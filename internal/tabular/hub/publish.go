package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

	"github.com/norn-data/norn/internal/diag"
)

// lockPoll is how often a waiting process looks whether the lock is free. The systems have no way to wait for a file lock
// that a context could end.
const lockPoll = 100 * time.Millisecond

// lock takes the lock of an etag, the same file that the Python client locks. Whoever has to wait says so once.
func (c *client) lock(ctx context.Context, at place, f File, m metadata) (unlock func(), err error) {
	path := at.lock(m.etag)
	for _, folder := range []string{filepath.Dir(path), at.in("blobs")} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, c.unwritable(fmt.Errorf("making a folder of the cache: %w", err))
		}
	}
	// Group members who share a cache must be able to lock what we made.
	lock := flock.New(path, flock.SetPermissions(0o664))
	waited := false
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := lock.TryLock()
		if err != nil {
			return nil, diag.WithHint(c.unwritable(fmt.Errorf("locking %s: %w", path, err)),
				"the file system of the cache cannot lock files: set HF_HUB_CACHE to a folder on a local disk")
		}
		if ok {
			if same(lock) {
				return func() { _ = lock.Unlock() }, nil
			}
			_ = lock.Unlock()
			continue
		}
		if !waited {
			waited = true
			c.tell(Progress{File: f, Stage: Waiting, Size: m.size, Have: at.have(m, f.Name)})
		}
		if err := c.sleep(ctx, lockPoll); err != nil {
			return nil, err
		}
	}
}

// same reports whether the file that is locked is still the one of that name. A tool that removes its lock file when it
// is done would else leave two processes with a lock each, on two files.
func same(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

// publish makes a whole blob visible: first the link, then the ref, so that a ref never leads nowhere.
func (c *client) publish(at place, f File, m metadata) error {
	pointer, blob := at.pointer(m.commit, f.Name), at.blob(m.etag)
	if err := os.MkdirAll(filepath.Dir(pointer), 0o777); err != nil {
		return c.unwritable(fmt.Errorf("making a folder of the cache: %w", err))
	}
	// What is there leads nowhere or to damaged bytes; an intact file would have been used.
	if err := os.Remove(pointer); err != nil && !errors.Is(err, os.ErrNotExist) {
		return c.unwritable(fmt.Errorf("replacing a damaged file of the cache: %w", err))
	}
	if err := c.point(at, m, pointer, blob); err != nil {
		return c.unwritable(err)
	}
	if err := syncFolder(filepath.Dir(pointer)); err != nil {
		return c.unwritable(err)
	}
	return c.writeRef(at, f, m)
}

// point gives the blob its second name: a relative link, so that the cache can be moved; where links need a privilege
// (Windows) a hard link, which costs no room either; where there are neither (exFAT) a copy.
func (c *client) point(at place, m metadata, pointer, blob string) error {
	target, err := filepath.Rel(filepath.Dir(pointer), blob)
	if err != nil {
		return fmt.Errorf("linking %s: %w", pointer, err)
	}
	// Tried and not asked for: whether links work depends on the file system and the user, and the attempt knows.
	linking := c.symlink(target, pointer)
	if linking == nil {
		return nil
	}
	if err := c.link(blob, pointer); err == nil {
		return nil
	}
	if err := c.copyWhole(blob, at.blob(m.etag)+".copy", pointer); err != nil {
		return fmt.Errorf("copying a file that cannot be linked (%w): %w", linking, err)
	}
	return nil
}

// copyWhole copies by way of a temporary name in the same file system.
func (c *client) copyWhole(from, temporary, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	return c.writeWhole(temporary, to, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
}

// writeWhole writes a file that appears under its name with all its bytes or not at all.
func (c *client) writeWhole(temporary, path string, write func(io.Writer) error) (err error) {
	file, err := os.Create(temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary)
		}
	}()
	// All three run: a file must be closed before it is renamed or removed, on Windows at least.
	err = errors.Join(write(file), file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return c.rename(temporary, path)
}

// writeRef records what a branch or tag stands for. The temporary file lies beside the lock and not in refs, where other
// tools would take one that a killed process left for a branch.
func (c *client) writeRef(at place, f File, m metadata) error {
	if at.refersTo(f, m.commit) {
		return nil
	}
	path := at.ref(f.revision())
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return c.unwritable(fmt.Errorf("making a folder of the cache: %w", err))
	}
	err := c.writeWhole(at.lock(m.etag)+".ref", path, func(w io.Writer) error {
		_, err := io.WriteString(w, m.commit)
		return err
	})
	if err != nil {
		return c.unwritable(fmt.Errorf("noting what %s stands for: %w", f.revision(), err))
	}
	return c.unwritable(syncFolder(filepath.Dir(path)))
}

// syncFolder makes the names in a folder last through a power cut. Windows does that by itself and has no call for it.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("writing %s to the disk: %w", path, err)
	}
	if err := errors.Join(folder.Sync(), folder.Close()); err != nil {
		return fmt.Errorf("writing %s to the disk: %w", path, err)
	}
	return nil
}
