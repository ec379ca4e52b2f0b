package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// An invocation is one run of norn as its user sees it. Commands write through its methods only; they may be called
// from any number of goroutines.
type invocation struct {
	stdout, stderr *stream
	json           bool

	mu      sync.Mutex
	label   string // of the progress line before, so that a repeated one is left out
	columns []int  // widths of the progress cells; negative ones are right aligned
	wrote   bool   // the JSON document is on stdout
}

// newInvocation finds out what the streams can show. NO_COLOR with any value, and TERM=dumb, turn colours off.
func newInvocation(s Streams, asJSON bool) *invocation {
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return &invocation{stdout: newStream(s.Stdout, plain), stderr: newStream(s.Stderr, plain), json: asJSON}
}

// A stream is a writer that knows whether it is a terminal and remembers the first error of writing, so that a full
// disk behind a redirection is told once, at the end, and not at every line.
type stream struct {
	w     io.Writer
	width int // columns a table may take; 0 is without limit
	color bool
	err   error
}

// pipeWidth is what a table may take where there is no terminal to ask: wide enough for a report, narrow enough for a log.
const pipeWidth = 120

// newStream asks a terminal for its width. Elsewhere COLUMNS says it, as it does for other programs.
func newStream(w io.Writer, plain bool) *stream {
	s := &stream{w: w, width: pipeWidth}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		s.width = columns
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return s
	}
	s.color = !plain
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.width = width
	}
	return s
}

// Write never reports short writes to its callers: the error waits in s.err for the end of the invocation.
func (s *stream) Write(p []byte) (int, error) {
	if s.err == nil {
		_, s.err = s.w.Write(p)
	}
	return len(p), nil
}

// paint returns a function that colours text on this stream and leaves it alone on a plain one. The library's own
// global switch is not used: it looks at the process, not at the stream.
func (s *stream) paint(attributes ...color.Attribute) func(string) string {
	if !s.color {
		return func(text string) string { return text }
	}
	c := color.New(attributes...)
	c.EnableColor()
	return func(text string) string { return c.Sprint(text) }
}

// JSON writes the invocation's one document: indented, without HTML escapes, one newline at the end. Field order is that
// of the Go type, so output is stable.
func (out *invocation) JSON(v any) error {
	out.mu.Lock()
	defer out.mu.Unlock()
	if out.wrote {
		return fmt.Errorf("a second JSON document was about to be written")
	}
	out.wrote = true
	e := json.NewEncoder(out.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Answer writes one line of what was asked for to stdout, with a label in front. It says nothing in JSON mode.
func (out *invocation) Answer(label, format string, args ...any) {
	if out.json {
		return
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	fmt.Fprintln(out.stdout, labelled(out.stdout, label, fmt.Sprintf(format, args...)))
}

// A line is one line of progress:
//
//	build   orders         view                                             1 ms
//	        churn          prediction   60 rows   holdout AUC 0.87          1.6 s   demo model (built in)
//
// The label is left out where it repeats the one before. Cells stand in the columns set by [invocation.Columns]; Took
// ends at a fixed column, and is left out where it is negative; Note follows it.
type line struct {
	Label string
	Cells []string
	Took  time.Duration
	Note  string
}

// Widths of a progress line: labels take a column of their own, times end at the same place everywhere.
const (
	labelWidth = 8
	tookEnds   = 76
)

// Columns sets the widths of the cells of the lines that follow, in terminal columns; a negative width aligns to the
// right. Cells beyond the widths given are set with three spaces between them.
func (out *invocation) Columns(widths ...int) {
	out.mu.Lock()
	defer out.mu.Unlock()
	out.columns = widths
}

// Line writes a line of progress to stderr.
func (out *invocation) Line(l line) {
	out.mu.Lock()
	defer out.mu.Unlock()
	label := l.Label
	if label == out.label {
		label = ""
	}
	out.label = l.Label
	var text strings.Builder
	for i, cell := range l.Cells {
		width := 0
		if i < len(out.columns) {
			width = out.columns[i]
		}
		if i > 0 {
			text.WriteString("  ")
		}
		text.WriteString(pad(cell, width))
	}
	body := strings.TrimRight(text.String(), " ")
	if l.Took >= 0 {
		took := duration(l.Took)
		room := tookEnds - labelWidth - runewidth.StringWidth(body)
		body += strings.Repeat(" ", max(2, room-runewidth.StringWidth(took))) + out.stderr.paint(color.Faint)(took)
	}
	if l.Note != "" {
		body += "   " + l.Note
	}
	fmt.Fprintln(out.stderr, labelled(out.stderr, label, body))
}

// Next names the commands that make sense now. It goes to stderr and says nothing in JSON mode.
func (out *invocation) Next(commands ...string) {
	if out.json {
		return
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	out.label = "next"
	fmt.Fprintln(out.stderr, labelled(out.stderr, "next", strings.Join(commands, "    ")))
}

func labelled(s *stream, label, text string) string {
	padded := pad(label, labelWidth)
	if label != "" {
		padded = strings.Replace(padded, label, s.paint(color.Bold)(label), 1)
	}
	return strings.TrimRight(padded+text, " ")
}

// pad fills text with spaces to width terminal columns: on the right, or on the left where width is negative.
func pad(text string, width int) string {
	fill := strings.Repeat(" ", max(0, max(width, -width)-runewidth.StringWidth(text)))
	if width < 0 {
		return fill + text
	}
	return text + fill
}

// duration writes a time as a person reads it: 12 ms, 1.6 s, 2 min 5 s.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "<1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
}

// size writes a number of bytes as a person reads it, in decimal units: bytes and KB whole, the larger ones with a tenth.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	units := []string{"KB", "MB", "GB", "TB", "PB", "EB"}
	value := float64(n) / 1000
	// A number that would be rounded to 1000 of a unit is 1.0 of the next. Whole KB are rounded to one, the others to a tenth.
	for limit := 999.5; value >= limit && len(units) > 1; limit = 999.95 {
		value, units = value/1000, units[1:]
	}
	if units[0] == "KB" {
		return fmt.Sprintf("%.0f KB", value)
	}
	return fmt.Sprintf("%.1f %s", value, units[0])
}

// count writes a number with the noun in the right form: "1 row", "60 rows". The plural is the noun with an s, which
// is what all of norn's nouns take.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
