package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/norn-data/norn/internal/sql"
)

// joinWords applies the rules about how one join is written.
func (c *checker) joinWords(j *sql.Join) {
	switch j.Kind {
	case sql.JoinInner:
		if c.on["R024"] && strings.EqualFold(c.File.Text[j.Op.Start:j.Op.End], "join") {
			c.report("R024", j.Op, "write which kind of join this is: JOIN alone is an INNER JOIN").WithHelp("write INNER JOIN").WithFix(j.Op.Span(c.File), "INNER JOIN")
		}
	case sql.JoinComma, sql.JoinCross:
		// What is made of the rows to its left has no condition to be joined by.
		if right := c.leaves(j.Right); len(right) > 0 && right[0].depend {
			break
		}
		if c.on["R014"] && j.Kind == sql.JoinComma {
			c.report("R014", j.Op, "a comma joins, and its condition stands far away in WHERE").WithHelp("write JOIN … ON …, or CROSS JOIN")
		}
		if c.on["R034"] && j.Kind == sql.JoinCross {
			c.report("R034", j.Op, "CROSS JOIN pairs every row with every row").WithHelp("join on a condition, or suppress this with the reason")
		}
	}
	if c.on["R036"] && j.On != nil {
		c.computedKeys(j)
	}
}

// computedKeys finds equalities of ON with a side that is computed: no index, no statistics and no declared key is about it.
func (c *checker) computedKeys(j *sql.Join) {
	for _, x := range conjuncts(j.On) {
		b, ok := x.(*sql.Binary)
		if !ok || b.Op != "=" || len(columns(b.Left)) == 0 || len(columns(b.Right)) == 0 {
			continue
		}
		for _, side := range []sql.Expr{b.Left, b.Right} {
			switch side.(type) {
			case *sql.ColumnRef, *sql.Field:
			default:
				c.report("R036", side.Bounds(), "this join key is computed").WithHelp("compute it in the relation that it is of, and join on the column")
			}
		}
	}
}

// elseNull finds ELSE NULL, which is what CASE does without it, and CASE in the ELSE of CASE, which is one CASE.
func (c *checker) elseBranch(x *sql.Case) {
	if x.Else == nil || len(x.Whens) == 0 {
		return
	}
	if c.on["R017"] && literal(x.Else, sql.NullLiteral) {
		p := c.report("R017", x.Else.Bounds(), "CASE without ELSE is NULL anyway").WithHelp("leave ELSE NULL out")
		last := x.Whens[len(x.Whens)-1].End
		if strings.EqualFold(strings.TrimSpace(c.File.Text[last:x.Else.Bounds().Start]), "else") {
			p.WithFix(sql.Range{Start: last, End: x.Else.Bounds().End}.Span(c.File), "")
		}
	}
	if inner, ok := x.Else.(*sql.Case); ok && c.on["R028"] && x.Operand == nil && inner.Operand == nil {
		c.report("R028", inner.Range, "this CASE in ELSE goes on with the conditions of the one around it").WithHelp("write its WHEN branches into the outer CASE")
	}
}

// call applies the rules about one function call.
func (c *checker) call(x *sql.Call) {
	if c.on["R020"] && fold(x.FuncName()) == "count" && !x.Distinct && len(x.Args) == 1 && literal(x.Args[0].Value, sql.NumberLiteral) {
		c.report("R020", x.Args[0].Range, "count of a number counts rows").WithHelp("write count(*)").WithFix(x.Args[0].Range.Span(c.File), "*")
	}
	if most := c.limits.rankingKeys(); c.on["R039"] && x.Over != nil && len(x.Over.OrderBy) > most && ranks[fold(x.FuncName())] {
		c.report("R039", x.Over.OrderBy[most].Range, "%s orders by %d keys, more than %d", x.FuncName(), len(x.Over.OrderBy), most).
			WithHelp("order by a key that tells the rows apart by itself")
	}
}

// ranks are the window functions that number rows.
var ranks = map[string]bool{"row_number": true, "rank": true, "dense_rank": true, "percent_rank": true, "cume_dist": true, "ntile": true}

// literalLength finds long texts in queries: lists of keys, patterns and JSON that belong into a seed.
func (c *checker) literalLength(x *sql.Literal) {
	if !c.on["R040"] || x.Kind != sql.StringLiteral {
		return
	}
	if n, most := utf8.RuneCountInString(x.Text), c.limits.literalLength(); n > most {
		c.report("R040", x.Range, "this text has %d characters, more than %d", n, most).WithHelp("put it into a seed, or shorten it")
	}
}

// directions finds ORDER BY in which some keys say their direction and others do not.
func (c *checker) directions(items []sql.OrderItem) {
	if !c.on["R025"] {
		return
	}
	said := false
	var silent *sql.OrderItem
	for i := range items {
		if items[i].Order != sql.SortDefault {
			said = true
		} else if silent == nil {
			silent = &items[i]
		}
	}
	if said && silent != nil {
		c.report("R025", silent.Range, "this key does not say its direction, others of this ORDER BY do").WithHelp("write ASC or DESC behind each of them")
	}
}

// jsonReaders are the functions that read a JSON text from its beginning on every call.
var jsonReaders = map[string]bool{"json_extract": true, "json_extract_string": true, "json_extract_path": true, "json_extract_path_text": true,
	"json_value": true, "json_transform": true, "json_transform_strict": true, "from_json": true, "from_json_strict": true}

// jsonTwice finds columns of JSON that one SELECT reads several times.
func (c *checker) jsonTwice(s *sql.Select) {
	if !c.on["R041"] {
		return
	}
	first := map[string]sql.Range{}
	c.own(s, func(n sql.Node) bool {
		var subject sql.Expr
		switch n := n.(type) {
		case *sql.Call:
			if jsonReaders[fold(n.FuncName())] && len(n.Args) > 0 {
				subject = n.Args[0].Value
			}
		case *sql.Binary:
			if n.Op == "->" || n.Op == "->>" {
				subject = n.Left
			}
		}
		ref, ok := subject.(*sql.ColumnRef)
		if !ok {
			return true
		}
		name := fold(sql.Text(ref))
		before, twice := first[name]
		switch {
		case !twice:
			first[name] = n.Bounds()
		case before.End > before.Start:
			c.report("R041", n.Bounds(), "the JSON of %s is read again", c.File.Text[ref.Start:ref.End]).
				WithNote(before.Span(c.File), "the first time").WithHelp("read it once, with json_transform or a list of paths, and take the parts from there")
			first[name] = sql.Range{} // once for each column and SELECT is enough
		}
		return true
	})
}
