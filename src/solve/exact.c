/* SPDX-License-Identifier: MIT */
/*
 * Policy iteration (Howard 1960) in integers. A quotient has no end component, so the equations of every
 * policy have exactly one solution, and a policy that no choice improves is optimal. For each policy, a
 * block of n nodes costs a sparse factorisation modulo a prime, and a pass over the factors for each 61
 * bits of the solution (padic_lifting.h). In general the solution has O(n) digits, and few if much
 * cancels.
 */
#include "solve/exact.h"

#include "base/alloc.h"

void solve_exact_fini(solve_exact *exact)
{
    for (uint32_t node = 0; exact->value != NULL && node < exact->count; node++)
        base_rational_free(exact->value[node]);
    base_free(exact->value);
    *exact = (solve_exact){0};
}

#if defined(OMEGAPAC_HAVE_GMP)

#include "base/work.h"
#include "solve/equations.h"
#include "solve/padic_lifting.h"

#define MOST_WORDS ((size_t)1 << 28) /* size of all values together, in words of 64 bits */

/* A policy of the current block, its equations, and their solution. */
typedef struct trial {
    uint32_t count;
    uint32_t
        *policy; /* by node of the block: a choice, counted from the first choice of the block */
    size_t *begin;
    uint32_t *column;
    mpz_srcptr *value, *diagonal, *right;
    mpz_t *top, bottom;
} trial;

typedef struct search {
    solve_source source;
    const double *approximation; /* by node: approximate values; may be NULL */
    const opac_cancel *cancel;
    opac_error *error;
    solve_equations equations;
    trial trial; /* on failure its arrays are freed after base_gmp_run */
    mpz_t sum, product;
    mpq_t fraction;
    uint32_t *optimal; /* by node */
    size_t words;      /* total size of the values so far */
} search;

static opac_status trial_init(search *s)
{
    trial *t = &s->trial;
    size_t cells = s->equations.column.count;
    *t = (trial){.count = s->equations.node_count};
    t->policy = base_alloc(t->count, sizeof *t->policy);
    t->begin = base_alloc((size_t)t->count + 1, sizeof *t->begin);
    t->column = base_alloc(cells, sizeof *t->column);
    t->value = base_alloc(cells, sizeof(mpz_srcptr));
    t->diagonal = base_alloc(t->count, sizeof(mpz_srcptr));
    t->right = base_alloc(t->count, sizeof(mpz_srcptr));
    t->top = base_alloc(t->count, sizeof *t->top);
    if (t->policy == NULL || t->begin == NULL || t->column == NULL || t->value == NULL ||
        t->diagonal == NULL || t->right == NULL || t->top == NULL)
        return base_fail_memory(s->error);
    mpz_init(t->bottom);
    for (uint32_t v = 0; v < t->count; v++)
        mpz_init(t->top[v]);
    return OPAC_OK;
}

static void trial_fini(trial *t)
{
    base_free(t->policy);
    base_free(t->begin);
    base_free(t->column);
    base_free(t->value);
    base_free(t->diagonal);
    base_free(t->right);
    base_free(t->top);
    *t = (trial){0};
}

/* ---- comparing values: larger is better; smaller for complements ---- */

/* Positive if a is better than b. */
static int compare(const search *s, mpz_srcptr a, mpz_srcptr b)
{
    int order = mpz_cmp(a, b);
    return s->source.quotient->complement ? -order : order;
}

/* The best choice according to the approximate values, or the first choice if there are none. */
static uint32_t initial_choice(const search *s, uint32_t node)
{
    const solve_quotient *quotient = s->source.quotient;
    uint32_t best = quotient->choice_begin[node];
    double best_value = 0;
    for (uint32_t c = best; s->approximation != NULL && c < quotient->choice_begin[node + 1]; c++) {
        double value = quotient->gain[c], self = 0;
        for (uint32_t e = quotient->edge_begin[c]; e < quotient->edge_begin[c + 1]; e++) {
            if (quotient->target[e] == node)
                self += quotient->prob[e];
            else
                value += quotient->prob[e] * s->approximation[quotient->target[e]];
        }
        value /= 1 - self;
        if (c == quotient->choice_begin[node] ||
            (quotient->complement ? value < best_value : value > best_value)) {
            best = c;
            best_value = value;
        }
    }
    return best - s->equations.first_choice;
}

