/* SPDX-License-Identifier: MIT */
/*
 * Runs in which most episodes of a candidate's trial enter product states that were not known when it was fixed, for
 * automata in which these are decided wrongly by whoever follows another edge, or none. L is compared with the exact
 * probability of the policy as users get it:
 *
 *     model        the policy file, written and read again, evaluated in the model
 *     simulator    likewise, by keys; and the policy in memory, and the learning itself
 *
 * Rooms: the start leads to a state with "b" or "c", and that to one of many rooms, with "d". In the room, or behind
 * it in a gate, the second action wins ("a") and the first one loses, which is what a policy takes that knows nothing.
 * The automata are nondeterministic: what they read in a
 * room takes them to different memories, of which one must not be left, or must be reached by an epsilon move.
 * Their edges are ordered in either way: the order in a policy file is another one.
 *
 * Halls: the start leads to one of many rooms, half of them with "b", and all to a gate. Its right action depends on
 * the room, and so on a memory that changes where nothing is known; the objectives are formulas.
 *
 * The probability is that of the language. On these models that of the automata is the language of a formula.
 */
#ifndef TESTS_LEARN_UNLISTED_CASES_H
#define TESTS_LEARN_UNLISTED_CASES_H

#include "aut/hoa_order.h"
#include "check/scene.h"
#include "learn/exact_test.h"
#include "learn/learn.h"
#include "learn/runs.h"
#include "policy/policy.h"
#include "support/random.h"

/* ---- automata ---- */

enum {
    UNLISTED_EDGES = 4,
    UNLISTED_STATES = 9
};

typedef struct unlisted_edge {
    const char *label; /* NULL: no further edge */
    unsigned to;
    bool mark;
} unlisted_edge;

typedef struct unlisted_automaton {
    const char *propositions, *formula;
    unsigned states;
    unlisted_edge edges[UNLISTED_STATES][UNLISTED_EDGES];
} unlisted_automaton;

/* A room is entered with memory 1 after "b", and after "c" with 0, from which an epsilon move leads to 1. */
static const unlisted_automaton unlisted_silent = {
    "5 \"a\" \"b\" \"c\" \"d\" \"epsilon\"",
    "F a",
    3,
    {{{"!1&!3&!4", 0, false}, {"1&!4", 1, false}, {"4", 1, false}},
     {{"0&!2&!4", 2, true}, {"!0&!2&!4", 1, false}},
     {{"!4", 2, true}}},
};
/* After "b", a room is entered with memory 7, which only helps if it is kept. */
static const unlisted_automaton unlisted_branching = {
    "5 \"a\" \"b\" \"c\" \"d\" \"e\"",
    "F (a | c)",
    9,
    {{{"t", 1, false}, {"t", 2, false}},
     {{"4", 5, true}, {"!4", 1, false}},
     {{"2", 3, false}, {"2", 7, false}, {"1", 7, false}},
     {{"3", 8, false}},
     {{"t", 5, true}},
     {{"t", 5, true}},
     {{"t", 6, false}, {"0", 5, true}},
     {{"3", 1, false}, {"3", 7, false}, {"!3", 6, false}},
     {{"t", 4, false}}},
};

static inline opac_automaton *unlisted_read(const unlisted_automaton *a, bool is_reversed)
{
    char text[2000], *at = text, *end = text + sizeof text;
    at += snprintf(at, (size_t)(end - at),
                   "HOA: v1\nStates: %u\nStart: 0\nAP: %s\nAcceptance: 1 Inf(0)\n--BODY--\n",
                   a->states, a->propositions);
    for (unsigned s = 0; s < a->states; s++) {
        at += snprintf(at, (size_t)(end - at), "State: %u\n", s);
        for (unsigned e = 0; e < UNLISTED_EDGES; e++) {
            const unlisted_edge *edge = &a->edges[s][is_reversed ? UNLISTED_EDGES - 1 - e : e];
            if (edge->label != NULL)
                at += snprintf(at, (size_t)(end - at), "[%s] %u%s\n", edge->label, edge->to,
                               edge->mark ? " {0}" : "");
        }
    }
    snprintf(at, (size_t)(end - at), "--END--\n");
    return scene_automaton(text);
}

/* ---- models ---- */

