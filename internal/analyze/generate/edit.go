package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// seedYAML describes the seed, now and then with a column that it does not have.
func seedYAML(r *rand.Rand) string {
	return fmt.Sprintf("seeds:\n  - name: codes\n    columns:\n      - name: %s\n        type: %s\n        audits: [not_null]\n", column(r),
		[]string{"BIGINT", "VARCHAR"}[r.IntN(2)])
}

// test is a unit test of some model: what it reads counts among the references of the project.
func test(r *rand.Rand, n int) string {
	value := func() string { return []string{"1", "'x'", "'7'", "NULL", "true"}[r.IntN(5)] }
	parts := []string{"given AS (SELECT 1 AS id)"}
	for _, node := range []string{"__source__raw_0", "__source__raw_1", "__seed__codes"} {
		switch r.IntN(8) {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("%s AS (SELECT * FROM __empty_fixture())", node))
		default:
			parts = append(parts, fmt.Sprintf("%s AS (SELECT 1 AS id, %s AS %s)", node, value(), column(r)))
		}
	}
	if r.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("__ref__m_%d AS (SELECT id, %s AS %s FROM given)", r.IntN(n), value(), column(r)))
	}
	if r.IntN(4) > 0 {
		parts = append(parts, fmt.Sprintf("__expected__m_%d (%s) AS (VALUES (%s))", r.IntN(n), column(r), value()))
	}
	if r.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("__assert__none AS (SELECT %s FROM %s)", column(r), relation(r, n, n)))
	}
	return "TEST (description \"made up\");\nWITH " + strings.Join(parts, ",\n") + "\nSELECT 1\n"
}

// audit is a query whose rows are failures; some do not parse.
func audit(r *rand.Rand, n int) string {
	text := fmt.Sprintf("AUDIT (severity %s);\nSELECT %s FROM %s AS a\n", []string{"warn", "error", "loud"}[r.IntN(3)], column(r), relation(r, n, n))
	if r.IntN(5) == 0 {
		text += "WHERE (\n"
	}
	return text
}

// macros are the file of macros, in several states: models that call the macro are others then.
var macros = []string{
	"def shown(x):\n    return \"CAST(%s AS VARCHAR)\" % x\n",
	"# changed\ndef shown(x):\n    return \"CAST(%s AS VARCHAR)\" % x\n",
	"def shown(x):\n    return \"upper(%s)\" % x\n",
	"def shown(x):\n    return x + \n",
	"def other(x):\n    return x\n",
}

// configs are other configurations: each changes what is said of some model.
var configs = []string{
	Config,
	Config + "[defaults]\nmaterialized = \"table\"\nschema = \"other\"\n",
	Config + "[rules]\nselect = [\"all\"]\n",
	Config + "[rules]\nignore = [\"R001\", \"R002\", \"nothing\"]\n",
	strings.Replace(Config, "made_up\"", "renamed\"", 1),
	strings.Replace(Config, "adapter = \"duckdb\"\npath = \"made_up.duckdb\"", "adapter = \"postgres\"\nurl = \"postgres://localhost/made_up\"", 1),
}

// below lists the files of a folder, sorted.
func (p Project) below(folder string) []string {
	var paths []string
	for path := range p {
		if strings.HasPrefix(path, folder) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Edit changes a project in one place and says what it did.
func (p Project) Edit(r *rand.Rand) string {
	models := p.below("models/")
	path := models[r.IntN(len(models))]
	number := len(models)
	// A free name, so that no edit undoes another.
	for p[modelPath(number)] != "" {
		number++
	}
	switch k := r.IntN(25); {
	case k == 0 && len(models) > 1:
		delete(p, path)
		return "removed " + path
	case k == 1:
		p[modelPath(number)] = model(r, number, number+1)
		return "added " + modelPath(number)
	case k == 2:
		p["seeds/codes.csv"] = []string{"id,label,units\n1,a,3\n2,b,\n", "id,label\nx,a\n", "id,units\n1,2.5\n", "id,units\n1,2.5,3\n"}[r.IntN(4)]
		return "changed the seed"
	case k == 3:
		p["sources/raw.yml"] = New(r, 1)["sources/raw.yml"]
		return "changed the sources"
	case k == 4:
		p[path] += "-- a comment\n"
		return "commented " + path
	case k == 5:
		p[path] = "\n" + p[path]
		return "moved the text of " + path
	case k == 6:
		old, now := column(r), column(r)
		p[path] = strings.Replace(p[path], old, now, 1)
		return fmt.Sprintf("put %s for %s in %s", now, old, path)
	case k == 7 || k == 8:
		return "changed nothing"
	case k == 9:
		p["norn.toml"] = configs[r.IntN(len(configs))]
		return "changed the configuration"
	case k == 10:
		return p.swap(r, "seeds/codes.yml", seedYAML(r))
	case k == 11:
		return p.swap(r, "tests/t_0.sql", test(r, number))
	case k == 12:
		return p.swap(r, "audits/a_0.sql", audit(r, number))
	case k == 13:
		// The same text under another name, which every reader of the old one misses.
		p[modelPath(number)] = p[path]
		delete(p, path)
		return fmt.Sprintf("renamed %s to %s", path, modelPath(number))
	case k == 14:
		// Another folder is no other name: the model is the same to its readers.
		to := "models/deep/" + path[strings.LastIndexByte(path, '/')+1:]
		if p[to] == "" {
			p[to] = p[path]
			delete(p, path)
		}
		return fmt.Sprintf("moved %s to %s", path, to)
	case k == 15:
		_, body, _ := strings.Cut(p[path], ");\n")
		if body == "" {
			body = p[path]
		}
		p[path] = header(r, map[string]bool{column(r): true}) + body
		return "gave another header to " + path
	case k == 16:
		p[path] += []string{"SELECT (\n", "'", "\xff", ")"}[r.IntN(4)]
		return "broke the syntax of " + path
	case k == 17:
		p["models/twin.sql"] = "SELECT * FROM " + strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".sql") + "\n"
		return "made a copy of the columns of " + path
	case k == 19:
		p["macros/m.star"] = macros[r.IntN(len(macros))]
		return "changed the macros"
	case k == 18 && len(models) > 1:
		// Two models that read each other.
		a, b := stem(path), stem(models[r.IntN(len(models))])
		p[path] = fmt.Sprintf("SELECT id, amount FROM %s\n", b)
		return fmt.Sprintf("made %s read %s", a, b)
	}
	p[path] = model(r, number, number+1)
	return "rewrote " + path
}

// swap takes a file away or puts one there.
func (p Project) swap(r *rand.Rand, path, text string) string {
	if _, there := p[path]; there && r.IntN(3) == 0 {
		delete(p, path)
		return "removed " + path
	}
	p[path] = text
	return "changed " + path
}

// stem is the name of a model by its path.
func stem(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".sql")
}
