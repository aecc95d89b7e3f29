/* SPDX-License-Identifier: MIT */
/* The tables of commands and options hold together. What is made of them: test_arguments.c. */
#include <ctype.h>

#include "cli/arguments.h"
#include "support/check.h"

static void every_option_is_described(void **state)
{
    (void)state;
    for (int i = CLI_NO_OPTION + 1; i < CLI_OPTION_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        assert_true(option->name != NULL || option->letter != '\0');
        assert_non_null(option->help);
        assert_true(option->help[strlen(option->help) - 1] != '.');
        if (option->type == CLI_FLAG)
            assert_null(option->placeholder);
        else
            assert_non_null(option->placeholder);
        if (option->type == CLI_COUNT || option->type == CLI_NUMBER)
            assert_true(option->range.low < option->range.high);
        assert_int_equal(option->words[0] != NULL,
                         option->type == CLI_WORD || option->type == CLI_WORD_OR_COUNT);
        assert_null(option->words[CLI_MAX_WORDS - 1]);
        assert_int_equal(option->count_key != NULL, option->type == CLI_WORD_OR_COUNT);
        assert_false(isdigit((unsigned char)option->letter)); /* -3 is a number */
        assert_false(option->repeatable && option->fallback != NULL);
        assert_false(option->repeatable && option->type == CLI_WORD_OR_COUNT);
    }
}

static bool same_spelling(const cli_option *a, const cli_option *b)
{
    bool name = a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0;
    return name || (a->letter != '\0' && a->letter == b->letter);
}

/* Two commands may give one spelling two meanings; one command may not. */
static void no_two_options_of_a_command_share_a_spelling(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++)
        for (const cli_option_use *a = cli_commands[i].uses; a->option != CLI_NO_OPTION; a++)
            for (const cli_option_use *b = cli_commands[i].uses; b < a; b++)
                assert_false(same_spelling(&cli_options[a->option], &cli_options[b->option]));
}

static void every_command_is_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_commands[i];
        assert_ptr_equal(cli_command_find(command->name), command);
        assert_true(islower((unsigned char)command->summary[0]));
        assert_true(strlen(command->description) > 80);
        assert_non_null(command->examples[0].line);
        assert_non_null(command->run);
        assert_non_null(cli_command_use(command, CLI_HELP));
        assert_non_null(cli_command_use(command, CLI_VERSION));
        /* The lists end before their arrays do. */
        assert_int_equal(command->uses[CLI_MAX_USES - 1].option, CLI_NO_OPTION);
        assert_null(command->examples[CLI_MAX_EXAMPLES - 1].line);
    }
    assert_null(cli_command_find("frobnicate"));
}

static void every_operand_is_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_operand *operands = cli_commands[i].operands;
        assert_null(operands[CLI_MAX_OPERANDS - 1].name);
        for (size_t j = 0; operands[j].name != NULL; j++) {
            assert_true(operands[j].type == CLI_TEXT || operands[j].type == CLI_PATH);
            assert_true(operands[j].help[strlen(operands[j].help) - 1] != '.');
            assert_false(operands[j].repeated && operands[j + 1].name != NULL);
            assert_true(j == 0 || operands[j - 1].required || !operands[j].required);
        }
    }
}

/* A choice is an option of the command, not required by itself, in one group. */
static void check_group(const cli_command *command, const cli_group *group)
{
    assert_int_equal(group->options[CLI_MAX_CHOICES - 1], CLI_NO_OPTION);
    for (const cli_option_id *choice = group->options; *choice != CLI_NO_OPTION; choice++) {
        assert_non_null(cli_command_use(command, *choice));
        assert_false(cli_command_use(command, *choice)->required);
        assert_ptr_equal(cli_command_group(command, *choice), group);
        assert_false(group->required && cli_options[*choice].fallback != NULL);
    }
    if (group->with_operand) {
        assert_non_null(command->operands[0].name);
        assert_false(command->operands[0].required);
        assert_ptr_equal(cli_command_group(command, CLI_NO_OPTION), group);
    }
}

static void groups_hold_together(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_commands[i];
        assert_int_equal(command->groups[CLI_MAX_GROUPS - 1].options[0], CLI_NO_OPTION);
        for (const cli_group *group = command->groups; group->options[0] != CLI_NO_OPTION; group++)
            check_group(command, group);
        for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++)
            if (cli_options[use->option].needs != CLI_NO_OPTION)
                assert_non_null(cli_command_use(command, cli_options[use->option].needs));
    }
}

/* Splits at spaces, in place; a word in single quotes may have some. Enough for examples. */
static int split(char *line, char **words, int most)
{
    int count = 0;
    while (*line != '\0' && count < most) {
        const char *end = *line == '\'' ? "'" : " ";
        line += *line == '\'';
        words[count++] = line;
        line += strcspn(line, end);
        if (*line != '\0')
            *line++ = '\0';
        line += strspn(line, " ");
    }
    return count;
}

static void every_example_parses(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_command_count; i++)
        for (size_t j = 0; cli_commands[i].examples[j].line != NULL; j++) {
            char line[512], *words[64];
            cli_arguments arguments;
            opac_error error = {0};
            snprintf(line, sizeof line, "%s", cli_commands[i].examples[j].line);
            int count = split(line, words, 64);
            /* One that prepares the next may be another command's. */
            int used;
            const cli_command *command = cli_command_match(count, words, &used);
            assert_non_null(command);
            bool is_last = cli_commands[i].examples[j + 1].line == NULL;
            assert_true(command == &cli_commands[i] || !is_last);
            assert_ok(cli_arguments_parse(&arguments, command, count - used, words + used, &error),
                      &error);
        }
}

static void ranges_in_words(void **state)
{
    (void)state;
    static const struct {
        cli_range range;
        const char *words;
        double inside, outside;
    } cases[] = {
        {{0, 1, true, true}, "must lie strictly between 0 and 1", 0.5, 1},
        {{0, 1, true, false}, "must be above 0 and at most 1", 1, 0},
        {{0, 1, false, true}, "must be at least 0 and below 1", 0, 1},
        {{1, 1.0 / 0.0, false, true}, "must be at least 1", 1, 0.5},
        {{0, 1.0 / 0.0, true, true}, "must be above 0", 1e-300, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[96];
        assert_string_equal(cli_range_words(&cases[i].range, words), cases[i].words);
        assert_true(cli_range_has(&cases[i].range, cases[i].inside));
        assert_false(cli_range_has(&cases[i].range, cases[i].outside));
        assert_false(cli_range_has(&cases[i].range, 0.0 / 0.0));
    }
}

SUITE(table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_described),
        cmocka_unit_test(no_two_options_of_a_command_share_a_spelling),
        cmocka_unit_test(every_command_is_described),
        cmocka_unit_test(every_operand_is_described),
        cmocka_unit_test(groups_hold_together),
        cmocka_unit_test(every_example_parses),
        cmocka_unit_test(ranges_in_words),
    };
    return cmocka_run_group_tests_name("cli.table", tests, NULL, NULL);
}
