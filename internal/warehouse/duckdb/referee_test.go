package duckdb

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/warehouse"
)

// TestCSVReferee puts norn's CSV reader before DuckDB's: told all options, so that it has nothing to guess, DuckDB sees
// the same cells in every file that norn accepts.
func TestCSVReferee(t *testing.T) {
	db := open(t, "")
	for _, text := range []string{
		"a,b\n1,x\n2,y\n",
		"a,b\n1,x\n2,y",
		"a,b\r\n1,x\r\n,\r\n",
		"\ufeffa,b\n1,ü\n",
		"a;b\n\"x;y\";\"say \"\"hi\"\"\"\n",
		"a\tb\n two words \t\"tab\there\"\n",
		"a|b|c\n\"two\nlines\"||\"\"\n",
		"\"a b\",\"c,d\"\n\"\",\"  \"\n",
		"a,b\n'x','y'\n",
		"a,b\n\\,\"\\\"\n",
		"a,b\n1,\"x\r\ny\"\n",
		"a,b\n\"NULL\",\"NaN\"\n",
		"a\nx\ny\n",
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := warehouse.OpenCSV(t.Context(), path)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		like := &frame.Frame{}
		for _, name := range file.Names {
			like.Columns = append(like.Columns, &frame.Column{Field: frame.Field{Name: name, Kind: frame.Text}, Texts: []string{"x"}})
		}
		ours, _, err := file.Read(t.Context(), like)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := db.Query(t.Context(), "SELECT * FROM read_csv("+warehouse.Literal(path)+", delim = "+warehouse.Literal(string(rune(file.Delimiter)))+
			`, header = true, all_varchar = true, quote = '"', escape = '"', comment = '', skip = 0, strict_mode = true)`)
		if err != nil {
			t.Errorf("%q: DuckDB says %v", text, err)
			continue
		}
		if diff := cmp.Diff(theirs.Columns, ours.Columns); diff != "" {
			t.Errorf("%q (-DuckDB +norn):\n%s", text, diff)
		}
	}
}

func TestCheckWritable(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]bool{"t.csv": true, "t.parquet": true, "t.xlsx": false, "nowhere/t.csv": false} {
		if err := CheckWritable(filepath.Join(folder, path)); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 0 {
		t.Errorf("asking left %v, %v", entries, err)
	}
}
