package fitted

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/prep"
)

// explain turns what preprocessing and models refuse about a user's table into problems. rows are the places of the
// refused rows in that table, so that a message counts rows as the user does; nil means that they are the table's own.
// Everything else comes back as it is.
func explain(err error, rows []int) error {
	row := func(i int) int {
		if rows != nil {
			i = rows[i]
		}
		return i + 1
	}
	var (
		infinity *prep.InfinityError
		tooLarge *prep.RangeError
		none     *prep.NoFeaturesError
		kind     *prep.KindError
		missing  *prep.MissingColumnError
		label    *prep.TargetError
		classes  *tabular.ClassesError
		memory   *tabular.MemoryError
		option   *tabular.OptionError
		foreign  *tabular.ForeignOptionError
		p        *diag.Problem
	)
	switch {
	case errors.As(err, &infinity):
		p = diag.New("E1607", diag.Span{}, "column %s is %v in row %d", infinity.Column, infinity.Value, row(infinity.Row)).
			WithHelp("leave the cell empty if the value is not known, or write a number")
	case errors.As(err, &tooLarge):
		p = diag.New("E1616", diag.Span{}, "column %s holds %g in row %d, too large to compare with the others", tooLarge.Column, tooLarge.Value, row(tooLarge.Row)).
			WithHelp("take logarithms, divide the column, or leave it out; the cell may also be a placeholder for a missing value")
	case errors.As(err, &none):
		p = diag.New("E1608", diag.Span{}, "no column is left that differs between the rows that teach").
			WithHelp("give at least one column with two different values")
	case errors.As(err, &kind):
		p = diag.New("E1614", diag.Span{}, "column %s is %s in the rows that teach and %s in the rows to predict", kind.Column, kind.Was, kind.Got).
			WithHelp("give both the same kind of values")
	case errors.As(err, &missing):
		p = diag.New("E1611", diag.Span{}, "%s", missing.Error()).
			WithHelp("add the column, with empty cells where its values are not known")
	case errors.As(err, &label) && label.Row >= 0:
		p = diag.New("E1607", diag.Span{}, "the target %s %s in row %d", label.Column, label.Reason, row(label.Row)).
			WithHelp("mend the cell, or leave it empty if the value is not known")
	case errors.As(err, &label):
		p = diag.New("E1612", diag.Span{}, "the target %s %s", label.Column, label.Reason).
			WithHelp("name another target, or leave out what repeats it")
	case errors.As(err, &classes):
		p = diag.New("E1606", diag.Span{}, "%s has %d different values, and the model %s answers for at most %d classes", classes.Column, classes.Classes, classes.Model, classes.Limit).
			WithHelp("group rare values; or, if the values are quantities, ask for regression")
	case errors.As(err, &memory):
		need, budget := Bytes(memory.Need), Bytes(memory.Budget)
		if need == budget { // rounding must not make the sentence contradict itself
			need, budget = exactBytes(memory.Need), exactBytes(memory.Budget)
		}
		p = diag.New("E1617", diag.Span{}, "this needs at least %s of memory, and the budget is %s", need, budget).
			WithHelp("%s", knobs(memory))
	case errors.As(err, &option):
		p = diag.New("E1622", diag.Span{}, "%s", option.Error()).WithHelp("leave %s out to have what the model's authors use", option.Option)
		if option.Near != "" {
			p.Help = fmt.Sprintf("did you mean %s?", option.Near)
		}
	case errors.As(err, &foreign):
		p = diag.New("E1622", diag.Span{}, "%s", foreign.Error()).WithHelp("leave %s out, or use a TabICL model", foreign.Option)
	default:
		return err
	}
	return diag.Problems{p}
}

// knobs says what to turn where memory is short: first the budget itself, then the part of the request that is largest.
func knobs(e *tabular.MemoryError) string {
	parts := []struct {
		bytes int64
		text  string
	}{
		{e.Member, "one member's fit takes %s: teach with fewer rows or columns, or use fewer threads"},
		{e.Table, "the prepared rows that teach take %s: drop columns or teach with fewer rows"},
		{e.Answer, "the answer takes %s: ask for fewer rows at a time, or group rare classes"},
		{e.Batch, "a batch of rows to predict takes %s: drop columns"},
	}
	largest := parts[0]
	for _, p := range parts[1:] {
		if p.bytes > largest.bytes {
			largest = p
		}
	}
	switch e.Cache {
	case tabular.CacheFull:
		largest.text = "the cache full takes %s with what fitting needs: --cache compact keeps far less, --cache none nothing"
		largest.bytes = e.Member
	case tabular.CacheCompact:
		largest.text = "the cache compact takes %s with what fitting needs: --cache none keeps nothing"
		largest.bytes = e.Member
	}
	return fmt.Sprintf("allow --memory %s; or, since "+largest.text, strings.ReplaceAll(Bytes(e.Need), " ", ""), Bytes(largest.bytes))
}

// exactBytes writes a size to the byte.
func exactBytes(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text + " bytes"
}

// Bytes writes a size in binary units, rounded up, so that a budget of that size is enough.
func Bytes(n int64) string {
	const most = 1 << 10
	size, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for size >= most && len(units) > 1 {
		size, units = size/most, units[1:]
	}
	if size < 10 && units[0] != "B" {
		return fmt.Sprintf("%.1f %s", math.Ceil(size*10)/10, units[0])
	}
	return fmt.Sprintf("%.0f %s", math.Ceil(size), units[0])
}

// notes tell the user what preprocessing found, and what the model is not good at.
func (c *Context) notes(s *subject) []string {
	var notes []string
	classes := len(s.counts)
	for _, n := range c.estimator.Notes() {
		if slices.Contains(s.empty, n.Column) {
			continue // that was said already
		}
		switch n.Kind {
		case prep.NoteConstant:
			notes = append(notes, fmt.Sprintf("column %s has one value in all rows that teach and tells nothing", n.Column))
		case prep.NoteManyLevels:
			notes = append(notes, fmt.Sprintf("column %s has %d different values, which are read as numbers in alphabetical order; that says little", n.Column, n.Levels))
		case prep.NoteSmallSpread:
			// The power transform standardises once more and brings such a column back; only without it is it lost.
			if slices.ContainsFunc(c.Spec.Options.Norms, func(n prep.Norm) bool { return n != prep.NormNone }) {
				continue
			}
			notes = append(notes, fmt.Sprintf("column %s varies by less than a millionth and is nearly lost; another unit would help", n.Column))
		}
	}
	if asked := c.Spec.Options.Members; asked != tabular.DefaultOptions().Members && c.Members() < asked {
		notes = append(notes, fmt.Sprintf("%d of %d members answer: no more differ for this many columns and classes", c.Members(), asked))
	}
	if info := c.Model().Info; info.EnoughRows > 0 && c.Rows > info.EnoughRows && c.Spec.MaxRows == 0 {
		notes = append(notes, fmt.Sprintf("%d rows teach, and more than a few hundred bring %s little: --max-rows %d is faster", c.Rows, info.Name, info.EnoughRows))
	}
	if info := c.Model().Info; classes > info.MaxClasses && c.Task == tabular.Classification {
		note := fmt.Sprintf("%s has %d classes, and %s tells %d apart at a time, so it %s", c.Spec.Target, classes, info.Name, info.MaxClasses, info.ManyClasses.Does())
		if info.TreeNote != "" {
			note += "; " + info.TreeNote
		}
		notes = append(notes, note)
	}
	return notes
}
