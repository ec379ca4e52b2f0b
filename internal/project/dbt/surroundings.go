package dbt

import (
	"errors"
	"io/fs"

	"github.com/norn-data/norn/internal/diag"
	"github.com/norn-data/norn/internal/project"
)

// surroundings looks at the files beside dbt_project.yml that say what else dbt would use: packages, and the warehouse. Nothing of
// them is taken over, and the report says so.
func (r *reader) surroundings() error {
	for _, name := range []string{"packages.yml", "dependencies.yml"} {
		v, err := r.optional(name)
		if err != nil {
			return err
		}
		for _, item := range listed(get(v, "packages")) {
			r.note(item.Value.Span, "packages of dbt are not taken over; models and macros of theirs that the project uses are listed where it does")
		}
	}
	// A profile usually lies in the user's home, which is none of the project's files.
	profiles, err := r.optional("profiles.yml")
	if err != nil {
		return err
	}
	profile := get(profiles, r.conf.profile)
	for _, e := range get(profile, "outputs").Items {
		if t := get(e.Value, "type"); scalar(t) != "" && scalar(t) != "duckdb" {
			r.note(t.Span, "a profile is for %s; the new project's target is a DuckDB file, so SQL that only %s knows is an error of norn check", scalar(t), scalar(t))
		}
	}
	return nil
}

// optional reads a YAML file that need not be there. What is wrong with it is no problem of the project's.
func (r *reader) optional(name string) (project.Value, error) {
	file, err := r.text(name)
	if errors.Is(err, fs.ErrNotExist) {
		return project.Value{}, nil
	}
	if err != nil {
		return project.Value{}, err
	}
	v, _, problems := project.ParseYAML(file)
	if len(problems) > 0 {
		r.note(diag.Span{File: file}, "%s cannot be read", name)
	}
	return v, nil
}
