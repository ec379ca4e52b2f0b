package dbt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// ReportFile is the file of the new project that lists what is left to do by hand. norn does not read it.
const ReportFile = "IMPORT.md"

// Report is the list of what is left, in Markdown: things to do with place, reason and way, then open references, then what
// was dropped. It may be deleted when everything is done.
func (i *Import) Report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What is left of the dbt project %s\n\nPlaces are files of the dbt project. Delete this file when you are done.\n", i.Name)
	if len(i.Left) > 0 {
		b.WriteString("\n## To do by hand\n")
	}
	for _, group := range i.groups() {
		group.markdown(&b)
	}
	if len(i.Open) > 0 {
		b.WriteString("\n## References to what was left\n\n")
	}
	for _, p := range i.Open {
		fmt.Fprintf(&b, "- %s: %s\n", placeOf(p.Span), p.Message)
	}
	if len(i.Notes) > 0 {
		b.WriteString("\n## Dropped or changed\n\n")
	}
	for _, n := range i.Notes {
		fmt.Fprintf(&b, "- %s (%s, first in %s)\n", n.Text, counted(n.Places, "place"), placeOf(n.First))
	}
	return b.String()
}

// A group is what was left for one reason at one place: a setting of a folder stops every model below it.
type group []Left

// groups are the groups in the order of their first members.
func (i *Import) groups() []group {
	var list []group
	at := map[diag.Span]map[string]int{}
	for _, l := range i.Left {
		byReason := at[l.Problem.Span]
		if byReason == nil {
			byReason = map[string]int{}
			at[l.Problem.Span] = byReason
		}
		key := l.Kind + " " + l.Reason
		n, ok := byReason[key]
		if !ok {
			n = len(list)
			byReason[key] = n
			list = append(list, nil)
		}
		list[n] = append(list[n], l)
	}
	return list
}

// problem is one problem for the group.
func (g group) problem() *diag.Problem {
	first := g[0].Problem
	if len(g) == 1 {
		return first
	}
	p := *first
	p.Message = fmt.Sprintf("%s are not converted, %s and %s among them: %s", counted(len(g), g[0].Kind), g[0].Name, g[1].Name, g[0].Reason)
	p.Notes = nil
	return &p
}

// Troubles are problems for what was left, those of one reason and place as one, and then the open references, all in the order
// of their places.
func (i *Import) Troubles() []*diag.Problem {
	var list []*diag.Problem
	for _, g := range i.groups() {
		list = append(list, g.problem())
	}
	list = append(list, i.Open...)
	diag.Sort(list)
	return list
}

// First are the problems to look at first, at most some of them: what holds rows, then what tests rows. What norn has nothing of
// the kind for (macros, metrics, exposures) and what only follows (open references) is not among them.
func (i *Import) First(most int) []*diag.Problem {
	var holds, tests []*diag.Problem
	for _, g := range i.groups() {
		switch g[0].Kind {
		case "model", "seed", "source", "snapshot", "hook":
			holds = append(holds, g.problem())
		case "test", "singular test", "unit test":
			tests = append(tests, g.problem())
		}
	}
	all := append(holds, tests...)
	return all[:min(len(all), most)]
}

// Summary counts what was left by kind: 3 models, 1 snapshot, 2 open references.
func (i *Import) Summary() string {
	counts := map[string]int{}
	for _, l := range i.Left {
		counts[l.Kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, counted(counts[kind], kind))
	}
	slices.SortStableFunc(parts, func(a, b string) int { return holdsRows(b) - holdsRows(a) })
	if n := len(i.Open); n > 0 {
		parts = append(parts, counted(n, "open reference"))
	}
	return strings.Join(parts, ", ")
}

// holdsRows puts models in front.
func holdsRows(part string) int {
	if strings.HasSuffix(part, " model") && !strings.Contains(part, "semantic") || strings.HasSuffix(part, " models") && !strings.Contains(part, "semantic") {
		return 1
	}
	return 0
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (g group) markdown(b *strings.Builder) {
	first := g[0]
	name := first.Kind + " " + first.Name
	if len(g) > 1 {
		name = counted(len(g), first.Kind)
	}
	fmt.Fprintf(b, "\n- [ ] **%s**, %s\n  %s.\n  To do: %s.\n", name, placeOf(first.Problem.Span), sentence(first.Reason), first.Problem.Help)
	if len(g) > 1 {
		names := make([]string, len(g))
		for i, l := range g {
			names[i] = l.Name
		}
		fmt.Fprintf(b, "  They are: %s.\n", strings.Join(names, ", "))
		return
	}
	for _, n := range first.Problem.Notes {
		fmt.Fprintf(b, "  Also %s: %s.\n", placeOf(n.Span), n.Text)
	}
	if first.Header == "" {
		return
	}
	b.WriteString("  Its header in norn:\n\n")
	fence := "```"
	for strings.Contains(first.Header, fence) {
		fence += "`"
	}
	for line := range strings.Lines(fence + "sql\n" + first.Header + fence + "\n") {
		b.WriteString("  " + line)
	}
}

// sentence begins with a capital where the text begins with a plain word.
func sentence(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || word == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// placeOf is file:line:column, or the file alone where there is no text to point into.
func placeOf(s diag.Span) string {
	if s.IsZero() {
		return "-"
	}
	at := s.Begin()
	return fmt.Sprintf("%s:%d:%d", s.File.Path, at.Line, at.Column)
}
