// Package hub brings published weights from the Hugging Face hub onto this machine, into the cache that Python tools share.
//
// The story of a file: its address, owner/name at a revision, is resolved to a commit, an etag and a size by one HEAD
// request. The bytes go into blobs/<etag>.incomplete, over as many tries and processes as it takes, each going on where
// the last one stopped. When all are there they are hashed as they lie on the disk; only then does the file get its name
// blobs/<etag>, then a link snapshots/<commit>/<name>, then the revision is written to refs/<revision>:
//
//	models--owner--name/
//	    blobs/<etag>                  the bytes, under their digest where the hub has one
//	    snapshots/<commit>/<name>     a relative link to the blob
//	    refs/<revision>               the commit a branch or tag stood at when it was last asked for
//	.locks/models--owner--name/<etag>.lock
//
// Invariants, which hold when the process is killed at any instant:
//
//   - A name below snapshots is never seen without the whole file behind it, and a blob never without its rename.
//   - Only who holds the lock of an etag writes its blob. Other processes, Python's too, wait and say so.
//   - Bytes of two versions are never joined: a partial file is named by its etag, each answer is compared with it, and
//     where the etag is a digest the whole is hashed.
//   - The token goes to the endpoint's own origin and nowhere else, whatever a redirect says.
//
// There is no state in the package: [Settings] travel with each call. [FromEnvironment] reads them from the variables the
// Python client documents, so that one setting of HF_HOME serves both.
package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/norn-data/norn/internal/diag"
)

// A File names one file of a repository on the hub.
type File struct {
	Repo     string // "owner/name"
	Revision string // a branch, tag or commit; "" is main, and lets [Find] take any revision that is there
	Name     string // the path inside the repository, with slashes
	SHA256   string // the digest the caller knows it by, 64 hex digits; "" where it is not known
}

// String is the file as messages name it, without its revision.
func (f File) String() string { return f.Repo + "/" + f.Name }

// Settings say where the hub and its cache are and how to reach them.
type Settings struct {
	Endpoint string // such as https://huggingface.co; "" is that one
	Token    string // sent to the endpoint only; "" sends none
	Cache    string // the folder that holds models--owner--name
	Offline  bool   // answer from the cache or not at all

	// Client makes the requests; its redirect policy is not used, because this package follows redirects itself. When it
	// is nil, each call has a client of its own with sensible timeouts that goes through Proxy.
	Client *http.Client
	// Proxy chooses the proxy for a request as [http.Transport] does; nil connects directly.
	Proxy func(*http.Request) (*url.URL, error)
	// Progress is told what happens, one event at a time, from the goroutine that called. It may be nil.
	Progress func(Progress)
}

// A Stage is a step on the way of a file.
type Stage uint8

// The stages in the order in which they come. Waiting and Retrying come only where there is something to wait for.
const (
	Resolved    Stage = iota // Size is known and Have bytes are here; nothing has been downloaded yet
	Waiting                  // another process or goroutine is downloading the same file
	Downloading              // Have of Size bytes are here
	Retrying                 // Err happened; the next try comes after Wait
	Checking                 // all bytes are here and are being hashed
	Done                     // the file is at Path
)

// Progress is one event in the life of a pull.
type Progress struct {
	File       File
	Stage      Stage
	Size, Have int64         // bytes; Size is 0 before the hub has told it
	Path       string        // Done: where the file is
	Err        error         // Retrying: why
	Wait       time.Duration // Retrying: how long until the next try
}

// Pull makes sure that a file is in the cache and returns its path, which is the link below snapshots. A copy that is
// there is used without a request when nothing on the hub could change the answer: its bytes hash to f.SHA256, its
// revision is a commit, or s.Offline is set. What the user wrote wrongly comes back as a [diag.Problem], what the world
// did as an error with a hint; a context that ends comes back as its error, and what was downloaded until then is kept
// for the next call.
func Pull(ctx context.Context, s Settings, f File) (path string, err error) {
	return pull(ctx, s, here(), f)
}

// pull is Pull in a given world.
func pull(ctx context.Context, s Settings, w world, f File) (string, error) {
	c, err := newClient(s, w)
	if err != nil {
		return "", err
	}
	defer c.close()
	if err := f.check(); err != nil {
		return "", err
	}
	path, err := c.pull(ctx, f)
	if err != nil {
		return "", fmt.Errorf("pulling %s: %w", f, err)
	}
	c.tell(Progress{File: f, Stage: Done, Path: path})
	return path, nil
}

// Find looks for a file in the cache and asks nobody. The revision decides: a commit is that snapshot; a branch or tag is
// the snapshot that refs names, else one of the same name that somebody put there by hand; no revision is main or, where
// main has not got the file, the newest snapshot that has. A blob whose name says that it is not f.SHA256 is passed over;
// nothing is hashed.
func Find(s Settings, f File) (path string, ok bool) {
	if s.Cache == "" || f.check() != nil {
		return "", false
	}
	return placeOf(s.Cache, f.Repo).find(f)
}

