/* SPDX-License-Identifier: MIT */
/*
 * How a run that closes a bracket goes on: by which policy, for how many episodes, and how long they
 * may be. All of it is a function of counts, so that runs can be repeated and resumed.
 *
 *     mood     the hopeful policy: it comes to whatever keeps U up. Where it has nothing left to
 *              learn, U is L. (Taking the cautious one in turn costs up to twice the samples; but
 *              a sixteenth of the steps is, since U may be out of reach, and L is of use by itself.) If
 *              all on its way is complete and the bracket not too wide, mostly the curious one
 *              (bracket_model_wonder.c), which comes sooner to what is worth a visit. If most of the
 *              bracket's width is due to what the reset has not shown yet, episodes mostly end
 *              behind the reset.
 *     size     until the steps, or the episodes, have grown by a share. (The last batch may have
 *              followed a policy of short episodes, and this one be of long ones.) And until a
 *              row has been visited half as often again: one of very many actions is not worth a
 *              share of all samples.
 *     eager    if the way leads to a row that is not complete: then an episode, and the batch, ends when
 *              one becomes complete, since the policy may be another one from there on.
 *     length   from 16 on, twice as long each time that episodes were too short: when they
 *              are mostly cut, or, of eager ones, when two were cut and sampled nothing of use.
 *
 * A batch costs an update, which is linear in the pairs and their choices; so it has at least as many
 * steps as there are pairs, and where there are many, up to eight times as many, since an update costs
 * as much as several steps a pair. Within an eager one, what has become complete gives way to the pair's next
 * choice (sample/run.c); in such a lazy one, episodes go on behind it, to what nobody has seen yet.
 */
#include <math.h>

#include "bracket/bracket.h"

static const double growth = 0.1;        /* of the steps, in a batch */
static const double few_steps = 10;      /* likewise */
static const uint64_t first_length = 16; /* of an episode */
static const uint64_t most_idle = 2;     /* episodes, before they become longer */
/* Eager episodes are run one after the other; of more than these, some may as well be wasted. */
static const uint64_t most_eager = 4096;
/* Of the curious policy: how wide a bracket is too wide for it; which share of a batch's steps
 * a row may get; and of how many batches one is without it. */
static const double wide = 0.3;
static const double crowding = 0.125;
static const uint64_t sober = 4;
static const double start_share = 0.5; /* of the bracket's width: then resets are what is sampled */
static const double cautious_share = 0.0625; /* of the steps are of the cautious policy */

/* ---- where the policy leads to ---- */

/* What the policy comes to. */
typedef struct search {
    opac_learning *l;
    base_bitset met;
    base_u32_vec queue;
    bool is_open;    /* something can be learned */
    bool is_missing; /* a row is not complete */
} search;

static opac_status add(search *s, uint32_t pair, opac_error *error)
{
    if (base_bitset_has(&s->met, pair))
        return OPAC_OK;
    base_bitset_add(&s->met, pair);
    return base_u32_vec_push(&s->queue, pair, error);
}

static opac_status expand(search *s, uint32_t pair, opac_error *error)
{
    sample_world *world = &s->l->run.world;
    uint32_t choice, count, next;
    if (sample_run_ends_at(&s->l->run, pair))
        return OPAC_OK;
    choice = sample_run_choice(&s->l->run, pair);
    const sample_choice c = world->choices.items[choice];
    if (sample_choice_is_free(&c))
        return add(s, c.target, error);
    if (!sample_world_is_known(world, choice)) {
        s->is_missing = s->is_open = true;
        return OPAC_OK;
    }
    const uint32_t *order = sample_world_order(world, c.counter, &count);
    s->is_open |= count > 1 || bracket_model_unseen(bracket_model_of(&s->l->run)) > 0;
    for (uint32_t i = 0; i < count; i++) {
        TRY(sample_world_follow(world, choice, order[i], &next, error));
        TRY(add(s, next, error));
    }
    return OPAC_OK;
}

static opac_status look_around(search *s, opac_error *error)
{
    opac_status status;
    TRY_OR(done, base_bitset_init(&s->met, s->l->run.world.pairs.count, error));
    TRY_OR(done, add(s, s->l->run.world.start, error));
    for (size_t i = 0; i < s->queue.count && !s->is_missing; i++)
        TRY_OR(done, expand(s, s->queue.items[i], error));
done:
    base_bitset_fini(&s->met);
    base_u32_vec_fini(&s->queue);
    return status;
}

/* ---- the batch ---- */

static uint64_t mean_length(const sample_run *run)
{
    uint64_t episodes = run->episodes - run->batch.episodes, steps = run->steps - run->batch.steps;
    return episodes > 0 && steps > episodes ? steps / episodes : 1;
}

