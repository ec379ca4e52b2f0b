package recheck

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"time"
)

// magic opens every entry. The number is that of the format and is raised with it.
const magic = "norn check 1\n"

// mostEntry bounds what is read: nothing that norn writes comes near it.
const mostEntry = 1 << 30

// store is where one outcome lies: one entry for a project and a target, replaced when something else is to be said.
type store struct {
	dir, name string
}

// entryName is the file of a target. Names of targets may hold anything, so it is a digest.
func entryName(o Options) string {
	sum := sha256.Sum256([]byte(o.Target))
	return "check-" + hex.EncodeToString(sum[:8])
}

func (s store) path() string { return filepath.Join(s.dir, ".norn", "cache", s.name) }

// replay returns the stored outcome if it still holds.
func (s store) replay(ctx context.Context, dir string, o Options) (*Outcome, bool) {
	info, err := os.Stat(s.path())
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostEntry {
		return nil, false
	}
	data, err := os.ReadFile(s.path())
	if err != nil || ctx.Err() != nil {
		return nil, false
	}
	body, ok := opened(data)
	if !ok {
		return nil, false
	}
	rec, out, ok := decode(body, dir, o)
	if !ok {
		return nil, false
	}
	holds, healed := rec.holds(time.Now())
	if !holds || ctx.Err() != nil {
		return nil, false
	}
	if healed {
		if nodes, ok := decodeNodes(out.packed); ok {
			whole := *out
			whole.Nodes = nodes
			s.save(rec, o, &whole)
		}
	}
	out.Replayed = true
	return out, true
}

// save stores an outcome. That it cannot be stored is nobody's trouble.
func (s store) save(rec *recorder, o Options, out *Outcome) {
	if rec.torn {
		return
	}
	body := encode(rec, o, out)
	folder := filepath.Dir(s.path())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return
	}
	// Nobody wants the cache in version control.
	ignore := filepath.Join(filepath.Dir(folder), ".gitignore")
	if _, err := os.Lstat(ignore); err != nil {
		_ = os.WriteFile(ignore, []byte("*\n"), 0o644)
	}
	f, err := os.CreateTemp(folder, s.name+".*.tmp")
	if err != nil {
		return
	}
	_, err = f.Write(sealed(body))
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), s.path()) != nil {
		_ = os.Remove(f.Name())
	}
}

// sealed puts magic and checksum in front of an entry.
func sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(append([]byte(magic), sum[:]...), body...)
}

// opened checks magic and checksum.
func opened(data []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	body := rest[sha256.Size:]
	return body, sha256.Sum256(body) == [sha256.Size]byte(rest[:sha256.Size])
}
