/* SPDX-License-Identifier: MIT */
/*
 * The library accepts every certificate that it writes: random models, objectives, assumptions,
 * levels of confidence and step limits, each certificate checked by opac_verify_text.
 *
 * The models have what is hard for margins of rounding: probabilities from 1e-12 to 1 - 1e-12,
 * successors that were never seen (with a graph), values that nearly agree, p_min at, above and far
 * below the least probability, random starts with and without a bound of their own, counts of up to
 * 10^15 (by draws), delta from 1e-300 to 1 - 2^-53.
 *
 * The state of each round follows from its number: a failure names it, and OMEGAPAC_ROUND=N runs
 * that round alone.
 */
#include <omegapac/builder.h>
#include <omegapac/verification.h>

#include "learn/runs.h"
#include "support/random.h"
#include "support/random_automaton.h"

static const char *const labels[] = {"a", "b", "c"};

static double random_share(uint64_t *random)
{
    return (double)(random_u64(random) >> 11) * 0x1p-53;
}

static uint32_t pick(uint64_t *random, uint32_t count)
{
    return random_below(random, count);
}

/* ---- models ---- */

enum {
    MOST_BRANCHES = 60
};

typedef struct shape {
    uint32_t states, actions, branches, starts; /* at most */
    uint32_t skew;                              /* decimal orders between weights */
    bool has_traps, has_deadlocks, is_chain;
} shape;

static shape draw_shape(uint64_t *random)
{
    shape s = {.states = 3 + pick(random, 6),
               .actions = 1 + pick(random, 3),
               .branches = 2 + pick(random, 4),
               .starts = pick(random, 2) == 0 ? 2 + pick(random, 7) : 1,
               .skew = pick(random, 3) == 0 ? 13 : pick(random, 3),
               .has_traps = pick(random, 5) > 0,
               .has_deadlocks = pick(random, 3) == 0,
               .is_chain = pick(random, 6) == 0};
    if (s.is_chain)
        s.actions = 1;
    if (pick(random, 50) == 0) {
        s.states = s.branches = MOST_BRANCHES;
        s.starts = 1 + pick(random, MOST_BRANCHES);
    }
    s.starts = s.starts < s.states ? s.starts : s.states;
    return s;
}

/* Distinct targets; the weights are divided by their sum. *least: the least probability so far. */
static void add_branches(uint64_t *random, opac_builder *builder, shape s, double *least)
{
    double weight[MOST_BRANCHES] = {0}, sum = 0;
    uint32_t first = pick(random, s.states), count = 2 + pick(random, s.branches - 1);
    opac_error error = {0};
    count = count < s.states ? count : s.states;
    for (uint32_t b = 0; b < count; b++) {
        weight[b] = (0.1 + random_share(random)) * pow(10, -(double)pick(random, s.skew + 1));
        sum += weight[b];
    }
    for (uint32_t b = 0; b < count; b++) {
        uint32_t target = (first + b) % s.states;
        *least = fmin(*least, weight[b] / sum);
        assert_ok(opac_builder_branch(builder, target, weight[b] / sum, &error), &error);
    }
}

/* The least probability of a transition, and of a start. */
typedef struct bounds {
    double move, start;
} bounds;

static opac_model *draw_model(uint64_t *random, bounds *least)
{
    opac_builder *builder;
    opac_model *model;
    opac_error error = {0};
    shape s = draw_shape(random);
    *least = (bounds){1, 1.0 / s.starts};
    assert_ok(opac_builder_new(s.is_chain ? OPAC_MODEL_DTMC : OPAC_MODEL_MDP, &builder, &error),
              &error);
    for (size_t i = 0; i < 3; i++)
        assert_ok(opac_builder_declare_label(builder, labels[i], &error), &error);
    for (uint32_t state = 0; state < s.states; state++) {
        bool is_trap = state > 0 && (state < 3 || pick(random, 2) == 0) && s.has_traps;
        bool is_dead = is_trap && s.has_deadlocks && pick(random, 2) == 0;
        assert_ok(opac_builder_state(builder, &error), &error);
        for (uint32_t a = is_dead ? 0 : 1 + pick(random, s.actions); a > 0; a--) {
            assert_ok(opac_builder_choice(builder, NULL, &error), &error);
            if (is_trap)
                assert_ok(opac_builder_branch(builder, state, 1, &error), &error);
            else
                add_branches(random, builder, s, &least->move);
        }
        for (size_t i = 0; i < 3; i++)
            if (is_trap ? state != 2 && (state == 1 || pick(random, 3) == 0) : pick(random, 9) == 0)
                assert_ok(opac_builder_label(builder, labels[i], state, &error), &error);
        if (state < s.starts)
            assert_ok(opac_builder_initial(builder, state, &error), &error);
    }
    assert_ok(opac_builder_finish(builder, NULL, &model, &error), &error);
    opac_builder_free(builder);
    return model;
}

