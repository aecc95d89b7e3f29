/* SPDX-License-Identifier: MIT */
/*
 * Learning: the two samplers on the paper's gridworld, threads, the cost of a step for growing numbers of
 * states, and the cost of solving relative to sampling.
 *
 *   - population: the whole run of the paper (T = 19, k = 71 394 132), relative to a tenth of a second; the
 *     true T = 306 and its k, relative to a second.
 *   - step: transitions per second, relative to raw words of the generator and to dependent loads.
 *   - a de Bruijn graph of 10 to 10^6 states, which mixes quickly: the cost of a step relative to that for
 *     ten states, and to a load from as much memory, because cache misses are unavoidable. The first steps
 *     discover states; the later ones revisit them.
 *   - a chain in which each state has two actions that become known one after the other, with as many
 *     policies as states: solving relative to sampling.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/omegapac.h>

#include "apart.h"
#include "base/text.h"
#include "bench.h"
#include "stat/rng.h"

typedef struct task {
    base_text program;
    const char *formula;
    opac_learn_options options;
} task;

typedef struct outcome {
    bool good;
    uint32_t states;
    double seconds, peak;
    opac_learn_report report;
} outcome;

/* ---- one run ---- */

static opac_status prepare(const task *t, opac_model **model, opac_formula **formula,
                           opac_environment **env, opac_error *error)
{
    const char *text = base_text_get(&t->program);
    opac_status status =
        opac_model_read_text(OPAC_FORMAT_PRISM, text, strlen(text), NULL, model, error);
    if (status == OPAC_OK)
        status = opac_formula_parse(t->formula, NULL, formula, error);
    return status == OPAC_OK ? opac_environment_of_model(*model, NULL, env, error) : status;
}

static void learn(const void *context, void *out)
{
    const task *t = context;
    outcome *o = out;
    opac_model *model = NULL;
    opac_formula *formula = NULL;
    opac_environment *env = NULL;
    opac_learning *learning = NULL;
    opac_error error = {0};
    if (prepare(t, &model, &formula, &env, &error) == OPAC_OK) {
        double before = bench_peak(), begin = bench_seconds();
        opac_objective objective = {.formula = formula};
        o->good = opac_learn(env, &objective, &t->options, &learning, &error) == OPAC_OK;
        o->seconds = bench_seconds() - begin;
        o->peak = bench_peak() - before;
        o->states = opac_model_states(model);
    }
    if (o->good)
        o->report = *opac_learning_report(learning);
    else
        fprintf(stderr, "bench_learn: %s\n", error.message);
    opac_learning_free(learning);
    opac_environment_free(env);
    opac_formula_free(formula);
    opac_model_free(model);
}

static opac_learn_options options_of(uint64_t horizon, uint64_t k)
{
    opac_learn_options options = opac_learn_defaults();
    options.horizon = horizon;
    options.epsilon = 0.05;
    options.delta = 0.1;
    options.k_rule = OPAC_K_L1;
    options.k = k;
    options.threads = 1;
    return options;
}

static bool run(task *t, outcome *o)
{
    memset(o, 0, sizeof *o);
    return bench_apart(learn, t, o, sizeof *o) && o->good;
}

/* ---- the gridworld ---- */

static void write_gridworld(base_text *text)
{
    static const char *const actions[] = {"ne", "nw", "se", "sw"};
    base_text_add(text, "mdp module robot x : [0..2] init 0; y : [0..1] init 1;\n");
    for (int a = 0; a < 4; a++)
        base_text_format(text,
                         "  [%s] !(x=1&y=1) -> 0.4:(y'=%s) + 0.4:(x'=%s) + 0.2:true;\n"
                         "  [%s] x=1&y=1 -> true;\n",
                         actions[a], a < 2 ? "1" : "0", a % 2 == 0 ? "min(x+1,2)" : "max(x-1,0)",
                         actions[a]);
    base_text_add(text, "endmodule\nlabel \"s\" = x=0&y=1; label \"g\" = x=2&y=0;\n");
}

/* Limits of the machine: nanoseconds of a random word and of a dependent load. */
static double time_draw(void)
{
    enum {
        DRAWS = 200000000
    };
    stat_rng rng;
    stat_rng_init(&rng, 1, 0);
    uint64_t sum = 0;
    double begin = bench_seconds();
    for (int i = 0; i < DRAWS; i++)
        sum += stat_rng_next(&rng);
    double cost = (bench_seconds() - begin) * 1e9 / DRAWS;
    return sum == 1 ? 0 : cost;
}

/* Each load is from another cache line, in an order that prefetchers cannot predict. */
static double time_load(double bytes)
{
    enum {
        LOADS = 20000000,
        LINE = 16 /* cells of 4 bytes */
    };
    uint32_t cells = 1024;
    while (cells * 4.0 < bytes && cells < UINT32_C(1) << 30)
        cells *= 2;
    uint32_t *next = malloc(cells * sizeof *next), cell = 0;
    if (next == NULL)
        return 0;
    for (uint32_t i = 0; i < cells; i += LINE) /* a full period: odd step, factor 1 mod 4 */
        next[i] = ((i / LINE) * UINT32_C(1664525) + UINT32_C(1013904223)) % (cells / LINE) * LINE;
    volatile uint32_t *at = next;
    double begin = bench_seconds();
    for (int i = 0; i < LOADS; i++)
        cell = at[cell];
    double cost = (bench_seconds() - begin) * 1e9 / LOADS;
    free(next);
    return cell == cells ? 0 : cost;
}

