package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/norn-data/norn/internal/analyze"
	"github.com/norn-data/norn/internal/analyze/recheck"
	"github.com/norn-data/norn/internal/diag"
)

// What norn does not understand is never an error, and so it has to be visible in another way: norn check counts it, and lists it
// with --unanalysed, in its JSON document and in SARIF. The same list says which inputs are open, because most of what is not
// understood is made of their columns.

// A skipJSON is something that was not analysed: docs/formats/check-json.md.
type skipJSON struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Model     string `json:"model"`
	Reason    string `json:"reason"`
	Help      string `json:"help"`
	Text      string `json:"text"`
}

// An openJSON is an input of the project whose columns are not all known.
type openJSON struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"` // source, function, model or relation
	Path    string   `json:"path"`
	Line    int      `json:"line"` // of a relation of a query; 0 otherwise
	Column  int      `json:"column"`
	Readers []string `json:"readers"`
	Columns []string `json:"columns"` // that queries name and nobody declares
	Close   string   `json:"close"`
	Paste   string   `json:"paste"`
}

// skipsOf lists what was not analysed, by path and place. Cut says how many more there are in files that have more than is kept.
func skipsOf(c *recheck.Outcome) (list []skipJSON, cut []string) {
	list = []skipJSON{}
	add := func(name, file string, skips []analyze.Skip, all int) {
		for _, s := range skips {
			list = append(list, skipJSON{s.Path, s.Begin.Line, s.Begin.Column, s.End.Line, s.End.Column, name, s.Reason, s.Help, s.Text})
		}
		if more := all - len(skips); more > 0 {
			cut = append(cut, fmt.Sprintf("%5d  more in %s", more, file))
		}
	}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		add(n.Name, n.File, n.Skips, n.Unanalysed)
	}
	for _, x := range c.Asides {
		add(x.Name, x.File, x.Skips, x.Unanalysed)
	}
	slices.SortStableFunc(list, func(a, b skipJSON) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Reason, b.Reason))
	})
	return list, cut
}

// openInputs lists what is open by itself: sources and functions without a closed list of columns, and what queries read of which only a
// run knows the columns. What is open because of a mistake is not listed, since the mistake is.
func openInputs(c *recheck.Outcome) []openJSON {
	g := openGraph{nodes: map[string]*recheck.Node{}, readers: map[string][]*recheck.Node{}}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		g.nodes[n.Name] = n
		for _, name := range n.Upstream {
			g.readers[name] = append(g.readers[name], n)
		}
	}
	list := []openJSON{}
	for i := range c.Nodes {
		n := &c.Nodes[i]
		switch {
		case !n.Open:
		case n.Kind == "source":
			in := g.follow(openJSON{Name: n.Name, Kind: n.Kind, Path: n.File}, n, n.Name)
			in.Close = fmt.Sprintf("add this to %s in %s, with the types and all other columns that it has", n.Name, n.File)
			in.Paste = columnsYAML(in.Columns)
			list = append(list, in)
		case n.Kind == "function":
			in := g.follow(openJSON{Name: n.Name, Kind: n.Kind, Path: n.File}, n, n.Name)
			in.Close = "write returns with its columns into " + n.File
			list = append(list, in)
		}
		said := map[string]bool{}
		for _, s := range n.Skips {
			in := openJSON{Name: n.Name, Kind: "model", Path: s.Path, Line: s.Begin.Line, Column: s.Begin.Column, Close: s.Help}
			switch {
			case s.Input != "":
				in.Name, in.Kind = s.Input, "relation"
				in = g.follow(in, n, s.Input)
				in.Close, in.Paste = g.relationYAML(s, in)
			case s.Opens && g.openByItself(n):
				in = g.follow(in, n, n.OpenInput)
			default:
				continue
			}
			if !said[in.Name] {
				said[in.Name] = true
				list = append(list, in)
			}
		}
	}
	return list
}

// An openGraph is who reads whom.
type openGraph struct {
	nodes   map[string]*recheck.Node
	readers map[string][]*recheck.Node
}