typedef struct unlisted_plan {
    const unlisted_automaton *automaton; /* NULL: a hall */
    const char *formula;                 /* of a hall */
    opac_automaton_kind kind;            /* of its automaton */
    bool is_reversed;                    /* the edges of the automaton */
    bool is_gated;                       /* the decision is behind the room */
    bool is_compared;                    /* the policy file with what was learned */
    bool is_free;                        /* nothing is known; else with T */
    uint32_t rooms, parts;               /* "b" has so many of 20 parts */
    double delta, epsilon, target, at_least;
    uint64_t steps;
    sample_tuning tuning;
} unlisted_plan;

enum {
    UNLISTED_PARTS = 20,
    UNLISTED_FIRST = 3 /* the number of the first room */
};

static inline void unlisted_choice(opac_builder *builder, uint32_t target)
{
    opac_error error = {0};
    assert_ok(opac_builder_choice(builder, "", &error), &error);
    if (target != UINT32_MAX)
        assert_ok(opac_builder_branch_ratio(builder, target, 1, 1, &error), &error);
}

static inline void unlisted_branch(opac_builder *builder, uint32_t target, int64_t p, int64_t q)
{
    opac_error error = {0};
    assert_ok(opac_builder_branch_ratio(builder, target, p, q, &error), &error);
}

static inline void unlisted_doors(opac_builder *builder, uint32_t rooms)
{
    unlisted_choice(builder, UINT32_MAX);
    for (uint32_t r = 0; r < rooms; r++)
        unlisted_branch(builder, UNLISTED_FIRST + r, 1, rooms);
}

static inline void unlisted_label(opac_builder *builder, const char *name, uint32_t state)
{
    opac_error error = {0};
    assert_ok(opac_builder_label(builder, name, state, &error), &error);
}

