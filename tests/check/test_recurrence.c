/* SPDX-License-Identifier: MIT */
/*
 * Recurrence times of models: known values, the kinds of results that are not exact, and estimates
 * against exact times.
 */
#include <math.h>

#include "check/recurrence_estimate.h"
#include "check/recurrence_product.h"
#include "check/scene.h"
#include "graph/graph_builder.h"
#include "solve/recurrence.h"
#include "support/faults.h"
#include "support/random.h"

/* ---- models ---- */

static opac_model *example(const char *name)
{
    char path[1024];
    opac_error error = {0};
    opac_model *model;
    snprintf(path, sizeof path, "%s/%s.prism", EXAMPLES_FOLDER, name);
    assert_ok(opac_model_read(path, NULL, &model, &error), &error);
    return model;
}

static opac_model *stay(const char *p)
{
    char text[256];
    snprintf(text, sizeof text,
             "dtmc\nmodule m\n s : [0..1] init 0;\n [] s=0 -> 1-%s : true + %s : (s'=1);\n"
             " [] s=1 -> true;\nendmodule\nlabel \"s0\" = s=0;\n",
             p, p);
    return scene_model(text, false);
}

static opac_recurrence time_of(const opac_model *model, const char *formula,
                               const opac_recurrence_options *options)
{
    opac_formula *parsed = scene_formula(formula);
    const opac_objective objective = {.formula = parsed};
    opac_recurrence result;
    opac_error error = {0};
    assert_ok(opac_recurrence_time(model, &objective, options, &result, &error), &error);
    opac_formula_free(parsed);
    return result;
}

static void expect(const opac_model *model, const char *formula,
                   const opac_recurrence_options *options, uint64_t steps)
{
    opac_recurrence found = time_of(model, formula, options);
    assert_int_equal(found.kind, OPAC_RECURRENCE_EXACT);
    assert_int_equal(found.steps.value, steps);
    assert_true(found.before < 1 - options->epsilon);
    assert_true(found.reached >= 1 - options->epsilon);
}

/* ---- what is known ---- */

static void test_gridworld(void **context)
{
    const opac_recurrence_options covered = {.epsilon = 0.05};
    const opac_recurrence_options literal = {.epsilon = 0.05, .literal = true};
    opac_model *first = example("gridworld"), *second = example("gridworld-w2");
    (void)context;
    expect(first, "G F s & G F g", &covered, 306);
    expect(first, "G F s & G F g", &literal, 306);
    expect(second, "G F s & G F g", &covered, 596);
    expect(second, "G F s & G F g", &literal, 596);
    opac_recurrence found = time_of(first, "G F s & G F g", &covered);
    assert_true(fabs(found.before - 0.949524) < 5e-7);
    assert_true(fabs(found.reached - 0.950017) < 5e-7);
    assert_int_equal(found.product_states, 12);
    assert_int_equal(found.product_reachable, 11);
    assert_int_equal(found.bound_states, 12);
    assert_true(found.least == 0.2);
    assert_true(fabs(found.bound.approximate / 6.632e9 - 1) < 1e-4);
    assert_true(fabs(found.published.approximate / 2.161e10 - 1) < 1e-3);
    assert_true(found.bound_reached.value < found.bound.value);
    opac_model_free(first);
    opac_model_free(second);
}

/* The optimal policy that needs least: it stays in s and in g for one step, surely. */
static const char fast[] =
    "{\"schema\": \"omegapac.policy/1\", \"automaton\": \"HOA: v1 States: 2 Start: 0 AP: 2 "
    "\\\"s\\\" \\\"g\\\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 1 [!0] 0 State: 1 [1] 0 {0} "
    "[!1] 1 --END--\", \"memory\": {\"count\": 2, \"start\": [{\"values\": {\"x\": 0, \"y\": 1}, "
    "\"memory\": 0}]}, \"decisions\": ["
    "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 1}, \"action\": \"nw\", \"next\": 1},"
    "{\"memory\": 1, \"values\": {\"x\": 0, \"y\": 1}, \"action\": \"sw\", \"next\": 1},"
    "{\"memory\": 1, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"se\", \"next\": 1},"
    "{\"memory\": 1, \"values\": {\"x\": 1, \"y\": 0}, \"action\": \"se\", \"next\": 1},"
    "{\"memory\": 1, \"values\": {\"x\": 2, \"y\": 0}, \"action\": \"se\", \"next\": 0},"
    "{\"memory\": 0, \"values\": {\"x\": 2, \"y\": 0}, \"action\": \"sw\", \"next\": 0},"
    "{\"memory\": 0, \"values\": {\"x\": 1, \"y\": 0}, \"action\": \"sw\", \"next\": 0},"
    "{\"memory\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"nw\", \"next\": 0}]}";

