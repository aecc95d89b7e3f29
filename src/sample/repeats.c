/* SPDX-License-Identifier: MIT */
/*
 * Test martingales for repeated episodes: see repeats.h.
 *
 * A bettor predicts the successors of some draws from everything that happened before. If the draws of a row
 * are independent with probabilities p, then
 *
 *     Π_hits θ / p(row, successor)  ·  Π_misses (1 − θ) / (1 − p(row, predicted))
 *
 * with any θ that is chosen before the draw is a martingale with mean 1. p is unknown. Replacing 1 − p by 1,
 * and Π_hits p by its maximum Π (h_y / h)^h_y, where h_y is the number of hits of successor y in a row and h
 * their sum, does not increase the product. So by Ville's inequality it ever exceeds 1/α with probability at
 * most α. θ is the share of hits so far (Krichevsky and Trofimov), separately for each number of right
 * predictions in succession.
 *
 * If predictions are useless the product decreases. Once it is small, the bettor starts again, with product 1
 * and without hits; the k-th start has the level α / (k (k + 1)), and these sum to α.
 *
 * Only rows with several successors are predicted, since hits in other rows prove nothing. There are three
 * predictions:
 *
 *     history   after the same beginning of an episode: the same successor as last time
 *     reset     the state in which the previous episode ended
 *     pattern   after the same four draws of the row: the same successor as last time. This detects seeds
 *               that are used in turn, even if an episode has only one random step.
 *
 * A fourth martingale uses no prediction: history_test.c. Each of the four has a quarter of the level.
 *
 * If successors may depend on what is not in their states, only resets are rows. In place of the other three, whole
 * episodes are predicted: a policy is a row, whose draws are the digests of what its episodes observed. If episodes
 * are independent and have the same distribution, this is valid whatever the system remembers during an episode. The
 * prediction is that the episode equals the last one with the same policy
 *
 *     with a seed that is equal modulo one of `moduli`; modulo 1 it is the episode before
 *     after the same two episodes
 *
 * With modulus M it detects seeds that are used modulo a divisor of M; the first one also detects lanes that copy
 * each other.
 */
#include "sample/repeats.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "sample/history_test.h"

enum {
    SLOTS = 1 << 16,     /* number of histories kept */
    MOST_ROWS = 1 << 16, /* number of rows predicted */
    MOST_EDGES = 1 << 17,
    BUCKETS = 12, /* by the number of right predictions in succession */
    LIFE = 15, /* an entry is replaced after this many requests for its slot by other histories */
    TESTS = 4,
    MODULI = 8,
    EPISODE_TESTS = MODULI + 1,
    RECENT_BITS = 16, /* for each of the last four draws of a row */
    DENSE = 1 << 18,  /* after this many draws, only one episode of SPARSE is tested */
    SPARSE = 16
};
static const uint64_t moduli[MODULI] = {1, 16, 60, 128, 1000, 1024, 2520, 65536};
static const double ruin = -12; /* logarithm of the product below which the bettor starts again */
static const double most_count = 4294967295.0;

/* The successor that followed a history. */
typedef struct slot {
    uint64_t history, successor;
    uint32_t life; /* 0: empty */
} slot;

typedef struct bettor {
    double level;    /* α */
    double log_odds; /* logarithm of the product */
    uint64_t round;  /* k, from 1 */
    uint64_t hits[BUCKETS], misses[BUCKETS];
    uint64_t all_hits, all_bets; /* in this round */
    base_map rows, edges;        /* by row, and by successor of a row: round << 32 | hits */
} bettor;

struct sample_repeats {
    slot *slots;     /* by history */
    slot *patterns;  /* by row and its last four draws */
    base_map first;  /* by row: twice its first successor, plus 2, plus 1 if there is another one */
    base_map recent; /* by row: its last four draws, RECENT_BITS of each */
    bettor history, reset, pattern;
    /* Successors may depend on more than their states: resets and whole episodes are tested. */
    bool has_hidden_state;
    bettor episode_tests[EPISODE_TESTS]; /* by modulus; the last one by the two episodes before */
    unsigned episode_streaks[EPISODE_TESTS];
    base_map last_episodes; /* by policy: hashes of its last two episodes, 32 bits of each */
    sample_history_test histories;
    uint64_t path;           /* digest of the beginning of the episode */
    unsigned streak;         /* number of right predictions by history in succession */
    unsigned pattern_streak; /* number of right predictions by pattern in succession */
    uint64_t last;           /* the last successor */
    bool has_last;           /* there is one */
    bool is_at_reset;        /* the episode has no draws yet */
    uint64_t episodes;       /* number of episodes begun */
    uint64_t draws;          /* number of draws tested */
    bool
        is_skipped; /* the episode is not tested; decided when it begins, so that it affects no odds */
};

