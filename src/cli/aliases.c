/* SPDX-License-Identifier: MIT */
/* Suggests options for the spellings of other tools, such as PRISM and Storm. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments.h"

enum {
    MAX_OPTIONS = 3
};

static const struct {
    const char *alias;                  /* without dashes, in lower case */
    cli_option_id options[MAX_OPTIONS]; /* suggests the first one that the command has */
    bool takes_one;                     /* both the alias and the option take a value */
} aliases[] = {
    {"const", {CLI_CONSTANTS}, true},
    {"constant", {CLI_CONSTANTS}, true},
    {"constants", {CLI_CONSTANTS}, true},
    {"max-time", {CLI_MAX_SECONDS}, true},
    {"maxtime", {CLI_MAX_SECONDS}, true},
    {"time", {CLI_MAX_SECONDS}, true},
    {"time-limit", {CLI_MAX_SECONDS}, true},
    {"timelimit", {CLI_MAX_SECONDS}, true},
    {"timeout", {CLI_MAX_SECONDS}, true},
    {"seconds", {CLI_MAX_SECONDS}, true},
    {"prop", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"props", {CLI_PROPERTIES}, true},
    {"pf", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"pctl", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"csl", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"query", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"property", {CLI_PROPERTY, CLI_FORMULA}, false},
    {"formula", {CLI_FORMULA}, true},
    {"ltl", {CLI_FORMULA}, true},
    {"spec", {CLI_FORMULA}, true},
    {"objective", {CLI_FORMULA}, true},
    {"hoa", {CLI_AUTOMATON}, true},
    {"eps", {CLI_EPSILON, CLI_PRECISION}, true},
    {"epsilon", {CLI_PRECISION}, true},
    {"tolerance", {CLI_PRECISION, CLI_EPSILON}, true},
    {"prob", {CLI_PMIN, CLI_PROPERTY}, false},
    {"probability", {CLI_PMIN, CLI_PROPERTY}, false},
    {"min-prob", {CLI_PMIN}, true},
    {"minprob", {CLI_PMIN}, true},
    {"p-min", {CLI_PMIN}, true},
    {"confidence", {CLI_DELTA}, false},
    {"conf", {CLI_DELTA}, false},
    {"exportstrat", {CLI_POLICY}, true},
    {"exportadv", {CLI_POLICY}, true},
    {"exportscheduler", {CLI_POLICY}, true},
    {"export-scheduler", {CLI_POLICY}, true},
    {"strategy", {CLI_POLICY}, true},
    {"scheduler", {CLI_POLICY}, true},
    {"horizon", {CLI_HORIZON, CLI_STEPS}, true},
    {"simpathlen", {CLI_STEPS, CLI_HORIZON}, true},
    {"simsamples", {CLI_SAMPLES, CLI_EPISODES}, true},
    {"maxiters", {CLI_MAX_STEPS, CLI_MAX_WORK}, true},
    {"max-iters", {CLI_MAX_STEPS, CLI_MAX_WORK}, true},
    {"memory", {CLI_MAX_MEMORY}, true},
    {"max-mem", {CLI_MAX_MEMORY}, true},
    {"javamaxmem", {CLI_MAX_MEMORY}, false},
    {"cuddmaxmem", {CLI_MAX_MEMORY}, false},
    {"jobs", {CLI_THREADS}, true},
    {"cores", {CLI_THREADS}, true},
    {"out", {CLI_OUTPUT}, true},
    {"silent", {CLI_QUIET}, false},
    {"debug", {CLI_VERBOSE}, false},
};

/* Options of other tools without a counterpart, with the advice to give. */
static const struct {
    const char *alias, *instead;
} others[] = {
    {"prism", "give the model file as an argument, without an option"},
    {"jani", "JANI models are not supported; use PRISM, .tra or .drn files"},
    {"explicit", "give the .tra file as an argument, without an option"},
    {"explicit-drn", "give the .drn file as an argument, without an option"},
    {"importtrans", "give the .tra file as an argument, without an option"},
    {"importmodel", "give the .tra file as an argument, without an option"},
    {"exporttrans", "use omegapac convert to write models"},
    {"exportmodel", "use omegapac convert to write models"},
    {"exportlabels", "use omegapac convert to write models"},
    {"sim", "use omegapac estimate to sample Markov chains"},
};

static bool has_option(const cli_command *command, cli_option_id option)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->option == option)
            return true;
    return false;
}

/* Whether a value can be suggested as it is typed: it is short and needs no quoting in a shell. */
static bool is_plain(const char *value)
{
    enum {
        LONGEST = 24
    };
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,=/+";
    size_t length = strspn(value, plain);
    return length > 0 && length <= LONGEST && value[length] == '\0';
}

/* "; did you mean -D N=3?" */
static cli_piece suggest(cli_option_id option, const char *value)
{
    cli_piece piece = {""};
    char spelling[32], letter[3] = {'-', cli_options[option].letter, '\0'};
    cli_option_spelling(&cli_options[option], spelling);
    if (value != NULL && is_plain(value))
        snprintf(piece.text, sizeof piece.text, "; did you mean %.16s %.24s?",
                 letter[1] != '\0' ? letter : spelling, value);
    else
        snprintf(piece.text, sizeof piece.text, "; did you mean %.31s?", spelling);
    return piece;
}

cli_piece cli_suggest_alias(const cli_command *command, const char *word, const char *next)
{
    cli_piece piece = {""};
    char alias[24];
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : next;
    if (length >= sizeof alias)
        return piece;
    snprintf(alias, sizeof alias, "%.*s", (int)length, name);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        for (size_t k = 0; strcmp(aliases[i].alias, alias) == 0 && k < MAX_OPTIONS; k++)
            if (aliases[i].options[k] != CLI_NO_OPTION &&
                has_option(command, aliases[i].options[k]))
                return suggest(aliases[i].options[k], aliases[i].takes_one ? value : NULL);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].alias, alias) == 0)
            snprintf(piece.text, sizeof piece.text, ": %s", others[i].instead);
    return piece;
}
