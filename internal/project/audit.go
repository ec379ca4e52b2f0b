package project

import (
	"io/fs"
	"slices"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project/macro"
	"github.com/norn-data/norn/internal/sql"
)

// AuditKind says which rule an [AuditCall] checks.
type AuditKind uint8

// The built-in audits. AuditCustom calls an audit of the project's own, which norn checks and does not run.
const (
	AuditNotNull AuditKind = iota
	AuditUnique
	AuditAcceptedValues
	AuditRelationships
	AuditHoldout
	AuditCustom
)

// String is the name of the audit in a header, where it has one.
func (k AuditKind) String() string {
	return [...]string{"not_null", "unique", "accepted_values", "relationships", "holdout", "custom"}[k]
}

// Severity says what a failing audit stops.
type Severity uint8

// SeverityError keeps a table from being published; SeverityWarn only reports.
const (
	SeverityError Severity = iota
	SeverityWarn
)

// An AuditCall is an audit attached to a model, a source, a seed or one of its columns.
type AuditCall struct {
	Kind     AuditKind
	Name     Word // the audit's name as written
	Span     diag.Span
	Severity Severity

	Columns []Word      // not_null and unique on a whole node: the columns they are about; on a column: empty
	Args    []AuditArg  // of an audit of the project's own
	Values  []Literal   // accepted_values
	To      Word        // relationships: the node the values must exist in
	ToNode  Node        // the same, resolved; nil when the name means nothing
	Field   Word        // relationships: its column
	Scores  []Threshold // holdout: all must hold
}

// An AuditArg is an argument of an audit of the project's own: what stands in the place of @name and of @'name' there.
type AuditArg struct {
	Name            Word
	Text, AsLiteral string
}

// LiteralKind is the kind of a [Literal].
type LiteralKind uint8

// The kinds of literal values.
const (
	TextLiteral LiteralKind = iota
	NumberLiteral
	BoolLiteral
)

// A Literal is a constant in a header or in YAML. Text is the value without quotes; a number keeps its digits.
type Literal struct {
	Kind LiteralKind
	Text string
	Span diag.Span
}

// A Metric is a score of a prediction on its holdout.
type Metric string

// The metrics. AUC, Accuracy and LogLoss belong to classification, RMSE, MAE and R2 to regression.
const (
	AUC      Metric = "auc"
	Accuracy Metric = "accuracy"
	LogLoss  Metric = "log_loss"
	RMSE     Metric = "rmse"
	MAE      Metric = "mae"
	R2       Metric = "r2"
)

// Classification reports whether the metric is one of classification.
func (m Metric) Classification() bool { return m == AUC || m == Accuracy || m == LogLoss }

// A Threshold is a demand on a score, such as auc >= 0.75. Op is one of >=, >, <=, <.
type Threshold struct {
	Metric Metric
	Op     string
	Value  float64
	Span   diag.Span // metric to value
}

// Holds reports whether a score satisfies the threshold. A score that is not a number satisfies none.
func (t Threshold) Holds(score float64) bool {
	switch t.Op {
	case ">=":
		return score >= t.Value
	case ">":
		return score > t.Value
	case "<=":
		return score <= t.Value
	case "<":
		return score < t.Value
	}
	return false
}

// A SingularAudit is a file below audits/: a query whose returned rows are failures.
type SingularAudit struct {
	Name        string
	File        *diag.File
	Header      *Header
	Description string
	Enabled     bool
	Severity    Severity
	Generic     bool           // a template below audits/generic: listed, never run
	Query       *sql.Statement // nil when broken or generic
	References  []Reference
	Fingerprint string
	Broken      bool
	Calls       []FunctionCall
	Parameters  []string // of a generic one: the names behind @ in it
	// Unrun says why the audit is not run, with the place that says so; empty for one that is.
	Unrun []Word
	// Checked says that the query is SQL that can be checked, whether it is run or not, after [SingularAudit.Reparse].
	Checked bool

	scope     macro.Scope      // where a generic one can be attached
	macros    bool             // the query calls macros
	expansion *macro.Expansion // nil when it calls none
	start     int              // as in [Test], like all below
	treeless  bool
	digest    Digest
	root      fs.FS
	dialect   *sql.Dialect
}

// Digest is like [Model.Digest]. It is zero for an audit that calls macros.
func (a *SingularAudit) Digest() Digest { return a.digest }

// Locate is like [Model.Locate].
func (a *SingularAudit) Locate(problems []*diag.Problem) []*diag.Problem {
	return relocate(a.expansion, problems)
}

// unrun notes why an audit is not run.
func (a *SingularAudit) unrun(at diag.Span, why string) { a.Unrun = append(a.Unrun, Word{why, at}) }

// A Test is a file below tests/: a TEST header and a query of CTEs that give inputs and expected rows.
type Test struct {
	Name        string
	File        *diag.File
	Header      *Header
	Description string
	Scenario    bool // a SCENARIO header
	Disabled    bool // enabled false: it is read and never run
	// Unrun says why norn neither checks nor runs the test, though nothing is wrong with it; "" for all others.
	Unrun      string
	Parameters []TestParameter
	Cases      []TestCase // one at least where there are parameters; each is a test of its own
	Query      *sql.Statement
	References []Reference
	Broken     bool

	mode             string
	expected, mocked []string // folded names of the models that the test holds to rows, and of those that it gives

	macros    bool             // the query calls macros
	expansion *macro.Expansion // nil when it calls none
	start     int              // where the query starts in the file
	treeless  bool             // the tree was let go or never made, see Options.MaxTrees and Options.Memory
	digest    Digest           // of the text; only with a memory
	root      fs.FS            // where the text can be read again
	dialect   *sql.Dialect
}

// Idle says why a test is never run though its file has no mistake, as a sentence without its beginning and end; "" for one that
// can be run.
func (t *Test) Idle() string {
	switch {
	case t.Unrun != "":
		return t.Unrun
	case t.Scenario:
		return "it is a scenario, which is about real tables"
	case t.Disabled:
		return "its header says enabled false"
	}
	return ""
}

// Expects reports whether the test lists rows of a model.
func (t *Test) Expects(model string) bool { return slices.Contains(t.expected, fold(model)) }

// Digest is like [Model.Digest]. It is zero for a test that calls macros.
func (t *Test) Digest() Digest { return t.digest }

// Locate is like [Model.Locate].
func (t *Test) Locate(problems []*diag.Problem) []*diag.Problem {
	return relocate(t.expansion, problems)
}
