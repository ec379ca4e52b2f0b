package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/sql"
)

// maxSeedProblems bounds the problems reported for one CSV file: a file with the wrong separator has one on every line.
const maxSeedProblems = 20

// A seedDeclaration is what YAML says about a seed.
type seedDeclaration struct {
	name             Word
	description      string
	schema, database Word
	columns          []Column
	audits           []AuditCall
	dialect          *sql.Dialect // of the types
}

// readSeedYAML decodes one YAML file below seeds/. stem is the file's own name, which a file without names describes.
func readSeedYAML(file *diag.File, stem string, dialect *sql.Dialect, r *report) []*seedDeclaration {
	v, ok := readYAML(file, r)
	if !ok {
		return nil
	}
	var list []*seedDeclaration
	d := &decoder{r: r, loose: true, dialect: dialect}
	d.declarations(v, "seeds", stem, func(name Word, items []Entry) {
		s := &seedDeclaration{name: name, dialect: dialect}
		d.block("seed "+name.Text, items, keyTable{
			"name":        func(*decoder, Entry) {},
			"description": func(d *decoder, e Entry) { s.description = d.text(e) },
			"schema":      func(d *decoder, e Entry) { s.schema = d.name(e, "a name") },
			"database":    func(d *decoder, e Entry) { s.database = d.name(e, "a name") },
			"columns":     func(d *decoder, e Entry) { s.columns = d.yamlColumns(e) },
			"audits":      func(d *decoder, e Entry) { s.audits = d.audits(yamlAudits(e), true) },
			"tags":        kept,
		})
		list = append(list, s)
	})
	return list
}

// seedScan reads one CSV file from end to end, a record at a time: columns and their types, the digest, and what is wrong.
type seedScan struct {
	seed     *Seed
	csv      *csvReader
	declared *seedDeclaration
	r        *report

	faults  []csvFault // and lines to keep, which have no code
	found   int        // faults in faults
	more    int        // faults past the limit
	guesses []typeGuess
	types   []string // declared type by column, "" where none is
	must    []bool   // columns that must not be empty
}

// readSeed scans the CSV file at a path of root.
func readSeed(ctx context.Context, root fs.FS, path, name string, declared *seedDeclaration, r *report) (*Seed, error) {
	s := &seedScan{seed: &Seed{Name: name, Path: path}, declared: declared, r: r}
	f, err := root.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading seed %s: %w", path, err)
	}
	defer f.Close()
	digest := sha256.New()
	s.csv = newCSVReader(io.TeeReader(f, digest), sizeOf(f))
	if err := s.run(ctx); err != nil {
		return nil, fmt.Errorf("reading seed %s: %w", path, err)
	}
	// The scan stops early only where the file is broken; the digest then covers what was read, and the seed is not built.
	s.seed.Digest = hex.EncodeToString(digest.Sum(nil))
	s.finish()
	return s.seed, nil
}

// run reads the first line, then the rows. After a fault in the first line the rows mean nothing and are not read.
func (s *seedScan) run(ctx context.Context) error {
	fault, ok := s.csv.next()
	if s.csv.err != nil {
		return s.csv.err
	}
	if fault != nil {
		s.fault(*fault)
		return nil
	}
	if !ok || s.csv.cells() == 1 && len(s.csv.data) == 0 && !s.csv.quoted[0] {
		f := csvFault{line: 1, code: "E0134", message: "the file is empty", help: "the first line holds the names of the columns"}
		if !s.onlyBlank() {
			f.code, f.message = "E0133", "the first line is blank"
		}
		s.fault(f)
		return nil
	}
	header := string(s.csv.raw)
	names := s.header()
	if s.found > 0 {
		s.keepLine(s.csv.line, header)
		return nil
	}
	s.declare(names)
	s.keepLine(s.csv.line, header)
	return s.rows(ctx, len(names))
}

