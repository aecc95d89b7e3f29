/* SPDX-License-Identifier: MIT */
/*
 * Semantic analysis of an expression: three passes over its postfix program turn it from its source form
 * into one that can be compiled.
 *
 *     names    replaces constants by literals, variables by their indices, calls by operators, and labels by
 *              their definitions
 *     types    determines the type of every node and reports type errors
 *     folding  computes constant subexpressions and drops operands that are never evaluated
 *
 * The first pass also replaces names of formulas by their definitions. Formulas in modules, which may be
 * renamed, have been expanded before (formulas.c).
 *
 * Cost: linear in the number of nodes.
 */
#ifndef PRISM_EXPRESSION_ANALYSIS_H
#define PRISM_EXPRESSION_ANALYSIS_H

#include "prism/scope.h"

#define PRISM_MAX_NODES UINT32_C(4000000) /* of an expression, and of all expansions of a file */

enum {
    /*
     * Follows the nodes of a formula that was expanded; has the place of its use and its name. Internal to
     * the resolver: prism_bind_names removes it.
     */
    PRISM_OP_EXPANDED = PRISM_OP_CALL + 1
};

/* What the context requires of an expression. */
typedef struct prism_requirements {
    prism_type type;  /* REAL also accepts INT; UNKNOWN accepts any type */
    bool is_constant; /* the result must be one literal, of exactly this type */
    bool is_exact;    /* comparisons and rounding are exact (number.h) */
    const char *noun; /* "guard"; for messages */
} prism_requirements;

/* The subexpression whose root is a node. */
typedef struct prism_span {
    uint32_t start; /* its first node */
    /* A node of it whose evaluation always fails and always happens; UINT32_MAX if none. */
    uint32_t fault;
    uint8_t survivor; /* 1 + the index of the only operand that remains; 0 if all remain */
    bool is_dropped;
    bool may_fail; /* evaluation may fail */
} prism_span;

BASE_VEC(prism_span_vec, prism_span);

/* The caller sets the first four or five members and zeroes the others. */
typedef struct prism_analyser {
    const prism_scope *scope;
    const base_intern *names; /* of the ids in expressions; may be the names of the scope */
    model_report *report;
    base_arena *arena;      /* of the results */
    const char *module;     /* the current module if it is a renamed one, for messages; else NULL */
    uint64_t inlined_nodes; /* total size of the definitions that replaced names so far */
    /* State of the current expression. */
    prism_place place;  /* of its root in the source */
    bool is_unknown;    /* uses a name of unknown type; an error has been reported */
    bool is_incomplete; /* uses a name without a value; an error has been reported */
    prism_node_vec nodes, output;
    prism_span_vec spans;
} prism_analyser;

void prism_analyser_fini(prism_analyser *analyser);

/*
 * Runs all passes. Errors in the expression are reported; then *result has no nodes. Fails only if memory is
 * exhausted or a limit is exceeded.
 */
opac_status prism_analyse(prism_analyser *analyser, const prism_expression *expression,
                          const prism_requirements *required, prism_expression *result,
                          opac_error *error);

/* Reports an error, and names the current module if it is a renamed one. */
void prism_report_error(const prism_analyser *analyser, opac_status code, prism_place place,
                        const char *format, ...) BASE_PRINTF(4, 5);

/* Whether the label is "init" or "deadlock", which every model has. */
bool prism_is_builtin_label(const char *name, size_t length);

/* ---- the passes ---- */

/* Fills nodes. */
opac_status prism_bind_names(prism_analyser *analyser, const prism_expression *expression,
                             const prism_requirements *required, opac_error *error);
/* Fills the types of nodes, and spans[].start. *is_correct is false if an error was reported. */
opac_status prism_check_types(prism_analyser *analyser, const prism_requirements *required,
                              bool *is_correct, opac_error *error);
/* Computes the result from nodes and spans. */
opac_status prism_fold_constants(prism_analyser *analyser, const prism_requirements *required,
                                 prism_expression *result, opac_error *error);

/* ---- literals ---- */

static inline bool prism_is_literal(const prism_node *node)
{
    return node->op <= PRISM_OP_REAL;
}

/* A literal converted to a real, with its fraction. */
prism_node prism_literal_real(const prism_node *literal);
double prism_literal_double(const prism_node *literal);

typedef struct prism_fold_context {
    base_arena *arena; /* of numbers that do not fit into a node */
    bool is_exact;     /* as in prism_requirements */
} prism_fold_context;

extern const char prism_out_of_memory[]; /* returned by prism_fold_operator; compared by address */

/*
 * Applies the operator of a node to literals. Returns NULL, or why there is no result. There are node->arity
 * operands; the result has the type and place of the node.
 */
const char *prism_fold_operator(const prism_node *node, const prism_node *const *operands,
                                const prism_fold_context *context, prism_node *result);

/* The name of an operator for messages: "'+'", "mod". */
const char *prism_op_name(prism_op op);
/* "a Boolean", "an int", "a real". */
const char *prism_type_name(prism_type type);

#endif