/* ---- a block ---- */

static opac_status evaluate(search *s, trial *t)
{
    const solve_equations *equations = &s->equations;
    size_t cells = 0;
    for (uint32_t v = 0; v < t->count; v++) {
        uint32_t c = t->policy[v];
        t->begin[v] = cells;
        t->diagonal[v] = equations->diagonal.items[c];
        t->right[v] = equations->right.items[c];
        for (size_t i = equations->begin[c]; i < equations->begin[c + 1]; i++) {
            t->column[cells] = equations->column.items[i];
            t->value[cells++] = equations->value.items[i];
        }
    }
    t->begin[t->count] = cells;
    const solve_system system = {t->count, t->begin, t->column, t->value, t->diagonal, t->right};
    return solve_system_lift(&system, (solve_lift_limits){0}, s->cancel, t->top, &t->bottom,
                             s->error);
}

/* Sets s->sum to the backup of a choice with the trial's solution, times its diagonal. */
static void compute_backup(search *s, const trial *t, uint32_t c)
{
    const solve_equations *equations = &s->equations;
    mpz_mul(s->sum, equations->right.items[c], t->bottom);
    for (size_t i = equations->begin[c]; i < equations->begin[c + 1]; i++)
        mpz_addmul(s->sum, equations->value.items[i], t->top[equations->column.items[i]]);
}

/*
 * Switches node v to the first choice that is better than its current one; otherwise records the first that
 * is as good. It does not look for the best choice, because usually the policy is already optimal.
 */
static bool improve_node(search *s, trial *t, uint32_t v)
{
    const solve_equations *equations = &s->equations;
    const uint32_t *choice_begin = s->source.quotient->choice_begin;
    uint32_t node = equations->first_node + v, first = equations->first_choice;
    s->optimal[node] = GRAPH_NONE;
    for (uint32_t c = choice_begin[node] - first; c < choice_begin[node + 1] - first; c++) {
        compute_backup(s, t, c);
        mpz_mul(s->product, equations->diagonal.items[c], t->top[v]);
        int order = compare(s, s->sum, s->product);
        if (order > 0) {
            t->policy[v] = c;
            return true;
        }
        if (order == 0 && s->optimal[node] == GRAPH_NONE)
            s->optimal[node] = first + c;
    }
    return false;
}

/* Stores top / bottom as the value of a node. */
static opac_status set_value(search *s, uint32_t node, mpz_srcptr top, mpz_srcptr bottom)
{
    mpq_ptr value = s->fraction;
    mpz_set(mpq_numref(value), top);
    mpz_set(mpq_denref(value), bottom);
    mpq_canonicalize(value);
    s->words += mpz_size(mpq_numref(value)) + mpz_size(mpq_denref(value));
    if (s->words > MOST_WORDS)
        return base_fail(s->error, OPAC_ERROR_LIMIT, "the exact values have too many digits");
    return base_rational_keep(s->source.value[node], value, s->error);
}

/* Improves the policy until it is optimal, and stores its solution. */
static opac_status iterate(search *s, trial *t)
{
    bool improved = true;
    while (improved) {
        TRY(evaluate(s, t));
        improved = false;
        for (uint32_t v = 0; v < t->count; v++) {
            improved |= improve_node(s, t, v);
            if (opac_cancel_requested(s->cancel))
                return base_fail_stopped(s->error, s->cancel, "solving");
        }
    }
    mpz_mul(t->bottom, t->bottom, s->equations.common);
    for (uint32_t v = 0; v < t->count; v++)
        TRY(set_value(s, s->equations.first_node + v, t->top[v], t->bottom));
    return OPAC_OK;
}

