/* SPDX-License-Identifier: MIT */
/* The syntax trees of PRISM files without errors. */
#include <dirent.h>

#include "base/text.h"
#include "prism/syntax.h"
#include "support/check.h"
#include "support/faults.h"

static void collect_message(void *context, const opac_message *message)
{
    (void)context;
    fail_msg("%s:%u:%u: %s", message->path, message->line, message->column, message->text);
}

/* Parses a text without errors. */
static void read_good(const char *text, size_t length, const char *path, prism_file *file)
{
    model_report report;
    opac_error error = {0};
    model_report_init(&report, collect_message, NULL, path, text, length);
    assert_ok(prism_parse(text, length, NULL, &report, file, &error), &error);
    assert_ok(model_report_end(&report, &error), &error);
    model_report_fini(&report);
}

static void assert_name(const prism_file *file, prism_name name, const char *text, uint32_t line,
                        uint32_t column)
{
    size_t length;
    assert_int_not_equal(name.id, PRISM_NO_NAME);
    const char *found = prism_name_text(file, name.id, &length);
    if (length != strlen(text) || memcmp(found, text, length) != 0)
        fail_msg("found the name %.*s, expected %s", (int)length, found, text);
    assert_int_equal(name.place.line, line);
    assert_int_equal(name.place.column, column);
}

static const char whole[] = "// everything once\n"
                            "const int N = 3; const x0; const bool t = true;\n"
                            "const double p; rate r = 2; prob q = 0.5; const rate s = 1;\n"
                            "dtmc\n"
                            "formula f = x > 1;\n"
                            "global g : [0..N] init 1;\n"
                            "module m\n"
                            "  x : [-1..N+1] init 0;\n"
                            "  b : bool;\n"
                            "  c : bool init true;\n"
                            "  [a] x=0 -> 0.5 : (x'=1) + (1-0.5) : (x '= x + 1) & (b'=!b);\n"
                            "  [] f -> true;\n"
                            "  [] b -> (x=1 ? 0.5 : 1) : true + (x=1 ? 0.5 : 0) : (b'=false);\n"
                            "  [z] true -> (x'=0);\n"
                            "endmodule\n"
                            "module n = m [x=y, b=d, min=max, a=a2] endmodule\n"
                            "rewards\n"
                            "  x=1 : 2*x;\n"
                            "endrewards\n"
                            "rewards \"named\"\n"
                            "  [a] true ? b : c : 1;\n"
                            "  [] true : 0.5;\n"
                            "endrewards\n"
                            "label \"good\" = x=1;\n"
                            "label \" spaced \" = b;\n"
                            "init x=0 | x=1 endinit\n"
                            "system m || n endsystem\n";

static void definitions(void **state)
{
    (void)state;
    prism_file file;
    read_good(whole, sizeof whole - 1, "whole", &file);
    assert_true(file.has_type);
    assert_true(file.type == OPAC_MODEL_DTMC);
    static const struct {
        const char *name;
        prism_type type;
        uint32_t nodes, line, column;
    } constants[] = {{"N", PRISM_TYPE_INT, 1, 2, 11},  {"x0", PRISM_TYPE_UNKNOWN, 0, 2, 24},
                     {"t", PRISM_TYPE_BOOL, 1, 2, 39}, {"p", PRISM_TYPE_REAL, 0, 3, 14},
                     {"r", PRISM_TYPE_REAL, 1, 3, 22}, {"q", PRISM_TYPE_REAL, 1, 3, 34},
                     {"s", PRISM_TYPE_REAL, 1, 3, 54}};
    assert_int_equal(file.constants.count, sizeof constants / sizeof constants[0]);
    for (size_t i = 0; i < file.constants.count; i++) {
        const prism_constant_syntax *constant = &file.constants.items[i];
        assert_name(&file, constant->name, constants[i].name, constants[i].line,
                    constants[i].column);
        assert_int_equal(constant->type, constants[i].type);
        assert_int_equal(constant->value.count, constants[i].nodes);
    }
    assert_int_equal(file.formulas.count, 1);
    assert_name(&file, file.formulas.items[0].name, "f", 5, 9);
    assert_int_equal(file.labels.count, 2);
    assert_name(&file, file.labels.items[0].name, "good", 24, 7);
    assert_name(&file, file.labels.items[1].name, "spaced", 25, 7);
    assert_int_equal(file.globals.count, 1);
    assert_name(&file, file.globals.items[0].name, "g", 6, 8);
    assert_int_equal(file.initial.count, 7);
    assert_int_equal(file.initial_place.line, 26);
    prism_file_fini(&file);
}

