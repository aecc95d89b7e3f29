/* SPDX-License-Identifier: MIT */
/*
 * The statistics of a learner: the states observed so far, the successors and counts of their actions, and
 * the product with an automaton, built on the fly.
 *
 *     state          an observed key, with its letter and number of actions
 *     row            a state and an action, or the random reset: its distinct successors, by branch, also of
 *                    visits that are not counted
 *     product state  (state, memory). Also START, the place before the reset if that is random or the
 *                    automaton has several initial states; REJECT, which a run enters if the automaton has no
 *                    move; and the sink of all universal memories
 *     choice         of a product state: an action with a move of the automaton, or a free choice
 *     counter        the observations of a row, at most k. Either one for each row, with its number (model
 *                    counts), or one for each choice (product counts, count_pairs). The reset has counter 0
 *
 *     product state ──► choices ──► counter ──► row ──► branches ──► states
 *
 * Known choices. A choice is known if its counter has k observations, or was declared complete
 * (sample_statistics_complete), at the last call of sample_statistics_refresh. So what is known does not
 * change during an episode, nor between two updates of the policy.
 *
 * With rows_are_open a row is known from its first observation on: its support is what was observed so far, and
 * grows at each refresh, until the row is declared complete. The draw at which each successor was first observed
 * is recorded.
 *
 * Free choices take no step of the environment: epsilon moves, the loops of states without actions, of REJECT
 * and of the sink, the move to REJECT, and, if rows become known by being complete, actions after which the
 * memory is universal whatever happens. They are always known and count as a step.
 *
 * Invariant: all successors of known choices exist as product states. sample_statistics_refresh adds them.
 *
 * Not thread-safe.
 */
#ifndef SAMPLE_STATISTICS_H
#define SAMPLE_STATISTICS_H

#include <omegapac/learning.h>

#include "base/intern.h"
#include "base/vec.h"
#include "env/walk.h"
#include "product/state_index.h"
#include "sample/classes.h"

#define SAMPLE_NONE UINT32_MAX
#define SAMPLE_NEVER_FULL                                                                          \
    UINT64_MAX /* a k: counters become known by sample_statistics_complete only */

typedef struct sample_state {
    uint64_t letter;
    uint32_t class;         /* of the letter (product/move_table.h) */
    uint32_t actions;       /* 0: absorbing */
    uint32_t row;           /* of action 0; the others follow */
    uint32_t product_state; /* the latest one with this state, others by `next`; SAMPLE_NONE */
} sample_state;
BASE_VEC(sample_state_vec, sample_state);

/* The branches of a row are stored in `targets`, from `begin`. A row that grows beyond its capacity moves. */
typedef struct sample_row {
    uint32_t state, action; /* of the row of the reset, state is SAMPLE_NONE */
    uint32_t begin, width, capacity;
    uint32_t seen; /* number of branches with a target: distinct successors */
    uint32_t
        env_row; /* the row in a tabulated environment, once needed; else SAMPLE_NONE. Branches are
                         then numbered as there, and unseen ones have the target SAMPLE_NONE */
} sample_row;
BASE_VEC(sample_row_vec, sample_row);

typedef struct sample_counter {
    uint64_t count; /* at most k */
    uint32_t row;
    uint32_t begin, capacity; /* in `observed`: counts by branch of the row; 0 beyond capacity */
    uint32_t order, ordered;  /* of a known counter, in `order`: sample_statistics_order */
    uint32_t places;          /* capacity of its order if that grows, else 0 */
    bool known;
    bool complete; /* its successors were fixed by sample_statistics_complete */
    bool grown;    /* with rows_are_open: it is in `full` */
    bool
        wanted; /* it is known, but takes turns as unknown ones do (sample_statistics_takes_turns) */
} sample_counter;
BASE_VEC(sample_counter_vec, sample_counter);

