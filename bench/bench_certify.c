/* SPDX-License-Identifier: MIT */
/*
 * Certified learning: the number of samples until the bracket is closed, and the distribution of the time.
 *
 *   - The gridworld at epsilon .05, delta .1, p_min .2: mean steps over a hundred seeds, relative to two
 *     thousand; the paper's chain at 1/60, relative to a million.
 *   - Our own models and, if available, published ones, with their least probability as p_min: samples
 *     relative to those with Hoeffding's inequality, in the same run and the same loop.
 *   - Shares of time: sampling, intervals (their number times the cost of one), and the rest of solving.
 *   - Rows alike: mean steps over ten seeds relative to an aim, and the steps without classes relative to them.
 *   - Brackets from T: mean steps over twenty seeds relative to an aim, and the steps of omega-PAC with rule l1
 *     for an error of the same size relative to them. omega-PAC samples many episodes together; a simulator
 *     would have to take all of its steps. With 10 and 100 microseconds a step, solving relative to sampling.
 *
 * The reference is the method of Ashok, Kretinsky and Weininger (CAV 2019): each state-action pair has an
 * equal share of delta, and each successor an equal share of that, delta_T; the lower end of a probability
 * is its frequency minus sqrt(ln(1/delta_T) / 2n), at least 0; the mass that the lower ends of a pair leave
 * goes to its best successor for the upper bound, and to its worst for the lower one. The reference run
 * uses these one-sided lower ends and this treatment of the remaining mass. The other parts are ours,
 * mostly to the advantage of the reference: supports become complete, so that no mass remains for unseen
 * successors; the union bound is over the actual successors, not over 1/p_min; the union over all times
 * costs ln n(n+1), and theirs k ln 2 in the k-th round. The share of delta of a pair is ours as well: at
 * least half of an equal one. A reference run is stopped after a multiple of our samples; the true ratio is
 * then larger.
 *
 * A third run separates the effect of the confidence sequence: Hoeffding's lower ends, but cut at p_min as
 * ours are. If the graph alone decides, no probability is estimated, and all runs are the same. If p_min
 * leaves nothing to estimate, all runs are the same except the one without the cut.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/omegapac.h>

#include "bench.h"
#include "bracket/bracket.h"
#include "bracket/support_form.h"
#include "learn/learn.h"
#include "stat/sequence.h"

enum {
    MOST_TIMES = 30, /* multiple of our samples after which the reference run is stopped */
    FEW_SEEDS = 5
};

typedef struct task {
    const char *name, *folder, *file, *constants, *property;
    double epsilon;
    uint64_t most; /* steps; 0: until it is done */
} task;

typedef struct question {
    opac_model *model;
    opac_properties *properties;
    opac_objective objective;
    double pmin;
    uint64_t horizon;   /* T; 0: p_min is known */
    opac_k_rule k_rule; /* OPAC_K_NONE: a bracket */
    bool knows_graph;   /* in place of p_min */
    bool alike;         /* rows alike, by the commands of the program */
} question;

typedef struct outcome {
    opac_learn_report report;
    uint64_t intervals; /* computed */
} outcome;

/* ---- problems ---- */

static double least_probability(const opac_model *model)
{
    double least = 1;
    for (uint32_t c = 0; c < opac_model_choices(model); c++) {
        uint32_t begin = opac_model_branch_begin(model, c);
        for (uint32_t b = 0; b < opac_model_branch_count(model, c); b++)
            least = fmin(least, opac_model_branch_probability(model, begin + b));
    }
    return least;
}

static opac_status read_model(const task *t, opac_model **model, opac_error *error)
{
    char path[4096];
    opac_constants *constants = NULL;
    opac_status status = opac_constants_new(&constants, error);
    if (status == OPAC_OK && t->constants != NULL)
        status = opac_constants_add(constants, t->constants, error);
    const opac_model_options options = {.constants = constants, .commands = true};
    snprintf(path, sizeof path, "%s/%s", t->folder, t->file);
    if (status == OPAC_OK)
        status = opac_model_read(path, &options, model, error);
    opac_constants_free(constants);
    return status;
}

