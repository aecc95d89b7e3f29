/* SPDX-License-Identifier: MIT */
/* The table of subcommands: their names, options, help texts and functions. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* Exit statuses; part of the interface. */
typedef enum cli_exit {
    CLI_EXIT_DONE = 0,         /* success: the guarantee holds, all properties are true, yes */
    CLI_EXIT_FALSE = 1,        /* a property is false, or the answer to --at-least is no */
    CLI_EXIT_USAGE = 2,        /* usage or input error */
    CLI_EXIT_UNGUARANTEED = 3, /* finished without the guarantee */
    CLI_EXIT_SIMULATOR = 4,    /* the simulator failed */
    CLI_EXIT_RESOURCE = 5,     /* a resource is exhausted: memory, disk, a limit that was set */
    CLI_EXIT_HANGUP = 129,     /* stopped by SIGHUP: the terminal was closed */
    CLI_EXIT_INTERRUPT = 130,  /* stopped by SIGINT: Ctrl-C */
    CLI_EXIT_TERMINATE = 143   /* stopped by SIGTERM */
} cli_exit;

/* An option of a command. */
typedef struct cli_option_use {
    cli_option_id option;
    bool required;
    const char *help; /* NULL for the help text of the option */
} cli_option_use;

/* The kind of file that an option writes in this command, if it differs from the default of the option. */
typedef struct cli_written {
    cli_option_id option;
    cli_file file;
} cli_written;

/* A positional argument of a command. */
typedef struct cli_operand {
    const char *name; /* in usage and messages: "IN" */
    cli_type type;    /* CLI_TEXT or CLI_PATH */
    const char *help;
    cli_reads reads; /* as in cli_option */
    cli_file writes; /* likewise */
    bool required;   /* required operands come first */
    bool repeated;   /* given once or more; only for the last operand */
} cli_operand;

enum {
    CLI_MAX_USES = 64,
    CLI_MAX_EXAMPLES = 8,
    CLI_MAX_OPERANDS = 4,
    CLI_MAX_GROUPS = 8,
    CLI_MAX_CHOICES = 8
};

/* A group of options: exactly one, at most one, or at least one must be given. */
typedef struct cli_group {
    cli_option_id options[CLI_MAX_CHOICES]; /* ends with CLI_NO_OPTION; empty for no group */
    bool required;                          /* one must be given */
    bool with_operand;                      /* the first operand is also a choice */
    bool several;                           /* the command checks whether several may be given */
} cli_group;

typedef struct cli_example {
    const char *purpose;
    const char *line; /* without the program's name */
} cli_example;

struct cli_arguments;

typedef struct cli_command {
    const char *name;                       /* of one word, or of two: "env check" */
    const char *summary;                    /* one line, lower case, without a full stop */
    const char *description;                /* paragraphs, separated by empty lines */
    cli_operand operands[CLI_MAX_OPERANDS]; /* ends with a name that is NULL */
    cli_option_use uses[CLI_MAX_USES];      /* ends with CLI_NO_OPTION */
    cli_group groups[CLI_MAX_GROUPS];       /* ends with an empty one */
    cli_written written[2];                 /* ends with CLI_NO_OPTION */
    bool one_objective;                     /* --formula and --automaton may be given once */
    cli_example examples[CLI_MAX_EXAMPLES]; /* ends with a line that is NULL */
    cli_exit (*run)(const struct cli_arguments *arguments);
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;

/* The command with this name; NULL if there is none. */
const cli_command *cli_command_find(const char *name);
/* The command at the beginning of a command line, which has *used words; NULL if there is none. */
const cli_command *cli_command_match(int count, char *const *words, int *used);
/* The first command of two words that begins with this word; NULL if there is none. */
const cli_command *cli_command_of_family(const char *word);
/* Writes the name with "-" between its words into a buffer of 64 characters. */
const char *cli_command_hyphened(const cli_command *command, char *buffer);
/* The option of a command; NULL if the command does not take it. */
const cli_option_use *cli_command_use(const cli_command *command, cli_option_id option);
/* The group of an option or, for CLI_NO_OPTION, of the first operand; NULL if there is none. */
const cli_group *cli_command_group(const cli_command *command, cli_option_id option);
/* Whether an option may be given several times. */
bool cli_command_repeats(const cli_command *command, cli_option_id option);
/* The kind of file that an option writes in a command; CLI_FILE_NONE if it writes none. */
cli_file cli_command_writes(const cli_command *command, cli_option_id option);
/* The help text of an option in a command. */
const char *cli_use_help(const cli_option_use *use);

/* Descriptions of the exit statuses, for the man pages; ends with {0, NULL}. */
typedef struct cli_exit_meaning {
    int status;
    const char *meaning;
} cli_exit_meaning;
extern const cli_exit_meaning cli_exit_meanings[];

/* One function per subcommand, in command_NAME.c. */
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
