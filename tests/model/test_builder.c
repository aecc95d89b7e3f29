/* SPDX-License-Identifier: MIT */
/* The builder: models, errors, and that a failed call changes nothing. */
#include <omegapac/builder.h>

#include <math.h>

#include "model/builder.h"
#include "model/explicit.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random.h"

static opac_error error;

typedef struct heard {
    unsigned warnings;
    char last[OPAC_MESSAGE_SIZE];
} heard;

static void listen(void *context, const opac_message *message)
{
    heard *h = context;
    assert_int_equal(message->code, OPAC_OK);
    h->warnings++;
    snprintf(h->last, sizeof h->last, "%s", message->text);
}

static opac_builder *new_builder(opac_model_type type)
{
    opac_builder *builder;
    assert_ok(opac_builder_new(type, &builder, &error), &error);
    return builder;
}

static void add_state(opac_builder *builder)
{
    assert_ok(opac_builder_state(builder, &error), &error);
}

static void add_choice(opac_builder *builder, const char *action)
{
    assert_ok(opac_builder_choice(builder, action, &error), &error);
}

static void add_branch(opac_builder *builder, uint32_t target, double probability)
{
    assert_ok(opac_builder_branch(builder, target, probability, &error), &error);
}

/* Finishes the model, checks its invariants and frees the builder. */
static opac_model *finish(opac_builder *builder, const opac_model_options *options)
{
    opac_model *model;
    assert_ok(opac_builder_finish(builder, options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- the example in the header ---- */

static void test_example(void **state)
{
    (void)state;
    opac_builder *builder = new_builder(OPAC_MODEL_MDP);
    add_state(builder);
    add_choice(builder, "try");
    add_branch(builder, 1, 0.9);
    add_branch(builder, 0, 0.1);
    add_state(builder);
    add_choice(builder, "");
    add_branch(builder, 1, 1);
    assert_ok(opac_builder_label(builder, "goal", 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    opac_model *model = finish(builder, NULL);
    assert_int_equal(opac_model_get_type(model), OPAC_MODEL_MDP);
    assert_int_equal(opac_model_states(model), 2);
    assert_int_equal(opac_model_choices(model), 2);
    assert_int_equal(opac_model_transitions(model), 3);
    assert_int_equal(opac_model_initial_count(model), 1);
    assert_int_equal(opac_model_initial(model, 0), 0);
    assert_string_equal(opac_model_choice_action(model, 0), "try");
    assert_string_equal(opac_model_choice_action(model, 1), "");
    assert_int_equal(opac_model_action_count(model), 1);
    assert_string_equal(opac_model_action(model, 0), "try");
    assert_int_equal(opac_model_branch_target(model, 0), 1);
    assert_true(opac_model_branch_probability(model, 0) == 0.9);
    assert_int_equal(opac_model_label_count(model), 3);
    assert_string_equal(opac_model_label(model, 2), "goal");
    assert_true(opac_model_has_label(model, 1, 2));
    assert_int_equal(opac_model_label_states(model, 2), 1);
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_DEADLOCK), 0);
    opac_model_free(model);
}

/* ---- comparison with a plain list ---- */

typedef struct plain_branch {
    uint32_t choice, target;
    base_ratio ratio;
} plain_branch;

enum {
    MOST_BRANCHES = 4000
};

typedef struct plain {
    plain_branch branches[MOST_BRANCHES];
    size_t count;
} plain;

/* Adds to the branch of the plain list with the same target, or adds a new branch. */
static void plain_add(plain *list, uint32_t choice, uint32_t target, base_ratio ratio)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->branches[i].choice == choice && list->branches[i].target == target) {
            list->branches[i].ratio = base_ratio_add(list->branches[i].ratio, ratio);
            return;
        }
    assert_true(list->count < MOST_BRANCHES);
    list->branches[list->count++] = (plain_branch){choice, target, ratio};
}

/* Adds a choice with many branches, most of which have repeated targets. */
static void add_random_choice(opac_builder *builder, plain *list, uint32_t choice, uint32_t states,
                              uint64_t *random)
{
    uint32_t count = random_below(random, 4) == 0 ? 40 : 1 + random_below(random, 5);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = random_below(random, states);
        assert_ok(opac_builder_branch_ratio(builder, target, 1, count, &error), &error);
        plain_add(list, choice, target, base_ratio_of(1, count));
    }
}