// errChanged says that the hub now has another file at the same address than the one that was resolved.
var errChanged = errors.New("the file changed on the hub while it was being downloaded")

// mostChanges is how many versions of a file one call goes after. A revision that moves more often than that is not
// something to wait for.
const mostChanges = 3

// pull resolves and brings a file, once more for each time that it changes in between.
func (c *client) pull(ctx context.Context, f File) (string, error) {
	at := placeOf(c.Cache, f.Repo)
	if path, ok, err := c.settled(ctx, at, f); ok || err != nil {
		return path, err
	}
	if c.Offline {
		return "", c.notHere(f)
	}
	// A cache that can only be read may still serve what it has. One that has nothing is not worth asking the hub for.
	if _, here := at.find(f); !here {
		if err := c.unwritable(at.probe()); err != nil {
			return "", err
		}
	}
	for n := 1; ; n++ {
		m, err := c.resolve(ctx, f)
		if err != nil {
			return "", err
		}
		path, err := c.bring(ctx, at, f, m)
		if !errors.Is(err, errChanged) {
			return path, err
		}
		if n == mostChanges {
			return "", diag.WithHint(err, "name the commit you want as the revision: %s/%s/commits/%s lists them", c.Endpoint, f.Repo, f.revision())
		}
		c.tell(Progress{File: f, Stage: Retrying, Size: m.size, Err: err})
	}
}

// settled finds a copy that no answer of the hub could change. With a digest in hand it hashes the copy: the command says
// "pull", and a damaged file that stays is worse than a tenth of a second.
func (c *client) settled(ctx context.Context, at place, f File) (string, bool, error) {
	path, ok := at.find(f)
	switch {
	case !ok:
		return "", false, nil
	case f.SHA256 == "":
		// A branch may have moved on; only the hub can tell. A commit stays what it is.
		return path, c.Offline || isCommit(f.Revision), nil
	}
	c.tell(Progress{File: f, Stage: Checking})
	got, err := digestOf(ctx, path)
	if err != nil {
		return "", false, err
	}
	if got != f.digest() && c.Offline {
		return "", false, c.otherBytes(fmt.Sprintf("the copy at %s", path), got, f.digest(), "the digest it is known by",
			"remove that file, then pull again with a network")
	}
	return path, got == f.digest(), nil
}

// bring gets the resolved file into the cache under all its names. Each step looks first whether it has been done: by an
// earlier call that was killed, by another process while this one waited, or by the Python client.
func (c *client) bring(ctx context.Context, at place, f File, m metadata) (string, error) {
	if f.SHA256 != "" && m.digest != "" && m.digest != f.digest() {
		return "", c.otherBytes(fmt.Sprintf("the file at %s", c.address(f, f.revision())), m.digest, f.digest(), "the digest it is known by",
			"its author has replaced it: name the revision that holds the file you want, or check HF_ENDPOINT")
	}
	pointer, blob := at.pointer(m.commit, f.Name), at.blob(m.etag)
	here, err := intact(ctx, pointer, f, m)
	if err != nil {
		return "", err
	}
	if here && at.refersTo(f, m.commit) {
		return pointer, nil
	}
	if !here {
		if err := c.announce(ctx, at, f, m); err != nil {
			return "", err
		}
	}
	unlock, err := c.lock(ctx, at, f, m)
	if err != nil {
		if here && ctx.Err() == nil {
			// All that is missing is a note of where the branch stands, and this cache can only be read.
			return pointer, nil
		}
		return "", err
	}
	defer unlock()
	// From here on nobody else writes this blob. Whoever had the lock may have brought the file.
	if ok, err := intact(ctx, pointer, f, m); err != nil {
		return "", err
	} else if ok {
		return pointer, c.writeRef(at, f, m)
	}
	if ok, err := intact(ctx, blob, f, m); err != nil {
		return "", err
	} else if !ok {
		if err := c.download(ctx, at, f, m); err != nil {
			return "", err
		}
	}
	return pointer, c.publish(at, f, m)
}

// announce tells how large the file is and how much of it need not be downloaded, before anything is.
func (c *client) announce(ctx context.Context, at place, f File, m metadata) error {
	have := at.partialSize(m)
	if ok, err := intact(ctx, at.blob(m.etag), f, m); err != nil {
		return err
	} else if ok {
		have = m.size
	}
	c.tell(Progress{File: f, Stage: Resolved, Size: m.size, Have: have})
	return nil
}

// tell hands an event to the caller, in the goroutine of the caller: a slow terminal slows the download and loses nothing.
func (c *client) tell(p Progress) {
	if c.Progress != nil {
		c.Progress(p)
	}
}
