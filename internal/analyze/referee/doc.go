// Package referee holds the tests that put norn's binder before DuckDB. It has no code: it exists so that the tests may
// import the driver, which package analyze must not.
//
// A query is given to both: to norn as a model over closed sources, to DuckDB over empty tables of the same columns. What
// comes of it is one of a few classes (judge_test.go): the same names, order and types; refused by both; refused by norn on
// purpose; not known to norn; wrong; wrongly rejected; wrongly accepted; rejected without a place. Wrong, wrongly rejected
// and "no place" must be empty. The queries come from
//
//   - testdata/corpus, one file a feature of the language, and the lines of testdata/*.txt;
//   - testdata/analytics, what people write for a living: sessions, funnels, cohorts, histories, reports over one small schema, of
//     which every name and type must be DuckDB's (testdata/files is all that DuckDB may read);
//   - the pages that explain problem codes;
//   - every function of DuckDB's catalogue, called with the types of each of its forms (catalogue_test.go);
//   - a grammar that makes up queries from seeds (grammar_test.go, grammar_query_test.go for the everyday, grammar_forms_test.go
//     and grammar_shapes_test.go for the rest); findings are made smaller before
//     they are printed;
//   - whole projects, made up here or written by a script.
//
// Beyond names and types, made-up queries are run over a few random rows: a column that norn calls never NULL holds no NULL
// (nulls_test.go), and when a value of a source changes, every output column that changes has it in its lineage
// (mutation_test.go). Mistakes planted in projects are found at their place, all in one run, and nothing else
// (mistakes_test.go).
//
// TestOracle prints the report; flags make it longer: -queries N, -seed S, -generator SCRIPT, -report FILE for JSON.
package referee
