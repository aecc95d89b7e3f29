/* SPDX-License-Identifier: MIT */
/*
 * The one table of subcommands and options. Parsing, --help, the man pages,
 * the shell completions and the echo of parameters in JSON all follow from it,
 * so a new option is one entry in options.def (and one in each command that takes
 * it, in commands.c).
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_option_id {
    CLI_NO_OPTION, /* ends lists of options */
#define OPTION(id, ...) id,
#include "cli/options.def"
#undef OPTION
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

/* "deterministic or ldba", "any, buchi, rabin or parity": the words, in a buffer of 128. */
const char *cli_option_words(const cli_option *option, char *buffer);

/* "must lie strictly between 0 and 1", in a buffer of 96 characters. */
const char *cli_range_words(const cli_range *range, char *buffer);
bool cli_range_has(const cli_range *range, double value);

#endif
