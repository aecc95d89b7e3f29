/* SPDX-License-Identifier: MIT */
/*
 * The induced chain of a policy, compared with a naive product of model and policy, and its drawing. Chains
 * are written and read as files of PRISM and Storm.
 */
#include "scene.h"
#include "support/faults.h"
#include "support/invariants.h"

enum {
    ROUNDS = 400
};

/* ---- the chain ---- */

/* Pairs by brute force: rows of memory values a state. */
typedef struct naive {
    bool *seen;
    uint32_t states, memories;
} naive;

static bool *at(const naive *n, uint32_t state, uint32_t memory)
{
    return &n->seen[(size_t)state * n->memories + memory];
}

static uint32_t explore(const opac_policy *policy, naive *n)
{
    const graph_process *process = &policy->domain.model->process;
    uint32_t count = 0;
    bool grown = true;
    n->states = process->state_count;
    n->memories = policy->memory_count;
    n->seen = calloc((size_t)n->states * n->memories, sizeof *n->seen);
    assert_non_null(n->seen);
    for (size_t i = 0; i < policy->domain.model->initial.count; i++)
        *at(n, policy->domain.model->initial.items[i], policy->start[i]) = true;
    while (grown) {
        grown = false;
        for (uint32_t s = 0; s < n->states; s++)
            for (uint32_t m = 0; m < n->memories; m++) {
                uint32_t next = m, choice = opac_policy_act(policy, s, &next);
                for (uint32_t e = process->edge_begin[choice];
                     *at(n, s, m) && e < process->edge_begin[choice + 1]; e++) {
                    grown = grown || !*at(n, process->target[e], next);
                    *at(n, process->target[e], next) = true;
                }
            }
    }
    for (size_t i = 0; i < (size_t)n->states * n->memories; i++)
        count += n->seen[i];
    return count;
}

/* The state of the model that a state of the chain corresponds to, by its values, which are distinct. */
static uint32_t state_of(const opac_model *model, const opac_model *chain, uint32_t pair)
{
    for (uint32_t s = 0; s < opac_model_states(model); s++) {
        bool same = true;
        for (uint32_t v = 0; v < opac_model_variable_count(model); v++)
            same = same && opac_model_value(model, s, v) == opac_model_value(chain, pair, v);
        if (same)
            return s;
    }
    fail_msg("no such state");
    return 0;
}

static void check_branches(const opac_policy *policy, const opac_model *chain, uint32_t pair,
                           uint32_t state, uint32_t memory)
{
    const opac_model *model = policy->domain.model;
    uint32_t choice = opac_policy_act(policy, state, &memory);
    uint32_t begin = model->process.edge_begin[choice], first = chain->process.edge_begin[pair];
    uint32_t count = opac_model_branch_count(model, choice);
    uint32_t last = opac_model_variable_count(model);
    assert_int_equal(opac_model_branch_count(chain, pair), count);
    assert_string_equal(opac_model_choice_action(chain, pair),
                        opac_model_choice_action(model, choice));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = chain->process.target[first + i];
        assert_int_equal(state_of(model, chain, target), model->process.target[begin + i]);
        assert_int_equal(opac_model_value(chain, target, last), memory);
        assert_true(chain->process.prob[first + i] == model->process.prob[begin + i]);
        assert_int_equal(chain->exact != NULL, model->exact != NULL);
        if (model->exact != NULL)
            assert_memory_equal(&chain->exact[first + i], &model->exact[begin + i],
                                sizeof *chain->exact);
    }
}

static void check_labels(const opac_policy *policy, const opac_model *chain, uint32_t pair,
                         uint32_t state, uint32_t memory)
{
    const opac_model *model = policy->domain.model;
    assert_int_equal(opac_model_label_count(chain), opac_model_label_count(model));
    for (uint32_t i = 1; i < opac_model_label_count(model); i++) {
        assert_string_equal(opac_model_label(chain, i), opac_model_label(model, i));
        assert_int_equal(opac_model_has_label(chain, pair, i),
                         opac_model_has_label(model, state, i));
    }
    bool begins = opac_model_has_label(model, state, MODEL_LABEL_INIT) &&
                  opac_policy_start(policy, state) == memory;
    assert_int_equal(opac_model_has_label(chain, pair, MODEL_LABEL_INIT), begins);
}

static void check_chain(const opac_policy *policy, const opac_model *chain)
{
    const opac_model *model = policy->domain.model;
    uint32_t variables = opac_model_variable_count(model);
    naive n;
    opac_error error;
    assert_ok(model_check(chain, &error), &error);
    assert_int_equal(opac_model_get_type(chain), OPAC_MODEL_DTMC);
    assert_int_equal(opac_model_states(chain), explore(policy, &n));
    assert_int_equal(opac_model_initial_count(chain), opac_model_initial_count(model));
    assert_int_equal(opac_model_variable_count(chain), variables + 1);
    assert_string_equal(opac_model_variable(chain, variables), "_memory");
    for (uint32_t p = 0; p < opac_model_states(chain); p++) {
        uint32_t state = state_of(model, chain, p);
        uint32_t memory = (uint32_t)opac_model_value(chain, p, variables);
        assert_true(*at(&n, state, memory));
        *at(&n, state, memory) = false; /* no pair comes twice */
        check_branches(policy, chain, p, state, memory);
        check_labels(policy, chain, p, state, memory);
    }
    free(n.seen);
}

