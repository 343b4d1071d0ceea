// SPDX-License-Identifier: GPL-2.0-only
/*
 * llctop, see llctop.8: the arguments. What is wrong with them is said in one
 * line, and the exit status is 2.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llctop.h"
#include "options.h"

#define MIN_DELAY	0.1
#define MAX_DELAY	3600.0
#define MAX_COUNT	1000000
#define MIN_LOOK	0.001
#define MAX_LOOK	10.0

static const char usage[] =
	"usage: llctop [OPTION]...\n"
	"       llctop record [-o FILE.svg] [--compare] COMMAND [ARGUMENT]...\n"
	"Show where threads run on a machine with several last-level caches (LLCs).\n"
	"\n"
	"      --once           print a table and end; so does an output that is no\n"
	"                       terminal\n"
	"      --json           print a JSON document and end\n"
	"  -d, --delay SECONDS  interval, 0.1 to 3600 (2; with --once and --json 1)\n"
	"  -n, --count COUNT    end after so many intervals\n"
	"  -p, --pid PID,...    only these processes, even with one thread\n"
	"  -t, --threads        their threads, too\n"
	"      --sort COLUMN    pid, user, threads, cpu, home, home%, moves, state,\n"
	"                       reason, share or command (cpu); -COLUMN is reverse\n"
	"      --filter TEXT    only processes with TEXT in command, user or PID\n"
	"  -h, --help           print this\n"
	"  -V, --version        print the version\n"
	"\n"
	"record runs a command and draws on which LLC its threads ran:\n"
	"  -o FILE.svg          where (llctop.svg)\n"
	"  -c, --compare        run it twice, cache-aware scheduling off, then on\n"
	"  -i, --interval SECONDS  between two looks, 0.001 to 10 (0.01)\n";

__attribute__((noreturn, format(printf, 1, 2)))
static void bad_usage(const char *format, ...)
{
	va_list args;

	fputs("llctop: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; see llctop --help\n", stderr);
	exit(EXIT_USAGE);
}

static void help(void)
{
	fputs(usage, stdout);
	exit(fflush(stdout) ? EXIT_FAILED : EXIT_SUCCESS);
}

static void version(void)
{
	puts("llctop " LLCTOP_VERSION);
	exit(fflush(stdout) ? EXIT_FAILED : EXIT_SUCCESS);
}

bool parse_seconds(const char *text, double least, double most, double *value)
{
	char *end;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	*value = strtod(text, &end);
	return !*end && end > text && isfinite(*value) && *value >= least &&
	       *value <= most;
}

bool parse_count(const char *text, int *value)
{
	char *end;
	long number;

	if (!isdigit((unsigned char)*text))
		return false;
	number = strtol(text, &end, 10);
	*value = number;
	return !*end && number >= 1 && number <= MAX_COUNT;
}

/* Returns how many there are, or -1 if @text is no list of PIDs. */
int parse_pids(const char *text, int **pids)
{
	int count = 0;
	char *end;
	long pid;

	*pids = NULL;
	do {
		pid = isdigit((unsigned char)*text) ?
		      strtol(text, &end, 10) : 0;
		if (pid < 1 || pid > INT_MAX || (*end && *end != ',')) {
			free(*pids);
			*pids = NULL;
			return -1;
		}
		*pids = must_grow(*pids, count + 1, sizeof(int));
		(*pids)[count++] = pid;
		text = end + 1;
	} while (*end);
	return count;
}

static void set_sort(struct order *order, const char *key)
{
	int column;

	order->reverse = *key == '-';
	column = column_find(key + order->reverse);
	if (column < 0)
		bad_usage("no column '%s' to sort by", key);
	order->by = column;
}

static void set_pids(struct options *options, const char *list)
{
	if (options->pids)
		bad_usage("-p is given twice; PIDs are a list: 1,2");
	options->nr_pids = parse_pids(list, &options->pids);
	if (options->nr_pids < 0)
		bad_usage("'%s' is no list of PIDs", list);
}

static void set_filter(struct order *order, const char *filter)
{
	if (strlen(filter) >= sizeof(order->filter))
		bad_usage("the filter is longer than %zu characters",
			  sizeof(order->filter) - 1);
	snprintf(order->filter, sizeof(order->filter), "%s", filter);
}

