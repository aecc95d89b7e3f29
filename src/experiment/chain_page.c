/* SPDX-License-Identifier: MIT */
/* The page about the paper's chain: figures, tables, and what they say. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

#include "base/alloc.h"
#include "experiment/chain.h"
#include "stat/interval.h"

enum {
    CURVE = 121 /* points of an exact curve */
};

static const double alpha = 0.01; /* of intervals, and of the band */

/* ---- what came out ---- */

/* Within 6 epsilon of the best; a little aside, for values are rounded. */
static bool is_good(const experiment_chain_runs *c, const experiment_trial *trial)
{
    return trial->truth >= c->optimum - 6 * experiment_chain_epsilon - 1e-9;
}

static uint64_t count_good(const experiment_chain_runs *c, const experiment_trial *trials,
                           uint64_t count)
{
    uint64_t good = 0;
    for (uint64_t i = 0; i < count; i++)
        good += is_good(c, &trials[i]);
    return good;
}

static size_t index_of(const experiment_chain_runs *c, uint64_t k)
{
    size_t i = 0;
    while (i + 1 < c->k_count && c->k[i] != k)
        i++;
    return i;
}

/* ---- the figure of the paper ---- */

/* The runs of one k, those of equal worth together: values, and how many runs have each. */
static size_t count_alike(const experiment_trial *trials, size_t count, double *value,
                          double *alike)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < found && fabs(value[at] - trials[i].truth) >= 1e-9)
            at++;
        if (at == found) {
            value[found] = trials[i].truth;
            alike[found++] = 0;
        }
        alike[at]++;
    }
    return found;
}

/* The greatest k of the figure with a run that is not within 6 epsilon; 0: there is none. */
static uint64_t last_bad(const experiment_chain_runs *c)
{
    uint64_t last = 0, shown = c->size->shown;
    for (size_t i = 0; i < c->column_count; i++)
        if (count_good(c, &c->trials[index_of(c, c->column[i]) * c->size->runs], shown) < shown)
            last = c->column[i];
    return last;
}

static opac_status draw_values(const experiment_chain_runs *c, opac_error *error)
{
    size_t shown = (size_t)c->size->shown, count = c->column_count * shown;
    double *x = base_alloc(3 * count, sizeof *x);
    char title[96], text[600];
    if (x == NULL)
        return base_fail_memory(error);
    double *y = x + count, *alike = x + 2 * count;
    size_t dots = 0;
    for (size_t i = 0; i < c->column_count; i++) {
        const experiment_trial *trials = &c->trials[index_of(c, c->column[i]) * c->size->runs];
        size_t end = dots + count_alike(trials, shown, y + dots, alike + dots);
        while (dots < end)
            x[dots++] = (double)c->column[i];
    }
    drawing_series series = {.name = "1 run; areas are their number",
                             .kind = DRAWING_POINTS,
                             .x = x,
                             .y = y,
                             .weight = alike,
                             .count = dots};
    drawing_rule rules[] = {
        {.at = c->optimum, .label = "optimum"},
        {.at = c->optimum - 6 * experiment_chain_epsilon, .label = "6ε below it"},
        {.vertical = true, .at = (double)c->rule_k[OPAC_K_PAPER].value, .label = "Theorem 1"}};
    snprintf(title, sizeof title, "What the policies of %zu runs are worth, by k", shown);
    snprintf(text, sizeof text,
             "The paper's figure: the true probability of satisfaction of the policies that %zu "
             "runs return, for k up to Theorem 1's. The area of a dot is the number of runs with "
             "that k and that value; the largest are all %zu. The values are those of the states "
             "in which a policy can try, 1/2, 1/4, 1/8, …, and 0, if it never does. The last dot "
             "below the threshold is at k = %" PRIu64 ".",
             shown, shown, last_bad(c));
    drawing_chart chart = {
        .title = title,
        .description = "The true probability of the learned policies, run by run, for values of k "
                       "from 1 to that of Theorem 1, with the optimum 0.5 and the threshold 0.4",
        .x = {.label = "k, observations that make a pair known",
              .scale = DRAWING_LOG,
              .low = 0.4,
              .high = 5e8},
        .y = {.label = "probability of satisfaction", .low = -0.03, .high = 0.55},
        .series = &series,
        .series_count = 1,
        .rules = rules,
        .rule_count = 3,
        .width = 760};
    experiment_lab_chart(c->lab, "values", &chart, text);
    base_free(x);
    return OPAC_OK;
}

