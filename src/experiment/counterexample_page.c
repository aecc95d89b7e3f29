/* SPDX-License-Identifier: MIT */
/* The page about the counterexample: figures, tables, and what they say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "experiment/counterexample.h"

/* ---- figures ---- */

static opac_status draw_points(experiment_lab *lab, const experiment_counter_point *points,
                               size_t count, opac_error *error)
{
    double *r = base_alloc(5 * count, sizeof *r);
    if (r == NULL)
        return base_fail_memory(error);
    double *literal = r + count, *covered = r + 2 * count, *by_time = r + 3 * count;
    double *by_least = r + 4 * count;
    for (size_t i = 0; i < count; i++) {
        r[i] = points[i].r;
        literal[i] = (double)points[i].literal;
        covered[i] = (double)points[i].covered;
        by_time[i] = points[i].is_covered_run ? (double)points[i].known_time.steps : NAN;
        by_least[i] = points[i].known_least.holds ? (double)points[i].known_least.steps : NAN;
    }
    drawing_series series[] = {
        {.name = "steps of ω-PAC with our T, rule l1",
         .kind = DRAWING_CURVE,
         .x = r,
         .y = by_time,
         .count = count},
        {.name = "samples of the bracket with pmin",
         .kind = DRAWING_CURVE,
         .x = r,
         .y = by_least,
         .count = count},
        {.name = "our T: all seen, and all seen again",
         .kind = DRAWING_CURVE,
         .x = r,
         .y = covered,
         .count = count},
        {.name = "literal T: all seen twice",
         .kind = DRAWING_CURVE,
         .x = r,
         .y = literal,
         .count = count},
    };
    drawing_chart chart = {
        .title = "Two readings of T, and what learners take",
        .description =
            "The literal recurrence time is about 300 whatever r is; that of seeing all, "
            "and all again, grows as 1/r, and so do the samples with pmin; the steps of "
            "omega-PAC with that time grow as its cube",
        .x = {.label = "r, the probability of a return", .scale = DRAWING_LOG},
        .y = {.label = "T in transitions, steps, samples", .scale = DRAWING_LOG},
        .series = series,
        .series_count = sizeof series / sizeof series[0],
        .width = 760};
    experiment_lab_chart(lab, "times", &chart,
                         "The recurrence time by the words of the paper's definition, and by ours, "
                         "against r; and what learners take that find the optimum. The literal T "
                         "does not see r, and every learner has to. ω-PAC with our T is shown as "
                         "far as its steps can be counted in 64 bits. The bracket with the graph "
                         "takes no sample, and is not in the figure.");
    base_free(r);
    return OPAC_OK;
}

/* What a policy is worth on average that is 1/2 if no return was seen, and else 1. */
static void make_worth(experiment_curve *curve, const double *r, size_t count, uint64_t k,
                       uint64_t runs)
{
    experiment_curve_missed(curve, r[0], r[count - 1], k, runs, 0.01);
    for (size_t i = 0; i < EXPERIMENT_CURVE; i++)
        curve->y[i] = 1 - curve->y[i] / 2; /* the band is not drawn */
}

