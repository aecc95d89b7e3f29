/* SPDX-License-Identifier: MIT */
/*
 * The table of options. Parsing, --help, the man pages, the shell completions and the parameters in JSON
 * are generated from it and from the table of commands (commands.c). A new option is one entry in
 * options.def and one in each command that takes it.
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
    CLI_TEXT,          /* any text, possibly empty */
    CLI_PATH           /* a file name */
} cli_type;

/* How a path is read. */
typedef enum cli_reads {
    CLI_READS_NOTHING,
    CLI_READS_STDIN, /* standard input if it is -; otherwise not a path */
    CLI_READS_FILE,  /* a file; - is standard input */
    CLI_READS_MODEL  /* a model, with .lab and .sta beside a .tra, or a simulator */
} cli_reads;

/* The kind of file written to a path; it may replace a file of the same kind without --force (outputs.h). */
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
    CLI_FILE_FORMULAS,  /* never recognised, because any text may be one */
    CLI_FILE_CONVERTED, /* by the suffix or --to */
    CLI_FILE_COUNT
} cli_file;

/* The values allowed for a number or a count; `high` may be infinity. */
typedef struct cli_range {
    double low, high;
    bool low_open, high_open; /* the bound is excluded */
} cli_range;

enum {
    CLI_MAX_WORDS = 10
};

typedef struct cli_option {
    const char *name; /* after two dashes; NULL if there is only a letter */
    char letter;      /* after one dash; '\0' if there is only a name */
    cli_type type;
    const char *placeholder; /* for the value in help texts */
    cli_range range;
    const char *words[CLI_MAX_WORDS]; /* ends with NULL */
    const char *fallback;             /* the default value; NULL if there is none */
    bool repeatable;                  /* may be given several times; the order is kept */
    cli_option_id needs;              /* an option that it requires */
    cli_reads reads;                  /* for a CLI_PATH: how it is read, */
    cli_file writes;                  /* or what is written; one of the two is set */
    const char *key;                  /* in the JSON of parameters; NULL if it is omitted */
    const char *count_key;            /* CLI_WORD_OR_COUNT: key of a number */
    const char *help;
} cli_option;

extern const cli_option cli_options[CLI_OPTION_COUNT];

/* Writes "--epsilon" or "-T" into a buffer of 32 characters. */
const char *cli_option_spelling(const cli_option *option, char *buffer);

/* Writes the words, "any, buchi, rabin or parity", into a buffer of 128 characters. */
const char *cli_option_words(const cli_option *option, char *buffer);

/* Writes "must lie strictly between 0 and 1" into a buffer of 96 characters. */
const char *cli_range_words(const cli_range *range, char *buffer);
bool cli_range_has(const cli_range *range, double value);

#endif
