package sql

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// Edit replaces a byte range of a text.
type Edit struct {
	Range
	Text string
}

// Rewrite returns the text of file with the edits made; everything else, comments and layout
// included, stays as it is. Edits may come in any order but must not overlap: two edits of one
// place are a mistake of the caller, not of a user.
func Rewrite(file *diag.File, edits []Edit) string {
	return RewriteRange(file, Range{0, int32(len(file.Text))}, edits)
}

// RewriteRange is Rewrite of one part of the file, such as the query behind a header. All edits
// must lie inside it.
func RewriteRange(file *diag.File, within Range, edits []Edit) string {
	sorted := slices.SortedStableFunc(slices.Values(edits), func(a, b Edit) int { return int(a.Start) - int(b.Start) })
	var b strings.Builder
	pos := within.Start
	for _, e := range sorted {
		diag.Assert(e.Start >= pos && e.End >= e.Start && e.End <= within.End,
			"edit %d..%d of %s overlaps another or lies outside", e.Start, e.End, file.Path)
		b.WriteString(file.Text[pos:e.Start])
		b.WriteString(e.Text)
		pos = e.End
	}
	b.WriteString(file.Text[pos:within.End])
	return b.String()
}
