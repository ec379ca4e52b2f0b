package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// What --baseline reads is what an earlier run wrote, by task and shape.
func TestStallsBaseline(t *testing.T) {
	before := stallsJSON{Calls: []stallJSON{{Task: "regression", Rows: 50, Features: 4, First: 0.5}, {Task: "classification", Rows: 50, Features: 4, First: 0.25}}}
	data, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "before.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := benchStalls{baseline: file}.readBaseline()
	want := map[string]float64{"regression 50x4": 0.5, "classification 50x4": 0.25}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("baseline %v, error %v, want %v", got, err, want)
	}
	if err := os.WriteFile(file, []byte("no JSON"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (benchStalls{baseline: file}).readBaseline(); err == nil {
		t.Error("a damaged baseline is no error")
	}
}