static void test_policy(void **context)
{
    opac_model *model = example("gridworld"), *other = example("gridworld-w2");
    opac_policy *policy;
    opac_error error = {0};
    (void)context;
    assert_ok(opac_policy_parse(fast, strlen(fast), model, &policy, &error), &error);
    const opac_recurrence_options first = {.epsilon = 0.05, .policy = policy};
    const opac_recurrence_options second = {.epsilon = 0.1, .policy = policy};
    expect(model, "G F s & G F g", &first, 40);
    expect(model, "G F s & G F g", &second, 37);
    /* A proposition that only the model can evaluate: its states are those of the chain. */
    expect(model, "G F \"x=0 & y=1\" & G F g", &first, 40);
    opac_formula *formula = scene_formula("G F g");
    const opac_objective objective = {.formula = formula};
    opac_recurrence found;
    assert_status(opac_recurrence_time(other, &objective, &first, &found, &error),
                  OPAC_ERROR_ARGUMENT);
    opac_formula_free(formula);
    opac_policy_free(policy);
    opac_model_free(model);
    opac_model_free(other);
}

static void test_stay(void **context)
{
    const char *const p[] = {"0.5", "0.1", "0.01", "0.001"};
    const uint64_t again[] = {6, 30, 300, 2996}, always[] = {7, 31, 301, 2997};
    const opac_recurrence_options options = {.epsilon = 0.05};
    (void)context;
    for (size_t i = 0; i < 4; i++) {
        opac_model *model = stay(p[i]);
        expect(model, "G F s0", &options, again[i]);
        expect(model, "G s0", &options, always[i]);
        opac_recurrence found = time_of(model, "G s0", &options);
        assert_int_equal(found.product_states, 2); /* with the sink more can be reached */
        assert_int_equal(found.product_reachable, 3);
        assert_int_equal(found.bound_states, 3);
        opac_model_free(model);
    }
}

static void test_counterexample(void **context)
{
    const opac_recurrence_options covered = {.epsilon = 0.05};
    const opac_recurrence_options literal = {.epsilon = 0.05, .literal = true};
    opac_model *model = example("counterexample");
    (void)context;
    expect(model, "G F good", &literal, 323);
    expect(model, "G F good", &covered, UINT64_C(2995732273654)); /* in 60 digits as well */
    opac_model_free(model);
}

/* The longest way has eight states, and so seven transitions; the sinks are the components. */
static void test_chain(void **context)
{
    const opac_recurrence_options covered = {.epsilon = 1.0 / 60};
    const opac_recurrence_options literal = {.epsilon = 1.0 / 60, .literal = true};
    opac_model *model = example("chain");
    (void)context;
    expect(model, "G F won", &covered, 7);
    expect(model, "G F won", &literal, 7);
    opac_model_free(model);
}

/* ---- conventions ---- */

/* Runs that are accepted whatever follows still have a component to see, unless they may end. */
static void test_end_accepted(void **context)
{
    opac_model *model = scene_model("dtmc\nmodule m\n s : [0..3] init 0;\n [] s<3 -> (s'=s+1);\n"
                                    " [] s=3 -> (s'=1);\nendmodule\nlabel \"one\" = s=1;\n",
                                    false);
    const opac_recurrence_options whole = {.epsilon = 0.05};
    const opac_recurrence_options end = {.epsilon = 0.05, .end_accepted = true};
    (void)context;
    expect(model, "F one", &whole, 6); /* to 2 with the new memory; 2 3 1, and 2 3 again */
    expect(model, "F one", &end, 3);   /* to the sink, which loops */
    opac_model_free(model);
}

