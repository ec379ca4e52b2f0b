package cli

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
)

// TestSARIF holds a log to the structure that the standard demands of it: sections 3.13 (the log), 3.14 (a run), 3.19
// (the driver), 3.27 (a result), 3.30 (a region) and 3.55 (a fix) of SARIF 2.1.0.
func TestSARIF(t *testing.T) {
	file := diag.NewFile("models/größe 1:2.sql", "select 'ü', custmer\nfrom t\n")
	span := diag.Span{File: file, Start: 13, End: 20}
	problems := []*diag.Problem{
		diag.New("E1003", span, "unknown column custmer").WithHelp("did you mean customer?").WithFix(span, "customer").
			WithNote(diag.Span{File: file, Start: 21, End: 27}, "read here").WithNote(diag.Span{}, "a note without a place"),
		diag.New("E0201", diag.Span{File: file, Start: len(file.Text), End: len(file.Text)}, "the end"),
		{Code: "E1003", Severity: diag.Warning, Message: "without a place"},
		diag.New("E9999", span, "a code without a page"),
	}
	path := filepath.Join(t.TempDir(), "norn.sarif")
	if err := writeSARIF(path, problems); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(text, &log); err != nil {
		t.Fatal(err)
	}
	if log["version"] != "2.1.0" {
		t.Errorf("version %v", log["version"])
	}
	run := list(t, log, "runs")[0]
	driver := member(t, member(t, run, "tool"), "driver")
	rules := list(t, driver, "rules")
	if driver["name"] != "norn" || run["columnKind"] != "unicodeCodePoints" || len(rules) != 3 {
		t.Errorf("the run is %v", run)
	}
	results := list(t, run, "results")
	if len(results) != len(problems) {
		t.Fatalf("%d results for %d problems", len(results), len(problems))
	}
	for i, r := range results {
		if r["ruleId"] != problems[i].Code || rules[int(r["ruleIndex"].(float64))]["id"] != r["ruleId"] {
			t.Errorf("result %d has the rule %v", i, r["ruleId"])
		}
		if level := r["level"]; level != "error" && level != "warning" {
			t.Errorf("result %d has the level %v", i, level)
		}
		if member(t, r, "message")["text"] == "" {
			t.Errorf("result %d says nothing", i)
		}
		for _, where := range list(t, r, "locations") {
			checkPlace(t, member(t, where, "physicalLocation"))
		}
	}
	place := member(t, list(t, results[0], "locations")[0], "physicalLocation")
	want := map[string]any{"startLine": 1., "startColumn": 13., "endLine": 1., "endColumn": 20.}
	if d := cmp.Diff(want, place["region"]); d != "" {
		t.Errorf("region (-want +got):\n%s", d)
	}
	if uri := member(t, place, "artifactLocation")["uri"]; uri != "models/gr%C3%B6%C3%9Fe%201:2.sql" {
		t.Errorf("uri %v", uri)
	}
	if related := list(t, results[0], "relatedLocations"); len(related) != 1 {
		t.Errorf("related locations %v", related)
	}
	change := list(t, list(t, results[0], "fixes")[0], "artifactChanges")[0]
	replacement := list(t, change, "replacements")[0]
	if member(t, replacement, "insertedContent")["text"] != "customer" || !cmp.Equal(want, replacement["deletedRegion"]) {
		t.Errorf("the fix is %v", replacement)
	}
	if len(list(t, results[2], "locations")) != 0 {
		t.Errorf("a problem without a place has one: %v", results[2])
	}
	if err := writeSARIF(filepath.Join(path, "below"), problems); err == nil || diag.Hint(err) == "" {
		t.Errorf("writing below a file gives %v", err)
	}
}

// checkPlace: a region counts from 1 and does not end before it begins; a file is a relative URI.
func checkPlace(t *testing.T, place map[string]any) {
	t.Helper()
	region := member(t, place, "region")
	n := func(name string) int { return int(region[name].(float64)) }
	if n("startLine") < 1 || n("startColumn") < 1 || n("endLine") < n("startLine") || n("endLine") == n("startLine") && n("endColumn") < n("startColumn") {
		t.Errorf("region %v", region)
	}
	u, err := url.Parse(member(t, place, "artifactLocation")["uri"].(string))
	if err != nil || u.IsAbs() || filepath.IsAbs(u.Path) {
		t.Errorf("uri %v, %v", u, err)
	}
}

func member(t *testing.T, object map[string]any, name string) map[string]any {
	t.Helper()
	m, ok := object[name].(map[string]any)
	if !ok {
		t.Fatalf("%s is %v", name, object[name])
	}
	return m
}

func list(t *testing.T, object map[string]any, name string) []map[string]any {
	t.Helper()
	all, ok := object[name].([]any)
	if !ok {
		t.Fatalf("%s is %v", name, object[name])
	}
	objects := make([]map[string]any, len(all))
	for i, x := range all {
		if objects[i], ok = x.(map[string]any); !ok {
			t.Fatalf("%s has %v", name, x)
		}
	}
	return objects
}