static void modules(void **state)
{
    (void)state;
    prism_file file;
    read_good(whole, sizeof whole - 1, "whole", &file);
    assert_int_equal(file.modules.count, 2);
    const prism_module_syntax *m = &file.modules.items[0], *n = &file.modules.items[1];
    assert_name(&file, m->name, "m", 7, 8);
    assert_int_equal(m->base.id, PRISM_NO_NAME);
    assert_int_equal(m->variable_count, 3);
    assert_name(&file, m->variables[0].name, "x", 8, 3);
    assert_int_equal(m->variables[0].type, PRISM_TYPE_INT);
    assert_int_equal(m->variables[0].low.count, 2);
    assert_int_equal(m->variables[0].high.count, 3);
    assert_int_equal(m->variables[0].initial.count, 1);
    assert_int_equal(m->variables[1].type, PRISM_TYPE_BOOL);
    assert_int_equal(m->variables[1].initial.count, 0);
    assert_int_equal(m->variables[2].initial.count, 1);
    assert_name(&file, n->name, "n", 16, 8);
    assert_name(&file, n->base, "m", 16, 12);
    assert_int_equal(n->renaming_count, 4);
    assert_name(&file, n->renamings[2].from, "min", 16, 25);
    assert_name(&file, n->renamings[2].to, "max", 16, 29);
    prism_file_fini(&file);
}

static void commands(void **state)
{
    (void)state;
    prism_file file;
    read_good(whole, sizeof whole - 1, "whole", &file);
    const prism_module_syntax *m = &file.modules.items[0];
    assert_int_equal(m->command_count, 4);
    const prism_command_syntax *first = &m->commands[0];
    assert_name(&file, first->action, "a", 11, 3);
    assert_int_equal(first->guard.count, 3);
    assert_int_equal(first->branch_count, 2);
    assert_int_equal(first->branches[0].probability.count, 1);
    assert_int_equal(first->branches[1].probability.count, 3);
    assert_int_equal(first->branches[1].assignment_count, 2);
    assert_name(&file, first->branches[1].assignments[0].variable, "x", 11, 40);
    assert_name(&file, first->branches[1].assignments[1].variable, "b", 11, 55);
    assert_int_equal(m->commands[1].action.id, PRISM_NO_NAME);
    assert_int_equal(m->commands[1].action.place.line, 12);
    assert_int_equal(m->commands[1].branch_count, 1);
    assert_int_equal(m->commands[1].branches[0].probability.count, 0);
    assert_int_equal(m->commands[1].branches[0].assignment_count, 0);
    assert_int_equal(m->commands[2].branch_count, 2);
    assert_int_equal(m->commands[2].branches[0].probability.count, 6);
    assert_int_equal(m->commands[2].branches[0].assignment_count, 0);
    assert_int_equal(m->commands[3].branches[0].assignment_count, 1);
    prism_file_fini(&file);
}

static void rewards(void **state)
{
    (void)state;
    prism_file file;
    read_good(whole, sizeof whole - 1, "whole", &file);
    assert_int_equal(file.rewards.count, 2);
    assert_int_equal(file.rewards.items[0].name.id, PRISM_NO_NAME);
    assert_int_equal(file.rewards.items[0].item_count, 1);
    assert_false(file.rewards.items[0].items[0].has_action);
    const prism_rewards_syntax *named = &file.rewards.items[1];
    assert_name(&file, named->name, "named", 20, 9);
    assert_int_equal(named->item_count, 2);
    assert_true(named->items[0].has_action);
    assert_true(named->items[1].has_action);
    assert_name(&file, named->items[0].action, "a", 21, 3);
    assert_int_equal(named->items[0].guard.count, 4);
    assert_int_equal(named->items[1].action.id, PRISM_NO_NAME);
    prism_file_fini(&file);
}

/* ---- systems ---- */

/* Postfix as text: names, and & for ||, + for |||, [a,b], /{a}, {a<-b}. */
static void add_system_node(const prism_file *file, const prism_system_node *node, base_text *text)
{
    static const char *const before[] = {"", "&", "+", "[", "/", "{"};
    size_t length;
    if (text->length > 0)
        base_text_add(text, " ");
    base_text_add(text, before[node->op]);
    if (node->op == PRISM_SYSTEM_MODULE) {
        const char *name = prism_name_text(file, node->name.id, &length);
        base_text_add_bytes(text, name, length);
    }
    for (uint32_t i = 0; i < node->count; i++) {
        bool renames = node->op == PRISM_SYSTEM_RENAME;
        uint32_t id = renames ? node->renamings[i].from.id : node->actions[i].id;
        const char *name = prism_name_text(file, id, &length);
        base_text_add_bytes(text, name, length);
        if (renames) {
            name = prism_name_text(file, node->renamings[i].to.id, &length);
            base_text_add_bytes(text, name, length);
        }
    }
}