/* Five states with one or two commands each, to anywhere; a and b hold in one each. */
static opac_model *random_scene(uint64_t *random)
{
    char text[2048];
    int used = snprintf(text, sizeof text, "mdp\nmodule m\n s : [0..4] init 0;\n");
    for (unsigned s = 0; s < 5; s++)
        for (unsigned c = 0; c < 1 + random_below(random, 2); c++)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             " [] s=%u -> 0.3 : (s'=%u) + 0.7 : (s'=%u);\n", s,
                             random_below(random, 5), random_below(random, 5));
    snprintf(text + used, sizeof text - (size_t)used,
             "endmodule\nlabel \"a\" = s=%u;\nlabel \"b\" = s=%u;\n", random_below(random, 5),
             random_below(random, 5));
    return scene_model(text, false);
}

/* To end what is accepted takes no longer, whatever the model and the objective. */
static void test_end_is_sooner(void **context)
{
    const char *const formulas[] = {"F a", "F a & F b", "!a U b", "F a | G F b", "X X a", "F G !b"};
    uint64_t random = random_seed(61);
    unsigned sooner = 0;
    (void)context;
    for (unsigned round = 0; round < 60; round++) {
        opac_model *model = random_scene(&random);
        opac_recurrence_options options = {.epsilon = 0.05 + 0.1 * random_below(&random, 3)};
        opac_recurrence whole = time_of(model, formulas[round % 6], &options);
        options.end_accepted = true;
        opac_recurrence end = time_of(model, formulas[round % 6], &options);
        assert_int_equal(whole.kind, OPAC_RECURRENCE_EXACT);
        assert_int_equal(end.kind, OPAC_RECURRENCE_EXACT);
        assert_true(end.steps.value <= whole.steps.value);
        sooner += end.steps.value < whole.steps.value;
        opac_model_free(model);
    }
    assert_true(sooner > 5);
}

/* One of two initial states is a step of its own, and each has its share. */
static void test_initial(void **context)
{
    opac_model *model = scene_model("dtmc\nmodule m\n s : [0..9];\n [] s>0 -> (s'=s-1);\n"
                                    " [] s=0 -> true;\nendmodule\ninit s=2 | s=9 endinit\n"
                                    "label \"zero\" = s=0;\n",
                                    false);
    const opac_recurrence_options half = {.epsilon = 0.5}, less = {.epsilon = 0.49};
    (void)context;
    expect(model, "G F zero", &half, 1 + 2 + 1);
    expect(model, "G F zero", &less, 1 + 9 + 1);
    assert_int_equal(time_of(model, "G F zero", &half).product_reachable, 11);
    opac_model_free(model);
}

/* ---- beyond the exact ---- */

static void test_upper(void **context)
{
    opac_model *model = example("gridworld");
    const opac_recurrence_options options = {.epsilon = 0.05, .least = 0.1};
    opac_count bound;
    opac_error error = {0};
    (void)context;
    opac_recurrence found = time_of(model, "G F s & G F g", &options);
    assert_ok(opac_bound_recurrence(12, 0.1, 0.05, &bound, &error), &error);
    assert_int_equal(found.kind, OPAC_RECURRENCE_UPPER);
    assert_int_equal(found.steps.value, bound.value);
    assert_int_equal(found.policies, 0);
    opac_model_free(model);
}

static void test_lower(void **context)
{
    opac_model *model = example("gridworld");
    const opac_recurrence_options options = {.epsilon = 0.05, .max_work = 3000000};
    (void)context;
    opac_recurrence found = time_of(model, "G F s & G F g", &options);
    assert_int_equal(found.kind, OPAC_RECURRENCE_LOWER);
    assert_true(found.steps.value > 100);
    assert_true(found.steps.value <= 306);
    assert_true(isnan(found.reached) || found.reached >= 0.95);
    opac_model_free(model);
}

