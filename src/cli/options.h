/* SPDX-License-Identifier: MIT */
/*
 * The one table of subcommands and options. Parsing, --help, the man pages,
 * the shell completions and the echo of parameters in JSON all follow from it,
 * so a new option is one entry in options.c (and one in each command that takes
 * it, in commands.c).
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_option_id {
    CLI_NO_OPTION, /* ends lists of options */
    CLI_STATES,
    CLI_ACTIONS,
    CLI_BRANCHING,
    CLI_HORIZON,
    CLI_EPSILON,
    CLI_DELTA,
    CLI_K,
    CLI_TARGET,
    CLI_SLACK,
    CLI_KNOWN_HORIZON,
    CLI_STOP,
    CLI_COUNTS,
    CLI_SAMPLER,
    CLI_GRAPH,
    CLI_EXPLORE,
    CLI_CERTIFICATE,
    CLI_RUNS,
    CLI_ENV_TIMEOUT,
    CLI_WIDTH,
    CLI_MAX_STEPS,
    CLI_MAX_SECONDS,
    CLI_TRACE,
    CLI_CHECKPOINT,
    CLI_CHECKPOINT_SECONDS,
    CLI_RESUME,
    CLI_CONSTANTS,
    CLI_FROM,
    CLI_FROM_ANY,
    CLI_FORMULA,
    CLI_PROPERTY,
    CLI_PROPERTIES,
    CLI_AUTOMATON,
    CLI_MIN,
    CLI_PRECISION,
    CLI_THREADS,
    CLI_DOT_FILE,
    CLI_POLICY,
    CLI_EPISODES,
    CLI_STEPS,
    CLI_TRIAL_EPISODES,
    CLI_TRIAL_STEPS,
    CLI_DETERMINISTIC,
    CLI_TEST_STEPS,
    CLI_SEED,
    CLI_LITERAL,
    CLI_PMIN,
    CLI_PMIN_START,
    CLI_END_ACCEPTED,
    CLI_MAX_COMPONENT,
    CLI_MAX_WORK,
    CLI_TRANSLATION_WORK,
    CLI_SAMPLES,
    CLI_EXACT,
    CLI_FORMULAS,
    CLI_PRISM,
    CLI_SIMPLIFY,
    CLI_STYLE,
    CLI_KIND,
    CLI_ANY_KIND,
    CLI_ACCEPTANCE,
    CLI_STATE_BASED,
    CLI_COMPLETE,
    CLI_MAX_STATES,
    CLI_MODEL_STATES,
    CLI_ANY_STATES,
    CLI_MAX_MEMORY,
    CLI_DOT_LIMIT,
    CLI_DOT,
    CLI_TO,
    CLI_JSON,
    CLI_NO_TIMING,
    CLI_OUTPUT,
    CLI_FOLDER,
    CLI_FORCE,
    CLI_TITLE,
    CLI_QUIET,
    CLI_VERBOSE,
    CLI_NO_COLOR,
    CLI_HELP,
    CLI_VERSION,
    CLI_OPTION_COUNT
} cli_option_id;

typedef enum cli_type {
    CLI_FLAG,          /* takes no value */
    CLI_COUNT,         /* a whole number */
    CLI_NUMBER,        /* a decimal or a fraction */
    CLI_WORD,          /* one of the words */
    CLI_WORD_OR_COUNT, /* one of the words, or a whole number */
    CLI_TEXT,          /* any text, also an empty one */
    CLI_PATH           /* the name of a file */
} cli_type;

/* How a path is read. */
typedef enum cli_reads {
    CLI_READS_NOTHING,
    CLI_READS_STDIN, /* if it is -; else it is no file */
    CLI_READS_FILE,  /* - is standard input */
    CLI_READS_MODEL  /* or a simulator; with .lab and .sta beside a .tra */
} cli_reads;

/* The kind of file written to a path, which may replace its own kind without --force: outputs.h. */
typedef enum cli_file {
    CLI_FILE_NONE,
    CLI_FILE_RESULT, /* text or JSON */
    CLI_FILE_PAGE,
    CLI_FILE_TRACES, /* of simulate */
    CLI_FILE_TRACE,  /* of learn */
    CLI_FILE_POLICY,
    CLI_FILE_CERTIFICATE,
    CLI_FILE_CHECKPOINT,
    CLI_FILE_HOA,
    CLI_FILE_DOT,
    CLI_FILE_SVG,
    CLI_FILE_TRA,
    CLI_FILE_LAB,
    CLI_FILE_STA,
    CLI_FILE_DRN,
    CLI_FILE_FORMULAS,  /* any text may be some: never recognised */
    CLI_FILE_CONVERTED, /* what the suffix or --to says */
    CLI_FILE_FOLDER,    /* into which experiments are written */
    CLI_FILE_COUNT
} cli_file;

/* The values allowed for a number or a count; `high` may be infinity. */
typedef struct cli_range {
    double low, high;
    bool low_open, high_open; /* the bound itself is not allowed */
} cli_range;

enum {
    CLI_MOST_WORDS = 10
};

typedef struct cli_option {
    const char *name; /* behind the two dashes; NULL: there is only the letter */
    char letter;      /* behind one dash; '\0': there is only the name */
    cli_type type;
    const char *placeholder; /* how help calls the value */
    cli_range range;
    const char *words[CLI_MOST_WORDS]; /* ends with NULL */
    const char *fallback;              /* the value when the option is not given; NULL: none */
    bool repeatable;                   /* may be given several times; the values stay in order */
    cli_option_id needs;               /* says nothing without that one */
    cli_reads reads;                   /* of a CLI_PATH: it is read, */
    cli_file writes;                   /* or written; never neither */
    const char *key;                   /* in the JSON echo of parameters; NULL: not echoed */
    const char *count_key;             /* CLI_WORD_OR_COUNT: where a number is echoed */
    const char *help;
} cli_option;

extern const cli_option cli_options[CLI_OPTION_COUNT];

/* "--epsilon" or "-T": the option as one writes it, in a buffer of 32 characters. */
const char *cli_option_spelling(const cli_option *option, char *buffer);

/* Whether its path is that of a folder, DIR. */
bool cli_option_is_folder(const cli_option *option);

/* "deterministic or ldba", "any, buchi, rabin or parity": the words, in a buffer of 128. */
const char *cli_option_words(const cli_option *option, char *buffer);

/* "must lie strictly between 0 and 1", in a buffer of 96 characters. */
const char *cli_range_words(const cli_range *range, char *buffer);
bool cli_range_has(const cli_range *range, double value);

#endif