/* ---- questions ---- */

typedef struct question {
    opac_formula *formula;
    opac_automaton *automaton;
    opac_objective objective;
} question;

static question draw_question(uint64_t *random)
{
    static const char *const formulas[] = {"F a",
                                           "F b",
                                           "!a U b",
                                           "G F a",
                                           "F G a",
                                           "G F a & G F b",
                                           "G !a",
                                           "X X a",
                                           "G F a | F G b",
                                           "F (a & F b)",
                                           "true",
                                           "false",
                                           "a U (b U c)",
                                           "F a & G !b",
                                           "G (a -> F b)",
                                           "(F G a) & (G F b)",
                                           "X (a | X b)",
                                           "F (a & b & c)",
                                           "(!a U b) & (G F c)"};
    question q = {0};
    if (pick(random, 5) == 0) {
        random_automaton_shape form = random_automaton_draw(random, 4, 3, 3);
        q.automaton = random_automaton(random, form, NULL);
        q.objective.automaton = q.automaton;
        return q;
    }
    q.formula = learning_formula(formulas[pick(random, sizeof formulas / sizeof *formulas)]);
    q.objective.formula = q.formula;
    if (pick(random, 4) == 0)
        q.objective.direction = OPAC_DIRECTION_MIN;
    return q;
}

static void free_question(question *q)
{
    opac_formula_free(q->formula);
    opac_automaton_free(q->automaton);
}

/* True, nearly true, too small by orders, or false. */
static double draw_pmin(uint64_t *random, double least)
{
    switch (pick(random, 6)) {
    case 0:
        return least * (1 - 1e-9 * random_share(random));
    case 1:
        return least * pow(10, -3 * random_share(random));
    case 2:
        return pow(10, -15 * random_share(random));
    case 3:
        return fmin(1, 2 * least * random_share(random) + 1e-12);
    case 4:
        return 1 / ceil(1 / least);
    default:
        return least;
    }
}

/* A bracket from T, which may be true or false. */
static void draw_horizon(uint64_t *random, opac_learn_options *options)
{
    options->pmin = options->pmin_start = 0;
    options->graph = NULL;
    options->explore = OPAC_EXPLORE_EPISODES;
    options->horizon = 1 + (uint64_t)pow(10, 4 * random_share(random));
    options->epsilon = pow(10, -4 * random_share(random)) * 0.45;
    options->target =
        2 * options->epsilon + (1 - 2 * options->epsilon) * (0.01 + 0.9 * random_share(random));
    options->recurrence_work = pick(random, 2) == 0 ? 1 : 1000000;
    if (options->max_steps > 10000)
        options->max_steps = 10000;
    if (pick(random, 3) == 0) { /* nothing is known */
        options->nothing_known = true;
        options->horizon = 0;
        options->target = 0;
    }
}

static opac_learn_options draw_options(uint64_t *random, opac_environment *env, bounds least)
{
    static const double deltas[] = {
        0.1, 0.1, 0.01, 0.5, 0.9, 1e-6, 1e-12, 1e-300, 1 - 0x1p-53, 1e-100, 0.3333333333333, 0.05};
    opac_learn_options options = opac_learn_defaults();
    uint32_t known = pick(random, 3);
    bool has_draws = pick(random, 3) == 0;
    options.threads = 1;
    options.delta = deltas[pick(random, sizeof deltas / sizeof *deltas)];
    options.epsilon = pow(10, -4 * random_share(random)) * 0.9;
    options.pmin = known != 1 ? draw_pmin(random, least.move) : 0;
    options.pmin_start = pick(random, 2) == 0 ? draw_pmin(random, least.start) : 0;
    options.graph = known != 0 ? env : NULL;
    options.explore = has_draws ? OPAC_EXPLORE_GENERATIVE : OPAC_EXPLORE_EPISODES;
    options.seed = random_u64(random);
    options.kind = pick(random, 3) == 0 ? OPAC_KIND_LDBA : OPAC_KIND_DETERMINISTIC;
    options.max_steps = (uint64_t)pow(10, (has_draws ? 15 : 1 + 2.3) * random_share(random));
    if (pick(random, 4) == 0) { /* true or false */
        options.states = 1 + pick(random, 9) * pick(random, 9);
        options.actions = 1 + pick(random, 9);
    }
    if (pick(random, 4) == 0)
        options.branching = 1 + pick(random, 9);
    if (pick(random, 3) == 0)
        draw_horizon(random, &options);
    return options;
}