static opac_status solve_block(search *s)
{
    trial *t = &s->trial;
    TRY(trial_init(s));
    for (uint32_t v = 0; v < t->count; v++)
        t->policy[v] = initial_choice(s, s->equations.first_node + v);
    TRY(iterate(s, t));
    mpz_clear(t->bottom);
    for (uint32_t v = 0; v < t->count; v++)
        mpz_clear(t->top[v]);
    trial_fini(t);
    return OPAC_OK;
}

/* A block of one node needs no policy iteration: each equation gives the value of its choice. */
static opac_status solve_single(search *s)
{
    const solve_equations *equations = &s->equations;
    uint32_t best = 0;
    for (uint32_t c = 1; c < equations->choice_count; c++) {
        mpz_mul(s->sum, equations->right.items[c], equations->diagonal.items[best]);
        mpz_mul(s->product, equations->right.items[best], equations->diagonal.items[c]);
        if (compare(s, s->sum, s->product) > 0)
            best = c;
    }
    s->optimal[equations->first_node] = equations->first_choice + best;
    mpz_mul(s->product, equations->diagonal.items[best], equations->common);
    return set_value(s, equations->first_node, equations->right.items[best], s->product);
}

static opac_status solve_blocks(search *s)
{
    const solve_quotient *quotient = s->source.quotient;
    for (uint32_t block = 0; block < quotient->block_count; block++) {
        if (opac_cancel_requested(s->cancel))
            return base_fail_stopped(s->error, s->cancel, "solving");
        TRY(solve_equations_build(&s->source, block, &s->equations, s->error));
        TRY(s->equations.node_count == 1 ? solve_single(s) : solve_block(s));
    }
    return OPAC_OK;
}

static opac_status compute(void *context, opac_error *error)
{
    search *s = context;
    TRY(solve_equations_init(&s->equations, s->source.quotient, error));
    mpz_inits(s->sum, s->product, NULL);
    mpq_init(s->fraction);
    return solve_blocks(s);
}

static opac_status run(search *s)
{
    opac_status status = base_gmp_run(compute, s, s->error);
    solve_equations_fini(&s->equations);
    trial_fini(&s->trial);
    return status;
}

static opac_status allocate_values(uint32_t count, solve_exact *exact, opac_error *error)
{
    *exact = (solve_exact){.value = base_alloc_zeroed(count, sizeof(base_rational *))};
    if (exact->value == NULL)
        return base_fail_memory(error);
    for (; exact->count < count; exact->count++)
        TRY(base_rational_new(&exact->value[exact->count], error));
    return OPAC_OK;
}

opac_status solve_exact_find(const solve_problem *problem, const base_bitset *zero,
                             const base_bitset *one, const solve_quotient *quotient,
                             const solve_values *values, const opac_cancel *cancel,
                             graph_workspace *workspace, solve_exact *exact, opac_error *error)
{
    *exact = (solve_exact){0};
    if (problem->exact == NULL)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                         "the probabilities are not known as fractions");
    graph_place place = graph_workspace_mark(workspace);
    uint32_t *optimal = graph_take_u32(workspace, quotient->node_count);
    opac_status status;
    TRY_OR(done, allocate_values(quotient->node_count, exact, error));
    if (optimal == NULL)
        TRY_OR(done, base_fail_memory(error));
    search s = {
        .source = {problem, quotient->complement ? zero : one, quotient, exact->value},
        .approximation = values != NULL ? values->lower : NULL,
        .cancel = cancel,
        .error = error,
        .optimal = optimal,
    };
    exact->optimal = optimal;
    status = run(&s);
done:
    if (status != OPAC_OK) {
        solve_exact_fini(exact);
        graph_workspace_release(workspace, place);
    }
    return status;
}

#else

opac_status solve_exact_find(const solve_problem *problem, const base_bitset *zero,
                             const base_bitset *one, const solve_quotient *quotient,
                             const solve_values *values, const opac_cancel *cancel,
                             graph_workspace *workspace, solve_exact *exact, opac_error *error)
{
    (void)problem, (void)zero, (void)one, (void)quotient, (void)values, (void)cancel;
    (void)workspace;
    *exact = (solve_exact){0};
    base_rational *none;
    return base_rational_new(&none, error); /* fails, and sets the error */
}

#endif
