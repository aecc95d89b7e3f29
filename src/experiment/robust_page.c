/* SPDX-License-Identifier: MIT */
/* The page about Example 1 of the paper: figures, tables, and what they say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "experiment/robust.h"

enum {
    PARTS = 9 /* numbers of a point that are drawn */
};

/* Everything that is drawn, one row a number. */
typedef struct columns {
    double *p, *time, *formula, *k[3], *learner[2], *needed;
    size_t count;
} columns;

static double known(uint64_t number)
{
    return number == UINT64_MAX ? NAN : (double)number;
}

static opac_status fill(const experiment_robust_point *points, size_t count, columns *c,
                        opac_error *error)
{
    double *room = base_alloc(PARTS * count, sizeof *room);
    if (room == NULL)
        return base_fail_memory(error);
    *c = (columns){.p = room,
                   .time = room + count,
                   .formula = room + 2 * count,
                   .k = {room + 3 * count, room + 4 * count, room + 5 * count},
                   .learner = {room + 6 * count, room + 7 * count},
                   .needed = room + 8 * count,
                   .count = count};
    for (size_t i = 0; i < count; i++) {
        c->p[i] = points[i].p;
        c->time[i] = (double)points[i].recurrent;
        c->formula[i] = (double)points[i].formula;
        for (int rule = 0; rule < 3; rule++)
            c->k[rule][i] = points[i].k[rule].approximate;
        for (int learner = 0; learner < 2; learner++)
            c->learner[learner][i] = known(points[i].steps[learner]);
        c->needed[i] = (double)points[i].needed;
    }
    return OPAC_OK;
}

/* ---- figures ---- */

static void draw_times(experiment_lab *lab, const columns *c)
{
    drawing_series series[] = {
        {.name = "k, rule sound",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->k[OPAC_K_SOUND],
         .count = c->count},
        {.name = "k, Theorem 1",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->k[OPAC_K_PAPER],
         .count = c->count},
        {.name = "k, rule l1",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->k[OPAC_K_L1],
         .count = c->count},
        {.name = "T for G F s0, by formula",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->formula,
         .count = c->count,
         .plain = true},
        {.name = "T for G F s0, computed",
         .kind = DRAWING_POINTS,
         .x = c->p,
         .y = c->time,
         .count = c->count},
    };
    drawing_chart chart = {
        .title = "The smaller p, the longer everything takes",
        .description = "The recurrence time T grows as 1/p, and k by all rules as 1/p squared",
        .x = {.label = "p, the probability that b leaves", .scale = DRAWING_LOG},
        .y = {.label = "T in transitions, k in observations", .scale = DRAWING_LOG},
        .series = series,
        .series_count = sizeof series / sizeof series[0],
        .width = 760};
    experiment_lab_chart(
        lab, "times", &chart,
        "The recurrence time T for `G F s0`, computed from the model and by the formula, and the "
        "number of observations k that the rules ask for `G s0`, whose T is larger by 1: T grows "
        "as 1/p, and k as T². The two upper curves differ by a factor of 1.2 at most.");
}

static void draw_samples(experiment_lab *lab, const experiment_robust_size *size, const columns *c)
{
    char label[64];
    snprintf(label, sizeof label, "steps, median of %" PRIu64 " runs", size->runs);
    drawing_series series[] = {
        {.name = "ω-PAC with T, rule l1",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->learner[EXPERIMENT_ROBUST_TIME],
         .count = c->count},
        {.name = "bracket with pmin = p",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->learner[EXPERIMENT_ROBUST_LEAST],
         .count = c->count},
        {.name = "until b is seen to leave",
         .kind = DRAWING_CURVE,
         .x = c->p,
         .y = c->needed,
         .count = c->count,
         .plain = true},
    };
    drawing_chart chart = {
        .title = "What learners take, and what nobody can do without",
        .description = "Steps of omega-PAC, which grow as 1/p squared; those of the learner with a "
                       "bracket, which grow as 1/p; and what is needed to see action b leave",
        .x = {.label = "p, the probability that b leaves", .scale = DRAWING_LOG},
        .y = {.label = label, .scale = DRAWING_LOG},
        .series = series,
        .series_count = sizeof series / sizeof series[0],
        .width = 760};
    experiment_lab_chart(
        lab, "samples", &chart,
        "Steps until the learner stops, and the uses of `b` after which it was seen to leave with "
        "probability 1 − δ = 0.9. With pmin one stays close to that, with T one does not. The "
        "bracket with the graph takes no step at all, and is not in the figure.");
}

