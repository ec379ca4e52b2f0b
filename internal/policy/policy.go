// Package policy runs the rules that a project brings along: Starlark files in rules/ that look at what the analysis found out
// about models and say what the project's people do not want.
//
//	def check(model):
//	    """Models of marts do not read sources."""
//	    if model.path.startswith("models/marts/"):
//	        return [problem("%s is a source" % u.name, at = u) for u in model.upstream if u.kind == "source"]
//
// The data goes one way. [New] loads the files. [Rules.Model] makes the facts of one model (facts.go, query.go), calls the check
// of each rule with them, turns what it returns into problems (finding.go) and applies suppressions. [Rules.Project] does the same once for the
// functions check_project, which see the whole graph (graph.go) and no queries. docs/rules.md describes the facts; a test holds
// it to them.
//
// Invariants:
//
//   - A rule sees frozen values and nothing else: no file, no clock, no chance, no other rule (package script).
//   - What [Rules.Model] says follows from the model, from what analyze.Model says of it, and from what [Rules.Key] stands for.
//     So whoever keeps what is known about a model keeps its findings with it, under that key. This is the granularity: all facts
//     of a model together, not the single ones that a rule read.
//   - A rule that fails is an error and never a pass. One mistake in a rule is one problem, however many models it fails on.
//   - Models can be checked on any number of goroutines; the order of problems does not depend on it.
package policy

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"

	"go.starlark.net/starlark"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
	"github.com/norn-data/norn/internal/project/script"
)

// Folder is where the rules of a project lie.
const Folder = "rules/"

// Rules are the rules of one project that are on, ready to run. They are safe for any number of goroutines.
type Rules struct {
	p        *project.Project
	modules  *script.Modules
	rules    []*rule
	problems []*diag.Problem // of the files and of what norn.toml says about them
	places   *places
}

// rule is one file of rules/.
type rule struct {
	name, about string
	file        *diag.File
	severity    diag.Severity
	on          bool
	model       *starlark.Function // check, nil when there is none
	project     *starlark.Function // check_project
	options     []starlark.Tuple
}

// A Rule is what there is to say about a rule of a project.
type Rule struct {
	Name string
	// About is the first paragraph of the documentation of its check, "" when it has none.
	About    string
	Path     string
	Severity diag.Severity
	On       bool
}

// New loads the rules of a project. What is wrong with them is said by [Rules.Project]. The error is the end of the context.
func New(ctx context.Context, p *project.Project) (*Rules, error) {
	return newRules(ctx, p, script.Limits{})
}

func newRules(ctx context.Context, p *project.Project, limits script.Limits) (*Rules, error) {
	r := &Rules{p: p}
	if len(p.Rules) == 0 {
		return r, nil
	}
	files := make([]*diag.File, len(p.Rules))
	for i, s := range p.Rules {
		files[i] = s.File
	}
	var err error
	r.modules, r.problems, err = script.Load(ctx, files, script.Options{Code: "E2002", Folder: Folder, Names: builtins(), Limits: limits})
	if err != nil {
		return nil, err
	}
	r.places = newPlaces(p)
	seen := map[string]*diag.File{}
	for _, s := range p.Rules {
		if !isRule(s) {
			continue
		}
		if first := seen[s.Name]; first != nil {
			r.problems = append(r.problems, diag.New("E2002", diag.Span{File: s.File}, "there are two rules called %s", s.Name).
				WithNote(diag.Span{File: first}, "the first one").WithHelp("rename one of the files"))
			continue
		}
		seen[s.Name] = s.File
		if globals := r.modules.Globals(s.File.Path); globals != nil {
			r.add(s, globals)
		}
	}
	r.configure()
	return r, nil
}

// isRule tells rules from files that the others load.
func isRule(s *project.Script) bool { return s.Name != "" && s.Name[0] != '_' }

// builtInCode is the form of norn's own codes, which no rule of a project may have.
var builtInCode = regexp.MustCompile(`^(?i:[ER][0-9]+|all|core)$`)

