package diag

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// Every code has a page of its own in pages/: what it means, a wrong and a right example. The pages are data so that a
// test can run the examples through the compiler and hold them to what they claim.
//
//go:embed pages
var pages embed.FS

// A Page explains one code. Title is its first line, Text the whole page in Markdown.
type Page struct {
	Code, Title, Text string
}

// Explain returns the page of a code, without regard to case.
func Explain(code string) (Page, bool) {
	code = strings.ToUpper(strings.TrimSpace(code))
	text, err := fs.ReadFile(pages, "pages/"+code+".md")
	if err != nil {
		return Page{}, false
	}
	title, _, _ := strings.Cut(string(text), "\n")
	title = strings.TrimSpace(strings.TrimPrefix(title, "#"))
	title = strings.TrimSpace(strings.TrimPrefix(title, code))
	return Page{Code: code, Title: title, Text: string(text)}, true
}

// Codes lists all codes that have a page, in order.
func Codes() []string {
	entries, err := fs.ReadDir(pages, "pages")
	Assert(err == nil, "reading the embedded pages: %v", err)
	var codes []string
	for _, e := range entries {
		codes = append(codes, strings.TrimSuffix(e.Name(), ".md"))
	}
	slices.Sort(codes)
	return codes
}