static opac_status draw_values(experiment_lab *lab, const experiment_counter_size *size,
                               const experiment_counter_share *shares, opac_error *error)
{
    size_t count = size->share_count;
    double *paper = base_alloc(2 * count, sizeof *paper);
    experiment_curve curves[EXPERIMENT_COUNTER_RULES];
    char first[64], second[64], caption[400];
    if (paper == NULL)
        return base_fail_memory(error);
    double *other = paper + count;
    snprintf(first, sizeof first, "k of Theorem 1: mean of %" PRIu64 " runs", size->runs);
    snprintf(second, sizeof second, "k of rule l1: mean of %" PRIu64 " runs", size->runs);
    snprintf(caption, sizeof caption,
             "The true probability of satisfaction of policies that are learned with the literal "
             "T, averaged over %" PRIu64 " runs, and exactly: 1 − (1−r)^k / 2. However large a "
             "theorem makes k, there is an r for which it fails.",
             size->runs);
    for (int rule = 0; rule < EXPERIMENT_COUNTER_RULES; rule++)
        make_worth(&curves[rule], size->shares, count, shares[0].k[rule], size->runs);
    for (size_t i = 0; i < count; i++) {
        paper[i] = shares[i].worth[0];
        other[i] = shares[i].worth[1];
    }
    drawing_series series[] = {
        {.name = "k of Theorem 1: exact",
         .kind = DRAWING_CURVE,
         .x = curves[0].x,
         .y = curves[0].y,
         .count = EXPERIMENT_CURVE,
         .plain = true},
        {.name = first, .kind = DRAWING_POINTS, .x = size->shares, .y = paper, .count = count},
        {.name = "k of rule l1: exact",
         .kind = DRAWING_CURVE,
         .x = curves[1].x,
         .y = curves[1].y,
         .count = EXPERIMENT_CURVE,
         .plain = true},
        {.name = second, .kind = DRAWING_POINTS, .x = size->shares, .y = other, .count = count},
    };
    drawing_rule rules[] = {{.at = 1, .label = "optimum"}};
    drawing_chart chart = {
        .title = "The worth of what is learned with the literal T",
        .description = "The average worth of learned policies against the probability of a return: "
                       "one half where it is small, whatever the rule for k, and 1 where it is "
                       "seen",
        .x = {.label = "r, the probability of a return", .scale = DRAWING_LOG},
        .y = {.label = "mean probability of satisfaction", .low = 0.45, .high = 1.05},
        .series = series,
        .series_count = sizeof series / sizeof series[0],
        .rules = rules,
        .rule_count = 1,
        .width = 760};
    experiment_lab_chart(lab, "values", &chart, caption);
    base_free(paper);
    return OPAC_OK;
}

/* ---- tables ---- */

static void tell_points(experiment_lab *lab, const experiment_counter_point *points, size_t count)
{
    static const char *const heads[] = {"r",
                                        "T_literal",
                                        "k_paper_literal",
                                        "T_covered",
                                        "k_paper_covered",
                                        "k_l1_covered",
                                        "steps_T_covered",
                                        "samples_pmin",
                                        "samples_graph"};
    experiment_table *table =
        experiment_lab_new_table(lab, "times", heads, sizeof heads / sizeof heads[0]);
    for (size_t i = count; i-- > 0;) {
        const experiment_counter_point *point = &points[i];
        experiment_table_double(table, point->r);
        experiment_table_uint(table, point->literal);
        experiment_table_count(table, &point->literal_k[OPAC_K_PAPER]);
        experiment_table_uint(table, point->covered);
        experiment_table_count(table, &point->covered_k[OPAC_K_PAPER]);
        experiment_table_count(table, &point->covered_k[OPAC_K_L1]);
        if (point->is_covered_run)
            experiment_table_uint(table, point->known_time.steps);
        else
            experiment_table_double(table, NAN);
        experiment_table_uint(table, point->known_least.steps);
        experiment_table_uint(table, point->known_graph.steps);
    }
    experiment_lab_table(
        lab, table,
        "T by both definitions (literal, and covered, which is ours), the k that follow, and what "
        "learners take that find the optimum: all of those here do. With pmin, samples are taken "
        "at states of choice (`--explore generative`), and pmin is the smaller one of r and 0.01.");
}

static void tell_shares(experiment_lab *lab, const experiment_counter_size *size,
                        const experiment_counter_share *shares)
{
    static const char *const heads[] = {"r",
                                        "rule",
                                        "k",
                                        "right_runs",
                                        "runs",
                                        "right_expected",
                                        "right_T_refuted",
                                        "wrong_T_not_refuted",
                                        "mean_probability"};
    experiment_table *table =
        experiment_lab_new_table(lab, "runs", heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < size->share_count; i++)
        for (int rule = 0; rule < EXPERIMENT_COUNTER_RULES; rule++) {
            double seen = -expm1((double)shares[i].k[rule] * log1p(-shares[i].r));
            experiment_table_double(table, shares[i].r);
            experiment_table_text(table, opac_k_rule_name(experiment_counter_rules[rule]));
            experiment_table_uint(table, shares[i].k[rule]);
            experiment_table_uint(table, shares[i].safe[rule]);
            experiment_table_uint(table, size->runs);
            experiment_table_double(table, seen * (double)size->runs);
            experiment_table_uint(table, shares[i].refuted[rule]);
            experiment_table_uint(table, shares[i].confident[rule]);
            experiment_table_double(table, shares[i].worth[rule]);
        }
    experiment_lab_table(
        lab, table,
        "Learners that are given the literal T. Right are those that choose `safe`; "
        "expected are as many as see a return among k observations of s2.");
}

