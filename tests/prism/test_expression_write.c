/* SPDX-License-Identifier: MIT */
/* Expressions that are written and parsed again must be the same, node by node: selected and random ones. */
#include "prism/expression_write.h"

#include <omegapac/model.h>

#include "prism/scope.h"
#include "prism/vocabulary.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/random.h"

enum {
    ROUNDS = 3000,
    DEPTH = 5
};

static const char model_text[] = "mdp\n"
                                 "const int N=3; const double p=0.1;\n"
                                 "module m\n"
                                 "  x : [-4..4] init 0; y : [0..9] init 0;\n"
                                 "  b : bool init false; c : bool init true;\n"
                                 "  [] true -> true;\n"
                                 "endmodule\n";

static opac_model *read_model(void)
{
    opac_model *model = NULL;
    opac_error error;
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, model_text, strlen(model_text), NULL, &model,
                                   &error),
              &error);
    return model;
}

static prism_expression read_text(const opac_model *model, const char *text, base_arena *arena)
{
    prism_expression expression = {0};
    opac_error error = {0};
    opac_status status =
        prism_scope_expression(prism_vocabulary_scope(model), text, strlen(text),
                               (prism_place){1, 1}, PRISM_TYPE_BOOL, arena, &expression, &error);
    if (status != OPAC_OK)
        fail_msg("%s: %s", text, error.message);
    return expression;
}

static bool is_same(const prism_expression *a, const prism_expression *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        const prism_node *m = &a->nodes[i], *n = &b->nodes[i];
        same = m->op == n->op && m->type == n->type && m->arity == n->arity;
        if (m->op == PRISM_OP_REAL)
            same = same && m->value.real == n->value.real;
        else if (m->op == PRISM_OP_VARIABLE)
            same = same && m->value.index == n->value.index;
        else if (m->op == PRISM_OP_INT || m->op == PRISM_OP_BOOL)
            same = same && m->value.integer == n->value.integer;
    }
    return same;
}

/* The expected text; NULL if the text only has to be parsed back to the same expression. */
static void expect(const opac_model *model, const char *text, const char *expected)
{
    base_arena arena = {0};
    base_text written = {0};
    opac_error error;
    prism_expression first = read_text(model, text, &arena);
    assert_ok(prism_expression_write(&first, model, &written, &error), &error);
    if (expected != NULL)
        assert_string_equal(base_text_get(&written), expected);
    prism_expression second = read_text(model, base_text_get(&written), &arena);
    if (!is_same(&first, &second))
        fail_msg("%s became %s", text, base_text_get(&written));
    base_text_fini(&written);
    base_arena_fini(&arena);
}

static void selected_expressions(void **state)
{
    (void)state;
    opac_model *model = read_model();
    expect(model, "b", "b");
    expect(model, "x=N", "x = 3");
    expect(model, "b&c&x<y", "b & c & x < y");
    expect(model, "b&(c&x<y)", "b & (c & x < y)");
    expect(model, "(b|c)&!(x=1)", "(b | c) & !(x = 1)");
    expect(model, "b=>(c=>b)", "b => (c => b)");
    expect(model, "(b=>c)=>b", "(b => c) => b");
    expect(model, "(b=c)=(x=1)", "(b = c) = (x = 1)");
    expect(model, "(b?x:y)>(c?1:2)", "(b ? x : y) > (c ? 1 : 2)");
    expect(model, "b?c:(c?b:x=1)", "b ? c : (c ? b : x = 1)");
    expect(model, "x-(y-1)=x-y-1", "x - (y - 1) = (x - y) - 1");
    expect(model, "x*(y+1)/2>p", "(x * (y + 1)) / 2 > 0.1");
    expect(model, "-x<-2", "(-x) < (-2)");
    expect(model, "pow(x,2.0)>1e-7*y", "pow(x, 2.0) > 1e-7 * y");
    expect(model, "min(x,y,-1)=mod(max(x,0),3)", "min(x, y, -1) = mod(max(x, 0), 3)");
    expect(model, "floor(x/2)=-ceil(-y/3)", NULL);
    expect(model, "round(x*p)<log(y+1,2)", NULL);
    expect(model, "\"init\"&!\"deadlock\"", "\"init\" & !\"deadlock\"");
    expect(model, "x<100000000000000000000.0", NULL);
    opac_model_free(model);
}

/* ---- at random ---- */

static void add_bool(uint64_t *random, int depth, base_text *text);

