/* SPDX-License-Identifier: MIT */
/*
 * How many samples learners take, against N, T and ε, beside what the theorems ask for.
 *
 * What is asked for is arithmetic (samples_k.c). Then ω-PAC is run, whose steps are drawn by
 * counts, and the learners that close a bracket, whose steps are taken one by one. It costs less
 * than half a minute of one core: half of that for ω-PAC with T in the hundreds, half for the
 * longest chains.
 */
#include "experiment/samples.h"

#include <inttypes.h>
#include <math.h>

#include "base/alloc.h"

const experiment_samples_size experiment_samples_full = {.runs = 21};

/* ---- families ---- */

#define CHAIN(n, accuracy)                                                                         \
    {                                                                                              \
        n, "N=" #n, accuracy, n + 1, 1.0 / (1 << n)                                                \
    }
#define GRID(e)                                                                                    \
    {                                                                                              \
        e, NULL, e, 0, 0.2                                                                         \
    }
#define TIME(t)                                                                                    \
    {                                                                                              \
        t, NULL, 0.05, t, 0.2                                                                      \
    }
#define LEAST(p)                                                                                   \
    {                                                                                              \
        p, NULL, 0.05, 306, p                                                                      \
    }

enum {
    ALL = (1 << EXPERIMENT_SAMPLES_LEARNERS) - 1,
    OMEGA_PAC = 1 << EXPERIMENT_SAMPLES_BY_PAPER | 1 << EXPERIMENT_SAMPLES_BY_L1 |
                1 << EXPERIMENT_SAMPLES_BY_TARGET,
    CHEAP = 1 << EXPERIMENT_SAMPLES_BY_L1 | 1 << EXPERIMENT_SAMPLES_BY_TARGET |
            1 << EXPERIMENT_SAMPLES_BY_PMIN
};

static const experiment_samples_setting chains[] = {CHAIN(2, 1.0 / 60),  CHAIN(4, 1.0 / 60),
                                                    CHAIN(6, 1.0 / 60),  CHAIN(8, 1.0 / 60),
                                                    CHAIN(10, 1.0 / 60), CHAIN(12, 1.0 / 60)};
static const experiment_samples_setting rough_chains[] = {
    CHAIN(2, 0.1),  CHAIN(4, 0.1),  CHAIN(6, 0.1),  CHAIN(8, 0.1),
    CHAIN(10, 0.1), CHAIN(12, 0.1), CHAIN(13, 0.1), CHAIN(14, 0.1)};
static const experiment_samples_setting accuracies[] = {GRID(0.2), GRID(0.1), GRID(0.05),
                                                        GRID(0.02), GRID(0.01)};
static const experiment_samples_setting times[] = {TIME(19), TIME(38), TIME(76), TIME(153),
                                                   TIME(306)};
static const experiment_samples_setting least[] = {LEAST(0.2), LEAST(0.02), LEAST(0.002),
                                                   LEAST(0.0002)};

typedef struct exhibit {
    experiment_samples_family family;
    const char *title, *caption;
} exhibit;

enum {
    CHAINS = 0,
    ROUGH = 1,
    ACCURACY = 2,
    TIMES = 3,
    LEASTS = 4,
    EXHIBITS = 5
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define GRID_FORMULA "(G F s) & (G F g)"

static const exhibit exhibits[EXHIBITS] = {
    {{"chain", "chain", "G F won", "states in the row", ALL, chains, COUNT(chains)},
     "Steps on the chain, against its length: ε = 1/60",
     "pmin is halved by each state of the row, so the bracket with it becomes dearer and dearer; "
     "with the graph it does not."},
    {{"chain-rough", "chain", "G F won", "states in the row", ALL, rough_chains,
      COUNT(rough_chains)},
     "Steps on the chain, against its length: ε = 1/10",
     "The same with a rough ε, where ω-PAC is cheap and pmin, down to 1/16384, is not: in the end "
     "the bracket with pmin takes more steps than ω-PAC for 6ε, and nearly as many as with l1."},
    {{"grid-epsilon", "gridworld", GRID_FORMULA, "ε", ALL, accuracies, COUNT(accuracies)},
     "Steps on the gridworld, against ε",
     "Each ε has its own T, from 165 to 470. The bracket closes when the graph is known: its "
     "optimum is 1, and ε does not matter."},
    {{"grid-horizon", "gridworld", GRID_FORMULA, "T, as told to the learner", OMEGA_PAC, times,
      COUNT(times)},
     "Steps on the gridworld, against T: ε = 1/20",
     "The true T is 306; the paper has 19. The learners with a bracket do not know T: see the "
     "next figure for theirs."},
    {{"grid-pmin", "gridworld", GRID_FORMULA, "pmin, as told to the learner", CHEAP, least,
      COUNT(least)},
     "Steps on the gridworld, against pmin: ε = 1/20",
     "What it costs to know less than one could: the true pmin is 0.2. Steps of the bracket go "
     "with 1/pmin; ω-PAC, told the true T, does not look at it."},
};

/* The outcomes of an exhibit. */
typedef struct collection {
    experiment_samples_outcome *items;
    size_t count;
} collection;

/* The outcome of a learner at the index-th of its settings; NULL: it was not run. */
static const experiment_samples_outcome *
outcome_at(const collection *c, experiment_samples_learner learner, size_t index)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->items[i].learner == learner && index-- == 0)
            return &c->items[i];
    return NULL;
}

