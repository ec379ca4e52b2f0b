package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/norn-data/norn/internal/diag"
)

// The names of the functions that operators become. No script can write them: they are not identifiers.
const (
	guardAdd    = "+"
	guardMul    = "*"
	guardFormat = "%"
	guardGrow   = "+="
	guardMethod = "."
)

var guarded = map[syntax.Token]string{syntax.PLUS: guardAdd, syntax.STAR: guardMul, syntax.PERCENT: guardFormat}

// growing are the methods of texts whose result can be much larger than what they are called on.
var growing = map[string]bool{"join": true, "replace": true, "format": true}

// guardFile rewrites the operators and methods of a file that make large values into calls that are charged first. Places stay
// what they are, so errors point at the operator.
func (m *Modules) guardFile(file *diag.File, tree *syntax.File) *diag.Problem {
	g := &rewriter{}
	g.statements(tree.Stmts)
	if g.refused != nil {
		return diag.New(m.o.Code, place(file, g.refused.OpPos), "%s works only on a plain name here", g.refused.Op).
			WithHelp("write it out: x = x %s y", g.refused.Op.String()[:1])
	}
	return nil
}

type rewriter struct{ refused *syntax.AssignStmt }

func (g *rewriter) statements(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			g.assign(s)
		case *syntax.DefStmt:
			g.list(s.Params)
			g.statements(s.Body)
		case *syntax.ExprStmt:
			s.X = g.expr(s.X)
		case *syntax.IfStmt:
			s.Cond = g.expr(s.Cond)
			g.statements(s.True)
			g.statements(s.False)
		case *syntax.ForStmt:
			s.X = g.expr(s.X)
			g.statements(s.Body)
		case *syntax.WhileStmt:
			s.Cond = g.expr(s.Cond)
			g.statements(s.Body)
		case *syntax.ReturnStmt:
			s.Result = g.expr(s.Result)
		}
	}
}

// assign: x += y is charged for y; x *= y and x %= y become x = x * y, which is the same where x is a plain name.
func (g *rewriter) assign(s *syntax.AssignStmt) {
	s.LHS = g.expr(s.LHS)
	s.RHS = g.expr(s.RHS)
	switch s.Op {
	case syntax.PLUS_EQ:
		s.RHS = guardCall(guardGrow, s.OpPos, s.RHS)
	case syntax.STAR_EQ, syntax.PERCENT_EQ:
		id, ok := s.LHS.(*syntax.Ident)
		if !ok {
			if g.refused == nil {
				g.refused = s
			}
			return
		}
		name := guardMul
		if s.Op == syntax.PERCENT_EQ {
			name = guardFormat
		}
		s.Op = syntax.EQ
		s.RHS = guardCall(name, s.OpPos, &syntax.Ident{NamePos: id.NamePos, Name: id.Name}, s.RHS)
	}
}

func guardCall(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

func (g *rewriter) list(list []syntax.Expr) {
	for i := range list {
		list[i] = g.expr(list[i])
	}
}

func (g *rewriter) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.BinaryExpr:
		if x.Op != syntax.EQ { // name=value of a call or a parameter
			x.X = g.expr(x.X)
		}
		x.Y = g.expr(x.Y)
		if name, ok := guarded[x.Op]; ok {
			return guardCall(name, x.OpPos, x.X, x.Y)
		}
	case *syntax.UnaryExpr:
		if x.X != nil {
			x.X = g.expr(x.X)
		}
	case *syntax.ParenExpr:
		x.X = g.expr(x.X)
	case *syntax.CallExpr:
		x.Fn = g.expr(x.Fn)
		g.list(x.Args)
	case *syntax.DotExpr:
		x.X = g.expr(x.X)
		if growing[x.Name.Name] {
			return guardCall(guardMethod, x.Dot, x.X, &syntax.Literal{Token: syntax.STRING, TokenPos: x.NamePos, Raw: `"` + x.Name.Name + `"`, Value: x.Name.Name})
		}
	case *syntax.IndexExpr:
		x.X, x.Y = g.expr(x.X), g.expr(x.Y)
	case *syntax.SliceExpr:
		x.X = g.expr(x.X)
		x.Lo, x.Hi, x.Step = g.maybe(x.Lo), g.maybe(x.Hi), g.maybe(x.Step)
	case *syntax.Comprehension:
		x.Body = g.expr(x.Body)
		for _, clause := range x.Clauses {
			switch c := clause.(type) {
			case *syntax.ForClause:
				c.X = g.expr(c.X)
			case *syntax.IfClause:
				c.Cond = g.expr(c.Cond)
			}
		}
	case *syntax.DictExpr:
		g.list(x.List)
	case *syntax.DictEntry:
		x.Key, x.Value = g.expr(x.Key), g.expr(x.Value)
	case *syntax.LambdaExpr:
		g.list(x.Params)
		x.Body = g.expr(x.Body)
	case *syntax.ListExpr:
		g.list(x.List)
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = g.expr(x.Cond), g.expr(x.True), g.expr(x.False)
	case *syntax.TupleExpr:
		g.list(x.List)
	}
	return x
}

func (g *rewriter) maybe(x syntax.Expr) syntax.Expr {
	if x == nil {
		return nil
	}
	return g.expr(x)
}

// budget is what a call may still make.
type budget struct{ left, whole int }

const budgetKey = "budget"

// charge takes bytes from the budget of the running call.
func charge(t *starlark.Thread, n int) error {
	b, ok := t.Local(budgetKey).(*budget)
	diag.Assert(ok, "a script runs without a budget")
	if n > b.left || n < 0 {
		return fmt.Errorf("this makes more than %s bytes of text and lists", grouped(uint64(b.whole)))
	}
	b.left -= n
	return nil
}