static void show_population(task *t)
{
    outcome o;
    t->options = options_of(19, 0);
    t->options.k_rule = OPAC_K_PAPER;
    t->options.count_pairs = true;
    t->options.sampler = OPAC_SAMPLER_POPULATION;
    if (run(t, &o)) {
        printf("population, T = 19, k = %" PRIu64 ": %.3g steps\n", o.report.k,
               (double)o.report.steps);
        bench_ratio("the whole run", "a tenth of a second", o.seconds, 0.1);
    }
    t->options.horizon = 306;
    if (run(t, &o)) {
        printf("population, T = 306, k = %" PRIu64 ": %.3g steps\n", o.report.k,
               (double)o.report.steps);
        bench_ratio("the whole run", "a second", o.seconds, 1);
    }
}

static double step_cost(task *t, unsigned threads)
{
    outcome o;
    t->options = options_of(306, 0);
    t->options.k = UINT64_C(1) << 40; /* never reached: the policy stays, and steps are all */
    t->options.sampler = OPAC_SAMPLER_STEP;
    t->options.threads = threads;
    t->options.max_steps = bench_times(UINT64_C(600000000)) * threads;
    return run(t, &o) ? o.report.sampling_seconds * 1e9 / (double)o.report.steps : 0;
}

static void show_step(task *t)
{
    double draw = time_draw(), load = time_load(0), one = step_cost(t, 1), two = step_cost(t, 2);
    printf(
        "step: %.3g steps, %.3g raw draws, %.3g dependent loads, all in the time of 10^9 draws\n",
        1e9 * draw / one, 1e9, 1e9 * draw / load);
    bench_ratio("a step", "a draw", one, draw);
    bench_ratio("a step", "a draw and three dependent loads", one, draw + 3 * load);
    bench_ratio("steps of two threads", "those of one", one, two);
}

/* ---- many states ---- */

static void show_curve(void)
{
    double first = 0;
    printf("a step, in de Bruijn graphs of growing size\n");
    for (uint32_t states = 10; states <= bench_times(1000000); states *= 10) {
        task t = {.formula = "G F \"low\""};
        outcome o;
        base_text_format(&t.program,
                         "mdp module m s : [0..%u] init 0; [] true -> 0.5:(s'=mod(2*s,%u)) + "
                         "0.5:(s'=mod(2*s+1,%u)); endmodule label \"low\" = s=0;\n",
                         states - 1, states, states);
        t.options = options_of(1000, UINT64_C(1) << 40);
        t.options.sampler = OPAC_SAMPLER_STEP;
        t.options.max_steps = bench_times(states < 1000000 ? 40000000 : 10000000);
        if (run(&t, &o)) {
            char what[96];
            double cost = o.report.sampling_seconds / (double)o.report.steps;
            first = first == 0 ? cost : first;
            snprintf(what, sizeof what, "%" PRIu64 " states, %" PRIu64 " steps for each",
                     o.report.states_seen, o.report.steps / o.report.states_seen);
            bench_ratio(what, "ten states", cost, first);
            snprintf(what, sizeof what, "  (%.0f bytes a state)",
                     o.peak / (double)o.report.states_seen);
            bench_ratio(what, "a dependent load from so much memory", cost * 1e9,
                        time_load(o.peak));
        }
        base_text_fini(&t.program);
    }
}

/* ---- many policies ---- */

static void show_chain(uint32_t states, uint64_t k, double seconds)
{
    task t = {.formula = "!\"bad\" U \"good\""};
    outcome o;
    base_text_format(
        &t.program,
        "mdp module m s : [0..%u] init 0; [try] s<%u -> 0.001:(s'=%u) + 0.999:(s'=%u);\n"
        "[go] s<%u -> (s'=s+1); [] s>=%u -> true; endmodule\n"
        "label \"good\" = s=%u; label \"bad\" = s=%u;\n",
        states + 1, states, states, states + 1, states - 1, states, states, states + 1);
    t.options = options_of(states + 2, k);
    t.options.sampler = OPAC_SAMPLER_STEP;
    t.options.max_seconds = seconds;
    if (run(&t, &o)) {
        char what[96];
        snprintf(what, sizeof what,
                 "%u states, k = %" PRIu64 ", %" PRIu64 " policies, %" PRIu64 " solved", states, k,
                 o.report.policies, o.report.solves);
        bench_ratio(what, "sampling", o.report.solving_seconds, o.report.sampling_seconds);
    }
    base_text_fini(&t.program);
}

int main(void)
{
    task grid = {.formula = "G F \"s\" & G F \"g\""};
    write_gridworld(&grid.program);
    show_population(&grid);
    show_step(&grid);
    base_text_fini(&grid.program);
    show_curve();
    printf("solving on a chain of many policies\n");
    show_chain(1000, 10, 5);
    if (bench_is_smoke())
        return 0;
    show_chain(10000, 3, 5);
    show_chain(100000, 3, 10);
    return 0;
}
