package duckdb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// A format is a kind of file that holds a table.
type format uint8

const (
	unknownFormat format = iota
	csvFormat
	parquetFormat
	jsonFormat  // one array of objects
	linesFormat // an object per line
)

// formats are chosen by the ending of the name alone. The content only has the right to object.
var formats = map[string]format{
	".csv": csvFormat, ".tsv": csvFormat, ".txt": csvFormat,
	".parquet": parquetFormat,
	".json":    jsonFormat,
	".ndjson":  linesFormat, ".jsonl": linesFormat,
}

const readable = ".csv, .tsv, .txt, .json, .ndjson and .jsonl (each also with .gz behind) and .parquet"

// formatOf returns the format that a file's name says.
func formatOf(path string) format {
	name := strings.ToLower(path)
	packed := strings.HasSuffix(name, ".gz")
	f := formats[filepath.Ext(strings.TrimSuffix(name, ".gz"))]
	if packed && f == parquetFormat {
		return unknownFormat
	}
	return f
}

// A Reading is a table that was read from a file. The notes are sentences for the person whose file it is: which words were
// read as missing, and which columns look like something that they were not read as.
type Reading struct {
	Table *frame.Frame
	Notes []string
}

// Read reads a file as a table, rows in file order. The name's ending decides the format. CSV files are read by
// [warehouse.OpenCSV]; Parquet and JSON by DuckDB, with types from all rows.
//
// like, which may be nil, is a table that the file is to be read like, such as the rows that a model learns from: a column
// with the same name but for case, and with a value in it, says what the cells are. A cell that is not is refused, so that
// one slip in a file of one row does not turn a number into a word. Numbers widen to DOUBLE where they must.
//
// What is wrong with the file comes back as a *diag.Problem, E1501 to E1511.
func Read(ctx context.Context, path string, like *frame.Frame) (*Reading, error) {
	f, err := inspect(path)
	if err != nil {
		return nil, err
	}
	if f == csvFormat {
		file, err := warehouse.OpenCSV(ctx, path)
		if err != nil {
			return nil, err
		}
		if file.Rows() == 0 {
			return nil, warehouse.NoRows(path)
		}
		table, notes, err := file.Read(ctx, like)
		if err != nil {
			return nil, err
		}
		return &Reading{Table: table, Notes: notes}, nil
	}
	table, err := readThroughDuckDB(ctx, path, f)
	if err != nil {
		return nil, err
	}
	if table, err = warehouse.Like(table, like, path); err != nil {
		return nil, err
	}
	return &Reading{Table: table, Notes: warehouse.Looks(table, like)}, nil
}

// readThroughDuckDB reads Parquet and JSON.
func readThroughDuckDB(ctx context.Context, path string, f format) (*frame.Frame, error) {
	// A database of its own for each file: nothing in the user's warehouse can change how a file is read.
	db, err := Open(ctx, "", Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	query := "SELECT * FROM read_parquet(" + filePattern(path) + ")"
	if f != parquetFormat {
		query = "SELECT * FROM read_json(" + filePattern(path) + jsonOptions[f] + ")"
	}
	table, err := db.Query(ctx, query)
	if err != nil {
		return nil, unreadable(ctx, path, f, err)
	}
	if err := db.sameNames(ctx, path, f, table); err != nil {
		return nil, err
	}
	if f == parquetFormat {
		return table, nil
	}
	for i, c := range table.Columns {
		table.Columns[i] = narrow(warehouse.Moments(plainWords(c)))
	}
	return table, nil
}

// jsonOptions look at all rows and keep DuckDB from guessing dates: left alone it reads "01-02-2024" as a day in February
// and gives up on a column when only some of its time stamps have fractions. [warehouse.Moments] reads them afterwards.
var jsonOptions = map[format]string{
	jsonFormat:  ", format = 'auto'" + jsonDetection,
	linesFormat: ", format = 'newline_delimited'" + jsonDetection,
}

const jsonDetection = ", records = true, sample_size = -1, maximum_object_size = 1073741824, dateformat = '%Y-%m-%d', timestampformat = '%Y-%m-%dT%H:%M:%S.%fZ'"

// plainWords makes text of a JSON column whose cells are numbers, truth values and texts side by side, or all null: DuckDB
// keeps the JSON of them, with quotes, which is neither what stands there nor what any model reads. Columns with lists or
// objects stay as they are.
func plainWords(c *frame.Column) *frame.Column {
	if c.Type != "JSON" {
		return c
	}
	out := &frame.Column{Field: frame.Field{Name: c.Name, Kind: frame.Text, Type: "VARCHAR"}, Texts: make([]string, c.Len()), Missing: c.Missing}
	for i, text := range c.Texts {
		switch {
		case c.IsMissing(i):
		case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["):
			return c
		case strings.HasPrefix(text, `"`):
			if json.Unmarshal([]byte(text), &out.Texts[i]) != nil {
				return c
			}
		default:
			out.Texts[i] = text
		}
	}
	return out
}

// narrow makes 64-bit integers of a HUGEINT column that does not need more: DuckDB's JSON reader takes HUGEINT as soon as
// positive and negative numbers meet.
func narrow(c *frame.Column) *frame.Column {
	if c.Type != "HUGEINT" {
		return c
	}
	out := &frame.Column{Field: frame.Field{Name: c.Name, Kind: frame.Int, Type: "BIGINT"}, Ints: make([]int64, c.Len()), Missing: c.Missing}
	for i, text := range c.Texts {
		if c.IsMissing(i) {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return c
		}
		out.Ints[i] = n
	}
	return out
}

// filePattern is a path as an argument of DuckDB's readers, which take patterns: each character that would be one is put
// in brackets, where it stands for itself.
func filePattern(path string) string {
	return warehouse.Literal(strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path))
}

// inspect opens a file, looks at its first bytes and holds them against its name.
func inspect(path string) (format, error) {
	if _, err := warehouse.Readable(path); err != nil {
		return unknownFormat, err
	}
	file, err := os.Open(path)
	if err != nil {
		return unknownFormat, warehouse.Unreadable(path, err)
	}
	defer file.Close()
	f := formatOf(path)
	if f == unknownFormat {
		return f, unknownEnding(path, readable)
	}
	// The marks of all formats below are within the first bytes.
	head := make([]byte, 8)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, warehouse.Unreadable(path, err)
	}
	if n == 0 {
		return f, diag.New("E1502", diag.Span{}, "%s is empty", path).
			WithHelp("a table needs column names and at least one row; check what should have written the file")
	}
	return f, objection(path, f, head[:n])
}