static void forget(question *q)
{
    opac_properties_free(q->properties);
    opac_model_free(q->model);
}

static bool ask(const task *t, question *q)
{
    opac_error error = {0};
    *q = (question){.k_rule = OPAC_K_NONE};
    opac_status status = read_model(t, &q->model, &error);
    if (status == OPAC_OK)
        status = opac_properties_parse(t->property, q->model, NULL, &q->properties, &error);
    if (status != OPAC_OK) {
        fprintf(stderr, "bench_certify: %s: %s\n", t->file, error.message);
        forget(q);
        return false;
    }
    q->objective = opac_objective_of(q->properties, 0);
    q->pmin = least_probability(q->model);
    return true;
}

/* ---- one run ---- */

static const sample_tuning ours = {.patience = 1e6};

static bool learn(const question *q, double epsilon, uint64_t seed, uint64_t most,
                  const sample_tuning *tuning, outcome *o)
{
    opac_learn_options options = opac_learn_defaults();
    opac_environment *env = NULL;
    opac_learning *learning = NULL;
    opac_error error = {0};
    options.pmin = q->horizon > 0 ? 0 : q->pmin;
    options.horizon = q->horizon;
    options.k_rule = q->k_rule;
    options.epsilon = epsilon;
    options.delta = 0.1;
    options.seed = seed;
    options.max_steps = most;
    options.threads = 1;
    opac_status status = q->alike ? opac_environment_of_commands(q->model, NULL, &env, &error)
                                  : opac_environment_of_model(q->model, NULL, &env, &error);
    options.alike = q->alike;
    options.graph = q->knows_graph ? env : NULL;
    if (q->knows_graph)
        options.pmin = 0;
    if (status == OPAC_OK)
        status = learn_tuned(env, &q->objective, &options, tuning, &learning, &error);
    if (status == OPAC_OK) {
        o->report = *opac_learning_report(learning);
        o->intervals = q->horizon > 0 ? 0 : bracket_support_of(&learning->run)->computed;
    } else
        fprintf(stderr, "bench_certify: %s\n", error.message);
    opac_learning_free(learning);
    opac_environment_free(env);
    return status == OPAC_OK;
}

/* ---- shares ---- */

/* Seconds of one interval, with counts as they come. */
static double time_interval(void)
{
    enum {
        INTERVALS = 200000
    };
    double sum = 0, begin = bench_seconds();
    for (uint64_t i = 1; i <= INTERVALS; i++)
        sum += stat_sequence_jeffreys(i / 3, i, -10).lower;
    double cost = (bench_seconds() - begin) / INTERVALS;
    return sum < 0 ? 0 : cost;
}

static void show_shares(const outcome *o, double interval)
{
    double all = o->report.sampling_seconds + o->report.solving_seconds;
    double estimate = interval * (double)o->intervals;
    printf("    %-50s %3.0f %% sampling, %.0f %% intervals, %.0f %% the rest of solving; %" PRIu64
           " solved\n",
           "time:", 100 * o->report.sampling_seconds / all, 100 * estimate / all,
           100 * fmax(0, o->report.solving_seconds - estimate) / all, o->report.policies);
}

/* ---- the paper's examples ---- */

/* Mean steps over the seeds, relative to the target; and the number of failed runs. */
static void show_mean(const task *t, unsigned seeds, double aim, const char *reference)
{
    question q;
    double sum = 0, most = 0;
    unsigned failed = 0;
    if (!ask(t, &q))
        return;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        outcome o;
        if (!learn(&q, t->epsilon, seed, t->most, &ours, &o))
            break;
        failed += !o.report.holds;
        sum += (double)o.report.steps;
        most = fmax(most, (double)o.report.steps);
    }
    printf("%s, epsilon %.3g, p_min %.3g: %.0f steps in the mean of %u seeds, at most %.0f, "
           "%u not closed\n",
           t->name, t->epsilon, q.pmin, sum / seeds, seeds, most, failed);
    bench_ratio("mean steps", reference, sum / seeds, aim);
    forget(&q);
}

/* ---- rows alike ---- */

