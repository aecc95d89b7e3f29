/* SPDX-License-Identifier: MIT */
/*
 * Reads and checks a certificate (docs/formats/certificate.md). This module shares no code with the
 * learner, the solver or the automata. It is meant to be read as a whole, beside docs/theory.md, Theorem
 * 14 (with p_min or a graph) and Theorem 17 (with a bound T on the recurrence time): each file is one step of the argument, and its header says which inequality it checks and why that
 * suffices. docs/verify.md is a guide.
 *
 *     text ─► verify_read.c            the members of the certificate; each is well-formed
 *             hoa.c                    the automaton: edges, condition, universal memories
 *             verify_classes.c         rows alike: classes, and intervals of rows from those of classes
 *             intervals.c              rows: which are complete, and the intervals of their probabilities
 *             verify_product.c         nodes: their choices, and the one that the policy takes
 *             verify_winning.c         the policy never leaves the winning nodes, and accepts there
 *             verify_bounds.c          upper and lower are inductive
 *             verify_end_components.c  no end component with upper < 1 accepts
 *             verify_recurrence.c      with T in place of the last three: upper and lower bounds by sweeps
 *             verify_trial.c           a lower bound by whole episodes
 *             verify_possible.c        whether an episode can be won at all
 *             verify.c                 the claim is that of the first node, or follows from the bounds
 *             statement.c              the statement that follows, and its assumptions
 *
 * The checker relies only on the counts and on the stated assumptions. The first error is kept in `status`
 * and `error`, and all later steps do nothing; opac_verify_text turns it into a verdict. Nearly all memory
 * is allocated in the arena.
 *
 * Rounding: no step depends on the rounding mode. Each step adds a margin that is larger than its rounding
 * error, so that an inequality that passes holds for the real numbers.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include <stdbool.h>

#include <omegapac/verification.h>

#include "base/arena.h"
#include "base/json_read.h"
#include "base/map.h"
#include "base/vec.h"

#define VERIFY_NONE       UINT32_MAX       /* null */
#define VERIFY_UNIVERSAL  (UINT32_MAX - 1) /* an unlisted node with a universal memory: it wins */
#define VERIFY_UNLISTED   UINT32_MAX       /* any other unlisted node: upper 1, lower 0 */
#define VERIFY_READS      (UINT64_C(1) << 63) /* additional mark: the choice reads a letter */
#define VERIFY_MOST_COUNT (UINT64_C(1) << 53) /* doubles represent all integers up to this */
#define VERIFY_LOG_MARGIN 1e-12               /* relative margin of logarithms and probabilities */

/* ---- the automaton ---- */

typedef struct verify_edge {
    uint32_t target;
    uint64_t marks;    /* including those of its state */
    const char *label; /* text of the label, from after '[' to ']' */
    bool is_epsilon;
} verify_edge;

/* An alias: its text, and its cached value on the last letter (hoa.c). */
typedef struct verify_alias {
    const char *text;
    uint64_t mentioned;
    uint32_t value;
} verify_alias;

/* Accepts runs that see no mark of fin infinitely often, and every mark of inf infinitely often. */
typedef struct verify_clause {
    uint64_t fin, inf;
} verify_clause;

typedef struct verify_automaton {
    uint32_t states, marks, edges, aliases, initials;
    uint32_t propositions; /* number, without epsilon */
    bool has_epsilon;
    uint32_t *initial;
    verify_alias *alias;
    uint64_t known, bits; /* the (partial) letter for which the aliases are cached */
    bool is_prepared;
    verify_edge *edge;
    uint32_t *begin, *end; /* by state */
    verify_clause *clause; /* the condition is their disjunction */
    size_t clauses;
    uint64_t condition_marks; /* marks that occur in the condition */
    bool *universal;          /* by state */
    /* the search was cut off: some universal memories may be missing */
    bool is_universal_incomplete;
} verify_automaton;

/* ---- rows and nodes ---- */

typedef struct verify_branch {
    uint64_t count;
    double low, high; /* interval of the probability; set if the row is complete or open */
    uint32_t state;
    uint32_t found;      /* open row: number in the order of discovery, from 1 */
    uint64_t from, hits; /* open row: visits up to its discovery, and how many of them led to it */
} verify_branch;

/* Rows alike: an outcome of a class. */
typedef struct verify_outcome {
    uint64_t count, from; /* draws, and the draw of the class that showed it first */
    uint64_t shown;       /* draws of it that rows list */
    double low, high;     /* interval of its probability */
    double later; /* upper bound on all outcomes that were discovered after it, or not at all */
    const char *key;
} verify_outcome;