static opac_status draw_wrong(experiment_lab *lab, const experiment_robust_size *size,
                              const experiment_robust_wrong *wrong, uint64_t k, opac_error *error)
{
    size_t count = size->wrong_count;
    double *p = base_alloc(2 * count, sizeof *p);
    experiment_curve curve;
    char name[64];
    if (p == NULL)
        return base_fail_memory(error);
    double *share = p + count;
    for (size_t i = 0; i < count; i++) {
        p[i] = wrong[i].p;
        share[i] = (double)wrong[i].wrong / (double)size->wrong_runs;
    }
    snprintf(name, sizeof name, "share of %" PRIu64 " runs", size->wrong_runs);
    experiment_curve_missed(&curve, p[0], p[count - 1], k, size->wrong_runs, 0.01);
    drawing_series series[] = {
        {.name = "exact, (1 − p)^k",
         .kind = DRAWING_CURVE,
         .x = curve.x,
         .y = curve.y,
         .count = EXPERIMENT_CURVE,
         .plain = true},
        {.name = name, .kind = DRAWING_POINTS, .x = p, .y = share, .count = count},
        {.name = "99 % of such shares",
         .kind = DRAWING_BAND,
         .x = curve.x,
         .y = curve.lower,
         .y2 = curve.upper,
         .count = EXPERIMENT_CURVE},
    };
    drawing_rule rules[] = {{.at = 0.1, .label = "δ"}};
    drawing_chart chart = {
        .title = "A learner that is wrong about T",
        .description = "The share of runs that return the action that leaves, against its "
                       "probability: all of them where it is small",
        .x = {.label = "p, the probability that the bad action leaves", .scale = DRAWING_LOG},
        .y = {.label = "share of runs that choose it", .low = -0.02, .high = 1.02},
        .series = series,
        .series_count = sizeof series / sizeof series[0],
        .rules = rules,
        .rule_count = 1,
        .width = 760};
    experiment_lab_chart(
        lab, "wrong", &chart,
        "The learner takes T for 31, which is right for p = 0.1, in systems with a smaller p: the "
        "share of runs that return the action that leaves, worth 0; the probability that it never "
        "left in k observations; and around it the band in which such a share lies with "
        "probability 0.99. From p = 10⁻⁷ down a run is wrong with probability 0.9 and more, "
        "where 0.1 at most was promised.");
    base_free(p);
    return OPAC_OK;
}

/* ---- tables ---- */

static void tell_number(experiment_table *table, uint64_t number)
{
    if (number == UINT64_MAX)
        experiment_table_double(table, NAN);
    else
        experiment_table_uint(table, number);
}

static void tell_points(experiment_lab *lab, const experiment_robust_size *size,
                        const experiment_robust_point *points)
{
    char caption[400];
    static const char *const heads[] = {"p",          "T_recurrent", "T_formula",  "T_safe",
                                        "k_paper",    "k_sound",     "k_l1",       "steps_T",
                                        "steps_pmin", "steps_graph", "uses_needed"};
    experiment_table *table =
        experiment_lab_new_table(lab, "points", heads, sizeof heads / sizeof heads[0]);
    for (size_t i = size->p_count; i-- > 0;) {
        const experiment_robust_point *point = &points[i];
        experiment_table_double(table, point->p);
        experiment_table_uint(table, point->recurrent);
        experiment_table_uint(table, point->formula);
        experiment_table_uint(table, point->safe);
        for (int rule = 0; rule < 3; rule++)
            experiment_table_count(table, &point->k[rule]);
        for (int learner = 0; learner < EXPERIMENT_ROBUST_LEARNERS; learner++)
            tell_number(table, point->steps[learner]);
        experiment_table_uint(table, point->needed);
    }
    snprintf(caption, sizeof caption,
             "T for `G F s0`, from the model and by the formula, and for `G s0`; k for `G s0`; the "
             "steps of learners, medians of %" PRIu64 " runs (below p = 10⁻⁵, ω-PAC was not run: "
             "it would only have taken time); and the uses of `b` until it is seen to leave.",
             size->runs);
    experiment_lab_table(lab, table, caption);
}

