package project

import "github.com/norn-data/norn/internal/diag"

// A Source is a relation that exists before norn comes: a table of the warehouse, or an expression that yields one.
type Source struct {
	Name        string
	Span        diag.Span // of the name
	Description string
	Database    Word
	Schema      Word // not given: the target's schema
	Table       Word // not given: the same as Name
	Expression  Word // SQL in place of a table, such as read_parquet('events/*.parquet')
	Columns     []Column
	Contract    Contract
	Audits      []AuditCall
	Fingerprint string
}

// NodeName implements [Node].
func (s *Source) NodeName() string { return s.Name }

// NodeKind implements [Node].
func (s *Source) NodeKind() Kind { return KindSource }

// Place implements [Node].
func (s *Source) Place() diag.Span { return s.Span }

// Closed reports whether the declared columns are all there are. Declaring some columns does not close the shape of a
// source; only an enforced contract does.
func (s *Source) Closed() bool { return s.Contract == ContractEnforced }

// Relation is the name of the source's relation in the warehouse.
func (s *Source) Relation() string {
	if s.Table.Given() {
		return s.Table.Text
	}
	return s.Name
}
