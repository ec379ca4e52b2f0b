package project

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"unicode/utf8"
)

// A Cell is one cell of a seed. An empty cell without quotes has no value; "" in quotes is the empty text.
type Cell struct {
	Text string
	Null bool
}

// maxRecord bounds one record of a CSV file. A quote that is never closed would otherwise take the whole file into memory.
const maxRecord = 16 << 20

// A csvFault is what is wrong with a record: where, in lines and bytes, and what.
type csvFault struct {
	line    int    // from 1
	at, end int    // bytes into text
	text    string // the line
	code    string
	message string
	help    string
}

// csvReader reads CSV as RFC 4180 has it: commas, quotes doubled inside quoted fields, lines ended by LF or CRLF. It holds
// one record at a time. A line whose quotes are wrong is reported and skipped.
type csvReader struct {
	in   *bufio.Reader
	line int // lines read so far

	// The current record: its cells lie in data, ends[i] is the end of cell i.
	data   []byte
	ends   []int
	quoted []bool
	places []csvPlace // where each cell starts
	raw    []byte     // the last physical line, without its end
	first  int        // the line the record starts on
	err    error
}

// csvPlace is where a cell starts: a line, and a byte of it.
type csvPlace struct{ line, at int }

// newCSVReader reads in pieces of 64 KiB, which is where larger ones stop being faster on local disks. size is that of the
// file: a project has hundreds of small seeds, which need no such buffer.
func newCSVReader(r io.Reader, size int64) *csvReader {
	return &csvReader{in: bufio.NewReaderSize(r, int(min(max(size+1, 512), 64<<10)))}
}

// sizeOf is the size of an open file, or that of the largest buffer where the file system does not say.
func sizeOf(f fs.File) int64 {
	if info, err := f.Stat(); err == nil {
		return info.Size()
	}
	return 64 << 10
}

var errRecordTooLong = errors.New("record too long")

