/* SPDX-License-Identifier: MIT */
/*
 * The commands, with each allocation failing in turn (every twelfth in the quick tests), including those
 * of GMP and of reading JSON: exit status 5 with "out of memory", and no leak.
 */
#include <fcntl.h>
#include <unistd.h>

#include "base/rational.h"
#include "cli/arguments.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"
#include "support/temporary.h"

static char folder[256], formulas[300], automaton[300], result[300], messages[300];
static char walk[300], policy[300], certificate[300], answer[300];
static char model[300], coin[300], drn[300], tra[300], lab[300], sta[300];

static const char model_text[] = "mdp\n"
                                 "const double p;\n"
                                 "module m\n"
                                 "    x : [0..3] init 0;\n"
                                 "    done : bool;\n"
                                 "    [go] x<3 -> p : (x'=x+1) + 1-p : true;\n"
                                 "    [stop] x=3 -> (done'=true);\n"
                                 "endmodule\n"
                                 "label \"top\" = x=3;\n";

static const char coin_text[] = "dtmc\n"
                                "module m\n"
                                "    s : [0..1];\n"
                                "    [] s=0 -> (s'=1);\n"
                                "    [] s=1 -> true;\n"
                                "endmodule\n"
                                "label \"h\" = s=1;\n";

/* A random walk with probabilities that are no doubles: its equations depend on each other. */
static const char walk_text[] =
    "mdp\n"
    "module m\n"
    "    s : [0..7] init 3;\n"
    "    [a] s>0 & s<7 -> 2/7 : (s'=s-1) + 5/7 : (s'=s+1);\n"
    "    [b] s>0 & s<7 -> 1/3 : (s'=s-1) + 1/3 : (s'=s) + 1/3 : (s'=s+1);\n"
    "    [] s=0 | s=7 -> true;\n"
    "endmodule\n"
    "label \"top\" = s=7;\n";

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

static int make_folder(void **state)
{
    (void)state;
    if (!temporary_folder(folder, sizeof folder))
        return -1;
    snprintf(formulas, sizeof formulas, "%s/formulas", folder);
    snprintf(automaton, sizeof automaton, "%s/automaton.hoa", folder);
    snprintf(result, sizeof result, "%s/result.hoa", folder);
    snprintf(model, sizeof model, "%s/model.prism", folder);
    snprintf(coin, sizeof coin, "%s/coin.prism", folder);
    snprintf(drn, sizeof drn, "%s/model.drn", folder);
    snprintf(tra, sizeof tra, "%s/model.tra", folder);
    snprintf(lab, sizeof lab, "%s/model.lab", folder);
    snprintf(sta, sizeof sta, "%s/model.sta", folder);
    snprintf(messages, sizeof messages, "%s/messages", folder);
    snprintf(walk, sizeof walk, "%s/walk.prism", folder);
    snprintf(policy, sizeof policy, "%s/policy.json", folder);
    snprintf(certificate, sizeof certificate, "%s/certificate.json", folder);
    snprintf(answer, sizeof answer, "%s/answer.json", folder);
    bool written =
        write_text(formulas, "G F a & F G b\n# and\n\na U b\n") && write_text(walk, walk_text);
    return written && write_text(model, model_text) && write_text(coin, coin_text) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *const files[] = {formulas, automaton,   result, model,   coin,
                                 drn,      tra,         lab,    sta,     walk,
                                 policy,   certificate, answer, messages};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlink(files[i]);
    return rmdir(folder);
}

/* Standard error is full of expected messages: it goes to a file for a while. */
static cli_exit run_silently(const cli_arguments *arguments)
{
    int kept = dup(STDERR_FILENO), file = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0);
    assert_true(file >= 0);
    dup2(file, STDERR_FILENO);
    cli_exit exit = arguments->command->run(arguments);
    dup2(kept, STDERR_FILENO);
    close(file);
    close(kept);
    return exit;
}

