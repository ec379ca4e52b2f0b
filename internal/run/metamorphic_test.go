package run

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/norn-data/norn/internal/plan"
)

var (
	worlds = flag.Int("worlds", 2, "how many made-up projects live through edits, failures and interruptions")
	rounds = flag.Int("rounds", 10, "how many rounds of edits and builds each of them lives through")
	seed   = flag.Uint64("seed", 1, "the first of the projects' random seeds")
)

// TestMetamorphic holds builds to their promise. Made-up projects are edited at random, by their author and behind norn's back;
// builds of them fail, are interrupted, run out of disk. Then every table is what a build from nothing gives, what fails there
// fails here, and another build finds nothing to do but what nobody can know to be unchanged.
func TestMetamorphic(t *testing.T) {
	for i := range *worlds {
		n := *seed + uint64(i)
		t.Run(fmt.Sprint("seed=", n), func(t *testing.T) {
			t.Parallel()
			liveThrough(t, rand.New(rand.NewPCG(n, 0)))
		})
	}
}

func liveThrough(t *testing.T, r *rand.Rand) {
	m := newMadeUp(r)
	w := newWorld(t, m.files())
	w.exec("CREATE SCHEMA mart; CREATE TABLE src_0 AS SELECT 1 AS id, 10 AS v; CREATE TABLE src_1 AS SELECT 2 AS id, 20 AS v", true)
	var pl *plan.Plan
	for round := range *rounds {
		var story []string
		before := m.clone()
		for range 1 + r.IntN(5) {
			story = append(story, m.edit(w, pl))
		}
		story = append(story, m.load(w)) // rows that norn does not own change all the time
		w.write(gone(before.files(), m.files()))
		w.write(m.files())
		for range r.IntN(3) {
			wish := buildWish{full: r.IntN(3) == 0}
			switch r.IntN(3) {
			case 0:
				wish.interrupt = m.models[r.IntN(len(m.models))].name
			case 1:
				wish.spare = 1 + r.IntN(20)
			}
			w.build(w.db, wish)
			story = append(story, fmt.Sprintf("built with %+v", wish))
		}
		next, report, problems := w.build(w.db, buildWish{})
		story = append(story, said(next, report, problems)...)
		if report == nil {
			// What norn refuses as a whole, such as audits that go in a circle, is taken back.
			w.write(gone(m.files(), before.files()))
			m = before
			w.write(m.files())
			continue
		}
		pl = next
		w.fresh(pl, report)
		again, _, _ := w.build(w.db, buildWish{})
		due := make(map[*plan.Step]bool) // what may be built each time
		for i, s := range again.Steps {
			end := report.Results[i].Status
			due[s] = s.Outside != "" || end == Failed || end == Blocked || slices.ContainsFunc(s.Upstream, func(up *plan.Step) bool { return due[up] })
			if s.Build && !due[s] {
				t.Errorf("after the build %s builds again: %s", s.Node, s.Reason)
			}
		}
		if t.Failed() {
			t.Fatalf("in round %d, after\n%s", round, strings.Join(story, "\n"))
		}
	}
}

// gone are the files of one project that another lacks, as [world.write] takes them away.
func gone(from, to map[string]string) map[string]string {
	out := make(map[string]string)
	for name := range from {
		if _, ok := to[name]; !ok {
			out[name] = ""
		}
	}
	return out
}

// A madeUp project has two seeds, two sources, a file and some models over them and over each other.
type madeUp struct {
	r       *rand.Rand
	seeds   []string // their rows
	sources []string // the tables of their declarations
	file    string
	models  []madeUpModel
	audit   string // a node that a stand-alone audit looks at
	named   int    // models that were given a name so far
}

type madeUpModel struct {
	name, alias, schema, materialized, audits string
	reads                                     []string
	plus                                      int  // what it adds to v
	star                                      bool // it passes all columns on
}

func newMadeUp(r *rand.Rand) *madeUp {
	m := &madeUp{r: r, seeds: []string{"id,v\n1,1\n2,2\n3,3\n", "id,v\n1,5\n2,6\n"}, sources: []string{"src_0", "src_1"}, file: "id,v\n1,9\n"}
	for range 5 {
		m.add()
	}
	return m
}

func (m *madeUp) clone() *madeUp {
	c := *m
	c.seeds, c.sources, c.models = slices.Clone(m.seeds), slices.Clone(m.sources), slices.Clone(m.models)
	return &c
}

// readable is something that a model which stands at a place can read.
func (m *madeUp) readable(at int) string {
	if at > 0 && m.r.IntN(3) > 0 {
		return m.models[m.r.IntN(at)].name
	}
	return []string{"seed_0", "seed_1", "source_0", "source_1", "source_0", "read_csv('data/rows.csv')"}[m.r.IntN(6)]
}

func (m *madeUp) add() {
	model := madeUpModel{name: fmt.Sprintf("m_%d", m.named), materialized: []string{"view", "table"}[m.r.IntN(2)], plus: m.r.IntN(5), star: m.r.IntN(3) == 0}
	for range 1 + m.r.IntN(2) {
		model.reads = append(model.reads, m.readable(len(m.models)))
	}
	m.named++
	m.models = append(m.models, model)
}

func (m *madeUp) files() map[string]string {
	files := map[string]string{"data/rows.csv": m.file, "sources/s.yml": "sources:\n"}
	for i, rows := range m.seeds {
		files[fmt.Sprintf("seeds/seed_%d.csv", i)] = rows
	}
	for i, table := range m.sources {
		files["sources/s.yml"] += fmt.Sprintf("  - name: source_%d\n    table: %s\n", i, table)
	}
	for _, model := range m.models {
		files["models/"+model.name+".sql"] = model.text()
	}
	if m.audit != "" {
		files["audits/check.sql"] = "SELECT id FROM " + m.audit + " WHERE v > 30\n"
	}
	return files
}