typedef struct alike_task {
    task t;
    double aim; /* steps */
} alike_task;

/* With the graph; and without classes, if that is closed within MOST_TIMES as many steps. */
static void show_alike(const alike_task *alike, unsigned seeds)
{
    const task *t = &alike->t;
    question q;
    outcome without;
    double sum = 0, most = 0;
    unsigned failed = 0;
    if (!ask(t, &q))
        return;
    q.knows_graph = q.alike = true;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        outcome o;
        if (!learn(&q, t->epsilon, seed, t->most, &ours, &o))
            break;
        failed += !o.report.holds;
        sum += (double)o.report.steps;
        most = fmax(most, (double)o.report.steps);
    }
    q.alike = false;
    printf("  %s, epsilon %.3g: %.0f steps in the mean of %u seeds, at most %.0f, %u not closed\n",
           t->name, t->epsilon, sum / seeds, seeds, most, failed);
    bench_ratio("  mean steps", "the aim", sum / seeds, alike->aim);
    if (learn(&q, t->epsilon, 1, (uint64_t)(MOST_TIMES * sum / seeds), &ours, &without))
        bench_ratio(without.report.holds ? "  steps without classes"
                                         : "  steps without classes, more than",
                    "as many", (double)without.report.steps, sum / seeds);
    forget(&q);
}

/* ---- brackets from T ---- */

typedef struct recurrent_task {
    task t;
    uint64_t horizon; /* T */
    double aim;       /* steps */
} recurrent_task;

/* Steps of omega-PAC with rule l1; 0: it failed. */
static double count_omega_pac(const task *t, question *q)
{
    outcome o;
    q->k_rule = OPAC_K_L1;
    bool is_good = learn(q, t->epsilon, 1, 0, &ours, &o);
    q->k_rule = OPAC_K_NONE;
    return is_good && o.report.holds ? (double)o.report.steps : 0;
}

static void show_horizon(const recurrent_task *recurrent, unsigned seeds)
{
    const task *t = &recurrent->t;
    question q;
    double steps = 0, most = 0, solving = 0;
    unsigned failed = 0;
    if (!ask(t, &q))
        return;
    q.horizon = recurrent->horizon;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        outcome o;
        if (!learn(&q, t->epsilon, seed, t->most, &ours, &o))
            break;
        failed += !o.report.holds;
        steps += (double)o.report.steps;
        most = fmax(most, (double)o.report.steps);
        solving += o.report.solving_seconds;
    }
    printf("  %s, T = %" PRIu64 ", epsilon %.3g: %.0f steps in the mean of %u seeds, at most %.0f, "
           "%u not closed\n",
           t->name, q.horizon, t->epsilon, steps / seeds, seeds, most, failed);
    bench_ratio("  mean steps", "the aim", steps / seeds, recurrent->aim);
    bench_ratio("  steps of omega-PAC, rule l1", "as many", count_omega_pac(t, &q), steps / seeds);
    bench_ratio("  solving", "sampling with 10 microseconds a step", solving, 10e-6 * steps);
    bench_ratio("  solving", "sampling with 100 microseconds a step", solving, 100e-6 * steps);
    forget(&q);
}

/* ---- comparison with Hoeffding ---- */

typedef struct rival {
    const char *name;
    sample_tuning tuning;
} rival;

static const rival rivals[] = {
    {"Hoeffding's", {.patience = 1e6, .hoeffding = true, .no_pmin_cut = true}},
    {"Hoeffding's, cut at p_min as ours", {.patience = 1e6, .hoeffding = true}},
};
enum {
    RIVALS = sizeof rivals / sizeof *rivals
};

typedef struct race {
    double samples[1 + RIVALS]; /* ours first */
    bool is_more[1 + RIVALS];   /* it was broken off */
    unsigned runs, refuted;     /* the second are not among the first */
    outcome last;               /* of ours */
} race;

