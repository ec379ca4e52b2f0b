package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// update rewrites what the tests compare with: the scripts' golden files and the README's sessions.
var update = flag.Bool("update", false, "rewrite golden files and the README instead of comparing")

// TestMain makes the test binary answer to the name norn, so that scripts run the program as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"norn": func() {
			os.Exit(Run(context.Background(), os.Args[1:], Streams{Stdout: os.Stdout, Stderr: os.Stderr}))
		},
	})
}

// TestScripts runs testdata/script: each file is a session at a prompt. Scripts have two commands of their own:
//
//	exits CODE PROGRAM ARGS...   runs a program and demands its exit code
//	files FOLDER                 puts the relative paths of all files of a folder on stdout, sorted
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			// Tests must not depend on the terminal they were started from.
			env.Setenv("NO_COLOR", "1")
			env.Setenv("COLUMNS", "")
			template, err := filepath.Abs(filepath.Join("template", "shop"))
			env.Setenv("TEMPLATE", template)
			if err != nil {
				return err
			}
			weights, err := filepath.Abs(filepath.Join("..", "tabular", "testdata", "weights", "tabicl-classifier-v2.ckpt"))
			env.Setenv("WEIGHTS", weights)
			if err != nil {
				return err
			}
			kumo, err := filepath.Abs(filepath.Join("..", "tabular", "kumo", "testdata", "weights"))
			env.Setenv("KUMO", kumo)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": cmdExits,
			"files": cmdFiles,
		},
	})
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func cmdFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: files FOLDER")
	}
	root := ts.MkAbs(args[0])
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err == nil {
			_, err = ts.Stdout().Write([]byte(filepath.ToSlash(relative) + "\n"))
		}
		return err
	})
	ts.Check(err)
}
