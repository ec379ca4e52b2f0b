package project

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// ConfigFile and SQLBuildConfigFile are the files that make a folder a project.
const (
	ConfigFile         = "norn.toml"
	SQLBuildConfigFile = "sqlbuild_project.toml"
	// sqlbuildLocalFile holds a developer's own settings; they win, field by field.
	sqlbuildLocalFile = "sqlbuild_local.toml"
)

// adapters are the warehouses a target can be on.
var adapters = []string{"duckdb", "postgres"}

// configReader decodes the tree of a configuration file.
type configReader struct {
	r    *report
	o    Options
	conf *Config
	// whole is false after a syntax error: what is missing then may stand in the part that was not read.
	whole bool
	// into collects the problems of the target that is being read; see [Target].
	into *Target
}

// tomlKeys says what the keys of a table mean; names are compared exactly, as TOML does.
type tomlKeys map[string]func(key Word, v *tomlValue)

// table hands every entry to its key's function.
func (c *configReader) table(noun string, t *tomlValue, keys tomlKeys) {
	for _, e := range t.entries {
		if f, ok := keys[e.key.Text]; ok {
			f(e.key, e.value)
			continue
		}
		d := decoder{r: c.r}
		d.unknown("E0003", e.key, "key of "+noun, slices.Sorted(maps.Keys(keys)))
	}
}

// want reports a value of the wrong form and says whether it is right.
func (c *configReader) want(key Word, v *tomlValue, kind tomlKind) bool {
	if v.kind == kind {
		return true
	}
	c.r.add(diag.New("E0004", v.span, "%s expects %s, found %s", key.Text, kind, v.kind).
		WithHelp("write %s", map[tomlKind]string{
			tomlString: key.Text + ` = "…"`, tomlBool: key.Text + " = true", tomlArray: key.Text + ` = ["…"]`,
			tomlTable: "[" + key.Text + "]", tomlInteger: key.Text + " = 1",
		}[kind]))
	return false
}

// text reads a text and fills in its ${…} templates.
func (c *configReader) text(to *Word) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if c.want(key, v, tomlString) {
			*to = Word{c.expand(v), v.span}
		}
	}
}

// ruleOptions reads [rules.options.NAME]. Which rules and options there are is for those to say who run the rules.
func (c *configReader) ruleOptions(key Word, v *tomlValue) {
	if !c.want(key, v, tomlTable) {
		return
	}
	for _, one := range v.entries {
		if !c.want(one.key, one.value, tomlTable) {
			continue
		}
		for _, e := range one.value.entries {
			value, ok := e.value.scalar()
			if e.value.kind == tomlArray {
				list := []string{}
				for _, item := range e.value.items {
					if c.want(e.key, item, tomlString) {
						list = append(list, item.text)
					}
				}
				value, ok = list, true
			}
			if !ok {
				c.r.add(diag.New("E0004", e.value.span, "the option %s expects a text, a number, true, false or a list of texts; found %s", e.key.Text, e.value.kind).
					WithHelp(`write %s = "…"`, e.key.Text))
				continue
			}
			c.conf.Rules.Options = append(c.conf.Rules.Options, RuleOption{one.key, e.key, value})
		}
	}
}

// positive reads a whole number above 0.
func (c *configReader) positive(to *int) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if !c.want(key, v, tomlInteger) {
			return
		}
		n, ok := v.scalar()
		if !ok || n.(int64) <= 0 || n.(int64) > 1<<30 {
			c.r.add(diag.New("E0004", v.span, "%s expects a number from 1 to %d, found %s", key.Text, 1<<30, v.text).WithHelp("write %s = 1 or more", key.Text))
			return
		}
		*to = int(n.(int64))
	}
}

// words reads a list of texts.
func (c *configReader) words(to *[]Word) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if !c.want(key, v, tomlArray) {
			return
		}
		for _, item := range v.items {
			if c.want(key, item, tomlString) {
				*to = append(*to, Word{item.text, item.span})
			}
		}
	}
}

// template finds ${ENV:NAME} and ${name} in a value of the configuration.
var template = regexp.MustCompile(`\$\{([^}]*)\}`)

// expand fills in templates. What is not set is a problem that names it, because an empty text in its place would connect
// to another database than the one that was meant.
func (c *configReader) expand(v *tomlValue) string {
	if !strings.Contains(v.text, "${") {
		return v.text
	}
	return template.ReplaceAllStringFunc(v.text, func(m string) string {
		name := strings.TrimSpace(m[2 : len(m)-1])
		if env, ok := strings.CutPrefix(name, "ENV:"); ok {
			if c.o.Env != nil {
				if value, set := c.o.Env(env); set {
					return value
				}
			}
			c.trouble(diag.New("E0007", v.span, "the environment variable %s is not set", env).
				WithHelp("set it before running norn: export %s=…", env))
			return ""
		}
		if value, ok := c.o.Vars[name]; ok {
			return value
		}
		if value, ok := c.conf.Vars[name]; ok && value.Value != nil {
			return value.String()
		}
		c.trouble(diag.New("E0007", v.span, "the variable %s is not defined", name).
			WithHelp("define it in [vars], or write ${ENV:%s} for a variable of the environment", name))
		return ""
	})
}