/* 0: the start; 1 and 2: "b" and "c" (not in a hall); rooms; the gate; where a run has lost, and won. */
static inline opac_model *unlisted_model(const unlisted_plan *plan)
{
    const opac_model_options options = {.exact = true};
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    bool is_hall = plan->automaton == NULL, is_gated = plan->is_gated || is_hall;
    uint32_t gate = UNLISTED_FIRST + plan->rooms, lost = gate + 1, won = gate + 2;
    opac_error error = {0};
    opac_builder *builder;
    opac_model *model;
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &builder, &error), &error);
    for (uint32_t s = 0; s < gate + 3; s++) {
        assert_ok(opac_builder_state(builder, &error), &error);
        if (s > gate)
            unlisted_choice(builder, s);
        else if (s == gate || (s >= UNLISTED_FIRST && !is_gated)) {
            unlisted_choice(builder, gate + 1);
            unlisted_choice(builder, gate + 2);
        } else if (s >= UNLISTED_FIRST)
            unlisted_choice(builder, gate);
        else if (s > 0 || is_hall)
            unlisted_doors(builder, plan->rooms);
        else {
            unlisted_choice(builder, UINT32_MAX);
            unlisted_branch(builder, 1, plan->parts, UNLISTED_PARTS);
            unlisted_branch(builder, 2, UNLISTED_PARTS - plan->parts, UNLISTED_PARTS);
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_ok(opac_builder_declare_label(builder, names[i], &error), &error);
    unlisted_label(builder, "a", won);
    unlisted_label(builder, is_hall ? "c" : "b", is_hall ? lost : 1);
    if (!is_hall)
        unlisted_label(builder, "c", 2);
    for (uint32_t r = 0; r < plan->rooms; r++)
        if (!is_hall || r % 2 == 0)
            unlisted_label(builder, is_hall ? "b" : "d", UNLISTED_FIRST + r);
    assert_ok(opac_builder_initial(builder, 0, &error), &error);
    assert_ok(opac_builder_finish(builder, &options, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- the same behind callbacks ---- */

typedef struct unlisted_walker {
    const opac_model *model;
    uint64_t random;
    uint32_t state;
    char key[16];
} unlisted_walker;

static inline void unlisted_key(uint32_t state, char key[16])
{
    snprintf(key, 16, "k%u", state);
}

static inline bool unlisted_is_end(const opac_model *model, uint32_t state)
{
    uint32_t choice = opac_model_choice_begin(model, state);
    return opac_model_branch_target(model, opac_model_branch_begin(model, choice)) == state;
}

static inline opac_status unlisted_show(unlisted_walker *w, opac_observation *seen)
{
    unlisted_key(w->state, w->key);
    *seen = (opac_observation){.key = w->key,
                               .length = strlen(w->key),
                               .actions = unlisted_is_end(w->model, w->state)
                                              ? 0
                                              : opac_model_choice_count(w->model, w->state)};
    for (uint32_t l = 0; l < opac_model_label_count(w->model); l++)
        seen->letter |= (uint64_t)opac_model_has_label(w->model, w->state, l) << l;
    return OPAC_OK;
}

static inline opac_status unlisted_reset(void *context, uint64_t seed, opac_observation *seen,
                                         opac_error *error)
{
    unlisted_walker *w = context;
    (void)error;
    w->random = seed;
    w->state = opac_model_initial(w->model, 0);
    return unlisted_show(w, seen);
}

static inline opac_status unlisted_step(void *context, uint32_t action, opac_observation *seen,
                                        opac_error *error)
{
    unlisted_walker *w = context;
    (void)error;
    uint32_t choice = opac_model_choice_begin(w->model, w->state) + action;
    uint32_t branch = opac_model_branch_begin(w->model, choice);
    uint32_t last = branch + opac_model_branch_count(w->model, choice) - 1;
    double left = (double)(random_u64(&w->random) >> 11) * 0x1p-53;
    while (branch < last && left >= opac_model_branch_probability(w->model, branch))
        left -= opac_model_branch_probability(w->model, branch++);
    w->state = opac_model_branch_target(w->model, branch);
    return unlisted_show(w, seen);
}

static inline opac_environment *unlisted_environment(unlisted_walker *w)
{
    const char *names[8];
    uint32_t labels = opac_model_label_count(w->model);
    opac_environment *environment;
    opac_error error = {0};
    assert_true(labels <= 8);
    for (uint32_t l = 0; l < labels; l++)
        names[l] = opac_model_label(w->model, l);
    const opac_environment_callbacks callbacks = {.reset = unlisted_reset,
                                                  .step = unlisted_step,
                                                  .propositions = names,
                                                  .proposition_count = labels};
    assert_ok(opac_environment_new(&callbacks, w, &environment, &error), &error);
    return environment;
}

/* ---- what a policy is worth ---- */

/* The policy as it is written and read again. */
static inline opac_policy *unlisted_file(const opac_policy *policy, const opac_model *model)
{
    opac_policy *read;
    opac_output *out;
    opac_error error = {0};
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_policy_write(policy, out);
    const char *text = opac_output_bytes(out, &length);
    assert_ok(opac_policy_parse(text, length, model, &read, &error), &error);
    opac_output_free(out);
    return read;
}

static inline double unlisted_in_model(const opac_policy *policy, const opac_objective *language)
{
    opac_evaluation *evaluation;
    opac_error error = {0};
    assert_ok(opac_evaluate(policy, language, NULL, &evaluation, &error), &error);
    double value = opac_evaluation_interval(evaluation, 0).value;
    opac_evaluation_free(evaluation);
    return value;
}

/* The chain of a policy that is run by keys. */
typedef struct unlisted_chain {
    const opac_model *model;
    const opac_policy *policy;
    const opac_learning *learning; /* if there is no policy */
    uint32_t *number;              /* by state and memory; plus one */
    base_u32_vec nodes;            /* state, memory, … */
    opac_builder *builder;
} unlisted_chain;

static inline uint32_t unlisted_node(unlisted_chain *c, uint32_t state, uint32_t memory)
{
    opac_error error = {0};
    assert_true(memory < 16);
    uint32_t *number = &c->number[state * 16 + memory];
    if (*number == 0) {
        assert_ok(base_u32_vec_push(&c->nodes, state, &error), &error);
        assert_ok(base_u32_vec_push(&c->nodes, memory, &error), &error);
        *number = (uint32_t)c->nodes.count / 2;
    }
    return *number - 1;
}

static inline void unlisted_expand(unlisted_chain *c, uint32_t node)
{
    char key[16];
    opac_error error = {0};
    uint32_t state = c->nodes.items[2 * node], memory = c->nodes.items[2 * node + 1], action = 0;
    unlisted_key(state, key);
    if (!unlisted_is_end(c->model, state))
        action = c->policy != NULL ? opac_policy_act_at(c->policy, key, strlen(key), &memory)
                                   : opac_learning_act(c->learning, key, strlen(key), &memory);
    uint32_t choice = opac_model_choice_begin(c->model, state) + action;
    uint32_t branch = opac_model_branch_begin(c->model, choice);
    uint32_t end = branch + opac_model_branch_count(c->model, choice);
    assert_ok(opac_builder_state(c->builder, &error), &error);
    assert_ok(opac_builder_choice(c->builder, "", &error), &error);
    for (; branch < end; branch++)
        assert_ok(opac_builder_branch(
                      c->builder,
                      unlisted_node(c, opac_model_branch_target(c->model, branch), memory),
                      opac_model_branch_probability(c->model, branch), &error),
                  &error);
}

static inline double unlisted_by_key(const opac_model *model, const opac_policy *policy,
                                     const opac_learning *learning, const opac_objective *language)
{
    unlisted_chain c = {.model = model, .policy = policy, .learning = learning};
    const opac_check_options check = {.threads = 1};
    char key[16];
    opac_model *chain;
    opac_error error = {0};
    uint32_t start = opac_model_initial(model, 0);
    c.number = calloc((size_t)opac_model_states(model) * 16, sizeof *c.number);
    assert_non_null(c.number);
    unlisted_key(start, key);
    assert_ok(opac_builder_new(OPAC_MODEL_MDP, &c.builder, &error), &error);
    unlisted_node(&c, start,
                  policy != NULL ? opac_policy_start_at(policy, key, strlen(key))
                                 : opac_learning_start(learning, key, strlen(key)));
    for (uint32_t i = 0; i < c.nodes.count / 2; i++)
        unlisted_expand(&c, i);
    assert_ok(opac_builder_initial(c.builder, 0, &error), &error);
    for (uint32_t l = 0; l < opac_model_label_count(model); l++) {
        const char *name = opac_model_label(model, l);
        assert_ok(opac_builder_declare_label(c.builder, name, &error), &error);
        for (uint32_t i = 0; i < c.nodes.count / 2; i++)
            if (opac_model_has_label(model, c.nodes.items[2 * i], l))
                assert_ok(opac_builder_label(c.builder, name, i, &error), &error);
    }
    assert_ok(opac_builder_finish(c.builder, NULL, &chain, &error), &error);
    opac_solution *solution = scene_solve(chain, language, &check);
    double value = opac_solution_interval(solution, 0).value;
    opac_solution_free(solution);
    opac_model_free(chain);
    opac_builder_free(c.builder);
    base_u32_vec_fini(&c.nodes);
    free(c.number);
    return value;
}

/* ---- runs ---- */

typedef struct unlisted_share {
    unsigned runs, misses, high;
} unlisted_share;

/* The least of the values that users may get. */
static inline double unlisted_truth(const opac_learning *learning, const opac_model *model,
                                    bool by_key, const opac_objective *language)
{
    opac_policy *policy;
    opac_error error = {0};
    assert_ok(opac_learning_policy(learning, by_key ? NULL : model, &policy, &error), &error);
    opac_policy *file = unlisted_file(policy, by_key ? NULL : model);
    double value =
        by_key ? unlisted_by_key(model, file, NULL, language) : unlisted_in_model(file, language);
    double other = by_key ? fmin(unlisted_by_key(model, policy, NULL, language),
                                 unlisted_by_key(model, NULL, learning, language))
                          : unlisted_in_model(policy, language);
    opac_policy_free(file);
    opac_policy_free(policy);
    return fmin(value, other);
}

/* The policy file does what was learned in every product state that is known. */
static inline void unlisted_assert_same(const opac_learning *learning, const opac_model *model)
{
    const sample_statistics *stats = &learning->run.stats;
    hoa_order order = {0};
    opac_policy *policy;
    opac_error error = {0};
    size_t length, compared = 0;
    assert_ok(opac_learning_policy(learning, model, &policy, &error), &error);
    opac_policy *file = unlisted_file(policy, model);
    assert_ok(hoa_order_init(&order, learning->automaton, &error), &error);
    for (uint32_t i = 0; i < stats->product_states.count; i++) {
        const sample_product_state *p = &stats->product_states.items[i];
        uint32_t memory = p->memory, action, state;
        if (p->state == SAMPLE_NONE || !sample_act(learning, NULL, i, &memory, &action))
            continue;
        memcpy(&state, base_intern_key(&stats->keys, p->state, &length), sizeof state);
        uint32_t found = order.number[p->memory];
        assert_int_equal(policy_act(file, state, &found), action);
        assert_int_equal(found, order.number[memory]);
        compared++;
    }
    assert_true(compared > 100);
    hoa_order_fini(&order);
    opac_policy_free(file);
    opac_policy_free(policy);
}

static inline void unlisted_once(uint64_t *random, const unlisted_plan *plan, bool by_key,
                                 unlisted_share *share)
{
    opac_model *model = unlisted_model(plan);
    unlisted_walker walker = {.model = model};
    opac_learn_options options = opac_learn_defaults();
    opac_environment *environment;
    opac_learning *learning;
    opac_error error = {0};
    bool is_hall = plan->automaton == NULL;
    opac_formula *formula = scene_formula(is_hall ? plan->formula : plan->automaton->formula);
    opac_automaton *automaton = is_hall ? NULL : unlisted_read(plan->automaton, plan->is_reversed);
    const opac_objective language = {.formula = formula};
    const opac_objective objective = {.formula = is_hall ? formula : NULL, .automaton = automaton};
    if (by_key)
        environment = unlisted_environment(&walker);
    else
        assert_ok(opac_environment_of_model(model, NULL, &environment, &error), &error);
    options.horizon = plan->is_free ? 0 : 12;
    options.nothing_known = plan->is_free;
    options.kind = plan->kind;
    options.epsilon = plan->epsilon;
    options.target = plan->is_free ? 0 : plan->target;
    options.at_least = plan->at_least;
    options.delta = plan->delta;
    options.max_steps = plan->steps;
    options.seed = random_u64(random);
    options.threads = 1;
    options.untested = true;
    assert_ok(learn_tuned(environment, &objective, &options, &plan->tuning, &learning, &error),
              &error);
    const opac_learn_report *report = opac_learning_report(learning);
    assert_true(report->end == OPAC_END_DONE || report->end == OPAC_END_STEPS);
    double truth = unlisted_truth(learning, model, by_key, &language);
    share->misses += report->lower > truth + 1e-6;
    if (plan->is_compared)
        unlisted_assert_same(learning, model);
    share->high += report->lower > 0.3;
    share->runs++;
    opac_learning_free(learning);
    opac_environment_free(environment);
    opac_automaton_free(automaton);
    opac_formula_free(formula);
    opac_model_free(model);
}

static inline unlisted_share unlisted_count(uint64_t seed, unsigned runs, const unlisted_plan *plan,
                                            bool by_key)
{
    uint64_t random = random_seed(seed);
    unlisted_share share = {0};
    for (unsigned i = 0; i < runs; i++)
        unlisted_once(&random, plan, by_key, &share);
    print_message("%s, %s, %s, \"b\" %u/20: %u of %u runs are wrong, delta %g; %u with L > 0.3\n",
                  plan->automaton != NULL ? plan->automaton->formula : plan->formula,
                  by_key ? "simulator" : "model", plan->is_free ? "nothing known" : "T",
                  plan->parts, share.misses, share.runs, plan->delta, share.high);
    return share;
}

/* ---- suites ---- */

typedef struct unlisted_size {
    uint64_t seed;
    unsigned runs;
    double delta;
    bool is_long; /* not only known cases */
} unlisted_size;

static unsigned unlisted_keep(uint64_t seed, const unlisted_size *size, unlisted_plan plan,
                              bool by_key)
{
    plan.delta = size->delta;
    plan.tuning.patience = 1e6;
    unlisted_share share = unlisted_count(size->seed + seed, size->runs, &plan, by_key);
    assert_true(exact_is_kept(share.misses, share.runs, plan.delta));
    return share.high;
}

/* For a model and for a simulator. */
static unsigned unlisted_keep_both(uint64_t seed, const unlisted_size *size,
                                   const unlisted_plan *plan)
{
    return unlisted_keep(seed, size, *plan, false) + unlisted_keep(seed + 1, size, *plan, true);
}

/*
 * Many rooms are entered after "c", so that candidates know them, and few after "b"; or hardly any room is known when
 * the candidate is fixed.
 */
static const unlisted_plan unlisted_few = {
    .rooms = 500, .parts = 1, .epsilon = 0.001, .target = 0.012, .steps = 40000};
static const unlisted_plan unlisted_early = {
    .rooms = 2000, .parts = 19, .epsilon = 0.001, .target = 0.05, .steps = 2000};
static const unlisted_plan unlisted_hall = {
    .rooms = 2000, .epsilon = 0.02, .target = 0.1, .steps = 2000};
static const char unlisted_reach[] = "(X b & F a) | (X !b & F c)",
                  unlisted_again[] = "(X b & G F a) | (X !b & G F c)";

/* Those that were wrong once. */
static void unlisted_known_cases(void **state)
{
    const unlisted_size *size = *state;
    unsigned high = 0;
    unlisted_plan plan = unlisted_few;
    plan.automaton = &unlisted_silent;
    high += unlisted_keep(100, size, plan, false);
    plan.automaton = &unlisted_branching;
    plan.is_gated = true;
    high += unlisted_keep(200, size, plan, false);
    plan = unlisted_early;
    plan.automaton = &unlisted_branching;
    plan.is_gated = plan.is_reversed = true;
    high += unlisted_keep_both(300, size, &plan);
    plan.is_free = true;
    plan.epsilon = 0.05;
    high += unlisted_keep_both(400, size, &plan);
    plan = unlisted_hall;
    plan.formula = unlisted_again;
    unlisted_keep(501, size, plan, true);
    assert_true(high > 4 * size->runs);
}

static void unlisted_all_are_listed(void **state)
{
    const unlisted_size *size = *state;
    for (unsigned way = 0; way < 16; way++) {
        unlisted_plan plan = way % 2 == 0 ? unlisted_few : unlisted_early;
        plan.automaton = way / 2 % 2 == 0 ? &unlisted_silent : &unlisted_branching;
        plan.is_gated = way / 4 % 2 == 1;
        plan.is_reversed = way / 8 % 2 == 1;
        plan.steps = 2000;
        plan.delta = size->delta;
        plan.tuning.patience = 1e6;
        plan.is_compared = true;
        unlisted_count(size->seed + 5000 + way, 1, &plan, false);
    }
}

/* Most rooms are found after a candidate was fixed that seems to be best forever: it is replaced. */
static void unlisted_outgrown(void **state)
{
    const unlisted_size *size = *state;
    unlisted_plan plan = unlisted_few;
    plan.automaton = &unlisted_silent;
    plan.rooms = 200;
    plan.parts = 3;
    plan.target = 0.03;
    plan.steps = 12000;
    plan.is_gated = true;
    assert_true(unlisted_keep(600, size, plan, false) + 1 >= size->runs);
    plan.is_free = true;
    plan.epsilon = 0;
    plan.at_least = 0.9;
    plan.steps = 50000;
    assert_int_equal(unlisted_keep(601, size, plan, true), size->runs);
}

/* All combinations, in long tests. */
static void unlisted_rooms(void **state)
{
    const unlisted_size *size = *state;
    unsigned high = 0, all = 0;
    for (unsigned way = 0; way < 32 && size->is_long; way++, all += 2 * size->runs) {
        unlisted_plan plan = way % 2 == 0 ? unlisted_few : unlisted_early;
        plan.parts = plan.parts == 1 ? 3 : plan.parts;
        plan.target = 0.03;
        plan.automaton = way / 2 % 2 == 0 ? &unlisted_silent : &unlisted_branching;
        plan.is_gated = way / 4 % 2 == 1;
        plan.is_reversed = way / 8 % 2 == 1;
        plan.is_free = way / 16 == 1;
        plan.epsilon = plan.is_free ? plan.target : plan.epsilon;
        high += unlisted_keep_both(1000 + 10 * way, size, &plan);
    }
    assert_true(2 * high >= all);
}

/* In the last objective no memory is universal, so that nothing is decided before the end. */
static void unlisted_halls(void **state)
{
    const unlisted_size *size = *state;
    unlisted_plan plan = unlisted_hall;
    for (unsigned i = 0; i < 3 && size->is_long; i++)
        for (int kind = OPAC_KIND_DETERMINISTIC; kind <= OPAC_KIND_LDBA; kind++) {
            plan.formula = i < 2 ? unlisted_reach : unlisted_again;
            plan.kind = (opac_automaton_kind)kind;
            plan.is_free = i == 1;
            unlisted_keep_both(3000 + 100 * i + 10 * (uint64_t)kind, size, &plan);
        }
}

/* If trials are not lost where nothing is known, the test notices. */
static void unlisted_trust_is_noticed(void **state)
{
    const unlisted_size *size = *state;
    unlisted_plan plan = unlisted_hall;
    plan.formula = unlisted_again;
    plan.delta = size->delta;
    plan.tuning = (sample_tuning){.patience = 1e6, .trusts_new = true};
    unlisted_share share = unlisted_count(size->seed + 4000, size->runs, &plan, true);
    assert_false(exact_is_kept(share.misses, share.runs, plan.delta));
}

static int unlisted_run(unlisted_size size)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(unlisted_known_cases, &size),
        cmocka_unit_test_prestate(unlisted_all_are_listed, &size),
        cmocka_unit_test_prestate(unlisted_outgrown, &size),
        cmocka_unit_test_prestate(unlisted_rooms, &size),
        cmocka_unit_test_prestate(unlisted_halls, &size),
        cmocka_unit_test_prestate(unlisted_trust_is_noticed, &size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
