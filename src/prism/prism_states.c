/* SPDX-License-Identifier: MIT */
/* Looks rows up in bulk, in three passes: hash and prefetch slots, prefetch rows, compare. */
#include "prism/prism_states.h"

#include <string.h>

#include "base/hash.h"

#if defined(__GNUC__) || defined(__clang__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

enum {
    /*
     * Rows looked up at once: more than the outstanding cache misses of a core, few enough for the L1 cache.
     */
    CHUNK_ROWS = 512
};

void prism_states_fini(prism_states *states)
{
    base_slots_fini(&states->slots);
    base_u64_vec_fini(&states->rows);
    states->count = 0;
}

/* A bijection for rows of one word; each further word is mixed into the hash of those before. */
static inline uint64_t hash_row(const uint64_t *row, uint32_t words)
{
    uint64_t hash = words == 0 ? 0 : base_hash_word(row[0]);
    for (uint32_t i = 1; i < words; i++)
        hash = base_hash_word((hash + i) ^ row[i]) + hash * 3;
    return words > 1 ? base_hash_word(hash) : hash;
}

static inline bool same_row(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* Reserves memory for `more` states; after that, only the limit can be exceeded. */
static opac_status reserve_states(prism_states *states, size_t more, opac_error *error)
{
    size_t count = (size_t)states->count + more;
    TRY(base_slots_grow(&states->slots, count, error));
    /* One more word, so that rows.items is not NULL if there are no variables. */
    return base_u64_vec_reserve(&states->rows, count * states->words + 1, error);
}

/* The slot of the row, or the empty slot to insert it. */
static inline uint64_t find_slot(const prism_states *states, const uint64_t *row, uint32_t words,
                                 uint64_t hash)
{
    const base_slots *slots = &states->slots;
    uint64_t at = base_slots_first(slots, hash);
    while (!base_slots_is_empty(slots, at)) {
        if (base_slots_may_hold(slots, at, hash) &&
            same_row(states->rows.items + base_slots_position(slots, at) * words, row, words))
            break;
        at = base_slots_next(slots, at);
    }
    return at;
}

static inline opac_status intern_rows(prism_states *states, const uint64_t *rows, size_t count,
                                      uint32_t words, uint64_t *hashes, uint32_t *numbers)
{
    base_slots *slots = &states->slots;
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash_row(rows + i * words, words);
        PREFETCH(&slots->slots[base_slots_first(slots, hashes[i])]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t at = base_slots_first(slots, hashes[i]);
        if (base_slots_may_hold(slots, at, hashes[i]) && !base_slots_is_empty(slots, at))
            PREFETCH(&states->rows.items[base_slots_position(slots, at) * words]);
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t *row = rows + i * words;
        uint64_t at = find_slot(states, row, words, hashes[i]);
        if (base_slots_is_empty(slots, at)) {
            if (states->count == states->limit)
                return OPAC_ERROR_LIMIT;
            for (uint32_t w = 0; w < words; w++)
                states->rows.items[(size_t)states->count * words + w] = row[w];
            base_slots_fill(slots, at, hashes[i], states->count++);
        }
        numbers[i] = (uint32_t)base_slots_position(slots, at);
    }
    return OPAC_OK;
}

static opac_status intern_chunk(prism_states *states, const uint64_t *rows, size_t count,
                                uint64_t *hashes, uint32_t *numbers, opac_error *error)
{
    opac_status status;
    TRY(reserve_states(states, count, error));
    switch (states->words) { /* with a constant number of words, the compiler unrolls the loops */
    case 1:
        status = intern_rows(states, rows, count, 1, hashes, numbers);
        break;
    case 2:
        status = intern_rows(states, rows, count, 2, hashes, numbers);
        break;
    default:
        status = intern_rows(states, rows, count, states->words, hashes, numbers);
        break;
    }
    states->rows.count = (size_t)states->count * states->words;
    if (status == OPAC_ERROR_LIMIT)
        return base_fail_limit(error, "max_states", states->limit,
                               "the model has more than %u states", (unsigned)states->limit);
    return status;
}

opac_status prism_states_intern_all(prism_states *states, const uint64_t *rows, size_t count,
                                    uint32_t *numbers, opac_error *error)
{
    static const uint64_t empty[1];
    uint64_t hashes[CHUNK_ROWS];
    rows = states->words > 0 ? rows : empty;
    for (size_t done = 0; done < count; done += CHUNK_ROWS) {
        size_t some = count - done < CHUNK_ROWS ? count - done : CHUNK_ROWS;
        TRY(intern_chunk(states, rows + done * states->words, some, hashes, numbers + done, error));
    }
    return OPAC_OK;
}
