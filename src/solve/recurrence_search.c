/* SPDX-License-Identifier: MIT */
#include "solve/recurrence_search.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "solve/least_progress.h"

enum {
    TARGETS = 40, /* number of least-progress policies */
    HASHED = 12,  /* policies from a hash, including the one with first choices */
    CLIMBS = 12   /* local searches, from the policies with the longest times */
};

typedef struct search {
    solve_recurrence_max *x;
    solve_least_progress least_progress;
    uint32_t targets; /* number of targets */
    uint64_t *steps;  /* by initial policy: its time; 0 after the local search from it */
    uint32_t count;   /* number of initial policies */
} search;

/* ---- initial policies ---- */

/* Sets the current policy to pseudorandom choices; number 0: the first choices. */
static void set_hashed_policy(search *s, uint64_t number)
{
    for (uint32_t state = 0; state < s->x->enumeration.process->state_count; state++) {
        uint32_t count = solve_distinct_count(&s->x->enumeration.distinct, state);
        s->x->index[state] =
            number == 0 ? 0 : (uint32_t)(base_hash_word(number << 32 | state) % count);
    }
}

/* Sets the current policy to an initial one. */
static void set_initial_policy(search *s, uint32_t number)
{
    const solve_recurrence_options *o = s->x->options;
    if (number < o->initial_policy_count) {
        solve_distinct_indices(&s->x->enumeration.distinct, o->initial_policies[number],
                               s->x->enumeration.process->state_count, s->x->index);
        return;
    }
    number -= o->initial_policy_count;
    uint64_t states = s->x->enumeration.process->state_count;
    if (number < s->targets)
        solve_least_progress_policy(&s->least_progress, (uint32_t)(number * states / s->targets),
                                    s->x->index);
    else
        set_hashed_policy(s, number - s->targets);
}

/* Each initial policy may use an equal share of half of the work, so that all of them are tried. */
static opac_status try_initial_policies(search *s, opac_error *error)
{
    solve_recurrence_max *x = s->x;
    uint64_t limit = x->limit, part = limit / (2 * (uint64_t)s->count);
    for (uint32_t i = 0; i < s->count && !solve_recurrence_max_is_finished(x); i++) {
        set_initial_policy(s, i);
        if (limit != 0)
            x->limit = x->work + part < limit ? x->work + part + 1 : limit;
        TRY(solve_recurrence_max_try(x, x->index, &s->steps[i], error));
        x->limit = limit;
    }
    return OPAC_OK;
}

/* ---- local search ---- */

/* Takes the choice of the state with the longest time, if that exceeds *steps, and updates *steps. */
static opac_status improve_state(solve_recurrence_max *x, uint32_t state, uint64_t *steps,
                                 opac_error *error)
{
    uint32_t count = solve_distinct_count(&x->enumeration.distinct, state), own = x->index[state];
    for (uint32_t i = 0; i < count && !solve_recurrence_max_is_finished(x); i++) {
        uint64_t other = 0;
        if (i == own)
            continue;
        x->index[state] = i;
        TRY(solve_recurrence_max_try(x, x->index, &other, error));
        if (other > *steps) {
            *steps = other;
            own = i;
        }
    }
    x->index[state] = own;
    solve_enumeration_set(&x->enumeration, x->index);
    return OPAC_OK;
}

static opac_status climb(solve_recurrence_max *x, uint64_t steps, opac_error *error)
{
    uint64_t before;
    solve_enumeration_set(&x->enumeration, x->index);
    do {
        before = steps;
        for (uint32_t s = 0;
             s < x->enumeration.process->state_count && !solve_recurrence_max_is_finished(x); s++)
            if (x->enumeration.is_reached[s] &&
                solve_distinct_count(&x->enumeration.distinct, s) > 1)
                TRY(improve_state(x, s, &steps, error));
    } while (steps > before && !solve_recurrence_max_is_finished(x));
    return OPAC_OK;
}

static uint32_t longest(const search *s)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < s->count; i++)
        if (s->steps[i] > s->steps[best])
            best = i;
    return best;
}

/* ---- the whole ---- */

static opac_status run(search *s, opac_error *error)
{
    TRY(try_initial_policies(s, error));
    for (uint32_t i = 0; i < CLIMBS && i < s->count && !solve_recurrence_max_is_finished(s->x);
         i++) {
        uint32_t from = longest(s);
        uint64_t steps = s->steps[from];
        s->steps[from] = 0;
        set_initial_policy(s, from);
        TRY(climb(s->x, steps, error));
    }
    return OPAC_OK;
}

opac_status solve_recurrence_search_run(solve_recurrence_max *x, opac_error *error)
{
    search s = {.x = x};
    graph_workspace workspace = {.work = x->enumeration.work};
    uint32_t states = x->enumeration.process->state_count;
    s.targets = states < TARGETS ? states : TARGETS;
    s.count = x->options->initial_policy_count + s.targets + HASHED;
    opac_status status = solve_least_progress_init(&s.least_progress, x->enumeration.process,
                                                   &x->enumeration.distinct, &workspace, error);
    s.steps = base_alloc_zeroed(s.count, sizeof *s.steps);
    if (status == OPAC_OK)
        status = s.steps != NULL ? run(&s, error) : base_fail_memory(error);
    base_free(s.steps);
    graph_workspace_fini(&workspace);
    return status;
}