/* The policy that opac_check makes, as a time. */
static opac_recurrence time_of_optimum(const opac_model *model, const char *formula,
                                       const opac_recurrence_options *options)
{
    opac_formula *parsed = scene_formula(formula);
    const opac_objective objective = {.formula = parsed};
    const opac_check_options asked = {.policy = true, .threads = 1};
    opac_recurrence_options one = *options;
    opac_solution *solution;
    opac_policy *policy;
    opac_recurrence found;
    opac_error error = {0};
    assert_ok(opac_check(model, &objective, &asked, &solution, &error), &error);
    assert_ok(opac_solution_policy(solution, &policy, &error), &error);
    one.policy = policy;
    assert_ok(opac_recurrence_time(model, &objective, &one, &found, &error), &error);
    opac_policy_free(policy);
    opac_solution_free(solution);
    opac_formula_free(parsed);
    return found;
}

/* A grid of n by n cells with a corner to visit again and again, and one that is absorbing; every
 * move fails often. */
static opac_model *grid(unsigned n, const char *fails)
{
    char text[1024];
    snprintf(text, sizeof text,
             "mdp\nconst int n = %u;\nconst double f = %s;\nmodule m\n x : [0..n-1] init 0;\n"
             " y : [0..n-1] init 0;\n"
             " [e] !(x=0 & y=n-1) -> 1-f : (x'=min(x+1,n-1)) + f : (x'=max(x-1,0));\n"
             " [w] !(x=0 & y=n-1) -> 1-f : (x'=max(x-1,0)) + f : (x'=min(x+1,n-1));\n"
             " [n] !(x=0 & y=n-1) -> 1-f : (y'=min(y+1,n-1)) + f : (y'=max(y-1,0));\n"
             " [s] !(x=0 & y=n-1) -> 1-f : (y'=max(y-1,0)) + f : (y'=min(y+1,n-1));\n"
             " [stay] x=0 & y=n-1 -> true;\nendmodule\n"
             "label \"a\" = x=0 & y=0;\nlabel \"b\" = x=n-1 & y=n-1;\nlabel \"c\" = x=0 & y=n-1;\n",
             n, fails);
    return scene_model(text, false);
}

/* A lower bound is at least the time of the optimal policy, or what is known of that. */
static void test_optimum_is_tried(void **context)
{
    const char *const formulas[] = {"G F a & G F b", "F b", "F G !a & F c", "G !c"};
    const opac_recurrence_options options = {
        .epsilon = 0.05, .max_work = 2000000, .samples = 500, .threads = 1};
    unsigned lower = 0;
    (void)context;
    for (unsigned n = 3; n < 6; n++) {
        opac_model *model = grid(n, n % 2 == 0 ? "0.4" : "0.3");
        for (size_t i = 0; i < 4; i++) {
            opac_recurrence found = time_of(model, formulas[i], &options);
            opac_recurrence one = time_of_optimum(model, formulas[i], &options);
            lower += found.kind == OPAC_RECURRENCE_LOWER;
            if (one.kind != OPAC_RECURRENCE_ESTIMATE)
                assert_true(found.steps.value >= one.steps.value);
            else if (found.kind != OPAC_RECURRENCE_ESTIMATE)
                assert_true(found.steps.value >= one.lower);
        }
        opac_model_free(model);
    }
    assert_true(lower > 3);
}

/* A ring of 24 on which runs go round, with a choice in its first state if there is one. */
static opac_model *ring(bool choice)
{
    char text[512];
    snprintf(
        text, sizeof text,
        "%s\nmodule m\n s : [0..23] init 0;\n [a] true -> 0.5 : (s'=mod(s+1,24)) + 0.5 : true;\n"
        "%s endmodule\nlabel \"a\" = s=0;\n",
        choice ? "mdp" : "dtmc", choice ? " [b] s=0 -> (s'=1);\n" : "");
    return scene_model(text, false);
}

