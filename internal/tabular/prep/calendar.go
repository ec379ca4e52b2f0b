package prep

import "time"

// calendarParts are the numbers that a moment is taken apart into. The reference drops dates; norn
// hands the network those parts that vary in training, as numeric columns named `day.year`, `day.month`
// and so on, in this order. A timestamp without a time of day so gives at most four columns. Parts are
// read off the clock that the user sees: no time zone is applied. Fractions of a second are left out.
var calendarParts = [...]struct {
	name string
	of   func(time.Time) int
}{
	{"year", time.Time.Year},
	{"month", func(t time.Time) int { return int(t.Month()) }},               // 1..12
	{"day", time.Time.Day},                                                   // 1..31
	{"weekday", func(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }}, // Monday is 0
	{"hour", time.Time.Hour},                                                 // 0..23
	{"minute", time.Time.Minute},                                             // 0..59
	{"second", time.Time.Second},                                             // 0..59
}

// calendarPart returns one part of every row; a gap stays NaN.
func calendarPart(c *Column, part int, put func(row int, v float64)) {
	of := calendarParts[part].of
	for r, us := range c.Micros {
		if !c.Gap(r) {
			put(r, float64(of(time.UnixMicro(us).UTC())))
		}
	}
}

// varyingParts lists the parts that take two values or more.
func varyingParts(c *Column) []int {
	var out []int
	for p := range calendarParts {
		first, some, varies := 0.0, false, false
		calendarPart(c, p, func(_ int, v float64) {
			varies = varies || some && v != first
			if !some {
				first, some = v, true
			}
		})
		if varies {
			out = append(out, p)
		}
	}
	return out
}
