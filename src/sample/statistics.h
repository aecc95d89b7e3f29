/* SPDX-License-Identifier: MIT */
/*
 * What a learner has seen: states as they come, what actions led to, and the
 * product with an automaton, pair by pair.
 *
 *     state    a key that was seen; its letter, its actions
 *     row      an action in a state: where it led to, by branch (also of visits that do not count)
 *     pair     a state of the product: (state, memory); also START, the place before the reset when
 *              that is random or the automaton has several initial states, and REJECT, where a
 *              run goes that the automaton has no move for
 *     choice   of a pair: an action and a move of the automaton, or a free one
 *     counter  observations of a row, k at most: one a row, of the same number
 *              (`--counts model`), or one a choice (`--counts product`); the reset has
 *              one in either case, number 0
 *
 *     pair ──► choices ──► counter ──► row ──► branches ──► states
 *
 * A choice is known when its counter has k observations (or is complete, by
 * sample_statistics_complete), and it was said so by sample_statistics_refresh: within an episode, and so between two policies,
 * what is known does not change. Free choices (epsilon moves, the loop of a state
 * without actions, that of the universal sink, the way to REJECT; and, if rows become complete, actions
 * with which the universal sink is certain) take no step of
 * the environment and are always known; they count as a transition.
 *
 * Invariant: a known choice's successors have all been met as pairs
 * (sample_statistics_refresh sees to it).
 *
 * One thread at a time.
 */
#ifndef SAMPLE_STATISTICS_H
#define SAMPLE_STATISTICS_H

#include <omegapac/learning.h>

#include "base/intern.h"
#include "base/vec.h"
#include "env/walk.h"
#include "product/state_index.h"

#define SAMPLE_NONE UINT32_MAX
#define SAMPLE_NEVER_FULL                                                                          \
    UINT64_MAX /* a k: counters become known by sample_statistics_complete alone */

typedef struct sample_state {
    uint64_t letter;
    uint32_t class;   /* of the letter (product/move_table.h) */
    uint32_t actions; /* as observed; 0: absorbing */
    uint32_t row;     /* that of action 0; the others follow */
    uint32_t
        product_state; /* the last one met with this state, the others by `next`; SAMPLE_NONE */
} sample_state;
BASE_VEC(sample_state_vec, sample_state);

/* Branches of a row lie in `targets`, from `begin`; their number may grow, and the row then moves. */
typedef struct sample_row {
    uint32_t state, action; /* of the row of the reset, state is SAMPLE_NONE */
    uint32_t begin, width, capacity;
    uint32_t seen;    /* branches whose target is known: distinct successors */
    uint32_t env_row; /* in a tabulated environment, SAMPLE_NONE until somebody needed it; then
                         branches are numbered as there, and a target may be SAMPLE_NONE: not seen */
} sample_row;
BASE_VEC(sample_row_vec, sample_row);

typedef struct sample_counter {
    uint64_t count; /* at most k */
    uint32_t row;
    uint32_t begin, capacity; /* in `observed`: by branch of the row; beyond capacity: 0 */
    uint32_t order, ordered;  /* in `order`, of a known one: sample_statistics_order */
    bool known;
    bool complete; /* its order was given by sample_statistics_complete, and stays */
} sample_counter;
BASE_VEC(sample_counter_vec, sample_counter);

typedef struct sample_product_state {
    uint32_t state,
        memory; /* SAMPLE_NONE both: START, REJECT; only the state: the universal sink */
    uint32_t choice, choices;
    uint32_t next; /* another pair of the same state; SAMPLE_NONE */
} sample_product_state;
BASE_VEC(sample_product_state_vec, sample_product_state);

typedef struct sample_choice {
    uint64_t marks;
    uint32_t counter; /* SAMPLE_NONE: free */
    uint32_t action;  /* SAMPLE_NONE: the reset, or there is none */
    uint32_t memory;  /* afterwards */
    uint32_t target;  /* of a free one: the pair; else SAMPLE_NONE */
    uint32_t link;    /* in `links`, by branch: the pair that it leads to, ENV_UNSEEN when not met;
                         SAMPLE_NONE: not laid out yet (sample_statistics_make_links) */
    uint32_t width;   /* of its links */
} sample_choice;
BASE_VEC(sample_choice_vec, sample_choice);

/*
 * When a successor of a random reset was first drawn; times are numbers of draws of the reset.
 * Successors that one batch showed for the first time, in an order that is not known, have the same
 * `before` and `from`.
 */