// named reports whether a node has a name. Names that differ in case only are one name to most who read them.
func (g openGraph) named(name string) bool {
	for n := range g.nodes {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// openByItself reports whether it is the query of a model that makes it open, and nothing that it reads.
func (g openGraph) openByItself(n *recheck.Node) bool {
	return n.Open && !slices.ContainsFunc(n.Upstream, func(name string) bool {
		from := g.nodes[name]
		return from != nil && from.Open && (from.OpenInput == n.OpenInput || from.Name == n.OpenInput)
	})
}

// follow fills in who reads an open input that a node is or holds, directly and through models that are open because of it, and which
// columns of it their queries name.
func (g openGraph) follow(in openJSON, from *recheck.Node, root string) openJSON {
	var through []*recheck.Node
	seen := map[*recheck.Node]bool{from: true}
	for at := []*recheck.Node{from}; len(at) > 0; {
		n := at[0]
		at = at[1:]
		through = append(through, n)
		// Who reads a model that is closed reads nothing of what is open behind it.
		if !n.Open || n.OpenInput != root {
			continue
		}
		for _, r := range g.readers[n.Name] {
			if !seen[r] {
				seen[r] = true
				at = append(at, r)
			}
		}
	}
	in.Readers, in.Columns = []string{}, []string{}
	known := map[string]bool{}
	for _, c := range from.Columns {
		known[strings.ToLower(c.Name)] = in.Kind == "source"
	}
	for _, n := range through {
		if n != from || in.Kind == "relation" {
			in.Readers = append(in.Readers, n.Name)
		}
		for _, w := range n.Wanted {
			of := g.nodes[w.Model]
			if w.Model != root && (of == nil || !seen[of] || of.OpenInput != root) {
				continue
			}
			for _, name := range w.Columns {
				if f := strings.ToLower(name); !known[f] {
					known[f] = true
					in.Columns = append(in.Columns, name)
				}
			}
		}
	}
	slices.Sort(in.Readers)
	slices.Sort(in.Columns)
	return in
}

// columnsYAML is what closes a source that lists some of its columns, or none.
func columnsYAML(columns []string) string {
	var b strings.Builder
	b.WriteString("contract: enforced\ncolumns:\n")
	for _, name := range columns {
		fmt.Fprintf(&b, "  - name: %s\n", wordYAML(name))
	}
	if len(columns) == 0 {
		b.WriteString("  - name: …\n")
	}
	return b.String()
}

// relationYAML is the source that closes a relation of a query: a file, or a call that is computed when it runs.
func (g openGraph) relationYAML(s analyze.Skip, in openJSON) (help, paste string) {
	call := s.Text
	if in.Name == strings.Trim(s.Text, `"'`) {
		reader := map[string]string{".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet", ".json": "read_json", ".jsonl": "read_json", ".ndjson": "read_json"}
		read := reader[strings.ToLower(path.Ext(strings.TrimSuffix(in.Name, ".gz")))]
		if read == "" {
			return s.Help, ""
		}
		call = read + "('" + strings.ReplaceAll(in.Name, "'", "''") + "')"
	}
	if strings.HasSuffix(call, "…") {
		return s.Help, ""
	}
	name := sourceName(call)
	for g.named(name) {
		name += "_source"
	}
	text := strings.ReplaceAll(columnsYAML(in.Columns), "\n", "\n    ")
	return fmt.Sprintf("write this into sources/%s.yml, with the types and all other columns, and read %s in its place", name, name),
		fmt.Sprintf("sources:\n  - name: %s\n    expression: %s\n    %s", name, wordYAML(call), strings.TrimSuffix(text, "    "))
}

var (
	quotedText = regexp.MustCompile(`'([^']*)'`)
	plainYAML  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_()'./*-]*$`)
	notInNames = regexp.MustCompile(`[^a-z0-9]+`)
	wordsYAML  = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

// sourceName is a name for a source that a call makes: that of the file it reads, or that of the function.
func sourceName(call string) string {
	name := call[:max(0, strings.IndexByte(call, '('))]
	if m := quotedText.FindStringSubmatch(call); m != nil {
		base := path.Base(m[1])
		name, _, _ = strings.Cut(base, ".")
	}
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("source_"+name, "_")
	}
	return name
}

// wordYAML is a text as a value of YAML.
func wordYAML(text string) string {
	if plainYAML.MatchString(text) && !slices.Contains(wordsYAML, strings.ToLower(text)) {
		return text
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return string(quoted)
}

// sayUnanalysed lists what was not analysed by reason, the most frequent first, and what is open.
func (out *invocation) sayUnanalysed(c *recheck.Outcome) {
	if out.json {
		return
	}
	list, cut := skipsOf(c)
	inputs := openInputs(c)
	out.mu.Lock()
	defer out.mu.Unlock()
	w := out.stdout
	bold, cyan, green := w.paint(color.Bold), w.paint(color.FgCyan), w.paint(color.FgGreen)
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s\n", bold(count(c.Unanalysed, "expression")+" not analysed"))
	}
	for _, group := range byReason(list) {
		fmt.Fprintf(w, "\n%5d  %s\n", len(group), group[0].Reason)
		width := 0
		for _, s := range group {
			width = max(width, len(s.place()))
		}
		for _, s := range group {
			fmt.Fprintf(w, "       %s  %s\n", cyan(s.place())+strings.Repeat(" ", width-len(s.place())), s.Text)
		}
		if help := group[0].Help; help != "" {
			fmt.Fprintf(w, "       %s %s\n", green("help:"), help)
		}
	}
	for _, more := range cut {
		fmt.Fprintf(w, "\n%s\n", more)
	}
	if len(inputs) > 0 {
		fmt.Fprintf(w, "\n%s\n", bold(count(len(inputs), "open input")+": more columns than are known"))
	}
	for _, in := range inputs {
		at := in.Path
		if in.Line > 0 {
			at = fmt.Sprintf("%s:%d:%d", in.Path, in.Line, in.Column)
		}
		fmt.Fprintf(w, "\n       %s  %s %s\n", bold(in.Name), in.Kind, cyan(at))
		if len(in.Readers) > 0 {
			fmt.Fprintf(w, "       read by %s\n", diag.Listing(in.Readers))
		}
		if len(in.Columns) > 0 {
			fmt.Fprintf(w, "       queries name %s\n", diag.Listing(in.Columns))
		}
		if in.Close != "" {
			fmt.Fprintf(w, "       %s %s\n", green("help:"), in.Close)
		}
		for line := range strings.Lines(in.Paste) {
			fmt.Fprintf(w, "         %s", line)
		}
	}
}

func (s *skipJSON) place() string { return fmt.Sprintf("%s:%d:%d", s.Path, s.Line, s.Column) }

// byReason groups what was not analysed, the largest group first and of equal ones by their reasons; each keeps its order.
func byReason(list []skipJSON) [][]skipJSON {
	at := map[string]int{}
	var groups [][]skipJSON
	for _, s := range list {
		i, ok := at[s.Reason]
		if !ok {
			i = len(groups)
			at[s.Reason], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	slices.SortFunc(groups, func(a, b []skipJSON) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].Reason, b[0].Reason))
	})
	return groups
}