// plainName is what a suppression can name: one word.
var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// add makes a rule of what its file defines.
func (r *Rules) add(s *project.Script, globals starlark.StringDict) {
	top := diag.Span{File: s.File}
	unusable := func(at diag.Span, help, format string, args ...any) {
		r.problems = append(r.problems, diag.New("E2002", at, format, args...).WithHelp("%s", help))
	}
	if builtInCode.MatchString(s.Name) {
		unusable(top, "rename the file: codes such as R001 and the words all and core mean norn's own rules in suppressions and in norn.toml",
			"the name %s is taken: it means rules of norn", s.Name)
		return
	}
	if !plainName.MatchString(s.Name) {
		unusable(top, "rename the file: letters, digits and underscores", "a rule cannot be called %s", s.Name)
		return
	}
	one := &rule{name: s.Name, file: s.File, severity: diag.Warning, on: true}
	for _, entry := range []struct {
		name, word string
		to         **starlark.Function
	}{{"check", "model", &one.model}, {"check_project", "project", &one.project}} {
		v, ok := globals[entry.name]
		if !ok {
			continue
		}
		fn, ok := v.(*starlark.Function)
		if !ok || fn.NumParams() == 0 || fn.HasVarargs() || fn.HasKwargs() || required(fn) != 1 {
			at := top
			if ok {
				at = r.modules.Place(fn)
			}
			unusable(at, fmt.Sprintf("write def %s(%s): …; further parameters need a default", entry.name, entry.word),
				"%s of the rule %s must be a function of one %s", entry.name, s.Name, entry.word)
			return
		}
		*entry.to = fn
		if one.about == "" {
			one.about = paragraph(fn.Doc())
		}
	}
	if one.model == nil && one.project == nil {
		names := globals.Keys()
		help := "write def check(model): …"
		if near := diag.Nearest("check", names); near != "" {
			help = fmt.Sprintf("rename %s to check", near)
		}
		unusable(top, help, "the rule %s defines neither check nor check_project", s.Name)
		return
	}
	if v, ok := globals["severity"]; ok {
		switch word, _ := starlark.AsString(v); word {
		case "error":
			one.severity = diag.Error
		case "warning":
		default:
			unusable(top, `write severity = "error" or severity = "warning"`, "the rule %s has the severity %s", s.Name, v)
			return
		}
	}
	r.rules = append(r.rules, one)
}

// required is the number of parameters without a default.
func required(fn *starlark.Function) int {
	n := 0
	for i := range fn.NumParams() {
		if fn.ParamDefault(i) == nil {
			n++
		}
	}
	return n
}

// paragraph is the first paragraph of a text, in one line.
func paragraph(doc string) string {
	text, _, _ := cutBlank(doc)
	return text
}

// configure obeys the [rules] table of norn.toml.
func (r *Rules) configure() {
	if r.p.Config == nil {
		return
	}
	choice := r.p.Config.Rules
	find := func(name string) *rule {
		i := slices.IndexFunc(r.rules, func(one *rule) bool { return one.name == name })
		if i < 0 {
			return nil
		}
		return r.rules[i]
	}
	for _, w := range choice.Ignore {
		if one := find(w.Text); one != nil {
			one.on = false
		}
	}
	for _, w := range choice.Error {
		if one := find(w.Text); one != nil {
			one.severity = diag.Error
		}
	}
	for _, o := range choice.Options {
		one := find(o.Rule.Text)
		if one == nil {
			if r.p.Rule(o.Rule.Text) == nil { // else the file is broken and says so
				p := diag.New("E2001", o.Rule.Span, "there is no rule %s in rules/", o.Rule.Text).WithHelp("options are for the rules of the project")
				if near := diag.Nearest(o.Rule.Text, r.p.RuleNames()); near != "" {
					p.WithHelp("did you mean %s?", near)
				}
				r.problems = append(r.problems, p)
			}
			continue
		}
		r.option(one, o)
	}
}