typedef struct sample_product_state {
    uint32_t state,
        memory; /* both are SAMPLE_NONE for START and REJECT; the state is for the sink */
    uint32_t choice, choices; /* the first one, and their number */
    uint32_t next;            /* another product state with the same state; SAMPLE_NONE */
} sample_product_state;
BASE_VEC(sample_product_state_vec, sample_product_state);

typedef struct sample_choice {
    uint64_t marks;
    uint32_t counter; /* SAMPLE_NONE for a free choice */
    uint32_t action;  /* SAMPLE_NONE for the reset and for free choices */
    uint32_t memory;  /* after the choice */
    uint32_t target;  /* of a free choice: the product state; else SAMPLE_NONE */
    uint32_t
        link; /* in `links`: the product states it leads to, by branch, ENV_UNSEEN if not added yet;
                         SAMPLE_NONE before sample_statistics_make_links */
    uint32_t width; /* number of its links */
} sample_choice;
BASE_VEC(sample_choice_vec, sample_choice);

/*
 * The first draw of a successor of a row. Times are numbers of draws of the row. Successors that were discovered
 * in the same batch of draws, whose order is unknown, have the same `before` and `from`.
 */
typedef struct sample_discovery {
    uint64_t before; /* so many draws came before the discovery, or before its batch */
    uint64_t from;   /* the number of the discovering draw, or of the last draw of its batch */
    uint64_t hits;   /* number of draws of this successor up to and including `from` */
} sample_discovery;

/* Declared bounds, or the largest numbers seen; 0 if not declared. */
typedef struct sample_limits {
    uint64_t states, actions, branching;
} sample_limits;

typedef struct sample_statistics {
    opac_environment *env;           /* borrowed; bound to the automaton's propositions */
    const opac_automaton *automaton; /* borrowed */
    uint64_t k;
    sample_limits limits; /* as declared */
    sample_limits most;   /* the largest seen: states, actions of a state, successors of a row */
    uint64_t always;      /* marks on every choice (product/rabin_pairs.h) */
    base_intern keys;
    sample_state_vec states;
    sample_row_vec rows;
    base_u32_vec targets;
    sample_counter_vec counters;
    base_u64_vec observed;
    base_u32_vec order;
    product_move_table *move_table;
    product_index *index;
    sample_product_state_vec product_states; /* numbered as in this vector, not as in the index */
    base_u32_vec product_state_of;           /* by number in the index; SAMPLE_NONE */
    sample_choice_vec choices;
    base_u32_vec links;
    uint32_t start; /* the product state where episodes begin; SAMPLE_NONE before the first reset */
    uint32_t initial;   /* the initial state; SAMPLE_NONE if random, or not observed yet */
    uint32_t reject;    /* REJECT; SAMPLE_NONE until it is first needed */
    uint32_t sink;      /* the sink of all universal memories; likewise */
    uint32_t reset_row; /* of a random reset; else SAMPLE_NONE */
    uint64_t known;     /* number of known counters */
    uint32_t closed; /* the successors of known choices of product states before this one exist */
    /* Counters that became full since the last refresh; with rows_are_open, those with new successors. */
    base_u32_vec full;
    bool count_pairs;  /* counters belong to choices, not to rows */
    bool is_tabulated; /* the environment is: branches are numbered as there */
    /* Counters become known by sample_statistics_complete only (bracket/support.h). */
    bool known_when_complete;
    bool rows_become_complete; /* with rows_are_open: by sample_statistics_complete */
    bool
        has_batches; /* with rows_are_open: draws may come in batches (sample_statistics_end_batch) */
    /*
     * With known_when_complete and counters by row: every row is known from its first observation on, by the
     * successors observed so far. `discovered` is parallel to `observed`: the number of the draw that showed the
     * branch first, from 1. Observations that are counted at once follow each other, except with has_batches.
     */
    bool rows_are_open;
    base_u64_vec discovered;
    sample_classes *classes; /* rows alike: classes and outcomes; else NULL */
    /* With has_batches: parallel to `observed`, with two items for each: `before` and `hits` of the discovery. */
    base_u64_vec batches;
    uint64_t completed; /* number of complete counters */
    /* Names of actions, with a NUL, and by row their numbers; SAMPLE_NONE or beyond the end: unknown. All states
     * before `named` were asked for. */
    base_intern names;
    base_u32_vec row_names;
    uint32_t named;
} sample_statistics;

