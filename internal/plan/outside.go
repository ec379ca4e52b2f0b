package plan

import (
	"strings"

	"github.com/norn-data/norn/internal/sql"
)

// filesRead names a file, or a function over files, that a query reads; "" where it reads none. Functions are told by
// their names: all that DuckDB has begin with read_, end in _scan, or are glob.
func filesRead(statement *sql.Statement) string {
	if statement == nil || statement.Query == nil {
		return ""
	}
	found := ""
	sql.Inspect(statement.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *sql.TableName:
			if n.File {
				found = either(found, "the file "+n.Parts[0].Text)
			}
		case *sql.TableFunc:
			if call, ok := n.Call.(*sql.Call); ok && len(call.Name) > 0 {
				name := strings.ToLower(call.Name[len(call.Name)-1].Text)
				if strings.HasPrefix(name, "read_") || strings.HasSuffix(name, "_scan") || name == "glob" || name == "sniff_csv" {
					found = either(found, "files with "+name)
				}
			}
		}
		return found == ""
	})
	return found
}
