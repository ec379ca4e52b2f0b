//go:build ignore

// Command gen writes the catalogue of a running PostgreSQL server into catalogue.txt, and its keywords into the word list of
// the sql package. It talks to the server through psql, which finds it by the usual variables (PGHOST, PGPORT, PGUSER).
//
// A line of the catalogue is a record; the first field says of what:
//
//	t  name  category  preferred  kind  element  array      a type (pg_type)
//	r  range  subtype  multirange                           a range type (pg_range)
//	c  source  target  context  method                      a cast (pg_cast): context i, a or e
//	o  name  left  right  result                            an operator (pg_operator); left is empty for a prefix operator
//	f  name  kind  set  defaults  variadic  arguments  result  outputs
//
// The kind of a function is f, w (window), or a with the kind of the aggregate and the number of its direct arguments.
// Outputs are the columns of a function in FROM, name and type by turns. Functions that SQL cannot call are left out.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"strings"
)

const types = `
SELECT 't', t.typname, t.typcategory, CASE WHEN t.typispreferred THEN 'p' ELSE '' END, t.typtype,
  coalesce(e.typname, ''), coalesce(a.typname, '')
FROM pg_type t
  LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typsubscript = 'array_subscript_handler'::regproc
  LEFT JOIN pg_type a ON a.oid = t.typarray
WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'p', 'r', 'm')
  AND (t.typelem = 0 OR e.typtype <> 'c' OR e.typtype IS NULL)
  AND t.typname !~ '^_?pg_(ndistinct|dependencies|mcv_list|brin|node_tree)'
ORDER BY t.oid`

const ranges = `
SELECT 'r', n.typname, s.typname, m.typname
FROM pg_range r JOIN pg_type n ON n.oid = r.rngtypid JOIN pg_type s ON s.oid = r.rngsubtype JOIN pg_type m ON m.oid = r.rngmultitypid WHERE n.typnamespace = 'pg_catalog'::regnamespace ORDER BY 2`

const casts = `
SELECT 'c', s.typname, t.typname, castcontext, castmethod
FROM pg_cast JOIN pg_type s ON s.oid = castsource JOIN pg_type t ON t.oid = casttarget
WHERE s.typname !~ '^pg_(ndistinct|dependencies|mcv_list|brin|node_tree)' ORDER BY s.oid, t.oid`

const operators = `
SELECT 'o', oprname, coalesce(l.typname, ''), r.typname, t.typname
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = oprleft JOIN pg_type r ON r.oid = oprright JOIN pg_type t ON t.oid = oprresult
WHERE oprnamespace = 'pg_catalog'::regnamespace ORDER BY oprname COLLATE "C", o.oid`

const functions = `
WITH visible AS (
  SELECT p.*, array(SELECT t.typname FROM unnest(p.proargtypes) WITH ORDINALITY AS x (oid, n) JOIN pg_type t ON t.oid = x.oid ORDER BY n) AS args
  FROM pg_proc p
  WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a', 'w')
)
SELECT 'f', proname,
  CASE WHEN prokind = 'a' THEN 'a' || g.aggkind::text || g.aggnumdirectargs::text ELSE prokind::text END,
  CASE WHEN proretset THEN 's' ELSE '' END, pronargdefaults, coalesce(v.typname, ''),
  array_to_string(args, ','), r.typname,
  coalesce((SELECT string_agg(proargnames[i] || ',' || t.typname, ',' ORDER BY i)
    FROM generate_subscripts(proargmodes, 1) AS i JOIN pg_type t ON t.oid = proallargtypes[i] WHERE proargmodes[i] IN ('o', 't', 'b')), '')
FROM visible p JOIN pg_type r ON r.oid = prorettype LEFT JOIN pg_type v ON v.oid = provariadic LEFT JOIN pg_aggregate g ON g.aggfnoid = p.oid
WHERE NOT args && ARRAY['internal', 'cstring', 'language_handler', 'index_am_handler', 'table_am_handler', 'pg_node_tree',
    'pg_brin_bloom_summary', 'pg_brin_minmax_multi_summary', 'pg_mcv_list', 'pg_ndistinct', 'pg_dependencies', 'pg_ddl_command']::name[]
  AND r.typname NOT IN ('internal', 'cstring', 'trigger', 'event_trigger', 'language_handler', 'fdw_handler', 'tsm_handler',
    'index_am_handler', 'table_am_handler', 'pg_brin_bloom_summary', 'pg_brin_minmax_multi_summary', 'pg_mcv_list', 'pg_ndistinct', 'pg_dependencies')
ORDER BY proname COLLATE "C", p.oid`

const keywords = `SELECT catcode, barelabel, word FROM pg_get_keywords() ORDER BY catcode, word COLLATE "C"`

func main() {
	version := strings.TrimSpace(psql("SHOW server_version"))
	version, _, _ = strings.Cut(version, " ")
	var b strings.Builder
	fmt.Fprintf(&b, "# The catalogue of PostgreSQL %s. Written by gen/main.go; do not edit.\n", version)
	for _, query := range []string{types, ranges, casts, operators, functions} {
		b.WriteString(psql(query))
	}
	if err := os.WriteFile("catalogue.txt", []byte(b.String()), 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("../../sql/words_postgres.txt", []byte(words(version, psql(keywords))), 0o644); err != nil {
		log.Fatal(err)
	}
}

// words writes the keywords by class, in the form of the sql package: classes of names, and which words may not be a label
// of a select item without AS.
func words(version, rows string) string {
	classes := map[string][]string{}
	for line := range strings.Lines(rows) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		classes[f[0]] = append(classes[f[0]], f[2])
		if f[1] == "f" {
			classes["as"] = append(classes["as"], f[2])
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Keywords of PostgreSQL %s by what they may name, from its pg_get_keywords(); see the WordClass constants. Words\n"+
		"# under [as] are no label of a column without AS. Written by the generator of the catalogue of PostgreSQL; do not edit.\n", version)
	for _, c := range [][2]string{{"R", "[reserved]"}, {"C", "[column]"}, {"T", "[function]"}, {"U", "[unreserved]"}, {"as", "[as]"}} {
		b.WriteString("\n" + c[1] + "\n")
		width := 0
		for _, w := range classes[c[0]] {
			if width+len(w)+1 > 100 {
				b.WriteByte('\n')
				width = 0
			} else if width > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
			width += len(w) + 1
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// psql runs a query and gives its rows, fields separated by tabs.
func psql(query string) string {
	cmd := exec.Command("psql", "-X", "-q", "-t", "-A", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", query)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatal(err)
	}
	return string(out)
}
