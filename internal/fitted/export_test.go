package fitted

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"regexp"

	"github.com/norn-data/norn/internal/frame"
)

// DecodeContext reads a context file without fitting it.
func DecodeContext(data []byte) (rows int, features *frame.Frame, err error) {
	head, features, _, err := decodeContext(data)
	return head.Rows, features, err
}

var checksumMember = regexp.MustCompile(`"checksum":"([^"]{64})"`)

// Resealed edits a context file's header once and gives the file a header length and a checksum that fit.
func Resealed(data []byte, old, becomes string) []byte {
	data = bytes.Clone(data)
	if old != "" {
		data = bytes.Replace(data, []byte(old), []byte(becomes), 1)
		binary.LittleEndian.PutUint64(data, binary.LittleEndian.Uint64(data)+uint64(len(becomes)-len(old)))
	}
	m := checksumMember.FindSubmatchIndex(data)
	if m == nil {
		return data
	}
	copy(data[m[2]:m[3]], noChecksum)
	sum := sha256.Sum256(data)
	copy(data[m[2]:m[3]], hex.EncodeToString(sum[:]))
	return data
}