/* Generates models until the states of one have distinct values. */
static random_model_shape draw_shape(uint64_t *random)
{
    random_model_shape shape = random_model_draw(random, 8);
    shape.variables = 3;
    return shape;
}

static bool values_differ(const opac_model *model)
{
    for (uint32_t s = 0; s < opac_model_states(model); s++)
        if (state_of(model, model, s) != s)
            return false;
    return true;
}

static void test_chains(void **state)
{
    (void)state;
    uint64_t random = random_seed(521);
    unsigned made = 0, exact = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scene s;
        opac_model *chain = NULL;
        opac_error error;
        if (!scene_make(&random, draw_shape(&random), scene_automaton(&random), &s))
            continue;
        if (values_differ(s.model)) {
            opac_policy *policy = scene_policy(&s);
            assert_ok(opac_policy_induce(policy, NULL, &chain, &error), &error);
            check_chain(policy, chain);
            made++;
            exact += chain->exact != NULL;
            opac_model_free(chain);
            opac_policy_free(policy);
        }
        scene_fini(&s);
    }
    assert_true(made > ROUNDS / 3);
    assert_true(exact > 10);
}

/* ---- by hand ---- */

static const char two[] = "mdp\n"
                          "module m\n"
                          "  x : [0..1] init 0;\n"
                          "  _memory : bool init false;\n"
                          "  [a] x=0 -> 1/3:(x'=1) + 2/3:true;\n"
                          "  [b] x=0 -> true;\n"
                          "  [] x=1 -> (x'=0);\n"
                          "endmodule\n"
                          "label \"one\" = x=1;\n";

static const char alternating[] =
    "{\"schema\": \"omegapac.policy/1\", \"objective\": \"a \\\"b\\\"\", \"memory\": {\"count\": "
    "2, "
    "\"start\": [{\"values\": {\"x\": 0, \"_memory\": false}, \"memory\": 0}]}, \"decisions\": ["
    "{\"memory\": 0, \"values\": {\"x\": 0, \"_memory\": false}, \"action\": \"a\", \"next\": 1},"
    "{\"memory\": 1, \"values\": {\"x\": 0, \"_memory\": false}, \"action\": \"b\", \"next\": 0}]}";

typedef struct hand_made {
    opac_model *model;
    opac_policy *policy;
} hand_made;

static hand_made make(void)
{
    hand_made made;
    opac_error error;
    opac_model_options options = {.exact = true};
    assert_ok(
        opac_model_read_text(OPAC_FORMAT_PRISM, two, strlen(two), &options, &made.model, &error),
        &error);
    assert_ok(opac_policy_parse(alternating, strlen(alternating), made.model, &made.policy, &error),
              &error);
    return made;
}

static void release(hand_made *made)
{
    opac_policy_free(made->policy);
    opac_model_free(made->model);
}

static char *print(void (*writer)(const opac_model *, opac_output *), const opac_model *model)
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    writer(model, out);
    assert_ok(opac_output_commit(out, &error), &error);
    char *copy = strdup(opac_output_bytes(out, &length));
    opac_output_free(out);
    return copy;
}

/* A model may have a variable of that name. */
static void test_files(void **state)
{
    (void)state;
    hand_made made = make();
    opac_model *chain, *again;
    opac_error error;
    assert_ok(opac_policy_induce(made.policy, NULL, &chain, &error), &error);
    char *tra = print(opac_model_write_tra, chain), *lab = print(opac_model_write_lab, chain);
    char *sta = print(opac_model_write_sta, chain), *drn = print(opac_model_write_drn, chain);
    assert_string_equal(tra, "3 4\n0 1 1/3 a\n0 2 2/3 a\n1 2 1\n2 0 1 b\n");
    assert_string_equal(lab, "0=\"init\" 1=\"deadlock\" 2=\"one\"\n0: 0\n1: 2\n");
    assert_string_equal(sta,
                        "(x,_memory,_memory_1)\n0:(0,false,0)\n1:(1,false,1)\n2:(0,false,1)\n");
    opac_model_options options = {.exact = true};
    assert_ok(opac_model_read_text(OPAC_FORMAT_DRN, drn, strlen(drn), &options, &again, &error),
              &error);
    assert_same_process(chain, again);
    assert_same_actions(chain, again);
    assert_same_labels(chain, again);
    opac_model_free(again);
    free(tra);
    free(lab);
    free(sta);
    free(drn);
    opac_model_free(chain);
    release(&made);
}

