package fitted

import (
	"bytes"
	"context"
	"encoding/binary"
	"regexp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// DecodeContext reads a context file without its weights: its outline, and the rows that taught where it has them.
func DecodeContext(data []byte) (s *Stored, features *frame.Frame, err error) {
	if s, err = decodeContext(context.Background(), data); err != nil || s.head.Cache != tabular.CacheNone {
		return s, nil, err
	}
	features, _, err = s.rows()
	return s, features, err
}

var sealed = regexp.MustCompile(`"checksum":"([^"]{64})"`)

// Resealed edits a context file's header once and gives the file a header length and a checksum that fit.
func Resealed(data []byte, old, becomes string) []byte {
	data = bytes.Clone(data)
	if old != "" {
		data = bytes.Replace(data, []byte(old), []byte(becomes), 1)
		binary.LittleEndian.PutUint64(data, binary.LittleEndian.Uint64(data)+uint64(len(becomes)-len(old)))
	}
	m := sealed.FindSubmatchIndex(data)
	if m == nil {
		return data
	}
	sum, err := checksum(context.Background(), blanked(data, m[2]))
	if err != nil {
		panic(err)
	}
	copy(data[m[2]:m[3]], sum)
	return data
}

// Explain turns an error into a problem for the user.
func Explain(err error) error { return explain(err, nil) }
