package project

import (
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// seedOrder refuses audits of seeds that would have to look at what is not there yet. Seeds are loaded before models, each
// behind the seeds that its audits look at.
func (p *Project) seedOrder(r *report) {
	looks := make(map[*Seed][]*AuditCall, len(p.Seeds))
	for _, s := range p.Seeds {
		add := func(audits []AuditCall) {
			for i := range audits {
				looks[s] = append(looks[s], &audits[i])
			}
		}
		add(s.Audits)
		for i := range s.Columns {
			add(s.Columns[i].Audits)
		}
	}
	// way is how a seed leads back to another one, nil where it does not.
	var way func(from, to *Seed, seen map[*Seed]bool) []string
	way = func(from, to *Seed, seen map[*Seed]bool) []string {
		if from == to {
			return []string{to.Name}
		}
		seen[from] = true
		for _, a := range looks[from] {
			if next, ok := a.ToNode.(*Seed); ok && !seen[next] {
				if rest := way(next, to, seen); rest != nil {
					return append([]string{from.Name}, rest...)
				}
			}
		}
		return nil
	}
	for _, s := range p.Seeds {
		for _, a := range looks[s] {
			switch to := a.ToNode.(type) {
			case *Model:
				r.add(diag.New("E0107", a.To.Span, "%s: an audit of a seed that looks at a model is not supported yet, because seeds are loaded before models", a.Name.Text).
					WithHelp("write it as a query below audits/, which runs behind both"))
			case *Seed:
				if to == s {
					continue // parents of rows of the same table
				}
				back := way(to, s, map[*Seed]bool{})
				// Seeds are sorted: the first one of a circle tells it.
				if back != nil && !slices.ContainsFunc(back, func(name string) bool { return fold(name) < fold(s.Name) }) {
					r.add(diag.New("E0110", a.To.Span, "the audits of seeds look at each other in a cycle: %s → %s", s.Name, strings.Join(back, " → ")).
						WithHelp("write one of them as a query below audits/, which runs behind both"))
				}
			}
		}
	}
}