static void test_names(void **state)
{
    (void)state;
    opac_builder *builder;
    opac_model *model = NULL, *chain;
    opac_policy *policy;
    policy_entry_vec drafts = {0};
    opac_error error;
    assert_ok(opac_builder_new(OPAC_MODEL_DTMC, &builder, &error), &error);
    assert_ok(opac_builder_variable(builder, "_memory_1", OPAC_VALUE_INT, 0, 1, &error), &error);
    assert_ok(opac_builder_variable(builder, "_memory", OPAC_VALUE_INT, 0, 1, &error), &error);
    assert_ok(opac_builder_state(builder, &error), &error);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error); /* a deadlock */
    opac_builder_free(builder);
    assert_ok(policy_new(model, &policy, &error), &error);
    policy->objective = base_copy_text("", 0);
    policy->start = base_alloc_zeroed(1, sizeof *policy->start);
    assert_ok(policy_set_decisions(policy, &drafts, NULL, &error), &error);
    assert_ok(opac_policy_induce(policy, NULL, &chain, &error), &error);
    assert_string_equal(opac_model_variable(chain, 2), "_memory_2");
    assert_true(opac_model_has_label(chain, 0, MODEL_LABEL_DEADLOCK));
    opac_model_free(chain);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_cancel(void **state)
{
    (void)state;
    hand_made made = make();
    opac_cancel *cancel;
    opac_model *chain = NULL;
    opac_error error;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    assert_status(opac_policy_induce(made.policy, cancel, &chain, &error), OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    release(&made);
}

/* ---- pictures ---- */

static const char drawn[] = "digraph policy {\n"
                            "  rankdir=LR\n"
                            "  labelloc=t\n"
                            "  label=\"a \\\"b\\\"\"\n"
                            "  node [shape=box, style=rounded]\n"
                            "  start0 [label=\"\", shape=point, width=0.05]\n"
                            "  start0 -> 0\n"
                            "  0 [label=\"x=0, _memory=false\\nmemory 0\"]\n"
                            "  1 [label=\"x=1, _memory=false\\nmemory 1\\n{one}\"]\n"
                            "  2 [label=\"x=0, _memory=false\\nmemory 1\"]\n"
                            "  0 -> 1 [label=\"a 1/3\"]\n"
                            "  0 -> 2 [label=\"a 2/3\"]\n"
                            "  1 -> 2 [label=\"1\"]\n"
                            "  2 -> 0 [label=\"b 1\"]\n"
                            "}\n";

static void test_dot(void **state)
{
    (void)state;
    hand_made made = make();
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_policy_write_dot(made.policy, 2, out, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the policy reaches more than 2 product states, "
                                       "too many for a drawing");
    opac_output_bytes(out, &length);
    assert_int_equal(length, 0);
    assert_ok(opac_policy_write_dot(made.policy, 3, out, &error), &error);
    assert_string_equal(opac_output_bytes(out, &length), drawn);
    opac_output_free(out);
    release(&made);
}

/* A single memory value is not written; states without variables and actions without names are written as
 * numbers. */
static void test_plain_dot(void **state)
{
    (void)state;
    static const char tra[] = "2 3 3\n0 0 1 1\n0 1 0 1\n1 0 0 1\n";
    static const char text[] =
        "{\"schema\": \"omegapac.policy/1\", \"memory\": {\"count\": 1, \"start\": [{\"state\": 0, "
        "\"memory\": 0}]}, \"decisions\": []}";
    opac_model *model = NULL;
    opac_policy *policy = NULL;
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_model_read_text(OPAC_FORMAT_TRA, tra, strlen(tra), NULL, &model, &error),
              &error);
    assert_ok(opac_policy_parse(text, strlen(text), model, &policy, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_ok(opac_policy_write_dot(policy, 9, out, &error), &error);
    const char *bytes = opac_output_bytes(out, &length);
    assert_non_null(strstr(bytes, "  0 [label=\"state 0\"]\n"));
    assert_non_null(strstr(bytes, "  0 -> 1 [label=\"#1 1\"]\n"));
    opac_output_free(out);
    opac_policy_free(policy);
    opac_model_free(model);
}

/* ---- out of memory ---- */

static opac_status induce_it(void *context, opac_error *error)
{
    opac_model *chain;
    opac_status status = opac_policy_induce(context, NULL, &chain, error);
    if (status == OPAC_OK)
        opac_model_free(chain);
    return status;
}

static opac_status draw_it(void *context, opac_error *error)
{
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    status = opac_policy_write_dot(context, 1000, out, error);
    opac_status committed = opac_output_commit(out, status == OPAC_OK ? error : NULL);
    opac_output_free(out);
    return status == OPAC_OK ? committed : status;
}

static void test_faults(void **state)
{
    (void)state;
    hand_made made = make();
    assert_true(faults_sweep(induce_it, made.policy) > 10);
    assert_true(faults_sweep(draw_it, made.policy) > 3);
    release(&made);
}

SUITE(induce)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains), cmocka_unit_test(test_files),
        cmocka_unit_test(test_names),  cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_dot),    cmocka_unit_test(test_plain_dot),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