static double median_at(const collection *c, experiment_samples_learner learner, size_t index)
{
    const experiment_samples_outcome *found = outcome_at(c, learner, index);
    return found != NULL ? (double)found->steps.median : NAN;
}

static void draw_exhibit(experiment_lab *lab, const exhibit *e, const collection *c)
{
    drawing_series series[EXPERIMENT_SAMPLES_LEARNERS];
    double x[EXPERIMENT_SAMPLES_LEARNERS][EXPERIMENT_SAMPLES_SETTINGS],
        y[EXPERIMENT_SAMPLES_LEARNERS][EXPERIMENT_SAMPLES_SETTINGS];
    for (unsigned l = 0; l < EXPERIMENT_SAMPLES_LEARNERS; l++) {
        experiment_samples_learner learner = (experiment_samples_learner)l;
        const experiment_samples_outcome *found;
        size_t points = 0;
        /* One that takes no steps is nowhere on such an axis. */
        for (; (found = outcome_at(c, learner, points)) != NULL && found->steps.most > 0;
             points++) {
            x[l][points] = found->x;
            y[l][points] = (double)found->steps.median;
        }
        /* An empty one keeps its place, so that a learner looks the same in all figures. */
        series[l] =
            (drawing_series){.name = points > 0 ? experiment_samples_learner_name(learner) : NULL,
                             .kind = DRAWING_CURVE,
                             .x = x[l],
                             .y = y[l],
                             .count = points};
    }
    drawing_chart chart = {.title = e->title,
                           .description = e->caption,
                           .x = {.label = e->family.axis, .scale = DRAWING_LOG},
                           .y = {.label = "steps of a run, median", .scale = DRAWING_LOG},
                           .series = series,
                           .series_count = EXPERIMENT_SAMPLES_LEARNERS,
                           .width = 760};
    experiment_lab_chart(lab, e->family.name, &chart, e->caption);
}

static void tabulate(experiment_lab *lab, const exhibit *e, const collection *c)
{
    static const char *const columns[] = {
        "learner",        "x",      "epsilon",        "T",        "k",       "runs", "least",
        "lower_quartile", "median", "upper_quartile", "greatest", "samples", "kNK",  "error",
        "worst_shortfall"};
    experiment_table *table = experiment_lab_new_table(lab, e->family.name, columns, 15);
    for (size_t i = 0; i < c->count; i++) {
        const experiment_samples_outcome *o = &c->items[i];
        const uint64_t steps[] = {o->runs,        o->steps.least, o->steps.first, o->steps.median,
                                  o->steps.third, o->steps.most,  o->samples};
        experiment_table_text(table, experiment_samples_learner_name(o->learner));
        experiment_table_double(table, o->x);
        experiment_table_double(table, o->epsilon);
        experiment_table_double(table, o->horizon != 0 ? (double)o->horizon : NAN);
        experiment_table_double(table, o->k != 0 ? (double)o->k : NAN);
        for (size_t j = 0; j < COUNT(steps); j++)
            experiment_table_uint(table, steps[j]);
        experiment_table_double(table, o->budget);
        experiment_table_double(table, o->error);
        experiment_table_double(table, o->shortfall);
    }
    experiment_lab_table(
        lab, table,
        "Steps, by learner and x; the samples that counted, their median, and kNK, the most that "
        "could; the error that was promised; and how far the worst policy was from the best.");
}

/* ---- what is seen ---- */

static experiment_digits steps_at(const collection *c, experiment_samples_learner learner,
                                  size_t index)
{
    return experiment_show(median_at(c, learner, index), 4);
}

