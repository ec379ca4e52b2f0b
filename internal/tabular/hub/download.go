package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// download fills blobs/<etag>.incomplete, hashes it as it lies on the disk and gives it its name. The caller holds the
// lock of the etag.
func (c *client) download(ctx context.Context, at place, f File, m metadata) error {
	partial := at.partial(m.etag)
	for {
		resumed, err := c.fill(ctx, f, m, partial)
		if errors.Is(err, errChanged) {
			// The commit has another file now, so nobody can ever complete this one.
			_ = os.Remove(partial)
		}
		if err != nil {
			return err
		}
		want, whose := promised(f, m)
		if want == "" {
			break // the etag is no digest and nobody knows one: the size was all there was to hold the file to
		}
		c.tell(Progress{File: f, Stage: Checking, Size: m.size, Have: m.size})
		got, err := digestOf(ctx, partial)
		if err != nil {
			return err
		}
		if got == want {
			break
		}
		if err := os.Remove(partial); err != nil {
			return c.unwritable(fmt.Errorf("removing a download with wrong bytes: %w", err))
		}
		err = c.otherBytes("the downloaded file", got, want, whose,
			"it was removed: pull again; if that ends the same way, something between here and the hub changes files (HF_ENDPOINT, HTTPS_PROXY)")
		if !resumed {
			return err
		}
		// The first part came from an earlier process, perhaps from before a power cut. The hub is not to blame yet.
		c.tell(Progress{File: f, Stage: Retrying, Size: m.size, Err: err})
	}
	if err := c.rename(partial, at.blob(m.etag)); err != nil {
		return c.unwritable(fmt.Errorf("naming the downloaded file: %w", err))
	}
	return c.unwritable(syncFolder(at.in("blobs")))
}

// promised is the digest a file is held to, and in words whose it is. The caller's own goes first: a mirror cannot
// replace it.
func promised(f File, m metadata) (digest, whose string) {
	if f.SHA256 != "" {
		return f.digest(), "the digest it is known by"
	}
	return m.digest, "the digest the hub promised"
}

// fill brings the partial file to its full size and onto the disk. resumed tells whether bytes of an earlier call are in
// it.
func (c *client) fill(ctx context.Context, f File, m metadata, partial string) (resumed bool, err error) {
	file, err := os.OpenFile(partial, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return false, c.unwritable(fmt.Errorf("opening the partial download: %w", err))
	}
	defer func() {
		if closed := file.Close(); err == nil && closed != nil {
			err = c.unwritable(fmt.Errorf("closing the partial download: %w", closed))
		}
	}()
	have, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return false, fmt.Errorf("reading the partial download: %w", err)
	}
	// The lock is ours, so the size is not going to change under us.
	d := &delivery{client: c, file: file, f: f, m: m, have: have, resumed: have > 0}
	if have > m.size {
		if err := d.restart(); err != nil {
			return false, err
		}
	}
	// Better to say so now than after an hour. What others write meanwhile is found out by writing.
	if free, known := c.free(filepath.Dir(partial)); known && free < m.size-d.have {
		return false, c.noRoom(m.size-d.have, free)
	}
	for d.have < m.size { // an empty file, or one that only had to be named, needs no request
		err := c.persist(ctx, Progress{File: f, Size: m.size}, func(p *Progress) (bool, error) {
			before := d.have
			err := d.try(ctx)
			p.Have = d.have
			return d.have-before >= enough, err
		})
		if err != nil {
			return false, err
		}
	}
	// On the disk before it gets its name: after a power cut a name must not stand for bytes that never arrived.
	if err := file.Sync(); err != nil {
		return false, c.unwritable(fmt.Errorf("writing the download to the disk: %w", err))
	}
	return d.resumed, nil
}

// enough is how many bytes make a try one that brought something. A server that drops every connection after a few bytes
// would otherwise be asked without end.
const enough = 1 << 20

// A delivery is a partial file and what it waits for.
type delivery struct {
	*client
	file    *os.File
	f       File
	m       metadata
	have    int64  // bytes in the file; its offset stands behind them
	resumed bool   // some of them came with an earlier call
	store   string // the etag of the store behind the endpoint, "" before it has answered
}

// restart empties the file.
func (d *delivery) restart() error {
	if err := d.file.Truncate(0); err != nil {
		return d.unwritable(fmt.Errorf("emptying the partial download: %w", err))
	}
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("emptying the partial download: %w", err)
	}
	d.have, d.resumed = 0, false
	return nil
}

// again empties the file and makes the reason a passing trouble: what is there cannot be continued, but the file can be
// had.
func (d *delivery) again(format string, args ...any) error {
	if err := d.restart(); err != nil {
		return err
	}
	return &passing{err: fmt.Errorf(format, args...)}
}

