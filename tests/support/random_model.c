/* SPDX-License-Identifier: MIT */
#include "support/random_model.h"

#include <omegapac/builder.h>

#include "support/check.h"
#include "support/invariants.h"

static const char *const label_names[] = {"goal", "two words", "[x",   "{y",       "!z",
                                          "a\tb", "ü&ß",       "//no", "deadlock", "x=1"};
static const char *const action_names[] = {"go", "stay", "7", "a=1", "[b]", "__x", "01", "ünd"};

/* Ranges: a few values, two, any of 32 bits, one, and those at the ends of 64 bits. */
typedef struct variable {
    const char *name;
    opac_value_type type;
    int64_t low;
    uint32_t width;
} variable;

static const variable variables[] = {
    {"x", OPAC_VALUE_INT, -3, 13},
    {"done", OPAC_VALUE_BOOL, 0, 2},
    {"z'", OPAC_VALUE_INT, INT64_C(-2147483648), UINT32_MAX},
    {"_w.1", OPAC_VALUE_INT, 5, 1},
    {"high", OPAC_VALUE_INT, INT64_MAX - 2000000000, 2000000001},
    {"lowest", OPAC_VALUE_INT, INT64_MIN, 3},
};

enum {
    LABELS = sizeof label_names / sizeof *label_names,
    ACTIONS = sizeof action_names / sizeof *action_names,
    VARIABLES = sizeof variables / sizeof *variables
};

random_model_shape random_model_draw(uint64_t *random, uint32_t states)
{
    return (random_model_shape){.type =
                                    random_below(random, 3) == 0 ? OPAC_MODEL_DTMC : OPAC_MODEL_MDP,
                                .states = 1 + random_below(random, states),
                                .most_choices = 1 + random_below(random, 3),
                                .most_branches = 1 + random_below(random, 6),
                                .labels = random_below(random, LABELS + 1),
                                .actions = random_below(random, ACTIONS + 1),
                                .variables = random_below(random, VARIABLES + 1),
                                .exact = random_below(random, 3) == 0,
                                .deadlocks = random_below(random, 3) == 0};
}

typedef struct maker {
    uint64_t *random;
    random_model_shape shape;
    opac_builder *builder;
    opac_error error;
} maker;

static void add_variables(maker *make)
{
    for (uint32_t i = 0; i < make->shape.variables; i++) {
        const variable *v = &variables[i];
        assert_ok(opac_builder_variable(make->builder, v->name, v->type, v->low,
                                        v->low + ((int64_t)v->width - 1), &make->error),
                  &make->error);
    }
}

static void add_values(maker *make)
{
    for (uint32_t i = 0; i < make->shape.variables; i++) {
        int64_t above = random_below(make->random, variables[i].width);
        assert_ok(opac_builder_value(make->builder, i, variables[i].low + above, &make->error),
                  &make->error);
    }
}

/* Weights that sum to 1: fractions, or doubles of many digits. A target may come twice. */
static void add_branches(maker *make)
{
    uint32_t weights[8], total = 0;
    uint32_t count = 1 + random_below(make->random, make->shape.most_branches);
    assert_true(count <= 8);
    for (uint32_t i = 0; i < count; i++)
        total += weights[i] = 1 + random_below(make->random, 1000);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = random_below(make->random, make->shape.states);
        assert_ok(make->shape.exact ? opac_builder_branch_ratio(make->builder, target, weights[i],
                                                                total, &make->error)
                                    : opac_builder_branch(make->builder, target,
                                                          (double)weights[i] / total, &make->error),
                  &make->error);
    }
}

static void add_states(maker *make)
{
    const random_model_shape *shape = &make->shape;
    for (uint32_t s = 0; s < shape->states; s++) {
        uint32_t choices = shape->type == OPAC_MODEL_DTMC
                               ? 1
                               : 1 + random_below(make->random, shape->most_choices);
        assert_ok(opac_builder_state(make->builder, &make->error), &make->error);
        add_values(make);
        if (shape->deadlocks && random_below(make->random, 4) == 0)
            choices = 0;
        for (uint32_t c = 0; c < choices; c++) {
            uint32_t name = random_below(make->random, shape->actions + 1);
            assert_ok(opac_builder_choice(make->builder, name == 0 ? "" : action_names[name - 1],
                                          &make->error),
                      &make->error);
            add_branches(make);
        }
    }
}

