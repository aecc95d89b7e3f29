/* SPDX-License-Identifier: MIT */
/*
 * A certificate (docs/formats/certificate.md), read and checked. This room shares no code with
 * the learner, the solver or the automata, and is meant to be read as a whole: each file is a step
 * of the argument, and says why the step is sound. docs/verify.md is a guide.
 *
 *     text ─► verify_read.c ─► what it says ─► hoa.c        the automaton: moves, condition, universal
 *                                       intervals.c  rows: complete? between which bounds?
 *                                       verify_product.c    nodes: what can be done there, and is
 *                                       verify_winning.c    W is closed, and its runs are accepted
 *                                       verify_bounds.c     upper and lower are inductive
 *                                       verify_end_components.c    nothing else can be accepted for ever
 *                                       statement.c  what follows, in words
 *
 * Nothing is believed but the counts and what is assumed. The first thing that is wrong stays in
 * `status` and `error`, and everything behind it does nothing; opac_verify_text makes a verdict of
 * it. Nearly all memory is in the arena.
 *
 * Rounding: nothing depends on the rounding mode; each step adds a margin that is
 * larger than its error, on the side that refuses.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>

#include <omegapac/verification.h>

#include "base/arena.h"
#include "base/json_read.h"
#include "base/map.h"
#include "base/vec.h"

#define VERIFY_NONE       UINT32_MAX          /* null */
#define VERIFY_UNIVERSAL  (UINT32_MAX - 1)    /* a node that is not listed, and wins */
#define VERIFY_UNLISTED   UINT32_MAX          /* another that is not: upper 1, lower 0 */
#define VERIFY_READS      (UINT64_C(1) << 63) /* a mark beside the 63: the choice reads a letter */
#define VERIFY_MOST_COUNT (UINT64_C(1) << 53) /* doubles are exact up to here */

/* ---- the automaton ---- */

typedef struct verify_edge {
    uint32_t target;
    uint64_t marks;    /* those of the state included */
    const char *label; /* behind the '[', up to ']'; in the text */
    bool is_epsilon;
} verify_edge;

/* An alias: its text, and what it is on the letter that was asked for last (hoa.c). */
typedef struct verify_alias {
    const char *text;
    uint64_t mentioned;
    uint32_t value;
} verify_alias;

/* Accepts runs that see no mark of fin, and each of inf, infinitely often. */
typedef struct verify_clause {
    uint64_t fin, inf;
} verify_clause;

typedef struct verify_automaton {
    uint32_t states, marks, edges, aliases, initials;
    uint32_t propositions; /* without epsilon */
    bool has_epsilon;
    uint32_t *initial;
    verify_alias *alias;
    uint64_t known, bits; /* the letter that they have values on */
    bool is_prepared;
    verify_edge *edge;
    uint32_t *begin, *end; /* by state */
    verify_clause *clause; /* one of them is to hold */
    size_t clauses;
    uint64_t condition_marks;     /* marks of the condition */
    bool *universal;              /* by state */
    bool is_universal_incomplete; /* not all that are universal may have been found */
} verify_automaton;

/* ---- the rest ---- */

typedef struct verify_branch {
    uint64_t count;
    double low, high; /* if its row is complete, or open */
    uint32_t state;
    uint32_t found;      /* of an open row: it was the found-th one to be seen, from 1 on; */
    uint64_t from, hits; /* when so many visits were made, so many of which led to it */
} verify_branch;

typedef struct verify_row {
    uint64_t index, visits;
    uint32_t state, action; /* VERIFY_NONE: the reset */
    uint32_t width;
    verify_branch *branch;
    bool is_complete;
    /* A reset of which neither a bound nor the graph is known: successors may not have been seen. */
    bool is_open;
    uint64_t quiet_after,
        quiet;               /* so many successors were seen, and so many visits showed no other */
    double unseen;           /* what others have together is at most this */
    struct verify_row *next; /* of the same state */
} verify_row;

