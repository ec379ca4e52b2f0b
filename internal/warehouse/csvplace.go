package warehouse

import (
	"io/fs"
	"os"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// Readable refuses what is no file that can be read more than once: standard input, pipes, devices, sockets, folders and
// addresses on the web. It asks before anything is opened, because opening a pipe takes bytes out of it, or waits for
// somebody to write. Links are followed. Every refusal is an E1501.
func Readable(path string) (fs.FileInfo, error) {
	if path == "-" || path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") {
		return nil, notRegular(path, "standard input")
	}
	if scheme, rest, ok := strings.Cut(path, "://"); ok && isScheme(scheme) {
		p := diag.New("E1501", diag.Span{}, "%s is an address and not a file", path)
		if strings.EqualFold(scheme, "file") {
			return nil, p.WithHelp("write the path alone: %s", rest)
		}
		return nil, p.WithHelp("norn reads local files; download it first")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return info, nil
	case mode.IsDir():
		return nil, diag.New("E1501", diag.Span{}, "%s is a folder, not a file", path).WithHelp("name a file in it")
	case mode&fs.ModeNamedPipe != 0:
		return nil, notRegular(path, "a pipe")
	case mode&fs.ModeSocket != 0:
		return nil, notRegular(path, "a socket")
	case mode&fs.ModeDevice != 0:
		return nil, notRegular(path, "a device")
	}
	return nil, notRegular(path, "no regular file")
}

// isScheme reports whether a text can be the scheme of a URL (RFC 3986, section 3.1). A single letter is a drive.
func isScheme(s string) bool {
	for _, b := range []byte(strings.ToLower(s)) {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '+' && b != '-' && b != '.' {
			return false
		}
	}
	return len(s) > 1
}

// notRegular is the problem of a source that gives its bytes once.
func notRegular(path, what string) *diag.Problem {
	return diag.New("E1501", diag.Span{}, "%s is %s: norn reads files more than once", path, what).WithHelp("write it to a file first")
}