// weight is about how many bytes the text of a value has, or what it takes to copy it. It stops counting at most, because a value
// that holds itself many times over is small in memory and endless in writing.
func weight(v starlark.Value, most int) int {
	n := 0
	switch v := v.(type) {
	case starlark.String:
		n = len(v)
	case starlark.Bytes:
		n = len(v)
	case starlark.Int:
		n = 8
		if big, ok := v.Int64(); !ok || big == 0 {
			n += v.BigInt().BitLen() / 3
		}
	case *starlark.Dict:
		for _, item := range v.Items() {
			if n += weight(item, most-n); n >= most {
				return n
			}
		}
	case starlark.Indexable:
		n = 16
		for i := range v.Len() {
			if n += 8 + weight(v.Index(i), most-n); n >= most {
				return n
			}
		}
	default:
		n = 16
	}
	return n
}

// copied is what it takes to copy a value itself, not what is in it.
func copied(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	case starlark.Int:
		return weight(v, 0)
	case starlark.Sequence:
		return 16 * v.Len()
	}
	return 0
}

// mostRange bounds the length of a range: functions such as max and sorted read one without counting steps.
const mostRange = 1_000_000

// guards are the functions behind operators, and Starlark's own that need a bound.
func guards() starlark.StringDict {
	two := func(name string, op syntax.Token, cost func(x, y starlark.Value, most int) int) *starlark.Builtin {
		return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			x, y := args[0], args[1]
			if err := charge(t, cost(x, y, t.Local(budgetKey).(*budget).left+1)); err != nil {
				return nil, err
			}
			return starlark.Binary(op, x, y)
		})
	}
	written := func(name string) *starlark.Builtin {
		own := starlark.Universe[name].(*starlark.Builtin)
		return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := charge(t, weight(args, t.Local(budgetKey).(*budget).left+1)); err != nil {
				return nil, err
			}
			return starlark.Call(t, own, args, kwargs)
		})
	}
	return starlark.StringDict{
		guardAdd: two(guardAdd, syntax.PLUS, func(x, y starlark.Value, _ int) int { return copied(x) + copied(y) }),
		guardMul: two(guardMul, syntax.STAR, func(x, y starlark.Value, most int) int {
			for range 2 {
				if n, ok := y.(starlark.Int); ok {
					if _, number := x.(starlark.Int); number {
						// Numbers of many digits take time as the product of their lengths.
						return copied(x) + copied(y) + copied(x)*copied(y)/64
					}
					times, ok := n.Int64()
					if !ok || times > int64(most) {
						return most
					}
					return int(min(int64(most), max(times, 0)*int64(copied(x))))
				}
				x, y = y, x
			}
			return 0
		}),
		guardFormat: two(guardFormat, syntax.PERCENT, func(x, y starlark.Value, most int) int {
			if _, text := x.(starlark.String); !text {
				return 0
			}
			return copied(x) + weight(y, most)
		}),
		guardGrow: starlark.NewBuiltin(guardGrow, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return args[0], charge(t, copied(args[0]))
		}),
		guardMethod: starlark.NewBuiltin(guardMethod, method),
		"str":       written("str"),
		"repr":      written("repr"),
		"range": starlark.NewBuiltin("range", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := starlark.Call(t, starlark.Universe["range"], args, kwargs)
			if err != nil {
				return nil, err
			}
			if n := starlark.Len(v); n > mostRange {
				return nil, fmt.Errorf("range has more than %s numbers", grouped(mostRange))
			}
			return v, nil
		}),
	}
}

// method is x.join, x.replace and x.format. Of texts they are charged when they are called; of everything else they are what
// they are.
func method(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	x, name := args[0], string(args[1].(starlark.String))
	has, ok := x.(starlark.HasAttrs)
	if !ok {
		return nil, fmt.Errorf("%s has no .%s", x.Type(), name)
	}
	own, err := has.Attr(name)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, fmt.Errorf("%s has no .%s", x.Type(), name)
	}
	text, ok := x.(starlark.String)
	if !ok {
		return own, nil
	}
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		most := t.Local(budgetKey).(*budget).left + 1
		cost, err := methodCost(text, name, args, kwargs, most)
		if err == nil {
			err = charge(t, cost)
		}
		if err != nil {
			return nil, err
		}
		return starlark.Call(t, own, args, kwargs)
	}), nil
}

// methodCost bounds the length of what a method of a text makes.
func methodCost(text starlark.String, name string, args starlark.Tuple, kwargs []starlark.Tuple, most int) (int, error) {
	n := len(text)
	switch name {
	case "join":
		if len(args) == 1 {
			if list, ok := args[0].(starlark.Sequence); ok {
				n *= list.Len()
			}
			n += weight(args[0], most)
		}
	case "replace":
		if len(args) >= 2 {
			if new, ok := args[1].(starlark.String); ok {
				if len(new) > 0 && len(text)+1 > most/len(new) {
					return most, nil
				}
				n += (len(text) + 1) * len(new)
			}
		}
	case "format":
		// {0} can stand in the text many times.
		each := weight(args, most)
		for _, kv := range kwargs {
			each += weight(kv[1], most)
		}
		if each > 0 && len(text) > most/each {
			return most, nil
		}
		n += len(text) / 2 * each
	}
	if n < 0 {
		return 0, errors.New("this makes too large a text")
	}
	return n, nil
}
