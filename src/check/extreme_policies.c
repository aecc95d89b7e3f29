/* SPDX-License-Identifier: MIT */
#include "check/extreme_policies.h"

#include "base/alloc.h"
#include "product/rabin_pairs.h"
#include "product/universal_states.h"
#include "solve/solver.h"

typedef struct search {
    const check_extreme_policies_input *input;
    product_rabin_pair_vec pairs;
    base_bitset universal; /* states of the automaton */
    uint64_t *marks;       /* scratch, by state of the automaton */
    solve_solver *solver;
    solve_result result;
} search;

static opac_status find_universal(search *x, opac_error *error)
{
    const opac_automaton *automaton = x->input->automaton;
    uint32_t count = opac_automaton_states(automaton);
    TRY(base_bitset_init(&x->universal, count, error));
    x->marks = base_alloc(count, sizeof *x->marks);
    if (x->marks == NULL)
        return base_fail_memory(error);
    return product_find_universal_states(automaton, &x->universal, x->marks, error);
}

static opac_status solve(search *x, opac_error *error)
{
    const check_extreme_policies_input *q = x->input;
    bool everywhere = false;
    TRY(product_rabin_pairs(&q->automaton->condition, &x->pairs, &everywhere, error));
    for (uint32_t c = 0; everywhere && c < q->product->process.choice_count; c++)
        q->product->marks[c] |= PRODUCT_MARK_ALWAYS;
    const solve_problem problem = {.process = &q->product->process,
                                   .marks = q->product->marks,
                                   .pairs = x->pairs.items,
                                   .pair_count = (uint32_t)x->pairs.count,
                                   .exact = q->product->exact};
    const solve_options options = {
        .complement = q->least, .cancel = q->cancel, .progress = q->progress};
    TRY(solve_solver_new(&x->solver, error));
    return solve_run(x->solver, &problem, &options, &x->result, error);
}

/* The expected probability of acceptance after a choice of the product. */
static double expected_value(const search *x, uint32_t choice)
{
    const graph_process *p = &x->input->product->process;
    const double *value = x->input->least ? x->result.upper : x->result.lower;
    double sum = 0;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        sum += p->prob[e] * value[p->target[e]];
    return x->input->least ? -sum : sum; /* upper is that of the complement */
}

static uint32_t worst_choice(const search *x, uint32_t product_state)
{
    const graph_process *p = &x->input->product->process;
    uint32_t worst = p->choice_begin[product_state];
    for (uint32_t c = worst + 1; c < p->choice_begin[product_state + 1]; c++)
        if (expected_value(x, c) < expected_value(x, worst))
            worst = c;
    return worst;
}

static uint32_t best_choice(const search *x, uint32_t product_state)
{
    const product_process *product = x->input->product;
    uint32_t choice = x->result.choice[product_state];
    bool is_universal = product->state[product_state] == PRODUCT_NONE ||
                        base_bitset_has(&x->universal, product->memory[product_state]);
    return is_universal || choice == GRAPH_NONE ? product->process.choice_begin[product_state]
                                                : choice;
}

/* The choices of a product state have the same order in the target process, where a product state without
 * choices has one. */
static void translate(const search *x, uint32_t *optimal, uint32_t *worst)
{
    const graph_process *target = &x->input->target->process;
    const graph_process *product = &x->input->product->process;
    for (uint32_t s = 0; s < target->state_count; s++) {
        optimal[s] = worst[s] = target->choice_begin[s];
        if (s >= product->state_count || product->choice_begin[s] == product->choice_begin[s + 1])
            continue;
        optimal[s] += best_choice(x, s) - product->choice_begin[s];
        worst[s] += worst_choice(x, s) - product->choice_begin[s];
    }
}

opac_status check_extreme_policies(const check_extreme_policies_input *input, uint32_t *optimal,
                                   uint32_t *worst, opac_error *error)
{
    search x = {.input = input};
    opac_status status;
    TRY_OR(done, find_universal(&x, error));
    TRY_OR(done, solve(&x, error));
    translate(&x, optimal, worst);
done:
    solve_solver_free(x.solver);
    product_rabin_pair_vec_fini(&x.pairs);
    base_bitset_fini(&x.universal);
    base_free(x.marks);
    return status;
}
