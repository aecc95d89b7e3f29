/* SPDX-License-Identifier: MIT */
/*
 * A model as the graph of another one: states matched by values or by number, keys of the other model, and
 * all mismatches that are detected.
 */
#include <omegapac/environment.h>

#include "env/env.h"
#include "support/check.h"
#include "support/faults.h"

/* A walk on 0 … 3 by 0 … 1: right with luck, or up. */
static const char runs[] = "mdp\nmodule m\n x : [0..3] init 0; y : [0..1] init 0;\n"
                           " [r] x<3 -> 0.3:(x'=x+1) + 0.7:(x'=x);\n"
                           " [u] y<1 -> (y'=1);\n"
                           " [e] x=3 & y=1 -> true;\n"
                           "endmodule\nlabel \"goal\" = x=3;\nlabel \"high\" = y=1;\n";
/* The same, with other probabilities and variables in another order; one state more. */
static const char swapped[] = "mdp\nmodule m\n y : [0..2] init 0; x : [0..3] init 0;\n"
                              " [r] x<3 & y<2 -> 0.5:(x'=x+1) + 0.5:(x'=x);\n"
                              " [u] y<1 -> (y'=1);\n"
                              " [e] x=3 & y=1 -> 0.5:true + 0.5:(y'=2);\n"
                              " [f] y=2 -> 1/4:true + 3/4:(y'=1);\n"
                              "endmodule\nlabel \"goal\" = x=3;\nlabel \"high\" = y>=1;\n";

static opac_model *read_text(opac_model_format format, const char *text)
{
    opac_model *model;
    opac_error error;
    assert_ok(opac_model_read_text(format, text, strlen(text), NULL, &model, &error), &error);
    return model;
}

static opac_model *read_prism(const char *text)
{
    return read_text(OPAC_FORMAT_PRISM, text);
}

typedef struct heard {
    opac_observation seen[8];
    unsigned char keys[8][8];
    uint32_t count;
} heard;

static opac_status hear(void *context, const opac_observation *successor, uint64_t count,
                        opac_error *error)
{
    heard *h = context;
    (void)error;
    assert_true(h->count < 8);
    assert_true(successor->length <= 8);
    assert_true(count == 1);
    memcpy(h->keys[h->count], successor->key, successor->length);
    h->seen[h->count] = *successor;
    h->seen[h->count].key = h->keys[h->count];
    h->count++;
    return OPAC_OK;
}

static heard ask(opac_environment *env, const opac_observation *state, uint32_t action)
{
    heard h = {.count = 0};
    opac_error error;
    assert_ok(env_successors(env, state, action, hear, &h, &error), &error);
    return h;
}

static bool has(const heard *h, const void *key, size_t length)
{
    bool found = false;
    for (uint32_t i = 0; i < h->count; i++)
        found = found || (h->seen[i].length == length && memcmp(h->keys[i], key, length) == 0);
    return found;
}

/* ---- matched by values ---- */

/* Every successor in the model is one in the graph, under the same key, with the same letter. */
static void check_same(opac_environment *model, opac_environment *graph,
                       const opac_observation *state, uint32_t action, uint32_t more)
{
    heard ours = ask(model, state, action), theirs = ask(graph, state, action);
    assert_int_equal(theirs.count, ours.count + more);
    for (uint32_t i = 0; i < ours.count; i++)
        assert_true(has(&theirs, ours.keys[i], ours.seen[i].length));
    for (uint32_t i = 0; i < theirs.count; i++)
        for (uint32_t j = 0; j < ours.count; j++)
            if (theirs.seen[i].length == ours.seen[j].length &&
                memcmp(theirs.keys[i], ours.keys[j], ours.seen[j].length) == 0) {
                assert_int_equal(theirs.seen[i].letter, ours.seen[j].letter);
                assert_int_equal(theirs.seen[i].actions, ours.seen[j].actions);
            }
}

static void values_match(void **state)
{
    (void)state;
    opac_error error;
    opac_model *like = read_prism(runs), *other = read_prism(swapped);
    opac_environment *env, *graph;
    const char *const names[] = {"high", "goal"};
    opac_observation nowhere = {0};
    uint32_t last = UINT32_MAX;
    assert_int_equal(opac_model_states(other), opac_model_states(like) + 1);
    assert_ok(opac_environment_of_model(like, NULL, &env, &error), &error);
    assert_ok(opac_environment_of_graph(other, like, NULL, &graph, &error), &error);
    assert_ok(env_bind(env, names, 2, &error), &error);
    assert_ok(env_bind(graph, names, 2, &error), &error);
    check_same(env, graph, &nowhere, 0, 0);
    for (uint32_t s = 0; s < opac_model_states(like); s++) {
        opac_observation from = {
            .key = &s, .length = sizeof s, .actions = opac_model_choice_count(like, s)};
        bool is_last = opac_model_value(like, s, 0) == 3 && opac_model_value(like, s, 1) == 1;
        last = is_last ? s : last;
        for (uint32_t a = 0; a < from.actions; a++)
            check_same(env, graph, &from, a, is_last ? 1 : 0);
    }
    /* The state that the graph alone has, under a key that no state of the model can have. */
    opac_observation from = {.key = &last, .length = sizeof last, .actions = 1};
    heard h = ask(graph, &from, 0);
    uint32_t own = h.seen[0].length == 8 ? 0 : 1;
    assert_int_equal(h.seen[own].length, 8);
    assert_int_equal(h.seen[own].letter, 3);
    assert_int_equal(h.seen[own].actions, 1);
    h.seen[own].key = h.keys[own];
    heard back = ask(graph, &h.seen[own], 0);
    assert_int_equal(back.count, 2);
    assert_true(has(&back, &last, sizeof last));
    assert_true(has(&back, h.keys[own], 8));
    opac_environment_free(env);
    opac_environment_free(graph);
    opac_model_free(like);
    opac_model_free(other);
}

