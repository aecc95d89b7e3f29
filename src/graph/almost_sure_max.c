/* SPDX-License-Identifier: MIT */
/*
 * The greatest probability is 1: a forest of paths to the target, mended as
 * states are lost. Every state that hangs has a choice and, among its
 * successors, a parent:
 *
 *     target ◄── s ◄── t ◄── u          the parent of t is s, by the choice in its hold
 *                      ▲
 *                      └──── v          when s is lost, t, u and v fall off
 *
 * One round:
 *   1. lost states make the choices that may lead to them unsafe; states that
 *      hung by one of these fall, and all that hung on them;
 *   2. fallen states look for a hanging successor by a safe choice, and what
 *      hangs again lets its predecessors hang;
 *   3. the fallen that found none are lost: next round, until none is.
 *
 * A state hangs only on one that hung before, so there are no cycles, and a
 * hanging state has a path to the target by safe choices. At the end every state
 * of U hangs and no safe choice leaves U; and whatever is lost has no place in
 * any such set, so U is the largest. Ranks come from a last pass over U.
 */
#include "graph/almost_sure.h"

#include <assert.h>

#include "graph/attractor.h"

/* Side by side, because states are met in no order: one cache miss for both. */
typedef struct hold {
    uint32_t choice; /* GRAPH_NONE: a target, or does not hang */
    uint32_t parent;
} hold;

typedef struct forest {
    const graph_process *process;
    const graph_reverse *reverse;
    base_bitset *kept; /* U; at first the part */
    base_bitset *safe; /* choices of the part that may be taken */
    base_bitset hangs; /* states; the targets always */
    hold *holds;       /* by state */
    uint32_t *queue;   /* states that hang and whose predecessors may now too */
    uint32_t *fallen;  /* in this round */
    uint32_t *lost;    /* in the round before */
    uint32_t queue_count, fallen_count, lost_count;
    uint64_t mended;
    const graph_workspace *workspace;
} forest;

/* Counts the predecessors of a state; true: stop. */
static inline bool spend(const forest *f, uint32_t t)
{
    return graph_spend(f->workspace, (uint64_t)1 + f->reverse->begin[t + 1] - f->reverse->begin[t]);
}

static opac_status take_forest(forest *f, graph_workspace *workspace, opac_error *error)
{
    size_t n = f->process->state_count;
    TRY(graph_take_set(workspace, n, &f->hangs, error));
    f->holds = graph_take(workspace, n, sizeof *f->holds);
    f->queue = graph_take_u32(workspace, n);
    f->fallen = graph_take_u32(workspace, n);
    f->lost = graph_take_u32(workspace, n);
    if (f->holds == NULL || f->queue == NULL || f->fallen == NULL || f->lost == NULL)
        return base_fail_memory(error);
    for (size_t s = 0; s < n; s++)
        f->holds[s] = (hold){.choice = GRAPH_NONE, .parent = GRAPH_NONE};
    return OPAC_OK;
}

static inline void hang(forest *f, uint32_t s, uint32_t choice, uint32_t parent)
{
    base_bitset_add(&f->hangs, s);
    f->holds[s] = (hold){.choice = choice, .parent = parent};
    f->queue[f->queue_count++] = s;
}

static inline void fall(forest *f, uint32_t s)
{
    base_bitset_remove(&f->hangs, s);
    f->holds[s].choice = GRAPH_NONE;
    f->fallen[f->fallen_count++] = s;
}

/* What leads to a queued state hangs too. Empties the queue. */
static void hang_predecessors(forest *f)
{
    const graph_reverse *reverse = f->reverse;
    for (uint32_t next = 0; next < f->queue_count && !spend(f, f->queue[next]); next++) {
        uint32_t t = f->queue[next];
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++) {
            uint32_t c = reverse->choice[j], s = reverse->owner[c];
            if (!base_bitset_has(&f->hangs, s) && base_bitset_has(f->safe, c) &&
                base_bitset_has(f->kept, s))
                hang(f, s, c, t);
        }
    }
    f->queue_count = 0;
}

static void hang_on_target(forest *f, const base_bitset *target)
{
    for (size_t s = base_bitset_next(target, 0); s < target->size;
         s = base_bitset_next(target, s + 1))
        if (base_bitset_has(f->kept, s))
            hang(f, (uint32_t)s, GRAPH_NONE, GRAPH_NONE);
    hang_predecessors(f);
}

static void lose_state(forest *f, uint32_t s)
{
    base_bitset_remove(f->kept, s);
    f->lost[f->lost_count++] = s;
}

/* States that no path led from to the target: the greatest probability is 0. */
static void lose_hopeless(forest *f, base_bitset *zero)
{
    base_bitset_copy(zero, f->kept);
    base_bitset_subtract(zero, &f->hangs);
    for (size_t s = base_bitset_next(zero, 0); s < zero->size; s = base_bitset_next(zero, s + 1))
        lose_state(f, (uint32_t)s);
}