/* ---- rounds ---- */

typedef struct tally {
    uint32_t written, refused, done, inside;
} tally;

/* Writing fails where there is no bracket, with ARGUMENT; elsewhere the certificate is accepted. */
static void check_certificate(const opac_learning *l, uint64_t round, tally *t)
{
    const opac_learn_report *r = opac_learning_report(l);
    opac_error error = {0};
    opac_output *out;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_status status = opac_learning_write_certificate(l, NULL, out, &error);
    if (status == OPAC_OK) {
        opac_verification v;
        assert_ok(opac_output_commit(out, &error), &error);
        const char *bytes = opac_output_bytes(out, &length);
        assert_ok(opac_verify_text(bytes, length, NULL, &v, &error), &error);
        if (!v.holds) {
            print_error("round %llu: %s\n", (unsigned long long)round, v.reason);
            if (getenv("OMEGAPAC_ROUND") != NULL)
                print_error("%s\n", bytes);
            t->refused++;
        } else {
            assert_true(v.lower == r->lower);
            assert_true(v.upper == r->upper);
        }
        opac_verification_fini(&v);
        t->written++;
        t->done += r->holds;
        t->inside += (r->lower > 0 && r->lower < 1) || (r->upper > 0 && r->upper < 1);
    } else if (status != OPAC_ERROR_ARGUMENT || !isnan(r->lower))
        fail_msg("round %llu: %s", (unsigned long long)round, error.message);
    opac_output_free(out);
}

/* Asks to stop after some policies, while the solver works. */
typedef struct stopper {
    opac_cancel *cancel;
    uint64_t left;
} stopper;

static void count_down(void *context, const opac_learning *learning, opac_trace_entry *entry)
{
    stopper *s = context;
    (void)learning;
    (void)entry;
    if (s->left-- == 0)
        opac_cancel_request(s->cancel);
}

static void run_round(uint64_t round, tally *t)
{
    stopper stop = {.left = round / 8 % 5};
    uint64_t random = random_seed(19) + round * UINT64_C(0x9E3779B97F4A7C15);
    opac_error error = {0};
    opac_environment *env;
    opac_learning *l;
    bounds least;
    random_u64(&random);
    opac_model *model = draw_model(&random, &least);
    question q = draw_question(&random);
    assert_ok(opac_environment_of_model(model, NULL, &env, &error), &error);
    opac_learn_options options = draw_options(&random, env, least);
    if (round % 8 == 3) {
        assert_ok(opac_cancel_new(&stop.cancel, &error), &error);
        options.cancel = stop.cancel;
        options.trace = count_down;
        options.trace_context = &stop;
    }
    opac_status status = opac_learn(env, &q.objective, &options, &l, &error);
    if (status != OPAC_OK && status != OPAC_ERROR_ARGUMENT && status != OPAC_ERROR_UNSUPPORTED)
        fail_msg("round %llu: %s", (unsigned long long)round, error.message);
    if (status == OPAC_OK) {
        check_certificate(l, round, t);
        opac_learning_free(l);
    }
    opac_cancel_free(stop.cancel);
    opac_environment_free(env);
    opac_model_free(model);
    free_question(&q);
}

static void what_is_written_is_accepted(void **state)
{
    const char *one = getenv("OMEGAPAC_ROUND");
    uint32_t rounds = random_rounds(600, 20000);
    tally t = {0};
    (void)state;
    if (one != NULL)
        run_round(strtoull(one, NULL, 10), &t);
    for (uint64_t round = 0; round < rounds && one == NULL; round++)
        run_round(round, &t);
    print_message("%u certificates, %u with an end between 0 and 1, %u of runs that reached "
                  "epsilon; %u refused\n",
                  t.written, t.inside, t.done, t.refused);
    assert_int_equal(t.refused, 0);
    if (one == NULL)
        assert_true(t.inside >= rounds / 5);
}

SUITE(certificate_runs)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written_is_accepted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