static void build_random(uint64_t *random, bool exact)
{
    static plain list;
    opac_builder *builder = new_builder(OPAC_MODEL_MDP);
    uint32_t states = 1 + random_below(random, 30), choice = 0;
    uint32_t first_choice[32];
    uint64_t named = 0;
    list.count = 0;
    for (uint32_t s = 0; s < states; s++) {
        add_state(builder);
        first_choice[s] = choice;
        uint32_t choices = random_below(random, 3);
        for (uint32_t c = 0; c < choices; c++) {
            bool name = random_below(random, 9) == 0;
            add_choice(builder, name ? "named" : NULL);
            named |= (uint64_t)name << choice;
            add_random_choice(builder, &list, choice++, states, random);
        }
        if (choices == 0)
            plain_add(&list, choice++, s, base_ratio_of_integer(1));
    }
    first_choice[states] = choice;
    assert_ok(opac_builder_initial(builder, states - 1, &error), &error);
    opac_model *model = finish(builder, &(opac_model_options){.exact = exact});
    assert_int_equal(opac_model_choices(model), choice);
    assert_int_equal(opac_model_transitions(model), list.count);
    for (uint32_t s = 0; s < states; s++)
        assert_int_equal(opac_model_choice_begin(model, s), first_choice[s]);
    for (uint32_t e = 0; e < list.count; e++) {
        assert_int_equal(opac_model_branch_target(model, e), list.branches[e].target);
        double expected = base_ratio_to_double(list.branches[e].ratio);
        double found = opac_model_branch_probability(model, e);
        assert_true(exact ? found == expected : found >= 0.999999 * expected);
        assert_true(found <= 1.000001 * expected);
        if (exact)
            assert_int_equal(base_ratio_compare(model->exact[e], list.branches[e].ratio), 0);
    }
    for (uint32_t c = 0; c < choice; c++)
        assert_string_equal(opac_model_choice_action(model, c), (named >> c) & 1 ? "named" : "");
    opac_model_free(model);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t random = random_seed(3);
    for (int round = 0; round < 400; round++)
        build_random(&random, round % 2 == 0);
}

/* ---- values and labels ---- */

