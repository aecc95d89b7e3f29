/* SPDX-License-Identifier: MIT */
/*
 * Parsing, usage and JSON of parameters, for artificial commands that use all features of the table:
 * operands, repeated operands, groups, repeatable options.
 */
#include "cli/arguments.h"
#include "cli/help.h"
#include "support/check.h"

/* choosing (LTL | -F FILE) and one of -T, --epsilon, --delta */
static const cli_command choosing = {
    .name = "choosing",
    .summary = "chooses",
    .description = "Chooses.",
    .operands = {{.name = "LTL", .type = CLI_TEXT, .help = "a formula"}},
    .uses = {{CLI_FORMULAS, false, NULL},
             {CLI_HORIZON, false, NULL},
             {CLI_EPSILON, false, NULL},
             {CLI_DELTA, false, NULL},
             {CLI_BOUND_K, false, NULL},
             {CLI_TARGET, false, NULL},
             {CLI_SIMPLIFY, false, NULL},
             {CLI_STYLE, false, NULL},
             {CLI_CONSTANTS, false, NULL},
             {CLI_JSON, false, NULL},
             {CLI_HELP, false, NULL}},
    .groups = {{.options = {CLI_FORMULAS}, .required = true, .with_operand = true},
               {.options = {CLI_HORIZON, CLI_EPSILON, CLI_DELTA}, .required = true},
               {.options = {CLI_BOUND_K, CLI_TARGET}}},
};

/* joining OUT IN... */
static const cli_command joining = {
    .name = "joining",
    .summary = "joins",
    .description = "Joins.",
    .operands = {{.name = "OUT", .type = CLI_PATH, .help = "where to", .required = true},
                 {.name = "IN",
                  .type = CLI_PATH,
                  .help = "where from",
                  .required = true,
                  .repeated = true}},
    .uses = {{CLI_KIND, true, NULL}, {CLI_STATES, true, NULL}, {CLI_OUTPUT, false, NULL}},
};

/* gathering, with one of --pmin and -T at least */
static const cli_command gathering = {
    .name = "gathering",
    .summary = "gathers",
    .description = "Gathers.",
    .uses = {{CLI_HORIZON, false, NULL}, {CLI_PMIN, false, NULL}},
    .groups = {{.options = {CLI_HORIZON, CLI_PMIN}, .required = true, .several = true}},
};

/* Parses words that end with NULL; the message, or "" when all is well. */
static const char *parse(const cli_command *command, cli_arguments *arguments, char **words)
{
    static opac_error error;
    int count = 0;
    while (words[count] != NULL)
        count++;
    error.message[0] = '\0';
    opac_status status = cli_arguments_parse(arguments, command, count, words, &error);
    assert_int_equal(status == OPAC_OK, error.message[0] == '\0');
    return error.message;
}

#define PARSE(command, arguments, ...) parse(command, arguments, (char *[]){__VA_ARGS__, NULL})

static void operands_have_places(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&joining, &a, "o", "--states", "1", "a", "--kind=ldba", "b"), "");
    assert_string_equal(a.operands[0], "o");
    assert_string_equal(a.operands[1], "a");
    cli_walk walk = {0};
    assert_string_equal(cli_next_operand(&a, 1, &walk), "a");
    assert_string_equal(cli_next_operand(&a, 1, &walk), "b");
    assert_null(cli_next_operand(&a, 1, &walk));
    walk = (cli_walk){0};
    assert_string_equal(cli_next_operand(&a, 0, &walk), "o");
    assert_null(cli_next_operand(&a, 0, &walk));
}

static void missing_arguments_are_reported_together(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&joining, &a, "o"), "missing IN, --kind KIND, --states N");
    assert_string_equal(parse(&choosing, &a, (char *[]){NULL}),
                        "missing LTL or --file FILE, -T N or --epsilon E or --delta D");
}

