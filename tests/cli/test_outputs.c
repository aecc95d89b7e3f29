/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules of outputs.h for every command, output and input of the tables. New options are
 * included automatically.
 */
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/outputs.h"
#include "support/check.h"
#include "support/temporary.h"

enum {
    MOST_WORDS = 32
};

static char folder[256];

static int enter_folder(void **state)
{
    (void)state;
    return temporary_folder(folder, sizeof folder) && chdir(folder) == 0 ? 0 : 1;
}

static int remove_entry(const char *path, const struct stat *found, int flag, struct FTW *at)
{
    (void)found, (void)flag, (void)at;
    return remove(path);
}

static int leave_folder(void **state)
{
    (void)state;
    return chdir("/") == 0 ? nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) : 1;
}

static const char precious[] = "precious\n";

static void make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool holds(const char *path, const char *text)
{
    char bytes[256];
    FILE *file = fopen(path, "r");
    size_t length = file != NULL ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    bytes[length] = '\0';
    return strcmp(bytes, text) == 0;
}

/* ---- command lines ---- */

/* One of a command's options, or, with CLI_NO_OPTION, the operand of this index. */
typedef struct item {
    cli_option_id option;
    size_t operand;
} item;

typedef struct line {
    cli_arguments arguments;
    char *words[MOST_WORDS];
    char spellings[MOST_WORDS][32];
} line;

static void add_word(line *l, const char *word)
{
    assert_true(l->arguments.count < MOST_WORDS);
    l->words[l->arguments.count++] = (char *)word;
}

static void add_option(line *l, cli_option_id id, const char *value)
{
    char *spelling = l->spellings[l->arguments.count];
    add_word(l, cli_option_spelling(&cli_options[id], spelling));
    if (value != NULL)
        add_word(l, value);
    l->arguments.values[id] = (cli_value){.given = true, .is_set = true, .text = value};
}

/* Of what else the command needs, outputs.c asks nothing: so only these two are given, and all
 * operands, for they have places. */
static void make_line(line *l, const cli_command *command, item a, const char *path_a, item b,
                      const char *path_b)
{
    static const char *const others[] = {"other0", "other1", "other2", "other3"};
    *l = (line){.arguments = {.command = command}};
    l->arguments.words = l->words;
    for (size_t i = 0; command->operands[i].name != NULL; i++) {
        const char *path = a.option == CLI_NO_OPTION && a.operand == i   ? path_a
                           : b.option == CLI_NO_OPTION && b.operand == i ? path_b
                                                                         : others[i];
        add_word(l, path);
        l->arguments.operands[i] = path;
    }
    if (a.option != CLI_NO_OPTION)
        add_option(l, a.option, path_a);
    if (b.option != CLI_NO_OPTION)
        add_option(l, b.option, path_b);
}

/* ---- all pairs of files of all commands ---- */

static size_t list_items(const cli_command *command, bool outputs, item *items)
{
    size_t count = 0;
    for (size_t i = 0; command->operands[i].name != NULL; i++) {
        const cli_operand *operand = &command->operands[i];
        bool is_output = operand->writes != CLI_FILE_NONE;
        if (outputs ? is_output : operand->reads >= CLI_READS_FILE)
            items[count++] = (item){CLI_NO_OPTION, i};
    }
    for (const cli_option_use *use = command->uses; use->option != CLI_NO_OPTION; use++) {
        cli_file file = cli_command_writes(command, use->option);
        bool is_output = file != CLI_FILE_NONE;
        if (outputs ? is_output
                    : file == CLI_FILE_NONE && cli_options[use->option].reads >= CLI_READS_FILE)
            items[count++] = (item){use->option, 0};
    }
    return count;
}

/* Every option and operand that is a path says whether it is read or written; who writes can be
 * forced. */
static void every_path_is_declared(void **state)
{
    (void)state;
    for (int i = CLI_NO_OPTION + 1; i < CLI_OPTION_COUNT; i++) {
        const cli_option *option = &cli_options[i];
        bool reads = option->reads != CLI_READS_NOTHING, writes = option->writes != CLI_FILE_NONE;
        assert_int_equal(option->type == CLI_PATH, reads || writes);
        assert_false(reads && writes);
    }
    for (size_t i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_commands[i];
        item outputs[CLI_MAX_USES];
        bool writes = list_items(command, true, outputs) > 0;
        for (size_t j = 0; command->operands[j].name != NULL; j++) {
            const cli_operand *operand = &command->operands[j];
            bool is_file = operand->reads != CLI_READS_NOTHING || operand->writes != CLI_FILE_NONE;
            assert_true(is_file || operand->type != CLI_PATH);
        }
        assert_true(!writes || cli_command_use(command, CLI_FORCE) != NULL);
        for (const cli_written *own = command->written; own->option != CLI_NO_OPTION; own++)
            assert_non_null(cli_command_use(command, own->option));
    }
}