typedef struct verify_class {
    uint64_t index, draws;
    uint32_t count; /* of outcomes, in the order of discovery; at least 1 */
    verify_outcome *outcome;
    const char *key;
} verify_class;

/* An outcome that a row has shown. */
typedef struct verify_shown {
    uint32_t outcome, branch;
    uint64_t count;
} verify_shown;

typedef struct verify_row {
    uint64_t index, visits;
    uint32_t state, action; /* VERIFY_NONE for the reset */
    uint32_t width;
    double pmin; /* with has_row_pmin: of this row; 0 if not assumed, and of the reset */
    verify_branch *branch;
    bool is_complete;
    bool has_discoveries;
    /* It is not complete, and its unseen successors are bounded: the reset without pmin_start and graph, with pmin
     * rows with discoveries, and with T every row. */
    bool is_open;
    uint64_t quiet_after,
        quiet; /* after quiet_after successors had been seen, quiet visits in a row led to no other */
    double unseen;       /* upper bound on the total probability of unseen successors */
    verify_class *class; /* rows alike: NULL if it was never tried */
    verify_shown *shown; /* ascending outcomes */
    uint32_t shown_count;
    bool
        may_be_complete; /* rows alike: the writer says that it is complete; otherwise it is open */
    struct verify_row *next; /* next row of the same state */
} verify_row;

typedef struct verify_state {
    const char *key;
    uint64_t letter;
    uint32_t actions;
    uint32_t sampled; /* number of actions that have a row */
    verify_row *row, *last;
} verify_state;

/* A choice of a node: an action with an edge of the automaton. */
typedef struct verify_choice {
    uint64_t marks;              /* of the edge, with VERIFY_READS if it reads a letter */
    const verify_branch *branch; /* branches of its row, parallel to `to`; NULL for a free choice */
    uint32_t *to;                /* successor nodes, VERIFY_UNIVERSAL or VERIFY_UNLISTED */
    uint32_t width;              /* 0: with T, a row that was never tried; all of it is unseen */
    bool is_complete;            /* the choice is free, or its row is complete or open */
    bool is_open;
    double unseen;
} verify_choice;
BASE_VEC(verify_choices, verify_choice);

typedef struct verify_node {
    double upper, lower;
    uint64_t marks;
    uint32_t state, memory; /* VERIFY_NONE before the reset */
    uint32_t rank;          /* VERIFY_NONE for null */
    uint32_t action, next;  /* of the policy; next is VERIFY_NONE without a choice */
    bool wins;
    bool lists_all;        /* all its choices are listed: upper < 1, or T is assumed */
    bool has_choice;       /* some choice can be taken */
    bool is_open;          /* a row of one of its choices is missing or not complete */
    uint32_t first, count; /* its choices; without lists_all only that of the policy */
    uint32_t chosen;       /* the choice of the policy; VERIFY_NONE if there is none */
} verify_node;

typedef struct verify_certificate {
    opac_error *error;
    opac_status status;
    base_arena arena;
    const char *model, *digest, *constants, *objective; /* from inputs; may be NULL */
    bool is_least, has_graph;
    bool has_row_pmin; /* each row of an action has its own; pmin is 0 */
    bool is_alike;     /* rows are alike */
    /* With pmin: unseen and discovery are given. Other certificates have open rows for the reset only. */
    bool has_open_rows;
    bool is_free;            /* nothing is assumed of the system */
    bool has_nondeterminism; /* a node with upper < 1 has several edges of the automaton */
    uint32_t version;        /* of the format: 1 or 2 */
    double pmin, pmin_start; /* of actions and of the reset; 0 if not assumed */
    double pmin_outcome;     /* of outcomes; 0 if not assumed */
    uint64_t states, actions, branching; /* assumed bounds; 0 if not assumed */
    double total, support, interval;     /* delta and its parts */
    /* With pmin: parts of delta for rows that are not complete. */
    double unseen, discovery;
    /* With a bound T on the recurrence time. */
    uint64_t
        horizon; /* T, or if nothing is assumed of the system the transitions of a trial; 0: neither */
    double epsilon;                     /* that of the recurrence time; 0 without T */
    double episodes_delta;              /* the part of delta for the trial; 0: there is no trial */
    uint64_t trial, episodes, wins;     /* index of the trial, 0 for none; its episodes */
    uint64_t trial_steps;               /* without T: the transitions of an episode */
    uint64_t upper_sweeps, risk_sweeps; /* numbers of sweeps for the upper and the lower bound */
    double upper, trial_lower,
        risk_lower;   /* what follows: U, and L by the trial and by the model */
    uint64_t winning; /* nodes in winning end components of what was seen */
    verify_automaton automaton;
    verify_state *state;
    uint32_t state_count, row_count, node_count, class_count;
    uint32_t start; /* VERIFY_NONE if the reset is random */
    verify_row *row, *reset;
    verify_class *class;
    verify_node *node;
    base_map node_at; /* (state, memory) ► node */
    base_map row_at;  /* (state, action) ► row */
    verify_choices choices;
    size_t length;         /* of the text in bytes */
    uint64_t product_size; /* choices and their successors */
    double claim_lower, claim_upper, claim_confidence, claim_value;
    const char *claim_statement; /* may be NULL */
} verify_certificate;

