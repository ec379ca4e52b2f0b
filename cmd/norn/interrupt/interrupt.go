// Package interrupt listens for the signals that ask norn to stop, from before anything else of norn is there.
//
// A process whose packages are still being initialised dies of Ctrl-C by the signal, without a line and with the wrong exit
// code. So the first of norn's own instructions (early.c) says what is to be done with a signal: before the C++ libraries are
// initialised and before the Go runtime is there, one ends the process with norn's line and exit code. Go initialises a package as
// soon as what it imports is ready, in the order of import paths; this one imports next to nothing, so it listens before the rooms
// of norn and most of its libraries are there. What is left is the few milliseconds in which the system loads the program: a signal
// then ends the process as it ends any other, and nothing was begun.
//
// Invariant: the package imports only packages that every Go program has initialised anyway.
package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals receives the signals from the start of the process. There is room for two: the first asks to stop, the second does
// not wait. It belongs to package main, which reads it. The listening never ends: a signal between the last line of a command and
// the end of the process has nothing to stop, and must not turn what was done into a failure.
var Signals = listen()

func listen() chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return signals
}