// trouble reports a problem, or keeps it with the target that is being read: a colleague's target may need variables that
// are not set here.
func (c *configReader) trouble(p *diag.Problem) {
	if c.into != nil {
		c.into.unusable = append(c.into.unusable, p)
		return
	}
	c.r.add(p)
}

// vars reads a table of variables.
func (c *configReader) vars(to *map[string]Var) func(Word, *tomlValue) {
	return func(key Word, v *tomlValue) {
		if !c.want(key, v, tomlTable) {
			return
		}
		*to = make(map[string]Var, len(v.entries))
		for _, e := range v.entries {
			value, ok := e.value.scalar()
			if !ok && c.conf.SQLBuild {
				value, ok = nil, true // a list or a table, which macros may look into
			}
			if !ok {
				c.r.add(diag.New("E0004", e.value.span, "the variable %s expects a text, a number, true or false; found %s", e.key.Text, e.value.kind).
					WithHelp(`write %s = "…"`, e.key.Text))
				continue
			}
			(*to)[e.key.Text] = Var{Value: value, Span: e.value.span}
		}
	}
}

// defaults reads [defaults]; more are keys that are accepted beside norn's own.
func (c *configReader) defaults(noun string, t *tomlValue, more tomlKeys) {
	to := &c.conf.Defaults
	keys := tomlKeys{
		"materialized": func(key Word, v *tomlValue) {
			if words := []string{"view", "table", "incremental", "snapshot"}; c.conf.SQLBuild && v.kind == tomlString && !slices.Contains(words, v.text) {
				to.Materialized, to.MaterializedSpan, to.custom = Custom, v.span, Word{v.text, v.span}
			} else if i := c.choice(key, v, "materialization", words...); i >= 0 {
				to.Materialized, to.MaterializedSpan = Materialization(i), v.span
			}
		},
		"contract": func(key Word, v *tomlValue) {
			if i := c.choice(key, v, "contract", "none", "enforced"); i >= 0 {
				to.Contract, to.ContractSpan = ContractNone+Contract(i), v.span
			}
		},
		"schema": c.text(&to.Schema), "database": c.text(&to.Database),
		"seed_schema": c.text(&to.SeedSchema), "seed_database": c.text(&to.SeedDatabase),
		"tags": func(key Word, v *tomlValue) {
			if !c.want(key, v, tomlArray) {
				return
			}
			for _, item := range v.items {
				if c.want(key, item, tomlString) {
					to.Tags = append(to.Tags, item.text)
				}
			}
		},
	}
	maps.Copy(keys, more)
	c.table(noun, t, keys)
}

// choice reads one of a closed set of words and returns its index, or -1 after a report.
func (c *configReader) choice(key Word, v *tomlValue, noun string, words ...string) int {
	if !c.want(key, v, tomlString) {
		return -1
	}
	i := slices.Index(words, v.text)
	if i < 0 {
		d := decoder{r: c.r}
		d.unknown("E0006", Word{v.text, v.span}, noun, words)
	}
	return i
}

// readConfig decodes norn.toml.
func (c *configReader) readConfig(root *tomlValue) {
	conf := c.conf
	// Variables come first: other values may name them, wherever they stand in the file.
	if v := root.get("vars"); v != nil {
		c.vars(&conf.Vars)(Word{Text: "vars"}, v)
	}
	c.table(ConfigFile, root, tomlKeys{
		"name":           c.text(&conf.Name),
		"default_target": c.text(&conf.DefaultTarget),
		"vars":           func(Word, *tomlValue) {},
		"defaults": func(key Word, v *tomlValue) {
			if c.want(key, v, tomlTable) {
				c.defaults("[defaults]", v, nil)
			}
		},
		"rules": func(key Word, v *tomlValue) {
			if c.want(key, v, tomlTable) {
				c.table("[rules]", v, tomlKeys{
					"select": c.words(&conf.Rules.Select), "ignore": c.words(&conf.Rules.Ignore), "error": c.words(&conf.Rules.Error),
					"options": c.ruleOptions,
					"thresholds": func(key Word, v *tomlValue) {
						if c.want(key, v, tomlTable) {
							c.table("[rules.thresholds]", v, tomlKeys{"max_literal_length": c.positive(&conf.Rules.LiteralLength),
								"max_ranking_order_by": c.positive(&conf.Rules.RankingOrderBy)})
						}
					},
				})
			}
		},
		"targets": func(key Word, v *tomlValue) {
			if !c.want(key, v, tomlTable) {
				return
			}
			for _, e := range v.entries {
				if c.want(e.key, e.value, tomlTable) {
					conf.Targets = append(conf.Targets, c.target(e.key, e.value))
				}
			}
		},
	})
	c.finish()
}

