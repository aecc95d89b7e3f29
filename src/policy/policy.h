/* SPDX-License-Identifier: MIT */
/*
 * The representation of an opac_policy: decisions by state and memory.
 *
 *     begin      0  2  2  3                  decisions of state s are
 *     decisions  │ memory, action, next │ …  begin[s] … begin[s+1] - 1, by memory
 *
 * A memory value is a state of the automaton. A decision is an action of the state, and the memory after it;
 * epsilon moves are already followed.
 *
 * Without a decision, the policy takes the first action of the state. The memory stays the same if an edge of
 * the automaton that reads the letter of the state leads back to it, if no edge reads the letter, or if letters
 * are unknown; otherwise it follows the first edge that reads the letter (aut_successor).
 *
 * Invariants: the decisions of a state are sorted by memory; their actions exist in the state; memory
 * values are below memory_count, which is the number of states of the automaton if there is one.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <omegapac/policy.h>

#include "aut/automaton.h"
#include "policy/definitions.h"
#include "policy/domain.h"
#include "product/product.h"

enum {
    /* Largest number of unnamed actions that a file gives as a count. More are written as a list, so that a
     * short file cannot cause a large allocation. */
    POLICY_MAX_UNNAMED_ACTIONS = 1024
};

typedef struct policy_decision {
    uint32_t memory;
    uint32_t action; /* below policy_domain_choices */
    uint32_t next;   /* memory after the decision */
} policy_decision;

struct opac_policy {
    policy_domain domain;      /* states and actions; for a simulator, letters are set, too */
    opac_automaton *automaton; /* owned; may be NULL */
    char *objective;           /* as the user gave it; owned, never NULL */
    char *formula;             /* the objective in LTL, infix; owned; may be NULL */
    bool
        complement; /* the automaton accepts the complement of the objective: the policy minimises the
                        probability of the objective */
    policy_definition_vec definitions; /* of propositions that the model does not have; owned */
    uint64_t *letters; /* by state, over the propositions of the automaton; owned; may be NULL */
    uint32_t memory_count; /* number of states of the automaton, but at least 1 */
    uint32_t *begin;       /* by state, and one more */
    policy_decision *decisions;
    uint32_t *start; /* initial memory, by index of the initial state */
};

/* A decision with its state, as input of policy_set_decisions. */
typedef struct policy_entry {
    uint32_t state;
    uint32_t index; /* position in the input */
    policy_decision decision;
} policy_entry;

BASE_VEC(policy_entry_vec, policy_entry);

/* The objective of a policy. All members are borrowed. */
typedef struct policy_objective {
    const opac_automaton *automaton;
    const uint64_t *letters;
    const char *text, *formula;               /* may be NULL */
    const policy_definition_vec *definitions; /* may be NULL */
    bool complement;
} policy_objective;

/*
 * Converts a positional policy of a product to a policy with memory for the model, with decisions for the
 * product states that are reachable under it. choice: by product state, a choice of the product; start: by
 * initial state of the model, the best initial product state, or PRODUCT_NONE. The model is borrowed by the
 * policy.
 *
 * The states of the automaton, and so the memory values, are renumbered as in HOA files, so that a policy
 * that is written and read again has the same memory values.
 */
opac_status policy_from_product(const opac_model *model, const product_process *product,
                                const uint32_t *choice, const uint32_t *start,
                                const policy_objective *objective, opac_policy **policy,
                                opac_error *error);

/* ---- construction ---- */

/* Creates a policy for a model, or for a simulator if model is NULL. The caller then sets the states of a
 * simulator, the objective, the initial memory and the decisions. */
opac_status policy_new(const opac_model *model, opac_policy **policy, opac_error *error);

opac_status policy_entry_add(policy_entry_vec *entries, uint32_t state, policy_decision decision,
                             opac_error *error);
/*
 * Fills begin and decisions. If there are two decisions for a state and memory value, fails with
 * OPAC_ERROR_ARGUMENT, and sets *twice (if not NULL) to the index of the second entry.
 */
opac_status policy_set_decisions(opac_policy *policy, const policy_entry_vec *entries,
                                 uint32_t *twice, opac_error *error);

/*
 * Fills a policy whose domain is set. Memory values of entries and start are states of the objective's
 * automaton, and are renumbered as by policy_from_product. start: by initial state, the memory, or
 * PRODUCT_NONE.
 */
opac_status policy_fill(opac_policy *policy, const policy_objective *objective,
                        policy_entry_vec *entries, const uint32_t *start, opac_error *error);

/* ---- use ---- */

/* Fails with OPAC_ERROR_UNSUPPORTED for the policy of a simulator, whose transitions are not known. `what`
 * needs the transitions, and begins the message. */
opac_status policy_require_model(const opac_policy *policy, const char *what, opac_error *error);
/* As opac_policy_act, but returns the action by its number in the state. */
uint32_t policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory);
/* The decision for a state and memory value; NULL if there is none. */
const policy_decision *policy_find_decision(const opac_policy *policy, uint32_t state,
                                            uint32_t memory);

#endif
