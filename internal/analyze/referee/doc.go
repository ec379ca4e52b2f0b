// Package referee holds the tests that put norn's binder before DuckDB. It has no code: it exists so that the tests may
// import the driver, which package analyze must not.
//
// Every model of a project is given to both. DuckDB sees its query over empty tables that have the columns norn published
// for what the query reads, and DESCRIBE says names and types; the two must agree column by column. Where norn reports an
// error, DuckDB must refuse the query or norn must be able to say why it is stricter (the list is in the test).
package referee
