/* SPDX-License-Identifier: MIT */
/*
 * Writes the statement that a checked certificate proves, and its assumptions. A statement in the
 * certificate must be identical.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/text.h"
#include "verify/verify.h"

enum {
    MOST_ASSUMPTIONS = 28
};

/*
 * 1 - x, rounded down and up. If x >= 1/2, 1 - x is exact. Otherwise rest = fl(1 - x) is at least 1/2, so 1
 * - rest and its difference from x are exact, and their sign gives the direction of the rounding.
 */
static double below_complement(double x)
{
    double rest = 1 - x;
    return (1 - rest) - x < 0 ? nextafter(rest, 0) : rest;
}

static double above_complement(double x)
{
    double rest = 1 - x;
    return (1 - rest) - x > 0 ? nextafter(rest, 2) : rest;
}

/* Returns the text and releases the buffer. */
static char *finish(verify_certificate *c, base_text *text)
{
    opac_status status = base_text_check(text, c->error);
    c->status = verify_is_ok(c) ? status : c->status;
    char *result = status == OPAC_OK ? base_text_take(text) : NULL;
    base_text_fini(text);
    return result;
}

static char *write_statement(verify_certificate *c, const opac_verification *v)
{
    char confidence[OPAC_NUMBER_SIZE], own[OPAC_NUMBER_SIZE], best[OPAC_NUMBER_SIZE];
    base_text text = {0};
    opac_number_format(v->confidence, confidence);
    opac_number_format(c->is_least ? v->upper : v->lower, own);
    opac_number_format(c->is_least ? v->lower : v->upper, best);
    base_text_format(&text,
                     "with probability at least %s over what was sampled, the policy meets the "
                     "objective with probability %s %s",
                     confidence, c->is_least ? "at most" : "at least", own);
    if (!c->is_free)
        base_text_format(&text, ", and no policy with %s than %s", c->is_least ? "less" : "more",
                         best);
    return finish(c, &text);
}

/* ---- assumptions ---- */

static void assume(verify_certificate *c, opac_verification *v, const char *words,
                   const char *number)
{
    size_t count = 0;
    base_text text = {0};
    while (v->assumes[count] != NULL)
        count++;
    base_text_format(&text, "%s%s", words, number);
    if (verify_is_ok(c) && count < MOST_ASSUMPTIONS)
        v->assumes[count] = finish(c, &text);
    base_text_fini(&text);
}

static void assume_sizes(verify_certificate *c, opac_verification *v)
{
    base_text text = {0};
    if (c->states == 0 && c->actions == 0 && c->branching == 0)
        return;
    if (c->states > 0)
        base_text_format(&text, ", %" PRIu64 " state%s", c->states, c->states == 1 ? "" : "s");
    if (c->actions > 0)
        base_text_format(&text, ", %" PRIu64 " action%s a state", c->actions,
                         c->actions == 1 ? "" : "s");
    if (c->branching > 0)
        base_text_format(&text, ", %" PRIu64 " successor%s of an action%s", c->branching,
                         c->branching == 1 ? "" : "s",
                         c->start == VERIFY_NONE ? " or of the reset" : "");
    char *sizes = finish(c, &text);
    if (sizes != NULL)
        assume(c, v, "the model has at most", sizes + 1);
    base_free(sizes);
}

static void assume_recurrence(verify_certificate *c, opac_verification *v)
{
    char epsilon[OPAC_NUMBER_SIZE];
    base_text text = {0};
    opac_number_format(c->epsilon, epsilon);
    base_text_format(
        &text,
        "%" PRIu64 " bounds the %s-recurrence time: under every positional policy of the "
        "product, a run covers one of its bottom components twice within %" PRIu64
        " transition%s, %s included, with probability at least 1 - %s",
        c->horizon, epsilon, c->horizon, c->horizon == 1 ? "" : "s",
        c->automaton.initials > 1 ? "resets, epsilon moves and the choice of an initial memory"
                                  : "resets and epsilon moves",
        epsilon);
    char *words = finish(c, &text);
    if (words != NULL)
        assume(c, v, words, "");
    base_free(words);
}