static inline bool verify_is_ok(const verify_certificate *c)
{
    return c->status == OPAC_OK;
}
/* Refuses the certificate: "nodes[3]: why", without the number if it is VERIFY_NONE. The error is a limit
 * instead if the search for universal memories was cut off, since the certificate may be right. */
void verify_refuse(verify_certificate *c, const char *what, uint32_t number, const char *why);
/* Allocates `count` zeroed items. Returns NULL and sets the status on failure. */
void *verify_alloc(verify_certificate *c, size_t count, size_t size);

/* ---- the steps, in this order (each is described in the file of its name) ---- */

/* Reads all members. Borrows texts of the document. */
void verify_read(verify_certificate *c, base_json_value root);
void verify_read_automaton(verify_certificate *c, const char *text, size_t length);
void verify_intervals(verify_certificate *c);
void verify_product(verify_certificate *c);
void verify_winning(verify_certificate *c);
void verify_bounds(verify_certificate *c);
void verify_end_components(verify_certificate *c);
/* In place of the last three, if a bound on the recurrence time is assumed. */
void verify_recurrence(verify_certificate *c);
/* If there are episodes with the policy. */
void verify_trial(verify_certificate *c);
void verify_write_result(verify_certificate *c, opac_verification *verification);

/* ---- rows alike: called by verify_intervals ---- */

/* Checks the draws of classes and rows, and computes the intervals of outcomes. log_share: of an index. */
void verify_classes(verify_certificate *c,
                    double (*log_share)(const verify_certificate *, uint64_t));
/* Computes the intervals of a row that is not the reset, and whether it is complete, with its pmin. */
void verify_find_alike(verify_row *row, double pmin);

/* ---- shared functions ---- */

/* Whether an edge reads a letter; false for an epsilon edge. */
bool verify_edge_reads(verify_automaton *automaton, const verify_edge *edge, uint64_t letter);
bool verify_accepts(const verify_automaton *automaton, uint64_t marks);

/* An interval that contains all p with S ln p + (n-S) ln(1-p) >= ln B(S+1/2, n-S+1/2) - ln B(1/2, 1/2) + ln
 * alpha. */
void verify_sequence(uint64_t successes, uint64_t trials, double log_alpha, double *low,
                     double *high);

/* An upper bound on n KL(S/n || p) for all p in this interval. */
double verify_sequence_radius(uint64_t successes, uint64_t trials, double log_alpha);
/* ln(1/(k(k+1))) */
double verify_log_part(uint64_t k);

/* A successor: its value, the lower end of its probability, and the width of the interval. */
typedef struct verify_part {
    double value, low, width;
    uint32_t to; /* for verify_recurrence.c */
} verify_part;

/* The greatest or least mean of the values over the probabilities in the intervals. Sorts the parts, of which
 * there is at least one. */
double verify_mean(verify_part *parts, uint32_t count, bool is_greatest);

/* Numbers the strongly connected components of the nodes, using only choices that are alive. */
void verify_components(verify_certificate *c, const bool *alive, uint32_t *component);

/* Marks the nodes in a winning end component of the nodes inside, all of whose choices are listed. */
void verify_find_winning(verify_certificate *c, const bool *inside, bool *wins);

/*
 * Whether some episode of so many transitions can be won: by coming to a universal memory or to a winning node or, with
 * T, by a last strongly connected component that satisfies the condition. True if it is not known.
 */
bool verify_can_win(verify_certificate *c, uint64_t steps);

/* The bottom component of the policy's chain in which a node lies. */
typedef enum verify_end {
    VERIFY_END_NONE = 0, /* it is in none, or not in the chain */
    VERIFY_END_ACCEPTED,
    VERIFY_END_REJECTED, /* the marks do not satisfy the condition */
    VERIFY_END_SILENT,   /* no choice reads a letter */
} verify_end;
/* Sets the ends of the nodes inside, which have a choice of the policy; other nodes leave the chain. */
void verify_chain(verify_certificate *c, const bool *inside, verify_end *ends);

#endif
