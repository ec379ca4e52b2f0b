//go:build unix

#include <signal.h>
#include <unistd.h>

// The line is that of norn's command line for an interrupt, and 130 its exit code. Only what may be called in a signal handler is.
static void nothing_begun(int number) {
	static const char line[] = "interrupted: nothing was begun\n";
	(void)number;
	if (write(STDERR_FILENO, line, sizeof line - 1)) {
	}
	_exit(130);
}

// begin_early runs before the C++ libraries of norn are initialised and before the Go runtime is there. The runtime puts its own
// handler in the place of this one and remembers it: until somebody asks for a signal, it hands that signal on before it would die
// of it. A signal that is ignored, as in the background of a shell, stays ignored.
__attribute__((constructor(101))) static void begin_early(void) {
	static const int signals[] = {SIGINT, SIGTERM};
	for (int i = 0; i < 2; i++) {
		struct sigaction before, ours;
		if (sigaction(signals[i], 0, &before) != 0 || before.sa_handler != SIG_DFL) {
			continue;
		}
		ours.sa_handler = nothing_begun;
		ours.sa_flags = SA_ONSTACK | SA_RESTART;
		sigemptyset(&ours.sa_mask);
		sigaction(signals[i], &ours, 0);
	}
}