// try makes one request for the missing bytes and writes what comes. It asks for the file at the commit, which does not
// move when the branch does.
func (d *delivery) try(ctx context.Context) error {
	ctx, heard, stop := d.listen(ctx)
	defer stop()
	header := http.Header{}
	if d.have > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", d.have))
		if d.m.own {
			header.Set("If-Range", `"`+d.m.etag+`"`)
		}
	}
	answer, err := d.follow(ctx, http.MethodGet, d.address(d.f, d.m.commit), header, func(answer *http.Response, to *url.URL) (bool, error) {
		// A redirect inside the endpoint is about the name of the repository, not about the file.
		if d.home(to) {
			return true, nil
		}
		return true, d.compare(answer)
	})
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	heard()
	if err := d.start(answer); err != nil {
		return err
	}
	return d.write(ctx, answer, heard)
}

// compare holds an answer against the etag that was resolved. Answers of the endpoint carry it. A store has one of its
// own, which is compared with what it said the last time.
func (d *delivery) compare(answer *http.Response) error {
	etag := etagOf(answer.Header)
	switch {
	case etag == "":
	case d.home(answer.Request.URL):
		if etag != d.m.etag {
			return errChanged
		}
	case d.store != "" && d.store != etag && d.have > 0:
		d.store = ""
		return d.again("%s has other bytes than before", answer.Request.URL.Host)
	default:
		d.store = etag
	}
	return nil
}

// start makes the file ready for the body of an answer: its offset is where the body belongs.
func (d *delivery) start(answer *http.Response) error {
	host := answer.Request.URL.Host
	switch answer.StatusCode {
	case http.StatusOK:
		if err := d.compare(answer); err != nil {
			return err
		}
		// Looked at before anything is thrown away: the page of a proxy that wants a login is a whole answer too.
		if n := answer.ContentLength; n >= 0 && n != d.m.size {
			return &passing{err: fmt.Errorf("%s sends %d bytes instead of %d", host, n, d.m.size)}
		}
		if d.have > 0 { // the server does not know Range, or the file is not the one that If-Range named
			return d.restart()
		}
	case http.StatusPartialContent:
		if err := d.compare(answer); err != nil {
			return err
		}
		text := answer.Header.Get("Content-Range")
		if begin, size, ok := parseContentRange(text); !ok || begin != d.have || size >= 0 && size != d.m.size {
			return d.again("%s sends %q, which does not go on after byte %d of %d", host, text, d.have, d.m.size)
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return d.again("%s has nothing after byte %d of %d", host, d.have, d.m.size)
	default:
		if answer.StatusCode >= 400 {
			return d.refused(d.f, answer)
		}
		return fmt.Errorf("%s answers %d instead of sending the file", host, answer.StatusCode)
	}
	return nil
}

// parseContentRange reads "bytes 100-199/200". The size is -1 where the server does not tell it ("*").
func parseContentRange(text string) (begin, size int64, ok bool) {
	rest, ok := strings.CutPrefix(text, "bytes ")
	span, total, ok2 := strings.Cut(rest, "/")
	from, to, ok3 := strings.Cut(span, "-")
	begin, err := strconv.ParseInt(from, 10, 64)
	end, err2 := strconv.ParseInt(to, 10, 64)
	size = -1
	var err3 error
	if total != "*" {
		size, err3 = strconv.ParseInt(total, 10, 64)
	}
	if !ok || !ok2 || !ok3 || errors.Join(err, err2, err3) != nil || begin < 0 || end < begin || total != "*" && size <= end {
		return 0, 0, false
	}
	return begin, size, true
}

// write appends the body to the file.
func (d *delivery) write(ctx context.Context, answer *http.Response, heard func()) error {
	d.told()
	buffer := make([]byte, 256<<10)
	for {
		n, err := answer.Body.Read(buffer)
		if n > 0 {
			heard()
			// Without this a server could fill the disk.
			if d.have+int64(n) > d.m.size {
				return d.again("%s sends more than %d bytes", answer.Request.URL.Host, d.m.size)
			}
			wrote, failed := d.file.Write(buffer[:n])
			d.have += int64(wrote)
			if failed != nil {
				return d.unwritable(fmt.Errorf("writing the download: %w", failed))
			}
			d.told()
		}
		switch {
		case err == nil:
		case d.have == d.m.size: // all is here; how the connection ends no longer matters
			return nil
		case errors.Is(err, io.EOF):
			return &passing{err: fmt.Errorf("%s ended the connection after %d of %d bytes", answer.Request.URL.Host, d.have, d.m.size)}
		default:
			return d.dropped(ctx, answer.Request.URL, err)
		}
	}
}

// told tells how far the file has come, once for each piece of at most 256 KiB.
func (d *delivery) told() {
	d.tell(Progress{File: d.f, Stage: Downloading, Size: d.m.size, Have: d.have})
}