static void tell_wrong(experiment_lab *lab, const experiment_robust_size *size,
                       const experiment_robust_wrong *wrong)
{
    static const char *const heads[] = {"p", "wrong_runs", "runs", "T_not_refuted", "exact"};
    experiment_table *table =
        experiment_lab_new_table(lab, "wrong", heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < size->wrong_count; i++) {
        experiment_table_double(table, wrong[i].p);
        experiment_table_uint(table, wrong[i].wrong);
        experiment_table_uint(table, size->wrong_runs);
        experiment_table_uint(table, wrong[i].confirmed);
        experiment_table_double(table, wrong[i].exact);
    }
    experiment_lab_table(lab, table,
                         "Runs of a learner that takes T for 31: how many returned the action that "
                         "leaves, in how many of these the test of T found nothing, and the exact "
                         "share, (1 − p)^k.");
}

/* ---- the text ---- */

static void introduce(experiment_lab *lab)
{
    experiment_lab_param(lab, "model", "examples/models/robust.prism");
    experiment_lab_param(lab, "formulas", "G s0; G F s0");
    experiment_lab_param(lab, "N", "2 (pairs of the model are counted)");
    experiment_lab_param(lab, "K", "2");
    experiment_lab_param(lab, "m", "2");
    experiment_lab_param(lab, "epsilon", "1/20");
    experiment_lab_param(lab, "delta", "1/10");
    experiment_lab_say(
        lab, "One state, s0, in which one wants to stay for ever, `G s0`. Of two actions, "
             "`a` stays; `b` stays as well, except that with a small probability p it "
             "leaves, for good. So `a` is worth 1 and `b` is worth 0, and all there is "
             "to learn is which is which.");
    experiment_lab_say(lab,
                       "The paper begins with this example (its Example 1): the smaller p is, the "
                       "longer one has to wait until `b` shows what it does, so no number of "
                       "samples that depends on the numbers of states and actions alone can be "
                       "enough. The ε-recurrence time T takes account of that. Here is how T, the "
                       "samples that follow from it, and those that learners really take depend "
                       "on p.");
}

static void explain_times(experiment_lab *lab)
{
    experiment_lab_heading(lab, "T and k");
    experiment_lab_say(lab,
                       "A run that always takes `b` has shown what it does for ever once it has "
                       "been in s1 and has come to it again: it leaves after n steps with "
                       "probability 1 − (1−p)^n, and one step more makes s1 seen twice. So "
                       "T = 1 + ⌈ln ε / ln(1−p)⌉. The automaton of `G s0` reads the label of "
                       "the state that is left, and notices a step later: T is larger by 1. "
                       "Both are computed here from the model as well, without the formula.");
    experiment_lab_say(lab,
                       "What is learned has to be right up to ε over T steps, whatever the "
                       "system: each pair up to ε/T, which takes k of the order of (T/ε)² "
                       "observations, by every rule. So k grows as 1/p². Pairs of the model are "
                       "counted here, N = 2, not those of the product.");
}

static void explain_samples(experiment_lab *lab)
{
    experiment_lab_heading(lab, "What it takes to learn");
    experiment_lab_say(lab,
                       "ω-PAC takes what its rule asks for. But to learn here that `a` is "
                       "better, one has to see `b` leave a single time, or to know that it "
                       "would have been seen: 1/p uses of it, up to a factor. A learner that "
                       "knows that no probability is below p (`--pmin`) stops as soon as it is "
                       "sure of where `a` can lead to, which is after some 5/p steps. One that "
                       "knows the graph (`--graph`) sees from it that `a` never leaves, and "
                       "takes no sample at all.");
}

static void explain_wrong(experiment_lab *lab, uint64_t k)
{
    experiment_lab_heading(lab, "Why something has to be known");
    experiment_lab_say(lab,
                       "Take two systems: in one `b` leaves with probability p and `a` stays, "
                       "in the other `a` leaves and `b` stays. Until one of them has left, both "
                       "look the same. After n steps in all, with probability (1−p)^n at least, "
                       "nothing has been seen; whatever a learner returns then is wrong in one "
                       "of the two systems. So each learner that stops after n steps is wrong, "
                       "in one of them, with probability at least (1−p)^n / 2; and for every n "
                       "there is a p for which this is nearly one half. That is why a learner "
                       "has to be told T, or pmin, or the graph: it is no shortcoming of the "
                       "method.");
    experiment_lab_say(lab,
                       "And it shows what happens to those who are told something wrong. The "
                       "learner below is told T = 31, which is right for p = 0.1, and takes "
                       "k = %" PRIu64 " observations of each pair. In the second system, whose "
                       "bad action comes first, it fails exactly if this never left in k "
                       "observations, with probability (1−p)^k. It says that its guarantee "
                       "holds, assuming T; and its test of T, which looks at what was learned, "
                       "cannot notice what was never seen.",
                       k);
}

