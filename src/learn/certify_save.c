/* SPDX-License-Identifier: MIT */
/*
 * A run that closes a bracket, as words: what its policy section has in a checkpoint.
 *
 *     the batch            see learn_batch
 *     the supports         learn_support_save
 *     the bracket          learn_bracket_save
 */
#include "learn/certify.h"

opac_status learn_bracket_state_save(const learn_run *run, base_u64_vec *words, opac_error *error)
{
    const learn_batch *b = &run->batch;
    TRY(base_u64_vec_reserve(words, words->count + LEARN_BATCH_WORDS, error));
    words->items[words->count++] = b->round;
    words->items[words->count++] = b->episodes;
    words->items[words->count++] = b->steps;
    words->items[words->count++] = b->mood;
    words->items[words->count++] = b->is_eager;
    words->items[words->count++] = b->idle;
    words->items[words->count++] = b->is_ripe;
    words->items[words->count++] = b->cautious;
    words->items[words->count++] = b->spent;
    TRY(learn_support_save(learn_run_support(run), words, error));
    return learn_bracket_save(learn_run_bracket(run), words, error);
}

/* A batch that there can be: begun, and its episodes not too long. */
static opac_status restore_batch(learn_run *run, const uint64_t *words, opac_error *error)
{
    learn_batch b = {words[0], words[1], words[2], words[3], words[4],
                     words[5], words[6], words[7], words[8]};
    if (b.episodes > run->episodes || b.steps > run->steps || b.mood > LEARN_CURIOUS ||
        b.is_eager > 1 || b.is_ripe > b.is_eager || b.cautious > LEARN_LONG_EPISODE ||
        b.spent > b.steps || run->horizon > LEARN_LONG_EPISODE || run->steps > LEARN_MOST_STEPS ||
        (run->limit > 0 && (run->limit < run->episodes || run->limit <= b.episodes)))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the batch is none that there can be");
    run->batch = b;
    return OPAC_OK;
}

opac_status learn_bracket_state_restore(learn_run *run, const uint64_t *words, size_t count,
                                        opac_error *error)
{
    size_t used = 0;
    if (count < LEARN_BATCH_WORDS)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the batch is missing");
    TRY(restore_batch(run, words, error));
    words += LEARN_BATCH_WORDS;
    count -= LEARN_BATCH_WORDS;
    TRY(learn_support_restore(learn_run_support(run), words, count, &used, error));
    return learn_bracket_restore(learn_run_bracket(run), words + used, count - used, error);
}
