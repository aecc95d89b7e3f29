/* SPDX-License-Identifier: MIT */
/*
 * From an expression as written to one that can be run, in three passes over a
 * postfix array:
 *
 *     names    constants become literals, variables numbers, calls operators,
 *              labels their definitions
 *     types    every node gets its type; mistakes are told
 *     fold     constant parts are computed, branches that are never taken dropped
 *
 * Formulas that occur by name are put in their places here; those of modules
 * that may be renamed were expanded before (formulas.c).
 *
 * Cost: linear in the nodes.
 */
#ifndef PRISM_ELABORATE_H
#define PRISM_ELABORATE_H

#include "prism/scope.h"

#define PRISM_MOST_NODES UINT32_C(4000000) /* of an expression, and of all expansions of a file */

enum {
    /*
     * Behind the nodes of a formula that was expanded: where it was used, and
     * its name. Seen by this room's own passes up to prism_names.c alone.
     */
    PRISM_OP_EXPANDED = PRISM_OP_CALL + 1
};

/* What an expression is for. */
typedef struct prism_wanted {
    prism_type type;  /* REAL takes INT as well; UNKNOWN: any */
    bool is_constant; /* the result is one literal, of exactly this type */
    bool is_exact;    /* comparisons and rounding are exact (number.h) */
    const char *noun; /* "guard"; for messages */
} prism_wanted;

/* The subexpression that ends at a node. */
typedef struct prism_span {
    uint32_t start;
    uint32_t fault;   /* a node below that has no value, whenever this is evaluated; UINT32_MAX */
    uint8_t survivor; /* 1 + the operand that alone remains; 0: no such */
    bool is_dropped, is_risky; /* risky: evaluation may fail */
} prism_span;

BASE_VEC(prism_span_vec, prism_span);

/* All zeros but for the first four. */
typedef struct prism_elaborator {
    const prism_scope *scope;
    const base_intern *names; /* of the ids in expressions; may be the scope's own */
    model_report *report;
    base_arena *arena;  /* of the results */
    const char *module; /* of a renamed module, whose text is another's; else NULL */
    uint64_t spliced;   /* nodes that came by formulas and labels of the scope so far */
    /* of the expression at hand */
    prism_place place;  /* of its root, as written */
    bool is_unknown;    /* has a name whose type is not known; the mistake was told */
    bool is_incomplete; /* has a name without a value, likewise */
    prism_node_vec nodes, output;
    prism_span_vec spans;
} prism_elaborator;

void prism_elaborator_fini(prism_elaborator *elaborator);

/* *result has no nodes when a mistake was noted. Fails for want of memory or beyond the limit. */
opac_status prism_elaborate(prism_elaborator *elaborator, const prism_expression *expression,
                            const prism_wanted *wanted, prism_expression *result,
                            opac_error *error);

/* Notes a mistake, with the renamed module if it is in one. */
void prism_mistake(const prism_elaborator *elaborator, opac_status code, prism_place place,
                   const char *format, ...) BASE_PRINTF(4, 5);

/* "init" and "deadlock", which every model has. */
bool prism_is_own_label(const char *name, size_t length);

/* ---- the passes ---- */

/* Fills nodes. */
opac_status prism_bind_names(prism_elaborator *elaborator, const prism_expression *expression,
                             const prism_wanted *wanted, opac_error *error);
/* Fills types and spans (start). False: mistakes were noted. */
opac_status prism_check_types(prism_elaborator *elaborator, const prism_wanted *wanted,
                              bool *is_right, opac_error *error);
/* From nodes and spans to the result. */
opac_status prism_fold(prism_elaborator *elaborator, const prism_wanted *wanted,
                       prism_expression *result, opac_error *error);

/* ---- values ---- */

static inline bool prism_is_literal(const prism_node *node)
{
    return node->op <= PRISM_OP_REAL;
}

/* The value as a real, with its fraction. */
prism_node prism_literal_real(const prism_node *literal);
double prism_literal_double(const prism_node *literal);

typedef struct prism_folding {
    base_arena *arena; /* of numbers that do not fit into a node */
    bool is_exact;     /* as in prism_wanted */
} prism_folding;

extern const char prism_out_of_memory[]; /* a result of prism_apply, compared by address */

/*
 * An operator on literals; NULL, or why there is no value. operands has
 * node->arity of them; the result has the node's type and place.
 */
const char *prism_apply(const prism_node *node, const prism_node *const *operands,
                        const prism_folding *how, prism_node *result);

/* "'+'", "mod"; how an operator is called in messages. */
const char *prism_op_name(prism_op op);
/* "a Boolean", "an int", "a real". */
const char *prism_type_words(prism_type type);

#endif