static void set_output(struct options *options, enum output output)
{
	if (options->output != OUTPUT_SCREEN && options->output != output)
		bad_usage("--once and --json exclude each other");
	options->output = output;
}

/* getopt's own words, in our form; @argv is at what it did not understand. */
static void not_understood(int option, char **argv)
{
	const char *word = argv[optind - 1];
	char letter[] = { '-', optopt, '\0' };

	if (optopt && optopt < 256 && isprint(optopt) &&
	    strncmp(word, "--", 2))
		word = letter;
	if (option == ':')
		bad_usage("%s needs a value", word);
	bad_usage("%s '%s'", optopt > 255 || strchr(word, '=') ?
		  "no value is wanted by" : "unknown or ambiguous option",
		  word);
}

/* The options of the table; @terminal says whether a screen makes sense. */
void options_parse(struct options *options, int argc, char **argv,
		   bool terminal)
{
	static const struct option names[] = {
		{ "once",    no_argument,	NULL, 'O' },
		{ "json",    no_argument,	NULL, 'J' },
		{ "delay",   required_argument,	NULL, 'd' },
		{ "count",   required_argument,	NULL, 'n' },
		{ "pid",     required_argument,	NULL, 'p' },
		{ "threads", no_argument,	NULL, 't' },
		{ "sort",    required_argument,	NULL, 's' },
		{ "filter",  required_argument,	NULL, 'f' },
		{ "help",    no_argument,	NULL, 'h' },
		{ "version", no_argument,	NULL, 'V' },
		{}
	};
	int option;

	memset(options, 0, sizeof(*options));
	options->order.by = COLUMN_CPU;
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":d:n:p:thV", names, NULL)) != -1) {
		switch (option) {
		case 'O':
			set_output(options, OUTPUT_ONCE);
			break;
		case 'J':
			set_output(options, OUTPUT_JSON);
			break;
		case 'd':
			if (!parse_seconds(optarg, MIN_DELAY, MAX_DELAY,
					   &options->delay))
				bad_usage("'%s' is no number of seconds from 0.1 to 3600",
					  optarg);
			break;
		case 'n':
			if (!parse_count(optarg, &options->count))
				bad_usage("'%s' is no number from 1 to %d",
					  optarg, MAX_COUNT);
			break;
		case 'p':
			set_pids(options, optarg);
			break;
		case 't':
			options->threads = true;
			break;
		case 's':
			set_sort(&options->order, optarg);
			break;
		case 'f':
			set_filter(&options->order, optarg);
			break;
		case 'h':
			help();
			break;
		case 'V':
			version();
			break;
		default:
			not_understood(option, argv);
		}
	}
	if (optind < argc)
		bad_usage("'%s' is no option", argv[optind]);
	if (options->output == OUTPUT_SCREEN && !terminal)
		options->output = OUTPUT_ONCE;
	if (options->output != OUTPUT_SCREEN && !options->count)
		options->count = 1;
	if (!options->delay)
		options->delay = options->output == OUTPUT_SCREEN ? 2 : 1;
}

/* The options of record; argv[0] is "record". */
void options_parse_record(struct record_options *options, int argc,
			  char **argv)
{
	static const struct option names[] = {
		{ "output",   required_argument, NULL, 'o' },
		{ "compare",  no_argument,	 NULL, 'c' },
		{ "interval", required_argument, NULL, 'i' },
		{ "help",     no_argument,	 NULL, 'h' },
		{}
	};
	int option;

	memset(options, 0, sizeof(*options));
	options->file = "llctop.svg";
	options->interval = 0.01;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+:o:ci:h", names, NULL)) != -1) {
		switch (option) {
		case 'o':
			if (!optarg[0])
				bad_usage("-o needs the name of a file");
			options->file = optarg;
			break;
		case 'c':
			options->compare = true;
			break;
		case 'i':
			if (!parse_seconds(optarg, MIN_LOOK, MAX_LOOK,
					   &options->interval))
				bad_usage("'%s' is no number of seconds from 0.001 to 10",
					  optarg);
			break;
		case 'h':
			help();
			break;
		default:
			not_understood(option, argv);
		}
	}
	if (optind == argc)
		bad_usage("record needs a command");
	options->command = argv + optind;
}