// readLine reads a physical line into raw. The result is io.EOF behind the last one.
func (c *csvReader) readLine() error {
	c.raw = c.raw[:0]
	for {
		part, err := c.in.ReadSlice('\n')
		c.raw = append(c.raw, part...)
		if len(c.raw) > maxRecord {
			return errRecordTooLong
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (err != io.EOF || len(c.raw) == 0) {
			return err
		}
		break
	}
	c.line++
	if c.line == 1 {
		c.raw = bytes.TrimPrefix(c.raw, []byte("\ufeff"))
	}
	c.raw = bytes.TrimSuffix(c.raw, []byte("\n"))
	c.raw = bytes.TrimSuffix(c.raw, []byte("\r"))
	return nil
}

// next reads a record. It returns false at the end of the file or after an error of reading (err). A fault means that the
// record is unusable; reading can go on behind it.
func (c *csvReader) next() (fault *csvFault, ok bool) {
	c.data, c.ends, c.quoted, c.places = c.data[:0], c.ends[:0], c.quoted[:0], c.places[:0]
	if err := c.readLine(); err != nil {
		return c.readFault(err)
	}
	c.first = c.line
	at := 0
	for {
		c.places = append(c.places, csvPlace{c.line, at})
		if at < len(c.raw) && c.raw[at] == '"' {
			next, fault, ok := c.quotedField(at)
			if fault != nil || !ok {
				return fault, ok
			}
			at = next
		} else {
			end := bytes.IndexByte(c.raw[at:], ',')
			if end < 0 {
				end = len(c.raw) - at
			}
			field := c.raw[at : at+end]
			if q := bytes.IndexByte(field, '"'); q >= 0 {
				return c.fault(at+q, at+q+1, "E0130", "a quote inside a field without quotes",
					`put the whole field in quotes and write the quote twice: "a ""b"" c"`), true
			}
			c.data = append(c.data, field...)
			c.ends = append(c.ends, len(c.data))
			c.quoted = append(c.quoted, false)
			at += end
		}
		if at >= len(c.raw) {
			break
		}
		at++ // the comma; a comma at the end of the line opens one more, empty field
		if at == len(c.raw) {
			c.places = append(c.places, csvPlace{c.line, at})
			c.ends = append(c.ends, len(c.data))
			c.quoted = append(c.quoted, false)
			break
		}
	}
	if !utf8.Valid(c.data) {
		return c.encodingFault(), true
	}
	return nil, true
}

// readFault sorts the ends of reading: the end of the file, a line that is no line, trouble of the world.
func (c *csvReader) readFault(err error) (*csvFault, bool) {
	switch {
	case errors.Is(err, io.EOF):
		return nil, false
	case errors.Is(err, errRecordTooLong):
		c.err = nil
		return &csvFault{line: c.line + 1, code: "E0130", message: "the line is longer than 16 MiB",
			help: "is this a CSV file? its lines end with a line feed"}, false
	}
	c.err = err
	return nil, false
}

// quotedField reads a field in quotes, which may go over several lines, and returns the offset behind its closing quote.
func (c *csvReader) quotedField(at int) (next int, fault *csvFault, ok bool) {
	openLine, openAt := c.line, at
	openText := ""
	i := at + 1
	for {
		q := bytes.IndexByte(c.raw[i:], '"')
		if q >= 0 {
			c.data = append(c.data, c.raw[i:i+q]...)
			i += q + 1
			if i < len(c.raw) && c.raw[i] == '"' {
				c.data = append(c.data, '"')
				i++
				continue
			}
			if i < len(c.raw) && c.raw[i] != ',' {
				return 0, c.fault(i, i+1, "E0130", "text after the closing quote of a field",
					"a quote inside a quoted field is written twice"), true
			}
			c.ends = append(c.ends, len(c.data))
			c.quoted = append(c.quoted, true)
			return i, nil, true
		}
		// The field goes on in the next line.
		c.data = append(c.data, c.raw[i:]...)
		c.data = append(c.data, '\n')
		if openText == "" {
			openText = string(c.raw)
		}
		unclosed := &csvFault{line: openLine, at: openAt, end: openAt + 1, text: openText, code: "E0130",
			message: "this quote is never closed", help: "end the field with a quote"}
		if len(c.data) > maxRecord {
			return 0, unclosed, false
		}
		if err := c.readLine(); err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, errRecordTooLong) {
				c.err = err
				return 0, nil, false
			}
			return 0, unclosed, false
		}
		i = 0
	}
}

// fault is a fault in the line that was read last.
func (c *csvReader) fault(at, end int, code, message, help string) *csvFault {
	return &csvFault{line: c.line, at: at, end: end, text: string(c.raw), code: code, message: message, help: help}
}

// encodingFault looks for the invalid byte of a record that is known to hold one.
func (c *csvReader) encodingFault() *csvFault {
	// The invalid byte lies in the last line unless the record has several; then its first line must do.
	at := 0
	for at < len(c.raw) {
		r, size := utf8.DecodeRune(c.raw[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return c.fault(at, min(at+1, len(c.raw)), "E0011", "this byte is not UTF-8", "save the file as UTF-8")
}

// cells is the number of cells of the record; cell returns one. The bytes are valid until the next record is read.
func (c *csvReader) cells() int { return len(c.ends) }

// cell returns the bytes of a cell and whether it has no value at all: nothing between its commas, not even quotes.
func (c *csvReader) cell(i int) (text []byte, null bool) {
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	text = c.data[start:c.ends[i]]
	return text, len(text) == 0 && !c.quoted[i]
}

// place is the stretch of the line a cell was written in, for problems; cells that start on an earlier line than the
// current one are pointed at by the start of the current one.
func (c *csvReader) place(i int) (at, end int) {
	p := c.places[i]
	if p.line != c.line {
		return 0, 0
	}
	end = len(c.raw)
	if i+1 < len(c.places) && c.places[i+1].line == c.line {
		end = c.places[i+1].at - 1
	}
	return p.at, max(p.at, end)
}
