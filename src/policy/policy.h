/* SPDX-License-Identifier: MIT */
/*
 * What an opac_policy is: decisions by state and memory.
 *
 *     begin      0  2  2  3                  decisions of state s are
 *     decisions  │ memory, action, next │ …  begin[s] … begin[s+1] - 1, by memory
 *
 * A memory value is a state of the automaton that the policy was made with.
 * Epsilon moves do not show: a decision is an action of the state and what is
 * remembered when it has been taken.
 *
 * Where there is no decision, the first action is taken, and the memory takes
 * the first edge of the automaton that reads the letter of the state; it stays
 * when there is none, or when the letters are not known.
 *
 * Invariants: the decisions of a state ascend by memory, their actions are the state's, and memory
 * values are below memory_count, which is that of the automaton's states, if there is one.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <omegapac/policy.h>

#include "aut/automaton.h"
#include "policy/definitions.h"
#include "policy/domain.h"
#include "product/product.h"

enum {
    POLICY_MAX_UNNAMED_ACTIONS =
        1024 /* actions without names that a file gives as a number; more are a
                                  list, so that a short text cannot ask for much memory */
};

typedef struct policy_decision {
    uint32_t memory;
    uint32_t action; /* below policy_domain_choices */
    uint32_t next;   /* the memory afterwards */
} policy_decision;

struct opac_policy {
    policy_domain domain;              /* the states; of a simulator, there are letters, too */
    opac_automaton *automaton;         /* owned; NULL: none */
    char *objective;                   /* in words, as the user gave it; owned, never NULL */
    char *formula;                     /* LTL, infix, whose probability counts; owned; NULL: none */
    bool complement;                   /* the automaton accepts what the objective forbids: the
                                  policy makes the objective's probability small */
    policy_definition_vec definitions; /* of propositions that the model does not know; owned */
    uint64_t *letters;     /* by state, over the automaton's propositions; owned; NULL: none */
    uint32_t memory_count; /* states of the automaton, but at least 1 */
    uint32_t *begin;       /* states + 1 */
    policy_decision *decisions;
    /* What is remembered at first, by initial state, in their order. */
    uint32_t *start;
};

/* A decision on its way into a policy. */
typedef struct policy_entry {
    uint32_t state;
    uint32_t index; /* the order in which it came */
    policy_decision decision;
} policy_entry;

BASE_VEC(policy_entry_vec, policy_entry);

/* What a policy is for, in words and in symbols. All is borrowed. */
typedef struct policy_objective {
    const opac_automaton *automaton;
    const uint64_t *letters;
    const char *text, *formula;               /* may be NULL */
    const policy_definition_vec *definitions; /* may be NULL */
    bool complement;
} policy_objective;

/*
 * The policy of a product, as a machine over the model: pairs that can be
 * reached under it. choice: by state of the product, a choice of the product;
 * start: by initial state of the model, the pair of the product that is best to
 * begin with, or PRODUCT_NONE. The model is borrowed for good.
 *
 * The states of the automaton, and so the memory, are renumbered as HOA files
 * number them: a policy that is read back has the same memory.
 */
opac_status policy_from_product(const opac_model *model, const product_process *product,
                                const uint32_t *choice, const uint32_t *start,
                                const policy_objective *objective, opac_policy **policy,
                                opac_error *error);

/* ---- for those who make one ---- */

/* Of a model, or (NULL) of a simulator, whose states are due; so are objective, start, decisions. */
opac_status policy_new(const opac_model *model, opac_policy **policy, opac_error *error);

opac_status policy_entry_add(policy_entry_vec *drafts, uint32_t state, policy_decision decision,
                             opac_error *error);
/*
 * Fills begin and decisions. A pair that is decided twice is *twice, the index
 * of the second draft, and OPAC_ERROR_ARGUMENT without a message; twice may be NULL.
 */
opac_status policy_set_decisions(opac_policy *policy, const policy_entry_vec *drafts,
                                 uint32_t *twice, opac_error *error);

/*
 * Fills a policy that has its states, from decisions over the states of the purpose's automaton;
 * start: by initial state, the memory, or PRODUCT_NONE. Both are renumbered as policy_from_product says.
 */
opac_status policy_fill(opac_policy *policy, const policy_objective *objective,
                        policy_entry_vec *drafts, const uint32_t *start, opac_error *error);

/* ---- for those who use one ---- */

/* OPAC_ERROR_UNSUPPORTED for a simulator's policy, whose transitions are not known. */
opac_status policy_require_model(const opac_policy *policy, const char *what, opac_error *error);
/* As opac_policy_act, but the action is numbered as in the state. */
uint32_t policy_act(const opac_policy *policy, uint32_t state, uint32_t *memory);
/* The decision of a pair; NULL: none. */
const policy_decision *policy_find_decision(const opac_policy *policy, uint32_t state,
                                            uint32_t memory);

#endif
