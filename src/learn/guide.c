/* SPDX-License-Identifier: MIT */
/* Whom a run asks what to do: its optimist, or, if it closes a bracket, that. */
#include "learn/bracket.h"
#include "learn/run.h"

static bool is_ripe(const learn_run *run, uint32_t choice)
{
    uint32_t counter = run->world.choices.items[choice].counter;
    return counter != LEARN_NONE && learn_run_is_enough(run, counter);
}

/* In an eager batch, what has become complete is left to the next update: the next choice of the
 * pair that is not complete is as hopeful. */
static uint32_t choose_eagerly(const learn_run *run, uint32_t pair)
{
    const learn_pair *p = &run->world.pairs.items[pair];
    uint32_t choice = learn_bracket_choice(run->bracket, pair);
    if (!is_ripe(run, choice))
        return choice;
    for (uint32_t c = p->choice; c < p->choice + p->choices; c++)
        if (!learn_world_is_known(&run->world, c) && !is_ripe(run, c))
            return c;
    return choice;
}

uint32_t learn_run_choice(const learn_run *run, uint32_t pair)
{
    if (run->bracket == NULL)
        return learn_optimist_choice(run->optimist, pair);
    return run->batch.is_eager ? choose_eagerly(run, pair)
                               : learn_bracket_choice(run->bracket, pair);
}

/* A bracket moves everywhere at once. */
bool learn_run_changes(const learn_run *run, const uint32_t **pairs, size_t *count)
{
    if (run->bracket == NULL)
        return learn_optimist_changes(run->optimist, pairs, count);
    *pairs = NULL;
    *count = 0;
    return false;
}

bool learn_run_ends_at(const learn_run *run, uint32_t pair)
{
    return run->bracket != NULL && learn_bracket_ends_at(run->bracket, pair);
}

bool learn_run_is_enough(const learn_run *run, uint32_t counter)
{
    return learn_support_is_ripe(run->support, run->world.counters.items[counter].row);
}

opac_status learn_run_chain(const learn_run *run, learn_chain *chain, opac_error *error)
{
    return run->bracket != NULL ? learn_bracket_chain(run->bracket, chain, NULL, error)
                                : learn_optimist_chain(run->optimist, chain, error);
}
