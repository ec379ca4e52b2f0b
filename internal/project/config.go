package project

import (
	"fmt"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// A Config is what norn.toml or sqlbuild_project.toml says.
type Config struct {
	File          *diag.File
	SQLBuild      bool // read from sqlbuild_project.toml
	Name          Word
	DefaultTarget Word
	Targets       []*Target // by name
	Defaults      Defaults
	Vars          map[string]Var
	Rules         RuleChoice

	paths      []pathDefault
	more       []Entry // of [defaults] of a SQLBuild project: what headers may say, too
	noAnalysis bool    // no query is analysed: [settings] of a SQLBuild project
	arrays     bool    // lists that are constants are arrays: [constants] of a SQLBuild project
}

// A RuleChoice is the [rules] table of norn.toml: which rules are on, and whose findings are errors. The words are for the
// analysis to understand; nothing selected means its own choice.
type RuleChoice struct {
	Select, Ignore, Error []Word
	// LiteralLength and RankingOrderBy are from [rules.thresholds]; 0 where nothing is written.
	LiteralLength, RankingOrderBy int
	// Options are from [rules.options.NAME], in order of place.
	Options []RuleOption
	// Whole says that Select is all there is, even where it is empty: a SQLBuild project selected rules, and those that norn has a rule
	// for are in Select.
	Whole bool
	// Except are findings that the configuration excuses, for whole files.
	Except []RuleException
}

// A RuleException takes away the findings of some rules in some files.
type RuleException struct {
	Rules []string // codes
	Paths []string // patterns
}

// Covers reports whether the findings of a rule in a file are excused.
func (x RuleException) Covers(rule, file string) bool {
	return slices.Contains(x.Rules, rule) && slices.ContainsFunc(x.Paths, func(pattern string) bool {
		return matchParts(strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(file, "/"))
	})
}

// A RuleOption is a setting of one of the project's own rules. Value is a string, int64, float64, bool or []string.
type RuleOption struct {
	Rule, Name Word
	Value      any
}

// A Target is a place to build into.
type Target struct {
	Name     string
	Span     diag.Span // of the name in its table header
	Adapter  Word      // "duckdb" or "postgres"; another only where Unsupported says so
	Path     Word      // duckdb: the file, relative to the project
	URL      Word      // postgres: the connection URL, environment variables filled in. Never print it: it may hold a password
	Database Word
	Schema   Word
	Vars     map[string]Var

	// unusable are problems that matter only when the target is chosen: a variable of the environment that is not set, an
	// adapter that norn does not have yet.
	unusable []*diag.Problem
}

// Defaults hold for every model whose header does not say otherwise.
type Defaults struct {
	Materialized     Materialization
	MaterializedSpan diag.Span // zero when not written
	custom           Word
	Contract         Contract
	ContractSpan     diag.Span
	Schema           Word
	Database         Word
	SeedSchema       Word
	SeedDatabase     Word
	Tags             []string
}

// A Var is a variable of the project: a string, an int64, a float64 or a bool.
type Var struct {
	Value any
	Span  diag.Span
}

// String is the value as text.
func (v Var) String() string { return fmt.Sprint(v.Value) }
