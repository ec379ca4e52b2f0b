package warehouse

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A file that norn writes for a user is a draft beside its place until it is whole, and gets its name by renaming. A norn
// that is killed cannot remove its draft. So each draft is locked as long as somebody writes it, the system gives the lock
// back whatever happens to the writer, and whoever writes the same file next removes the drafts that nobody holds. A file
// without any name (O_TMPFILE) would leave nothing either, but cannot take the place of one that is there.

// draftRest is how long a draft must have been left alone before it counts as nobody's: between making and locking it a
// writer needs a moment.
const draftRest = time.Minute

// draftsLock says whether a lock keeps writers out of each other's drafts and nobody else out of anything. That is so on
// Linux, where locks of flock and those of the databases that write a draft know nothing of each other. Elsewhere a lock
// could keep norn's own writer out, and drafts of killed processes stay.
const draftsLock = runtime.GOOS == "linux"

// draftName is what [NewDraft] calls drafts: a point, the file's name, eight digits.
var draftName = regexp.MustCompile(`^\.(.+)\.[0-9a-f]{8}\.tmp$`)

// NewDraft makes an empty file beside path, which also shows whether the folder can be written, and removes what killed
// writers of the same file have left. The draft has the rights that any new file of the user has. The caller renames or
// removes it, and calls release after that.
func NewDraft(path string) (draft string, release func(), err error) {
	// File systems take names of 255 bytes, and the longer name must not be what a write fails for.
	const most = 200
	base := filepath.Base(path)
	base = strings.ToValidUTF8(base[:min(len(base), most)], "")
	sweepDrafts(filepath.Dir(path), base)
	for {
		draft = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		if err := file.Close(); err != nil {
			_ = os.Remove(draft) // it was never anybody's
			return "", nil, err
		}
		return draft, holdDraft(draft), nil
	}
}

// holdDraft marks a draft as being written, until release is called. One that cannot be locked is not marked.
func holdDraft(draft string) (release func()) {
	if !draftsLock {
		return func() {}
	}
	lock := flock.New(draft, flock.SetFlag(os.O_RDONLY))
	if ok, err := lock.TryLock(); !ok || err != nil {
		return func() {}
	}
	return func() { _ = lock.Unlock() } // which closes it as well
}

// sweepDrafts removes the drafts of a file that nobody writes any more: not touched for a minute and not locked. What cannot
// be removed stays: it is in nobody's way.
func sweepDrafts(folder, base string) {
	entries, err := os.ReadDir(folder)
	if err != nil || !draftsLock {
		return
	}
	for _, e := range entries {
		if m := draftName.FindStringSubmatch(e.Name()); m == nil || m[1] != base {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < draftRest {
			continue
		}
		draft := filepath.Join(folder, e.Name())
		lock := flock.New(draft, flock.SetFlag(os.O_RDONLY))
		if ok, err := lock.TryLock(); !ok || err != nil {
			continue
		}
		_ = os.Remove(draft)
		_ = lock.Unlock()
	}
}
