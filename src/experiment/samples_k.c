/* SPDX-License-Identifier: MIT */
/* The half of `samples` that is arithmetic: k by rule, with one of N, T and ε varied. */
#include <inttypes.h>
#include <math.h>

#include "experiment/samples.h"

enum {
    POINTS = 11 /* of a curve: ten doublings */
};

typedef struct sweep {
    const char *name, *title, *axis;
    experiment_samples_variable variable;
    double first, factor;
    const char *caption;
} sweep;

static const opac_bound_params gridworld = {
    .states = 12, .actions = 4, .horizon = 19, .epsilon = 0.05, .delta = 0.1, .branching = 3};

static const sweep sweeps[] = {
    {"k-states", "k against the number of states", "N, states of the product",
     EXPERIMENT_SAMPLES_STATES, 3, 2,
     "The paper's k has a factor N², since Lemma 3 wants each probability up to ε/(NT); that of "
     "l1 has none, since it wants the distribution up to ε/T as a whole. If it is not known how "
     "many successors a pair can have, all states may be: then l1 grows with N."},
    {"k-horizon", "k against the recurrence time", "T, transitions", EXPERIMENT_SAMPLES_HORIZON, 19,
     2, "All rules have the factor T²: the curves are parallel, of slope 2."},
    {"k-epsilon", "k against ε", "ε", EXPERIMENT_SAMPLES_EPSILON, 0.4, 0.5,
     "All rules have the factor 1/ε²: the curves are parallel, of slope −2."},
};

enum {
    SWEEPS = sizeof sweeps / sizeof sweeps[0]
};

typedef struct curves {
    double x[POINTS], k[EXPERIMENT_SAMPLES_RULES][POINTS];
    uint64_t digits[EXPERIMENT_SAMPLES_RULES][POINTS];
} curves;

static opac_status find_curves(const sweep *s, curves *found, opac_error *error)
{
    opac_status status = OPAC_OK;
    for (size_t i = 0; i < POINTS; i++) {
        opac_bound_params at =
            experiment_samples_at(&gridworld, s->variable, s->first, s->factor, i);
        found->x[i] = s->first * pow(s->factor, (double)i);
        for (unsigned r = 0; r < EXPERIMENT_SAMPLES_RULES && status == OPAC_OK; r++) {
            opac_count k = {0};
            status = experiment_samples_k(&at, (experiment_samples_rule)r, &k, error);
            found->k[r][i] = k.approximate;
            found->digits[r][i] = k.value;
        }
    }
    return status;
}

static void draw_curves(experiment_lab *lab, const sweep *s, const curves *found)
{
    drawing_series series[EXPERIMENT_SAMPLES_RULES];
    for (unsigned r = 0; r < EXPERIMENT_SAMPLES_RULES; r++)
        series[r] =
            (drawing_series){.name = experiment_samples_rule_name((experiment_samples_rule)r),
                             .kind = DRAWING_CURVE,
                             .x = found->x,
                             .y = found->k[r],
                             .count = POINTS};
    drawing_chart chart = {.title = s->title,
                           .description = s->caption,
                           .x = {.label = s->axis, .scale = DRAWING_LOG},
                           .y = {.label = "k, observations of a pair", .scale = DRAWING_LOG},
                           .series = series,
                           .series_count = EXPERIMENT_SAMPLES_RULES,
                           .width = 760};
    experiment_lab_chart(lab, s->name, &chart, s->caption);
}

static void add_curves(experiment_table *table, const sweep *s, const curves *found)
{
    static const char *const names[] = {"N", "T", "epsilon"};
    for (size_t i = 0; i < POINTS; i++) {
        experiment_table_text(table, names[s->variable]);
        experiment_table_double(table, found->x[i]);
        for (unsigned r = 0; r < EXPERIMENT_SAMPLES_RULES; r++)
            experiment_table_uint(table, found->digits[r][i]);
    }
}

