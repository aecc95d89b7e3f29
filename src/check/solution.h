/* SPDX-License-Identifier: MIT */
/* The contents of an opac_solution: the product, its solver, and the values of initial states. */
#ifndef CHECK_SOLUTION_H
#define CHECK_SOLUTION_H

#include <omegapac/check.h>

#include "base/rational.h"
#include "policy/definitions.h"
#include "product/product.h"
#include "product/rabin_pairs.h"
#include "solve/solver.h"

/* The value of an initial state of the model. */
typedef struct check_answer {
    opac_interval interval;
    bool between;         /* strictly between 0 and 1, by the graph */
    uint32_t start;       /* the best initial product state, or PRODUCT_NONE */
    base_rational *exact; /* NULL unless computed */
    char *fraction;       /* the same as text */
} check_answer;

struct opac_solution {
    const opac_model *model;
    opac_automaton *automaton;
    bool least, is_guess, is_bound, is_precise, has_policy;
    check_answer *answers; /* by initial state of the model */
    uint32_t answer_count;
    opac_verdict verdict;
    opac_solution_stats stats;
    char *objective, *formula; /* as text, and in LTL; formula may be NULL */
    /* For the policy. */
    policy_definition_vec definitions;
    uint64_t *letters;
    product_process product;
    product_rabin_pair_vec pairs;
    solve_solver *solver;
    solve_result result; /* of its last run */
};

#endif