static void tell_runs(const experiment_chain_runs *c)
{
    static const char *const columns[] = {"k", "seed", "probability", "learned", "steps"};
    experiment_table *table = experiment_lab_new_table(c->lab, "runs", columns, 5);
    for (size_t i = 0; i < c->column_count; i++) {
        size_t first = index_of(c, c->column[i]) * c->size->runs;
        for (uint64_t run_index = 0; run_index < c->size->shown; run_index++) {
            const experiment_trial *trial = &c->trials[first + run_index];
            experiment_table_uint(table, c->column[i]);
            experiment_table_uint(table, experiment_lab_seed(c->lab, first + run_index));
            experiment_table_double(table, trial->truth);
            experiment_table_double(table, trial->value);
            experiment_table_uint(table, trial->steps);
        }
    }
    experiment_lab_table(c->lab, table,
                         "The runs of the figure: the policy's true probability, what the learner "
                         "takes it for, and the steps that were sampled.");
}

/* ---- the finer figure ---- */

typedef struct shares {
    double *k, *share, *missed, *exact, *lower, *upper, *failure; /* missed: 1 - share */
    size_t count;
} shares;

static opac_status count_shares(const experiment_chain_runs *c, shares *s, opac_error *error)
{
    size_t n = c->k_count;
    double *room = base_alloc(7 * n, sizeof *room);
    if (room == NULL)
        return base_fail_memory(error);
    *s = (shares){.k = room,
                  .share = room + n,
                  .missed = room + 2 * n,
                  .exact = room + 3 * n,
                  .lower = room + 4 * n,
                  .upper = room + 5 * n,
                  .failure = room + 6 * n,
                  .count = n};
    for (size_t i = 0; i < n; i++) {
        uint64_t runs = c->size->runs, good = count_good(c, &c->trials[i * runs], runs);
        stat_interval interval = stat_clopper_pearson(good, runs, alpha);
        s->k[i] = (double)c->k[i];
        s->share[i] = (double)good / (double)runs;
        s->missed[i] = 1 - s->share[i];
        s->lower[i] = interval.lower;
        s->upper[i] = interval.upper;
        s->failure[i] = experiment_chain_failure(c->k[i]);
        s->exact[i] = 1 - s->failure[i];
    }
    return OPAC_OK;
}

/* The exact curve, and where 99 % of all shares of so many runs lie, for many k. */
typedef struct exact_curve {
    double k[CURVE], share[CURVE], failure[CURVE], lower[CURVE], upper[CURVE];
    size_t count;
} exact_curve;

static void compute_curve(const experiment_chain_runs *c, exact_curve *curve)
{
    uint64_t k[CURVE], runs = c->size->runs;
    curve->count = experiment_spaced(c->k[c->k_count - 1], CURVE, k);
    for (size_t i = 0; i < curve->count; i++) {
        double failure = experiment_chain_failure(k[i]), least, most;
        curve->k[i] = (double)k[i];
        curve->failure[i] = failure;
        curve->share[i] = 1 - failure;
        experiment_band(runs, failure, alpha, &least, &most);
        curve->upper[i] = 1 - least;
        curve->lower[i] = 1 - most;
    }
}

