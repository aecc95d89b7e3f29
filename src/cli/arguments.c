/* SPDX-License-Identifier: MIT */
/*
 * Parses a command line by the table of options. The same walk over the words serves the parser, which
 * checks every word, and later queries for all values of a repeatable option: no values are copied, so
 * their number is not limited.
 */
#include "cli/arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const cli_option_use *find_by_name(const cli_command *command, const char *name,
                                          size_t length)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        const char *candidate = cli_options[use->option].name;
        if (candidate != NULL && strlen(candidate) == length &&
            memcmp(candidate, name, length) == 0)
            return use;
    }
    return NULL;
}

static const cli_option_use *find_by_letter(const cli_command *command, char letter)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (cli_options[use->option].letter == letter)
            return use;
    return NULL;
}

/* The option that a word names, with or without an attached value; NULL if there is none. */
static const cli_option_use *find_option(const cli_command *command, const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return NULL;
    if (word[1] != '-')
        return find_by_letter(command, word[1]);
    return find_by_name(command, word + 2, strcspn(word + 2, "="));
}

/* -3 and -.5 are numbers: no option begins with a digit (the test cli.table checks this). */
static bool looks_like_option(const char *word)
{
    const char *rest = word + 1;
    if (word[0] != '-' || *rest == '\0')
        return false;
    rest += *rest == '.';
    return !isdigit((unsigned char)*rest);
}

/* ---- the walk ---- */

/* An option with its value, or an operand: then `use` is NULL. */
typedef struct item {
    const cli_option_use *use;
    const char *text; /* NULL at the end of the words */
} item;

/* The value of an option: the attached one, or the next word. Returns NULL on an error. */
static const char *find_value(const cli_arguments *arguments, cli_walk *walk,
                              const cli_option *option, const char *attached, opac_error *error)
{
    char name[32];
    cli_option_spelling(option, name);
    if (option->type == CLI_FLAG && attached != NULL) {
        cli_fail(error, "%s takes no value", name);
        return NULL;
    }
    if (option->type == CLI_FLAG)
        return "";
    if (attached != NULL)
        return attached;
    const char *next = walk->at < arguments->count ? arguments->words[walk->at] : "--";
    if (strcmp(next, "--") == 0 || find_option(arguments->command, next) != NULL) {
        cli_fail(error, "%s requires a value: %s %s", name, name, option->placeholder);
        return NULL;
    }
    walk->at++;
    return next;
}

/* The text after "=" for a name, or after the letter; NULL if no value is attached. */
static const char *attached_value(const char *word)
{
    if (word[1] != '-')
        return word[2] != '\0' ? word + 2 : NULL;
    const char *equals = strchr(word, '=');
    return equals != NULL ? equals + 1 : NULL;
}

/* If no option is similar and the command has operands, the word may be meant as an operand. */
static opac_status fail_unknown(const cli_command *command, const char *word, const char *next,
                                opac_error *error)
{
    cli_piece suggestion = cli_suggest_alias(command, word, next);
    if (suggestion.text[0] == '\0')
        suggestion = cli_suggest_option(command, word);
    const char *operand = command->operands[0].name;
    if (suggestion.text[0] != '\0' || operand == NULL)
        return cli_fail(error, "unknown option %s%s", cli_quote(word).text, suggestion.text);
    return cli_fail(error,
                    "unknown option %s; write -- before an argument that begins with -, as in: "
                    "-- %s",
                    cli_quote(word).text, operand);
}

/* "-prop", "-formula": an option of another tool with one dash, not a letter with an attached value. */
static bool is_alias(const cli_command *command, const char *word)
{
    return word[1] != '-' && word[2] != '\0' && strchr(word, '=') == NULL &&
           cli_suggest_alias(command, word, NULL).text[0] != '\0';
}

static opac_status walk_option(const cli_arguments *arguments, cli_walk *walk, const char *word,
                               item *found, opac_error *error)
{
    const char *next = walk->at < arguments->count ? arguments->words[walk->at] : NULL;
    found->use = find_option(arguments->command, word);
    if (found->use == NULL || is_alias(arguments->command, word))
        return fail_unknown(arguments->command, word, next, error);
    found->text =
        find_value(arguments, walk, &cli_options[found->use->option], attached_value(word), error);
    return found->text != NULL ? OPAC_OK : OPAC_ERROR_ARGUMENT;
}

