// Command norn turns a folder of SQL models into tables, and tables with gaps into predictions.
//
// It owns nothing but the process: the signals, the standard streams and the exit code. Everything else is
// [github.com/norn-data/norn/internal/cli].
//
// What happens before main is not all norn's. Where the system refuses the Go runtime a thread (ulimit -u), memory (ulimit -v) or the
// two files with which it waits for others (ulimit -n below 8), the runtime ends the process itself, with its own lines on stderr and
// exit code 2, and no Go program can catch that; below some 100 MB of addresses the system cannot even load the program and its C++
// libraries. Nothing has been written by then, and what a later refusal of the kind cuts off is covered by what covers kill -9:
// tables and files are the old ones or the new ones. What norn itself is refused, it says, with exit code 3.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/norn-data/norn/cmd/norn/interrupt"
	"github.com/norn-data/norn/cmd/norn/quiet"
	"github.com/norn-data/norn/internal/cli"
)

func main() {
	os.Exit(run())
}

// patience is how long an interrupted command may take before somebody is told what it waits for. Most end within a fraction of
// it, and then their own line is the only one: what was done and what was not.
const patience = time.Second

// run exists so that deferred work is done before the process ends.
func run() int {
	quiet.End()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	go stop(interrupt.Signals, ended, cancel)
	return cli.Run(ctx, os.Args[1:], cli.Streams{Stdout: os.Stdout, Stderr: os.Stderr})
}

// stop waits for the user to want the end. The first signal asks every part to stop and lets it say what was done; the second
// does not wait for that.
func stop(signals <-chan os.Signal, ended <-chan struct{}, cancel func()) {
	select {
	case <-signals:
		cancel()
	case <-ended:
		return
	}
	slow := time.After(patience)
	for {
		select {
		case <-slow:
			fmt.Fprintln(os.Stderr, "stopping: waiting for what is in flight (Ctrl-C again to exit at once)")
		case <-signals:
			os.Exit(cli.ExitInterrupted)
		case <-ended:
			return
		}
	}
}