static const struct {
    const char *text, *postfix;
} systems[] = {
    {"a", "a"},
    {"a || b || c", "a b & c &"},
    {"a ||| b ||| c", "a b + c +"},
    {"a ||| b || c", "a b c & +"},
    {"a |[x,y]| b", "a b [xy"},
    {"a || b |[x]| c", "a b c [x &"},
    {"a |[x]| b || c ||| d", ""},
    {"(a |[x]| b || c) ||| d", "a b [x c & d +"},
    {"a |[x]| b ||| d", "a b [x d +"},
    {"a || b / {x,y}", "a b /xy &"},
    {"(a || b) / {x} {x<-y,z<-w}", "a b & /x {xyzw"},
    {"a {x<-y} / {z} || (b)", "a {xy /z b &"},
    {"((a || (b ||| c)))", "a b c + &"},
    {"a || b ||| c", ""},
    {"a |[x]| b |[y]| c", ""},
    {"(a |[x]| b) |[y]| c", "a b [x c [y"},
};

static void compositions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        base_text text = {0}, found = {0};
        model_report report;
        prism_file file;
        opac_error error = {0};
        base_text_format(&text, "module a endmodule system %s endsystem", systems[i].text);
        model_report_init(&report, NULL, NULL, NULL, base_text_get(&text), text.length);
        assert_ok(prism_parse(base_text_get(&text), text.length, NULL, &report, &file, &error),
                  &error);
        assert_int_equal(model_report_has_errors(&report), systems[i].postfix[0] == '\0');
        for (uint32_t k = 0; k < file.system_count; k++)
            add_system_node(&file, &file.system[k], &found);
        if (strcmp(base_text_get(&found), systems[i].postfix) != 0)
            fail_msg("%s: %s", systems[i].text, base_text_get(&found));
        model_report_fini(&report);
        prism_file_fini(&file);
        base_text_fini(&text);
        base_text_fini(&found);
    }
}

/* ---- size ---- */

static void large(void **state)
{
    (void)state;
    enum {
        MANY = 20000
    };
    base_text text = {0};
    prism_file file;
    base_text_add(&text, "mdp module m x : [0..1]; [] true -> (x'=0)");
    for (unsigned i = 0; i < MANY; i++)
        base_text_add(&text, " & (x'=x)");
    base_text_add(&text, "; [] true -> 1 : true");
    for (unsigned i = 0; i < MANY; i++)
        base_text_add(&text, " + 0 : (x'=1)");
    base_text_add(&text, ";");
    for (unsigned i = 0; i < MANY; i++)
        base_text_add(&text, "[] x=0 -> (x'=1);\n");
    base_text_add(&text, "endmodule system ");
    for (unsigned i = 0; i < MANY; i++)
        base_text_add(&text, "(");
    base_text_add(&text, "m");
    for (unsigned i = 0; i < MANY; i++)
        base_text_add(&text, ") {a<-b}");
    base_text_add(&text, " endsystem");
    read_good(base_text_get(&text), text.length, "large", &file);
    const prism_module_syntax *module = &file.modules.items[0];
    assert_int_equal(module->command_count, MANY + 2);
    assert_int_equal(module->commands[0].branches[0].assignment_count, MANY + 1);
    assert_int_equal(module->commands[1].branch_count, MANY + 1);
    assert_int_equal(file.system_count, MANY + 1);
    prism_file_fini(&file);
    base_text_fini(&text);
}

/* ---- published models ---- */

static void read_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        skip();
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        char path[1024];
        prism_file file;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *stream = fopen(path, "rb");
        assert_non_null(stream);
        static char text[1 << 20];
        size_t length = fread(text, 1, sizeof text, stream);
        fclose(stream);
        read_good(text, length, path, &file);
        assert_true(file.modules.count > 0);
        prism_file_fini(&file);
    }
    closedir(directory);
}

static void published(void **state)
{
    (void)state;
    read_folder(PUBLISHED_FOLDER "/prism-scale/models");
    read_folder(PUBLISHED_FOLDER "/prism-ltl/models");
}

/* ---- out of memory ---- */

static opac_status sweep(void *context, opac_error *error)
{
    const char *text = context;
    model_report report;
    prism_file file;
    model_report_init(&report, NULL, NULL, NULL, text, strlen(text));
    opac_status status = prism_parse(text, strlen(text), NULL, &report, &file, error);
    if (status == OPAC_OK && report.failed)
        status = model_report_end(&report, error);
    model_report_fini(&report);
    prism_file_fini(&file);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    char good[sizeof whole];
    memcpy(good, whole, sizeof whole);
    assert_true(faults_sweep(sweep, good) > 20);
    char bad[] = "mdp const int = 3; module m x : bool; [] x == true => (x=1) & y'=3; endmodul\n"
                 "system (a || b endsystem init x endinit init y endinit labl x = 3; }";
    assert_true(faults_sweep(sweep, bad) > 5);
}

SUITE(parse)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions),  cmocka_unit_test(modules),
        cmocka_unit_test(commands),     cmocka_unit_test(rewards),
        cmocka_unit_test(compositions), cmocka_unit_test(large),
        cmocka_unit_test(published),    cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
