package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/analyze/recheck"
	"github.com/norn-data/norn/internal/diag"
)

// SARIF is the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code hosts and editors read. The
// types below are the part of it that norn writes; names of members are those of the standard.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string     `json:"id"`
	Short *sarifText `json:"shortDescription,omitempty"`
	Help  *sarifPage `json:"help,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifPage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"` // empty for problems without a place
	Related   []sarifLocation `json:"relatedLocations,omitempty"`
	Fixes     []sarifFix      `json:"fixes,omitempty"`
}

type sarifLocation struct {
	ID       int           `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

// sarifArtifact names a file below the folder that norn was pointed at; who reads the log knows where that lies.
type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifText     `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion `json:"deletedRegion"`
	Inserted sarifText   `json:"insertedContent"`
}

// sarifDocument turns problems into a log of one run. Every code that occurs is a rule with its page. Notes are results of
// [sarifRemarks].
func sarifDocument(problems []*diag.Problem, notes ...sarifResult) sarifLog {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "norn", Version: releaseName(), Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints", // as norn counts columns everywhere
		Results:    []sarifResult{},
	}
	var codes []string
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	for _, code := range codes {
		rule := sarifRule{ID: code}
		if page, ok := diag.Explain(code); ok {
			rule.Short = &sarifText{page.Title}
			rule.Help = &sarifPage{Text: page.Title + " (norn explain " + code + ")", Markdown: page.Text}
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, p := range problems {
		index, _ := slices.BinarySearch(codes, p.Code)
		run.Results = append(run.Results, sarifProblem(p, index))
	}
	for _, n := range notes {
		i := slices.IndexFunc(run.Tool.Driver.Rules, func(r sarifRule) bool { return r.ID == n.RuleID })
		if i < 0 {
			i = len(run.Tool.Driver.Rules)
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: n.RuleID, Short: &sarifText{sarifRemarks[n.RuleID]}})
		}
		n.RuleIndex = i
		run.Results = append(run.Results, n)
	}
	return sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

func sarifProblem(p *diag.Problem, rule int) sarifResult {
	text := p.Message
	if p.Help != "" {
		text += ". Help: " + p.Help
	}
	r := sarifResult{RuleID: p.Code, RuleIndex: rule, Level: p.Severity.String(), Message: sarifText{text}, Locations: []sarifLocation{}}
	if !p.Span.IsZero() {
		r.Locations = append(r.Locations, sarifLocation{Physical: sarifPlace(p.Span)})
	}
	for _, n := range p.Notes {
		if !n.Span.IsZero() {
			r.Related = append(r.Related, sarifLocation{ID: len(r.Related) + 1, Physical: sarifPlace(n.Span), Message: &sarifText{n.Text}})
		}
	}
	if f := p.Fix; f != nil && !f.Span.IsZero() {
		place := sarifPlace(f.Span)
		r.Fixes = []sarifFix{{Description: sarifText{orDefault(p.Help, p.Message)}, Changes: []sarifChange{{
			Artifact: place.Artifact, Replacements: []sarifReplacement{{Deleted: place.Region, Inserted: sarifText{f.Text}}},
		}}}}
	}
	return r
}

// sarifRemarks are the rules of results that are no problems, which have no codes.
var sarifRemarks = map[string]string{
	"not-analysed": "norn does not understand an expression, and its type is not known",
	"open-input":   "more columns of an input than norn knows may exist",
}

// sarifUnanalysed is what a check did not understand, and what is open.
func sarifUnanalysed(c *recheck.Outcome) []sarifResult {
	var notes []sarifResult
	add := func(rule, text, path string, r sarifRegion) {
		uri := url.URL{Path: path}
		place := sarifPhysical{Artifact: sarifArtifact{URI: strings.TrimPrefix(uri.String(), "./"), Base: "%SRCROOT%"}, Region: r}
		notes = append(notes, sarifResult{RuleID: rule, Level: diag.Remark.String(), Message: sarifText{text}, Locations: []sarifLocation{{Physical: place}}})
	}
	list, _ := skipsOf(c)
	for _, s := range list {
		text := "not analysed: " + s.Reason
		if s.Help != "" {
			text += ". Help: " + s.Help
		}
		add("not-analysed", text, s.Path, sarifRegion{s.Line, s.Column, s.EndLine, s.EndColumn})
	}
	for _, in := range openInputs(c) {
		at := sarifRegion{max(in.Line, 1), max(in.Column, 1), max(in.Line, 1), max(in.Column, 1)}
		add("open-input", "not all columns of "+in.Name+" are known. Help: "+orDefault(in.Close, "declare them"), in.Path, at)
	}
	return notes
}

func sarifPlace(s diag.Span) sarifPhysical {
	begin, end := s.Begin(), s.Finish()
	path := url.URL{Path: s.File.Path} // a path with spaces or a colon is no URI as it stands
	return sarifPhysical{
		Artifact: sarifArtifact{URI: strings.TrimPrefix(path.String(), "./"), Base: "%SRCROOT%"},
		Region:   sarifRegion{begin.Line, begin.Column, end.Line, end.Column},
	}
}

// writeSARIF writes a log of problems into a file, whole or not at all.
func writeSARIF(path string, problems []*diag.Problem, notes ...sarifResult) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(sarifDocument(problems, notes...)); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := writeFile(path, b.Bytes()); err != nil {
		return diag.WithHint(fmt.Errorf("writing %s: %w", path, err), "name a file in a folder that exists and can be written")
	}
	return nil
}