// option sets one option of a rule: a parameter of its check that has a default.
func (r *Rules) option(one *rule, o project.RuleOption) {
	var names []string
	for _, fn := range []*starlark.Function{one.model, one.project} {
		if fn == nil {
			continue
		}
		for i := 1; i < fn.NumParams(); i++ {
			name, _ := fn.Param(i)
			names = append(names, name)
		}
	}
	if !slices.Contains(names, o.Name.Text) {
		p := diag.New("E2005", o.Name.Span, "the rule %s has no option %s", one.name, o.Name.Text)
		if near := diag.Nearest(o.Name.Text, names); near != "" {
			p.WithHelp("did you mean %s?", near).WithFix(o.Name.Span, near)
		} else if len(names) > 0 {
			p.WithHelp("it has %s", diag.Listing(names))
		} else {
			p.WithHelp("options are parameters of check that have a default")
		}
		r.problems = append(r.problems, p)
		return
	}
	one.options = append(one.options, starlark.Tuple{starlark.String(o.Name.Text), optionValue(o.Value)})
}

// optionValue is a value of norn.toml in Starlark.
func optionValue(v any) starlark.Value {
	switch v := v.(type) {
	case string:
		return starlark.String(v)
	case int64:
		return starlark.MakeInt64(v)
	case float64:
		return starlark.Float(v)
	case bool:
		return starlark.Bool(v)
	case []string:
		list := script.Texts(v)
		list.Freeze()
		return list
	}
	diag.Assert(false, "an option of a rule has the type %T", v)
	return nil
}

// optionsFor are the options that a function has.
func (one *rule) optionsFor(fn *starlark.Function) []starlark.Tuple {
	return slices.DeleteFunc(slices.Clone(one.options), func(o starlark.Tuple) bool {
		for i := range fn.NumParams() {
			if name, _ := fn.Param(i); name == string(o[0].(starlark.String)) {
				return false
			}
		}
		return true
	})
}

// Any reports whether there is anything to run or to say.
func (r *Rules) Any() bool { return len(r.p.Rules) > 0 }

// List are the rules of the project by name, those that are off included.
func (r *Rules) List() []Rule {
	var out []Rule
	for _, one := range r.rules {
		out = append(out, Rule{Name: one.name, About: one.about, Path: one.file.Path, Severity: one.severity, On: one.on})
	}
	slices.SortFunc(out, func(a, b Rule) int { return compareText(a.Name, b.Name) })
	return out
}

// Problems are what is wrong with the rules themselves.
func (r *Rules) Problems() []*diag.Problem { return slices.Clone(r.problems) }

// Key stands for everything that the findings about a model depend on beside the model and what the analysis says of it: the text
// of the rules, their options and weights, and what rules can see of the nodes that a model reads (name, kind, path, tags,
// description).
func (r *Rules) Key() string {
	if !r.Any() {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "policy 1\x00")
	for _, s := range r.p.Rules {
		fmt.Fprintf(h, "%s\x00%d\x00%s", s.File.Path, len(s.File.Text), s.File.Text)
	}
	for _, one := range r.rules {
		fmt.Fprintf(h, "%s\x00%d\x00%t\x00%s\x00", one.name, one.severity, one.on, starlark.NewList(tuples(one.options)))
	}
	for _, n := range r.nodes() {
		fmt.Fprintf(h, "%q", n)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func tuples(list []starlark.Tuple) []starlark.Value {
	out := make([]starlark.Value, len(list))
	for i, t := range list {
		out[i] = t
	}
	return out
}

// nodes is what rules can see of every node.
func (r *Rules) nodes() [][]string {
	var out [][]string
	add := func(n project.Node) {
		about := describe(n)
		out = append(out, append([]string{n.NodeName(), about.kind, about.path, about.description}, about.tags...))
	}
	for _, n := range r.p.Models {
		add(n)
	}
	for _, n := range r.p.Sources {
		add(n)
	}
	for _, n := range r.p.Seeds {
		add(n)
	}
	return out
}
