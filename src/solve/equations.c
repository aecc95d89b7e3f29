/* SPDX-License-Identifier: MIT */
/* Linear in the edges of the choices of the block, apart from the size of the integers. */
#include "solve/equations.h"

/* ---- integers ---- */

/* Appends an integer with value 0; NULL if out of memory. */
static mpz_ptr integers_add(solve_integers *integers, opac_error *error)
{
    if (integers->count == integers->initialised) {
        void *items = integers->items;
        if (base_reserve(&items, &integers->capacity, integers->count + 1, sizeof *integers->items,
                         error) != OPAC_OK)
            return NULL;
        integers->items = items;
        mpz_init(integers->items[integers->initialised++]);
    }
    mpz_ptr integer = integers->items[integers->count++];
    mpz_set_ui(integer, 0);
    return integer;
}

static void set_word(mpz_t integer, int64_t value)
{
    mpz_import(integer, 1, -1, sizeof value, 0, 0, &value); /* value > 0 */
}

opac_status solve_equations_init(solve_equations *equations, const solve_quotient *quotient,
                                 opac_error *error)
{
    *equations = (solve_equations){0};
    equations->position = base_alloc_zeroed(quotient->node_count, sizeof *equations->position);
    if (equations->position == NULL)
        return base_fail_memory(error);
    mpz_inits(equations->common, equations->denominator, equations->weight, equations->factor,
              equations->rest, NULL);
    return OPAC_OK;
}

void solve_equations_fini(solve_equations *equations)
{
    base_free(equations->position);
    base_free(equations->begin);
    base_u32_vec_fini(&equations->column);
    base_free(equations->value.items);
    base_free(equations->diagonal.items);
    base_free(equations->right.items);
    *equations = (solve_equations){0};
}

/* ---- a block ---- */

static bool is_inside(const solve_equations *equations, uint32_t node)
{
    return node >= equations->first_node && node - equations->first_node < equations->node_count;
}

/* Computes the common denominator of the values of earlier blocks that the block uses. */
static opac_status find_common(const solve_source *source, solve_equations *equations,
                               opac_error *error)
{
    const solve_quotient *quotient = source->quotient;
    uint32_t end = equations->first_choice + equations->choice_count;
    mpz_set_ui(equations->common, 1);
    for (uint32_t e = quotient->edge_begin[equations->first_choice]; e < quotient->edge_begin[end];
         e++) {
        uint32_t node = quotient->target[e];
        if (is_inside(equations, node))
            continue;
        if (node > equations->first_node)
            return base_fail(error, OPAC_ERROR_INTERNAL, "a block leads to a later one");
        mpq_t value;
        base_rational_view(source->value[node], value);
        mpz_lcm(equations->common, equations->common, mpq_denref(value));
    }
    return OPAC_OK;
}

/* Computes the common denominator of the probabilities of a choice. */
static opac_status find_denominator(const solve_source *source, uint32_t choice,
                                    solve_equations *equations, opac_error *error)
{
    const graph_process *process = source->problem->process;
    mpz_set_ui(equations->denominator, 1);
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        base_ratio ratio = source->problem->exact[e];
        if (!base_ratio_is_known(ratio))
            return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                             "a probability is not known as a fraction of 64-bit integers");
        if (ratio.numerator <= 0 || ratio.denominator < 0)
            return base_fail(error, OPAC_ERROR_ARGUMENT, "a probability is not above 0");
        set_word(equations->factor, ratio.denominator);
        mpz_lcm(equations->denominator, equations->denominator, equations->factor);
    }
    return OPAC_OK;
}

/* The value of a node's column in the row that begins at `begin`; adds the column if it is missing. */
static mpz_ptr find_column(solve_equations *equations, uint32_t node, size_t begin,
                           opac_error *error)
{
    uint32_t *position = &equations->position[node];
    if (*position == 0) {
        if (base_u32_vec_push(&equations->column, node - equations->first_node, error) != OPAC_OK)
            return NULL;
        if (integers_add(&equations->value, error) == NULL)
            return NULL;
        *position = (uint32_t)(equations->column.count - begin);
    }
    return equations->value.items[begin + *position - 1];
}