// onlyBlank reads on over blank lines and reports whether nothing else is in the file.
func (s *seedScan) onlyBlank() bool {
	for {
		_, ok := s.csv.next()
		if !ok {
			return true
		}
		if len(s.csv.data) > 0 {
			return false
		}
	}
}

// header reads the names of the columns.
func (s *seedScan) header() []string {
	c := s.csv
	names := make([]string, c.cells())
	seen := map[string]int{}
	fault := func(i int, code, message, help string) {
		at, end := c.place(i)
		s.fault(*c.fault(at, end, code, message, help))
	}
	for i := range names {
		text, _ := c.cell(i)
		name := string(text)
		names[i] = name
		trimmed := strings.TrimSpace(name)
		switch first, twice := seen[fold(trimmed)]; {
		case trimmed == "":
			fault(i, "E0133", fmt.Sprintf("column %d has no name", i+1), "write a name into the first line")
			continue
		case trimmed != name:
			fault(i, "E0133", fmt.Sprintf("the column name %q has blanks around it", name), "write "+trimmed)
		case twice:
			fault(i, "E0132", fmt.Sprintf("there are two columns %s, the first is column %d", name, first+1), "rename one of the two")
		case len(names) == 1 && strings.ContainsAny(name, ";\t|"):
			fault(i, "E0133", "the file has one column, and its name looks like several", "separate columns with commas")
		}
		seen[fold(trimmed)] = i
	}
	return names
}

// declare joins the names of the file with what YAML says.
func (s *seedScan) declare(names []string) {
	s.guesses = make([]typeGuess, len(names))
	s.types, s.must = make([]string, len(names)), make([]bool, len(names))
	s.seed.Columns = make([]SeedColumn, len(names))
	for i, name := range names {
		s.guesses[i] = newGuess()
		at, end := s.csv.place(i)
		// The file of the span is known when the scan is over; see finish.
		s.seed.Columns[i] = SeedColumn{Name: name, Span: diag.Span{Start: at, End: end}}
	}
	if s.declared == nil {
		return
	}
	for _, d := range s.declared.columns {
		i := slices.IndexFunc(names, func(n string) bool { return fold(n) == fold(d.Name.Text) })
		if i < 0 {
			p := diag.New("E0136", d.Name.Span, "%s has no column %s", s.seed.Path, d.Name.Text)
			if near := diag.Nearest(d.Name.Text, names); near != "" {
				p.WithHelp("did you mean %s?", near).WithFix(d.Name.Span, near)
			} else {
				p.WithHelp("its columns are %s", diag.Listing(names))
			}
			s.r.add(p)
			continue
		}
		c := &s.seed.Columns[i]
		c.Description, c.Audits = d.Description, d.Audits
		if d.Type.Given() {
			c.Type, c.Declared, c.TypeSpan = d.Type.Text, true, d.Type.Span
			s.types[i] = d.Type.Text
		}
		c.Nullable = d.Nullable == Yes
		s.must[i] = d.Nullable == No
	}
}

