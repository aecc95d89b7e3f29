/* SPDX-License-Identifier: MIT */
/* The tables of commands and options hold together, and parsing follows them. */
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
        assert_int_equal(option->words[0] != NULL, option->type == CLI_WORD_OR_COUNT);
        assert_int_equal(option->count_key != NULL, option->type == CLI_WORD_OR_COUNT);
        if (option->excludes != CLI_NO_OPTION) /* both ways */
            assert_int_equal(cli_options[option->excludes].excludes, i);
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
        assert_int_equal(command->uses[CLI_MOST_USES - 1].option, CLI_NO_OPTION);
        assert_null(command->examples[CLI_MOST_EXAMPLES - 1].line);
    }
    assert_null(cli_command_find("frobnicate"));
}

/* Splits at spaces; enough for examples. */
static int split(char *line, char **words, int most)
{
    int count = 0;
    for (char *word = strtok(line, " "); word != NULL && count < most; word = strtok(NULL, " "))
        words[count++] = word;
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
            assert_string_equal(words[0], cli_commands[i].name);
            assert_ok(
                cli_arguments_parse(&arguments, &cli_commands[i], count - 1, words + 1, &error),
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_is_described),
        cmocka_unit_test(no_two_options_of_a_command_share_a_spelling),
        cmocka_unit_test(every_command_is_described),
        cmocka_unit_test(every_example_parses),
        cmocka_unit_test(ranges_in_words),
    };
    return cmocka_run_group_tests_name("cli.table", tests, NULL, NULL);
}