/* ---- the text ---- */

static void introduce(experiment_lab *lab)
{
    experiment_lab_param(lab, "model", "examples/models/counterexample.prism");
    experiment_lab_param(lab, "formula", "G F good");
    experiment_lab_param(lab, "epsilon", "1/20");
    experiment_lab_param(lab, "delta", "1/10");
    experiment_lab_say(lab,
                       "The paper's theorems rest on the ε-recurrence time T: a run of T "
                       "transitions shall have shown, with probability 1 − ε, what it does for "
                       "ever. Definition 1 puts it so: the run visits every state in some BSCC "
                       "twice. A system of five states shows that these words are too weak for "
                       "the theorems, and what the definition has to be instead. Their idea is not "
                       "touched by it.");
    experiment_lab_say(lab,
                       "At the start there are two actions. `safe` leads to s1, which is good, "
                       "stays there with probability 0.99, and goes on to s2 with 0.01; s2 is "
                       "not good, and returns to s1 with the tiny probability r, here 10⁻¹² if "
                       "not said otherwise. `risky` leads to a good sink or to a bad one, with "
                       "probability 1/2 each. The objective is to be in good states again and "
                       "again, `G F good`. Since s2 always returns in the end, `safe` is worth "
                       "1, and `risky` 1/2.");
}

static void explain_definition(experiment_lab *lab)
{
    experiment_lab_heading(lab, "Why twice is not enough");
    experiment_lab_say(lab, "Under `safe` the only BSCC is {s1, s2}. The run s1 s1 s2 s2 visits "
                            "every state in it twice, and has not shown any way from s2 to s1. By "
                            "what it shows, s2 is never left: its last component is {s2}, and that "
                            "one is bad. The proof of Theorem 1 needs more, namely that the edges "
                            "which were observed connect the BSCC strongly.");
    experiment_lab_say(lab,
                       "This is so if every state of the BSCC is seen, and then every state of "
                       "it is seen again: let t1 be the first time by which all of them have "
                       "been seen, and t2 the first time after it such that all are among the "
                       "states from t1 to t2. Then each state is seen before each state. T is "
                       "the number of transitions by which that has happened, with probability "
                       "1 − ε. (That definition is not simply the stricter one: it does not ask "
                       "for a second visit to the state that is seen last at t1, and so its T "
                       "is the smaller one for r = 0.1.) On the paper's own examples, "
                       "the gridworld and the chain, both definitions give the same number.");
}

static void explain_runs(experiment_lab *lab, const experiment_counter_point *point,
                         const experiment_counter_share *share)
{
    char text[OPAC_NUMBER_SIZE];
    double seen = -expm1((double)share->k[0] * log1p(-share->r));
    experiment_lab_heading(lab, "What a learner makes of it");
    experiment_lab_say(
        lab,
        "Given T = %" PRIu64 ", the literal one, Theorem 1 asks for k = %" PRIu64
        " observations of each pair. A return from s2 is among so many with "
        "probability 1 − (1−r)^k, for r = 10⁻¹² in one run of %s. In all others the "
        "learned model has no way back, `safe` is worth 0 there, and the learner "
        "returns `risky`: half a unit below the optimum, where 6ε = 0.3 was promised "
        "with probability 0.9.",
        point->literal, share->k[0], experiment_number(1 / seen, 3, text));
    experiment_lab_say(lab,
                       "Nothing that the learner sees tells it so. Its test of T asks whether, in "
                       "the learned model, runs of the policy take longer than T, and they do "
                       "not: `risky` ends in a sink at once. (Nor would those of `safe`: without "
                       "the return s2 is a sink, too, and seen twice soon.) T is reported as "
                       "not refuted, which is no evidence for it, and the guarantee as valid, "
                       "assuming T. The runs that do see a return find the optimum, and they "
                       "refute T by it: so, of all runs, those that are right are the ones whose "
                       "guarantee is withdrawn. What is wrong is what the learner was told.");
}