static opac_status walk_on(const cli_arguments *arguments, cli_walk *walk, item *found,
                           opac_error *error)
{
    *found = (item){NULL, NULL};
    while (walk->at < arguments->count) {
        const char *word = arguments->words[walk->at++];
        if (strcmp(word, "--") == 0 && !walk->no_more_options) {
            walk->no_more_options = true;
            continue;
        }
        if (looks_like_option(word) && !walk->no_more_options)
            return walk_option(arguments, walk, word, found, error);
        walk->operands++;
        found->text = word;
        break;
    }
    return OPAC_OK;
}

const char *cli_next_value(const cli_arguments *arguments, cli_option_id option, cli_walk *walk)
{
    item found;
    opac_error error; /* not used: the words have been parsed before */
    while (walk_on(arguments, walk, &found, &error) == OPAC_OK && found.text != NULL)
        if (found.use != NULL && found.use->option == option)
            return found.text;
    return NULL;
}

/* The index of the operand of the n-th operand word, from 1; the number of operands if there are too many. */
static size_t operand_of(const cli_command *command, size_t n)
{
    size_t index = 0;
    while (index + 1 < n && command->operands[index].name != NULL &&
           !command->operands[index].repeated)
        index++;
    return index;
}

const char *cli_next_operand(const cli_arguments *arguments, size_t index, cli_walk *walk)
{
    item found;
    opac_error error;
    while (walk_on(arguments, walk, &found, &error) == OPAC_OK && found.text != NULL)
        if (found.use == NULL && operand_of(arguments->command, walk->operands) == index)
            return found.text;
    return NULL;
}

/* ---- parsing ---- */

static opac_status set_option(cli_arguments *arguments, const item *found, opac_error *error)
{
    const cli_option *option = &cli_options[found->use->option];
    cli_value *value = &arguments->values[found->use->option];
    char name[32];
    if (value->given && !option->repeatable)
        return cli_fail(error, "%s is given more than once", cli_option_spelling(option, name));
    *value = (cli_value){.given = true};
    return cli_value_set(value, option, found->text, error);
}

static opac_status set_operand(cli_arguments *arguments, size_t n, const char *text,
                               opac_error *error)
{
    size_t index = operand_of(arguments->command, n);
    const cli_operand *operand = &arguments->command->operands[index];
    if (operand->name == NULL)
        return cli_fail(error, "unexpected argument %s%s", cli_quote(text).text,
                        strchr(text, ' ') != NULL &&
                                cli_command_use(arguments->command, CLI_FORMULA) != NULL
                            ? "; give a formula with -f"
                            : "");
    if (operand->type == CLI_PATH && *text == '\0')
        return cli_fail(error, "%s must be a file name, not ''", operand->name);
    if (arguments->operands[index] == NULL)
        arguments->operands[index] = text;
    return OPAC_OK;
}

static opac_status parse_words(cli_arguments *arguments, opac_error *error)
{
    cli_walk walk = {0};
    for (;;) {
        item found;
        opac_status status = walk_on(arguments, &walk, &found, error);
        if (status != OPAC_OK || found.text == NULL)
            return status;
        TRY(found.use != NULL ? set_option(arguments, &found, error)
                              : set_operand(arguments, walk.operands, found.text, error));
    }
}

/* --help and --version take precedence over everything else, including errors. */
static bool find_help_or_version(cli_arguments *arguments)
{
    for (int i = 0; i < arguments->count && strcmp(arguments->words[i], "--") != 0; i++) {
        const cli_option_use *use = find_option(arguments->command, arguments->words[i]);
        bool request = use != NULL && (use->option == CLI_HELP || use->option == CLI_VERSION);
        if (request && attached_value(arguments->words[i]) == NULL)
            return arguments->values[use->option].given = true;
    }
    return false;
}

/* ---- required options and groups ---- */

/* A list in a message, joined by `joint` and truncated if it is too long. */
typedef struct list {
    char text[256];
    size_t length;
} list;

static void list_add(list *l, const char *joint, const char *name, const char *placeholder)
{
    if (l->length < sizeof l->text)
        l->length += (size_t)snprintf(
            l->text + l->length, sizeof l->text - l->length, "%s%s%s%s", l->length > 0 ? joint : "",
            name, placeholder != NULL ? " " : "", placeholder != NULL ? placeholder : "");
}

static void list_add_option(list *l, const char *joint, cli_option_id id, bool with_placeholder)
{
    char name[32];
    list_add(l, joint, cli_option_spelling(&cli_options[id], name),
             with_placeholder ? cli_options[id].placeholder : NULL);
}

