package dbt

import (
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// A header is what a MODEL or AUDIT header says.
type header struct {
	description  string
	table        bool
	severity     string // of an audit
	schema       string
	alias        string
	tags         []string
	disabled     bool
	enforced     bool
	columns      []column
	columnAudits map[string][]audit
	audits       []audit
}

// count counts the audits.
func (h *header) count() int {
	n := len(h.audits)
	for _, list := range h.columnAudits {
		n += len(list)
	}
	return n
}

// text writes the header in norn's own style, with a line end; nothing when there is nothing to say and the kind of file needs
// no header.
func (h *header) text(kind string) string {
	var entries []string
	add := func(key, value string) {
		if value != "" {
			entries = append(entries, key+" "+value)
		}
	}
	if h.description != "" {
		add("description", quoted(h.description))
	}
	if h.table {
		add("materialized", "table")
	}
	add("severity", h.severity)
	if h.schema != "" {
		add("schema", word(h.schema))
	}
	if h.alias != "" {
		add("alias", word(h.alias))
	}
	if len(h.tags) > 0 {
		words := make([]string, len(h.tags))
		for i, t := range h.tags {
			words[i] = word(t)
		}
		add("tags", "["+strings.Join(words, ", ")+"]")
	}
	if h.disabled {
		add("enabled", "false")
	}
	switch {
	case h.enforced:
		add("contract", "enforced")
	case len(h.columns) > 0:
		add("contract", "none")
	}
	if len(h.columns) > 0 {
		list := make([]string, len(h.columns))
		for i, c := range h.columns {
			list[i] = c.name
			if said := c.entries(h.columnAudits[c.name]); len(said) > 0 {
				list[i] += " (" + strings.Join(said, ", ") + ")"
			}
		}
		add("columns", "("+strings.Join(list, ", ")+")")
	}
	if len(h.audits) > 0 {
		add("audits", auditList(h.audits))
	}
	if len(entries) == 0 && kind == "MODEL" {
		return ""
	}
	return styled(kind + " (" + strings.Join(entries, ", ") + ");")
}

// before puts the header in front of a query.
func (h *header) before(kind, query string) string {
	if text := h.text(kind); text != "" {
		return text + "\n" + query
	}
	return query
}

// entries are what a header says about a column beside its name.
func (c column) entries(audits []audit) []string {
	var list []string
	if c.dataType != "" {
		list = append(list, "type "+headerType(c.dataType))
	}
	if c.notNull {
		list = append(list, "nullable false")
	}
	if c.description != "" {
		list = append(list, "description "+quoted(c.description))
	}
	if len(audits) > 0 {
		list = append(list, "audits "+auditList(audits))
	}
	return list
}

// simpleType holds for types that a header can have without quotes.
var simpleType = pattern(`^[A-Za-z][\w ]*(\(\s*\d+\s*(,\s*\d+\s*)?\))?[\w ]*(\[\])*$`)

func headerType(t string) string {
	if simpleType().MatchString(t) {
		return strings.TrimSpace(t)
	}
	return quoted(t)
}

// styled lets norn's own formatter lay a header out, so that norn fmt has nothing to say about it.
func styled(header string) string {
	const query = "\nSELECT\n  1\n"
	text, problems, err := sql.Format(diag.NewFile("header.sql", header+query), sql.DuckDB())
	if err != nil || len(problems) > 0 {
		return header + "\n" // a text that the formatter does not take apart; the header means the same on one line
	}
	if at := strings.LastIndex(text, ");"); at >= 0 {
		return text[:at+2] + "\n"
	}
	return header + "\n"
}