typedef struct sample_statistics_options {
    uint64_t k;
    bool count_pairs;
    sample_limits limits;
    uint64_t always;
    bool alike; /* the environment tells outcomes, which are kept */
} sample_statistics_options;

/* Binds the environment to the automaton's propositions. Both are borrowed. */
opac_status sample_statistics_init(sample_statistics *stats, opac_environment *env,
                                   const opac_automaton *automaton,
                                   const sample_statistics_options *options, opac_error *error);
/* Initialises empty statistics with the same automaton and options, for what a worker finds by itself:
 * without a row for the reset, and without using the environment, which is that of the other statistics. */
opac_status sample_statistics_init_empty_copy(sample_statistics *stats,
                                              const sample_statistics *other, opac_error *error);
void sample_statistics_fini(sample_statistics *stats);

/* ---- observations ---- */

/*
 * The number of an observed state, which is added if it is new. OPAC_ERROR_SIMULATOR if the same key was
 * observed with another letter or another number of actions.
 */
/* Keeps the names of the actions of new states, as far as one of the environments knows them. */
opac_status sample_statistics_take_names(sample_statistics *stats, opac_environment *const *envs,
                                         unsigned count, opac_error *error);
opac_status sample_statistics_set_name(sample_statistics *stats, uint32_t row, const char *name,
                                       opac_error *error);
/* The name of a row's action; "" if it has none. */
const char *sample_statistics_action_name(const sample_statistics *stats, uint32_t row);
opac_status sample_statistics_add_state(sample_statistics *stats,
                                        const opac_observation *observation, uint32_t *state,
                                        opac_error *error);
/* A state as it was observed. Its key is copied into `key_buffer`, so that it is aligned. */
opac_status sample_statistics_get_observation(const sample_statistics *stats, uint32_t state,
                                              base_u64_vec *key_buffer,
                                              opac_observation *observation, opac_error *error);
/* An episode begins in a state. Sets stats->start. OPAC_ERROR_SIMULATOR if the reset is not random and gave
 * another state before. */
opac_status sample_statistics_begin_episode(sample_statistics *stats, uint32_t state,
                                            opac_error *error);
/* The branch of a row that leads to a state, which is added if it is new. */
opac_status sample_statistics_branch(sample_statistics *stats, uint32_t row, uint32_t state,
                                     uint32_t *branch, opac_error *error);
/* The row of an action. */
static inline uint32_t sample_statistics_row(const sample_statistics *stats, uint32_t state,
                                             uint32_t action)
{
    return stats->states.items[state].row + action;
}

/* Raises stats->most to the sizes seen by a trial, whose states are not added. */
void sample_statistics_raise_sizes(sample_statistics *stats, const sample_limits *seen);
/* The declared bound that turned out to be wrong: "states", "actions" or "branching"; NULL if none did. */
const char *sample_statistics_exceeded(const sample_statistics *stats);

/* ---- the product ---- */

opac_status sample_statistics_product_state(sample_statistics *stats, uint32_t state,
                                            uint32_t memory, uint32_t *product_state,
                                            opac_error *error);
/* The number of a product state; SAMPLE_NONE if it was not added yet. */
uint32_t sample_statistics_find(const sample_statistics *stats, uint32_t state, uint32_t memory);
/* The product state that a sampled choice leads to by a branch of its row with a known target. It is added
 * if it is new, and linked if the choice has links. */
opac_status sample_statistics_follow(sample_statistics *stats, uint32_t choice, uint32_t branch,
                                     uint32_t *product_state, opac_error *error);
/*
 * Makes the links of a choice and the env_row of its row, for walks in a tabulated environment (env/walk.h).
 * Links to existing product states are set. None is added, so that the numbers of product states do not
 * depend on when links are made.
 */
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
/* Whether a choice is not known, or must be sampled until its row is complete. In a round with turns such choices
 * of a product state take turns. */