static inline void make_unsafe(forest *f, uint32_t choice)
{
    uint32_t s = f->reverse->owner[choice];
    base_bitset_remove(f->safe, choice);
    if (f->holds[s].choice == choice)
        fall(f, s);
}

/* A choice with an edge out of the part may lose the run; those of states outside are none. */
static void avoid_leaving(forest *f, graph_part part)
{
    if (part.states == NULL)
        return;
    for (size_t c = base_bitset_next(f->safe, 0); c < f->safe->size;
         c = base_bitset_next(f->safe, c + 1))
        if (!base_bitset_has(part.states, f->reverse->owner[c]) ||
            !graph_part_keeps(f->process, part, (uint32_t)c))
            make_unsafe(f, (uint32_t)c);
}

/* Step 1. */
static void drop_lost(forest *f)
{
    const graph_reverse *reverse = f->reverse;
    for (uint32_t i = 0; i < f->lost_count && !spend(f, f->lost[i]); i++) {
        uint32_t t = f->lost[i];
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++)
            if (base_bitset_has(f->safe, reverse->choice[j]))
                make_unsafe(f, reverse->choice[j]);
    }
    f->lost_count = 0;
    for (uint32_t i = 0; i < f->fallen_count && !spend(f, f->fallen[i]); i++) {
        uint32_t t = f->fallen[i];
        for (uint32_t j = reverse->begin[t]; j < reverse->begin[t + 1]; j++) {
            uint32_t c = reverse->choice[j], s = reverse->owner[c];
            if (f->holds[s].choice == c && f->holds[s].parent == t)
                fall(f, s);
        }
    }
}

/* Hangs a fallen state on a successor, if a safe choice has one that hangs. */
static void mend(forest *f, uint32_t s)
{
    const graph_process *process = f->process;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        if (!base_bitset_has(f->safe, c))
            continue;
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            if (base_bitset_has(&f->hangs, process->target[e])) {
                hang(f, s, c, process->target[e]);
                return;
            }
    }
}

/* Steps 2 and 3. */
static void mend_fallen(forest *f)
{
    for (uint32_t i = 0; i < f->fallen_count && !spend(f, f->fallen[i]); i++)
        mend(f, f->fallen[i]);
    hang_predecessors(f);
    for (uint32_t i = 0; i < f->fallen_count; i++)
        if (!base_bitset_has(&f->hangs, f->fallen[i]))
            lose_state(f, f->fallen[i]);
    f->mended += f->fallen_count;
    f->fallen_count = 0;
}

/* Fills zero, one and the set of safe choices. */
static void shrink_to_one(forest *f, graph_part part, const base_bitset *target, base_bitset *zero)
{
    hang_on_target(f, target);
    lose_hopeless(f, zero);
    avoid_leaving(f, part);
    while ((f->lost_count > 0 || f->fallen_count > 0) && !base_work_stopped(f->workspace->work)) {
        drop_lost(f);
        mend_fallen(f);
    }
}

/* The sets of the result, as they are before anything is lost. */
static opac_status take_sets(const graph_process *process, graph_part part,
                             graph_workspace *workspace, graph_max_reached *result,
                             opac_error *error)
{
    TRY(graph_take_set(workspace, process->state_count, &result->zero, error));
    TRY(graph_part_states(process, part, workspace, &result->one, error));
    TRY(graph_take_set(workspace, process->choice_count, &result->safe, error));
    if (part.choices != NULL)
        base_bitset_copy(&result->safe, part.choices);
    else
        base_bitset_fill(&result->safe);
    return OPAC_OK;
}

opac_status graph_max_reach(const graph_process *process, graph_part part,
                            const graph_reverse *reverse, const base_bitset *target,
                            graph_workspace *workspace, graph_max_reached *result,
                            opac_error *error)
{
    assert(graph_part_fits(process, part) && graph_set_fits(process, target));
    forest f = {.process = process, .reverse = reverse, .workspace = workspace};
    graph_attractor attractor;
    graph_part shrunk = {.states = &result->one, .choices = &result->safe};
    graph_place scratch, start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, take_sets(process, part, workspace, result, error));

    scratch = graph_workspace_mark(workspace);
    f.kept = &result->one;
    f.safe = &result->safe;
    TRY_OR(done, take_forest(&f, workspace, error));
    shrink_to_one(&f, part, target, &result->zero);
    TRY_OR(done, graph_workspace_check(workspace, error));
    graph_workspace_release(workspace, scratch);

    /* The attractor of the target within U by safe choices is all of U. */
    TRY_OR(done,
           graph_attract_some(process, shrunk, reverse, target, workspace, &attractor, error));
    result->rank = attractor.rank;
    result->choice = attractor.choice;
    result->mended = f.mended;
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
