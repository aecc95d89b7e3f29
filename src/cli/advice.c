/* SPDX-License-Identifier: MIT */
/* Adds to an error of the library the option that sets the parameter in question. */
#include <stdio.h>
#include <string.h>

#include "cli/result.h"

typedef struct advice {
    const char *parameter; /* the parameter of the opac_error */
    cli_option_id option;  /* the advice is given only if the command takes this option */
    const char *text;      /* text to append; NULL: "; --option allows more" */
} advice;

static const advice table[] = {
    {"max_states", CLI_MODEL_STATES, NULL},
    {"max_states", CLI_ANY_STATES, NULL},
    {"state_limit", CLI_MAX_STATES, NULL},
    {"state_limit", CLI_ANY_STATES, NULL},
    {"work_limit", CLI_TRANSLATION_WORK, NULL},
    {"max_memory", CLI_MAX_MEMORY, NULL},
    {"max_seconds", CLI_MAX_SECONDS, "; --max-seconds allows more"},
    {"dot_limit", CLI_DOT_LIMIT, NULL},
    {"timeout", CLI_ENV_TIMEOUT, CLI_ADVICE_TIMEOUT},
    {"k", CLI_K, ": give a number for --k"},
    {"states k", CLI_STATES, ": give --states, or a number for --k"},
    {"actions k", CLI_ACTIONS, ": give --actions, or a number for --k"},
    {"states actions k", CLI_STATES, ": give --states and --actions, or a number for --k"},
    {"nothing_known", CLI_KNOWN_HORIZON, ": give -T, --pmin or --graph"},
    {"results", CLI_TITLE, ": give a file written with --json"},
    {"trial_steps", CLI_TEST_STEPS, "; a larger --trial-steps extends the trial"},
    {"trial_steps deterministic", CLI_TEST_STEPS, " (--trial-steps N, --deterministic)"},
};

/* Returns NULL if this command has no option for the parameter. */
static const advice *find(const cli_command *command, const char *parameter)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].parameter, parameter) == 0 &&
            cli_command_use(command, table[i].option) != NULL)
            return &table[i];
    return NULL;
}

/* "give it with p=..." becomes "give it with -D p=...". */
static void insert_letter(opac_error *error)
{
    static const char joint[] = ": give ", with[] = " with ";
    const char *found = strstr(error->message, joint);
    found = found != NULL ? strstr(found, with) : NULL;
    if (found == NULL)
        return;
    opac_error given = *error;
    size_t before = (size_t)(found - error->message) + strlen(with);
    snprintf(error->message, sizeof error->message, "%.*s-D %s", (int)before, given.message,
             given.message + before);
}

/* The option of a command that sets a parameter, by its key in results; NULL if there is none. */
static const cli_option *option_of(const cli_command *command, const char *parameter)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        const char *key = cli_options[use->option].key;
        if (key != NULL && strcmp(key, parameter) == 0)
            return &cli_options[use->option];
    }
    return NULL;
}

/* "target must be ..." becomes "--target must be ...". */
static void spell_first_word(const cli_command *command, opac_error *error)
{
    char spelling[32];
    size_t length = strlen(error->parameter);
    const cli_option *option = option_of(command, error->parameter);
    if (option == NULL || strncmp(error->message, error->parameter, length) != 0 ||
        strncmp(error->message + length, " must ", strlen(" must ")) != 0)
        return;
    memmove(error->message, error->message + length, strlen(error->message + length) + 1);
    cli_prepend(error, cli_option_spelling(option, spelling));
}

void cli_advise(const cli_command *command, opac_error *error)
{
    char spelling[32];
    if (command == NULL || error->parameter == NULL)
        return;
    const advice *found = find(command, error->parameter);
    if (strcmp(error->parameter, "constants") == 0)
        insert_letter(error);
    else if (found != NULL && found->text != NULL)
        cli_append(error, found->text);
    else if (found != NULL && error->code == OPAC_ERROR_LIMIT) {
        cli_append(error, "; ");
        cli_append(error, cli_option_spelling(&cli_options[found->option], spelling));
        cli_append(error, " allows more");
    } else {
        spell_first_word(command, error);
    }
    error->parameter = NULL; /* do not advise twice */
}