// objection refuses a file whose first bytes are the mark of another format than its name says.
func objection(path string, f format, head []byte) error {
	packed := strings.HasSuffix(strings.ToLower(path), ".gz")
	is, help := "", ""
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")) && f != parquetFormat:
		is, help = "a Parquet file", "rename it to end in .parquet"
	case bytes.HasPrefix(head, []byte("\x1f\x8b")) && !packed && f != parquetFormat:
		is, help = "packed with gzip", "rename it to end in .gz"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		is, help = "a spreadsheet or a zip archive", "save the sheet as CSV, or unpack the archive"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		is, help = "an old spreadsheet", "save the sheet as CSV"
	case !bytes.HasPrefix(head, []byte("PAR1")) && f == parquetFormat:
		return diag.New("E1507", diag.Span{}, "%s is not a Parquet file: it does not begin with PAR1", path).
			WithHelp("rename it after what it holds, or write it again")
	}
	if is == "" {
		return nil
	}
	return diag.New("E1507", diag.Span{}, "%s is %s", path, is).WithHelp("%s", help)
}

// unknownEnding refuses a name. Guessing the format from the content would make the meaning of a command depend on it.
func unknownEnding(path, known string) *diag.Problem {
	ending := filepath.Ext(path)
	if ending == "" {
		return diag.New("E1508", diag.Span{}, "the name %s has no ending that tells what kind of file it is", path).
			WithHelp("known are %s", known)
	}
	return diag.New("E1508", diag.Span{}, "%s: %s is not a kind of file that norn knows", path, ending).WithHelp("known are %s", known)
}

// unreadable turns DuckDB's refusal of a file into a problem. What the world did stays an error.
func unreadable(ctx context.Context, path string, f format, err error) error {
	var statement *warehouse.StatementError
	if ctx.Err() != nil || !errors.As(err, &statement) {
		return err
	}
	// DuckDB says the same of an empty file, an empty list and a list of numbers; they need different advice.
	if strings.Contains(statement.Message, "non-record JSON") {
		return noRecords(path)
	}
	reason := shorten(statement.Message, path)
	if strings.Contains(strings.ToLower(reason), "utf-8") || strings.Contains(strings.ToLower(reason), "utf8") {
		return diag.New("E1506", diag.Span{}, "%s is not UTF-8: %s", path, reason).WithHelp("convert it with iconv -t UTF-8")
	}
	name := map[format]string{parquetFormat: "Parquet", jsonFormat: "JSON", linesFormat: "JSON lines"}[f]
	p := diag.New("E1507", diag.Span{}, "%s cannot be read as %s: %s", path, name, reason)
	if f == linesFormat {
		return p.WithHelp("each line must be one JSON object")
	}
	return p.WithHelp("write or download it again")
}

// noRecords says why a JSON file has no rows: because there is nothing in it, or because what is in it are no objects.
func noRecords(path string) error {
	const enough = 1 << 12
	head := make([]byte, enough)
	file, err := os.Open(path)
	if err != nil {
		return warehouse.Unreadable(path, err)
	}
	defer file.Close()
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return warehouse.Unreadable(path, err)
	}
	switch strings.Join(strings.Fields(string(head[:n])), "") {
	case "":
		return diag.New("E1502", diag.Span{}, "%s is empty", path).WithHelp("check what should have written the file")
	case "[]", "{}":
		return diag.New("E1503", diag.Span{}, "%s has no rows", path).WithHelp("check what should have written the file")
	}
	return diag.New("E1507", diag.Span{}, "%s contains a value that is not an object where a row should be", path).
		WithHelp("write each row as an object, such as {\"id\": 1, \"plan\": \"basic\"}")
}

// shorten keeps the first line of DuckDB's reason and drops the path from it, which the message has already.
func shorten(message, path string) string {
	line, _, _ := strings.Cut(message, "\n")
	for _, named := range []string{` in file "` + path + `"`, ` file "` + path + `"`, ` "` + path + `"`, ` '` + path + `'`} {
		line = strings.ReplaceAll(line, named, "")
	}
	const most = 200
	if runes := []rune(line); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return strings.TrimSuffix(line, ".")
}
