package duckdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/warehouse"
)

// trouble says what was being done when DuckDB returned an error.
type trouble struct {
	ctx       context.Context
	doing     string // "writing to shop.duckdb"
	statement string // the SQL as the caller gave it
	before    int    // bytes of SQL that norn put in front of it
}

// A refusal is an error as DuckDB writes it with errors_as_json.
type refusal struct {
	Type     string `json:"exception_type"`
	Message  string `json:"exception_message"`
	Position string `json:"position"`
}

// readRefusal finds the JSON in a driver's message, which may have a prefix and may be joined with other errors. Errors
// of the driver itself and of opening a database are plain text.
func readRefusal(err error) (refusal, bool) {
	text := err.Error()
	start := strings.Index(text, `{"exception_type"`)
	if start < 0 {
		return refusal{Message: text}, false
	}
	var r refusal
	if json.NewDecoder(strings.NewReader(text[start:])).Decode(&r) != nil {
		return refusal{Message: text}, false
	}
	return r, true
}

// wrap turns an error of the driver into the context's error, an error of the world with a hint, or a StatementError.
func (t trouble) wrap(err error) error {
	if err == nil {
		return nil
	}
	// An interrupted statement fails with one of several errors, depending on where it was. What happened is that the
	// context ended.
	if ended := t.ctx.Err(); ended != nil {
		return ended
	}
	r, structured := readRefusal(err)
	if hint := worldHint(r); hint != "" {
		return diag.WithHint(fmt.Errorf("%s: %w", t.doing, &engineError{message: r.Message, err: err}), "%s", hint)
	}
	if t.statement == "" && !structured {
		return fmt.Errorf("%s: %w", t.doing, err)
	}
	// A place before the user's SQL is in what norn wrote around it, and would point at nothing the user knows.
	offset := -1
	if at, parseErr := strconv.Atoi(r.Position); parseErr == nil && at >= t.before && at-t.before <= len(t.statement) {
		offset = at - t.before
	}
	refused := &warehouse.StatementError{Statement: t.statement, Offset: offset, Message: r.Message, Err: err}
	if strings.Contains(r.Message, "Ambiguous reference to catalog or schema") {
		// DuckDB calls the database after its file, so that dev.duckdb with a schema dev has two things of one name.
		return diag.WithHint(refused, "the database file and a schema in it have the same name: rename the file")
	}
	return refused
}

// engineError shows DuckDB's sentence in place of the JSON around it.
type engineError struct {
	message string
	err     error
}

func (e *engineError) Error() string { return e.message }
func (e *engineError) Unwrap() error { return e.err }

// worldHint recognises what is not the statement's fault, and says what to do about it.
func worldHint(r refusal) string {
	says := func(words string) bool { return strings.Contains(strings.ToLower(r.Message), words) }
	switch {
	case says("no space left") || says("disk quota exceeded") || says("file too large"):
		return "free space on the disk and run it again; the tables are as they were before"
	case says("read-only file system") || says("permission denied") && r.Type != "Permission":
		return "make the file and its folder writable for you, or choose another path"
	case says(manyFiles):
		return helpFiles
	case says(noThread):
		return helpThreads
	case r.Type == "Out of Memory":
		return "close other programs, or give the build fewer threads"
		// After a fatal error DuckDB refuses all further work on the database until it is opened anew.
	case r.Type == "FATAL" || says("database has been invalidated"):
		return "run it again; DuckDB recovers from its log when it opens the file"
	case r.Type == "INTERNAL":
		return "this is a bug in DuckDB; report it with the statement at https://github.com/duckdb/duckdb/issues"
	case r.Type == "TransactionContext" && says("conflict"):
		return "two statements changed the same table at the same time; run it again"
	}
	return ""
}

// What the system says where a process may have no more of something, in small letters, and what helps.
const (
	manyFiles   = "too many open files"
	noThread    = "resource temporarily unavailable"
	helpFiles   = "let norn open more files: ulimit -n 1024"
	helpThreads = "let norn start more threads: ulimit -u says how many are allowed"
)

// lockHolder matches DuckDB's sentence about a file that another process has open:
// Conflicting lock is held in /usr/bin/norn (PID 4711) by user jo.
var lockHolder = regexp.MustCompile(`Conflicting lock is held(?: in (.*?))? \(PID (\d+)\)`)

// openTrouble says why a database does not open, in words that do not need knowledge of DuckDB.
func openTrouble(path string, err error) error {
	text := err.Error()
	if strings.Contains(text, "Could not set lock on file") || strings.Contains(text, "being used by another process") {
		inUse := &warehouse.InUseError{Where: path}
		if m := lockHolder.FindStringSubmatch(text); m != nil {
			inUse.Owner = filepath.Base(m[1])
			if m[1] == "" {
				inUse.Owner = ""
			}
			inUse.PID, _ = strconv.Atoi(m[2])
		}
		return diag.WithHint(inUse, "wait until it has finished, or end it; a DuckDB file belongs to one process at a time")
	}
	hint := "check the path"
	reason := ""
	switch says := func(words string) bool { return strings.Contains(text, words) }; {
	case strings.Contains(strings.ToLower(text), manyFiles):
		reason, hint = "too many files are open", helpFiles
	case strings.Contains(strings.ToLower(text), noThread):
		reason, hint = "no thread could be started for it", helpThreads
	case says("Out of Memory"), says("bad_alloc"):
		reason, hint = "there is not enough memory for it", "close other programs, or raise the limit on memory: ulimit -v says what it is"
	case says("not a valid DuckDB database"):
		reason, hint = "the file is not a DuckDB database", "choose another path, or move the file away"
	case says("Is a directory"):
		reason, hint = "it is a folder", "name a file in it, such as "+filepath.Join(path, "norn.duckdb")
	case says("No such file or directory"):
		reason, hint = "there is no folder "+filepath.Dir(path), "create it with: mkdir -p "+filepath.Dir(path)
	case says("Permission denied"), says("Read-only file system"):
		reason, hint = "you may not write there", "make the file and its folder writable for you, or choose another path"
	case says("No space left"), says("File too large"):
		reason, hint = "no space is left on the disk", "free space and run it again"
	case says("orrupt"), says("checksum"):
		reason, hint = "the file is damaged", "restore it from a copy, or move it away and build again"
	case says("newer") && says("version"), says("database file with version"):
		reason, hint = "the file was written by another version of DuckDB", "open it with the DuckDB that wrote it and export it, or choose another path"
	}
	if reason == "" {
		return diag.WithHint(fmt.Errorf("opening %s: %w", path, errors.Unwrap(fmt.Errorf("%w", err))), "%s", hint)
	}
	return diag.WithHint(fmt.Errorf("opening %s: %w", path, &engineError{message: reason, err: err}), "%s", hint)
}
