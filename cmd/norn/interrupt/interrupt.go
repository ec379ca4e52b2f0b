// Package interrupt listens for the signals that ask norn to stop, from before anything else of norn is there.
//
// A process whose packages are still being initialised dies of Ctrl-C by the signal, without a line and with the wrong exit
// code. Go initialises a package as soon as what it imports is ready, in the order of import paths; this one imports next to
// nothing, so it comes before the rooms of norn and most of its libraries. What comes before any Go code of norn runs cannot be
// helped: for the some ten milliseconds in which the system loads the program and its C++ libraries and the Go runtime starts, a signal
// ends the process as it ends any other. Nothing was begun by then.
//
// Invariant: the package imports only packages that every Go program has initialised anyway.
package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

// Signals receives the signals from the start of the process. There is room for two: the first asks to stop, the second does
// not wait. It belongs to package main, which reads it and ends the listening with [signal.Stop].
var Signals = listen()

func listen() chan os.Signal {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return signals
}
