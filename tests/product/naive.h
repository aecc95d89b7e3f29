/* SPDX-License-Identifier: MIT */
/*
 * The product by its definition, with recursion over product states: which are reachable, and the choices of
 * each. It shares no code with the index: labels are evaluated by setting one proposition after the other.
 */
#ifndef TESTS_PRODUCT_NAIVE_H
#define TESTS_PRODUCT_NAIVE_H

#include "scene.h"

typedef struct naive {
    const scene *of;
    bool *seen; /* state * memories + memory */
    uint32_t count;
} naive;

typedef struct naive_choice {
    uint32_t choice, memory; /* of the model; PRODUCT_NONE: epsilon */
    uint64_t marks;
} naive_choice;

static inline bool naive_reads(const opac_automaton *a, aut_bdd label, uint64_t letter)
{
    if (label == AUT_EPSILON)
        return false;
    for (uint32_t i = 0; i < a->proposition_count; i++)
        label = aut_bdd_restrict(a->labels, label, i, (letter >> i) & 1);
    return label == AUT_BDD_TRUE;
}

/* All choices of a product state, in order; returns their number. */
static inline uint32_t naive_choices(const scene *x, uint32_t state, uint32_t memory,
                                     naive_choice *choices, uint32_t most)
{
    const opac_automaton *a = x->automaton;
    uint32_t count = 0, begin = opac_model_choice_begin(x->model, state);
    for (uint32_t c = begin; c < begin + opac_model_choice_count(x->model, state); c++)
        for (uint32_t e = a->edge_begin[memory]; e < a->edge_begin[memory + 1]; e++)
            if (naive_reads(a, a->edges[e].label, x->letters[state])) {
                assert_true(count < most);
                choices[count++] = (naive_choice){c, a->edges[e].target, a->edges[e].marks};
            }
    for (uint32_t e = a->edge_begin[memory]; e < a->edge_begin[memory + 1]; e++)
        if (a->edges[e].label == AUT_EPSILON) {
            assert_true(count < most);
            choices[count++] = (naive_choice){PRODUCT_NONE, a->edges[e].target, a->edges[e].marks};
        }
    return count;
}

static inline void naive_visit(naive *n, uint32_t state, uint32_t memory)
{
    naive_choice choices[256];
    bool *seen = &n->seen[state * n->of->automaton->state_count + memory];
    if (*seen)
        return;
    *seen = true;
    n->count++;
    uint32_t count = naive_choices(n->of, state, memory, choices, 256);
    for (uint32_t i = 0; i < count; i++) {
        if (choices[i].choice == PRODUCT_NONE) {
            naive_visit(n, state, choices[i].memory);
            continue;
        }
        uint32_t begin = opac_model_branch_begin(n->of->model, choices[i].choice);
        uint32_t branches = opac_model_branch_count(n->of->model, choices[i].choice);
        for (uint32_t e = begin; e < begin + branches; e++)
            naive_visit(n, opac_model_branch_target(n->of->model, e), choices[i].memory);
    }
}

/* Explores from the initial product states. */
static inline naive naive_build(const scene *x)
{
    naive n = {.of = x};
    n.seen =
        calloc((size_t)opac_model_states(x->model) * x->automaton->state_count, sizeof *n.seen);
    assert_non_null(n.seen);
    for (uint32_t i = 0; i < opac_model_initial_count(x->model); i++)
        for (uint32_t j = 0; j < x->automaton->initial_count; j++)
            naive_visit(&n, opac_model_initial(x->model, i), x->automaton->initial[j]);
    return n;
}

/* Whether a path of at least one epsilon edge leads from `from` to `to`. */
static inline bool naive_silent(const opac_automaton *a, uint32_t from, uint32_t to, uint32_t steps)
{
    for (uint32_t e = a->edge_begin[from]; steps > 0 && e < a->edge_begin[from + 1]; e++)
        if (a->edges[e].label == AUT_EPSILON &&
            (a->edges[e].target == to || naive_silent(a, a->edges[e].target, to, steps - 1)))
            return true;
    return false;
}

static inline bool naive_has_silent_cycle(const opac_automaton *a)
{
    for (uint32_t q = 0; q < a->state_count; q++)
        if (naive_silent(a, q, q, a->state_count))
            return true;
    return false;
}

#endif