/* Adds the given choices of a group, joined by "and", and returns their number. */
static size_t group_given(const cli_arguments *arguments, const cli_group *group, list *names)
{
    size_t count = 0;
    if (group->with_operand && arguments->operands[0] != NULL && ++count > 0)
        list_add(names, "", arguments->command->operands[0].name, NULL);
    for (const cli_option_id *choice = group->options; *choice != CLI_NO_OPTION; choice++)
        if (arguments->values[*choice].given && ++count > 0)
            list_add_option(names, " and ", *choice, false);
    return count;
}

static void list_add_choices(list *l, const cli_command *command, const cli_group *group)
{
    list choices = {.length = 0};
    if (group->with_operand)
        list_add(&choices, "", command->operands[0].name, NULL);
    for (const cli_option_id *choice = group->options; *choice != CLI_NO_OPTION; choice++)
        list_add_option(&choices, " or ", *choice, true);
    list_add(l, ", ", choices.text, NULL);
}

/* Reports everything that is missing in one line. */
static opac_status check_required(const cli_arguments *arguments, opac_error *error)
{
    const cli_command *command = arguments->command;
    list missing = {.length = 0};
    for (size_t i = 0; i < CLI_MAX_OPERANDS && command->operands[i].name != NULL; i++)
        if (command->operands[i].required && arguments->operands[i] == NULL)
            list_add(&missing, ", ", command->operands[i].name, NULL);
    for (const cli_group *group = command->groups; group->options[0] != CLI_NO_OPTION; group++) {
        list given = {.length = 0};
        if (group->required && group_given(arguments, group, &given) == 0)
            list_add_choices(&missing, command, group);
    }
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
        if (use->required && !arguments->values[use->option].given)
            list_add_option(&missing, ", ", use->option, true);
    return missing.length == 0 ? OPAC_OK : cli_fail(error, "missing %s", missing.text);
}

static opac_status check_group(const cli_arguments *arguments, const cli_group *group,
                               opac_error *error)
{
    list given = {.length = 0};
    if (!group->several && group_given(arguments, group, &given) > 1)
        return cli_fail(error, "%s cannot be used together", given.text);
    return OPAC_OK;
}

static opac_status check_groups(const cli_arguments *arguments, opac_error *error)
{
    static const cli_group all_have = {.options = {CLI_QUIET, CLI_VERBOSE}};
    const cli_group *group = arguments->command->groups;
    TRY(check_group(arguments, &all_have, error));
    for (; group->options[0] != CLI_NO_OPTION; group++)
        TRY(check_group(arguments, group, error));
    return OPAC_OK;
}

static opac_status check_needs(const cli_arguments *arguments, opac_error *error)
{
    char name[32], other[32];
    for (const cli_option_use *use = arguments->command->uses; use->option != CLI_NO_OPTION;
         use++) {
        cli_option_id needed = cli_options[use->option].needs;
        if (needed != CLI_NO_OPTION && arguments->values[use->option].given &&
            !arguments->values[needed].given)
            return cli_fail(error, "%s requires %s",
                            cli_option_spelling(&cli_options[use->option], name),
                            cli_option_spelling(&cli_options[needed], other));
    }
    return OPAC_OK;
}

/* Whether an option has no default value: another choice of its group is given, or an option that it requires
 * is not. */
static bool is_excluded(const cli_arguments *arguments, cli_option_id id)
{
    cli_option_id needed = cli_options[id].needs;
    const cli_group *group = cli_command_group(arguments->command, id);
    list given = {.length = 0};
    return (needed != CLI_NO_OPTION && !arguments->values[needed].given) ||
           (group != NULL && group_given(arguments, group, &given) > 0);
}

static opac_status set_fallbacks(cli_arguments *arguments, opac_error *error)
{
    for (const cli_option_use *use = arguments->command->uses; use->option != CLI_NO_OPTION;
         use++) {
        const cli_option *option = &cli_options[use->option];
        cli_value *value = &arguments->values[use->option];
        if (!value->given && option->fallback != NULL && !is_excluded(arguments, use->option))
            TRY(cli_value_set(value, option, option->fallback, error));
    }
    return OPAC_OK;
}

opac_status cli_arguments_parse(cli_arguments *arguments, const cli_command *command, int count,
                                char *const *words, opac_error *error)
{
    *arguments = (cli_arguments){.command = command, .count = count, .words = words};
    if (find_help_or_version(arguments))
        return OPAC_OK;
    TRY(parse_words(arguments, error));
    TRY(check_required(arguments, error));
    TRY(check_groups(arguments, error));
    TRY(check_needs(arguments, error));
    return set_fallbacks(arguments, error);
}
