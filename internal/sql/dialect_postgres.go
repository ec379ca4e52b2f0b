package sql

import (
	_ "embed"
	"sync"
)

//go:embed words_postgres.txt
var postgresWords string

// postgresCalls are words that PostgreSQL's grammar reads as calls with or without parentheses, and reserves. The parser reads
// them like any name that may be called; that nothing else can have these names is of no harm.
var postgresCalls = []string{
	"current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user",
	"localtime", "localtimestamp", "session_user", "user", "greatest", "least", "normalize", "xmlconcat",
}

var postgres = sync.OnceValue(func() *Dialect {
	d := &Dialect{
		Name:              "postgres",
		SymmetricBetween:  true,
		Clauses:           true,
		HexNumbers:        true,
		DigitSeparators:   true,
		UnicodeEscapes:    true,
		OperatorChars:     "#?`",
		PrefixOperators:   true,
		UnicodeStrings:    true,
		IntervalSpans:     true,
		AnyOperator:       true,
		BareLabels:        true,
		ColumnDefinitions: true,
		RowLocks:          true,
		RowsFrom:          true,
		OnlyTables:        true,
		EmptySelect:       true,
		Overlaps:          true,
		FetchTies:         true,
		SearchCycle:       true,
		GroupDistinct:     true,
		OrderUsing:        true,
		NamedOperators:    true,
		RowStars:          true,
		OpaqueCalls: map[string]bool{"xmlelement": true, "xmlforest": true, "xmlpi": true, "xmlroot": true, "xmlserialize": true,
			"xmlparse": true, "xmlattributes": true, "xmltable": true, "xmlexists": true, "treat": true,
			"json_objectagg": true, "json_arrayagg": true, "json_query": true, "json_value": true, "json_exists": true},
		lacks: allFeatures,
	}
	d.words, d.likely = readWords(postgresWords)
	for _, w := range postgresCalls {
		entry := d.words[w]
		entry.class = EitherWord
		d.words[w] = entry
	}
	return d
})

// Postgres is the dialect of PostgreSQL 15 and newer.
func Postgres() *Dialect { return postgres() }

// ForAdapter returns the dialect that an adapter of a configuration file speaks, DuckDB's for one that is not known.
func ForAdapter(adapter string) *Dialect {
	if adapter == "postgres" {
		return Postgres()
	}
	return DuckDB()
}
