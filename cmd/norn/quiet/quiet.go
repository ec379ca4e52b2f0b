// Package quiet keeps libraries from writing to stderr while they are initialised.
//
// What norn has to say is said by its command line, in its words; a script that looks at stderr is told of trouble by it. The
// Starlark library reserves 4 GiB of addresses before main, to hold small integers in pointers, and where a limit on the address
// space (ulimit -v) does not let it, it does without and logs a line about the speed of integers, which is no trouble of anybody's.
// No option or build tag turns that off.
//
// Invariant: the package imports only the standard library, so it is initialised before the libraries it is about, whose import
// paths come later; and what is logged after [End] is shown as ever.
package quiet

import (
	"io"
	"log" //nolint:depguard // it is silenced here, not used
	"os"
)

var _ = begin()

func begin() bool {
	log.SetOutput(io.Discard)
	return true
}

// End lets libraries log again. It is the first thing that main does.
func End() { log.SetOutput(os.Stderr) }
