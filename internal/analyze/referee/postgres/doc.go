// Package postgres holds norn's analysis against PostgreSQL: a corpus of queries, a file a feature, and queries that a
// seeded generator makes. The server describes each without running it, and what it says is kept beside the corpus, so that
// the comparison needs no server. Only tests live here.
package postgres