static void draw_shares(const experiment_chain_runs *c, const shares *s, const exact_curve *curve)
{
    char name[64], caption[400];
    snprintf(name, sizeof name, "share of %" PRIu64 " runs", c->size->runs);
    snprintf(caption, sizeof caption,
             "The share of %" PRIu64
             " runs that are within 6ε, the exact probability, and around it "
             "the band in which such a share lies with probability 0.99. It is 1 long before the k "
             "of any rule.",
             c->size->runs);
    drawing_series series[] = {
        {.name = "exact probability",
         .kind = DRAWING_CURVE,
         .x = curve->k,
         .y = curve->share,
         .count = curve->count,
         .plain = true},
        {.name = name, .kind = DRAWING_POINTS, .x = s->k, .y = s->share, .count = s->count},
        {.name = "99 % of such shares",
         .kind = DRAWING_BAND,
         .x = curve->k,
         .y = curve->lower,
         .y2 = curve->upper,
         .count = curve->count},
    };
    drawing_rule rules[] = {
        {.at = 1 - experiment_chain_delta, .label = "1 − δ"},
        {.vertical = true, .at = (double)c->rule_k[OPAC_K_L1].value, .label = "rule l1"},
        {.vertical = true, .at = (double)c->rule_k[OPAC_K_PAPER].value, .label = "Theorem 1"}};
    drawing_chart chart = {
        .title = "How often the learned policy is within 6ε of the best",
        .description = "The share of runs whose policy is within 6 epsilon of the optimum, on "
                       "the exact curve: a half at k = 1, nine tenths at 10, all from a hundred on",
        .x = {.label = "k, observations that make a pair known", .scale = DRAWING_LOG},
        .y = {.label = "share of runs", .low = 0.4, .high = 1.02},
        .series = series,
        .series_count = 3,
        .rules = rules,
        .rule_count = 3,
        .width = 760};
    experiment_lab_chart(c->lab, "shares", &chart, caption);
}

/* Down to where nobody would see it any more. */
static void draw_failures(const experiment_chain_runs *c, const shares *s, const exact_curve *curve)
{
    size_t count = 0, far = 0;
    char label[OPAC_NUMBER_SIZE], name[64];
    while (count < s->count && s->failure[count] > 1e-9)
        count++;
    while (far < curve->count && curve->failure[far] > 1e-9)
        far++;
    snprintf(label, sizeof label, "k = %" PRIu64, c->enough);
    snprintf(name, sizeof name, "share of %" PRIu64 " runs, if not 0", c->size->runs);
    drawing_series series[] = {
        {.name = "exact probability",
         .kind = DRAWING_CURVE,
         .x = curve->k,
         .y = curve->failure,
         .count = far,
         .plain = true},
        {.name = name, .kind = DRAWING_POINTS, .x = s->k, .y = s->missed, .count = count},
    };
    drawing_rule rules[] = {{.at = experiment_chain_delta, .label = "δ"},
                            {.vertical = true, .at = (double)c->enough, .label = label}};
    drawing_chart chart = {
        .title = "How often the learned policy is not within 6ε of the best",
        .description = "The probability that the learned policy is not within 6 epsilon, which "
                       "falls exponentially in k",
        .x = {.label = "k, observations that make a pair known", .scale = DRAWING_LOG},
        .y = {.label = "share of runs", .scale = DRAWING_LOG, .low = 1e-9, .high = 1},
        .series = series,
        .series_count = 2,
        .rules = rules,
        .rule_count = 2,
        .width = 760};
    experiment_lab_chart(c->lab, "failures", &chart,
                         "The complement, by its logarithm: the risk falls exponentially in k, and "
                         "is below δ long before any theorem says so.");
}

static void tell_shares(const experiment_chain_runs *c, const shares *s)
{
    static const char *const columns[] = {"k",           "good_runs", "share",     "share_lower",
                                          "share_upper", "exact",     "exact_risk"};
    experiment_table *table = experiment_lab_new_table(c->lab, "shares", columns, 7);
    for (size_t i = 0; i < s->count; i++) {
        experiment_table_uint(table, c->k[i]);
        experiment_table_uint(table, count_good(c, &c->trials[i * c->size->runs], c->size->runs));
        experiment_table_double(table, s->share[i]);
        experiment_table_double(table, s->lower[i]);
        experiment_table_double(table, s->upper[i]);
        experiment_table_double(table, s->exact[i]);
        experiment_table_double(table, s->failure[i]);
    }
    experiment_lab_table(c->lab, table,
                         "Runs within 6ε by k, an interval of 99 % (Clopper and Pearson) for "
                         "their share, and the exact probability. A risk of 0 is one below "
                         "10⁻³⁰⁰.");
}