static void add_number(uint64_t *random, int depth, base_text *text)
{
    static const char *const leaves[] = {"x", "y", "N", "0", "7", "p", "2.0", "0.25", "1e-9"};
    static const char *const words[] = {"+", "-", "*", "/"};
    static const char *const calls[] = {"min", "max", "pow"};
    uint32_t kind = depth > 0 ? random_below(random, 8) : 0;
    base_text_add(text, "(");
    if (kind == 0) {
        base_text_add(text, leaves[random_below(random, 9)]);
    } else if (kind < 5) {
        uint32_t word = random_below(random, 4);
        add_number(random, depth - 1, text);
        base_text_add(text, words[word]);
        if (word == 3) /* the divisor is not a constant 0 */
            base_text_add(text, "3");
        else
            add_number(random, depth - 1, text);
    } else if (kind == 5) {
        base_text_add(text, "-");
        add_number(random, depth - 1, text);
    } else if (kind == 6) {
        uint32_t call = random_below(random, 3);
        base_text_format(text, "%s(", calls[call]);
        add_number(random, call == 2 ? 0 : depth - 1, text);
        base_text_add(text, ",");
        if (call == 2)
            base_text_add(text, random_below(random, 2) > 0 ? "2" : "2.0");
        else
            add_number(random, depth - 1, text);
        base_text_add(text, ")");
    } else {
        add_bool(random, depth - 1, text);
        base_text_add(text, "?");
        add_number(random, depth - 1, text);
        base_text_add(text, ":");
        add_number(random, depth - 1, text);
    }
    base_text_add(text, ")");
}

static void add_bool(uint64_t *random, int depth, base_text *text)
{
    static const char *const leaves[] = {"b", "c", "\"init\"", "true"};
    static const char *const words[] = {"&", "|", "=>", "<=>", "=", "!="};
    static const char *const orders[] = {"=", "!=", "<", "<=", ">", ">="};
    uint32_t kind = depth > 0 ? random_below(random, 8) : 0;
    base_text_add(text, "(");
    if (kind == 0) {
        base_text_add(text, leaves[random_below(random, 4)]);
    } else if (kind == 1) {
        base_text_add(text, "!");
        add_bool(random, depth - 1, text);
    } else if (kind < 5) {
        add_bool(random, depth - 1, text);
        base_text_add(text, words[random_below(random, 6)]);
        add_bool(random, depth - 1, text);
    } else if (kind < 7) {
        add_number(random, depth - 1, text);
        base_text_add(text, orders[random_below(random, 6)]);
        add_number(random, depth - 1, text);
    } else {
        add_bool(random, depth - 1, text);
        base_text_add(text, "?");
        add_bool(random, depth - 1, text);
        base_text_add(text, ":");
        add_bool(random, depth - 1, text);
    }
    base_text_add(text, ")");
}

static void random_expressions(void **state)
{
    (void)state;
    uint64_t random = random_seed(631);
    opac_model *model = read_model();
    base_text text = {0};
    for (int round = 0; round < ROUNDS; round++) {
        base_text_clear(&text);
        add_bool(&random, DEPTH, &text);
        expect(model, base_text_get(&text), NULL);
    }
    base_text_fini(&text);
    opac_model_free(model);
}

/* A quote and a backslash in the name of a label. */
static void labels_with_special_characters(void **state)
{
    (void)state;
    static const char text[] = "dtmc\nmodule m x:[0..1]; [] true -> true; endmodule\n";
    opac_model *model = NULL;
    opac_error error;
    base_text written = {0};
    const prism_node node = {.op = PRISM_OP_VARIABLE, .type = PRISM_TYPE_BOOL, .value.index = 1};
    const prism_expression expression = {&node, 1};
    assert_ok(opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, &model, &error),
              &error);
    char *kept = model->labels.items[0].name, odd[] = "a\"\\b";
    model->labels.items[0].name = odd;
    assert_ok(prism_expression_write(&expression, model, &written, &error), &error);
    assert_string_equal(base_text_get(&written), "\"a\\\"\\\\b\"");
    model->labels.items[0].name = kept;
    base_text_fini(&written);
    opac_model_free(model);
}

typedef struct write_scene {
    const opac_model *model;
    prism_expression expression;
} write_scene;

static opac_status write_once(void *context, opac_error *error)
{
    const write_scene *s = context;
    base_text written = {0};
    opac_status status = prism_expression_write(&s->expression, s->model, &written, error);
    base_text_fini(&written);
    return status;
}

static void allocation_failures(void **state)
{
    (void)state;
    opac_model *model = read_model();
    base_arena arena = {0};
    write_scene s = {model, read_text(model, "b & (x + 2 * y < max(x, 1) | c)", &arena)};
    faults_sweep(write_once, &s);
    base_arena_fini(&arena);
    opac_model_free(model);
}

SUITE(expression_write)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selected_expressions), cmocka_unit_test(random_expressions),
        cmocka_unit_test(labels_with_special_characters), cmocka_unit_test(allocation_failures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