static void tell_slopes(experiment_lab *lab, const curves *found)
{
    experiment_digits slopes[EXPERIMENT_SAMPLES_RULES];
    for (unsigned r = 0; r < EXPERIMENT_SAMPLES_RULES; r++)
        slopes[r] = experiment_show(experiment_samples_slope(found[0].x, found[0].k[r], POINTS), 3);
    experiment_lab_finding(
        lab, "how k grows with N: exponent from N = 3 to 3072", "2, and a logarithm",
        "paper %s, sound %s, l1 %s; l1 with m = N %s", slopes[EXPERIMENT_SAMPLES_PAPER].text,
        slopes[EXPERIMENT_SAMPLES_SOUND].text, slopes[EXPERIMENT_SAMPLES_L1].text,
        slopes[EXPERIMENT_SAMPLES_UNKNOWN].text);
    experiment_lab_remark(lab, "l1 bounds the distribution of a pair as a whole, not each of N "
                               "probabilities: no N², whatever the support is");
    experiment_lab_say(
        lab,
        "The slopes in the figures, from end to end: against N they are %s for the paper's k "
        "(N², and a logarithm), %s for l1 with three successors at most (the logarithm alone), "
        "and %s for l1 when nothing is known about successors. Against T all slopes are %s, and "
        "against ε %s: k quadruples when T doubles or ε is halved.",
        slopes[EXPERIMENT_SAMPLES_PAPER].text, slopes[EXPERIMENT_SAMPLES_L1].text,
        slopes[EXPERIMENT_SAMPLES_UNKNOWN].text,
        experiment_show(experiment_samples_slope(found[1].x, found[1].k[0], POINTS), 3).text,
        experiment_show(experiment_samples_slope(found[2].x, found[2].k[0], POINTS), 3).text);
}

static opac_status find_k(experiment_lab *lab, opac_error *error)
{
    opac_count paper = {0}, l1 = {0}, target = {0};
    opac_status status = experiment_samples_k(&gridworld, EXPERIMENT_SAMPLES_PAPER, &paper, error);
    if (status == OPAC_OK)
        status = experiment_samples_k(&gridworld, EXPERIMENT_SAMPLES_L1, &l1, error);
    if (status == OPAC_OK)
        status = experiment_samples_k(&gridworld, EXPERIMENT_SAMPLES_TARGET, &target, error);
    if (status != OPAC_OK)
        return status;
    experiment_lab_finding(lab, "k of the gridworld (N = 12, K = 4, T = 19)",
                           "71394132 (by its formula)", "%" PRIu64, paper.value);
    experiment_lab_finding(lab, "k by l1 at the same parameters, m = 3", "",
                           "%" PRIu64 " for an error of 4ε, %" PRIu64 " for 6ε", l1.value,
                           target.value);
    experiment_lab_remark(lab,
                          "another inequality, not another algorithm: 124 and 496 times fewer");
    return OPAC_OK;
}

opac_status experiment_samples_tell_k(experiment_lab *lab, opac_error *error)
{
    static const char *const columns[] = {
        "variable", "x", "k_paper", "k_sound", "k_l1", "k_l1_6_epsilon", "k_l1_m_unknown"};
    curves found[SWEEPS];
    opac_status status = find_k(lab, error);
    for (size_t i = 0; i < SWEEPS && status == OPAC_OK; i++)
        status = find_curves(&sweeps[i], &found[i], error);
    if (status != OPAC_OK)
        return status;
    experiment_lab_heading(lab, "What the theorems ask for");
    experiment_lab_say(
        lab,
        "k is the number of observations after which a pair of state and action counts as known. "
        "By Theorem 1 it is ⌈ln(2NK/δ)/(2(ε/(NT))²)⌉, so of the order N²T²/ε². Rule `sound` "
        "repairs the logarithm, and rule `l1` gives the same guarantee from T²/ε². The "
        "parameters are those of the gridworld (N = 12, K = 4, T = 19, ε = 1/20, δ = 1/10, and "
        "at most three successors), with one of them varied.");
    experiment_table *table = experiment_lab_new_table(lab, "k", columns, 7);
    for (size_t i = 0; i < SWEEPS; i++) {
        draw_curves(lab, &sweeps[i], &found[i]);
        add_curves(table, &sweeps[i], &found[i]);
    }
    tell_slopes(lab, found);
    experiment_lab_table(lab, table, "k by rule, with one parameter varied.");
    return OPAC_OK;
}
