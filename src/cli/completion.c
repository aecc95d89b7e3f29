/* SPDX-License-Identifier: MIT */
/* Writes completion scripts for bash and zsh from the table of options. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

static void write_words(opac_output *out, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++)
        opac_output_print(out, "%s%s", i > 0 ? " " : "", words[i]);
}

/* ---- bash: one case for each subcommand and option with a value ---- */

static void bash_values(opac_output *out, const cli_command *command)
{
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        const cli_option *option = &cli_options[use->option];
        char name[32];
        if (option->type == CLI_FLAG)
            continue;
        if (option->name != NULL && option->letter != '\0')
            opac_output_print(out, "    '%s -%c' | ", command->name, option->letter);
        else
            opac_output_text(out, "    ");
        opac_output_print(out, "'%s %s')\n        ", command->name,
                          cli_option_spelling(option, name));
        if (option->type == CLI_PATH) {
            opac_output_text(out, "compopt -o filenames 2>/dev/null\n        "
                                  "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n");
        } else if (option->words[0] != NULL) {
            opac_output_text(out, "mapfile -t COMPREPLY < <(compgen -W '");
            write_words(out, option->words);
            opac_output_text(out, "' -- \"$current\")\n");
        } else {
            opac_output_text(out, "COMPREPLY=()\n");
        }
        opac_output_text(out, "        return ;;\n");
    }
}

/* Words that begin with a dash are options; others are file names if an operand is a path. */
static void bash_operands(opac_output *out, const cli_command *command)
{
    bool files = false;
    if (command->operands[0].name == NULL)
        return;
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++)
        files = files || operand->type == CLI_PATH;
    opac_output_print(out, "    '%s '[!-]* | '%s ')\n        ", command->name, command->name);
    if (files) {
        opac_output_text(out, "compopt -o filenames 2>/dev/null\n        "
                              "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n");
    } else {
        opac_output_text(out, "COMPREPLY=()\n");
    }
    opac_output_text(out, "        return ;;\n");
}

static void bash_options(opac_output *out, const cli_command *command)
{
    opac_output_print(out, "    '%s') words='", command->name);
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        char name[32];
        opac_output_print(out, "%s%s", use > command->uses ? " " : "",
                          cli_option_spelling(&cli_options[use->option], name));
    }
    opac_output_text(out, "' ;;\n");
}

static bool any_operands(void)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (cli_commands[i].operands[0].name != NULL)
            return true;
    return false;
}

/* ---- commands of two words: env check ---- */

static size_t first_word(size_t command)
{
    return strcspn(cli_commands[command].name, " ");
}

/* Whether no earlier command has the same first word. */
static bool begins_family(size_t command)
{
    size_t length = first_word(command);
    for (size_t i = 0; i < command; i++)
        if (first_word(i) == length &&
            memcmp(cli_commands[i].name, cli_commands[command].name, length) == 0)
            return false;
    return true;
}

/* For each first word of commands of two words, writes that word and the second words, each after a blank,
 * between the given texts. */
static void write_families(opac_output *out, const char *before, const char *between,
                           const char *after)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        const char *name = cli_commands[i].name;
        size_t length = first_word(i);
        if (name[length] == '\0' || !begins_family(i))
            continue;
        opac_output_print(out, "%s%.*s%s", before, (int)length, name, between);
        for (size_t k = i; k < cli_command_count; k++)
            if (strncmp(cli_commands[k].name, name, length + 1) == 0)
                opac_output_text(out, cli_commands[k].name + length);
        opac_output_text(out, after);
    }
}

/* Completes the second word of a command of two words; after it, both words are the command. */
static void bash_families(opac_output *out)
{
    write_families(out, "    if [[ $command == ",
                   " ]]; then\n"
                   "        if ((COMP_CWORD == 2)); then\n"
                   "            mapfile -t COMPREPLY < <(compgen -W '",
                   "' -- \"$current\")\n"
                   "            return\n"
                   "        fi\n"
                   "        command+=\" ${COMP_WORDS[2]-}\"\n"
                   "    fi\n");
}

void cli_completion_bash(opac_output *out)
{
    opac_output_print(
        out,
        "# SPDX-License-Identifier: MIT\n"
        "# bash completion for %s\n"
        "_%s() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-} words\n"
        "    local before=$((COMP_CWORD - 1)) # the option that wants a value\n"
        "    if [[ $current == '=' ]]; then\n"
        "        current=''\n"
        "    elif [[ ${COMP_WORDS[before]} == '=' ]]; then\n"
        "        before=$((before - 1))\n"
        "    fi\n"
        "    if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help ]]; }; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W '",
        CLI_PROGRAM, CLI_PROGRAM);
    for (size_t i = 0; i < cli_command_count; i++)
        if (begins_family(i))
            opac_output_print(out, "%.*s ", (int)first_word(i), cli_commands[i].name);
    opac_output_text(out, "help --help --version' -- \"$current\")\n"
                          "        return\n"
                          "    fi\n");
    bash_families(out);
    opac_output_text(out, "    case \"$command ${COMP_WORDS[before]}\" in\n");
    for (size_t i = 0; i < cli_command_count; i++)
        bash_values(out, &cli_commands[i]);
    if (any_operands()) {
        opac_output_text(out, "    esac\n    case \"$command $current\" in\n");
        for (size_t i = 0; i < cli_command_count; i++)
            bash_operands(out, &cli_commands[i]);
    }
    opac_output_text(out, "    esac\n    case $command in\n");
    for (size_t i = 0; i < cli_command_count; i++)
        bash_options(out, &cli_commands[i]);
    opac_output_print(out,
                      "    *) words='' ;;\n"
                      "    esac\n"
                      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                      "}\n"
                      "complete -F _%s %s\n",
                      CLI_PROGRAM, CLI_PROGRAM);
}