opac_model *random_model(uint64_t *random, random_model_shape shape)
{
    maker make = {.random = random, .shape = shape};
    opac_model_options options = {.exact = shape.exact};
    opac_model *model;
    assert_ok(opac_builder_new(shape.type, &make.builder, &make.error), &make.error);
    add_variables(&make);
    add_states(&make);
    for (uint32_t i = 0; i < shape.labels; i++) {
        assert_ok(opac_builder_declare_label(make.builder, label_names[i], &make.error),
                  &make.error);
        for (uint32_t s = random_below(random, 4 * shape.states); s < shape.states;
             s += 1 + random_below(random, shape.states))
            assert_ok(opac_builder_label(make.builder, label_names[i], s, &make.error),
                      &make.error);
    }
    for (uint32_t s = random_below(random, shape.states); s < shape.states;
         s += 1 + random_below(random, shape.states))
        assert_ok(opac_builder_initial(make.builder, s, &make.error), &make.error);
    assert_ok(opac_builder_finish(make.builder, &options, &model, &make.error), &make.error);
    assert_ok(model_check(model, &make.error), &make.error);
    opac_builder_free(make.builder);
    return model;
}

/* ---- comparing ---- */

void assert_same_actions(const opac_model *a, const opac_model *b)
{
    assert_int_equal(opac_model_action_count(a), opac_model_action_count(b));
    for (uint32_t i = 0; i < opac_model_action_count(a); i++)
        assert_string_equal(opac_model_action(a, i), opac_model_action(b, i));
    for (uint32_t c = 0; c < opac_model_choices(a); c++)
        assert_string_equal(opac_model_choice_action(a, c), opac_model_choice_action(b, c));
}

void assert_same_process(const opac_model *a, const opac_model *b)
{
    const graph_process *p = &a->process, *q = &b->process;
    assert_int_equal(a->type, b->type);
    assert_int_equal(p->state_count, q->state_count);
    assert_int_equal(p->choice_count, q->choice_count);
    assert_int_equal(p->edge_count, q->edge_count);
    assert_memory_equal(p->choice_begin, q->choice_begin, (p->state_count + 1) * sizeof(uint32_t));
    assert_memory_equal(p->edge_begin, q->edge_begin, (p->choice_count + 1) * sizeof(uint32_t));
    assert_memory_equal(p->target, q->target, p->edge_count * sizeof(uint32_t));
    assert_memory_equal(p->prob, q->prob, p->edge_count * sizeof(double));
    assert_true((a->exact != NULL) == (b->exact != NULL));
    if (a->exact != NULL)
        assert_memory_equal(a->exact, b->exact, p->edge_count * sizeof(base_ratio));
    assert_same_actions(a, b);
}

void assert_same_labels(const opac_model *a, const opac_model *b)
{
    assert_int_equal(opac_model_label_count(a), opac_model_label_count(b));
    for (uint32_t i = 0; i < opac_model_label_count(a); i++) {
        assert_string_equal(opac_model_label(a, i), opac_model_label(b, i));
        assert_true(base_bitset_equal(&a->labels.items[i].states, &b->labels.items[i].states));
    }
    assert_int_equal(opac_model_initial_count(a), opac_model_initial_count(b));
    for (uint32_t i = 0; i < opac_model_initial_count(a); i++)
        assert_int_equal(opac_model_initial(a, i), opac_model_initial(b, i));
}

void assert_same_values(const opac_model *a, const opac_model *b)
{
    assert_int_equal(opac_model_variable_count(a), opac_model_variable_count(b));
    for (uint32_t i = 0; i < opac_model_variable_count(a); i++) {
        assert_string_equal(opac_model_variable(a, i), opac_model_variable(b, i));
        assert_int_equal(opac_model_variable_type(a, i), opac_model_variable_type(b, i));
        for (uint32_t s = 0; s < opac_model_states(a); s++)
            assert_true(opac_model_value(a, s, i) == opac_model_value(b, s, i));
    }
}

void assert_same_model(const opac_model *a, const opac_model *b)
{
    assert_same_process(a, b);
    assert_same_labels(a, b);
    assert_same_values(a, b);
    for (uint32_t i = 0; i < opac_model_variable_count(a); i++) {
        int64_t low[2], high[2];
        opac_model_variable_range(a, i, &low[0], &high[0]);
        opac_model_variable_range(b, i, &low[1], &high[1]);
        assert_true(low[0] == low[1]);
        assert_true(high[0] == high[1]);
    }
}