/* By what the last batch says about it. */
static uint64_t choose_length(sample_run *run)
{
    bool is_first = run->batch.round == 0, is_eager = run->batch.is_eager != 0;
    bool is_short = is_eager ? run->batch.idle >= most_idle : mean_length(run) >= run->horizon / 2;
    if (is_first)
        return first_length;
    if (!is_short || run->horizon >= SAMPLE_LONG_EPISODE)
        return run->horizon;
    run->batch.idle = 0;
    return 2 * run->horizon;
}

/* Steps that the cautious policy should have had by now, and has not. */
static double owed(const sample_run *run)
{
    double due = cautious_share * (double)run->steps - (double)run->batch.spent;
    return bracket_model_bounds(bracket_model_of(run)).lower > 0 ? due : 0;
}

/* Episodes of another policy than that of the last batch may be longer. */
static uint64_t choose_size(const sample_run *run, bracket_mood mood)
{
    double least = (double)sample_batch_least(run);
    double steps = fmax(growth * (double)run->steps + few_steps, least);
    double most = growth * (double)run->episodes + few_steps;
    uint64_t length = run->batch.mood == (uint64_t)mood ? mean_length(run) : run->horizon;
    double size = fmin(steps / (double)length, fmax(most, least));
    if (mood == BRACKET_CAUTIOUS)
        size = owed(run) / (double)(run->batch.cautious > 0 ? run->batch.cautious : run->horizon);
    return size < 1 ? 1 : (uint64_t)fmin(size, 0x1p53);
}

/* Not more than rows that are new have use for; but large models are not solved that often. */
static opac_status bound_size(const sample_run *run, bracket_mood mood, uint64_t *size,
                              opac_error *error)
{
    double most, least = (double)sample_batch_least(run) / (double)mean_length(run);
    if (mood != BRACKET_HOPEFUL || (double)*size <= fmax(BRACKET_FEW_VISITS, least))
        return OPAC_OK;
    TRY(bracket_model_patience(bracket_model_of(run), &most, error));
    most = fmax(fmax(most, least), 1);
    if ((double)*size > most)
        *size = (uint64_t)most;
    return OPAC_OK;
}

/* Whether more resets would narrow the bracket more than anything behind them. */
static bool is_due_to_start(const sample_run *run)
{
    double gap = bracket_gap(bracket_model_bounds(bracket_model_of(run)));
    return bracket_model_unseen(bracket_model_of(run)) > start_share * gap;
}

/* The curious policy goes by slopes, which tell little of a wide bracket, and may be wrong: so some
 * batches are without it. */
static opac_status choose_mood(const sample_run *run, const search *s, bracket_mood *mood,
                               opac_error *error)
{
    bool is_found = false,
         is_narrow = bracket_gap(bracket_model_bounds(bracket_model_of(run))) < wide;
    double batch = crowding * (growth * (double)run->steps + few_steps);
    opac_status status = OPAC_OK;
    if (run->batch.round % sober != 0 && is_due_to_start(run))
        is_found = true;
    else if (s->is_open && !s->is_missing && is_narrow && run->batch.round % sober != 0)
        status = bracket_model_wonder(bracket_model_of(run), batch, &is_found, error);
    *mood = is_found ? BRACKET_CURIOUS : BRACKET_HOPEFUL;
    if (owed(run) > cautious_share / 4 * (double)run->steps + few_steps)
        *mood = BRACKET_CAUTIOUS;
    return status;
}

opac_status bracket_batch_choose(opac_learning *l, bool *is_open, opac_error *error)
{
    sample_run *run = &l->run;
    search s = {.l = l};
    bracket_mood mood = BRACKET_HOPEFUL;
    if (run->batch.mood == BRACKET_CAUTIOUS) {
        run->batch.cautious = mean_length(run);
        run->batch.spent += run->steps - run->batch.steps;
    }
    bracket_model_follow(bracket_model_of(run), BRACKET_HOPEFUL);
    TRY(look_around(&s, error));
    TRY(choose_mood(run, &s, &mood, error));
    uint64_t size = choose_size(run, mood);
    if (!s.is_missing)
        TRY(bound_size(run, mood, &size, error));
    run->horizon = choose_length(run);
    bracket_model_follow(bracket_model_of(run), mood);
    run->batch =
        (sample_batch){.round = run->batch.round + 1,
                       .episodes = run->episodes,
                       .steps = run->steps,
                       .mood = mood,
                       .is_eager = s.is_missing && mood == BRACKET_HOPEFUL && size <= most_eager,
                       .idle = run->batch.idle,
                       .cautious = run->batch.cautious,
                       .spent = run->batch.spent};
    run->limit = run->episodes + size;
    *is_open = s.is_open;
    return OPAC_OK;
}