static void find_steps(experiment_lab *lab, const char *what, const collection *c, size_t index,
                       const char *remark)
{
    experiment_lab_finding(lab, what, "", "ω-PAC %s by Theorem 1, %s by l1; bracket with pmin %s",
                           steps_at(c, EXPERIMENT_SAMPLES_BY_PAPER, index).text,
                           steps_at(c, EXPERIMENT_SAMPLES_BY_L1, index).text,
                           steps_at(c, EXPERIMENT_SAMPLES_BY_PMIN, index).text);
    experiment_lab_remark(lab, remark);
}

static void tell_chain(experiment_lab *lab, const collection *c)
{
    size_t paper = 2; /* N = 6: the paper's chain */
    double theorem = median_at(c, EXPERIMENT_SAMPLES_BY_PAPER, paper);
    double bracket = median_at(c, EXPERIMENT_SAMPLES_BY_PMIN, paper);
    if (isnan(theorem))
        return; /* a small run has fewer */
    experiment_lab_say(
        lab,
        "On the paper's chain (six states in the row; N = 8, with two sinks) ω-PAC takes %s steps "
        "with the paper's k, %s with that of "
        "l1 and %s with l1 for the same error of 6ε; the bracket takes %s with pmin = 1/64, and "
        "%s with the graph, for a promise of ε: six times as good, from %s times fewer steps "
        "than Theorem 1.",
        experiment_show(theorem, 3).text, steps_at(c, EXPERIMENT_SAMPLES_BY_L1, paper).text,
        steps_at(c, EXPERIMENT_SAMPLES_BY_TARGET, paper).text, experiment_show(bracket, 3).text,
        steps_at(c, EXPERIMENT_SAMPLES_BY_GRAPH, paper).text,
        experiment_show(theorem / bracket, 2).text);
    find_steps(lab, "steps on the chain, ε = 1/60, T = 7", c, paper,
               "medians; ω-PAC asks for every pair, the bracket for what matters");
}

static void tell_rough(experiment_lab *lab, const collection *c)
{
    size_t last = COUNT(rough_chains) - 1;
    double target = median_at(c, EXPERIMENT_SAMPLES_BY_TARGET, last);
    double bracket = median_at(c, EXPERIMENT_SAMPLES_BY_PMIN, last);
    if (isnan(bracket))
        return;
    experiment_lab_say(
        lab,
        "Where the bracket loses its lead: a chain of 14 with ε = 1/10 has a least probability of "
        "1/16384, and to be sure that no transition was missed takes %s steps in all. ω-PAC, "
        "which is told T = 15, takes %s with l1, and %s for 6ε = 0.6. That is no promise here, "
        "since the best policy wins with 1/2 only. But its number of steps grows with a power of "
        "N, and the other's in the end more than doubles with each state: on longer chains who "
        "knows T, and "
        "no more than that pmin is tiny, is better served by T. With the graph it is %s.",
        experiment_show(bracket, 3).text, steps_at(c, EXPERIMENT_SAMPLES_BY_L1, last).text,
        experiment_show(target, 3).text, steps_at(c, EXPERIMENT_SAMPLES_BY_GRAPH, last).text);
    experiment_lab_finding(lab, "steps on a chain of 14, ε = 1/10", "",
                           "bracket with pmin = 1/16384 %s, ω-PAC %s by l1, %s for 6ε",
                           experiment_show(bracket, 3).text,
                           steps_at(c, EXPERIMENT_SAMPLES_BY_L1, last).text,
                           experiment_show(target, 3).text);
    experiment_lab_remark(
        lab, "the promises are 0.1, 0.4, and 0.6, which is none where the best is 1/2");
}

static void tell_grid(experiment_lab *lab, const collection *c)
{
    size_t paper = 2; /* ε = 0.05 */
    double theorem = median_at(c, EXPERIMENT_SAMPLES_BY_PAPER, paper);
    double bracket = median_at(c, EXPERIMENT_SAMPLES_BY_PMIN, paper);
    if (isnan(theorem))
        return;
    experiment_lab_say(
        lab,
        "On the gridworld at ε = 1/20 and its true T of 306 it is %s steps by Theorem 1, %s by "
        "l1, %s by l1 for 6ε, and %s with pmin = 0.2: the best probability is 1, which can be "
        "seen from the graph, so that no probability has to be estimated. With the graph given "
        "there is nothing to learn, and it takes %s.",
        experiment_show(theorem, 3).text, steps_at(c, EXPERIMENT_SAMPLES_BY_L1, paper).text,
        steps_at(c, EXPERIMENT_SAMPLES_BY_TARGET, paper).text, experiment_show(bracket, 4).text,
        steps_at(c, EXPERIMENT_SAMPLES_BY_GRAPH, paper).text);
    find_steps(lab, "steps on the gridworld, ε = 1/20, T = 306", c, paper, "medians");
}