/* ---- zsh: _arguments specifications ---- */

/* Help text inside a specification in single quotes: brackets, colons and quotes are special. */
static void zsh_text(opac_output *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            opac_output_text(out, "'\\'");
        else if (strchr("[]:\\", *text) != NULL)
            opac_output_text(out, "\\");
        opac_output_write(out, text, 1);
    }
}

/* One spelling of an option; `other` is its other spelling, which it excludes, or "". */
static void zsh_spelling(opac_output *out, const cli_command *command, const cli_option_use *use,
                         const char *spelling, const char *other)
{
    const cli_option *option = &cli_options[use->option];
    /* --name=VALUE and -xVALUE are allowed too. */
    const char *attached = option->type == CLI_FLAG ? "" : spelling[1] == '-' ? "=" : "+";
    opac_output_text(out, "        '");
    if (cli_command_repeats(command, use->option))
        opac_output_text(out, "*");
    else if (*other != '\0')
        opac_output_print(out, "(%s)", other);
    opac_output_print(out, "%s%s[", spelling, attached);
    zsh_text(out, cli_use_help(use));
    opac_output_text(out, "]");
    if (option->type != CLI_FLAG)
        opac_output_print(out, ":%s:", option->placeholder);
    if (option->type == CLI_PATH)
        opac_output_text(out, "_files");
    if (option->words[0] != NULL) {
        opac_output_text(out, "(");
        write_words(out, option->words);
        opac_output_text(out, ")");
    }
    opac_output_text(out, "' \\\n");
}

static void zsh_option(opac_output *out, const cli_command *command, const cli_option_use *use)
{
    const cli_option *option = &cli_options[use->option];
    char name[32], letter[3] = "";
    cli_option_spelling(option, name);
    if (option->name != NULL && option->letter != '\0')
        snprintf(letter, sizeof letter, "-%c", option->letter);
    zsh_spelling(out, command, use, name, letter);
    if (*letter != '\0')
        zsh_spelling(out, command, use, letter, name);
}

static void zsh_operand(opac_output *out, const cli_operand *operand)
{
    const char *place = operand->repeated ? "*:" : operand->required ? ":" : "::";
    opac_output_print(out, "        '%s%s:%s' \\\n", place, operand->name,
                      operand->type == CLI_PATH ? "_files" : "");
}

static void zsh_families(opac_output *out)
{
    write_families(out, "if [[ $command == ",
                   " ]]; then\n"
                   "    if ((CURRENT == 2)); then\n"
                   "        compadd --",
                   "\n"
                   "        return\n"
                   "    fi\n"
                   "    command+=\" $words[2]\"\n"
                   "    shift words\n"
                   "    ((CURRENT--))\n"
                   "fi\n");
}

void cli_completion_zsh(opac_output *out)
{
    opac_output_print(out,
                      "#compdef %s\n"
                      "# SPDX-License-Identifier: MIT\n"
                      "local -a commands\n"
                      "commands=(\n",
                      CLI_PROGRAM);
    for (size_t i = 0; i < cli_command_count; i++) {
        if (!begins_family(i))
            continue;
        opac_output_print(out, "    '%.*s:", (int)first_word(i), cli_commands[i].name);
        zsh_text(out, cli_commands[i].summary);
        opac_output_text(out, "'\n");
    }
    opac_output_text(out, ")\n"
                          "if ((CURRENT == 2)); then\n"
                          "    _describe command commands\n"
                          "    compadd -- help --help --version\n"
                          "    return\n"
                          "fi\n"
                          "local command=$words[2]\n"
                          "if [[ CURRENT -eq 3 && $command == help ]]; then\n"
                          "    _describe command commands\n"
                          "    return\n"
                          "fi\n"
                          "shift words\n"
                          "((CURRENT--))\n");
    zsh_families(out);
    opac_output_text(out, "case $command in\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        opac_output_print(out, "'%s')\n    _arguments -S \\\n", cli_commands[i].name);
        for (const cli_option_use *use = cli_commands[i].uses; use->option != CLI_NO_OPTION; use++)
            zsh_option(out, &cli_commands[i], use);
        for (const cli_operand *operand = cli_commands[i].operands; operand->name != NULL;
             operand++)
            zsh_operand(out, operand);
        opac_output_text(out, "        && return\n    ;;\n");
    }
    opac_output_text(out, "esac\n");
}
