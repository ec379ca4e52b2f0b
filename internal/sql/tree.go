// Package sql reads SQL text and writes it back. It is the first room of the SQL half: everything
// above it sees queries as the tree defined here, never as text.
//
// The data goes one way. A [Lexer] cuts the bytes of a file into tokens; every byte belongs to
// exactly one token or to the white space and comments before it, so the text can always be put
// together again. [Parse] turns the tokens after a byte offset (a MODEL header may come first in
// the same file) into a [Statement]: the tree, the comments, and every problem it met.
// [Print] writes a tree as canonical SQL; an [Edit] changes a byte range of the original text, which
// keeps comments and layout.
//
// Invariants:
//
//   - Every node has a half-open byte [Range] into the whole file. A child's range lies inside its
//     parent's; parentheses around an expression belong to the parent, not to the expression.
//   - The tree is plain data: no links to the parent, no resolved names, no state of a parser. It
//     may be shared by any number of readers once Parse has returned.
//   - Print and Parse are inverse: parsing printed text gives an equal tree (ranges aside).
//   - No input panics. Nesting is bounded by a limit with a problem of its own, long chains
//     (a + b + …, UNION ALL …) are read in a loop.
//
// # What is inside the grammar
//
// One query of DuckDB's dialect, as DuckDB 1.5 reads it: SELECT with every clause, FROM first,
// joins of every kind, set operations, VALUES, TABLE, PIVOT and UNPIVOT in both forms, CTEs,
// windows, lambdas, list comprehensions, struct, list and map literals, nested types, and the
// project's own forms: __ref("m"), __source("s"), __seed("s"), __table_fn("f")(…), __udf("f")(…),
// @macro(…), @const("n"), @enum("n").M, @param("n"), @@var, @@@placeholder.
//
// Outside are statements that are not queries (INSERT, CREATE, …; DESCRIBE and its like are inside only as FROM (DESCRIBE t)). Refused although
// DuckDB's parser takes them, because its binder does not or because nobody means them: a number with
// letters behind it (0xFF is 0 AS xFF there), prefix and postfix operators other than + - ~ @ ! NOT,
// OPERATOR(…), DEFAULT, TREAT, SETOF, FROM ONLY t, FROM t *, column types in a table alias. Which
// functions take DISTINCT, ORDER BY, IGNORE NULLS or WITHIN GROUP is for the binder. Spellings that mean
// the same are one tree: EXTRACT(f FROM x) is date_part('f', x), x ISNULL is x IS NULL, SUBSTRING(x
// FROM a FOR b) is substring(x, a, b), "name: expr" in a select list is "expr AS name".
//
// Because @ starts a project form when a letter follows at once, DuckDB's absolute-value operator
// needs a space or a parenthesis there: @ x or @(x).
package sql

import "github.com/norn-data/norn/internal/diag"

// Range is a half-open range of byte offsets into the file a tree was parsed from. It is small
// because every node carries one; [Range.Span] joins it with its file when a problem is reported.
type Range struct {
	Start, End int32
}

// Bounds returns the range itself; it is promoted by every node that embeds Range.
func (r Range) Bounds() Range { return r }

// Len is the number of bytes covered.
func (r Range) Len() int { return int(r.End - r.Start) }

// Span is the range as a place in file, for problems.
func (r Range) Span(file *diag.File) diag.Span {
	return diag.Span{File: file, Start: int(r.Start), End: int(r.End)}
}

// Node is any part of the tree that has a place in the file. Expressions, relations and queries
// are told apart by [Expr], [TableExpr] and [QueryExpr]; the rest (clauses, names of types) are
// plain Nodes.
type Node interface {
	// Bounds is the byte range of the node, without parentheses around it.
	Bounds() Range
}

// Expr is an expression. The interface is sealed: the implementations are the pointer types of
// tree_expr.go, tree_call.go and tree_project.go.
type Expr interface {
	Node
	exprNode()
}

// TableExpr is a relation in a FROM clause. The interface is sealed: the implementations are the
// pointer types of tree_table.go and [RefTable], [TemplateTable].
type TableExpr interface {
	Node
	tableNode()
}

// QueryExpr is something that yields rows: *[Query], *[Select], *[SetOp], *[Values],
// *[TableQuery], *[PivotQuery], *[DescribeQuery]. The interface is sealed.
type QueryExpr interface {
	Node
	queryNode()
}

// Name is an identifier as written, without its quotes. Case is kept; a dialect's
// [Dialect.Fold] says which names are the same. The zero Name means "not given": no dialect
// allows an empty identifier.
type Name struct {
	Range
	Text   string
	Quoted bool // written in the dialect's identifier quotes
}

// Given reports whether the name was written at all.
func (n Name) Given() bool { return n.Text != "" }

// Comment is a comment of the file, delimiters included: "-- text" without the line end, or
// "/* text */" with everything nested in it.
type Comment struct {
	Range
}

// Block reports whether the comment is a /* … */ comment of text, the file's whole text.
func (c Comment) Block(text string) bool { return text[c.Start] == '/' }

// Statement is the result of [Parse].
type Statement struct {
	// Range covers the query from its first to its last token, a trailing semicolon left out.
	Range
	File *diag.File
	// Query is nil when the text is too broken to make a tree of; there is a problem then.
	Query *Query
	// Comments are all comments from the start of parsing to the end of the file, by position.
	Comments []Comment
}

// Bad stands where text could not be understood; a problem was reported there. It may be any part
// of a tree, so that the rest of a query with a mistake can still be checked. Whatever follows
// from a Bad is unknown and must not be reported again.
type Bad struct {
	Range
}

func (*Bad) exprNode()  {}
func (*Bad) tableNode() {}
func (*Bad) queryNode() {}