static const experiment_robust_point *at_p(const experiment_robust_point *points, size_t count,
                                           double p)
{
    for (size_t i = 0; i < count; i++)
        if (points[i].p == p)
            return &points[i];
    return NULL;
}

static void tell_findings(experiment_lab *lab, const experiment_robust_point *points, size_t count)
{
    static const double at[] = {0.5, 0.1, 0.01, 0.001};
    static const char *const what[] = {"T for p = 0.5", "T for p = 0.1", "T for p = 0.01",
                                       "T for p = 0.001"};
    uint64_t right = 0, runs = 0;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const experiment_robust_point *point = at_p(points, count, at[i]);
        if (point != NULL)
            experiment_lab_finding(lab, what[i], "grows as p falls",
                                   "%" PRIu64 " for G F s0, %" PRIu64 " for G s0", point->recurrent,
                                   point->safe);
    }
    const experiment_robust_point *small = at_p(points, count, 0.001);
    if (small != NULL) {
        experiment_lab_finding(lab, "k for p = 0.001", "", "%" PRIu64 " (paper), %" PRIu64 " (l1)",
                               small->k[OPAC_K_PAPER].value, small->k[OPAC_K_L1].value);
        experiment_lab_finding(
            lab, "steps for p = 0.001", "depend on p",
            "%" PRIu64 " with T, %" PRIu64 " with pmin, %" PRIu64 " with the graph",
            small->steps[EXPERIMENT_ROBUST_TIME], small->steps[EXPERIMENT_ROBUST_LEAST],
            small->steps[EXPERIMENT_ROBUST_GRAPH]);
        experiment_lab_finding(lab, "uses of b until it is seen to leave, p = 0.001", "",
                               "%" PRIu64, small->needed);
    }
    for (size_t i = 0; i < count; i++) {
        right += points[i].right;
        runs += points[i].runs;
    }
    experiment_lab_finding(lab, "runs that chose a", "", "%" PRIu64 " of %" PRIu64, right, runs);
}

static opac_status write_page(experiment_lab *lab, const experiment_robust_size *size,
                              const experiment_robust_point *points,
                              const experiment_robust_wrong *wrong, uint64_t k, opac_error *error)
{
    columns c;
    opac_status status = fill(points, size->p_count, &c, error);
    if (status != OPAC_OK)
        return status;
    tell_findings(lab, points, size->p_count);
    introduce(lab);
    explain_times(lab);
    draw_times(lab, &c);
    explain_samples(lab);
    draw_samples(lab, size, &c);
    tell_points(lab, size, points);
    explain_wrong(lab, k);
    status = draw_wrong(lab, size, wrong, k, error);
    tell_wrong(lab, size, wrong);
    base_free(c.p);
    return status;
}

opac_status experiment_robust_sized(experiment_lab *lab, const experiment_robust_size *size,
                                    opac_error *error)
{
    uint64_t k = 0;
    experiment_robust_point *points = base_alloc(size->p_count, sizeof *points);
    experiment_robust_wrong *wrong = base_alloc(size->wrong_count, sizeof *wrong);
    opac_status status = points == NULL || wrong == NULL ? base_fail_memory(error) : OPAC_OK;
    if (status == OPAC_OK)
        status = experiment_robust_run(lab, size, points, error);
    if (status == OPAC_OK)
        status = experiment_robust_mislead(lab, size, wrong, &k, error);
    if (status == OPAC_OK)
        status = write_page(lab, size, points, wrong, k, error);
    base_free(points);
    base_free(wrong);
    return status;
}

opac_status experiment_robust(experiment_lab *lab, opac_error *error)
{
    experiment_robust_size size = experiment_robust_full();
    return experiment_robust_sized(lab, &size, error);
}
