package dbt

import (
	"encoding/json"
	"strings"
)

// A yamlWriter writes the little YAML that sources and seeds need.
type yamlWriter struct{ b strings.Builder }

// line writes a line at a depth of indentation.
func (w *yamlWriter) line(depth int, text string) {
	w.b.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

// pair writes a key with a text, if there is one.
func (w *yamlWriter) pair(depth int, key, text string) {
	if text != "" {
		w.line(depth, key+": "+yamlText(text))
	}
}

// columns writes columns with their audits.
func (w *yamlWriter) columns(depth int, columns []column, audits map[string][]audit) {
	if len(columns) == 0 {
		return
	}
	w.line(depth, "columns:")
	for _, c := range columns {
		w.line(depth+1, "- name: "+yamlText(c.name))
		w.pair(depth+2, "type", c.dataType)
		if c.notNull {
			w.line(depth+2, "nullable: false")
		}
		w.pair(depth+2, "description", c.description)
		w.audits(depth+2, audits[c.name])
	}
}

func (w *yamlWriter) audits(depth int, list []audit) {
	if len(list) == 0 {
		return
	}
	w.line(depth, "audits:")
	for _, a := range list {
		w.line(depth+1, "- "+a.yaml())
	}
}

// yamlText writes a text: plain where it is a word that YAML takes for nothing else, in double quotes otherwise.
func yamlText(text string) string {
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf":
	default:
		if headerWord().MatchString(text) {
			return text
		}
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // a text is always a JSON text; there is nothing to be reported
	}
	return strings.TrimSuffix(b.String(), "\n")
}