static void test_values(void **state)
{
    (void)state;
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, -5, 5, &error), &error);
    assert_ok(opac_builder_variable(builder, "b", OPAC_VALUE_BOOL, 0, 1, &error), &error);
    for (uint32_t s = 0; s < 3; s++) {
        add_state(builder);
        add_choice(builder, NULL);
        add_branch(builder, 0, 1);
        if (s > 0)
            assert_ok(opac_builder_value(builder, 0, (int64_t)s, &error), &error);
        if (s == 2)
            assert_ok(opac_builder_value(builder, 1, 1, &error), &error);
    }
    assert_status(opac_builder_value(builder, 0, 6, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 2: the value 6 of 'x' is not in its range, -5 to 5");
    assert_status(opac_builder_value(builder, 2, 0, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "y", OPAC_VALUE_INT, 0, 1, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    opac_model *model = finish(builder, NULL);
    assert_int_equal(opac_model_value(model, 0, 0), -5);
    assert_int_equal(opac_model_value(model, 2, 0), 2);
    assert_int_equal(opac_model_value(model, 1, 1), 0);
    assert_int_equal(opac_model_value(model, 2, 1), 1);
    opac_model_free(model);
}

/* In any order, before the states, twice; "init" and "deadlock" are labels like others. */
static void test_labels(void **state)
{
    (void)state;
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    assert_ok(opac_builder_declare_label(builder, "none", &error), &error);
    assert_ok(opac_builder_label(builder, "x", 1, &error), &error);
    assert_ok(opac_builder_label(builder, "x", 0, &error), &error);
    assert_ok(opac_builder_label(builder, "x", 1, &error), &error);
    assert_ok(opac_builder_label(builder, "deadlock", 0, &error), &error);
    assert_ok(opac_builder_label(builder, "init", 1, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_initial(builder, 1, &error), &error);
    for (uint32_t s = 0; s < 2; s++) {
        add_state(builder);
        add_choice(builder, NULL);
        add_branch(builder, 0, 1);
    }
    opac_model *model = finish(builder, NULL);
    assert_int_equal(opac_model_label_count(model), 4);
    assert_string_equal(opac_model_label(model, 2), "none");
    assert_int_equal(opac_model_label_states(model, 2), 0);
    assert_int_equal(opac_model_label_states(model, 3), 2);
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_DEADLOCK), 1);
    assert_int_equal(opac_model_initial_count(model), 2);
    assert_int_equal(model_label_find(model, "x", 1), 3);
    assert_int_equal(model_label_find(model, "y", 1), UINT32_MAX);
    opac_model_free(model);
}

/* ---- sums ---- */

static opac_status try_sum(double first, double second, bool exact, heard *h, double *got)
{
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    opac_model_options options = {.exact = exact, .listener = listen, .listener_context = h};
    opac_model *model;
    *h = (heard){0};
    add_state(builder);
    add_choice(builder, NULL);
    add_branch(builder, 0, first);
    add_branch(builder, 1, second);
    add_state(builder);
    add_choice(builder, NULL);
    add_branch(builder, 0, 1);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    opac_status status = opac_builder_finish(builder, &options, &model, &error);
    if (status == OPAC_OK) {
        *got = opac_model_branch_probability(model, 0);
        assert_ok(model_check(model, &error), &error);
        opac_model_free(model);
    }
    opac_builder_free(builder);
    return status;
}

static void test_sums(void **state)
{
    (void)state;
    heard h;
    double got;
    assert_ok(try_sum(0.1, 0.9, false, &h, &got), &error);
    assert_true(got == 0.1);
    assert_true(h.warnings == 0);
    assert_ok(try_sum(0.1, 0.9 + 0x1p-53, false, &h, &got),
              &error); /* rounding error: not changed */
    assert_true(got == 0.1);
    assert_true(h.warnings == 0);
    assert_ok(try_sum(0.1, 0.9 + 1e-13, false, &h, &got), &error);
    assert_true(fabs(got * (1 + 1e-13) - 0.1) <= 0x1p-54);
    assert_true(got < 0.1);
    assert_true(h.warnings == 0);
    assert_ok(try_sum(0.1, 0.9 + 1e-10, false, &h, &got), &error); /* divided without a warning */
    assert_true(got < 0.1);
    assert_true(h.warnings == 0);
    assert_ok(try_sum(0.5, 0.500001, false, &h, &got), &error); /* divided with a warning */
    assert_true(got < 0.5);
    assert_true(h.warnings == 1);
    assert_string_equal(h.last, "the probabilities of 1 choice do not sum to 1 and are divided by "
                                "their sum, which is 1.000001 in state 0");
    assert_status(try_sum(0.5, 0.50002, false, &h, &got), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "state 0, choice 0: the probabilities sum to 1.00002 instead of 1");
    assert_status(try_sum(0.1, 0.8, false, &h, &got), OPAC_ERROR_ARGUMENT);
    assert_ok(try_sum(0.25, 0.75, true, &h, &got), &error);
    assert_ok(try_sum(0.1, 0.9, true, &h, &got), &error); /* the doubles sum to more than 1 */
    assert_true(got == 0.1);
    assert_true(h.warnings == 0);
    assert_ok(try_sum(0.5, 0.5000005, true, &h, &got), &error);
    assert_true(fabs(got * 1.0000005 - 0.5) <= 0x1p-52);
    assert_true(h.warnings == 1);
    assert_status(try_sum(0.5, 0.50002, true, &h, &got), OPAC_ERROR_ARGUMENT);
    assert_status(try_sum(0x1p-70, 1, true, &h, &got), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 0, choice 0: the exact value of the probability "
                                       "8.470329472543003e-22 to state 0 does not fit in a "
                                       "fraction of 64-bit numbers");
}

/* The same numbers give the same row from a file and from the builder, and are divided only once. */
static void test_rows_of_files(void **state)
{
    (void)state;
    static const double rows[][2] = {{5e-12, 0.9999999999941},
                                     {0.3333333333333, 0.6666666666666},
                                     {1e-300, 1},
                                     {0.1, 0.9000004},
                                     {0.123456789, 0.87654321}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        heard h;
        double built, again;
        opac_model *model;
        assert_ok(try_sum(rows[i][0], rows[i][1], false, &h, &built), &error);
        snprintf(text, sizeof text, "2 3\n0 0 %.17g\n0 1 %.17g\n1 0 1\n", rows[i][0], rows[i][1]);
        assert_ok(model_read_tra_text(text, strlen(text), &(opac_model_options){0}, &model, &error),
                  &error);
        double first = opac_model_branch_probability(model, 0);
        double second = opac_model_branch_probability(model, 1);
        assert_true(built == first);
        assert_ok(try_sum(first, second, false, &h, &again), &error);
        assert_true(again == first);
        opac_model_free(model);
    }
}

/* Merged doubles keep their exact sum: that of 0.1 and 0.2 is neither the double 0.3 nor 3/10. */
static void test_merged_doubles(void **state)
{
    (void)state;
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    opac_model_options options = {.exact = true};
    opac_model *model;
    add_state(builder);
    add_choice(builder, NULL);
    add_branch(builder, 0, 0x1p-60);
    add_branch(builder, 0, 1 - 0x1p-53);
    add_branch(builder, 0, 0x1p-53 - 0x1p-60);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    assert_ok(model_check(model, &error), &error);
    opac_model_free(model);
    opac_builder_free(builder);
}

/* ---- errors ---- */

static void test_failing_calls(void **state)
{
    (void)state;
    opac_builder *builder = NULL;
    assert_status(opac_builder_new((opac_model_type)7, &builder, &error), OPAC_ERROR_ARGUMENT);
    builder = new_builder(OPAC_MODEL_MDP);
    assert_status(opac_builder_choice(builder, "a", &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_branch(builder, 0, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_value(builder, 0, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "", OPAC_VALUE_INT, 0, 1, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 1, 0, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "x", OPAC_VALUE_BOOL, 0, 2, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "x", (opac_value_type)5, 0, 1, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, INT64_C(1) << 32, &error),
                  OPAC_ERROR_LIMIT);
    assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, 1, &error), &error);
    assert_status(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, 1, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "variable 'x' already exists");
    assert_status(opac_builder_label(builder, "", 0, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_declare_label(builder, NULL, &error), OPAC_ERROR_ARGUMENT);
    add_state(builder);
    assert_status(opac_builder_branch(builder, 0, 1, &error), OPAC_ERROR_ARGUMENT);
    add_choice(builder, NULL);
    static const double bad[] = {0, -0.5, 1.5, 0.0 / 1e-300, -0.0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_status(opac_builder_branch(builder, 0, bad[i], &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_branch(builder, 0, (double)NAN, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message,
                        "the probability nan from state 0 to state 0 is not in (0, 1]");
    assert_status(opac_builder_branch_ratio(builder, 0, 1, 0, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_branch_ratio(builder, 0, 3, 2, &error), OPAC_ERROR_ARGUMENT);
    assert_status(opac_builder_branch_ratio(builder, 0, -1, 2, &error), OPAC_ERROR_ARGUMENT);
    assert_ok(opac_builder_branch_ratio(builder, 0, -2, -2, &error), &error);
    add_state(builder);
    assert_status(opac_builder_branch(builder, 0, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    opac_model_free(finish(builder, NULL));
}

/* Each error is reported by opac_builder_finish; after its correction the builder makes the model. */
static void test_failing_finish(void **state)
{
    (void)state;
    opac_model *model;
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "a model must have at least one state");
    add_state(builder);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no initial state");
    assert_ok(opac_builder_initial(builder, 1, &error), &error);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 1 is initial, but the number of states is 1");
    assert_ok(opac_builder_label(builder, "x", 2, &error), &error);
    add_state(builder);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 2 has the label 'x', but the number of states is 2");
    add_state(builder);
    add_choice(builder, NULL);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 2, choice 0: the choice has no branches");
    add_branch(builder, 3, 1);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 2 leads to state 3, but the number of states is 3");
    add_state(builder);
    heard h = {0};
    model = finish(builder, &(opac_model_options){.listener = listen, .listener_context = &h});
    assert_int_equal(opac_model_states(model), 4);
    assert_int_equal(opac_model_label_states(model, MODEL_LABEL_DEADLOCK), 3);
    assert_int_equal(h.warnings, 1);
    opac_model_free(model);

    builder = new_builder(OPAC_MODEL_DTMC);
    add_state(builder);
    add_choice(builder, NULL);
    add_branch(builder, 0, 1);
    add_choice(builder, NULL);
    add_branch(builder, 0, 1);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_status(opac_builder_finish(builder, NULL, &model, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "state 0 of a DTMC has 2 choices instead of one");
    opac_builder_free(builder);
    opac_builder_free(NULL);
}

/* After a model was made, the builder is empty and can make another one. */
static void test_twice(void **state)
{
    (void)state;
    opac_model *model;
    opac_builder *builder = new_builder(OPAC_MODEL_MDP);
    for (int round = 0; round < 2; round++) {
        assert_ok(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, 3, &error), &error);
        add_state(builder);
        add_choice(builder, "a");
        assert_ok(opac_builder_branch_ratio(builder, 0, 1, 1, &error), &error);
        assert_ok(opac_builder_label(builder, "l", 0, &error), &error);
        assert_ok(opac_builder_initial(builder, 0, &error), &error);
        assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
        assert_ok(model_check(model, &error), &error);
        assert_int_equal(opac_model_states(model), 1);
        assert_int_equal(opac_model_label_count(model), 3);
        assert_null(model->exact);
        opac_model_free(model);
    }
    opac_builder_free(builder);
}

/* ---- running out of memory ---- */

/* Repeats a failed call, which must then succeed. */
#define RETRY(call)                                                                                \
    do {                                                                                           \
        opac_status tried = (call);                                                                \
        if (tried != OPAC_OK) {                                                                    \
            failed = tried;                                                                        \
            assert_ok((call), err);                                                                \
        }                                                                                          \
    } while (0)

/* Doubles that are fractions with a denominator of up to 2^62. */
static void test_small_doubles(void **state)
{
    (void)state;
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    opac_model_options options = {.exact = true};
    add_state(builder);
    add_choice(builder, NULL);
    for (uint32_t i = 0; i <= 62; i++)
        add_branch(builder, i, ldexp(1, i < 62 ? -(int)i - 1 : -62));
    for (uint32_t i = 1; i <= 62; i++) {
        add_state(builder);
        add_choice(builder, NULL);
        add_branch(builder, i, 1);
    }
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    opac_model *model = finish(builder, &options);
    assert_true(model->exact[61].denominator == INT64_C(1) << 62);
    opac_model_free(model);
}

/* Two branches to state 0 whose sum, 1/2 + 2^-54, is not a double; with the third the sum is 1. */
static opac_builder *half_and_a_bit(void)
{
    opac_builder *builder = new_builder(OPAC_MODEL_DTMC);
    add_state(builder);
    add_choice(builder, NULL);
    add_branch(builder, 0, 0.5);
    add_branch(builder, 0, ldexp(1, -54));
    add_branch(builder, 1, 0.5 - ldexp(1, -54));
    add_state(builder);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    return builder;
}

/* A finish that fails for lack of memory leaves the builder unchanged, including branches to be merged. */
static void test_finish_without_memory(void **state)
{
    (void)state;
    opac_model_options options = {.exact = true};
    size_t n = 0;
    opac_status status;
    do {
        opac_builder *builder = half_and_a_bit();
        opac_model *model;
        faults_fail_at(++n);
        status = opac_builder_finish(builder, NULL, &model, &error);
        faults_fail_at(0);
        if (status == OPAC_OK) {
            opac_model_free(model);
            opac_builder_free(builder);
            break;
        }
        assert_status(status, OPAC_ERROR_MEMORY);
        model = finish(builder, &options);
        assert_int_equal(opac_model_transitions(model), 3);
        assert_true(model->exact[0].denominator == INT64_C(1) << 54);
        opac_model_free(model);
    } while (n < 100);
    assert_in_range(n, 4, 99);
}

static opac_status build_all(void *context, opac_error *err)
{
    const bool *exact = context;
    opac_builder *builder;
    opac_model *model;
    opac_status failed = OPAC_OK, status = opac_builder_new(OPAC_MODEL_MDP, &builder, err);
    if (status != OPAC_OK)
        return status;
    RETRY(opac_builder_variable(builder, "x", OPAC_VALUE_INT, 0, 9, err));
    RETRY(opac_builder_variable(builder, "y", OPAC_VALUE_INT, 0, 9, err));
    for (uint32_t s = 0; s < 12; s++) {
        RETRY(opac_builder_state(builder, err));
        if (s % 3 == 0)
            continue;
        RETRY(opac_builder_value(builder, 0, s % 10, err));
        RETRY(opac_builder_choice(builder, s % 4 == 1 ? "name" : NULL, err));
        uint32_t count = s == 5 ? 20 : 2;
        for (uint32_t i = 0; i < count; i++)
            RETRY(opac_builder_branch_ratio(builder, i % 3, 1, count, err));
        RETRY(opac_builder_label(builder, s % 2 == 0 ? "even" : "odd", s, err));
    }
    RETRY(opac_builder_initial(builder, 0, err));
    opac_model_options options = {.exact = *exact};
    RETRY(opac_builder_finish(builder, &options, &model, err));
    RETRY(model_check(model, err));
    assert_int_equal(opac_model_states(model), 12);
    assert_int_equal(opac_model_transitions(model), 4 + 7 * 2 + 3);
    assert_int_equal(opac_model_action_count(model), 1);
    assert_int_equal(opac_model_label_states(model, 2) + opac_model_label_states(model, 3), 8);
    assert_int_equal(opac_model_value(model, 5, 0), 5);
    opac_model_free(model);
    opac_builder_free(builder);
    if (failed != OPAC_OK)
        return base_fail_memory(err);
    return OPAC_OK;
}

static void test_faults(void **state)
{
    (void)state;
    bool exact = false;
    assert_true(faults_sweep(build_all, &exact) > 20);
    exact = true;
    assert_true(faults_sweep(build_all, &exact) > 20);
}

SUITE(builder)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_rows_of_files),
        cmocka_unit_test(test_merged_doubles),
        cmocka_unit_test(test_failing_calls),
        cmocka_unit_test(test_failing_finish),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_small_doubles),
        cmocka_unit_test(test_finish_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