static void tell_exact(const experiment_chain_runs *c, const shares *s)
{
    static const char *const columns[] = {"k",          "exact",         "share",     "never",
                                          "worth_half", "worth_quarter", "worth_less"};
    experiment_table *table = experiment_lab_new_table(c->lab, "exact", columns, 7);
    for (size_t i = 0; i < EXPERIMENT_CHAIN_EXACT; i++) {
        double law[EXPERIMENT_CHAIN_STATES + 1], less = 0;
        size_t at = index_of(c, experiment_chain_exact_k[i]);
        if (c->k[at] != experiment_chain_exact_k[i])
            continue;
        experiment_chain_law(experiment_chain_exact_k[i], law);
        for (int state = 3; state <= EXPERIMENT_CHAIN_STATES; state++)
            less += law[state];
        experiment_table_uint(table, experiment_chain_exact_k[i]);
        experiment_table_double(table, s->exact[at]);
        experiment_table_double(table, s->share[at]);
        experiment_table_double(table, law[0]);
        experiment_table_double(table, law[1]);
        experiment_table_double(table, law[2]);
        experiment_table_double(table, less);
    }
    experiment_lab_table(c->lab, table,
                         "The exact probability of a policy within 6ε, the share of runs, and the "
                         "exact law of what the policy is worth.");
}

/* ---- the learners ---- */

/* Of one learner; numbers: room for as many runs. */
static uint64_t median_of(const experiment_chain_runs *c, size_t learner, bool counted,
                          uint64_t *numbers)
{
    size_t shown = (size_t)c->size->shown;
    const experiment_trial *trials = &c->others[learner * shown];
    for (size_t i = 0; i < shown; i++)
        numbers[i] = counted ? trials[i].samples : trials[i].steps;
    return experiment_median(numbers, shown);
}

/* k and what follows from it; a learner with a bracket has none. */
static opac_status tell_offer(const experiment_chain_runs *c, size_t learner,
                              experiment_table *table, opac_error *error)
{
    opac_count k = opac_count_of(c->others[learner * c->size->shown].k);
    opac_bound_offer offer;
    bool has_k = experiment_chain_learners[learner].width == 0;
    opac_status status = has_k ? opac_bound_offer_for(&c->params, &k, &offer, error) : OPAC_OK;
    if (status != OPAC_OK)
        return status;
    const opac_count *counts[] = {&offer.k, &offer.samples, &offer.policy_steps};
    for (int i = 0; i < 3; i++)
        if (has_k)
            experiment_table_count(table, counts[i]);
        else
            experiment_table_double(table, NAN);
    return OPAC_OK;
}

static opac_status tell_learners(const experiment_chain_runs *c, opac_error *error)
{
    static const char *const columns[] = {"known",        "promise",   "k",
                                          "samples_most", "C",         "samples_median",
                                          "steps_median", "good_runs", "runs"};
    experiment_table *table = experiment_lab_new_table(c->lab, "learners", columns, 9);
    uint64_t shown = c->size->shown, *numbers = base_alloc(shown, sizeof *numbers);
    opac_status status = numbers == NULL ? base_fail_memory(error) : OPAC_OK;
    char caption[400];
    snprintf(caption, sizeof caption,
             "What each kind of knowledge costs on the chain, over %" PRIu64 " runs. Samples are "
             "the steps that count: at most kNK. C is Theorem 2's number of steps, as published. "
             "Not counted are steps that only lead to where something is to be learned, and those "
             "in a sink until an episode has its T steps.",
             shown);
    for (size_t i = 0; i < EXPERIMENT_CHAIN_LEARNERS && status == OPAC_OK; i++) {
        experiment_table_text(table, experiment_chain_learners[i].name);
        experiment_table_text(table, experiment_chain_learners[i].promise);
        status = tell_offer(c, i, table, error);
        experiment_table_uint(table, median_of(c, i, true, numbers));
        experiment_table_uint(table, median_of(c, i, false, numbers));
        experiment_table_uint(table, count_good(c, &c->others[i * shown], shown));
        experiment_table_uint(table, shown);
    }
    base_free(numbers);
    experiment_lab_table(c->lab, table, caption);
    return status;
}

