package referee_test

import (
	"strings"
	"testing"
)

// shrink makes the query of a finding smaller while the finding stays: what stands in parentheses is replaced by a constant or
// by one of its parts, items of lists are dropped, clauses at the end are cut. It is a search by trial, so that it needs to
// know nothing about the grammar.
func shrink(t *testing.T, d *duck, relations map[string][][2]string, v verdict) verdict {
	t.Helper()
	for range 20 {
		candidates := smaller(v.query)
		if len(candidates) > 300 {
			candidates = candidates[:300]
		}
		best := v
		for _, c := range judge(t, d, relations, candidates) {
			if c.class == v.class && len(c.query) < len(best.query) {
				best = c
			}
		}
		if best.query == v.query {
			break
		}
		v = best
	}
	return v
}

// smaller lists shorter texts made from a query.
func smaller(query string) []string {
	var out []string
	add := func(from, to int, text string) {
		if s := query[:from] + text + query[to:]; len(s) < len(query) {
			out = append(out, s)
		}
	}
	var open []int
	cuts := map[int][]int{} // places of commas, by the place of the parenthesis around them
	top := -1
	for i := 0; i < len(query); i++ {
		around := top
		if len(open) > 0 {
			around = open[len(open)-1]
		}
		switch query[i] {
		case '(', '[', '{':
			open = append(open, i)
		case ',':
			cuts[around] = append(cuts[around], i)
		case ')', ']', '}':
			if len(open) == 0 {
				continue
			}
			start := open[len(open)-1]
			open = open[:len(open)-1]
			word := strings.LastIndexAny(query[:start], " (,[{") + 1
			for _, constant := range []string{"1", "'a'", "i", "s", "l", "bo", "dt", "NULL"} {
				add(word, i+1, constant)
			}
			add(word, i+1, query[start+1:i]) // the inside in place of the call
			edges := append([]int{start}, append(cuts[start], i)...)
			for k := 1; k < len(edges); k++ {
				add(word, i+1, query[edges[k-1]+1:edges[k]])
				if len(edges) > 2 { // one argument less
					add(edges[k-1]+map[bool]int{true: 1, false: 0}[k == 1], edges[k]+map[bool]int{true: 1, false: 0}[k == 1], "")
				}
			}
		}
	}
	for _, at := range cuts[top] {
		if end := strings.Index(query[at:], " FROM "); end > 0 {
			add(at, at+end, "")
		}
		if start := strings.Index(query, "SELECT "); start >= 0 && start+7 < at {
			add(start+7, at+1, "")
		}
	}
	for _, clause := range []string{" WHERE ", " ORDER BY ", " QUALIFY ", " HAVING ", " LIMIT ", " UNION ", " USING SAMPLE "} {
		if at := strings.LastIndex(query, clause); at > 0 {
			add(at, len(query), "")
		}
	}
	return out
}

// TestShrink wants a finding to get small: here that DuckDB rejects the sum of a number and a text.
func TestShrink(t *testing.T) {
	d := openDuck(t)
	d.create(tables)
	d.row(oneRow)
	q := "SELECT upper(s) AS a, coalesce(round(abs((i + s)), 2), 1) AS b, count(*) OVER (PARTITION BY dt) AS c FROM t WHERE (bo AND (i > 1)) ORDER BY 1"
	v := shrink(t, d, tables, judge(t, d, tables, []string{q})[0])
	if v.class != bothRefuse || len(v.query) > 40 {
		t.Errorf("%v", v)
	}
}