// target reads one [targets.X] of norn.toml.
func (c *configReader) target(name Word, t *tomlValue) *Target {
	to := &Target{Name: name.Text, Span: name.Span}
	c.into = to
	defer func() { c.into = nil }()
	noun := "[targets." + name.Text + "]"
	c.table(noun, t, tomlKeys{
		"adapter": func(key Word, v *tomlValue) {
			if i := c.choice(key, v, "adapter", adapters...); i >= 0 {
				to.Adapter = Word{adapters[i], v.span}
			}
		},
		"path": c.text(&to.Path), "url": c.text(&to.URL), "schema": c.text(&to.Schema), "database": c.text(&to.Database),
		"vars": c.vars(&to.Vars),
	})
	if t.get("adapter") == nil && !c.misspelt("adapter") {
		c.r.add(diag.New("E0005", name.Span, "target %s does not say which adapter it uses", name.Text).
			WithHelp(`add adapter = "duckdb" or adapter = "postgres"`))
	}
	c.checkTarget(to, t.get("path"), t.get("url"))
	return to
}

// checkTarget holds a target to what its adapter needs.
func (c *configReader) checkTarget(to *Target, path, url *tomlValue) {
	switch to.Adapter.Text {
	case "duckdb":
		if path == nil && !c.misspelt("path") {
			c.r.add(diag.New("E0005", to.Span, "target %s does not say where its DuckDB file lies", to.Name).
				WithHelp(`add path = "%s.duckdb"`, to.Name))
		}
		if url != nil {
			c.r.add(diag.New("E0003", url.span, "a duckdb target has no url").WithHelp("use path"))
		}
		if !to.Schema.Given() {
			to.Schema = Word{"main", to.Span}
		}
	case "postgres":
		if url == nil && !c.misspelt("url") {
			c.r.add(diag.New("E0005", to.Span, "target %s does not say which PostgreSQL server it is on", to.Name).
				WithHelp(`add url = "${ENV:%s_URL}"`, strings.ToUpper(to.Name)))
		}
		if path != nil {
			c.r.add(diag.New("E0003", path.span, "a postgres target has no path").WithHelp("use url"))
		}
		if !to.Schema.Given() {
			to.Schema = Word{"public", to.Span}
		}
	}
}

// misspelt reports whether a missing key was said already: as an unknown key near it, or because the file is cut off by a
// syntax error.
func (c *configReader) misspelt(key string) bool {
	return !c.whole || slices.ContainsFunc(c.r.problems, func(p *diag.Problem) bool {
		return (p.Code == "E0003" || p.Code == "E0004") && (p.Fix != nil && p.Fix.Text == key || strings.HasPrefix(p.Message, key+" expects"))
	})
}

// finish checks what every project needs and sorts the targets.
func (c *configReader) finish() {
	conf := c.conf
	top := diag.Span{File: conf.File}
	if !conf.Name.Given() && !c.misspelt("name") {
		c.r.add(diag.New("E0005", top, "the project has no name").WithHelp(`add name = "…" at the top`))
	}
	if len(conf.Targets) == 0 && !c.misspelt("targets") {
		c.r.add(diag.New("E0005", top, "the project has no target to build into").
			WithHelp("add [targets.dev] with adapter = \"duckdb\" and path = \"dev.duckdb\""))
	}
	slices.SortFunc(conf.Targets, func(a, b *Target) int { return strings.Compare(a.Name, b.Name) })
}

// choose picks the target: the one asked for, else the default, else the only one.
func (c *configReader) choose() *Target {
	conf := c.conf
	names := make([]string, len(conf.Targets))
	for i, t := range conf.Targets {
		names[i] = t.Name
	}
	want, at := c.o.Target, diag.Span{}
	if want == "" {
		want, at = conf.DefaultTarget.Text, conf.DefaultTarget.Span
	}
	if want == "" {
		switch len(conf.Targets) {
		case 0:
		case 1:
			return c.usable(conf.Targets[0])
		default:
			c.r.add(diag.New("E0005", diag.Span{File: conf.File}, "there are several targets and no default_target").
				WithHelp("add default_target = %q at the top", names[0]))
		}
		return nil
	}
	if i := slices.Index(names, want); i >= 0 {
		return c.usable(conf.Targets[i])
	}
	if len(names) > 0 {
		d := decoder{r: c.r}
		d.unknown("E0008", Word{want, at}, "target", names)
	}
	return nil
}

// usable reports what keeps the chosen target from being used.
func (c *configReader) usable(t *Target) *Target {
	c.r.problems = append(c.r.problems, t.unusable...)
	return t
}
