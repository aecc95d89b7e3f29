/* SPDX-License-Identifier: MIT */
/* The subcommands: what each is called, takes, says of itself and runs. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* Exit statuses, as promised to scripts. */
typedef enum cli_exit {
    CLI_EXIT_DONE = 0,         /* the stated guarantee holds, or all properties are true */
    CLI_EXIT_FALSE = 1,        /* some property is false */
    CLI_EXIT_USAGE = 2,        /* usage or input error */
    CLI_EXIT_UNGUARANTEED = 3, /* finished without the guarantee */
    CLI_EXIT_SIMULATOR = 4,    /* the simulator failed */
    CLI_EXIT_RESOURCE = 5,     /* out of a resource: memory, disk, a stated limit */
    CLI_EXIT_HANGUP = 129,     /* stopped by SIGHUP: its terminal was closed */
    CLI_EXIT_INTERRUPT = 130,  /* stopped by SIGINT: Ctrl-C */
    CLI_EXIT_TERMINATE = 143   /* stopped by SIGTERM */
} cli_exit;

/* An option as one command takes it. */
typedef struct cli_option_use {
    cli_option_id option;
    bool required;
    const char *help; /* NULL: the option's own */
} cli_option_use;

/* The kind of file that an option writes in one command, where it differs from the others. */
typedef struct cli_written {
    cli_option_id option;
    cli_file file;
} cli_written;

/* What a command takes besides options, by its place. */
typedef struct cli_operand {
    const char *name; /* how usage and messages call it: "IN" */
    cli_type type;    /* CLI_TEXT or CLI_PATH */
    const char *help;
    cli_reads reads; /* as in cli_option */
    cli_file writes; /* likewise */
    bool required;   /* those that are come first */
    bool repeated;   /* one or more; only the last one may be */
} cli_operand;

enum {
    CLI_MOST_USES = 64,
    CLI_MOST_EXAMPLES = 8,
    CLI_MOST_OPERANDS = 4,
    CLI_MOST_GROUPS = 8,
    CLI_MOST_CHOICES = 8
};

/* Options of which one is given: exactly one, at most one, or one at least. */
typedef struct cli_group {
    cli_option_id options[CLI_MOST_CHOICES]; /* ends with CLI_NO_OPTION; empty: no group */
    bool required;                           /* exactly one */
    bool with_operand;                       /* the first operand is a choice, too */
    bool several;                            /* more than one is for the command to judge */
} cli_group;

typedef struct cli_example {
    const char *purpose;
    const char *line; /* without the program's name */
} cli_example;

struct cli_arguments;

typedef struct cli_command {
    const char *name;                        /* of one word, or of two: "env check" */
    const char *summary;                     /* half a line, lower case, no full stop */
    const char *description;                 /* paragraphs, separated by empty lines */
    cli_operand operands[CLI_MOST_OPERANDS]; /* ends with a name that is NULL */
    cli_option_use uses[CLI_MOST_USES];      /* ends with CLI_NO_OPTION */
    cli_group groups[CLI_MOST_GROUPS];       /* ends with an empty one */
    cli_written written[2];                  /* ends with CLI_NO_OPTION */
    bool one_objective;                      /* --formula and --automaton are given once */
    cli_example examples[CLI_MOST_EXAMPLES]; /* ends with a line that is NULL */
    cli_exit (*run)(const struct cli_arguments *arguments);
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;

/* NULL when there is none of that name. */
const cli_command *cli_command_find(const char *name);
/* By the words of a command line, of which it takes *used; NULL: they begin with none. */
const cli_command *cli_command_match(int count, char *const *words, int *used);
/* The first of the commands of two words that begin with this one; NULL: there is none. */
const cli_command *cli_command_of_family(const char *word);
/* The name with "-" between its words, in a buffer of 64 characters. */
const char *cli_command_hyphened(const cli_command *command, char *buffer);
/* NULL when the command does not take the option. */
const cli_option_use *cli_command_use(const cli_command *command, cli_option_id option);
/* The group that an option is in, or (with CLI_NO_OPTION) the first operand; NULL: none. */
const cli_group *cli_command_group(const cli_command *command, cli_option_id option);
/* Whether the option may be given several times. */
bool cli_command_repeats(const cli_command *command, cli_option_id option);
/* The kind of file that an option writes in a command; CLI_FILE_NONE: none. */
cli_file cli_command_writes(const cli_command *command, cli_option_id option);
/* The help text of an option in a command. */
const char *cli_use_help(const cli_option_use *use);

/* What the exit statuses mean, for help and man page; ends with {0, NULL}. */
typedef struct cli_exit_meaning {
    int status;
    const char *meaning;
} cli_exit_meaning;
extern const cli_exit_meaning cli_exit_meanings[];

/* One function a subcommand, in a file of its name. */
cli_exit cli_run_bound(const struct cli_arguments *arguments);
cli_exit cli_run_check(const struct cli_arguments *arguments);
cli_exit cli_run_convert(const struct cli_arguments *arguments);
cli_exit cli_run_env_check(const struct cli_arguments *arguments);
cli_exit cli_run_estimate(const struct cli_arguments *arguments);
cli_exit cli_run_evaluate(const struct cli_arguments *arguments);

cli_exit cli_run_info(const struct cli_arguments *arguments);
cli_exit cli_run_learn(const struct cli_arguments *arguments);
cli_exit cli_run_recurrence(const struct cli_arguments *arguments);
cli_exit cli_run_report(const struct cli_arguments *arguments);
cli_exit cli_run_simulate(const struct cli_arguments *arguments);
cli_exit cli_run_translate(const struct cli_arguments *arguments);
cli_exit cli_run_verify(const struct cli_arguments *arguments);

#endif