static void dashes(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&choosing, &a, "-T", "1", "-"), "");
    assert_string_equal(a.operands[0], "-");
    assert_string_equal(PARSE(&choosing, &a, "-T", "1", "--", "--json"), "");
    assert_string_equal(a.operands[0], "--json");
    assert_false(a.values[CLI_JSON].given);
    assert_string_equal(PARSE(&choosing, &a, "-T", "1", "--", "--"), "");
    assert_string_equal(a.operands[0], "--");
    assert_string_equal(PARSE(&choosing, &a, "-T", "1", "-3.5"), "");
    assert_string_equal(a.operands[0], "-3.5");
    assert_string_equal(PARSE(&choosing, &a, "-T", "1", "-.5"), "");
    assert_string_equal(PARSE(&choosing, &a, "!a", "-T", "1"), "");
    assert_string_equal(PARSE(&choosing, &a, "", "-T", "1"), "");
    assert_string_equal(a.operands[0], "");
    assert_string_equal(PARSE(&choosing, &a, "->a"),
                        "unknown option '->a'; write -- before an argument that begins with -, "
                        "as in: -- LTL");
    assert_string_equal(PARSE(&choosing, &a, "-T", "--", "1"), "-T requires a value: -T N");
    assert_string_equal(PARSE(&joining, &a, "", "a"), "OUT must be a file name, not ''");
    assert_string_equal(PARSE(&joining, &a, "o", "a", ""), "IN must be a file name, not ''");
    assert_string_equal(PARSE(&choosing, &a, "a", "b"), "unexpected argument 'b'");
}

static void groups_of_which_several_may_be_given(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&gathering, &a, "-T1", "--pmin", "1/2"), "");
    assert_true(a.values[CLI_HORIZON].given);
    assert_true(a.values[CLI_PMIN].given);
    assert_string_equal(parse(&gathering, &a, (char *[]){NULL}), "missing -T N or --pmin P");
}

static void groups_choose(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&choosing, &a, "a", "-Fx", "-T1"),
                        "LTL and --file cannot be used together");
    assert_string_equal(PARSE(&choosing, &a, "a", "--delta", "1/2", "-T1", "--epsilon=1/2"),
                        "-T and --epsilon and --delta cannot be used together");
    assert_string_equal(PARSE(&choosing, &a, "-Fx", "-T1"), "");
    assert_null(a.operands[0]);
    assert_string_equal(a.values[CLI_BOUND_K].word, "l1");
    /* a choice voids the fallback of another */
    assert_string_equal(PARSE(&choosing, &a, "-Fx", "-T1", "--target", "1/2"), "");
    assert_false(a.values[CLI_BOUND_K].is_set);
    assert_string_equal(PARSE(&choosing, &a, "-Fx", "-T1", "--k", "7"), "");
    assert_int_equal(a.values[CLI_BOUND_K].count, 7);
    assert_null(a.values[CLI_BOUND_K].word);
}

static void some_options_need_others(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&choosing, &a, "a", "-T1", "--style", "latex"),
                        "--style requires --simplify");
    assert_string_equal(PARSE(&choosing, &a, "a", "-T1"), "");
    assert_false(a.values[CLI_STYLE].is_set);
    assert_string_equal(PARSE(&choosing, &a, "a", "-T1", "--simplify"), "");
    assert_string_equal(a.values[CLI_STYLE].word, "infix");
}

static void words_are_chosen(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&choosing, &a, "a", "-T1", "--simplify", "--style", "ltex"),
                        "--style must be infix, prism or latex, not 'ltex'; did you mean latex?");
    assert_string_equal(PARSE(&joining, &a, "a", "--kind", ""),
                        "--kind must be deterministic or ldba, not ''");
    assert_string_equal(PARSE(&joining, &a, "a", "--kind", "ldba", "--kind", "ldba"),
                        "--kind is given more than once");
}

