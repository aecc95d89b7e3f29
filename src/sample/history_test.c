/* SPDX-License-Identifier: MIT */
/*
 * See history_test.h. Each draw of a row is predicted by a distribution
 *
 *     Q(x) = (n_x + π(x)) / (n + 1)      n, n_x: draws after this history, and those of them to x
 *     π(x) = (h_x + 1/2) / S             h, h_x: draws of the row, and those of them to x
 *     π(new) = (w + 1/2) / S             all successors that were not seen before; w of them so far
 *     S = h + w + m/2 + 1/2              m: number of successors seen
 *
 * Claim: if draws are independent, the probability that the computed product ever exceeds 1/α is at most α.
 * Q is fixed before the draw and sums to at most 1, so Π Q(x) / p(x) is a nonnegative supermartingale that
 * begins with 1, and Ville's inequality applies. The p are unknown, but Π p(x) is at most Π (h_x / h)^h_x
 * over a row's draws to known successors (maximum likelihood), and at most 1 over those to new ones. With
 * these in place of Π p(x) the product is not larger (universal inference: Wasserman, Ramdas, Balakrishnan
 * 2020).
 *
 * The tables are bounded. A lost entry makes n_x smaller, and so Q not larger. A history that was lost gets
 * another id when it is added again, so counts of its former successors are not used with the new n.
 */
#include "sample/history_test.h"

#include <math.h>

#include "base/alloc.h"
#include "base/hash.h"

enum {
    HISTORIES = 1 << 16,
    SUCCESSORS = 1 << 17,
    MOST_ROWS = 1 << 16,
    MOST_SUCCESSORS = 1 << 17, /* of all rows */
    LIFE = 15                  /* so many requests by other entries for its slot replace an entry */
};

struct sample_history {
    uint64_t history, id;
    double draws; /* n */
    uint32_t life;
};

struct sample_history_successor {
    uint64_t name;
    uint32_t draws; /* n_x */
    uint32_t life;
};

opac_status sample_history_test_init(sample_history_test *h, opac_error *error)
{
    *h = (sample_history_test){.histories = base_alloc_zeroed(HISTORIES, sizeof *h->histories),
                               .successors = base_alloc_zeroed(SUCCESSORS, sizeof *h->successors)};
    if (h->histories != NULL && h->successors != NULL)
        return OPAC_OK;
    sample_history_test_fini(h);
    return base_fail_memory(error);
}

void sample_history_test_fini(sample_history_test *h)
{
    base_free(h->histories);
    base_free(h->successors);
    base_map_fini(&h->row_of);
    base_map_fini(&h->draws);
    sample_history_row_vec_fini(&h->rows);
    *h = (sample_history_test){0};
}

/* ---- tables ---- */

static uint64_t hash_successor(uint64_t number, uint64_t successor)
{
    return base_hash_word(base_hash_word(number + 1) + successor);
}

/* Whether an entry keeps its slot when another one requests it. */
static bool keeps_slot(uint32_t *life)
{
    return *life > 0 && --*life > 0;
}

/* The entry of a history, which is added if it is new; NULL if its slot is taken by another one. */
static sample_history *find_history(sample_history_test *h, uint64_t history)
{
    sample_history *entry = &h->histories[history % HISTORIES];
    if (entry->life > 0 && entry->history == history) {
        entry->life = LIFE;
        return entry;
    }
    if (keeps_slot(&entry->life))
        return NULL;
    *entry = (sample_history){.history = history, .id = h->next_id++, .life = LIFE};
    return entry;
}

static sample_history_successor *find_successor(sample_history_test *h, uint64_t id,
                                                uint64_t successor)
{
    uint64_t name = hash_successor(id, successor);
    sample_history_successor *counts = &h->successors[name % SUCCESSORS];
    return counts->life > 0 && counts->name == name ? counts : NULL;
}

static void count_successor(sample_history_test *h, uint64_t id, uint64_t successor)
{
    uint64_t name = hash_successor(id, successor);
    sample_history_successor *counts = &h->successors[name % SUCCESSORS];
    bool is_own = counts->life > 0 && counts->name == name;
    if (!is_own && keeps_slot(&counts->life))
        return;
    if (!is_own)
        *counts = (sample_history_successor){.name = name};
    counts->life = LIFE;
    counts->draws += counts->draws < UINT32_MAX;
}

/* ---- rows ---- */

static opac_status add_successor(sample_history_test *h, uint64_t number, uint64_t successor,
                                 opac_error *error)
{
    uint64_t *draws;
    TRY(base_map_at(&h->draws, hash_successor(number, successor), &draws, error));
    if (*draws == 0) {
        *draws = 1;
        h->rows.items[number - 1].widths++;
    }
    return OPAC_OK;
}

opac_status sample_history_test_add_row(sample_history_test *h, uint64_t row, uint64_t first,
                                        uint64_t second, opac_error *error)
{
    uint64_t *number;
    if (h->rows.count >= MOST_ROWS || h->draws.count + 2 > MOST_SUCCESSORS)
        return OPAC_OK;
    TRY(sample_history_row_vec_push(&h->rows, (sample_history_row){0}, error));
    TRY(base_map_at(&h->row_of, row, &number, error));
    uint64_t made = *number = h->rows.count;
    TRY(add_successor(h, made, first, error));
    return add_successor(h, made, second, error);
}

/* ---- draws ---- */

/* (n + 1) log (n + 1) - n log n */
static double growth(double n)
{
    return n > 0 ? log(n + 1) + n * log1p(1 / n) : 0;
}

static double mix(double seen, double draws, double prior)
{
    return (seen + prior) / (draws + 1);
}

opac_status sample_history_test_observe(sample_history_test *h, uint64_t row, uint64_t history,
                                        uint64_t successor, opac_error *error)
{
    const uint64_t *number = base_map_find(&h->row_of, row);
    /* Whether a draw is used must be decided before its successor is known: so a new one must fit. */
    if (number == NULL || h->draws.count >= MOST_SUCCESSORS)
        return OPAC_OK;
    sample_history_row *r = &h->rows.items[*number - 1];
    sample_history *entry = find_history(h, history);
    uint64_t *draws = base_map_find(&h->draws, hash_successor(*number, successor));
    double sum = r->draws + r->news + r->widths / 2 + 0.5, n = entry != NULL ? entry->draws : 0;
    h->bets++;
    if (entry != NULL)
        entry->draws++;
    const sample_history_successor *counts =
        entry != NULL && draws != NULL ? find_successor(h, entry->id, successor) : NULL;
    double seen = counts != NULL ? counts->draws : 0;
    if (entry != NULL)
        count_successor(h, entry->id, successor);
    if (draws == NULL) {
        h->log_odds += log(mix(0, n, (r->news + 0.5) / sum));
        r->news++;
        return add_successor(h, *number, successor, error);
    }
    double to = (double)(*draws - 1);
    h->log_odds += log(mix(seen, n, (to + 0.5) / sum)) + growth(r->draws) - growth(to);
    r->draws++;
    ++*draws;
    return OPAC_OK;
}
