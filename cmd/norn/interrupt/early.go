//go:build unix

package interrupt

import "C" // early.c