/* A name without a suffix would be an error of convert's, about its format. */
static const char *const disguises[] = {"x.hoa",     "./x.hoa",  "sub/../x.hoa", "symbolic.hoa",
                                        "chain.hoa", "hard.hoa", "dir/x.hoa"};

static size_t check_pair(const cli_command *command, item in, item out)
{
    size_t count = sizeof disguises / sizeof *disguises;
    for (size_t i = 0; i < count; i++)
        for (int forced = 0; forced < 2; forced++) {
            line l;
            opac_error error;
            make_line(&l, command, in, "x.hoa", out, disguises[i]);
            if (forced)
                add_option(&l, CLI_FORCE, NULL);
            assert_status(cli_outputs_check(&l.arguments, &error), OPAC_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, " is also the input "));
            assert_true(holds("x.hoa", precious));
        }
    return count;
}

static void no_output_is_an_input(void **state)
{
    (void)state;
    size_t pairs = 0, commands = 0;
    make_file("x.hoa", precious);
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(symlink("x.hoa", "symbolic.hoa"), 0);
    assert_int_equal(symlink("symbolic.hoa", "chain.hoa"), 0);
    assert_int_equal(link("x.hoa", "hard.hoa"), 0);
    assert_int_equal(symlink(".", "dir"), 0);
    for (size_t i = 0; i < cli_command_count; i++) {
        item ins[CLI_MAX_USES], outs[CLI_MAX_USES];
        size_t in_count = list_items(&cli_commands[i], false, ins);
        size_t out_count = list_items(&cli_commands[i], true, outs);
        commands += in_count > 0 && out_count > 0;
        for (size_t a = 0; a < in_count; a++)
            for (size_t b = 0; b < out_count; b++)
                pairs += check_pair(&cli_commands[i], ins[a], outs[b]) > 0;
    }
    assert_true(commands >= 11);
    assert_true(pairs >= 45);
}

static void no_two_outputs_are_one_file(void **state)
{
    (void)state;
    size_t pairs = 0;
    make_file("there", "");
    for (size_t i = 0; i < cli_command_count; i++) {
        item outs[CLI_MAX_USES];
        size_t count = list_items(&cli_commands[i], true, outs);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < a; b++, pairs++) {
                static const char *const names[][2] = {{"there", "./there"}, {"new", "./new"}};
                for (size_t k = 0; k < 2; k++) {
                    line l;
                    opac_error error;
                    make_line(&l, &cli_commands[i], outs[a], names[k][0], outs[b], names[k][1]);
                    assert_status(cli_outputs_check(&l.arguments, &error), OPAC_ERROR_ARGUMENT);
                    assert_non_null(strstr(error.message, " name the same file, "));
                }
                line l; /* several may be thrown away */
                opac_error error;
                make_line(&l, &cli_commands[i], outs[a], "/dev/null", outs[b], "/dev/null");
                assert_ok(cli_outputs_check(&l.arguments, &error), &error);
            }
    }
    assert_true(pairs >= 15);
}

/* A name that every command can write to. */
static const char *name_for(item out)
{
    return out.option == CLI_NO_OPTION ? "out.hoa" : "out";
}

static void files_of_another_kind_need_force(void **state)
{
    (void)state;
    size_t outputs = 0;
    for (size_t i = 0; i < cli_command_count; i++) {
        item outs[CLI_MAX_USES];
        size_t count = list_items(&cli_commands[i], true, outs);
        for (size_t k = 0; k < count; k++, outputs++) {
            const item none = {CLI_NO_OPTION, CLI_MAX_OPERANDS};
            const char *path = name_for(outs[k]);
            line l;
            opac_error error;
            make_line(&l, &cli_commands[i], outs[k], path, none, NULL);
            assert_ok(cli_outputs_check(&l.arguments, &error), &error); /* does not exist */
            make_file(path, "");
            assert_ok(cli_outputs_check(&l.arguments, &error), &error);
            make_file(path, precious);
            assert_status(cli_outputs_check(&l.arguments, &error), OPAC_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, "--force"));
            add_option(&l, CLI_FORCE, NULL);
            assert_ok(cli_outputs_check(&l.arguments, &error), &error);
            assert_true(holds(path, precious));
            unlink(path);
        }
    }
    assert_true(outputs >= 20);
}

