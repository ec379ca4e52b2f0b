package dbt

import (
	"strings"
)

// docsBlock is a block of a Markdown file that descriptions may name.
var docsBlock = pattern(`(?s)\{%-?\s*docs\s+(\w+)\s*-?%\}(.*?)\{%-?\s*enddocs\s*-?%\}`)

// readDocs reads the blocks of documentation, which are the only part of Markdown files that dbt uses.
func (r *reader) readDocs(paths []string) error {
	for _, p := range paths {
		file, err := r.text(p)
		if err != nil {
			return err
		}
		for _, m := range docsBlock().FindAllStringSubmatch(file.Text, -1) {
			if _, twice := r.docs[m[1]]; !twice {
				r.docs[m[1]] = strings.TrimSpace(m[2])
			}
		}
	}
	return nil
}