static bool was_told(const char *words)
{
    char text[4096];
    FILE *file = fopen(messages, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return strstr(text, words) != NULL;
}

static opac_status run(void *context, opac_error *error)
{
    unlink(result);
    cli_exit exit = run_silently(context);
    *error = (opac_error){.code = exit == CLI_EXIT_RESOURCE ? OPAC_ERROR_MEMORY : OPAC_OK};
    assert_true(exit == CLI_EXIT_DONE || exit == CLI_EXIT_RESOURCE);
    if (exit == CLI_EXIT_RESOURCE && was_told("out of memory"))
        strcpy(error->message, "out of memory");
    return error->code;
}

static void sweep(char **words, int count)
{
    cli_arguments arguments;
    opac_error error;
    const cli_command *command = cli_command_find(words[0]);
    assert_non_null(command);
    assert_ok(cli_arguments_parse(&arguments, command, count - 1, words + 1, &error), &error);
    assert_true(faults_sweep_some(run, random_rounds(12, 1), &arguments) > 10);
}

#define SWEEP(...)                                                                                 \
    sweep((char *[]){__VA_ARGS__}, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)))

static void translations(void **state)
{
    (void)state;
    SWEEP("translate", "-F", formulas, "-o", "/dev/null"); /* not to wait for a disk */
    SWEEP("translate", "G (a -> F b)", "--acceptance", "parity", "-o", result);
    SWEEP("translate", "F (a & G F b)", "--simplify", "--json", "-o", result);
    SWEEP("translate", "G (a -> F b)", "--json", "--kind", "ldba", "-o", result);
}

static void conversions(void **state)
{
    (void)state;
    cli_arguments arguments;
    opac_error error;
    char *words[] = {"F G a | G F b", "-o", automaton};
    assert_ok(cli_arguments_parse(&arguments, cli_command_find("translate"), 3, words, &error),
              &error);
    assert_int_equal(run_silently(&arguments), CLI_EXIT_DONE);
    SWEEP("convert", automaton, result, "--acceptance", "parity");
    SWEEP("convert", automaton, result, "--to", "dot");
}

static void models(void **state)
{
    (void)state;
    SWEEP("info", model, "-D", "p=1/2", "-p", "Pmax=? [ F x=3 & \"top\" ]", "-f", "G F top",
          "--json", "-o", "/dev/null");
    SWEEP("info", model, "-D", "p=1/2", "-q", "-o", "/dev/null");
    SWEEP("simulate", model, "-Dp=0.5", "--json", "-o", "/dev/null");
    SWEEP("convert", model, tra, "-D", "p=0.5", "-q");
    SWEEP("convert", tra, drn);
    SWEEP("convert", drn, "/dev/null", "--to", "dot");
    SWEEP("convert", drn, "/dev/null", "--to", "json");
}

static void estimates(void **state)
{
    (void)state;
    SWEEP("estimate", model, "-D", "p=1/2", "-f", "F top", "-T", "5", "--epsilon", "0.4", "--delta",
          "0.5", "--threads", "1", "--json", "-o", "/dev/null");
}

static void checks(void **state)
{
    (void)state;
    SWEEP("recurrence", model, "-D", "p=1/2", "-f", "F top", "--epsilon", "0.1", "--threads", "1",
          "--json", "-o", result);
    SWEEP("check", model, "-D", "p=1/2", "-f", "F top", "--min", "--threads", "1", "--policy",
          result, "-q", "-o", "/dev/null");
    SWEEP("check", model, "-D", "p=1/2", "-p", "Pmax=? [ F \"top\" ]", "--json", "--threads", "1",
          "-o", "/dev/null");
    if (base_rational_available()) /* a bound that doubles do not decide */
        SWEEP("check", model, "-D", "p=1/2", "-p", "P>=1/4 [ X X x=2 ]", "--threads", "1", "-o",
              "/dev/null");
}

/* A chain of two states, which is learned in no time: each run is made some hundred times. */
static void learning(void **state)
{
    (void)state;
    SWEEP("learn", coin, "-f", "F h", "-T", "3", "--k", "l1", "--epsilon", "0.24", "--delta", "0.9",
          "--threads", "1", "-q", "--json", "--policy", result, "-o", "/dev/null");
    SWEEP("learn", coin, "-f", "F h", "-T", "3", "--k", "l1", "--epsilon", "0.24", "--delta", "0.9",
          "--threads", "1", "-q", "--runs", "1", "-o", "/dev/null");
}