/* A trial that the lower bound does not need is not mentioned. */
static void assume_trial(verify_certificate *c, opac_verification *v)
{
    char *words;
    char time[64];
    base_text text = {0};
    bool has_goal = c->horizon == 0;
    uint64_t steps = has_goal ? c->trial_steps : c->horizon;
    if (c->trial == 0 || c->claim_lower <= fmax(c->risk_lower, 0))
        return;
    assume(c, v,
           has_goal
               ? "the episodes of the trial are all those that were run with the policy after the "
                 "policy, the winning nodes, the number of transitions and the index were fixed, "
                 "and no other policy that was tried has this index"
               : "the episodes of the trial are all those that were run with the policy after the "
                 "policy and its index were fixed, and no other policy that was tried has this "
                 "index",
           "");
    snprintf(time, sizeof time, "%" PRIu64 " transition%s", steps, steps == 1 ? "" : "s");
    base_text_format(
        &text,
        "each episode began with the reset; it is won if within %s it came to %sa universal "
        "memory, ",
        time, has_goal ? "a winning node or to " : "");
    if (!c->is_free && !has_goal)
        base_text_format(
            &text, "or if after %s its last strongly connected component satisfies the condition, ",
            time);
    base_text_add(
        &text,
        "and lost otherwise; one that was cut off, or that took anything but the first action "
        "without a "
        "change of memory in a product state that was not known when the policy was fixed, may "
        "count as lost");
    words = finish(c, &text);
    if (words != NULL)
        assume(c, v, words, "");
    base_free(words);
}

/* The least bound that a row states; 1 if none does. */
static double find_least(const verify_certificate *c)
{
    double least = 1;
    for (uint32_t i = 0; i < c->row_count; i++)
        if (c->row[i].state != VERIFY_NONE && c->row[i].pmin > 0)
            least = fmin(least, c->row[i].pmin);
    return least;
}

/* A certificate of version 1 assumes pmin for the reset, too. */
static void assume_least(verify_certificate *c, opac_verification *v)
{
    char least[OPAC_NUMBER_SIZE];
    bool is_random = c->start == VERIFY_NONE;
    if (c->has_row_pmin)
        assume(c, v,
               c->has_graph
                   ? "p_min is given by a function of state and action: every positive probability "
                     "of a transition is at least the pmin of its row, where it has one, which is "
                     "at least "
                   : "p_min is given by a function of state and action: every positive probability "
                     "of a transition is at least the pmin of its row, which is at least ",
               opac_number_format(find_least(c), least));
    else if (c->pmin > 0)
        assume(c, v, "every positive transition probability is at least ",
               opac_number_format(c->pmin, least));
    if (is_random && c->pmin_start > 0)
        assume(c, v, "every start state has a probability of at least ",
               opac_number_format(c->pmin_start, least));
    else if (is_random)
        assume(c, v,
               "start states were drawn independently of each other; no bound on their "
               "probabilities is assumed",
               "");
}

static void assume_alike(verify_certificate *c, opac_verification *v)
{
    char least[OPAC_NUMBER_SIZE];
    if (!c->is_alike)
        return;
    assume(c, v,
           "the class of a step is a function of state and action, and the successor one of state, "
           "action and outcome; classes and outcomes are those that the model told",
           "");
    if (c->pmin_outcome > 0)
        assume(c, v, "every positive probability of an outcome is at least ",
               opac_number_format(c->pmin_outcome, least));
}

static bool has_bound(const verify_certificate *c)
{
    return c->pmin > 0 || c->pmin_outcome > 0 || c->has_row_pmin ||
           (c->start == VERIFY_NONE && c->pmin_start > 0);
}

/* Parameters chosen after the samples were seen could give any bracket. */
static void assume_fixed(verify_certificate *c, opac_verification *v)
{
    const char *const names[] = {
        "delta",
        c->support > 0 ? "its split" : NULL,
        !has_bound(c)     ? NULL
        : c->has_row_pmin ? "the bounds on probabilities"
                          : "the bound on probabilities",
        c->horizon > 0 && !c->is_free ? "the recurrence time with its epsilon" : NULL,
        c->has_graph ? "the graph" : NULL,
        c->states + c->actions + c->branching > 0 ? "the sizes" : NULL};
    size_t count = 0, listed = 0;
    base_text text = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += names[i] != NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] == NULL)
            continue;
        base_text_add(&text, listed == 0 ? "" : listed + 1 == count ? " and " : ", ");
        base_text_add(&text, names[i]);
        listed++;
    }
    char *list = finish(c, &text);
    if (list != NULL)
        assume(c, v, list,
               count > 1 ? " were fixed before the first sample was drawn"
                         : " was fixed before the first sample was drawn");
    base_free(list);
}

/* If nothing is assumed of the system, of rows neither. */
static void assume_episodes(verify_certificate *c, opac_verification *v)
{
    assume(
        c, v,
        "episodes with the same policy are independent, and each is won with the same probability",
        "");
    assume_fixed(c, v);
    assume_trial(c, v);
    assume(c, v,
           "the run was not selected by its outcome among several, such as runs with other seeds",
           "");
}

