package hub

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// Names come from users, from servers and from files that others wrote, and all of them become paths. Each has one
// pattern that it must match whole; none of the patterns lets a separator or a leading dot through.
var (
	repoPattern   = pattern(`^([0-9A-Za-z_][0-9A-Za-z._-]*/)?[0-9A-Za-z_][0-9A-Za-z._-]*$`)
	commitPattern = pattern(`^[0-9a-fA-F]{40}$`)
	digestPattern = pattern(`^[0-9a-fA-F]{64}$`)
	etagPattern   = pattern(`^[0-9A-Za-z_-][0-9A-Za-z._-]{0,199}$`)
)

// isCommit reports whether a revision is one that cannot move. Short commits are revisions like any other: the hub says
// what they stand for.
func isCommit(s string) bool { return commitPattern().MatchString(s) }

// revision is the one the hub is asked for.
func (f File) revision() string { return cmp.Or(f.Revision, "main") }

// digest is the known SHA-256 as this package writes digests, or "".
func (f File) digest() string { return strings.ToLower(f.SHA256) }

// check refuses what cannot name a file before any of it becomes a path or an address.
func (f File) check() error {
	switch {
	// "--" stands for the slash in the cache's folder names, so a repository cannot have it.
	case !repoPattern().MatchString(f.Repo) || len(f.Repo) > 200 || strings.Contains(f.Repo, "--") || strings.Contains(f.Repo, ".."):
		return diag.New("E1801", diag.Span{}, "%q is not the name of a repository on the hub", f.Repo).
			WithHelp("write owner/name, such as jingang/TabICL")
	case !isLocal(f.Name):
		return diag.New("E1802", diag.Span{}, "%q is not the name of a file in a repository", f.Name).
			WithHelp("write the path inside %s with slashes, without a leading slash and without ..", f.Repo)
	case f.Revision != "" && !isLocal(f.Revision):
		return diag.New("E1803", diag.Span{}, "%q is not a revision of a repository", f.Revision).
			WithHelp("write a branch, a tag or the 40 digits of a commit; left out, it is main")
	case f.SHA256 != "" && !digestPattern().MatchString(f.SHA256):
		return diag.New("E1804", diag.Span{}, "%q is not a SHA-256 digest", f.SHA256).
			WithHelp("a digest has 64 hex digits; sha256sum FILE prints it")
	}
	return nil
}

// isLocal accepts slash-separated names that stay below the folder they are joined to, on every system.
func isLocal(name string) bool {
	return name != "" && name == path.Clean(name) && name != "." && filepath.IsLocal(filepath.FromSlash(name)) &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(`\:*?"<>|`, r) })
}

// A place is the folder of one repository in the cache.
type place struct {
	cache, folder string
}

// placeOf names the folder as the Python client does, so that either finds what the other has brought.
func placeOf(cache, repo string) place {
	return place{cache, "models--" + strings.ReplaceAll(repo, "/", "--")}
}

func (p place) in(names ...string) string {
	return filepath.Join(append([]string{p.cache, p.folder}, names...)...)
}

// The files of a place. The partial file has the name that the Python client gives it, and is continued by either.
func (p place) blob(etag string) string    { return p.in("blobs", etag) }
func (p place) partial(etag string) string { return p.in("blobs", etag+".incomplete") }
func (p place) ref(revision string) string { return p.in("refs", filepath.FromSlash(revision)) }
func (p place) pointer(commit, name string) string {
	return p.in("snapshots", commit, filepath.FromSlash(name))
}

// lock is outside the repository's folder, as the Python client has it, so that the folder can be deleted under a lock.
func (p place) lock(etag string) string {
	return filepath.Join(p.cache, ".locks", p.folder, etag+".lock")
}