/* Adds the weight of an edge to the right side, the diagonal or a column. */
static opac_status add_edge(const solve_source *source, uint32_t own, uint32_t target, size_t begin,
                            solve_equations *equations, opac_error *error)
{
    mpz_ptr weight = equations->weight;
    mpz_ptr right = equations->right.items[equations->right.count - 1];
    uint32_t node = source->quotient->node[target];
    if (node == GRAPH_NONE) {
        if (base_bitset_has(source->gained, target))
            mpz_addmul(right, weight, equations->common);
    } else if (node == own) {
        mpz_ptr diagonal = equations->diagonal.items[equations->diagonal.count - 1];
        mpz_sub(diagonal, diagonal, weight);
    } else if (is_inside(equations, node)) {
        mpz_ptr value = find_column(equations, node, begin, error);
        if (value == NULL)
            return OPAC_ERROR_MEMORY;
        mpz_add(value, value, weight);
    } else {
        mpq_t known;
        base_rational_view(source->value[node], known);
        mpz_mul(weight, weight, mpq_numref(known));
        mpz_mul(weight, weight, equations->common);
        mpz_divexact(weight, weight, mpq_denref(known));
        mpz_add(right, right, weight);
    }
    return OPAC_OK;
}

/* Sets the weight to the probability of an edge times the denominator. */
static void set_weight(solve_equations *equations, base_ratio ratio)
{
    set_word(equations->factor, ratio.denominator);
    mpz_divexact(equations->weight, equations->denominator, equations->factor);
    set_word(equations->factor, ratio.numerator);
    mpz_mul(equations->weight, equations->weight, equations->factor);
    mpz_sub(equations->rest, equations->rest, equations->weight);
}

static opac_status add_choice(const solve_source *source, uint32_t own, uint32_t choice,
                              solve_equations *equations, opac_error *error)
{
    const graph_process *process = source->problem->process;
    TRY(find_denominator(source, choice, equations, error));
    mpz_ptr diagonal = integers_add(&equations->diagonal, error);
    if (diagonal == NULL || integers_add(&equations->right, error) == NULL)
        return OPAC_ERROR_MEMORY;
    mpz_set(diagonal, equations->denominator);
    mpz_set(equations->rest, equations->denominator);
    size_t begin = equations->column.count;
    for (uint32_t e = process->edge_begin[choice]; e < process->edge_begin[choice + 1]; e++) {
        set_weight(equations, source->problem->exact[e]);
        TRY(add_edge(source, own, process->target[e], begin, equations, error));
    }
    for (size_t i = begin; i < equations->column.count; i++)
        equations->position[equations->first_node + equations->column.items[i]] = 0;
    if (mpz_sgn(equations->rest) != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "the probabilities of a choice do not sum to exactly 1");
    if (mpz_sgn(equations->diagonal.items[equations->diagonal.count - 1]) <= 0)
        return base_fail(error, OPAC_ERROR_INTERNAL,
                         "a choice of the quotient never leaves its node");
    return OPAC_OK;
}

opac_status solve_equations_build(const solve_source *source, uint32_t block,
                                  solve_equations *equations, opac_error *error)
{
    const solve_quotient *quotient = source->quotient;
    uint32_t first = quotient->block_begin[block], end = quotient->block_begin[block + 1];
    equations->first_node = first;
    equations->node_count = end - first;
    equations->first_choice = quotient->choice_begin[first];
    equations->choice_count = quotient->choice_begin[end] - equations->first_choice;
    equations->column.count = equations->value.count = 0;
    equations->diagonal.count = equations->right.count = 0;
    void *begins = equations->begin;
    TRY(base_reserve(&begins, &equations->begin_capacity, (size_t)equations->choice_count + 1,
                     sizeof *equations->begin, error));
    equations->begin = begins;
    TRY(find_common(source, equations, error));
    for (uint32_t node = first; node < end; node++)
        for (uint32_t c = quotient->choice_begin[node]; c < quotient->choice_begin[node + 1]; c++) {
            equations->begin[c - equations->first_choice] = equations->column.count;
            TRY(add_choice(source, node, quotient->choice[c], equations, error));
        }
    equations->begin[equations->choice_count] = equations->column.count;
    return OPAC_OK;
}