static bool has_open_row(const verify_certificate *c)
{
    for (uint32_t i = 0; i < c->row_count; i++)
        if (c->row[i].is_open)
            return true;
    return false;
}

static void assume_sampling(verify_certificate *c, opac_verification *v)
{
    assume_fixed(c, v);
    assume(c, v,
           "the counts are the samples that were drawn in the model: none was left out, added or "
           "changed",
           "");
    if (c->is_alike)
        assume(
            c, v,
            c->start == VERIFY_NONE
                ? "the samples of a class are independent draws of outcomes from one distribution, "
                  "which does not change over time, and so are those of the reset"
                : "the samples of a class are independent draws of outcomes from one distribution, "
                  "which does not change over time",
            "");
    else
        assume(c, v,
               c->start == VERIFY_NONE
                   ? "the samples of a row are independent draws from one distribution, which "
                     "belongs to "
                     "the state and the action, or to the reset, and does not change over time"
                   : "the samples of a row are independent draws from one distribution, which "
                     "belongs to "
                     "the state and the action and does not change over time",
               "");
    if (c->is_alike)
        assume(
            c, v,
            "the discoveries of a class are those of its samples in the order in which they were "
            "drawn, which the counts do not show",
            "");
    if (has_open_row(c))
        assume(c, v,
               "the discoveries and quiet visits of a row are those of its samples in the order in "
               "which they were drawn, which the counts do not show",
               "");
    assume(c, v,
           c->is_alike ? "the index of a class was given before the class was first sampled"
                       : "the index of a row was given before the row was first sampled",
           "");
    assume_trial(c, v);
    assume(c, v,
           "the run was not selected by its outcome among several, such as runs with other seeds",
           "");
}

static bool has_absorbing(const verify_certificate *c)
{
    for (uint32_t i = 0; i < c->state_count; i++)
        if (c->state[i].actions == 0)
            return true;
    return false;
}

static void assume_model(verify_certificate *c, opac_verification *v)
{
    assume(
        c, v,
        c->start == VERIFY_NONE
            ? "the letter of a state (the propositions that are true in it) and the number of its "
              "actions are as in the model, and each state has one key"
            : "the letter of a state (the propositions that are true in it), the number of its "
              "actions and the state where runs begin are as in the model, and each state has "
              "one key",
        "");
    if (has_absorbing(c))
        assume(c, v, "a state without actions is absorbing: a run that reaches it stays there", "");
    assume(c, v,
           c->is_least ? "the automaton recognises the complement of the objective"
                       : "the automaton recognises the objective",
           "");
    if (c->has_nondeterminism && (c->horizon == 0 || c->claim_upper < 1))
        assume(c, v, "the automaton, which is not deterministic, is good for MDPs", "");
    assume(c, v,
           c->horizon > 0 || c->trial > 0
               ? "the policy is the one that the nodes describe, and takes the first choice in "
                 "product states that are not listed: no policy file was compared"
               : "the policy is the one that the nodes describe: no policy file was compared",
           "");
}

static void list_assumptions(verify_certificate *c, opac_verification *v)
{
    if (c->is_free) {
        assume_episodes(c, v);
        assume_model(c, v);
        return;
    }
    if (c->horizon > 0)
        assume_recurrence(c, v);
    else
        assume_least(c, v);
    assume_alike(c, v);
    if (c->has_graph)
        assume(c, v,
               c->start == VERIFY_NONE
                   ? "the rows, that of the reset included, list all successors that there are, "
                     "and no others"
                   : "the rows list all successors that there are, and no others",
               "");
    assume_sizes(c, v);
    assume_sampling(c, v);
    assume_model(c, v);
}

void verify_write_result(verify_certificate *c, opac_verification *v)
{
    v->is_least = c->is_least;
    v->confidence = fmin(c->claim_confidence, nextafter(1, 0)); /* delta is not 0 */
    v->lower = c->is_least ? below_complement(c->claim_upper) : c->claim_lower;
    v->upper = c->is_least ? above_complement(c->claim_lower) : c->claim_upper;
    v->statement = write_statement(c, v);
    if (verify_is_ok(c) && c->claim_statement != NULL &&
        strcmp(c->claim_statement, v->statement) != 0)
        c->status =
            base_fail(c->error, OPAC_ERROR_ARGUMENT,
                      "claim: the statement differs from the one that the certificate shows: %s",
                      v->statement);
    v->assumes = base_alloc_zeroed(MOST_ASSUMPTIONS + 1, sizeof *v->assumes);
    if (verify_is_ok(c) && v->assumes == NULL)
        c->status = base_fail_memory(c->error);
    if (verify_is_ok(c))
        list_assumptions(c, v);
}
