package house

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// A linterRule is a rule of depguard: the imports that some files may or may not have.
type linterRule struct {
	Mode  string   `yaml:"list-mode"`
	Files []string `yaml:"files"`
	Allow []string `yaml:"allow"`
	Deny  []denial `yaml:"deny"`
}

// A denial is an import that a rule forbids, by its beginning.
type denial struct {
	Pkg string `yaml:"pkg"`
}

// String is what the rule says, whatever its name and its words are.
func (r linterRule) String() string {
	var denied []string
	for _, d := range r.Deny {
		denied = append(denied, d.Pkg)
	}
	return fmt.Sprintf("%s, files %q, allow %q, deny %q", r.Mode, r.Files, r.Allow, denied)
}

// importPathOf is the import path of a room.
func importPathOf(room string) string {
	if slices.Contains(public, room) {
		return module + "/" + room
	}
	return module + "/internal/" + room
}

// filesOf are the files of a place of the policy, as globs. The linter cannot tell tests of one folder apart from its code, so
// "analyze/referee tests" is the folder: the test of the import order is narrower.
func filesOf(place string) string {
	place = strings.TrimSuffix(place, " tests")
	if slices.Contains(public, place) {
		return "**/" + place + "/**"
	}
	return "**/internal/" + place + "/**"
}

// asLinterRule says a rule of the policy as one of depguard. Adapters lie in the folder of their room and need no line of
// their own there.
func asLinterRule(rule neverRule) linterRule {
	r := linterRule{Mode: "lax"}
	deny := func(path string) { r.Deny = append(r.Deny, denial{path}) }
	adapter := func(room string) bool { return strings.HasSuffix(room, "/*") }
	switch {
	case rule.What != nil:
		r.Files = []string{"$all"}
		for _, place := range rule.Outside {
			r.Files = append(r.Files, "!"+filesOf(place))
		}
		for _, path := range rule.What {
			deny(path)
		}
		return r
	case rule.Only != "":
		r.Mode, r.Allow = "strict", []string{"$gostd", module}
		if rule.Only == "std" {
			r.Allow = []string{"$gostd", "C", importPathOf(rule.From[0])}
		}
	}
	for _, room := range slices.DeleteFunc(slices.Clone(rule.From), adapter) {
		r.Files = append(r.Files, filesOf(room))
	}
	if rule.Only != "" {
		r.Files = append(r.Files, "!$test") // what only tests need does not reach the user
	}
	for _, room := range slices.DeleteFunc(slices.Clone(rule.To), adapter) {
		deny(importPathOf(room))
	}
	return r
}

// checkLinter returns how the linter's rules differ from the policy. The rule "everywhere" is the linter's own: it is about
// packages that have a better one, not about rooms.
func checkLinter(p *plan, text string) ([]string, error) {
	var config struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]linterRule `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	if err := yaml.Unmarshal([]byte(text), &config); err != nil {
		return nil, err
	}
	rules := config.Linters.Settings.Depguard.Rules
	delete(rules, "everywhere")
	said := make(map[string]string)
	for name, rule := range rules {
		said[rule.String()] = name
	}
	var complaints []string
	for _, rule := range p.Never {
		want := asLinterRule(rule).String()
		if said[want] == "" {
			complaints = append(complaints, fmt.Sprintf("%q is no rule of depguard, which should say: %s", rule.Text, want))
		}
		delete(said, want)
	}
	for text, name := range said {
		complaints = append(complaints, fmt.Sprintf("the rule %s of depguard is none of the policy: %s", name, text))
	}
	slices.Sort(complaints)
	return complaints, nil
}

func TestLinterFollowsPolicy(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	complaints, err := checkLinter(mustPolicy(t), string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

func TestLinterFollowsPolicyCanFail(t *testing.T) {
	p, err := parsePolicy("NONE < sql, fitted\nnever: sql -> fitted\nnever: net/http outside fitted/hub")
	if err != nil {
		t.Fatal(err)
	}
	const begins = "linters: {settings: {depguard: {rules: {everywhere: {list-mode: lax}, "
	sql := `half: {list-mode: lax, files: ["**/internal/sql/**"], deny: [{pkg: "` + module + `/internal/fitted", desc: why}]}`
	network := `net: {list-mode: lax, files: [$all, "!**/internal/fitted/hub/**"], deny: [{pkg: net/http, desc: why}]}`
	for text, want := range map[string]int{
		sql + ", " + network: 0,
		sql:                  1, // a rule fewer
		sql + ", " + network + ", more: {list-mode: lax, files: [$all]}":            1, // a rule more
		strings.Replace(sql, "internal/fitted", "internal/fit", 1) + ", " + network: 2, // another one
	} {
		got, err := checkLinter(p, begins+text+"}}}}")
		if err != nil || len(got) != want {
			t.Errorf("%s\ncomplaints %q (%v), want %d", text, got, err, want)
		}
	}
}
