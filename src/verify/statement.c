/* SPDX-License-Identifier: MIT */
/*
 * What a certificate that was checked shows, in words that are the checker's own, and
 * what it rests on. If the certificate has a statement, it is this one.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <omegapac/number.h>

#include "base/text.h"
#include "verify/verify.h"

enum {
    MOST_ASSUMPTIONS = 8
};

/*
 * 1 - x, rounded down and up. Where x < 1/2 the rest is at least that, so that 1 - rest, and what it
 * differs from x by, are exact; elsewhere 1 - x is.
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

/* The text is taken over. */
static char *finish(verify_certificate *c, base_text *text)
{
    opac_status status = base_text_check(text, c->error);
    c->status = verify_goes_on(c) ? status : c->status;
    char *taken = status == OPAC_OK ? base_text_take(text) : NULL;
    base_text_fini(text);
    return taken;
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
                     "objective with probability %s %s, and no policy with %s than %s",
                     confidence, c->is_least ? "at most" : "at least", own,
                     c->is_least ? "less" : "more", best);
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
    if (verify_goes_on(c) && count < MOST_ASSUMPTIONS)
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
        base_text_format(&text, ", %" PRIu64 " successor%s of an action", c->branching,
                         c->branching == 1 ? "" : "s");
    char *sizes = finish(c, &text);
    if (sizes != NULL)
        assume(c, v, "the model has at most", sizes + 1);
    base_free(sizes);
}

static void list_assumptions(verify_certificate *c, opac_verification *v)
{
    char pmin[OPAC_NUMBER_SIZE];
    if (c->pmin > 0)
        assume(c, v, "no positive probability of the model is below ",
               opac_number_format(c->pmin, pmin));
    if (c->has_graph)
        assume(c, v, "the rows list all successors that there are, and no others", "");
    assume_sizes(c, v);
    assume(c, v,
           "the counts are those of independent samples, and the index of a row was given before "
           "the row was first tried",
           "");
    assume(c, v,
           "what is true in a state (its letter), how many actions it has, and where runs begin, "
           "are as in the model",
           "");
    assume(c, v,
           c->is_least ? "the automaton accepts what the objective forbids"
                       : "the automaton means the objective",
           "");
    if (c->guesses)
        assume(c, v, "the automaton, which is not deterministic, is good for MDPs", "");
}

void verify_state_result(verify_certificate *c, opac_verification *v)
{
    v->is_least = c->is_least;
    v->confidence = fmin(c->claim_confidence, nextafter(1, 0)); /* delta is not 0 */
    v->lower = c->is_least ? below_complement(c->claim_upper) : c->claim_lower;
    v->upper = c->is_least ? above_complement(c->claim_lower) : c->claim_upper;
    v->statement = write_statement(c, v);
    if (verify_goes_on(c) && c->claim_statement != NULL &&
        strcmp(c->claim_statement, v->statement) != 0)
        c->status = base_fail(c->error, OPAC_ERROR_ARGUMENT,
                              "claim: the statement is not what is shown: %s", v->statement);
    v->assumes = base_alloc_zeroed(MOST_ASSUMPTIONS + 1, sizeof *v->assumes);
    if (verify_goes_on(c) && v->assumes == NULL)
        c->status = base_fail_memory(c->error);
    if (verify_goes_on(c))
        list_assumptions(c, v);
}