/* ---- matched by number ---- */

static const char lines[] = "3 4\n0 0 0.5\n0 1 0.5\n1 2 1\n2 2 1\n";
static const char fewer[] = "2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n";

static void numbers_match(void **state)
{
    (void)state;
    opac_error error;
    opac_model *three = read_text(OPAC_FORMAT_TRA, lines), *two = read_text(OPAC_FORMAT_TRA, fewer);
    opac_environment *graph;
    uint32_t s = 0;
    uint64_t own = 2;
    opac_observation from = {.key = &s, .length = sizeof s, .actions = 1},
                     alone = {.key = &own, .length = sizeof own, .actions = 1};
    /* One that lacks a state. */
    assert_ok(opac_environment_of_graph(two, three, NULL, &graph, &error), &error);
    heard h = ask(graph, &from, 0);
    assert_int_equal(h.count, 2);
    s = 2;
    assert_status(env_successors(graph, &from, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the graph has no state 2");
    s = 3;
    assert_status(env_successors(graph, &from, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_successors(graph, &alone, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    opac_environment_free(graph);
    /* One that has more. */
    assert_ok(opac_environment_of_graph(three, two, NULL, &graph, &error), &error);
    s = 1;
    h = ask(graph, &from, 0);
    assert_true(h.count == 1);
    assert_true(h.seen[0].length == 8);
    assert_true(has(&h, &own, 8));
    h = ask(graph, &alone, 0);
    assert_true(h.count == 1);
    assert_true(has(&h, &own, 8));
    own = 1; /* has the key of the model */
    assert_status(env_successors(graph, &alone, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    own = UINT64_C(0x100000002);
    assert_status(env_successors(graph, &alone, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    alone.length = 5;
    assert_status(env_successors(graph, &alone, 0, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    from.actions = 2;
    assert_status(env_successors(graph, &from, 1, hear, &h, &error), OPAC_ERROR_ARGUMENT);
    opac_environment_free(graph);
    opac_model_free(three);
    opac_model_free(two);
}

/* A variable more on one side, or another name: then numbers count. */
static void other_variables(void **state)
{
    (void)state;
    opac_error error;
    const char *const texts[] = {
        "mdp\nmodule m\n y : [0..1] init 0; [] y=0 -> 0.5:(y'=1)+0.5:true; [] y=1 -> true;\n"
        "endmodule\n",
        "mdp\nmodule m\n z : [0..1] init 0; [] z=0 -> 0.1:(z'=1)+0.9:true; [] z=1 -> true;\n"
        "endmodule\n",
        "mdp\nmodule m\n y : [0..1] init 0; z : [0..1] init 1;\n"
        " [] y=0 -> 0.1:(y'=1)&(z'=0)+0.9:true; [] y=1 -> true;\nendmodule\n"};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            opac_model *one = read_prism(texts[i]), *other = read_prism(texts[j]);
            opac_environment *graph;
            uint32_t s = 0;
            opac_observation from = {.key = &s, .length = sizeof s, .actions = 1};
            assert_ok(opac_environment_of_graph(one, other, NULL, &graph, &error), &error);
            heard h = ask(graph, &from, 0);
            assert_true(h.count == 2);
            assert_true(h.seen[0].length == 4);
            assert_true(h.seen[1].length == 4);
            opac_environment_free(graph);
            opac_model_free(one);
            opac_model_free(other);
        }
}

/* ---- mismatches ---- */

static void check_mismatch(const char *text, const char *message)
{
    opac_error error;
    opac_model *like = read_prism(runs), *other = read_prism(text);
    opac_environment *graph;
    assert_status(opac_environment_of_graph(other, like, NULL, &graph, &error),
                  OPAC_ERROR_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_null(graph);
    opac_model_free(like);
    opac_model_free(other);
}

static void mismatches_are_errors(void **state)
{
    (void)state;
    check_mismatch("mdp\nmodule m\n x : [0..3] init 1; y : [0..1] init 0;\n"
                   " [r] x<3 -> (x'=x+1); [u] y<1 -> (y'=1); [e] x=3 & y=1 -> true;\nendmodule\n",
                   "the graph has other initial states than the model: state 'x=1, y=0' is initial "
                   "in the graph only");
    check_mismatch("mdp\nmodule m\n x : [0..3]; y : [0..1];\n"
                   " [r] x<3 -> (x'=x+1); [u] y<1 -> (y'=1); [e] x=3 & y=1 -> true;\nendmodule\n"
                   "init x=0 endinit\n",
                   "the graph has 2 initial states, but the model has 1");
    check_mismatch("mdp\nmodule m\n x : [0..3]; z : [0..1];\n"
                   " [r] x<3 -> (x'=x+1); [u] z<1 -> (z'=1); [e] x=3 & z=1 -> true;\nendmodule\n"
                   "init x=0 endinit\n",
                   "the graph has 2 initial states, but the model has 1");
    check_mismatch("mdp\nmodule m\n x : [0..3] init 0; z : [0..1] init 1;\n"
                   " [r] x<3 -> (x'=x+1); [u] z<1 -> (z'=1); [e] x=3 & z=1 -> true;\nendmodule\n",
                   "state 'x=0, y=0' has 2 actions in the model and 1 in the graph (states are "
                   "matched by number)");
    check_mismatch("mdp\nmodule m\n x : [0..3] init 0; y : [0..1] init 0;\n"
                   " [r] x<3 -> (x'=x+1); [u] y<1 -> (y'=1); [e] x=3 & y=1 -> true;\n"
                   " [e] x=3 & y=1 -> true;\nendmodule\n",
                   "state 'x=3, y=1' has 1 action in the model and 2 in the graph");
    check_mismatch("mdp\nmodule m\n x : [0..3] init 0; y : [0..1] init 0;\n"
                   " [u] y<1 -> (y'=1); [r] x<3 -> (x'=x+1); [e] x=3 & y=1 -> true;\nendmodule\n",
                   "action 0 of state 'x=0, y=0' is \"r\" in the model and \"u\" in the graph");
}

static void labels_are_its_own(void **state)
{
    (void)state;
    opac_error error;
    opac_model *like = read_prism(runs), *bare = read_text(OPAC_FORMAT_TRA, lines);
    opac_model *same = read_text(OPAC_FORMAT_TRA, lines);
    opac_environment *graph;
    opac_observation seen;
    const char *const names[] = {"goal"}, *const wrong[] = {"gaol"};
    assert_ok(opac_environment_of_graph(same, bare, NULL, &graph, &error), &error);
    assert_status(env_bind(graph, names, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "proposition \"goal\" in the graph: "));
    opac_environment_free(graph);
    assert_ok(opac_environment_of_graph(like, like, NULL, &graph, &error), &error);
    assert_ok(env_bind(graph, names, 1, &error), &error);
    assert_status(env_bind(graph, wrong, 1, &error), OPAC_ERROR_ARGUMENT);
    assert_status(env_reset(graph, 1, &seen, &error), OPAC_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "a graph cannot be run");
    env_traits traits = env_get_traits(graph);
    assert_true(traits.knows_graph);
    assert_true(traits.lanes == 1);
    assert_false(traits.can_draw);
    assert_false(traits.can_fork);
    assert_false(traits.is_tabulated);
    assert_false(traits.random_start);
    opac_environment_free(graph);
    /* By the properties, over the graph. */
    opac_properties *properties;
    const char *const own[] = {"far"};
    assert_ok(opac_properties_parse("label \"far\" = x>1;\nPmax=? [ F \"far\" ]", like, NULL,
                                    &properties, &error),
              &error);
    assert_ok(opac_environment_of_graph(like, like, properties, &graph, &error), &error);
    assert_ok(env_bind(graph, own, 1, &error), &error);
    opac_environment_free(graph);
    opac_properties_free(properties);
    opac_model_free(like);
    opac_model_free(bare);
    opac_model_free(same);
}

/* ---- out of memory ---- */

typedef struct two {
    opac_model *like, *graph;
} two;

static opac_status use_everything(void *context, opac_error *error)
{
    const two *models = context;
    const char *const names[] = {"goal"};
    opac_environment *env;
    uint32_t zero = 0;
    opac_observation from = {.key = &zero, .length = sizeof zero, .actions = 2};
    heard h = {.count = 0};
    opac_status status = opac_environment_of_graph(models->graph, models->like, NULL, &env, error);
    if (status == OPAC_OK)
        status = env_bind(env, names, 1, error);
    if (status == OPAC_OK)
        status = env_successors(env, &from, 0, hear, &h, error);
    opac_environment_free(env);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    two models = {read_prism(runs), read_prism(swapped)};
    assert_true(faults_sweep(use_everything, &models) > 10);
    opac_model_free(models.like);
    opac_model_free(models.graph);
}

SUITE(graph)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_match),       cmocka_unit_test(numbers_match),
        cmocka_unit_test(other_variables),    cmocka_unit_test(mismatches_are_errors),
        cmocka_unit_test(labels_are_its_own), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