/* The same promise, 6 epsilon, by those who know different things. */
static opac_status compare_learners(const experiment_chain_runs *c, opac_error *error)
{
    uint64_t *numbers = base_alloc(c->size->shown, sizeof *numbers);
    if (numbers == NULL)
        return base_fail_memory(error);
    uint64_t by_paper = median_of(c, 0, false, numbers), by_l1 = median_of(c, 3, false, numbers);
    uint64_t by_least = median_of(c, 5, false, numbers), by_graph = median_of(c, 7, false, numbers);
    experiment_lab_finding(c->lab, "steps for a promise of 6ε (median)", "",
                           "%" PRIu64 " by Theorem 1, %" PRIu64 " by rule l1, %" PRIu64
                           " with pmin = 1/64, %" PRIu64 " with the graph",
                           by_paper, by_l1, by_least, by_graph);
    base_free(numbers);
    return OPAC_OK;
}

/* ---- the text ---- */

static void introduce(const experiment_chain_runs *c)
{
    experiment_lab *lab = c->lab;
    experiment_lab_param(lab, "model", "examples/models/chain.prism");
    experiment_lab_param(lab, "formula", "G F won");
    experiment_lab_param(lab, "N", "8");
    experiment_lab_param(lab, "K", "2");
    experiment_lab_param(lab, "m", "2");
    experiment_lab_param(lab, "T", "8");
    experiment_lab_param(lab, "epsilon", "1/60");
    experiment_lab_param(lab, "delta", "1/10");
    experiment_lab_say(lab, "Six states in a row. In each of them one can `go` on to the next, or "
                            "`try` one's luck, once: in the s-th state a try wins with probability "
                            "1/2^s, and otherwise all is lost. It is best to try at once, which "
                            "wins with probability 1/2; the next best policy wins with 1/4. The "
                            "objective is `G F won`.");
    experiment_lab_say(lab,
                       "The paper uses this chain to ask how much k matters, the number of "
                       "observations after which the learner takes a pair of state and action "
                       "for known. Theorem 1 asks for tens of millions. The paper learns 20 "
                       "times with several k up to that one, and finds that a small k typically "
                       "suffices. Here is its figure with %" PRIu64 " runs, the same with %" PRIu64
                       ", and, since this chain is simple enough, the exact probability.",
                       c->size->shown, c->size->runs);
    experiment_lab_say(lab, "The paper gives |S| = 8 and a chain of states, not the chain itself. "
                            "The one used here is a reading of it: six states and two sinks; `go` "
                            "in the last state loses.");
}

static opac_status tell_findings(const experiment_chain_runs *c, const shares *s, opac_error *error)
{
    experiment_lab *lab = c->lab;
    opac_count steps;
    char text[OPAC_NUMBER_SIZE];
    size_t last = s->count - 1;
    opac_status status =
        opac_bound_policy_steps(&c->params, &c->rule_k[OPAC_K_PAPER], &steps, error);
    if (status != OPAC_OK)
        return status;
    experiment_lab_finding(lab, "optimum", "drawn, not printed", "%s",
                           opac_number_format(c->optimum, text));
    experiment_lab_finding(lab, "T", "8", "%" PRIu64, c->time);
    experiment_lab_remark(lab,
                          "in transitions: the longest way has 8 states. The runs here take 8, "
                          "as the paper does; nothing changes but k");
    experiment_lab_finding(lab, "k by Theorem 1", "42528678 (by its formula)", "%" PRIu64,
                           c->rule_k[OPAC_K_PAPER].value);
    experiment_lab_finding(lab, "C by Theorem 2", "9798607444360 (by its formula)", "%" PRIu64,
                           steps.value);
    experiment_lab_finding(lab, "k by rule sound", "", "%" PRIu64, c->rule_k[OPAC_K_SOUND].value);
    experiment_lab_remark(lab, "the same theorem, with the union bound over successors that its "
                               "Lemma 2 leaves out");
    experiment_lab_finding(lab, "k by rule l1", "", "%" PRIu64, c->rule_k[OPAC_K_L1].value);
    experiment_lab_remark(lab, "all successors of a pair at once; the policy is then within 4ε");
    experiment_lab_finding(
        lab, "runs within 6ε at the largest k", "in line with Theorem 1", "%" PRIu64 " of %" PRIu64,
        count_good(c, &c->trials[last * c->size->runs], c->size->runs), c->size->runs);
    experiment_lab_finding(lab, "k from which on 1 − δ of the runs are within 6ε",
                           "a small one, typically", "%" PRIu64 ", exactly", c->enough);
    experiment_lab_finding(
        lab, "risk at Theorem 1's k", "at most 1/10", "below 10^%" PRId64,
        (int64_t)floor(experiment_chain_failure_log10(c->rule_k[OPAC_K_PAPER].value)) + 1);
    experiment_lab_remark(lab, "Chernoff's bound, which holds for this chain; a theorem must hold "
                               "for all systems of this size");
    return OPAC_OK;
}