/* One seed; true if it counts. The assumptions hold, but may be refuted with probability delta. */
static bool run_seed(const task *t, const question *q, uint64_t seed, race *r)
{
    outcome found[1 + RIVALS] = {0};
    for (int i = 0; i <= RIVALS; i++) {
        uint64_t most = i == 0 ? t->most : MOST_TIMES * found[0].report.steps;
        const sample_tuning *tuning = i == 0 ? &ours : &rivals[i - 1].tuning;
        if (!learn(q, t->epsilon, seed, most, tuning, &found[i]))
            return false;
        if (found[i].report.end == OPAC_END_REFUTED) {
            r->refuted++;
            return false;
        }
    }
    for (int i = 0; i <= RIVALS; i++) {
        r->samples[i] += (double)found[i].report.steps;
        r->is_more[i] |= !found[i].report.holds;
    }
    r->last = found[0];
    return true;
}

/* Adds the logarithms of the ratios; false: there are none. */
static bool show_beside(const task *t, double interval, double *logs)
{
    question q;
    race r = {0};
    if (!ask(t, &q))
        return false;
    for (uint64_t seed = 1; seed <= bench_times(FEW_SEEDS); seed++)
        r.runs += run_seed(t, &q, seed, &r);
    bool is_good = r.runs > 0;
    const opac_learn_report *report = &r.last.report;
    if (is_good)
        printf("  %s, epsilon %.3g, p_min %.3g: [%.4g, %.4g] with %.0f samples%s\n", t->name,
               t->epsilon, q.pmin, report->lower, report->upper, r.samples[0] / r.runs,
               r.is_more[0] ? ", not closed" : "");
    if (r.refuted > 0)
        printf("    (without %u of %d seeds: p_min refuted)\n", r.refuted, FEW_SEEDS);
    for (int i = 0; i < RIVALS && is_good; i++) {
        char what[96];
        snprintf(what, sizeof what, "  %s%s", rivals[i].name,
                 r.is_more[1 + i] ? ", more than" : "");
        bench_ratio(what, "as many", r.samples[1 + i], r.samples[0]);
        logs[i] += log(r.samples[1 + i] / r.samples[0]);
    }
    if (is_good)
        show_shares(&r.last, interval);
    forget(&q);
    return is_good;
}