func (x madeUpModel) text() string {
	header := "materialized " + x.materialized
	for key, value := range map[string]string{"alias": x.alias, "schema": x.schema} {
		if value != "" {
			header += ", " + key + " " + value
		}
	}
	if x.audits != "" {
		header += ", columns (id (audits [" + x.audits + "]))"
	}
	list := fmt.Sprintf("a.id, a.v + %d AS v", x.plus)
	if x.star {
		list = "a.*"
	}
	text := "MODEL (" + header + ");\nSELECT " + list + " FROM " + x.reads[0] + " AS a"
	if len(x.reads) > 1 {
		text += " LEFT JOIN (SELECT max(id) AS top FROM " + x.reads[1] + ") AS b ON b.top = a.id"
	}
	return text + "\n"
}

// edit changes one thing and says what. pl is the plan of the build before, nil before the first.
func (m *madeUp) edit(w *world, pl *plan.Plan) string {
	r := m.r
	at := r.IntN(len(m.models))
	model := &m.models[at]
	switch r.IntN(17) {
	case 0:
		model.plus = r.IntN(5)
		return fmt.Sprintf("%s adds %d", model.name, model.plus)
	case 1:
		model.materialized = []string{"view", "table"}[r.IntN(2)]
		return model.name + " is a " + model.materialized
	case 2:
		model.alias = []string{"", model.name + "_x", "m_0", "other", "seed_0", strings.ToUpper(model.name)}[r.IntN(6)]
		return model.name + " has the alias " + model.alias
	case 3:
		model.schema = []string{"", "mart", "MAIN"}[r.IntN(3)]
		return model.name + " is in " + model.schema
	case 4, 5:
		model.audits = []string{"", "unique", "not_null", "relationships(to seed_1, field id)", "accepted_values(values [1, 2, 3])",
			"relationships(to " + m.models[r.IntN(len(m.models))].name + ", field id)", "relationships(to source_0, field id)"}[r.IntN(7)]
		return model.name + " audits " + model.audits
	case 6, 7:
		i := r.IntN(2)
		m.seeds[i] = []string{"id,v\n1,1\n2,2\n3,3\n", "id,v\n1,5\n2,6\n", "id,v\n1,5\n1,6\n", "id,v\n1,\n,7\n", "id,v,w\n1,2,3\n2,40,4\n", "id,v\n4,4\n"}[r.IntN(6)]
		return fmt.Sprintf("seed_%d is %q", i, m.seeds[i])
	case 8:
		i := r.IntN(2)
		m.sources[i] = fmt.Sprintf("src_%d", r.IntN(2))
		return fmt.Sprintf("source_%d is %s", i, m.sources[i])
	case 9:
		return m.load(w)
	case 10:
		m.file = []string{"id,v\n1,9\n", "id,v\n2,9\n3,9\n", "id,v,w\n1,1,1\n"}[r.IntN(3)]
		return "the file changed"
	case 11:
		m.add()
		return "added " + m.models[len(m.models)-1].name
	case 12:
		read := slices.ContainsFunc(m.models, func(x madeUpModel) bool {
			return slices.Contains(x.reads, model.name) || strings.Contains(x.audits, "to "+model.name+",")
		})
		if read || len(m.models) < 3 || m.audit == model.name {
			return "removed nothing"
		}
		name := model.name
		m.models = slices.Delete(m.models, at, at+1)
		return "removed " + name
	case 13:
		model.reads = slices.Clone(model.reads)
		i := r.IntN(len(model.reads))
		model.reads[i] = m.readable(at)
		return model.name + " reads " + model.reads[i]
	case 14:
		model.star = !model.star
		return fmt.Sprintf("%s passes all on: %v", model.name, model.star)
	case 15:
		m.audit = []string{"", model.name, "source_0"}[r.IntN(3)]
		return "audited is " + m.audit
	}
	if pl == nil {
		return "nothing"
	}
	s := pl.Steps[r.IntN(len(pl.Steps))]
	ctx := context.Background()
	if err := w.db.Drop(ctx, name(s.Relation)); err != nil {
		w.t.Fatal(err)
	}
	return "dropped " + s.Relation.String()
}

// load changes the rows of a source, or its columns.
func (m *madeUp) load(w *world) string {
	statement := []string{"INSERT INTO src_0 (id, v) VALUES (%d, %[1]d)", "DELETE FROM src_1 WHERE id = %d", "UPDATE src_1 SET v = %d", "INSERT INTO src_1 (id, v) VALUES (NULL, %d)",
		"CREATE OR REPLACE TABLE src_0 AS SELECT %d AS id, 1 AS v", "CREATE OR REPLACE TABLE src_0 AS SELECT %d AS id, 1.5 AS v, 'new' AS w"}[m.r.IntN(6)]
	statement = fmt.Sprintf(statement, 1+m.r.IntN(4))
	w.exec(statement, true)
	return statement
}

// A made-up project is repeated by its seed.
func TestMadeUp(t *testing.T) {
	a, b := newMadeUp(rand.New(rand.NewPCG(7, 0))), newMadeUp(rand.New(rand.NewPCG(7, 0)))
	if !maps.Equal(a.files(), b.files()) {
		t.Error("the same seed made two projects")
	}
}