typedef struct sample_discovery {
    uint64_t before; /* none of the first so many draws showed it */
    uint64_t from;   /* the draw that did, or the last one of its batch */
    uint64_t hits;   /* draws that showed it, up to and with `from` */
    uint32_t branch;
} sample_discovery;
BASE_VEC(sample_discovery_vec, sample_discovery);

/* Bounds that somebody declared; 0: none. */
typedef struct sample_limits {
    uint64_t states, actions, branching;
} sample_limits;

typedef struct sample_statistics {
    opac_environment *env;           /* borrowed; bound to the automaton's propositions */
    const opac_automaton *automaton; /* borrowed */
    bool count_pairs;                /* counters of choices, not of rows */
    uint64_t k;
    sample_limits limits;
    sample_limits most; /* the largest seen: states, actions of a state, successors of a row */
    uint64_t always;    /* marks on every choice (product/rabin_pairs.h) */
    base_intern keys;
    sample_state_vec states;
    sample_row_vec rows;
    base_u32_vec targets;
    sample_counter_vec counters;
    base_u64_vec observed;
    base_u32_vec order;
    product_move_table *move_table;
    product_index *index;
    sample_product_state_vec product_states; /* numbered as in this vector, not as in the space */
    base_u32_vec product_state_of;           /* by number in the space: the pair; SAMPLE_NONE */
    sample_choice_vec choices;
    base_u32_vec links;
    uint32_t start;     /* the pair where episodes begin; SAMPLE_NONE before the first reset */
    uint32_t initial;   /* the state that reset gives; SAMPLE_NONE: random, or not seen yet */
    uint32_t reject;    /* SAMPLE_NONE: not met */
    uint32_t sink;      /* the pair of all universal memories; likewise */
    uint32_t reset_row; /* of a random reset; else SAMPLE_NONE */
    uint64_t known;     /* counters that are */
    bool is_tabulated;  /* the environment: rows are numbered as there from their first branch on */
    uint32_t closed;    /* pairs before this one were looked at by the last refresh */
    base_u32_vec full;  /* counters that became full since the last refresh */
    bool
        known_when_complete; /* counters become known by sample_statistics_complete alone (support.h), */
    bool
        tracks_discoveries; /* but for that of the reset, which is known by what it has shown so far */
    sample_discovery_vec discoveries; /* then: of the reset, in the order of time */
    uint32_t start_places;            /* for its order, in `order` */
} sample_statistics;

typedef struct sample_statistics_options {
    uint64_t k;
    bool count_pairs;
    sample_limits limits;
    uint64_t always;
} sample_statistics_options;

/* Binds the environment to the automaton's propositions. Both are borrowed. */
opac_status sample_statistics_init(sample_statistics *stats, opac_environment *env,
                                   const opac_automaton *automaton,
                                   const sample_statistics_options *options, opac_error *error);
/* One of the same automaton and options that has met nothing, for what another thread meets: it has no
 * reset, and its environment, that of the other one, is not asked. */
opac_status sample_statistics_init_empty_copy(sample_statistics *stats,
                                              const sample_statistics *other, opac_error *error);
void sample_statistics_fini(sample_statistics *stats);

/* ---- what is seen ---- */

/*
 * The number of an observed state, a new one at first sight. One that was seen
 * with another letter or other actions is OPAC_ERROR_SIMULATOR; both are told.
 */
opac_status sample_statistics_add_state(sample_statistics *stats,
                                        const opac_observation *observation, uint32_t *state,
                                        opac_error *error);
/* A state as it was observed; its key is copied into the room, where it is aligned. */
opac_status sample_statistics_get_observation(const sample_statistics *stats, uint32_t state,
                                              base_u64_vec *room, opac_observation *observation,
                                              opac_error *error);
/* A run begins in a state: stats->start is there afterwards. Another state than before, where the
 * reset is not random, is OPAC_ERROR_SIMULATOR. */
opac_status sample_statistics_begin_episode(sample_statistics *stats, uint32_t state,
                                            opac_error *error);
/* The branch of a row that leads to a state, a new one at first sight. */
opac_status sample_statistics_branch(sample_statistics *stats, uint32_t row, uint32_t state,
                                     uint32_t *branch, opac_error *error);
/* The row of an action. */
static inline uint32_t sample_statistics_row(const sample_statistics *stats, uint32_t state,
                                             uint32_t action)
{
    return stats->states.items[state].row + action;
}