static void repeated_values_stay_in_order(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(
        PARSE(&choosing, &a, "-D", "n=1", "x", "-Dm=2", "-T1", "-D", "", "--", "-D"),
        "unexpected argument '-D'");
    assert_string_equal(PARSE(&choosing, &a, "-D", "n=1", "x", "-Dm=2", "-T1", "-D", ""), "");
    cli_walk walk = {0};
    assert_string_equal(cli_next_value(&a, CLI_CONSTANTS, &walk), "n=1");
    assert_string_equal(cli_next_value(&a, CLI_CONSTANTS, &walk), "m=2");
    assert_string_equal(cli_next_value(&a, CLI_CONSTANTS, &walk), "");
    assert_null(cli_next_value(&a, CLI_CONSTANTS, &walk));
    walk = (cli_walk){0};
    assert_null(cli_next_value(&a, CLI_TARGET, &walk));
}

/* What a function writes, compared. */
static void assert_written(opac_output *out, const char *expected)
{
    size_t length;
    assert_string_equal(opac_output_bytes(out, &length), expected);
    opac_output_free(out);
}

static opac_output *memory(void)
{
    opac_output *out;
    opac_error error;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    return out;
}

static void assert_echo(const cli_arguments *arguments, const char *expected)
{
    opac_output *out = memory();
    opac_json json;
    opac_json_init(&json, out);
    cli_write_params(arguments, CLI_NO_OPTION, &json);
    assert_written(out, expected);
}

static void params_are_written(void **state)
{
    (void)state;
    cli_arguments a;
    assert_string_equal(PARSE(&choosing, &a, "-D", "n=1", "G a", "-Dm=2", "-T1", "--simplify"), "");
    assert_echo(&a, "{\"T\": 1, \"k_rule\": \"l1\", \"simplify\": true, \"style\": \"infix\", "
                    "\"constants\": [\"n=1\", \"m=2\"]}");
    assert_string_equal(PARSE(&joining, &a, "o", "a", "b", "--kind", "ldba", "--states", "9"), "");
    assert_echo(&a, "{\"kind\": \"ldba\", \"states\": 9}");
}

static void assert_usage(const cli_command *command, const char *expected)
{
    char part[256], all[1024] = "";
    for (size_t i = 0; cli_usage_part(command, i, part) != NULL; i++)
        if (*part != '\0') {
            strcat(all, *all != '\0' ? " " : "");
            strcat(all, part);
        }
    assert_string_equal(all, expected);
}

static void usage_shows_operands_and_groups(void **state)
{
    (void)state;
    assert_usage(&choosing,
                 "(LTL | --file FILE) (-T N | --epsilon E | --delta D) [--k RULE | --target W] "
                 "[--simplify] [--style STYLE] [-D N=V...] [--json]");
    assert_usage(&joining, "OUT IN... --kind KIND --states N [--output FILE]");
}

static void pages_show_operands(void **state)
{
    (void)state;
    size_t length;
    opac_output *out = memory();
    cli_help_command(&joining, out);
    assert_non_null(strstr(opac_output_bytes(out, &length),
                           "\nArguments:\n  OUT                 where to\n"
                           "  IN                  where from\n"
                           "  --                  end of options: what follows"));
    assert_non_null(strstr(opac_output_bytes(out, &length), "(deterministic or ldba; default: "));
    opac_output_free(out);
    out = memory();
    cli_manual_command(&joining, out);
    assert_non_null(strstr(opac_output_bytes(out, &length),
                           ".SH ARGUMENTS\n.TP\n.I OUT\nwhere to\n.TP\n.I IN\nwhere from\n"));
    opac_output_free(out);
}

SUITE(arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_have_places),
        cmocka_unit_test(missing_arguments_are_reported_together),
        cmocka_unit_test(dashes),
        cmocka_unit_test(groups_choose),
        cmocka_unit_test(groups_of_which_several_may_be_given),
        cmocka_unit_test(some_options_need_others),
        cmocka_unit_test(words_are_chosen),
        cmocka_unit_test(repeated_values_stay_in_order),
        cmocka_unit_test(params_are_written),
        cmocka_unit_test(usage_shows_operands_and_groups),
        cmocka_unit_test(pages_show_operands),
    };
    return cmocka_run_group_tests_name("cli.arguments", tests, NULL, NULL);
}
