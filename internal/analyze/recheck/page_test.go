package recheck

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The page about the cache says of the header what the code writes: its bytes are taken apart by what the page says.
func TestCachePage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "formats", "check-cache.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, ok := strings.Cut(string(text), "## Header")
	if !ok {
		t.Fatal("the page has no chapter about the header")
	}
	page, _, _ = strings.Cut(page, "## Head\n")
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`).FindAllStringSubmatch(page, -1)
	if len(rows) != 3 {
		t.Fatalf("%d rows about the header, want magic, length and digest", len(rows))
	}
	body := []byte("what a run said")
	rest := front(magic, body)
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		if err != nil || n > len(rest) {
			t.Fatalf("%q: %s bytes of %d that are left", row[2], row[1], len(rest))
		}
		var part []byte
		part, rest = rest[:n], rest[n:]
		switch what := row[2]; {
		case strings.Contains(what, "and a newline"):
			if quoted := regexp.MustCompile("`([^`]*)`").FindStringSubmatch(what); quoted == nil || !bytes.Equal(part, []byte(quoted[1]+"\n")) {
				t.Errorf("the page says %s, the file begins with %q", what, part)
			}
		case strings.HasPrefix(what, "length ") && strings.HasSuffix(what, "little endian"):
			if number := binary.LittleEndian.Uint64(part); number != uint64(len(body)) {
				t.Errorf("the page says %s, the file has %d for %d bytes", what, number, len(body))
			}
		case strings.HasPrefix(what, "SHA-256 "):
			if want := sha256.Sum256(body); !bytes.Equal(part, want[:]) {
				t.Errorf("the page says %s, the file has %x, want %x", what, part, want)
			}
		default:
			t.Errorf("no check for the row %q", what)
		}
	}
	if len(rest) > 0 {
		t.Errorf("the page says nothing about the last %d bytes of the header", len(rest))
	}
}