typedef struct verify_state {
    const char *key;
    uint64_t letter;
    uint32_t actions;
    uint32_t sampled; /* actions that have a row */
    verify_row *row, *last;
} verify_state;

/* What can be done in a node, and where that leads to. */
typedef struct verify_choice {
    uint64_t marks;              /* and VERIFY_READS */
    const verify_branch *branch; /* of its row, as many as `to`; NULL: free */
    uint32_t *to;                /* nodes; VERIFY_UNIVERSAL, VERIFY_UNLISTED */
    uint32_t width;
    bool is_complete; /* free, or its row is, or open: then a part of it is unseen */
    bool is_open;
    double unseen;
} verify_choice;
BASE_VEC(verify_choices, verify_choice);

typedef struct verify_node {
    double upper, lower;
    uint64_t marks;
    uint32_t state, memory; /* VERIFY_NONE: before the reset */
    uint32_t rank;          /* VERIFY_NONE: null */
    uint32_t action, next;  /* of the policy; next is VERIFY_NONE: it has no choice */
    bool wins;
    bool is_open;          /* a row that it can take is missing or not complete */
    uint32_t first, count; /* choices: all of them if upper < 1, else that of the policy */
    uint32_t chosen;       /* the policy's; VERIFY_NONE */
} verify_node;

typedef struct verify_certificate {
    opac_error *error;
    opac_status status;
    base_arena arena;
    const char *model, *digest, *constants, *objective; /* of the inputs; may be NULL */
    bool is_least, has_graph;
    uint32_t version;                    /* of the format: 1, 2 */
    double pmin, pmin_start;             /* of actions, of the reset; 0: not assumed */
    uint64_t states, actions, branching; /* assumed; 0: not */
    double total, support, interval;     /* delta */
    verify_automaton automaton;
    verify_state *state;
    uint32_t state_count, row_count, node_count;
    uint32_t start; /* VERIFY_NONE: the reset is random */
    verify_row *row, *reset;
    verify_node *node;
    base_map node_at; /* (state, memory) ► node */
    base_map row_at;  /* (state, action) ► row */
    verify_choices choices;
    double claim_lower, claim_upper, claim_confidence, claim_value;
    const char *claim_statement; /* may be NULL */
    bool guesses;                /* a node with upper below 1 has several moves of the automaton */
} verify_certificate;

static inline bool verify_is_ok(const verify_certificate *c)
{
    return c->status == OPAC_OK;
}
/* "nodes[3]: why"; without the number if it is VERIFY_NONE. A limit, if the automaton is not all known. */
void verify_refuse(verify_certificate *c, const char *what, uint32_t number, const char *why);
/* So many items, all zeros; NULL if that failed, which stays in status. */
void *verify_alloc(verify_certificate *c, size_t count, size_t size);

/* ---- the steps, in this order ---- */

/* Borrows texts of the document. */
void verify_read(verify_certificate *c, base_json_value root);
void verify_read_automaton(verify_certificate *c, const char *text, size_t length);
void verify_intervals(verify_certificate *c);
void verify_product(verify_certificate *c);
void verify_winning(verify_certificate *c);
void verify_bounds(verify_certificate *c);
void verify_end_components(verify_certificate *c);
void verify_write_result(verify_certificate *c, opac_verification *verification);

/* ---- what they share ---- */

/* Whether an edge that is no epsilon move can be taken on a letter. */
bool verify_edge_reads(verify_automaton *automaton, const verify_edge *edge, uint64_t letter);
bool verify_accepts(const verify_automaton *automaton, uint64_t marks);

/* The p with S ln p + (n-S) ln(1-p) >= ln B(S+1/2, n-S+1/2) - ln B(1/2, 1/2) + ln alpha. */
void verify_sequence(uint64_t successes, uint64_t trials, double log_alpha, double *low,
                     double *high);

/* Strongly connected components of the nodes, by the choices that are alive. */
void verify_components(verify_certificate *c, const bool *alive, uint32_t *component);

#endif
