/* SPDX-License-Identifier: MIT */
/* Access to a solution, and its policy. */
#include "check/solution.h"

#include <assert.h>

#include "base/alloc.h"
#include "policy/policy.h"

void opac_solution_free(opac_solution *solution)
{
    if (solution == NULL)
        return;
    for (uint32_t i = 0; solution->answers != NULL && i < solution->answer_count; i++) {
        base_rational_free(solution->answers[i].exact);
        base_free(solution->answers[i].fraction);
    }
    base_free(solution->answers);
    base_free(solution->objective);
    base_free(solution->formula);
    policy_definitions_fini(&solution->definitions);
    base_free(solution->letters);
    solve_solver_free(solution->solver);
    product_fini(&solution->product);
    product_rabin_pair_vec_fini(&solution->pairs);
    opac_automaton_free(solution->automaton);
    base_free(solution);
}

opac_interval opac_solution_interval(const opac_solution *solution, uint32_t index)
{
    assert(index < solution->answer_count);
    return solution->answers[index].interval;
}

const char *opac_solution_fraction(const opac_solution *solution, uint32_t index)
{
    assert(index < solution->answer_count);
    return solution->answers[index].fraction;
}

opac_verdict opac_solution_verdict(const opac_solution *solution)
{
    return solution->verdict;
}

bool opac_solution_is_precise(const opac_solution *solution)
{
    return solution->is_precise;
}

bool opac_solution_is_bound(const opac_solution *solution)
{
    return solution->is_bound;
}

bool opac_solution_is_least(const opac_solution *solution)
{
    return solution->least;
}

const opac_automaton *opac_solution_automaton(const opac_solution *solution)
{
    return solution->automaton;
}

opac_solution_stats opac_solution_get_stats(const opac_solution *solution)
{
    return solution->stats;
}

opac_status opac_solution_policy(const opac_solution *solution, opac_policy **policy,
                                 opac_error *error)
{
    const policy_objective objective = {.automaton = solution->automaton,
                                        .letters = solution->letters,
                                        .text = solution->objective,
                                        .formula = solution->formula,
                                        .definitions = &solution->definitions,
                                        .complement = solution->least};
    *policy = NULL;
    if (!solution->has_policy)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the solution has no policy: set the option policy");
    uint32_t *start = base_alloc(solution->answer_count, sizeof *start);
    if (start == NULL)
        return base_fail_memory(error);
    for (uint32_t i = 0; i < solution->answer_count; i++)
        start[i] = solution->answers[i].start;
    opac_status status =
        policy_from_product(solution->model, &solution->product, solution->result.choice, start,
                            &objective, policy, error);
    base_free(start);
    return status;
}
