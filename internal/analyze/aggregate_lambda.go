package analyze

import (
	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// aggregatedParameter reports an aggregate over a parameter of the lambda that it stands in: aggregates are computed before lambdas
// are called.
func (b *binder) aggregatedParameter(e *env, x *sql.Call) (p *diag.Problem) {
	if e.lambda == nil || b.pg {
		return nil
	}
	walk(x, func(x sql.Expr) bool {
		ref, ok := x.(*sql.ColumnRef)
		if !ok || p != nil {
			return p == nil
		}
		if _, parameter := e.lambda.find(fold(ref.Parts[0].Text)); parameter {
			p = b.problem("E1110", ref.Range, "%s is a parameter of a lambda, and aggregates take columns", ref.Parts[0].Text)
			if p.Help == "" {
				p.WithHelp("a list is added up with list_sum, list_aggregate or list_reduce")
			}
		}
		return p == nil
	})
	return p
}