static void explain_shares(const experiment_chain_runs *c)
{
    experiment_lab *lab = c->lab;
    experiment_lab_heading(lab, "How often, exactly");
    experiment_lab_say(lab,
                       "When the learner stops, it has tried each of the six states k times. "
                       "Let Bs be the number of wins in the s-th state: binomial, with k trials "
                       "of probability 2^−s. The learned policy tries where most wins were "
                       "seen, in the first such state. So it is the best policy with "
                       "probability Σ_i P(B1 = i) · Π_{s=2…6} P(Bs ≤ i), over i from 1 to k, "
                       "and no other is within 6ε. The runs know nothing of this formula.");
    experiment_lab_say(lab,
                       "From k = %" PRIu64 " on, the probability is at least 1 − δ = 0.9. "
                       "Theorem 1 has to cover every system with 8 states and 2 actions, also "
                       "those in which errors add up over N states and T steps, and ones in "
                       "which two policies are nearly as good as each other; here they do "
                       "neither. That is the whole distance between the two numbers: the "
                       "theorem is not wrong, the chain is easy.",
                       c->enough);
}

static void explain_learners(const experiment_chain_runs *c)
{
    experiment_lab *lab = c->lab;
    experiment_lab_heading(lab, "What a promise costs");
    experiment_lab_say(lab,
                       "Nobody knows beforehand that a system is easy. But one can notice it on "
                       "the way. The learners below all promise something with probability 0.9: "
                       "ω-PAC, which knows T and takes its k from a rule, and the one that keeps "
                       "a bracket around the best probability, which knows that no probability "
                       "is below 1/64 (`--pmin 1/64`), or where each action can lead to "
                       "(`--graph model`). That one stops when the bracket is narrow enough, "
                       "and so takes advantage of what it sees.");
}

opac_status experiment_chain_sized(experiment_lab *lab, const experiment_chain_size *size,
                                   opac_error *error)
{
    experiment_chain_runs runs = {.lab = lab, .size = size};
    shares counted = {0};
    exact_curve curve;
    opac_status status = experiment_chain_prepare(&runs, error);
    if (status == OPAC_OK)
        status = experiment_chain_run(&runs, error);
    if (status == OPAC_OK)
        status = count_shares(&runs, &counted, error);
    if (status == OPAC_OK)
        status = tell_findings(&runs, &counted, error);
    if (status == OPAC_OK)
        status = compare_learners(&runs, error);
    if (status == OPAC_OK) {
        introduce(&runs);
        status = draw_values(&runs, error);
    }
    if (status == OPAC_OK) {
        tell_runs(&runs);
        status = experiment_chain_worth(&runs, error);
    }
    if (status == OPAC_OK) {
        compute_curve(&runs, &curve);
        explain_shares(&runs);
        draw_shares(&runs, &counted, &curve);
        tell_exact(&runs, &counted);
        tell_shares(&runs, &counted);
        draw_failures(&runs, &counted, &curve);
        explain_learners(&runs);
        status = tell_learners(&runs, error);
    }
    base_free(counted.k);
    experiment_chain_release(&runs);
    return status;
}

opac_status experiment_chain(experiment_lab *lab, opac_error *error)
{
    experiment_chain_size size = experiment_chain_full();
    return experiment_chain_sized(lab, &size, error);
}