/* ---- construction ---- */

opac_status sample_repeats_new(double level, sample_repeats **repeats, opac_error *error)
{
    sample_repeats *made = base_alloc_zeroed(1, sizeof *made);
    *repeats = NULL;
    if (made == NULL)
        return base_fail_memory(error);
    made->slots = base_alloc_zeroed(SLOTS, sizeof *made->slots);
    made->patterns = base_alloc_zeroed(SLOTS, sizeof *made->patterns);
    opac_status status = made->slots == NULL || made->patterns == NULL
                             ? base_fail_memory(error)
                             : sample_history_test_init(&made->histories, error);
    if (status != OPAC_OK) {
        sample_repeats_free(made);
        return status;
    }
    made->history.level = made->reset.level = made->pattern.level = level / TESTS;
    made->history.round = made->reset.round = made->pattern.round = 1;
    for (int i = 0; i < EPISODE_TESTS; i++)
        made->episode_tests[i] =
            (bettor){.level = level / TESTS * (TESTS - 1) / EPISODE_TESTS, .round = 1};
    *repeats = made;
    return OPAC_OK;
}

static void bettor_fini(bettor *w)
{
    base_map_fini(&w->rows);
    base_map_fini(&w->edges);
}

void sample_repeats_free(sample_repeats *repeats)
{
    if (repeats == NULL)
        return;
    bettor_fini(&repeats->history);
    bettor_fini(&repeats->reset);
    bettor_fini(&repeats->pattern);
    for (int i = 0; i < EPISODE_TESTS; i++)
        bettor_fini(&repeats->episode_tests[i]);
    base_map_fini(&repeats->last_episodes);
    sample_history_test_fini(&repeats->histories);
    base_map_fini(&repeats->first);
    base_map_fini(&repeats->recent);
    base_free(repeats->slots);
    base_free(repeats->patterns);
    base_free(repeats);
}

/* ---- one bettor ---- */

static uint64_t edge_name(uint64_t row, uint64_t successor)
{
    return base_hash_word(base_hash_word(row + 1) + successor);
}

/* (n + 1) log (n + 1) - n log n */
static double growth(double n)
{
    return n > 0 ? log(n + 1) + n * log1p(1 / n) : 0;
}

/* Hits in this round. */
static double count_of(const bettor *w, uint64_t value)
{
    return value >> 32 == w->round ? (double)(value & UINT32_MAX) : 0;
}

static void count(const bettor *w, uint64_t *value)
{
    *value = w->round << 32 | ((uint64_t)count_of(w, *value) + 1);
}

/* Whether a prediction can be counted; decided before the draw. */
static bool can_count(const bettor *w, uint64_t row, uint64_t predicted)
{
    const uint64_t *hits = base_map_find(&w->rows, row);
    bool is_known = base_map_find(&w->edges, edge_name(row, predicted)) != NULL;
    return w->round < UINT32_MAX && (hits != NULL || w->rows.count < MOST_ROWS) &&
           (is_known || w->edges.count < MOST_EDGES) &&
           (hits == NULL || count_of(w, *hits) < most_count);
}

static opac_status count_hit(bettor *w, uint64_t row, uint64_t successor, opac_error *error)
{
    uint64_t *of_row, *of_edge;
    TRY(base_map_at(&w->rows, row, &of_row, error));
    TRY(base_map_at(&w->edges, edge_name(row, successor), &of_edge, error));
    w->log_odds += growth(count_of(w, *of_row)) - growth(count_of(w, *of_edge));
    count(w, of_row);
    count(w, of_edge);
    return OPAC_OK;
}

static void restart(bettor *w)
{
    w->round++;
    w->log_odds = 0;
    w->all_hits = w->all_bets = 0;
}

/* Whether the product exceeds 1/α of the current round. */
static bool is_refuted(const bettor *w)
{
    double k = (double)w->round;
    return w->log_odds > log(k * (k + 1) / w->level);
}

/* Updates the product by a prediction and the actual successor. */
static opac_status bet(bettor *w, unsigned bucket, uint64_t row, uint64_t predicted,
                       uint64_t successor, opac_error *error)
{
    opac_status status = OPAC_OK;
    bool is_hit = predicted == successor;
    uint64_t *counts = is_hit ? w->hits : w->misses;
    double all = (double)w->hits[bucket] + (double)w->misses[bucket] + 1;
    w->log_odds += log(((double)counts[bucket] + 0.5) / all);
    counts[bucket]++;
    w->all_bets++;
    w->all_hits += is_hit;
    if (is_hit)
        status = count_hit(w, row, successor, error);
    if (w->log_odds < ruin)
        restart(w);
    return status;
}

/* ---- before a draw ---- */