static void test_estimate(void **context)
{
    opac_model *chain = ring(false), *process = ring(true);
    const opac_recurrence_options exact = {.epsilon = 0.05, .max_component = 24};
    const opac_recurrence_options options = {.epsilon = 0.05, .samples = 4000, .threads = 1};
    const opac_recurrence_options threads = {.epsilon = 0.05, .samples = 4000, .threads = 7};
    (void)context;
    opac_recurrence truth = time_of(chain, "G F a", &exact);
    opac_recurrence found = time_of(chain, "G F a", &options);
    opac_recurrence again = time_of(chain, "G F a", &threads);
    assert_int_equal(truth.kind, OPAC_RECURRENCE_EXACT);
    assert_int_equal(found.kind, OPAC_RECURRENCE_ESTIMATE);
    assert_false(found.is_partial);
    assert_true(found.lower <= truth.steps.value);
    assert_true(truth.steps.value <= found.upper);
    assert_true(found.lower <= found.steps.value);
    assert_true(found.steps.value <= found.upper);
    assert_int_equal(found.steps.value, again.steps.value);
    assert_int_equal(found.lower, again.lower);
    assert_int_equal(found.upper, again.upper);
    found = time_of(process, "G F a", &options);
    assert_int_equal(found.kind, OPAC_RECURRENCE_ESTIMATE);
    assert_true(found.is_partial);
    opac_model_free(chain);
    opac_model_free(process);
}

/* Too few runs for an upper end, and runs that are not done in time. */
static void test_poor_estimates(void **context)
{
    opac_model *chain = ring(false);
    const opac_recurrence_options few = {.epsilon = 0.05, .samples = 20};
    const opac_recurrence_options cut = {.epsilon = 0.05, .samples = 1000, .max_work = 20000};
    (void)context;
    opac_recurrence found = time_of(chain, "G F a", &few);
    assert_int_equal(found.kind, OPAC_RECURRENCE_ESTIMATE);
    assert_int_equal(found.upper, 0);
    found = time_of(chain, "G F a", &cut);
    assert_int_equal(found.kind, OPAC_RECURRENCE_LOWER);
    assert_true(found.steps.value >= 1);
    opac_model_free(chain);
}

/* ---- coverage ---- */

/* A random chain of n states with two edges each. */
static void random_chain(uint64_t *random, uint32_t n, graph_process *chain)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    for (uint32_t s = 0; s < n; s++) {
        double p = 0.25 * (1 + random_below(random, 3));
        assert_ok(graph_builder_state(&builder, &error), &error);
        assert_ok(graph_builder_choice(&builder, &error), &error);
        assert_ok(graph_builder_edge(&builder, random_below(random, n), p, &error), &error);
        assert_ok(graph_builder_edge(&builder, random_below(random, n), 1 - p, &error), &error);
    }
    assert_ok(graph_builder_finish(&builder, chain, &error), &error);
}

/*
 * 600 intervals that fail with probability at most 1/5 each: more than 160 failures are a false alarm
 * with probability below 1e-4. The times are discrete, so they fail less often. If the interval is
 * reduced to the estimate, most of them fail, so the test is able to detect an error.
 */
static void test_coverage(void **context)
{
    enum {
        N = 6,
        CHAINS = 60,
        ROUNDS = 10
    };
    uint64_t random = random_seed(4242);
    uint32_t choice[N], misses = 0, off = 0;
    opac_error error = {0};
    (void)context;
    for (uint32_t s = 0; s < N; s++)
        choice[s] = s;
    for (uint32_t i = 0; i < CHAINS; i++) {
        graph_process chain;
        solve_recurrence truth;
        random_chain(&random, N, &chain);
        const solve_recurrence_options exact = {.epsilon = 0.1, .literal = i % 2 == 1};
        assert_ok(solve_recurrence_chain(&chain, 0, &exact, &truth, &error), &error);
        for (uint32_t seed = 0; seed < ROUNDS; seed++) {
            const check_estimate_options options = {.epsilon = 0.1,
                                                    .delta = 0.2,
                                                    .literal = exact.literal,
                                                    .samples = 300,
                                                    .seed = random_u64(&random),
                                                    .max_steps = 1000000,
                                                    .threads = 1};
            check_estimate found;
            assert_ok(check_estimate_chain(&chain, choice, 0, &options, &found, &error), &error);
            assert_true(found.is_known);
            assert_true(found.upper > 0);
            misses += truth.steps < found.lower || truth.steps > found.upper;
            off += truth.steps != found.steps;
        }
        graph_process_fini(&chain);
    }
    assert_true(misses <= 160);
    assert_true(off > 160);
}

