/* SPDX-License-Identifier: MIT */
/*
 * Each kind of automaton can be made in several ways. Which way gives the smallest result depends on the
 * automaton. They are cheap, so all are tried.
 */
#include "aut/convert.h"

#include "aut/bisimulation.h"
#include "aut/buchi.h"
#include "aut/complete.h"
#include "aut/ldba.h"
#include "aut/parity.h"
#include "aut/rabin.h"
#include "aut/reduce.h"
#include "aut/state_based.h"
#include "aut/trim.h"

enum {
    MANY_MARKS = 8 /* with more, an ACD may grow exponentially, so it is built only if necessary */
};

typedef opac_status (*step)(const opac_automaton *given, const aut_limits *limits,
                            opac_automaton **made, opac_error *error);

/* Replaces *automaton by the result of a step. */
static opac_status apply(step make, const aut_limits *limits, opac_automaton **automaton,
                         opac_error *error)
{
    opac_automaton *made = NULL;
    TRY(make(*automaton, limits, &made, error));
    opac_automaton_free(*automaton);
    *automaton = made;
    return OPAC_OK;
}

static opac_status trim(const opac_automaton *given, const aut_limits *limits,
                        opac_automaton **made, opac_error *error)
{
    (void)limits;
    return aut_trim(given, made, error);
}

static opac_status merge(const opac_automaton *given, const aut_limits *limits,
                         opac_automaton **made, opac_error *error)
{
    (void)limits;
    return aut_merge_bisimilar(given, made, error);
}

static opac_status complete(const opac_automaton *given, const aut_limits *limits,
                            opac_automaton **made, opac_error *error)
{
    (void)limits;
    return aut_complete(given, made, error);
}

static opac_status parity(const opac_automaton *given, const aut_limits *limits,
                          opac_automaton **made, opac_error *error)
{
    return aut_to_parity(given, limits->states, made, error);
}

static opac_status rabin(const opac_automaton *given, const aut_limits *limits,
                         opac_automaton **made, opac_error *error)
{
    return aut_to_rabin(given, limits->states, made, error);
}

static opac_status buchi(const opac_automaton *given, const aut_limits *limits,
                         opac_automaton **made, opac_error *error)
{
    return aut_to_buchi(given, limits->states, made, error);
}

static opac_status state_based(const opac_automaton *given, const aut_limits *limits,
                               opac_automaton **made, opac_error *error)
{
    return aut_to_state_based(given, limits->states, made, error);
}

/* Applies all reductions: trimming, reduction of deterministic automata, merging of bisimilar states. */
static opac_status reduce(const opac_automaton *given, const aut_limits *limits,
                          opac_automaton **made, opac_error *error)
{
    opac_automaton *reduced = NULL;
    opac_status status;
    TRY_OR(done, given->is_deterministic ? aut_reduce(given, &reduced, error)
                                         : aut_merge_bisimilar(given, &reduced, error));
    TRY_OR(done, apply(trim, limits, &reduced, error));
    status = apply(merge, limits, &reduced, error);
done:
    if (status == OPAC_OK)
        *made = reduced;
    else
        opac_automaton_free(reduced);
    return status;
}

/* ---- the best of several ---- */

static bool is_smaller(const opac_automaton *a, const opac_automaton *b)
{
    if (a->state_count != b->state_count)
        return a->state_count < b->state_count;
    if (a->mark_count != b->mark_count)
        return a->mark_count < b->mark_count;
    return aut_edge_count(a) < aut_edge_count(b);
}

void aut_keep_smaller(opac_automaton **best, opac_automaton *other)
{
    if (*best != NULL && !is_smaller(other, *best)) {
        opac_automaton_free(other);
        return;
    }
    opac_automaton_free(*best);
    *best = other;
}

/* Applies the steps one after the other. */
static opac_status run_steps(const opac_automaton *given, const step *steps,
                             const aut_limits *limits, opac_automaton **made, opac_error *error)
{
    opac_automaton *now = NULL;
    opac_status status;
    TRY_OR(done, steps[0](given, limits, &now, error));
    for (size_t i = 1; steps[i] != NULL; i++)
        TRY_OR(done, apply(steps[i], limits, &now, error));
done:
    if (status == OPAC_OK)
        *made = now;
    else
        opac_automaton_free(now);
    return status;
}

/* Keeps in *best the smaller one of *best and the result of the steps. Reaching a limit is an error only if
 * *best is NULL. */
static opac_status try_steps(const opac_automaton *given, const step *steps,
                             const aut_limits *limits, opac_automaton **best, opac_error *error)
{
    opac_automaton *made = NULL;
    opac_status status = run_steps(given, steps, limits, &made, error);
    if (status == OPAC_ERROR_LIMIT && *best != NULL)
        return OPAC_OK;
    TRY(status);
    aut_keep_smaller(best, made);
    return OPAC_OK;
}