/* Records the successor. *varies: whether several successors of the row were seen before this draw. */
static opac_status record_successor(sample_repeats *r, uint64_t row, uint64_t successor,
                                    bool *varies, opac_error *error)
{
    uint64_t *first = base_map_find(&r->first, row);
    *varies = first != NULL && *first % 2 == 1;
    if (first == NULL && r->first.count >= MOST_ROWS)
        return OPAC_OK;
    if (first == NULL)
        TRY(base_map_at(&r->first, row, &first, error));
    if (*first == 0)
        *first = 2 * successor + 2;
    else if (!*varies && *first != 2 * successor + 2) {
        uint64_t before = *first / 2 - 1;
        *first += 1;
        TRY(sample_history_test_add_row(&r->histories, row, before, successor, error));
    }
    return OPAC_OK;
}

static void remember(slot *s, uint64_t history, uint64_t successor)
{
    if (s->life > 0 && s->history != history && --s->life > 0)
        return;
    *s = (slot){history, successor, LIFE};
}

/* ---- draws ---- */

void sample_repeats_allow_hidden_state(sample_repeats *r)
{
    r->has_hidden_state = true;
}

void sample_repeats_begin(sample_repeats *r)
{
    r->path = 0;
    r->streak = 0;
    r->is_at_reset = true;
    r->episodes++;
    r->is_skipped = r->draws > DENSE && r->episodes % SPARSE != 0;
}

static opac_status fail_history(const sample_repeats *r, opac_error *error)
{
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "the simulator's episodes are not independent: of %llu random steps after the same "
        "beginning as in an earlier episode, %llu had the same successor as there (%llu episodes), "
        "more than the frequencies of the successors allow; the simulator has too few seeds, "
        "repeats random numbers, or its successors depend on something that is not in its states",
        (unsigned long long)r->history.all_bets, (unsigned long long)r->history.all_hits,
        (unsigned long long)r->episodes);
}

static opac_status fail_histories(const sample_repeats *r, opac_error *error)
{
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "the simulator's episodes are not independent: in %llu random steps of %llu episodes, the "
        "frequencies of successors differed after different beginnings of an episode more than "
        "chance allows; the simulator has too few seeds, repeats random numbers, or its successors "
        "depend on something that is not in its states",
        (unsigned long long)r->histories.bets, (unsigned long long)r->episodes);
}

static opac_status fail_reset(const sample_repeats *r, opac_error *error)
{
    return base_fail(error, OPAC_ERROR_SIMULATOR,
                     "the simulator's episodes are not independent: %llu of %llu resets led to the "
                     "state in which the previous episode had ended, more than the frequencies of "
                     "initial states allow; the simulator ignores resets, or keeps some state",
                     (unsigned long long)r->reset.all_hits, (unsigned long long)r->reset.all_bets);
}

static opac_status fail_pattern(const sample_repeats *r, opac_error *error)
{
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "the simulator's episodes are not independent: of %llu random steps of a state and action, "
        "%llu had the same successor as after the same four earlier steps (%llu episodes), more "
        "than the frequencies of the successors allow; the simulator uses a few seeds in turn, or "
        "repeats random numbers",
        (unsigned long long)r->pattern.all_bets, (unsigned long long)r->pattern.all_hits,
        (unsigned long long)r->episodes);
}

/* Bets on the successor that followed the same past last time, if it is known. Counts right predictions. */
static opac_status predict(bettor *w, const slot *s, uint64_t past, unsigned *streak, uint64_t row,
                           uint64_t successor, opac_error *error)
{
    if (s->life == 0 || s->history != past || !can_count(w, row, s->successor))
        return OPAC_OK;
    unsigned bucket = *streak < BUCKETS ? *streak : BUCKETS - 1;
    *streak = s->successor == successor ? *streak + 1 : 0;
    return bet(w, bucket, row, s->successor, successor, error);
}

/* Bets on the successor after the same four draws of the row, over all episodes. */
static opac_status bet_on_pattern(sample_repeats *r, uint64_t row, uint64_t successor, bool varies,
                                  opac_error *error)
{
    uint64_t *recent = base_map_find(&r->recent, row);
    if (!varies || (recent == NULL && r->recent.count >= MOST_ROWS))
        return OPAC_OK;
    if (recent == NULL)
        TRY(base_map_at(&r->recent, row, &recent, error));
    uint64_t name = base_hash_word(*recent + base_hash_word(row + 1));
    slot *s = &r->patterns[name % SLOTS];
    TRY(predict(&r->pattern, s, name, &r->pattern_streak, row, successor, error));
    remember(s, name, successor);
    *recent = *recent << RECENT_BITS | (base_hash_word(successor) & ((1U << RECENT_BITS) - 1));
    return OPAC_OK;
}

