package warehouse

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// OpenCSV reads and checks a file. Names ending in .gz are unpacked, .tsv files are split at tabs, and for all others the
// delimiter (one of comma, semicolon, tab, bar) is found out.
func OpenCSV(ctx context.Context, path string) (*CSV, error) {
	text, err := readText(ctx, path)
	if err != nil {
		return nil, err
	}
	var delimiter byte
	if strings.HasSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".tsv") {
		delimiter = '\t'
	}
	return ParseCSV(ctx, diag.NewFile(path, text), delimiter)
}

// readText reads a file whole. Text of a whole file is what spans point into, and the two passes of the reader go over it
// much faster than over a stream.
func readText(ctx context.Context, path string) (_ string, err error) {
	info, err := Readable(path)
	if err != nil {
		return "", err
	}
	if info.Size() == 0 {
		return "", emptyFile(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", Unreadable(path, err)
	}
	defer file.Close()
	var source io.Reader = stopReader{ctx, file}
	var text strings.Builder
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		if source, err = gzip.NewReader(source); err != nil {
			return "", badGzip(ctx, path, err)
		}
	} else {
		// One allocation of the right size: growing step by step would hold the file twice.
		text.Grow(int(info.Size()) + 1)
	}
	if _, err := io.Copy(&text, source); err != nil {
		if strings.HasSuffix(strings.ToLower(path), ".gz") {
			return "", badGzip(ctx, path, err)
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", Unreadable(path, err)
	}
	return text.String(), nil
}

// Unreadable is the problem of a file that cannot be opened or read. For one that does not exist it looks for the nearest
// name in the folder.
func Unreadable(path string, err error) *diag.Problem {
	// os errors repeat the path; the message has it already.
	reason := err
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pathError.Err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		p := diag.New("E1501", diag.Span{}, "%s cannot be read: %v", path, reason)
		if errors.Is(err, fs.ErrPermission) {
			return p.WithHelp("give yourself the right to read it: chmod u+r %s", path)
		}
		return p.WithHelp("check the disk or the network drive it lies on")
	}
	p := diag.New("E1501", diag.Span{}, "there is no file %s", path)
	folder, name := filepath.Dir(path), filepath.Base(path)
	entries, readErr := os.ReadDir(folder)
	if readErr != nil {
		return p.WithHelp("the folder %s does not exist or cannot be read", folder)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	if near := diag.Nearest(name, names); near != "" {
		return p.WithHelp("did you mean %s?", filepath.Join(folder, near))
	}
	if len(names) == 0 {
		return p.WithHelp("the folder %s holds no files", folder)
	}
	return p.WithHelp("the folder %s holds %s", folder, diag.Listing(names))
}

// emptyFile is the problem of a file without content.
func emptyFile(path string) *diag.Problem {
	return diag.New("E1502", diag.Span{}, "%s is empty", path).
		WithHelp("a table needs a line with column names and at least one row; check what should have written the file")
}

// badGzip tells a file that was cut off, which copying again repairs, from one that is no gzip file at all.
func badGzip(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return diag.New("E1507", diag.Span{}, "%s is a gzip file that ends too early", path).WithHelp("copy or download it again")
	}
	return diag.New("E1507", diag.Span{}, "%s cannot be unpacked: %v", path, err).
		WithHelp("test it with: gzip -t %s", path)
}

// NoRows is the problem of a file with a header and nothing below it.
func NoRows(path string) *diag.Problem {
	return diag.New("E1503", diag.Span{}, "%s has a header and no rows", path).
		WithHelp("add at least one row below the header; check what should have written the file")
}

// A stopReader stops a long read when its context ends.
type stopReader struct {
	ctx context.Context
	r   io.Reader
}

func (s stopReader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}