static const step to_reduced[] = {reduce, NULL};
static const step to_parity[] = {parity, reduce, parity, NULL};
static const step to_reduced_parity[] = {parity, reduce, NULL};
static const step to_rabin[] = {reduce, rabin, NULL};
static const step to_rabin_by_parity[] = {parity, reduce, rabin, NULL};
static const step to_buchi[] = {buchi, reduce, buchi, NULL};
static const step to_ldba[] = {reduce, aut_to_ldba, reduce, NULL};
static const step to_ldba_by_parity[] = {parity, reduce, aut_to_ldba, reduce, NULL};

static opac_status convert_any(const opac_automaton *given, const aut_limits *limits,
                               opac_automaton **made, opac_error *error)
{
    TRY(try_steps(given, to_reduced, limits, made, error));
    if ((*made)->state_count > 1 && (*made)->mark_count > 1 && (*made)->mark_count <= MANY_MARKS)
        TRY(try_steps(*made, to_reduced_parity, limits, made, error));
    return OPAC_OK;
}

static opac_status convert_rabin(const opac_automaton *given, const aut_limits *limits,
                                 opac_automaton **made, opac_error *error)
{
    TRY(try_steps(given, to_rabin, limits, made, error));
    return try_steps(given, to_rabin_by_parity, limits, made, error);
}

static opac_status convert_ldba(const opac_automaton *given, const aut_limits *limits,
                                opac_automaton **made, opac_error *error)
{
    bool is_limit_deterministic = false;
    opac_status status = try_steps(given, to_buchi, limits, made, error);
    if (given->is_deterministic) {
        if (status == OPAC_OK)
            return OPAC_OK; /* a deterministic Büchi automaton is also limit-deterministic */
        if (status != OPAC_ERROR_UNSUPPORTED && status != OPAC_ERROR_LIMIT)
            return status;
        status = try_steps(given, to_ldba, limits, made, error);
        if (status == OPAC_OK || status == OPAC_ERROR_LIMIT)
            status = try_steps(given, to_ldba_by_parity, limits, made, error);
        return status;
    }
    TRY(status);
    TRY(opac_automaton_is_limit_deterministic(*made, &is_limit_deterministic, error));
    if (!is_limit_deterministic)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "the automaton is neither deterministic nor limit-deterministic, and "
                         "determinization is not supported");
    return OPAC_OK;
}

static opac_status convert_kind(const opac_automaton *given, const opac_automaton_options *options,
                                const aut_limits *limits, opac_automaton **made, opac_error *error)
{
    if (options->kind == OPAC_KIND_LDBA) {
        if (options->acceptance != OPAC_ACCEPTANCE_ANY &&
            options->acceptance != OPAC_ACCEPTANCE_BUCHI)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "a limit-deterministic automaton has Büchi acceptance, not %s",
                             opac_acceptance_name(options->acceptance));
        return convert_ldba(given, limits, made, error);
    }
    switch (options->acceptance) {
    case OPAC_ACCEPTANCE_BUCHI:
        return try_steps(given, to_buchi, limits, made, error);
    case OPAC_ACCEPTANCE_RABIN:
        return convert_rabin(given, limits, made, error);
    case OPAC_ACCEPTANCE_PARITY:
        return try_steps(given, to_parity, limits, made, error);
    default:
        return convert_any(given, limits, made, error);
    }
}

opac_status aut_detach(const opac_automaton *made, opac_automaton **automaton, opac_error *error)
{
    TRY(aut_copy_counted(made, aut_work(made), automaton, error));
    aut_bdd_store_set_work((*automaton)->labels, NULL);
    return OPAC_OK;
}

uint32_t aut_state_limit(const opac_automaton_options *options)
{
    return options->state_limit != 0 ? options->state_limit : AUT_STATE_LIMIT;
}

opac_status aut_convert(const opac_automaton *given, const opac_automaton_options *options,
                        opac_automaton **automaton, opac_error *error)
{
    aut_limits limits = {.states = aut_state_limit(options), .work = aut_work(given)};
    opac_automaton *made = NULL;
    opac_status status;
    TRY_OR(done, convert_kind(given, options, &limits, &made, error));
    if (options->kind == OPAC_KIND_DETERMINISTIC && !made->is_deterministic)
        TRY_OR(done, base_fail(error, OPAC_ERROR_UNSUPPORTED,
                               "the automaton is nondeterministic, and determinization is not "
                               "supported"));
    if (options->state_based)
        TRY_OR(done, apply(state_based, &limits, &made, error));
    if (options->complete)
        TRY_OR(done, apply(complete, &limits, &made, error));
    if (made != NULL && made->state_count > limits.states)
        status = aut_fail_states(limits.states, error);
done:
    if (status == OPAC_OK)
        *automaton = made;
    else
        opac_automaton_free(made);
    return status;
}
