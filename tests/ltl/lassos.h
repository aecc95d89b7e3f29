/* SPDX-License-Identifier: MIT */
/*
 * Short ultimately periodic words u·v^ω and the evaluation of formulas on them, directly by the
 * definitions, as a reference for tests.
 */
#ifndef LTL_LASSOS_H
#define LTL_LASSOS_H

#include "ltl/formula.h"
#include "support/random.h"

enum {
    LASSO_LONGEST = 8
};

typedef struct small_lasso {
    uint32_t letters[LASSO_LONGEST]; /* bit i: proposition number i holds */
    uint32_t prefix, length;         /* prefix < length: the loop begins at prefix */
} small_lasso;

static inline small_lasso random_lasso(uint64_t *random, uint32_t propositions)
{
    small_lasso word = {.length = 1 + random_below(random, LASSO_LONGEST)};
    word.prefix = random_below(random, word.length);
    for (uint32_t i = 0; i < word.length; i++)
        word.letters[i] = random_below(random, UINT32_C(1) << propositions);
    return word;
}

static inline uint32_t lasso_next(const small_lasso *word, uint32_t at)
{
    return at + 1 < word->length ? at + 1 : word->prefix;
}

/* The positions at which a U b holds, as bits. */
static inline bool lasso_until(const small_lasso *word, uint32_t at, uint32_t a, uint32_t b)
{
    for (uint32_t step = 0; step < 2 * LASSO_LONGEST; step++) {
        if (b >> at & 1)
            return true;
        if (!(a >> at & 1))
            return false;
        at = lasso_next(word, at);
    }
    return false;
}

static inline uint32_t lasso_until_everywhere(const small_lasso *word, uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    for (uint32_t at = 0; at < word->length; at++)
        result |= (uint32_t)lasso_until(word, at, a, b) << at;
    return result;
}

/* The positions of the word at which the formula holds, as bits. Recursive, for small formulas. */
static inline uint32_t lasso_places(const ltl_store *store, ltl_formula formula,
                                    const small_lasso *word)
{
    uint32_t all = (UINT32_C(1) << word->length) - 1, result = 0;
    ltl_op op = ltl_op_of(store, formula);
    uint32_t arity = ltl_arity(store, formula);
    uint32_t a = arity > 0 ? lasso_places(store, ltl_child(store, formula, 0), word) : 0;
    uint32_t b = arity > 1 ? lasso_places(store, ltl_child(store, formula, 1), word) : 0;
    switch (op) {
    case LTL_FALSE:
        return 0;
    case LTL_TRUE:
        return all;
    case LTL_AP:
        for (uint32_t at = 0; at < word->length; at++)
            result |= (word->letters[at] >> ltl_ap_of(store, formula) & 1) << at;
        return result;
    case LTL_NOT:
        return all & ~a;
    case LTL_AND:
    case LTL_OR:
        for (uint32_t i = 1; i < arity; i++) {
            b = lasso_places(store, ltl_child(store, formula, i), word);
            a = op == LTL_AND ? a & b : a | b;
        }
        return a;
    case LTL_IMPLIES:
        return all & (~a | b);
    case LTL_IFF:
        return all & ~(a ^ b);
    case LTL_XOR:
        return a ^ b;
    case LTL_X:
        for (uint32_t at = 0; at < word->length; at++)
            result |= (a >> lasso_next(word, at) & 1) << at;
        return result;
    case LTL_F:
        return lasso_until_everywhere(word, all, a);
    case LTL_G:
        return all & ~lasso_until_everywhere(word, all, all & ~a);
    case LTL_U:
        return lasso_until_everywhere(word, a, b);
    case LTL_W: /* a U b or G a */
        return all & ~lasso_until_everywhere(word, all & ~b, all & ~a & ~b);
    case LTL_R:
        return all & ~lasso_until_everywhere(word, all & ~a, all & ~b);
    default: /* M: b U (a & b) */
        return lasso_until_everywhere(word, b, a & b);
    }
}

#endif
