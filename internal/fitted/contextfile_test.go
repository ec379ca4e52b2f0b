package fitted_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/fitted"
	"github.com/norn-data/norn/internal/frame"
	"github.com/norn-data/norn/internal/tabular"
	"github.com/norn-data/norn/internal/tabular/weights"
)

// everyKind is a table with a column of every kind that teaches, gaps in all of them, and a target.
func everyKind(t testing.TB, target *frame.Column) *frame.Frame {
	t.Helper()
	const n = 24
	column := func(name string, kind frame.Kind) *frame.Column {
		c := &frame.Column{Field: frame.Field{Name: name, Kind: kind, Type: strings.ToUpper(kind.String())}, Missing: make([]bool, n)}
		c.Missing[5] = true
		return c
	}
	number, whole, exact, truth := column("number", frame.Float), column("whole", frame.Int), column("exact", frame.Decimal), column("truth", frame.Bool)
	text, date, moment := column("text", frame.Text), column("date", frame.Date), column("moment", frame.Timestamp)
	for i := range n {
		number.Floats = append(number.Floats, math.Sin(float64(i)))
		whole.Ints = append(whole.Ints, int64(i*i)-1<<60)
		exact.Texts = append(exact.Texts, []string{"1.25", "-3.5", "0"}[i%3])
		truth.Bools = append(truth.Bools, i%3 == 0)
		text.Texts = append(text.Texts, []string{"", "ä\x00\"", "zwei"}[i%3])
		date.Ints = append(date.Ints, int64(19_000+i))
		moment.Ints = append(moment.Ints, int64(i)*3_600_000_000)
	}
	number.Floats[5], whole.Ints[5], exact.Texts[5], truth.Bools[5], text.Texts[5], date.Ints[5], moment.Ints[5] = 0, 0, "", false, "", 0, 0
	f, err := frame.New(n, number, whole, exact, truth, text, date, moment, target)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func targetOf(kind frame.Kind) *frame.Column {
	c := &frame.Column{Field: frame.Field{Name: "y", Kind: kind, Type: "T"}}
	for i := range 24 {
		switch kind {
		case frame.Float:
			c.Floats = append(c.Floats, math.Sin(float64(i))*3+1)
		case frame.Bool:
			c.Bools = append(c.Bools, math.Sin(float64(i)) > 0)
		case frame.Int:
			c.Ints = append(c.Ints, int64(i%4))
		default:
			c.Texts = append(c.Texts, []string{"no", "yes"}[i%2])
		}
	}
	return c
}

func written(t testing.TB, kind frame.Kind) ([]byte, *fitted.Context, *frame.Frame) {
	t.Helper()
	ctx := context.Background()
	models, err := tabular.Find(ctx, "", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	o := tabular.DefaultOptions()
	o.Members, o.Seed, o.Levels = 3, 7, []float64{0.05, 0.5, 0.95}
	rows := everyKind(t, targetOf(kind))
	c, err := fitted.Fit(ctx, models, fitted.Spec{Target: "y", Options: o}, rows)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), c, rows
}

// A context that went through a file answers with the same bits, whatever the kinds of its columns, and writes the same
// bytes again.
func TestContextFile(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []frame.Kind{frame.Float, frame.Bool, frame.Int, frame.Text} {
		file, c, rows := written(t, kind)
		read, err := fitted.Read(ctx, demo(t), "c.norn", file, tabular.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Predict(ctx, rows)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read.Predict(ctx, rows)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: answers after a round trip (-before +after):\n%s", kind, diff)
		}
		var again bytes.Buffer
		if err := read.Write(&again); err != nil || !bytes.Equal(file, again.Bytes()) {
			t.Errorf("%v: written again the file differs (%v)", kind, err)
		}
		// Any safetensors reader can open it.
		if _, err := weights.ReadSafetensors("c.norn", file); err != nil {
			t.Errorf("as safetensors: %v", err)
		}
	}
}

func TestContextFileTrouble(t *testing.T) {
	ctx := context.Background()
	file, _, _ := written(t, frame.Text)
	read := func(data []byte) error {
		_, err := fitted.Read(ctx, demo(t), "c.norn", data, tabular.Options{})
		return err
	}
	refused := func(what string, data []byte, message string) {
		t.Helper()
		err := read(data)
		if err == nil || !strings.Contains(err.Error(), message) || diag.Hint(err) == "" {
			t.Errorf("%s: got %v with hint %q, want %q", what, err, diag.Hint(err), message)
		}
	}
	refused("nothing", nil, "too few")
	refused("another version", bytes.Replace(file, []byte(`"version":"1"`), []byte(`"version":"2"`), 1), `version "2"`)
	refused("another format", bytes.Replace(file, []byte(`norn-context`), []byte(`norn-kontext`), 1), "no context file")
	for n := range len(file) {
		if n%97 == 0 || n > len(file)-10 {
			if read(file[:n]) == nil {
				t.Errorf("%d of %d bytes were read as a context", n, len(file))
			}
		}
	}
	refused("cut short", file[:len(file)-1], "cut short")
	refused("longer", append(bytes.Clone(file), 0), "1 bytes follow the last tensor")
	// One bit anywhere: header, numbers, text, mask.
	for at := 0; at < len(file); at += 61 {
		for _, bit := range []byte{1, 0x20, 0x80} {
			flipped := bytes.Clone(file)
			flipped[at] ^= bit
			if read(flipped) == nil {
				t.Errorf("a flipped bit in byte %d was not seen", at)
			}
		}
	}
	flipped := bytes.Clone(file)
	flipped[len(file)-30] ^= 1
	refused("one bit", flipped, "checksum does not fit")

	regressor, err := tabular.Find(ctx, "demo-regressor", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fitted.Read(ctx, regressor, "c.norn", file, tabular.Options{}); err == nil || !strings.Contains(err.Error(), "does regression") {
		t.Errorf("models without the task gave %v", err)
	}
	tiny, err := tabular.Find(ctx, "../tabular/testdata/weights/tabicl-classifier-v1.safetensors", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fitted.Read(ctx, tiny, "c.norn", file, tabular.Options{}); err == nil || !strings.Contains(err.Error(), "was fitted with other weights") || diag.Hint(err) == "" {
		t.Errorf("other weights gave %v", err)
	}
	// A file that somebody made by hand, with a checksum that fits.
	for message, edit := range map[string][2]string{
		"100000000 members":    {`members\":3`, `members\":100000000`},
		"claims":               {`"rows":"24"`, `"rows":"-4"`},
		"is not 25 of":         {`"rows":"24"`, `"rows":"25"`},
		"unknown field":        {`\"spec`, `\"spec`},
		"the kind \"other\"":   {`kind\":\"float`, `kind\":\"other`},
		"not the target":       {`target\":\"y`, `target\":\"z`},
		"belongs to no column": {`{\"name\":\"number\",\"kind\":\"float\",\"type\":\"FLOAT\",\"missing\":true}`, `{\"name\":\"number\",\"kind\":\"float\",\"type\":\"FLOAT\",\"missing\":false}`},
	} {
		if message == "unknown field" {
			edit = [2]string{`\"members`, `\"membres`}
		}
		refused(message, fitted.Resealed(file, edit[0], edit[1]), message)
	}
}

// FuzzContextFile feeds anything to the reader: it must refuse or give a context, never fall over, and never take much
// more memory than the file has bytes.
func FuzzContextFile(f *testing.F) {
	file, _, _ := written(f, frame.Text)
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = fitted.Resealed(data, "", "") // or nothing but the checksum would ever be tried
		rows, features, err := fitted.DecodeContext(data)
		if err == nil && (rows < 1 || features.Rows() != rows || len(features.Columns) == 0) {
			t.Errorf("%d rows and the features %v", rows, features)
		}
	})
}