/* As if more had been seen: of a trial, whose states are not met here. */
void sample_statistics_raise_sizes(sample_statistics *stats, const sample_limits *seen);
/* Whether a declared bound has turned out wrong: "states", "actions" or "branching"; else NULL. */
const char *sample_statistics_exceeded(const sample_statistics *stats);

/* ---- the product ---- */

opac_status sample_statistics_product_state(sample_statistics *stats, uint32_t state,
                                            uint32_t memory, uint32_t *product_state,
                                            opac_error *error);
/* The number of a pair that was met; else SAMPLE_NONE. */
uint32_t sample_statistics_find(const sample_statistics *stats, uint32_t state, uint32_t memory);
/* The pair that a sampled choice leads to when its row takes a branch; it is met, and linked if the
 * choice was laid out. The branch's target is known. */
opac_status sample_statistics_follow(sample_statistics *stats, uint32_t choice, uint32_t branch,
                                     uint32_t *product_state, opac_error *error);
/* Links for the walk of a tabulated environment (env/walk.h): choice.link and its row's env_row
 * are there afterwards. Links to pairs that were met are; no pair is met by
 * it, so that what was met does not depend on when choices are laid out. */
opac_status sample_statistics_make_links(sample_statistics *stats, uint32_t choice,
                                         opac_error *error);

static inline bool sample_choice_is_free(const sample_choice *choice)
{
    return choice->counter == SAMPLE_NONE;
}
static inline bool sample_statistics_is_known(const sample_statistics *stats, uint32_t choice)
{
    uint32_t counter = stats->choices.items[choice].counter;
    return counter == SAMPLE_NONE || stats->counters.items[counter].known;
}

/* Whether all actions of a state are known to lead back to it. Counters are of rows. */
bool sample_statistics_is_trap(const sample_statistics *stats, uint32_t state);

/* ---- counting ---- */

/* How many more observations a counter takes. */
static inline uint64_t sample_counter_remaining(const sample_statistics *stats, uint32_t counter)
{
    return stats->k - stats->counters.items[counter].count;
}
/* n observations of a branch, at most as many as there is room for. */
opac_status sample_statistics_observe(sample_statistics *stats, uint32_t counter, uint32_t branch,
                                      uint64_t n, opac_error *error);
/*
 * The branches that a known counter has observations of, in the order of their
 * targets' keys (bytes, then length): the same whatever branches are called.
 */
static inline const uint32_t *sample_statistics_order(const sample_statistics *stats,
                                                      uint32_t counter, uint32_t *count)
{
    const sample_counter *c = &stats->counters.items[counter];
    *count = c->ordered;
    return c->ordered > 0 ? stats->order.items + c->order : NULL;
}
/* Observations of a branch so far. */
uint64_t sample_statistics_observed(const sample_statistics *stats, uint32_t counter,
                                    uint32_t branch);
/*
 * Counters that are full become known, and their choices' successors are met as
 * pairs. *changed: those that became known are appended to it (may be NULL).
 */
opac_status sample_statistics_refresh(sample_statistics *stats, base_u32_vec *changed,
                                      opac_error *error);
/*
 * A counter that is not known becomes so with the next refresh, whatever its count is: its support
 * is complete. sample_statistics_order is then of these branches (distinct, with a target, in any
 * order), and stays so when others are observed.
 */
opac_status sample_statistics_complete(sample_statistics *stats, uint32_t counter,
                                       const uint32_t *branches, uint32_t count, opac_error *error);
/*
 * The branches of the reset's counter that were discovered first, `count` many, become its order,
 * and it is known, though not complete. What they lead to is met.
 */
opac_status sample_statistics_list_starts(sample_statistics *stats, size_t count,
                                          opac_error *error);
/* The discoveries from number `first` on were made by one batch of draws, the first of which came
 * after `before` others, and which has just ended. */
void sample_statistics_merge_discoveries(sample_statistics *stats, size_t first, uint64_t before);
/*
 * Another k, at least as large (for -T auto), or the same: counters that have as many
 * are known, others are not, until the next refresh; those that are complete stay what they are.
 * Also for whoever has filled counters by hand.
 */
opac_status sample_statistics_set_k(sample_statistics *stats, uint64_t k, opac_error *error);

/* Why what was assumed cannot be; opac_refutation in the public header. */
typedef struct sample_refutation {
    opac_refutation kind;
    uint32_t row;           /* SAMPLE_NONE: none */
    uint32_t state;         /* the successor; SAMPLE_NONE: it is of the row as a whole */
    uint64_t count, visits; /* of the successor, of the row; too many of them: how many there are */
} sample_refutation;

#endif