/* Bad places are told before anything is computed, whatever the option. */
static void unwritable_paths_are_reported(void **state)
{
    (void)state;
    static const char *const bad[] = {"none/out.hoa", "folder.hoa",   "dangling.hoa",
                                      "loop.hoa",     "file/out.hoa", ""};
    assert_int_equal(mkdir("folder.hoa", 0700), 0);
    assert_int_equal(symlink("nowhere", "dangling.hoa"), 0);
    assert_int_equal(symlink("loop.hoa", "loop.hoa"), 0);
    make_file("file", "");
    for (size_t i = 0; i < cli_command_count; i++) {
        item outs[CLI_MAX_USES];
        size_t count = list_items(&cli_commands[i], true, outs);
        for (size_t k = 0; k < count; k++)
            for (size_t b = 0; *bad[b] != '\0'; b++) {
                const item none = {CLI_NO_OPTION, CLI_MAX_OPERANDS};
                line l;
                opac_error error;
                make_line(&l, &cli_commands[i], outs[k], bad[b], none, NULL);
                assert_status(cli_outputs_check(&l.arguments, &error), OPAC_ERROR_IO);
                add_option(&l, CLI_FORCE, NULL);
                assert_status(cli_outputs_check(&l.arguments, &error), OPAC_ERROR_IO);
            }
    }
}

/* ---- kinds ---- */

static void kinds_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cli_file file;
    } cases[] = {
        {"omegapac checkpoint 2\n", CLI_FILE_CHECKPOINT},
        {"{\"schema\": \"omegapac.policy/1\"", CLI_FILE_POLICY},
        {" {\n \"schema\":\"omegapac.certificate/1\"", CLI_FILE_CERTIFICATE},
        {"{\"schema\": \"omegapac.result/1\"", CLI_FILE_RESULT},
        {"Result: 1 [1, 1]\n", CLI_FILE_RESULT},
        {"Property: F a\nResult: 1", CLI_FILE_RESULT},
        {"ok       greeting         it starts", CLI_FILE_RESULT},
        {"{\"episode\": 0, \"step\": 0, \"known\": 0", CLI_FILE_TRACE},
        {"{\"episode\": 1, \"step\": 0, \"state\": 0", CLI_FILE_TRACES},
        {"episode 1\n0  s=1\n", CLI_FILE_TRACES},
        {"/* c */ HOA: v1\n", CLI_FILE_HOA},
        {"digraph model {\n", CLI_FILE_DOT},
        {"<svg xmlns=\"http\">", CLI_FILE_SVG},
        {"8 14 20\n0 0 1 1 go\n", CLI_FILE_TRA},
        {"# from PRISM\n4 6\n", CLI_FILE_TRA},
        {"0=\"init\" 1=\"deadlock\"\n", CLI_FILE_LAB},
        {"(s)\n0:(1)\n", CLI_FILE_STA},
        {"// Written by omegapac\n@type: MDP\n", CLI_FILE_DRN},
        {"<!DOCTYPE html>\n<meta name=\"generator\" content=\"omegapac\">", CLI_FILE_PAGE},
        {"<!DOCTYPE html>\n<title>mine</title>", CLI_FILE_NONE},
        {"mdp\nmodule m\n", CLI_FILE_NONE},
        {"{\"schema\": \"mine/1\"", CLI_FILE_NONE},
        {"{\"name\": \"omegapac.policy/1\"", CLI_FILE_NONE},
        {"8 apples\n", CLI_FILE_NONE},
        {"3.14 2\n", CLI_FILE_NONE},
        {"G F a\n", CLI_FILE_NONE},
        {"", CLI_FILE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cli_file_recognise(cases[i].text, strlen(cases[i].text)), cases[i].file);
    assert_int_equal(cli_file_recognise("Result: \0x", 10), CLI_FILE_NONE);
}

/* ---- companions, streams and programs ---- */

static opac_status check_words(const char *name, int count, char *const *words, opac_error *error)
{
    cli_arguments arguments;
    opac_status status =
        cli_arguments_parse(&arguments, cli_command_find(name), count, words, error);
    return status == OPAC_OK ? cli_outputs_check(&arguments, error) : status;
}

#define CHECK(name, ...)                                                                           \
    check_words(name, (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)),                     \
                (char *[]){__VA_ARGS__}, &error)

