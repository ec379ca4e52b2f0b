package plan

import "strings"

// Edition counts the ways in which norn has turned a project into tables. It is raised by hand when the same text would give
// other rows or columns than before: another rendering of queries, another reading of seeds. What an earlier edition built
// is built again.
const Edition = 1

// Built is what the ledger of a database says about a node.
type Built struct {
	ID          int64 // of the newest build that succeeded; ids grow with every row of the ledger
	Fingerprint string
	Digest      string
	Edition     int    // [Edition] of the norn that built it; 0 from before there were any
	Version     string // of that norn, for the user
	Relation    Name
	Reads       []int64 // ids of the builds that its rows were made from, sorted
	Exists      bool    // what that build made is in the database
	Over        string  // the node that has since been built under the same name, where Exists is false because of it
	Failed      string  // digest at which the newest attempt failed; "" where the newest attempt is the build
}

// A History is what the ledger of a database says about one project.
type History struct {
	Nodes  map[string]Built // by Key
	Audits map[string]Built // stand-alone audits that passed, by Key
	// Refresh is the id of the newest build of everything, by folded schema of the target. What was built before it was not
	// reached by it.
	Refresh map[string]int64
	Made    []Name // relations that this project made and that are there
	// Makers is who made a relation last, of any project, by folded name.
	Makers map[Name]Maker
}

// A Maker is the node that a relation was last built for.
type Maker struct {
	ID            int64
	Project, Node string // Project is "" for what was built before the ledger named projects
}

// Key names a node in one schema: two targets may share a database and differ in their schemas.
func Key(node, schema string) string { return strings.ToLower(node) + " in " + strings.ToLower(schema) }