// probe finds out whether files can be made where the blobs will be, and leaves nothing behind but the folder of the cache.
func (p place) probe() error {
	folder := p.in("blobs")
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		folder = p.cache
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return fmt.Errorf("making a folder of the cache: %w", err)
		}
	}
	file, err := os.CreateTemp(folder, ".norn-*.probe")
	if err != nil {
		return fmt.Errorf("writing into the cache: %w", err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// find returns the snapshot file that stands for f in the cache as it is.
func (p place) find(f File) (string, bool) {
	for _, commit := range p.commits(f) {
		path := p.pointer(commit, f.Name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && (f.SHA256 == "" || !isOtherThan(path, f.SHA256)) {
			return path, true
		}
	}
	return "", false
}

// commits lists the snapshots in which to look, best first.
func (p place) commits(f File) []string {
	if isCommit(f.Revision) {
		return []string{f.Revision}
	}
	var commits []string
	// A ref is a file that others may have written. One that holds no commit is no ref.
	if text, err := os.ReadFile(p.ref(f.revision())); err == nil {
		if commit := strings.TrimSpace(string(text)); isCommit(commit) {
			commits = append(commits, commit)
		}
	}
	// Without a ref, the folder in which a person without network was told to put the file.
	if !strings.Contains(f.revision(), "/") {
		commits = append(commits, f.revision())
	}
	// Who names a revision gets that one or none.
	if f.Revision != "" {
		return commits
	}
	entries, err := os.ReadDir(p.in("snapshots"))
	if err != nil {
		return commits
	}
	var others []string
	arrived := make(map[string]time.Time)
	for _, e := range entries {
		// The link tells when the snapshot got its file; the blob behind it may be older and shared.
		if info, err := os.Lstat(p.pointer(e.Name(), f.Name)); err == nil && !slices.Contains(commits, e.Name()) {
			others = append(others, e.Name())
			arrived[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(others, func(a, b string) int { return cmp.Or(arrived[b].Compare(arrived[a]), cmp.Compare(a, b)) })
	return append(commits, others...)
}

// have is how much of a resolved file is here, by its size.
func (p place) have(m metadata, name string) int64 {
	for _, path := range []string{p.pointer(m.commit, name), p.blob(m.etag)} {
		if info, err := os.Stat(path); err == nil && info.Size() == m.size {
			return m.size
		}
	}
	return p.partialSize(m)
}

// partialSize is how much of a download is kept from an earlier try.
func (p place) partialSize(m metadata) int64 {
	info, err := os.Stat(p.partial(m.etag))
	if err != nil || info.Size() > m.size {
		return 0
	}
	return info.Size()
}

// refersTo reports whether the cache knows that a revision stands for a commit. A commit stands for itself.
func (p place) refersTo(f File, commit string) bool {
	if isCommit(f.Revision) {
		return true
	}
	text, err := os.ReadFile(p.ref(f.revision()))
	return err == nil && string(text) == commit
}

// blobName is the name of the blob behind a link, "" for a file that is a copy.
func blobName(path string) string {
	target, err := os.Readlink(path)
	if err != nil {
		return ""
	}
	return filepath.Base(target)
}

// isOtherThan reports whether a link names a blob by a digest, and by another one.
func isOtherThan(path, digest string) bool {
	name := blobName(path)
	return digestPattern().MatchString(name) && !strings.EqualFold(name, digest)
}

// intact reports whether a file in the cache is the resolved one: it has the size and, where the caller knows a digest,
// that digest. Without one the size is enough, since names appear only after their bytes were hashed.
func intact(ctx context.Context, path string, f File, m metadata) (bool, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != m.size {
		return false, nil //nolint:nilerr // a file that cannot be looked at is one to bring
	}
	if f.SHA256 == "" {
		return true, nil
	}
	got, err := digestOf(ctx, path)
	return got == f.digest(), err
}

// digestOf hashes a file as it lies on the disk.
func digestOf(ctx context.Context, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("reading %s to check it: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	buffer := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := file.Read(buffer)
		hash.Write(buffer[:n])
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", fmt.Errorf("reading %s to check it: %w", path, err)
		}
	}
}

// pattern compiles an expression when it is first asked for: most runs of norn download nothing.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
