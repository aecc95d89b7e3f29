/* SPDX-License-Identifier: MIT */
/*
 * Words of a checkpoint: what strategies write there, and a reader that validates what it reads. A list is preceded
 * by its length.
 */
#ifndef SAMPLE_WORDS_H
#define SAMPLE_WORDS_H

#include "sample/candidate.h"
#include "sample/run.h"

opac_status sample_put_word(base_u64_vec *words, uint64_t word, opac_error *error);
/* `count` words of a struct that consists of words. */
opac_status sample_put_words(base_u64_vec *words, const void *data, size_t count,
                             opac_error *error);
opac_status sample_put_list(base_u64_vec *words, const base_u32_vec *list, opac_error *error);
/* Six numbers, a policy and two lists. */
opac_status sample_put_candidate(base_u64_vec *words, const sample_candidate *c, opac_error *error);

typedef struct sample_reader {
    const uint64_t *words;
    size_t count, at;
    sample_run *run;
} sample_reader;

opac_status sample_get_word(sample_reader *r, uint64_t most, uint64_t *word, opac_error *error);
opac_status sample_get_words(sample_reader *r, void *data, size_t count, opac_error *error);
/* Whether a word is a choice of a product state. */
opac_status sample_check_choice(const sample_reader *r, size_t product_state, uint64_t choice,
                                opac_error *error);
opac_status sample_get_policy(sample_reader *r, sample_positional *policy, opac_error *error);
/* tried: the number of candidates so far; longest: of the episodes of a trial. */
opac_status sample_get_candidate(sample_reader *r, uint64_t tried, uint64_t longest,
                                 sample_candidate *c, opac_error *error);

#endif