static void tell_times(experiment_lab *lab, const collection *c)
{
    double x[EXPERIMENT_SAMPLES_SETTINGS], y[EXPERIMENT_SAMPLES_SETTINGS];
    const experiment_samples_outcome *found;
    size_t points = 0;
    for (; (found = outcome_at(c, EXPERIMENT_SAMPLES_BY_PAPER, points)) != NULL; points++) {
        x[points] = found->x;
        y[points] = (double)found->steps.median;
    }
    if (points < 2)
        return;
    experiment_lab_say(
        lab,
        "Steps against T have the exponent %s from end to end: 2 of k, and the rest since of an "
        "episode of T steps many are through pairs that are known by then. With T = 19 a run by "
        "Theorem 1 takes %s steps, for which the paper reports some 40 minutes.",
        experiment_show(experiment_samples_slope(x, y, points), 3).text,
        experiment_show(y[0], 4).text);
    experiment_lab_finding(lab, "steps on the gridworld with T = 19, by Theorem 1",
                           "some 40 minutes", "%s", experiment_show(y[0], 4).text);
    experiment_lab_remark(lab, "the paper gives the time, not the number");
}

static void tell_least(experiment_lab *lab, const collection *c)
{
    size_t last = COUNT(least) - 1;
    double small = median_at(c, EXPERIMENT_SAMPLES_BY_PMIN, last);
    if (isnan(small))
        return;
    experiment_lab_say(
        lab,
        "A cautious pmin costs in proportion: told 0.0002 in place of 0.2, the bracket takes %s "
        "steps in place of %s. It is still right, as it is for each pmin up to the true one. "
        "Still smaller ones cost more than in proportion.",
        experiment_show(small, 3).text, steps_at(c, EXPERIMENT_SAMPLES_BY_PMIN, 0).text);
}

/* ---- all ---- */

static opac_status tell_exhibit(experiment_lab *lab, const experiment_samples_size *size,
                                size_t index, opac_error *error)
{
    static void (*const tell[EXHIBITS])(experiment_lab *, const collection *) = {
        tell_chain, tell_rough, tell_grid, tell_times, tell_least};
    exhibit e = exhibits[index];
    collection found = {0};
    if (size->settings != 0 && size->settings < e.family.setting_count)
        e.family.setting_count = size->settings;
    opac_status status =
        experiment_samples_run(lab, &e.family, size->runs, &found.items, &found.count, error);
    if (status != OPAC_OK)
        return status;
    draw_exhibit(lab, &e, &found);
    tell[index](lab, &found);
    tabulate(lab, &e, &found);
    base_free(found.items);
    return OPAC_OK;
}

opac_status experiment_samples_page(experiment_lab *lab, const experiment_samples_size *size,
                                    opac_error *error)
{
    experiment_lab_say(
        lab,
        "A guarantee is paid for in samples: as many as Theorem 1 of the paper asks for, or as "
        "other inequalities ask for in the same algorithm, or as a learner takes that knows "
        "something else than T: pmin, a lower bound on positive probabilities, or the graph.");
    experiment_lab_param(lab, "delta", "1/10");
    experiment_lab_param(lab, "models", "chain (length varied), gridworld");
    opac_status status = experiment_samples_tell_k(lab, error);
    if (status != OPAC_OK)
        return status;
    experiment_lab_heading(lab, "What learners take");
    experiment_lab_say(
        lab,
        "Each learner is run on each question with the seeds from %" PRIu64
        " on, %zu times where steps "
        "vary much. Steps are transitions of the environment, counted or not. At the same ε the "
        "promises differ: Theorem 1 and \"error 6ε\" promise 6ε, l1 4ε, and the bracket ε, so "
        "the comparison is in favour of ω-PAC. Medians are drawn; the quartiles, in the tables, "
        "are mostly narrower than the markers. A learner that takes no steps at all is not drawn. "
        "A learner has the same colour and marker in all figures.",
        experiment_lab_seed(lab, 0), size->runs);
    for (size_t i = 0; i < EXHIBITS && status == OPAC_OK; i++)
        status = tell_exhibit(lab, size, i, error);
    return status;
}

opac_status experiment_samples(experiment_lab *lab, opac_error *error)
{
    return experiment_samples_page(lab, &experiment_samples_full, error);
}
