package fitted_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
			c.Ints = append(c.Ints, int64(i%12)) // more classes than the demo tells apart at a time
		default:
			c.Texts = append(c.Texts, []string{"no", "yes"}[i%2])
		}
	}
	return c
}

func written(t testing.TB, kind frame.Kind, cache tabular.Cache) ([]byte, *fitted.Context, *frame.Frame) {
	t.Helper()
	ctx := context.Background()
	models, err := tabular.Find(ctx, "", tabular.Places{})
	if err != nil {
		t.Fatal(err)
	}
	o := tabular.DefaultOptions()
	o.Members, o.Seed, o.Levels, o.Cache = 3, 7, []float64{0.05, 0.5, 0.95}, cache
	o.MissingLevel = kind == frame.Text
	rows := everyKind(t, targetOf(kind))
	c, err := fitted.Fit(ctx, models, fitted.Spec{Target: "y", Options: o}, rows)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := c.Write(ctx, &file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), c, rows
}

var caches = []tabular.Cache{tabular.CacheFull, tabular.CacheCompact, tabular.CacheNone}

// A context that went through a file answers with the same bits, whatever the kinds of its columns and whatever it keeps,
// read or mapped, and writes the same bytes again. All caches give one answer.
func TestContextFile(t *testing.T) {
	ctx := t.Context()
	for _, kind := range []frame.Kind{frame.Float, frame.Bool, frame.Int, frame.Text} {
		var want *tabular.Answer
		for _, cache := range caches {
			file, c, rows := written(t, kind, cache)
			answer, err := c.Predict(ctx, rows)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = answer
			}
			if diff := cmp.Diff(want, answer); diff != "" {
				t.Errorf("%v: the cache %s moves the answer (-full +%[2]s):\n%s", kind, cache, diff)
			}
			path := filepath.Join(t.TempDir(), "c.context")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			stored, err := fitted.Open(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			if stored.Cache() != cache || stored.Target() != "y" || stored.Bytes() != int64(len(file)) || len(stored.Schema().Columns) != len(rows.Columns)-1 {
				t.Errorf("the file says cache %s, target %s, %d bytes, columns %v", stored.Cache(), stored.Target(), stored.Bytes(), stored.Schema().Names())
			}
			if like := stored.Like(); like.Rows() != 1 || slices.ContainsFunc(like.Columns, func(c *frame.Column) bool { return c.MissingCount() > 0 }) {
				t.Errorf("a table to read others like: %v", like)
			}
			mapped, err := stored.Restore(ctx, demo(t), tabular.Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			read, err := fitted.Read(ctx, demo(t), "c.context", file, tabular.Options{Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			runtime.GC() // stored is done with: the mapping now lives as long as the context
			for how, c := range map[string]*fitted.Context{"mapped": mapped, "read": read} {
				got, err := c.Predict(ctx, rows)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%v, %s, %s: answers after a round trip (-before +after):\n%s", kind, cache, how, diff)
				}
				var again bytes.Buffer
				if err := c.Write(ctx, &again); err != nil || !bytes.Equal(file, again.Bytes()) {
					t.Errorf("%v, %s, %s: written again the file differs (%v)", kind, cache, how, err)
				}
			}
			// Any safetensors reader can open it.
			if _, err := weights.ReadSafetensors("c.context", file); err != nil {
				t.Errorf("as safetensors: %v", err)
			}
		}
	}
}

// The size is known before the work is done, and other quantiles can be asked of a file than the fit did.
func TestDraft(t *testing.T) {
	ctx := t.Context()
	for _, kind := range []frame.Kind{frame.Float, frame.Int} {
		for _, cache := range caches {
			file, c, rows := written(t, kind, cache)
			d, err := fitted.Prepare(ctx, demo(t), c.Spec, rows)
			if err != nil {
				t.Fatal(err)
			}
			size := d.Size()
			planned := map[tabular.Cache]int64{tabular.CacheFull: size.Full, tabular.CacheCompact: size.Compact, tabular.CacheNone: size.None}[cache]
			if off := planned - int64(len(file)); off < -40<<10 || off > 4<<10 || d.Kept() != (cache != tabular.CacheNone) {
				t.Errorf("%v: %d bytes were planned for the cache %s and %d written", kind, planned, cache, len(file))
			}
			taught, _, err := d.Teach(ctx)
			if err != nil {
				t.Fatal(err)
			}
			var again bytes.Buffer
			if err := taught.Write(ctx, &again); err != nil || !bytes.Equal(file, again.Bytes()) {
				t.Errorf("%v, %s: a fit in two steps writes another file (%v)", kind, cache, err)
			}
			read, err := fitted.Read(ctx, demo(t), "c", file, tabular.Options{Levels: []float64{0.25}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := read.Answer(ctx, rows, diag.Span{})
			if err != nil || kind == frame.Float && (len(p.Answer.Quantiles) != 1 || p.Answer.Levels[0] != 0.25) {
				t.Errorf("other levels gave %v", err)
			}
		}
	}
}

// Rows to predict that do not fit a context: all that is missing or of another kind is named at once, all that is too much
// is noted.
func TestContextAnswer(t *testing.T) {
	file, _, rows := written(t, frame.Text, tabular.CacheFull)
	c, err := fitted.Read(t.Context(), demo(t), "c", file, tabular.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := rows.Without("number", "truth", "whole", "y")
	whole, _ := rows.Column("text")
	renamed := *whole
	renamed.Name = "whole"
	nummer := *rows.Columns[0]
	nummer.Name = "numbers"
	bad, err := frame.New(rows.Rows(), append([]*frame.Column{&renamed, &nummer}, broken.Columns...)...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Answer(t.Context(), bad, diag.WholeFile("new.csv"))
	problems, _ := errors.AsType[diag.Problems](err)
	var said []string
	for _, p := range problems {
		said = append(said, p.Code+" "+p.Span.File.Path+" "+p.Message+": "+p.Help)
	}
	want := []string{
		"E1611 new.csv column number taught, but is not in the rows to predict: is it numbers? Columns are found by name",
		"E1614 new.csv column whole was INT in the rows that taught and is TEXT in the rows to predict: give the same kind of values in whole",
		"E1611 new.csv column truth taught, but is not in the rows to predict: add the column, with empty cells where its values are not known",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	more, err := frame.New(rows.Rows(), append([]*frame.Column{&nummer}, rows.Columns...)...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Answer(t.Context(), more, diag.Span{})
	if err != nil || !slices.Equal(p.Notes, []string{"column numbers did not teach and is not used"}) || p.Answer.Rows != rows.Rows() {
		t.Errorf("an extra column gave %v, %v", p, err)
	}
}

func TestContextFileTrouble(t *testing.T) {
	ctx := t.Context()
	for _, cache := range caches {
		file, _, _ := written(t, frame.Text, cache)
		read := func(data []byte) error {
			_, err := fitted.Read(ctx, demo(t), "c.norn", data, tabular.Options{})
			return err
		}
		refused := func(what string, data []byte, message string) {
			t.Helper()
			err := read(data)
			if err == nil || !strings.Contains(err.Error(), message) || diag.Hint(err) == "" {
				t.Errorf("%s, cache %s: got %v with hint %q, want %q", what, cache, err, diag.Hint(err), message)
			}
		}
		refused("nothing", nil, "too few")
		refused("the version before", bytes.Replace(file, []byte(`"version":"2"`), []byte(`"version":"1"`), 1), `version "1" of the format, and this norn reads version 2`)
		refused("a later version", bytes.Replace(file, []byte(`"version":"2"`), []byte(`"version":"3"`), 1), `version "3"`)
		refused("another format", bytes.Replace(file, []byte(`norn-context`), []byte(`norn-kontext`), 1), "no context file")
		for n := 0; n < len(file); n += 1 + len(file)/60 {
			if read(file[:n]) == nil {
				t.Errorf("%d of %d bytes were read as a context", n, len(file))
			}
		}
		refused("cut short", file[:len(file)-1], "the file is truncated")
		refused("longer", append(bytes.Clone(file), 0), "1 bytes after the last tensor")
		// One bit anywhere: header, numbers, text, mask.
		for at := 0; at < len(file); at += 1 + len(file)/70 {
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
		demoFile, err := os.ReadFile("../tabular/demo/norn-demo-classifier.safetensors")
		if err != nil {
			t.Fatal(err)
		}
		refused("a foreign file", demoFile, "it is no context file")

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
		edits := map[string][2]string{
			"members is from 1 to":  {`members\":3`, `members\":100000000`},
			"claims":                {`"rows":"24"`, `"rows":"-4"`},
			"unknown field":         {`\"members`, `\"membres`},
			"the kind \"other\"":    {`kind\":\"float`, `kind\":\"other`},
			"not the target":        {`target\":\"y`, `target\":\"z`},
			`the cache "most"`:      {`"cache":"` + string(cache), `"cache":"most`},
			"between 0 and 1":       {`levels\":[0.05`, `levels\":[1.5`},
			"temperature is a":      {`\"temperature\":0.9`, `\"temperature\":0`},
			"outlier_threshold is":  {`\"outlier_threshold\":4`, `\"outlier_threshold\":-4`},
			"option norms is":       {`\"norms\":[\"none\"`, `\"norms\":[\"zzz\"`},
			"feature_shuffle is":    {`feature_shuffle\":\"latin`, `feature_shuffle\":\"greek`},
			"class_shuffle is":      {`class_shuffle\":\"shift`, `class_shuffle\":\"swift`},
			"precision is":          {`precision\":\"fp32`, `precision\":\"fp31`},
			"two columns are named": {`{\"name\":\"whole\"`, `{\"name\":\"number\"`},
		}
		if cache == tabular.CacheNone {
			edits["is not 25 of"] = [2]string{`"rows":"24"`, `"rows":"25"`}
			edits["belongs to no column"] = [2]string{`{\"name\":\"number\",\"kind\":\"float\",\"type\":\"FLOAT\",\"missing\":true}`, `{\"name\":\"number\",\"kind\":\"float\",\"type\":\"FLOAT\",\"missing\":false}`}
		} else {
			edits["the numbers fill are not"] = [2]string{`"recipe.fill"`, `"recipe.full"`}
			edits["holds 4 members, and its spec asks for 3"] = [2]string{`"contexts":"[`, `"contexts":"[{},`}
			edits["taught by 24 rows, and the file says 99999999999"] = [2]string{`"rows":"24"`, `"rows":"99999999999"`}
			edits["has 9 features"] = [2]string{`{\"features\":10,`, `{\"features\":9,`}
			edits["member.0.icl.0"] = [2]string{`"member.0.icl.0`, `"member.0.icl.7`}
			edits["has no possible order"] = [2]string{`\"Columns\":[0,`, `\"Columns\":[1,`}
		}
		for message, edit := range edits {
			if bytes.Contains(file, []byte(edit[0])) {
				refused(message, fitted.Resealed(file, edit[0], edit[1]), message)
			} else if message != "has 9 features" && message != "has no possible order" {
				t.Errorf("cache %s: nothing to edit for %q", cache, message)
			}
		}
	}
}

// FuzzContextFile feeds anything to the reader: it must refuse or give a context, never fall over, and never take much
// more memory than the file has bytes.
func FuzzContextFile(f *testing.F) {
	for _, cache := range caches {
		file, _, _ := written(f, frame.Text, cache)
		f.Add(file)
		f.Add(file[:len(file)/2])
	}
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	models, err := tabular.Find(context.Background(), "", tabular.Places{})
	if err != nil {
		f.Fatal(err)
	}
	one := everyKind(f, targetOf(frame.Text)).Take([]int{0})
	f.Fuzz(func(t *testing.T, data []byte) {
		data = fitted.Resealed(data, "", "") // or nothing but the checksum would ever be tried
		stored, features, err := fitted.DecodeContext(data)
		switch {
		case err != nil:
		case stored.Cache() == tabular.CacheNone:
			if len(features.Columns) == 0 || features.Rows() < 1 {
				t.Errorf("the features %v", features)
			}
		default:
			c, err := stored.Restore(t.Context(), models, tabular.Options{Threads: 1})
			if err != nil {
				return
			}
			// Numbers may be anything; the places where they lie may not.
			if _, err := c.Predict(t.Context(), one); err == nil && c.Members() < 1 {
				t.Error("nobody answered")
			}
		}
	})
}