// rows reads the data.
func (s *seedScan) rows(ctx context.Context, columns int) error {
	c := s.csv
	blank := 0 // blank lines not yet known to be the end of the file
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		fault, ok := c.next()
		if c.err != nil {
			return c.err
		}
		if fault != nil {
			s.fault(*fault)
			if ok {
				continue
			}
			return nil
		}
		if !ok {
			return nil
		}
		if columns > 1 && c.cells() == 1 && len(c.data) == 0 && !c.quoted[0] {
			blank++
			continue
		}
		if blank > 0 {
			s.fault(csvFault{line: c.first - 1, code: "E0131", message: fmt.Sprintf("a blank line between rows of %d columns", columns), help: "remove the line"})
			blank = 0
		}
		s.seed.Rows++
		if c.cells() != columns {
			at := len(c.raw)
			if c.cells() > columns {
				at, _ = c.place(columns)
			}
			s.fault(*c.fault(at, len(c.raw), "E0131", fmt.Sprintf("this row has %s, the first line has %d", count(c.cells(), "cell"), columns),
				"a comma inside a value needs quotes around the value"))
			continue
		}
		for i := range columns {
			text, null := c.cell(i)
			s.guesses[i].add(text, null)
			switch {
			case null && s.must[i]:
				s.cellFault(i, "E0137", fmt.Sprintf("column %s is declared nullable false and is empty here", s.seed.Columns[i].Name), "fill the cell, or take the declaration back")
			case !null && s.types[i] != "" && !accepts(s.types[i], s.declared.dialect, text):
				s.cellFault(i, "E0135", fmt.Sprintf("%q is no %s", shorten(string(text)), s.types[i]),
					fmt.Sprintf("correct the value, or change the type of column %s", s.seed.Columns[i].Name))
			}
		}
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// shorten keeps messages on a line.
func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// cellFault is a fault of one cell of the current record.
func (s *seedScan) cellFault(i int, code, message, help string) {
	at, end := s.csv.place(i)
	s.fault(*s.csv.fault(at, end, code, message, help))
}

// fault keeps a fault, or counts it when there are enough.
func (s *seedScan) fault(f csvFault) {
	if s.found >= maxSeedProblems {
		s.more++
		return
	}
	s.found++
	s.faults = append(s.faults, f)
}

// keepLine keeps the text of a line that spans will point into.
func (s *seedScan) keepLine(line int, text string) {
	s.faults = append([]csvFault{{line: line, text: text}}, s.faults...)
}

// finish builds the file that problems point into: every line that somebody points at in its place, all others blank, so
// that lines keep their numbers without the whole file being held.
func (s *seedScan) finish() {
	var b strings.Builder
	line, lineStart := 1, 0
	starts := map[int]int{}
	slices.SortStableFunc(s.faults, func(a, b csvFault) int { return a.line - b.line })
	for _, f := range s.faults {
		if _, done := starts[f.line]; done {
			continue
		}
		for ; line < f.line; line++ {
			b.WriteByte('\n')
			lineStart = b.Len()
		}
		starts[f.line] = lineStart
		b.WriteString(f.text)
	}
	file := diag.NewFile(s.seed.Path, b.String())
	s.seed.File = file
	var last diag.Span
	for _, f := range s.faults {
		if f.code == "" {
			continue
		}
		start := starts[f.line]
		last = diag.Span{File: file, Start: start + f.at, End: start + f.end}
		s.r.add(diag.New(f.code, last, "%s", f.message).WithHelp("%s", f.help))
	}
	if s.more > 0 {
		s.r.add(diag.New("E0138", last, "%s more in this file", count(s.more, "problem")).WithHelp("correct those above first"))
	}
	for i := range s.seed.Columns {
		c := &s.seed.Columns[i]
		c.Span.File = file
		c.Nullable = c.Nullable || s.guesses[i].nullable
		if !c.Declared {
			c.Type = s.guesses[i].name()
		}
	}
	if s.seed.Rows == 0 && !s.r.broken() {
		if i := slices.IndexFunc(s.seed.Columns, func(c SeedColumn) bool { return !c.Declared }); i >= 0 {
			s.r.add(diag.New("E0134", s.seed.Columns[i].Span, "the file has no rows, so the type of column %s is not known", s.seed.Columns[i].Name).
				WithHelp("add rows, or declare the types in YAML"))
		}
	}
	if d := s.declared; d != nil {
		s.seed.Description, s.seed.Audits, s.seed.Schema, s.seed.Database = d.description, d.audits, d.schema, d.database
	}
}

// fingerprint covers the data and everything that changes how it is loaded.
func (s *Seed) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "seed 2\x00%s\x00%s\x00%s\x00%s\x00", fold(s.Name), s.Database.Text, s.Schema.Text, s.Digest)
	for _, c := range s.Columns {
		fmt.Fprintf(h, "column\x00%s\x00%s\x00", c.Name, strings.ToUpper(c.Type))
		hashAudits(h, c.Audits)
	}
	hashAudits(h, s.Audits)
	return hex.EncodeToString(h.Sum(nil))
}
