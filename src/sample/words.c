/* SPDX-License-Identifier: MIT */
/* Words of a checkpoint: see words.h. */
#include "sample/words.h"

#include <string.h>

/* ---- writing ---- */

opac_status sample_put_word(base_u64_vec *words, uint64_t word, opac_error *error)
{
    return base_u64_vec_push(words, word, error);
}

opac_status sample_put_words(base_u64_vec *words, const void *data, size_t count, opac_error *error)
{
    TRY(base_u64_vec_reserve(words, words->count + count, error));
    memcpy(words->items + words->count, data, count * sizeof *words->items);
    words->count += count;
    return OPAC_OK;
}

opac_status sample_put_list(base_u64_vec *words, const base_u32_vec *list, opac_error *error)
{
    TRY(sample_put_word(words, list->count, error));
    for (size_t i = 0; i < list->count; i++)
        TRY(sample_put_word(words, list->items[i], error));
    return OPAC_OK;
}

opac_status sample_put_candidate(base_u64_vec *words, const sample_candidate *c, opac_error *error)
{
    TRY(sample_put_word(words, c->index, error));
    TRY(sample_put_word(words, c->horizon, error));
    TRY(sample_put_word(words, c->episodes, error));
    TRY(sample_put_word(words, c->wins, error));
    TRY(sample_put_word(words, c->longer, error));
    TRY(sample_put_word(words, c->changed, error));
    TRY(sample_put_list(words, &c->policy.choice, error));
    TRY(sample_put_list(words, &c->goal, error));
    return sample_put_list(words, &c->ends, error);
}

/* ---- reading ---- */

static opac_status refuse(opac_error *error, const char *why)
{
    return base_fail(error, OPAC_ERROR_ARGUMENT, "%s", why);
}

opac_status sample_get_word(sample_reader *r, uint64_t most, uint64_t *word, opac_error *error)
{
    if (r->at == r->count || r->words[r->at] > most)
        return refuse(error, "a number of the policy is missing or too large");
    *word = r->words[r->at++];
    return OPAC_OK;
}

opac_status sample_get_words(sample_reader *r, void *data, size_t count, opac_error *error)
{
    if (r->count - r->at < count)
        return refuse(error, "the round is missing");
    memcpy(data, r->words + r->at, count * sizeof *r->words);
    r->at += count;
    return OPAC_OK;
}

opac_status sample_check_choice(const sample_reader *r, size_t product_state, uint64_t choice,
                                opac_error *error)
{
    const sample_product_state *p = &r->run->stats.product_states.items[product_state];
    if (choice < p->choice || choice - p->choice >= p->choices)
        return refuse(error, "a choice of a policy is not one of its product state");
    return OPAC_OK;
}

opac_status sample_get_policy(sample_reader *r, sample_positional *policy, opac_error *error)
{
    uint64_t count = 0, choice = 0;
    TRY(sample_get_word(r, r->run->stats.product_states.count, &count, error));
    TRY(base_u32_vec_reserve(&policy->choice, (size_t)count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(sample_get_word(r, SAMPLE_NONE, &choice, error));
        TRY(sample_check_choice(r, i, choice, error));
        policy->choice.items[policy->choice.count++] = (uint32_t)choice;
    }
    return OPAC_OK;
}

/* Product states for which the candidate was fixed, ascending. */
static opac_status get_product_states(sample_reader *r, uint64_t known, base_u32_vec *list,
                                      opac_error *error)
{
    uint64_t count = 0, next = 0;
    TRY(sample_get_word(r, known, &count, error));
    TRY(base_u32_vec_reserve(list, (size_t)count, error));
    for (size_t i = 0; i < count; i++) {
        TRY(sample_get_word(r, known - 1, &next, error));
        if (i > 0 && next <= list->items[i - 1])
            return refuse(error, "the product states of a candidate do not ascend");
        list->items[list->count++] = (uint32_t)next;
    }
    return OPAC_OK;
}

opac_status sample_get_candidate(sample_reader *r, uint64_t tried, uint64_t longest,
                                 sample_candidate *c, opac_error *error)
{
    TRY(sample_get_word(r, tried, &c->index, error));
    TRY(sample_get_word(r, c->index > 0 ? longest : 0, &c->horizon, error));
    if (c->index > 0 && c->horizon == 0)
        return refuse(error, "the length of a candidate's episodes is not a possible one");
    TRY(sample_get_word(r, c->index > 0 ? r->run->episodes : 0, &c->episodes, error));
    TRY(sample_get_word(r, c->episodes, &c->wins, error));
    TRY(sample_get_word(r, c->episodes, &c->longer, error));
    TRY(sample_get_word(r, c->longer, &c->changed, error));
    TRY(sample_get_policy(r, &c->policy, error));
    TRY(get_product_states(r, c->policy.choice.count, &c->goal, error));
    return get_product_states(r, c->policy.choice.count, &c->ends, error);
}
