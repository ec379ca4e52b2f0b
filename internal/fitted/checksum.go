package fitted

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

// checksumBlock is the size of the pieces that are summed side by side: large enough that a piece's own cost does not
// show, small enough that two cores share a file of a few megabytes.
const checksumBlock = 1 << 20

// noChecksum stands in the file while its checksum is computed.
var noChecksum = strings.Repeat("0", 2*sha256.Size)

// checksumMember stands before the checksum in the header. It is the only JSON member of that name: inside the texts of
// the metadata every quote has a backslash before it.
const checksumMember = `"checksum":"`

// checksum is the SHA-256 of the SHA-256s of the blocks of a file, which is given in pieces. A chain of sums would keep one
// core busy and the others waiting.
func checksum(ctx context.Context, pieces [][]byte) (string, error) {
	total := 0
	for _, p := range pieces {
		total += len(p)
	}
	blocks := (total + checksumBlock - 1) / checksumBlock
	sums := make([]byte, blocks*sha256.Size)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	piece, at := 0, 0 // where the next block starts
	for b := range blocks {
		var parts [][]byte
		for left := min(checksumBlock, total-b*checksumBlock); left > 0; {
			rest := pieces[piece][at:]
			n := min(left, len(rest))
			parts = append(parts, rest[:n])
			left, at = left-n, at+n
			if at == len(pieces[piece]) {
				piece, at = piece+1, 0
			}
		}
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			sum := sha256.New()
			for _, p := range parts {
				sum.Write(p)
			}
			sum.Sum(sums[b*sha256.Size : b*sha256.Size : (b+1)*sha256.Size])
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	all := sha256.Sum256(sums)
	return hex.EncodeToString(all[:]), nil
}

// checksumPlace is where a checksum stands in a header; -1 where it does not.
func checksumPlace(header []byte, sum string) int {
	at := bytes.Index(header, []byte(checksumMember+sum+`"`))
	if at < 0 {
		return -1
	}
	return at + len(checksumMember)
}

// blanked gives a file in three pieces, with zeros in the place of its checksum.
func blanked(data []byte, at int) [][]byte {
	return [][]byte{data[:at], []byte(noChecksum), data[at+len(noChecksum):]}
}
