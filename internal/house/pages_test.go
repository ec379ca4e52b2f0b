package house

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "rewrite the room table of ARCHITECTURE.md instead of comparing")

// The table between these marks in ARCHITECTURE.md is written by roomTable.
const (
	tableBegins = "<!-- rooms: written by go test ./internal/house -run TestRoomTable -update -->"
	tableEnds   = "<!-- end of rooms -->"
)

// A chapter is a heading of the room table with the rooms that stand below it.
type chapter struct {
	title string
	rooms []string
}

// chapters are in the order in which data flows through the house.
var chapters = []chapter{
	{"words everyone shares", []string{"diag", "frame", "blob"}},
	{"the SQL half: text becomes tables", []string{"sql", "project", "analyze", "policy", "plan", "warehouse"}},
	{"the model half: tables become predictions", []string{"tensor", "tabular", "fitted", "predict"}},
	{"where the halves meet", []string{"run", "serve", "lsp", "cli", "house"}},
}

// roomTable draws the rooms that exist: a row for each package, its own first sentence, and what its room may import.
func roomTable(p *plan, opening map[string]string) string {
	var folders []string
	for folder := range opening {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	var b strings.Builder
	b.WriteString("| package | what it is | may import (ours) |\n|---|---|---|\n")
	for _, chapter := range chapters {
		titled := false
		for _, room := range chapter.rooms {
			for _, folder := range folders {
				if folder != room && !strings.HasPrefix(folder, room+"/") {
					continue
				}
				if !titled {
					titled = true
					fmt.Fprintf(&b, "| | *%s* | |\n", chapter.title)
				}
				// A folder has the rights of its room; only an adapter has rights of its own.
				may := ""
				if r := p.roomOf(folder); folder == room || r != room {
					may = rights(p, r, opening)
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", folder, strings.ReplaceAll(opening[folder], "|", `\|`), may)
			}
		}
	}
	return b.String()
}

// rights names the nearest rooms below a room; what those may import follows. A room of the policy without code is told from
// one that a reader can open.
func rights(p *plan, room string, opening map[string]string) string {
	names := make([]string, 0, len(p.Direct[room]))
	for _, low := range p.Direct[room] {
		name := "`" + low + "`"
		built := slices.ContainsFunc(slices.Collect(maps.Keys(opening)), func(folder string) bool { return p.roomOf(folder) == low })
		if !built {
			name += " (planned)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// replaceTable puts a table between the marks of a page.
func replaceTable(page, table string) (string, error) {
	before, rest, ok := strings.Cut(page, tableBegins+"\n")
	if !ok {
		return "", errors.New("the page has no mark where the room table begins")
	}
	_, after, ok := strings.Cut(rest, tableEnds)
	if !ok {
		return "", errors.New("the page has no mark where the room table ends")
	}
	return before + tableBegins + "\n" + table + tableEnds + after, nil
}

func TestRoomTable(t *testing.T) {
	sources, err := readSources(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	where := filepath.Join(root, "ARCHITECTURE.md")
	page, err := os.ReadFile(where)
	if err != nil {
		t.Fatal(err)
	}
	opening := openings(sources)
	p := mustPolicy(t)
	for folder := range opening {
		first, _, _ := strings.Cut(folder, "/")
		if !slices.ContainsFunc(chapters, func(c chapter) bool { return slices.Contains(c.rooms, first) }) {
			t.Errorf("%s stands under no chapter of the room table", folder)
		}
	}
	want, err := replaceTable(string(page), roomTable(p, opening))
	if err != nil {
		t.Fatal(err)
	}
	if want == string(page) {
		return
	}
	if *update {
		if err := os.WriteFile(where, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	has := make(map[string]bool)
	for row := range strings.Lines(string(page)) {
		has[row] = true
	}
	for row := range strings.Lines(want) {
		if !has[row] {
			t.Errorf("ARCHITECTURE.md lacks the row\n%s", row)
		}
	}
	t.Error("the room table and the tree differ: go test ./internal/house -run TestRoomTable -update")
}

func TestRoomTableCanFail(t *testing.T) {
	p := mustPolicy(t)
	table := roomTable(p, map[string]string{"diag": "is words", "frame": "is a table", "warehouse": "is any", "tabular": "predicts", "tabular/prep": "scales a|b", "warehouse/duckdb": "is DuckDB"})
	want := "| package | what it is | may import (ours) |\n|---|---|---|\n" +
		"| | *words everyone shares* | |\n| `diag` | is words | nothing |\n| `frame` | is a table | `diag` |\n" +
		"| | *the SQL half: text becomes tables* | |\n| `warehouse` | is any | `frame` |\n| `warehouse/duckdb` | is DuckDB | `warehouse` |\n" +
		"| | *the model half: tables become predictions* | |\n" +
		"| `tabular` | predicts | `tensor` (planned), `frame`, `blob` (planned) |\n| `tabular/prep` | scales a\\|b |  |\n"
	if table != want {
		t.Errorf("the table is\n%s\nwant\n%s", table, want)
	}
	page := "# A\n" + tableBegins + "\nold\n" + tableEnds + "\nend\n"
	if got, err := replaceTable(page, "new\n"); err != nil || got != strings.Replace(page, "old", "new", 1) {
		t.Errorf("the page became %q, %v", got, err)
	}
	for _, bad := range []string{"# A\n", tableBegins + "\n"} {
		if _, err := replaceTable(bad, "new\n"); err == nil {
			t.Errorf("the page %q was accepted", bad)
		}
	}
}

var decisionName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)

// checkDecisions holds the list of decisions to the pages: each page has a number of its own and is linked.
func checkDecisions(tree fs.FS) ([]string, error) {
	const index = "README.md"
	text, err := fs.ReadFile(tree, index)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(tree, ".")
	if err != nil {
		return nil, err
	}
	var complaints []string
	numbers := make(map[string]string)
	for _, e := range entries {
		if e.Name() == index {
			continue
		}
		m := decisionName.FindStringSubmatch(e.Name())
		if m == nil {
			complaints = append(complaints, e.Name()+" is not named like 0001-what-was-decided.md")
			continue
		}
		if other, taken := numbers[m[1]]; taken {
			complaints = append(complaints, fmt.Sprintf("%s and %s have the same number", other, e.Name()))
		}
		numbers[m[1]] = e.Name()
		if !strings.Contains(string(text), "("+e.Name()+")") {
			complaints = append(complaints, e.Name()+" is not linked from "+index)
		}
	}
	return complaints, nil
}

func TestDecisions(t *testing.T) {
	complaints, err := checkDecisions(os.DirFS(filepath.Join(root, "docs", "decisions")))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range complaints {
		t.Error(complaint)
	}
}

func TestDecisionsCanFail(t *testing.T) {
	got, err := checkDecisions(fstest.MapFS{
		"README.md":          {Data: []byte("[a](0001-a.md) 0002-b.md")},
		"0001-a.md":          {},
		"0001-c.md":          {},
		"0002-b.md":          {},
		"my-decision.md":     {},
		path.Join("x", "yz"): {},
	})
	want := []string{
		"0001-a.md and 0001-c.md have the same number", "0001-c.md is not linked from README.md", "0002-b.md is not linked from README.md",
		"my-decision.md is not named like 0001-what-was-decided.md", "x is not named like 0001-what-was-decided.md",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("complaints %q (%v), want %q", got, err, want)
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)

// checkLinks finds links between pages that lead nowhere.
func checkLinks(tree fs.FS) ([]string, error) {
	var complaints []string
	for name, err := range files(tree) {
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(name, ".md") || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := fs.Stat(tree, path.Join(path.Dir(name), m[1])); err != nil {
				complaints = append(complaints, fmt.Sprintf("%s links to %s, which does not exist", name, m[1]))
			}
		}
	}
	return complaints, nil
}

func TestLinks(t *testing.T) {
	complaints, err := checkLinks(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, complaint := range complaints {
		t.Error(complaint)
	}
	made, err := checkLinks(fstest.MapFS{"docs/a.md": {Data: []byte("[b](b.md) [c](../c.md#x) [d](https://d.example/d.md)")}, "c.md": {}})
	if want := []string{"docs/a.md links to b.md, which does not exist"}; err != nil || !slices.Equal(made, want) {
		t.Errorf("complaints about a made-up tree: %q (%v), want %q", made, err, want)
	}
}
