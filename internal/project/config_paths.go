package project

import (
	"path"
	"strings"

	"github.com/norn-data/norn/internal/diag"
)

// A pathDefault holds header keys for the models below a path: [path_defaults."staging/*"] of a SQLBuild project.
type pathDefault struct {
	key      Word
	wildcard bool
	entries  []Entry
}

// pathDefaults reads [path_defaults]. The keys are those of a MODEL header and are checked here once, not again for every
// model they apply to.
func (c *configReader) pathDefaults(key Word, v *tomlValue) {
	if !c.want(key, v, tomlTable) {
		return
	}
	for _, e := range v.entries {
		if !c.want(e.key, e.value, tomlTable) {
			continue
		}
		p := pathDefault{key: e.key, wildcard: strings.ContainsAny(e.key.Text, "*?["), entries: tomlEntries(e.value)}
		if _, err := path.Match(strings.ReplaceAll(e.key.Text, "**", "*"), ""); err != nil {
			c.r.add(diag.New("E0006", e.key.Span, "%s is not a path pattern", e.key.Text).WithHelp("use * and ? as wildcards"))
			continue
		}
		c.conf.paths = append(c.conf.paths, p)
		d := &decoder{r: c.r, loose: true, customs: c.conf.SQLBuild, model: &Model{Enabled: true}}
		d.block("MODEL", p.entries, modelKeys, sqlbuildKeys)
	}
}

// forPath picks the one entry that applies to a model's file, given below the project root. Literal keys beat wildcard
// keys, the deepest wins; two wildcard keys of one depth are a problem.
func (conf *Config) forPath(file string, r *report) []Entry {
	var best *pathDefault
	var tie *pathDefault
	for i := range conf.paths {
		p := &conf.paths[i]
		if !p.matches(file) {
			continue
		}
		switch {
		case best == nil, best.wildcard && !p.wildcard, best.wildcard == p.wildcard && p.depth() > best.depth():
			best, tie = p, nil
		case best.wildcard == p.wildcard && p.depth() == best.depth():
			tie = p
		}
	}
	if best == nil {
		return nil
	}
	if tie != nil {
		r.add(diag.New("E0006", tie.key.Span, "%s and %s both apply to %s", best.key.Text, tie.key.Text, file).
			WithNote(best.key.Span, "the other one").WithHelp("make one of the two deeper or literal"))
	}
	return best.entries
}

// depth is the number of folders a key names; deeper keys win because they are closer to the model.
func (p *pathDefault) depth() int { return strings.Count(strings.Trim(p.key.Text, "/"), "/") }

// matches reports whether the entry applies to a file. A key is a path below the project or below models/; it covers the
// file itself and everything below a folder.
func (p *pathDefault) matches(file string) bool {
	pattern := strings.Split(strings.Trim(strings.TrimPrefix(strings.Trim(p.key.Text, "/"), "models/"), "/"), "/")
	return matchParts(pattern, strings.Split(strings.TrimPrefix(file, "models/"), "/"))
}

// matchParts matches folder by folder. A pattern that is used up covers everything below, ** stands for any number of folders,
// and the last part may leave out the extension.
func matchParts(pattern, parts []string) bool {
	if len(pattern) == 0 {
		return true
	}
	if pattern[0] == "**" {
		for i := range len(parts) + 1 {
			if matchParts(pattern[1:], parts[i:]) {
				return true
			}
		}
		return false
	}
	if len(parts) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], parts[0])
	if err != nil || !ok {
		stem := strings.TrimSuffix(parts[0], ".sql")
		if ok, err = path.Match(pattern[0], stem); err != nil || !ok || len(parts) > 1 {
			return false
		}
	}
	return matchParts(pattern[1:], parts[1:])
}

// tomlEntries turns a table of TOML into the entries of a header, so that one decoder reads both.
func tomlEntries(t *tomlValue) []Entry {
	list := make([]Entry, 0, len(t.entries))
	for _, e := range t.entries {
		list = append(list, Entry{Key: e.key, Value: tomlHeaderValue(e.value)})
	}
	return list
}

// tomlHeaderValue converts one value. Texts become words, because TOML has no words of its own.
func tomlHeaderValue(v *tomlValue) Value {
	out := Value{Text: v.text, Span: v.span}
	switch v.kind {
	case tomlTable:
		out.Kind, out.Items = BlockValue, tomlEntries(v)
	case tomlArray:
		out.Kind = ListValue
		for _, item := range v.items {
			out.Items = append(out.Items, Entry{Value: tomlHeaderValue(item)})
		}
	case tomlInteger, tomlFloat:
		out.Kind = NumberValue
	default:
		out.Kind = WordValue
	}
	return out
}
