// Package house keeps norn's house in order: it has no code, only the tests that hold the tree to its own plan.
//
// The plan is text: the import order in policy_test.go, the room table in ARCHITECTURE.md, the list of decisions in
// docs/decisions. The tests read the tree as it is (go list, the files themselves) and print each place where the two
// differ, with the rule that says so. Invariant: every rule is a function from a tree to complaints, and is itself tested
// on a small made-up tree that breaks it, so that no rule can fall asleep.
//
// The room table is written by the tests: go test ./internal/house -run TestRoomTable -update.
package house
