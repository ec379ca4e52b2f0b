package fitted

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
)

// A score is honest only where no column knows the answer. What can be seen of that in a table is looked for here: columns
// that an earlier prediction wrote, columns that tell the target by themselves, and rows that stand on both sides of the
// holdout.

// Below leastForLeak rows, or leastOfClass rows of a class, a column tells a target apart by chance, or because the table is a
// small and clear one: every second of such tables has a column that separates two dozen rows. A note that comes with nearly
// every small table is not read any more.
const (
	leastForLeak = 50
	leastOfClass = 10
)

var quantileColumn = regexp.MustCompile(`^q[0-9]+(_[0-9]+)?$`)

// earlierAnswers lists the features that an earlier prediction of the same target wrote into the table.
func (s *subject) earlierAnswers(left map[string]string) []string {
	var columns []string
	mark, spread, values := false, false, false
	for _, c := range s.table.Columns {
		rest, ok := strings.CutPrefix(strings.ToLower(c.Name), strings.ToLower(s.spec.Target)+"_")
		switch {
		case !ok || left[strings.ToLower(c.Name)] != "":
			continue
		case rest == "predicted" && (c.Kind == frame.Bool || c.MissingCount() == c.Len()):
			mark = true
		case rest == "spread" && c.Kind.Numeric():
			spread = true
		case (strings.HasPrefix(rest, "p_") || quantileColumn.MatchString(rest)) && c.Kind.Numeric():
			values = true
		default:
			continue
		}
		columns = append(columns, c.Name)
	}
	if mark || spread && values {
		return columns
	}
	return nil
}

// refuseEarlierAnswers refuses them: they were made from the target or stand where it was missing.
func (s *subject) refuseEarlierAnswers(left map[string]string, report func(*diag.Problem)) {
	columns := s.earlierAnswers(left)
	if len(columns) == 0 {
		return
	}
	what, were := "columns", "were"
	if len(columns) == 1 {
		what, were = "column", "was"
	}
	report(diag.New("E1619", diag.Span{}, "%s %s %s written by an earlier prediction of %s and would give the answer away", what, diag.Listing(columns), were, s.spec.Target).
		WithHelp("%s", DropFlag(columns)))
}

// DropFlag is the flag that leaves columns out, ready to be copied into a shell.
func DropFlag(columns []string) string {
	fields := make([]string, len(columns))
	for i, name := range columns {
		// The flag is read as a line of CSV.
		if strings.ContainsAny(name, "\",\n\r") || name != strings.TrimSpace(name) {
			name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
		fields[i] = name
	}
	list := strings.Join(fields, ",")
	if !plainWord.MatchString(list) {
		list = "'" + strings.ReplaceAll(list, "'", `'\''`) + "'"
	}
	return "--drop " + list
}

var plainWord = regexp.MustCompile(`^[\pL\pN_,.:/@%+-]+$`)

// noteTelling names the features that tell the target without the help of any other.
func (s *subject) noteTelling() {
	if len(s.labelled) < leastForLeak || s.counts != nil && slices.Min(s.counts) < leastOfClass {
		return
	}
	for _, c := range s.features.Columns {
		if s.tells(c) {
			s.notes = append(s.notes, fmt.Sprintf("column %s tells %s by itself: was it known before %s?", c.Name, s.spec.Target, s.spec.Target))
		}
	}
}

func (s *subject) tells(c *frame.Column) bool {
	if s.task == tabular.Regression {
		return s.linear(c)
	}
	value := func(row int) string {
		if c.IsMissing(row) {
			return "\x00"
		}
		return c.Text(row)
	}
	gap := func(row int) string { return fmt.Sprint(c.IsMissing(row)) }
	return s.decides(value) || s.decides(gap) || s.separates(c)
}

// decides reports whether rows with the same value always have the same label, and most values repeat.
func (s *subject) decides(value func(row int) string) bool {
	class := make(map[string]int)
	for i, row := range s.labelled {
		v := value(row)
		if known, ok := class[v]; ok && known != s.classes[i] {
			return false
		}
		class[v] = s.classes[i]
		if 4*len(class) > len(s.labelled) {
			return false
		}
	}
	return true
}

// separates reports whether the rows in the order of the column are one class after the other: an AUC of 1 for each pair
// of them.
func (s *subject) separates(c *frame.Column) bool {
	if !c.Kind.Numeric() && c.Kind != frame.Date && c.Kind != frame.Timestamp {
		return false
	}
	low, high := make([]float64, len(s.counts)), make([]float64, len(s.counts))
	for i := range low {
		low[i], high[i] = math.Inf(1), math.Inf(-1)
	}
	for i, row := range s.labelled {
		v := c.Float64(row)
		if math.IsNaN(v) {
			return false
		}
		class := s.classes[i]
		low[class], high[class] = min(low[class], v), max(high[class], v)
	}
	order := indices(len(low))
	slices.SortFunc(order, func(a, b int) int {
		if low[a] < low[b] {
			return -1
		}
		return 1
	})
	for i := 1; i < len(order); i++ {
		if high[order[i-1]] >= low[order[i]] {
			return false
		}
	}
	return true
}

// linear reports whether the target is a straight line of the column: R² of 1 but for rounding.
func (s *subject) linear(c *frame.Column) bool {
	if !c.Kind.Numeric() {
		return false
	}
	n, meanX, meanY, xx, yy, xy := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for _, row := range s.labelled {
		x, y := c.Float64(row), s.target.Float64(row)
		if math.IsNaN(x) {
			continue
		}
		n++
		dx, dy := x-meanX, y-meanY
		meanX, meanY = meanX+dx/n, meanY+dy/n
		xx, yy, xy = xx+dx*(x-meanX), yy+dy*(y-meanY), xy+dx*(y-meanY)
	}
	const rounding = 1e-9
	return n >= leastForLeak && 10*n >= 9*float64(len(s.labelled)) && xx > 0 && yy > 0 && xy/xx*xy/yy > 1-rounding
}

// noteShared says how many held rows are copies of rows that teach: for them a score measures memory. A tenth of them is
// enough to be told. In a table of a few categories rows are alike without being copies, so either the columns must be able
// to tell at least four times as many rows apart as there are, or there must be far fewer different rows than they can.
func (s *subject) noteShared(taught, held []int) string {
	different := 1.0
	for _, c := range s.features.Columns {
		distinct, _ := s.levels(c)
		different *= float64(max(1, distinct))
	}
	key := func(row int) string {
		var b strings.Builder
		for _, c := range s.features.Columns {
			fmt.Fprintf(&b, "%t%q", c.IsMissing(row), c.Text(row))
		}
		b.WriteString(s.target.Text(row))
		return b.String()
	}
	known := make(map[string]bool, len(taught))
	for _, row := range taught {
		known[key(row)] = true
	}
	shared := 0
	for _, row := range held {
		if known[key(row)] {
			shared++
		}
	}
	for _, row := range held {
		known[key(row)] = true
	}
	n := float64(len(s.labelled))
	if 10*shared < len(held) || shared == 0 || different < 4*n && 4*float64(len(known)) > min(n, different) {
		return ""
	}
	return fmt.Sprintf("%d of the %d rows held back stand among the rows that teach as well, so the score is too good", shared, len(held))
}