static void explain_learners(experiment_lab *lab)
{
    experiment_lab_heading(lab, "What is needed instead");
    experiment_lab_say(lab,
                       "By our definition T is about 3/r, that is ln(1/ε) waiting times for a "
                       "return. For r = 10⁻¹² the k that follow have 28 and more digits: true, "
                       "and of no use to anybody. Here ω-PAC is run with it for r down to 10⁻⁴.");
    experiment_lab_say(lab,
                       "Who knows something else does better. With a bound on all positive "
                       "probabilities (`--pmin`), some 20/r samples are enough for a bracket of "
                       "[1, 1]. With the graph (`--graph model`) it takes none: that s2 can "
                       "return is all that matters, how often does not, and whether a policy "
                       "wins almost surely can be seen from the graph alone.");
}

static void tell_findings(experiment_lab *lab, const experiment_counter_size *size,
                          const experiment_counter_point *points,
                          const experiment_counter_share *shares)
{
    const experiment_counter_point *point = &points[0]; /* of the least r */
    char one[OPAC_NUMBER_SIZE], other[OPAC_NUMBER_SIZE];
    uint64_t wrong = size->runs - shares[0].safe[0];
    double seen = -expm1((double)shares[0].k[0] * log1p(-shares[0].r));
    experiment_lab_finding(lab, "T by Definition 1, literally", "323 (by its words)", "%" PRIu64,
                           point->literal);
    experiment_lab_finding(lab, "k by Theorem 1 with it", "2763840763 (by its formula)", "%" PRIu64,
                           point->literal_k[OPAC_K_PAPER].value);
    experiment_lab_finding(lab, "runs that are more than 6ε below the optimum",
                           "at most one in ten, by Theorem 1", "%" PRIu64 " of %" PRIu64, wrong,
                           size->runs);
    experiment_lab_remark(lab, "the definition admits runs that do not show how they return, such "
                               "as s1 s1 s2 s2");
    experiment_lab_finding(lab, "runs that see a return", "", "one in %s, exactly",
                           experiment_number(1 / seen, 3, one));
    experiment_lab_finding(lab, "wrong runs whose test of T finds nothing", "",
                           "%" PRIu64 " of %" PRIu64, shares[0].confident[0], wrong);
    experiment_lab_finding(lab, "T: all seen, and all seen again", "", "%" PRIu64, point->covered);
    experiment_lab_finding(lab, "k by Theorem 1 with that", "", "%s",
                           experiment_show(point->covered_k[OPAC_K_PAPER].approximate, 3).text);
    experiment_lab_finding(lab, "samples with pmin", "", "%" PRIu64 ", for a bracket of [%s, %s]",
                           point->known_least.steps,
                           opac_number_format(point->known_least.lower, one),
                           opac_number_format(point->known_least.upper, other));
    experiment_lab_finding(lab, "samples with the graph", "",
                           "%" PRIu64 ", for a bracket of [%s, %s]", point->known_graph.steps,
                           opac_number_format(point->known_graph.lower, one),
                           opac_number_format(point->known_graph.upper, other));
}

static opac_status write_page(experiment_lab *lab, const experiment_counter_size *size,
                              const experiment_counter_point *points,
                              const experiment_counter_share *shares, opac_error *error)
{
    tell_findings(lab, size, points, shares);
    introduce(lab);
    explain_definition(lab);
    explain_runs(lab, &points[0], &shares[0]);
    opac_status status = draw_values(lab, size, shares, error);
    if (status != OPAC_OK)
        return status;
    tell_shares(lab, size, shares);
    explain_learners(lab);
    status = draw_points(lab, points, size->r_count, error);
    tell_points(lab, points, size->r_count);
    return status;
}

opac_status experiment_counter_sized(experiment_lab *lab, const experiment_counter_size *size,
                                     opac_error *error)
{
    experiment_counter_point *points = base_alloc(size->r_count, sizeof *points);
    experiment_counter_share *shares = base_alloc(size->share_count, sizeof *shares);
    opac_status status = points == NULL || shares == NULL ? base_fail_memory(error) : OPAC_OK;
    if (status == OPAC_OK)
        status = experiment_counter_run(lab, size, points, error);
    if (status == OPAC_OK)
        status = experiment_counter_count(lab, size, shares, error);
    if (status == OPAC_OK)
        status = write_page(lab, size, points, shares, error);
    base_free(points);
    base_free(shares);
    return status;
}

opac_status experiment_counterexample(experiment_lab *lab, opac_error *error)
{
    experiment_counter_size size = experiment_counter_full();
    return experiment_counter_sized(lab, &size, error);
}