static void implicit_inputs_are_inputs(void **state)
{
    (void)state;
    opac_error error;
    static const char *const files[] = {"m.lab", "m.sta", "p.so", "sim.py", "data"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        make_file(files[i], precious);
    assert_status(CHECK("info", "m.tra", "--force", "-o", "m.lab"), OPAC_ERROR_ARGUMENT);
    assert_status(CHECK("info", "m.tra", "--force", "-o", "m.sta"), OPAC_ERROR_ARGUMENT);
    assert_status(CHECK("simulate", "plugin:p.so?x", "--force", "-o", "p.so"), OPAC_ERROR_ARGUMENT);
    assert_status(CHECK("env check", "exec:python3 sim.py --in=data", "--force", "-o", "sim.py"),
                  OPAC_ERROR_ARGUMENT);
    assert_status(CHECK("env check", "exec:python3 sim.py --in=data", "--force", "-o", "data"),
                  OPAC_ERROR_ARGUMENT);
    /* What is not there yet, but would be read by the next run as part of the model. */
    assert_status(CHECK("check", "n.tra", "-f", "F a", "--dot", "n.lab"), OPAC_ERROR_ARGUMENT);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_true(holds(files[i], precious));
}

/* info m >> m, and verify - -o c < c */
static void streams_are_files(void **state)
{
    (void)state;
    opac_error error;
    make_file("s", precious);
    int file = open("s", O_RDWR | O_APPEND), in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    assert_true(file >= 0);
    assert_true(in >= 0);
    assert_true(out >= 0);
    dup2(file, STDIN_FILENO);
    opac_status from_stdin = CHECK("verify", "-", "--force", "-o", "./s");
    opac_status other = CHECK("verify", "-", "-o", "t");
    opac_status formula = CHECK("translate", "-", "--force", "-o", "s");
    dup2(in, STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    opac_status to_stdout = CHECK("info", "s");
    opac_status beside = CHECK("check", "m.prism", "-f", "F a", "--policy", "s", "--force");
    opac_status elsewhere = CHECK("info", "s", "-o", "t");
    dup2(out, STDOUT_FILENO);
    assert_status(from_stdin, OPAC_ERROR_ARGUMENT);
    assert_status(formula, OPAC_ERROR_ARGUMENT);
    assert_status(other, OPAC_OK);
    assert_status(to_stdout, OPAC_ERROR_ARGUMENT);
    assert_status(beside, OPAC_ERROR_ARGUMENT);
    assert_status(elsewhere, OPAC_OK);
    close(file);
    close(in);
    close(out);
}

static void checkpoints_are_resumed_or_forced(void **state)
{
    (void)state;
    opac_error error;
#define LEARN "m", "-f", "F a", "-T", "3", "--k", "l1", "--epsilon", "0.1", "--delta", "0.1"
    make_file("c", "omegapac checkpoint 2\n");
    assert_status(CHECK("learn", LEARN, "--checkpoint", "c"), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--resume continues that run"));
    assert_ok(CHECK("learn", LEARN, "--checkpoint", "c", "--resume"), &error);
    assert_ok(CHECK("learn", LEARN, "--checkpoint", "c", "--force"), &error);
    make_file("c", "");
    assert_ok(CHECK("learn", LEARN, "--checkpoint", "c"), &error);
}

static void devices_are_written_to(void **state)
{
    (void)state;
    opac_error error;
    assert_ok(CHECK("info", "m", "-o", "/dev/null"), &error);
    assert_ok(CHECK("info", "m", "-o", "/dev/full"), &error);
    assert_ok(CHECK("info", "m", "-o", "/dev/stdout"), &error);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_ok(CHECK("info", "m", "-o", "pipe"), &error); /* and is not waited for */
    assert_status(CHECK("learn", LEARN, "--trace", "-"), OPAC_ERROR_ARGUMENT);
    assert_status(CHECK("learn", LEARN, "--trace", ""), OPAC_ERROR_ARGUMENT);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)

SUITE(outputs)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_path_is_declared),
        IN_FOLDER(no_output_is_an_input),
        IN_FOLDER(no_two_outputs_are_one_file),
        IN_FOLDER(files_of_another_kind_need_force),
        IN_FOLDER(unwritable_paths_are_reported),
        IN_FOLDER(kinds_are_recognised),
        IN_FOLDER(implicit_inputs_are_inputs),
        IN_FOLDER(streams_are_files),
        IN_FOLDER(checkpoints_are_resumed_or_forced),
        IN_FOLDER(devices_are_written_to),
    };
    return cmocka_run_group_tests_name("cli.outputs", tests, NULL, NULL);
}