static void show_all(const char *title, const task *tasks, size_t count)
{
    double interval = time_interval(), logs[RIVALS] = {0};
    unsigned shown = 0;
    printf("%s\n", title);
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", tasks[i].folder, tasks[i].file);
        shown += access(path, R_OK) == 0 && show_beside(&tasks[i], interval, logs);
    }
    for (int i = 0; i < RIVALS && shown > 0; i++) {
        char what[96];
        snprintf(what, sizeof what, "geometric mean, at least: %s", rivals[i].name);
        bench_ratio(what, "as many", exp(logs[i] / shown), 1);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SCALE        PUBLISHED "/prism-scale/models"
#define LTL          PUBLISHED "/prism-ltl/models"

int main(void)
{
    static const task grid = {"gridworld",
                              EXAMPLE_MODELS,
                              "gridworld.prism",
                              NULL,
                              "Pmax=? [ (G F \"s\") & (G F \"g\") ]",
                              0.05,
                              200000};
    static const task chain = {
        "chain", EXAMPLE_MODELS, "chain.prism", NULL, "Pmax=? [ F \"won\" ]", 1.0 / 60, 20000000};
    static const task own[] = {
        {"gridworld", EXAMPLE_MODELS, "gridworld.prism", NULL,
         "Pmax=? [ (G F \"s\") & (G F \"g\") ]", 0.05, 200000},
        {"chain", EXAMPLE_MODELS, "chain.prism", NULL, "Pmax=? [ F \"won\" ]", 1.0 / 60, 20000000},
        {"frozen lake", EXAMPLE_MODELS, "frozenlake.prism", NULL, "Pmax=? [ F \"goal\" ]", 0.05,
         20000000},
        {"channel", EXAMPLE_MODELS, "channel.prism", NULL, "Pmax=? [ F \"delivered\" ]", 0.01,
         20000000},
        {"delivery", EXAMPLE_MODELS, "delivery.prism", NULL, "Pmax=? [ G F \"village\" ]", 0.05,
         20000000},
        {"two coins", EXAMPLE_MODELS, "two-coins.prism", "p=0.1", "P=? [ F \"both\" ]", 0.01,
         20000000},
    };
    static const task published[] = {
        {"coin2, K=2", SCALE, "coin2.nm", "K=2", "Pmax=? [ F \"finished\"&!\"agree\" ]", 0.05,
         20000000},
        {"csma2_2", SCALE, "csma2_2.nm", NULL,
         "Pmax=? [ !\"collision_max_backoff\" U \"all_delivered\" ]", 0.05, 20000000},
        {"robot", LTL, "functionality__verify__mdps__ltl__robot.nm", NULL,
         "Pmax=? [ (G !\"hazard\") & (G F \"goal1\") ]", 0.02, 20000000},
        {"lec18mdp", LTL, "functionality__verify__mdps__ltl__lec18mdp.nm", NULL,
         "Pmax=? [ (G !(s=3)) & (G F (s=6)) ]", 0.02, 20000000},
        {"lec15mdp", LTL, "functionality__verify__mdps__ltl__lec15mdp.nm", NULL,
         "Pmin=? [ G F (s=1 | s=6 | s=7) ]", 0.02, 20000000},
        {"simple_ltl", LTL, "functionality__verify__mdps__ltl__simple_ltl.nm", NULL,
         "Pmax=? [ G (s=2 | (F s=3)) ]", 0.02, 20000000},
        {"jaeger", LTL, "functionality__verify__mdps__ltl__jaeger.prism", NULL,
         "Pmax=? [ X (X \"o_110\") ]", 0.02, 20000000},
        {"jltlbug2", LTL, "bugfixes__jltlbug2.nm", NULL,
         "P=? [ r & (G (!(r & (X r)) & !(v & (X v)))) ]", 0.02, 20000000},
        {"lec17dtmc", LTL, "pmc__lec17dtmc.pm", NULL, "P=? [ F G \"a\" ]", 0.01, 20000000},
    };
    static const recurrent_task recurrent[] = {
        {{"gridworld", EXAMPLE_MODELS, "gridworld.prism", NULL,
          "Pmax=? [ (G F \"s\") & (G F \"g\") ]", 0.05, 1000000},
         306,
         20000},
        {{"chain", EXAMPLE_MODELS, "chain.prism", NULL, "Pmax=? [ G F \"won\" ]", 1.0 / 60,
          10000000},
         8,
         250000},
        {{"Example 1, p = .001", EXAMPLE_MODELS, "robust.prism", "p=0.001,q=0",
          "Pmax=? [ G \"s0\" ]", 0.05, 10000000},
         2997,
         170000},
        {{"delivery", EXAMPLE_MODELS, "delivery.prism", NULL, "Pmax=? [ G F \"village\" ]", 0.05,
          10000000},
         72,
         100000},
        {{"frozen lake", EXAMPLE_MODELS, "frozenlake.prism", NULL, "Pmax=? [ F \"goal\" ]", 0.05,
          100000000},
         685,
         2000000},
    };
    static const alike_task alike[] = {
        {{"slippery grid, n = 10", EXAMPLE_MODELS, "slippery.prism", "n=10",
          "Pmax=? [ F \"goal\" ]", 0.05, 100000000},
         300000},
        {{"slippery grid, n = 30", EXAMPLE_MODELS, "slippery.prism", "n=30",
          "Pmax=? [ F \"goal\" ]", 0.05, 100000000},
         1000000},
    };
    show_mean(&grid, (unsigned)bench_times(100), 2000, "two thousand");
    show_mean(&chain, (unsigned)bench_times(10), 1e6, "a million");
    printf("rows alike, with the graph\n");
    for (size_t i = 0; i < bench_sizes(COUNT(alike)); i++)
        show_alike(&alike[i], (unsigned)bench_times(10));
    printf("brackets from T of width 4 epsilon\n");
    for (size_t i = 0; i < bench_sizes(COUNT(recurrent)); i++)
        show_horizon(&recurrent[i], (unsigned)bench_times(20));
    show_all("samples with Hoeffding's inequality relative to ours, our models", own, COUNT(own));
    show_all("published models", published, COUNT(published));
    return 0;
}
