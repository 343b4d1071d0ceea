// SPDX-License-Identifier: GPL-2.0-only
/*
 * llcctl: ask for cache-aware scheduling for a command or a process, or not to
 * have it, as taskset(1) does for CPUs. See llcctl.8.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* The headers may be older than the kernel. */
#ifndef PR_SCHED_CACHE
#define PR_SCHED_CACHE		0x53434143
#define PR_SCHED_CACHE_GET	0
#define PR_SCHED_CACHE_SET	1
#define PR_SCHED_CACHE_JOIN	2
#define PR_SCHED_CACHE_DEFAULT	0
#define PR_SCHED_CACHE_OFF	1
#define PR_SCHED_CACHE_ON	2
#endif

#define VERSION	"1.0"

enum {
	EXIT_USAGE = 2,
	/* As env(1) and the shells have it. */
	EXIT_CANNOT_EXEC = 126,
	EXIT_NOT_FOUND = 127,
};

static const char * const modes[] = {
	[PR_SCHED_CACHE_DEFAULT]	= "default",
	[PR_SCHED_CACHE_OFF]		= "off",
	[PR_SCHED_CACHE_ON]		= "on",
};

static const struct option options[] = {
	{ "default",	no_argument,		NULL, 'd' },
	{ "off",	no_argument,		NULL, 'f' },
	{ "on",		no_argument,		NULL, 'n' },
	{ "join",	required_argument,	NULL, 'j' },
	{ "pid",	required_argument,	NULL, 'p' },
	{ "help",	no_argument,		NULL, 'h' },
	{ "version",	no_argument,		NULL, 'V' },
	{ }
};

static void print_help(void)
{
	puts("usage: llcctl --off|--on|--default COMMAND [ARGUMENT...]\n"
	     "       llcctl -p PID [--off|--on|--default|--join OTHER]\n"
	     "\n"
	     "Ask for cache-aware scheduling of a process, or not to have it.\n"
	     "\n"
	     "  --off       leave it alone\n"
	     "  --on        keep it together, however many threads and bytes it has\n"
	     "  --default   as its cgroup says, or llc_enabled\n"
	     "  --join      keep it together with the process OTHER; OTHER=PID undoes it\n"
	     "  -p, --pid   a running process; without a mode, print the one it has\n"
	     "  --help, --version\n"
	     "\n"
	     "A command has the mode from its start, and so do its children.");
}

static int usage(const char *text)
{
	fprintf(stderr, "llcctl: %s; see llcctl --help\n", text);
	return EXIT_USAGE;
}

static int end_output(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_SUCCESS;
	perror("llcctl");
	return EXIT_FAILURE;
}

/* What is to be done about an error of prctl() on @pid, 0 for a command. */
static int fail(pid_t pid)
{
	const char *why = strerror(errno);

	if (errno == EINVAL)
		why = "this kernel has no CONFIG_SCHED_CACHE";
	if (pid)
		fprintf(stderr, "llcctl: process %d: %s\n", pid, why);
	else
		fprintf(stderr, "llcctl: %s\n", why);
	return EXIT_FAILURE;
}

static int set(pid_t pid, int mode)
{
	if (prctl(PR_SCHED_CACHE, PR_SCHED_CACHE_SET, (unsigned long)pid,
		  (unsigned long)mode, 0UL))
		return fail(pid);
	return EXIT_SUCCESS;
}

static int join(pid_t pid, pid_t other)
{
	if (!prctl(PR_SCHED_CACHE, PR_SCHED_CACHE_JOIN, (unsigned long)pid,
		   (unsigned long)other, 0UL))
		return EXIT_SUCCESS;
	if (errno == EINVAL)
		return fail(pid);
	/* Of which of the two it is said, errno does not say. */
	fprintf(stderr, "llcctl: process %d or %d: %s\n", pid, other, strerror(errno));
	return EXIT_FAILURE;
}

static int print(pid_t pid)
{
	int mode = prctl(PR_SCHED_CACHE, PR_SCHED_CACHE_GET, (unsigned long)pid,
			 0UL, 0UL);

	if (mode < 0)
		return fail(pid);
	printf("process %d: %s\n", pid, modes[mode]);
	return end_output();
}

static int run(int mode, char **command)
{
	int status = set(0, mode);

	if (status)
		return status;
	execvp(command[0], command);
	status = errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXEC;
	fprintf(stderr, "llcctl: %s: %s\n", command[0], strerror(errno));
	return status;
}

/* Return: 0 if @text is no process. */
static pid_t pid_of(const char *text)
{
	char *end;
	long pid;

	errno = 0;
	pid = strtol(text, &end, 10);
	return errno || *end || end == text || pid < 1 || pid > INT_MAX ? 0 : pid;
}

int main(int argc, char **argv)
{
	int c, mode = -1;
	pid_t pid = 0, other = 0;

	/* What follows the command is the command's. */
	while ((c = getopt_long(argc, argv, "+p:hV", options, NULL)) != -1) {
		switch (c) {
		case 'd':
		case 'f':
		case 'n':
			if (mode >= 0)
				return usage("more than one mode");
			mode = c == 'd' ? PR_SCHED_CACHE_DEFAULT :
			       c == 'f' ? PR_SCHED_CACHE_OFF : PR_SCHED_CACHE_ON;
			break;
		case 'p':
			if (pid)
				return usage("more than one process");
			pid = pid_of(optarg);
			if (!pid)
				return usage("-p takes the number of a process");
			break;
		case 'j':
			if (other)
				return usage("more than one process to join");
			other = pid_of(optarg);
			if (!other)
				return usage("--join takes the number of a process");
			break;
		case 'h':
			print_help();
			return end_output();
		case 'V':
			puts("llcctl " VERSION);
			return end_output();
		default:
			fputs("see llcctl --help\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (pid && optind < argc)
		return usage("either a process or a command");
	if (other && (!pid || mode >= 0))
		return usage("--join goes with -p only");
	if (other)
		return join(pid, other);
	if (pid)
		return mode < 0 ? print(pid) : set(pid, mode);
	if (mode < 0)
		return usage("no mode");
	if (optind == argc)
		return usage("no command");
	return run(mode, argv + optind);
}
