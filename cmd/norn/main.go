// Command norn turns a folder of SQL models into tables, and tables with gaps into predictions.
//
// It owns nothing but the process: the signals, the standard streams and the exit code. Everything else is
// [github.com/norn-data/norn/internal/cli].
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/norn-data/norn/internal/cli"
)

func main() {
	os.Exit(run())
}

// run exists so that deferred work is done before the process ends.
func run() int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		// The first signal asks every part to stop and lets it say what was done; the second does not wait for that.
		if _, ok := <-signals; !ok {
			return
		}
		fmt.Fprintln(os.Stderr, "stopping: waiting for what is in flight (Ctrl-C again to exit at once)")
		cancel()
		<-signals
		os.Exit(cli.ExitInterrupted)
	}()
	return cli.Run(ctx, os.Args[1:], cli.Streams{Stdout: os.Stdout, Stderr: os.Stderr})
}