/* ---- refusals and failures ---- */

static void test_arguments(void **context)
{
    opac_model *model = stay("0.5");
    opac_formula *formula = scene_formula("G F s0");
    const opac_objective objective = {.formula = formula}, none = {0};
    const opac_recurrence_options good = {.epsilon = 0.05};
    const opac_recurrence_options wrong[] = {{.epsilon = 0},
                                             {.epsilon = 1},
                                             {.epsilon = 0.05, .delta = 1},
                                             {.epsilon = 0.05, .delta = -1},
                                             {.epsilon = 0.05, .least = 2},
                                             {.epsilon = 0.05, .least = -1},
                                             {.epsilon = 0.05, .threads = 5000},
                                             {.epsilon = 0.05, .samples = UINT64_MAX},
                                             {.epsilon = 0.05, .kind = (opac_automaton_kind)7}};
    opac_recurrence found;
    opac_error error = {0};
    (void)context;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_status(opac_recurrence_time(model, &objective, &wrong[i], &found, &error),
                      OPAC_ERROR_ARGUMENT);
    assert_status(opac_recurrence_time(model, &none, &good, &found, &error), OPAC_ERROR_ARGUMENT);
    assert_string_equal(opac_recurrence_kind_name(OPAC_RECURRENCE_EXACT), "exact");
    assert_string_equal(opac_recurrence_kind_name(OPAC_RECURRENCE_ESTIMATE), "estimate");
    assert_string_equal(opac_recurrence_kind_name((opac_recurrence_kind)9), "unknown");
    opac_formula_free(formula);
    opac_model_free(model);
}

static void test_cancel(void **context)
{
    opac_model *model = ring(false);
    opac_formula *formula = scene_formula("G F a");
    const opac_objective objective = {.formula = formula};
    opac_recurrence found;
    opac_cancel *cancel;
    opac_error error = {0};
    (void)context;
    assert_ok(opac_cancel_new(&cancel, &error), &error);
    opac_cancel_request(cancel);
    const opac_recurrence_options options = {.epsilon = 0.05, .cancel = cancel};
    assert_status(opac_recurrence_time(model, &objective, &options, &found, &error),
                  OPAC_ERROR_CANCELLED);
    opac_cancel_free(cancel);
    opac_formula_free(formula);
    opac_model_free(model);
}

typedef struct call {
    const opac_model *model;
    opac_objective objective;
    opac_recurrence_options options;
} call;

static opac_status measure(void *context, opac_error *error)
{
    const call *c = context;
    opac_recurrence found;
    return opac_recurrence_time(c->model, &c->objective, &c->options, &found, error);
}

static void test_faults(void **context)
{
    opac_model *model = example("gridworld"), *big = ring(false);
    opac_formula *formula = scene_formula("G F s & G F g"), *again = scene_formula("G F a");
    opac_policy *policy;
    opac_error error = {0};
    (void)context;
    assert_ok(opac_policy_parse(fast, strlen(fast), model, &policy, &error), &error);
    call calls[] = {
        {model, {.formula = formula}, {.epsilon = 0.05, .policy = policy}},
        {model, {.formula = formula}, {.epsilon = 0.05, .least = 0.1}},
        {big, {.formula = again}, {.epsilon = 0.05, .samples = 20, .threads = 1}},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        assert_true(faults_sweep(measure, &calls[i]) > 10);
    opac_policy_free(policy);
    opac_formula_free(formula);
    opac_formula_free(again);
    opac_model_free(model);
    opac_model_free(big);
}

SUITE(recurrence)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gridworld),
        cmocka_unit_test(test_policy),
        cmocka_unit_test(test_stay),
        cmocka_unit_test(test_counterexample),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_end_accepted),
        cmocka_unit_test(test_end_is_sooner),
        cmocka_unit_test(test_initial),
        cmocka_unit_test(test_upper),
        cmocka_unit_test(test_lower),
        cmocka_unit_test(test_optimum_is_tried),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_poor_estimates),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