static opac_status bet_on_history(sample_repeats *r, uint64_t row, uint64_t successor, bool varies,
                                  opac_error *error)
{
    uint64_t history = base_hash_word(r->path + base_hash_word(row + 1));
    slot *s = &r->slots[history % SLOTS];
    if (varies) {
        TRY(predict(&r->history, s, history, &r->streak, row, successor, error));
        TRY(sample_history_test_observe(&r->histories, row, history, successor, error));
    }
    remember(s, history, successor);
    r->path = base_hash_word(history + successor);
    return OPAC_OK;
}

opac_status sample_repeats_observe(sample_repeats *r, uint64_t row, uint64_t successor,
                                   opac_error *error)
{
    bool varies;
    if (r->has_hidden_state)
        r->path = base_hash_word(base_hash_word(r->path + base_hash_word(row + 1)) + successor);
    if (r->is_skipped) {
        r->last = successor;
        return OPAC_OK;
    }
    r->draws++;
    TRY(record_successor(r, row, successor, &varies, error));
    if (row == SAMPLE_REPEATS_RESET && r->is_at_reset && r->has_last && varies &&
        can_count(&r->reset, row, r->last))
        TRY(bet(&r->reset, 0, row, r->last, successor, error));
    if (!r->has_hidden_state) {
        TRY(bet_on_pattern(r, row, successor, varies, error));
        TRY(bet_on_history(r, row, successor, varies, error));
    }
    r->is_at_reset = false;
    r->has_last = true;
    r->last = successor;
    if (is_refuted(&r->reset))
        return fail_reset(r, error);
    if (is_refuted(&r->history))
        return fail_history(r, error);
    if (is_refuted(&r->pattern))
        return fail_pattern(r, error);
    bool histories_differ = !r->has_hidden_state && r->histories.log_odds > -log(r->reset.level);
    return histories_differ ? fail_histories(r, error) : OPAC_OK;
}

/* ---- whole episodes ---- */

static opac_status fail_episodes(const sample_repeats *r, int test, opac_error *error)
{
    const bettor *w = &r->episode_tests[test];
    char which[80] = "with the same policy before it";
    if (test == MODULI)
        snprintf(which, sizeof which, "that followed the same two episodes");
    else if (moduli[test] > 1)
        snprintf(which, sizeof which, "whose seed is equal modulo %llu",
                 (unsigned long long)moduli[test]);
    return base_fail(
        error, OPAC_ERROR_SIMULATOR,
        "the simulator's episodes are not independent: of %llu episodes, %llu repeated the last "
        "one %s, more than the frequencies of these episodes allow; the simulator has too few "
        "seeds or repeats random numbers, or its lanes copy each other",
        (unsigned long long)w->all_bets, (unsigned long long)w->all_hits, which);
}

static opac_status bet_on_episode(sample_repeats *r, int test, uint64_t context, uint64_t row,
                                  uint64_t digest, bool varies, opac_error *error)
{
    bettor *w = &r->episode_tests[test];
    uint64_t past = base_hash_word(base_hash_word(base_hash_word(row) + (uint64_t)test) + context);
    /* Contexts without end do not replace the few others. */
    bool has_few = test < MODULI && moduli[test] < SLOTS;
    slot *s = &(has_few ? r->slots : r->patterns)[past % SLOTS];
    if (varies)
        TRY(predict(w, s, past, &r->episode_streaks[test], row, digest, error));
    remember(s, past, digest);
    return is_refuted(w) ? fail_episodes(r, test, error) : OPAC_OK;
}

opac_status sample_repeats_end(sample_repeats *r, uint64_t policy, uint64_t seed, opac_error *error)
{
    /* Different from the rows of draws, and the digest is as small as other successors. */
    uint64_t row = SAMPLE_REPEATS_RESET - 1 - policy, digest = r->path >> 2, *recent;
    bool varies;
    if (!r->has_hidden_state || policy == 0)
        return OPAC_OK;
    TRY(record_successor(r, row, digest, &varies, error));
    TRY(base_map_at(&r->last_episodes, policy, &recent, error));
    uint64_t before = *recent;
    *recent = before << 32 | (base_hash_word(digest) >> 32);
    for (int i = 0; i < MODULI; i++)
        TRY(bet_on_episode(r, i, seed % moduli[i], row, digest, varies, error));
    return bet_on_episode(r, MODULI, before, row, digest, varies, error);
}

double sample_repeats_evidence(const sample_repeats *r)
{
    double most = fmax(fmax(r->histories.log_odds, r->history.log_odds),
                       fmax(r->reset.log_odds, r->pattern.log_odds));
    for (int i = 0; i < EPISODE_TESTS; i++)
        most = fmax(most, r->episode_tests[i].log_odds);
    return most;
}