static inline bool sample_statistics_takes_turns(const sample_statistics *stats, uint32_t choice)
{
    uint32_t counter = stats->choices.items[choice].counter;
    return counter != SAMPLE_NONE &&
           (!stats->counters.items[counter].known || stats->counters.items[counter].wanted);
}
/* Number of rows of which enough is known: of complete ones if rows become complete, otherwise of known ones. */
static inline uint64_t sample_statistics_finished(const sample_statistics *stats)
{
    return stats->rows_become_complete ? stats->completed : stats->known;
}

/* Whether all actions of a state are known to lead back to it, and nowhere else. Requires counters by row. */
bool sample_statistics_is_trap(const sample_statistics *stats, uint32_t state);

/* ---- counting ---- */

/* Number of further observations that a counter accepts. */
static inline uint64_t sample_counter_remaining(const sample_statistics *stats, uint32_t counter)
{
    return stats->k - stats->counters.items[counter].count;
}
/* Counts n observations of a branch, or as many of them as the counter accepts. */
opac_status sample_statistics_observe(sample_statistics *stats, uint32_t counter, uint32_t branch,
                                      uint64_t n, opac_error *error);
/*
 * The branches with observations of a known counter, or the support of a complete one, in the order of their
 * targets' keys (bytes, then length). So the order does not depend on how branches are numbered.
 */
static inline const uint32_t *sample_statistics_order(const sample_statistics *stats,
                                                      uint32_t counter, uint32_t *count)
{
    const sample_counter *c = &stats->counters.items[counter];
    *count = c->ordered;
    return c->ordered > 0 ? stats->order.items + c->order : NULL;
}
/* Number of observations of a branch. */
uint64_t sample_statistics_observed(const sample_statistics *stats, uint32_t counter,
                                    uint32_t branch);
/* With rows_are_open: the number of the draw of a row that showed a branch first; 0 if none did. */
uint64_t sample_statistics_discovered(const sample_statistics *stats, uint32_t counter,
                                      uint32_t branch);
/* With rows_are_open: the discovery of a branch with observations. */
sample_discovery sample_statistics_discovery(const sample_statistics *stats, uint32_t counter,
                                             uint32_t branch);
/*
 * Makes full and complete counters known, and adds the product states that their choices lead to. The
 * counters that became known are appended to *changed, which may be NULL.
 */
opac_status sample_statistics_refresh(sample_statistics *stats, base_u32_vec *changed,
                                      opac_error *error);
/*
 * Declares that the support of a counter is complete and consists of these branches (distinct, with targets, in
 * any order). Without rows_are_open it must not be known, and becomes known at the next refresh, whatever its
 * count is. Its sample_statistics_order does not change any more, even if other branches are observed.
 */
opac_status sample_statistics_complete(sample_statistics *stats, uint32_t counter,
                                       const uint32_t *branches, uint32_t count, opac_error *error);
/* With has_batches: declares that all observations of a counter after the first `before` were one batch of draws,
 * whose order is unknown, and which has just ended. */
void sample_statistics_end_batch(sample_statistics *stats, uint32_t counter, uint64_t before);
/*
 * Sets k, which must not decrease (it grows if T is searched for). Until the next refresh no counter is known
 * except complete ones; then those with k observations are. Also needed after counters were filled directly.
 */
opac_status sample_statistics_set_k(sample_statistics *stats, uint64_t k, opac_error *error);

/* The observation that refutes an assumption; see opac_refutation. */
typedef struct sample_refutation {
    opac_refutation kind;
    uint32_t row;   /* SAMPLE_NONE if nothing is refuted */
    uint32_t state; /* the successor; SAMPLE_NONE if the row as a whole is concerned */
    uint64_t count,
        visits; /* observations of the successor (or, if there are too many successors, their
                               number), and of the row */
} sample_refutation;

#endif
