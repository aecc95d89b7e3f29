/* SPDX-License-Identifier: MIT */
/*
 * A run that closes a bracket, as words: what its policy section has in a checkpoint.
 *
 *     the batch            see sample_batch
 *     the supports         bracket_support_save
 *     the bracket          bracket_model_save
 */
#include "bracket/bracket.h"

opac_status bracket_state_save(const sample_run *run, base_u64_vec *words, opac_error *error)
{
    const sample_batch *b = &run->batch;
    TRY(base_u64_vec_reserve(words, words->count + SAMPLE_BATCH_WORDS, error));
    words->items[words->count++] = b->round;
    words->items[words->count++] = b->episodes;
    words->items[words->count++] = b->steps;
    words->items[words->count++] = b->mood;
    words->items[words->count++] = b->is_eager;
    words->items[words->count++] = b->idle;
    words->items[words->count++] = b->is_ripe;
    words->items[words->count++] = b->cautious;
    words->items[words->count++] = b->spent;
    TRY(bracket_support_save(bracket_support_of(run), words, error));
    return bracket_model_save(bracket_model_of(run), words, error);
}

/* A batch that there can be: begun, and its episodes not too long. */
static opac_status restore_batch(sample_run *run, const uint64_t *words, opac_error *error)
{
    sample_batch b = {words[0], words[1], words[2], words[3], words[4],
                      words[5], words[6], words[7], words[8]};
    if (b.episodes > run->episodes || b.steps > run->steps || b.mood > BRACKET_CURIOUS ||
        b.is_eager > 1 || b.is_ripe > b.is_eager || b.cautious > SAMPLE_LONG_EPISODE ||
        b.spent > b.steps || run->horizon > SAMPLE_LONG_EPISODE ||
        run->steps > BRACKET_MOST_STEPS ||
        (run->limit > 0 && (run->limit < run->episodes || run->limit <= b.episodes)))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the batch is none that there can be");
    run->batch = b;
    return OPAC_OK;
}

opac_status bracket_state_restore(sample_run *run, const uint64_t *words, size_t count,
                                  opac_error *error)
{
    size_t used = 0;
    if (count < SAMPLE_BATCH_WORDS)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the batch is missing");
    TRY(restore_batch(run, words, error));
    words += SAMPLE_BATCH_WORDS;
    count -= SAMPLE_BATCH_WORDS;
    TRY(bracket_support_restore(bracket_support_of(run), words, count, &used, error));
    return bracket_model_restore(bracket_model_of(run), words + used, count - used, error);
}