/* Of a bracket; the graph is read from a second file, the certificate written. */
static void certifying(void **state)
{
    (void)state;
    SWEEP("learn", coin, "-f", "F h", "--pmin", "1", "--epsilon", "0.24", "--delta", "0.9",
          "--threads", "1", "-q", "--json", "--certificate", result, "-o", "/dev/null");
    SWEEP("learn", model, "-D", "p=1/2", "-f", "F top", "--graph", model, "--epsilon", "0.24",
          "--delta", "0.9", "--threads", "1", "-q", "-o", "/dev/null");
}

static void run_once(char **words, int count)
{
    cli_arguments arguments;
    opac_error error;
    assert_ok(
        cli_arguments_parse(&arguments, cli_command_find(words[0]), count - 1, words + 1, &error),
        &error);
    assert_int_equal(run_silently(&arguments), CLI_EXIT_DONE);
}

#define ONCE(...)                                                                                  \
    run_once((char *[]){__VA_ARGS__}, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)))

static void fractions(void **state)
{
    (void)state;
    if (!base_rational_available())
        skip();
    SWEEP("check", walk, "--exact", "-f", "F top", "--threads", "1", "-o", "/dev/null");
    SWEEP("check", walk, "--exact", "-p", "Pmin=? [ F \"top\" ]", "--threads", "1", "--json", "-o",
          "/dev/null");
    ONCE("check", walk, "-f", "F top", "--threads", "1", "--policy", policy, "-o", "/dev/null");
    SWEEP("evaluate", walk, "--policy", policy, "--exact", "-o", "/dev/null");
    SWEEP("evaluate", walk, "--policy", policy, "-f", "G !top", "--exact", "--json", "-o",
          "/dev/null");
    SWEEP("convert", walk, "/dev/null", "--exact", "--to", "drn");
}

static void verifying(void **state)
{
    (void)state;
    ONCE("learn", coin, "-f", "F h", "--pmin", "1", "--epsilon", "0.24", "--delta", "0.9",
         "--threads", "1", "-q", "--json", "--certificate", certificate, "-o", answer);
    SWEEP("verify", certificate, "-o", "/dev/null");
    SWEEP("verify", certificate, coin, "--json", "-o", "/dev/null");
    SWEEP("report", answer, "-q", "-o", "/dev/null");
    SWEEP("report", answer, answer, "-q", "-o", result);
    ONCE("check", walk, "-f", "F top", "--threads", "1", "--json", "-o", answer);
    SWEEP("report", answer, "-q", "-o", "/dev/null");
    ONCE("check", walk, "-f", "F top", "--threads", "1", "--policy", policy, "-o", "/dev/null");
    SWEEP("simulate", walk, "--policy", policy, "--steps", "5", "-o", "/dev/null");
}

/* Of a simulator: the gridworld as a plugin, which knows its graph, so that nothing is sampled. */
static void simulators(void **state)
{
    (void)state;
    SWEEP("learn", "plugin:" PLUGIN, "-f", "F g", "--graph", "model", "--epsilon", "0.24",
          "--delta", "0.9", "--threads", "1", "-q", "--json", "--policy", result, "-o",
          "/dev/null");
    SWEEP("simulate", "plugin:" PLUGIN, "--steps", "5", "-o", "/dev/null");
    SWEEP("simulate", "plugin:" PLUGIN, "--json", "--steps", "5", "-o", "/dev/null");
}

SUITE(faults)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations), cmocka_unit_test(conversions), cmocka_unit_test(models),
        cmocka_unit_test(checks),       cmocka_unit_test(estimates),   cmocka_unit_test(learning),
        cmocka_unit_test(certifying),   cmocka_unit_test(simulators),  cmocka_unit_test(fractions),
        cmocka_unit_test(verifying),
    };
    return cmocka_run_group_tests_name("cli.faults", tests, make_folder, remove_folder);
}
