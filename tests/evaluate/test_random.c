/* SPDX-License-Identifier: MIT */
/*
 * Random models, policies and deterministic automata with Emerson-Lei
 * conditions, against an oracle that follows the definitions: all triples,
 * paths by transitive closure, a dense linear system with pivoting; in long
 * double and, where there is GMP, in fractions.
 */
#include "evaluate/evaluating.h"
#include "evaluate/outcome.h"
#include "support/rational.h"

#if defined(OMEGAPAC_HAVE_GMP)
#include "base/rational_gmp.h"
#endif

enum {
    MOST_STATES = 6,
    MOST_MEMORIES = 2,
    MOST_AUTOMATON = 3,
    MOST = MOST_STATES * MOST_MEMORIES * (MOST_AUTOMATON + 1)
};

/* ---- the oracle ---- */

typedef struct oracle {
    const opac_policy *policy;
    const opac_automaton *automaton;
    uint32_t states, count; /* triples; the automaton's last state: no move */
    base_ratio edge[MOST][MOST];
    bool path[MOST][MOST]; /* of at least one step */
    uint64_t marks[MOST];
    bool accepts[MOST]; /* it is in a bottom component that does */
} oracle;

static uint32_t number(const oracle *o, uint32_t s, uint32_t m, uint32_t q)
{
    return (q * o->policy->memory_count + m) * o->states + s;
}

static uint64_t letter_of(const oracle *o, uint32_t state)
{
    uint64_t letter = 0;
    for (uint32_t i = 0; i < o->automaton->proposition_count; i++) {
        const char *name = o->automaton->propositions[i];
        uint32_t label = model_label_find(o->policy->domain.model, name, strlen(name));
        if (opac_model_has_label(o->policy->domain.model, state, label))
            letter |= UINT64_C(1) << i;
    }
    return letter;
}

static void add_triple(oracle *o, uint32_t s, uint32_t m, uint32_t q)
{
    const opac_model *model = o->policy->domain.model;
    uint32_t from = number(o, s, m, q), dead = o->automaton->state_count, next = dead, memory = m;
    uint32_t choice = opac_policy_act(o->policy, s, &memory);
    for (uint32_t e = 0; q < dead && e < aut_edge_count(o->automaton); e++) {
        const aut_edge *edge = &o->automaton->edges[e];
        if (e < o->automaton->edge_begin[q] || e >= o->automaton->edge_begin[q + 1] ||
            aut_bdd_evaluate(o->automaton->labels, edge->label, letter_of(o, s)) != AUT_BDD_TRUE)
            continue;
        next = edge->target;
        o->marks[from] = edge->marks;
    }
    for (uint32_t i = 0; i < opac_model_branch_count(model, choice); i++) {
        uint32_t b = opac_model_branch_begin(model, choice) + i;
        uint32_t to = number(o, opac_model_branch_target(model, b), memory, next);
        o->edge[from][to] = model->exact[b];
        o->path[from][to] = true;
    }
}

static void judge(oracle *o)
{
    uint32_t dead = number(o, 0, 0, o->automaton->state_count);
    for (uint32_t k = 0; k < o->count; k++)
        for (uint32_t i = 0; i < o->count; i++)
            for (uint32_t j = 0; j < o->count; j++)
                o->path[i][j] |= o->path[i][k] && o->path[k][j];
    for (uint32_t i = 0; i < o->count; i++) {
        bool is_bottom = i < dead;
        uint64_t marks = 0;
        for (uint32_t j = 0; j < o->count; j++) {
            is_bottom &= !o->path[i][j] || o->path[j][i];
            if (o->path[i][j])
                marks |= o->marks[j];
        }
        o->accepts[i] = is_bottom && aut_condition_holds(&o->automaton->condition, marks);
    }
}

static void make_oracle(oracle *o, const opac_policy *policy, const opac_automaton *automaton)
{
    memset(o, 0, sizeof *o);
    o->policy = policy;
    o->automaton = automaton;
    o->states = opac_model_states(policy->domain.model);
    o->count = o->states * policy->memory_count * (automaton->state_count + 1);
    assert_true(o->count <= MOST);
    for (uint32_t s = 0; s < o->states; s++)
        for (uint32_t m = 0; m < policy->memory_count; m++)
            for (uint32_t q = 0; q <= automaton->state_count; q++)
                add_triple(o, s, m, q);
    judge(o);
}

/* Whether a triple's value is not known at once; *value: it. */
static bool is_unknown(const oracle *o, uint32_t i, int *value)
{
    bool reaches = o->accepts[i];
    for (uint32_t j = 0; j < o->count; j++)
        reaches |= o->path[i][j] && o->accepts[j];
    *value = o->accepts[i];
    return reaches && !o->accepts[i];
}

/* Gauss-Jordan with the largest pivot, in long double. */
static void solve_numbers(const oracle *o, long double *x)
{
    static long double a[MOST][MOST + 1];
    int value;
    uint32_t n = o->count;
    memset(a, 0, sizeof a);
    for (uint32_t i = 0; i < n; i++) {
        a[i][i] = 1;
        if (is_unknown(o, i, &value)) {
            for (uint32_t j = 0; j < n; j++)
                if (o->edge[i][j].denominator != 0)
                    a[i][j] -= (long double)o->edge[i][j].numerator /
                               (long double)o->edge[i][j].denominator;
        } else {
            a[i][n] = value;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k; i < n; i++)
            if (a[i][k] * a[i][k] > a[best][k] * a[best][k])
                best = i;
        for (uint32_t j = 0; j <= n; j++) {
            long double other = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = other;
        }
        for (uint32_t i = 0; i < n; i++) {
            long double factor = i != k ? a[i][k] / a[k][k] : 0;
            for (uint32_t j = k; factor != 0 && j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (uint32_t i = 0; i < n; i++)
        x[i] = a[i][n] / a[i][i];
}

#if defined(OMEGAPAC_HAVE_GMP)
static mpq_t cell[MOST][MOST + 1];

static void load_cells(const oracle *o)
{
    mpq_t ratio;
    mpq_init(ratio);
    for (uint32_t i = 0; i < o->count; i++) {
        int value;
        bool unknown = is_unknown(o, i, &value);
        for (uint32_t j = 0; j <= o->count; j++) {
            mpq_init(cell[i][j]);
            mpq_set_si(cell[i][j], i == j, 1);
            if (unknown && j < o->count && o->edge[i][j].denominator != 0) {
                base_rational_from_ratio(ratio, o->edge[i][j]);
                mpq_sub(cell[i][j], cell[i][j], ratio);
            }
        }
        if (!unknown)
            mpq_set_si(cell[i][o->count], value, 1);
    }
    mpq_clear(ratio);
}

static void reduce_cells(uint32_t n)
{
    mpq_t factor, product;
    mpq_inits(factor, product, NULL);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t pivot = k;
        while (mpq_sgn(cell[pivot][k]) == 0)
            pivot++;
        for (uint32_t j = 0; j <= n; j++)
            mpq_swap(cell[k][j], cell[pivot][j]);
        for (uint32_t i = 0; i < n; i++) {
            if (i == k || mpq_sgn(cell[i][k]) == 0)
                continue;
            mpq_div(factor, cell[i][k], cell[k][k]);
            for (uint32_t j = k; j <= n; j++) {
                mpq_mul(product, factor, cell[k][j]);
                mpq_sub(cell[i][j], cell[i][j], product);
            }
        }
    }
    mpq_clears(factor, product, NULL);
}

/* The evaluation's fraction is that of the oracle, to the last digit. */
static void compare_fractions(const oracle *o, const opac_objective *objective)
{
    const opac_model *model = o->policy->domain.model;
    opac_evaluation *evaluation = evaluate(o->policy, objective, true);
    opac_error error;
    load_cells(o);
    reduce_cells(o->count);
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++) {
        uint32_t state = opac_model_initial(model, i);
        uint32_t row = number(o, state, opac_policy_start(o->policy, state), 0);
        double value, lower, upper;
        base_rational *expected;
        char *text;
        mpq_div(cell[row][o->count], cell[row][o->count], cell[row][row]);
        mpq_set_si(cell[row][row], 1, 1); /* two initial states may be one row */
        assert_ok(base_rational_new(&expected, &error), &error);
        assert_ok(base_rational_keep(expected, cell[row][o->count], &error), &error);
        assert_ok(base_rational_format(expected, &text, &error), &error);
        rational_to_double(expected, &value, &lower, &upper);
        base_rational_free(expected);
        assert_string_equal(opac_evaluation_fraction(evaluation, i), text);
        opac_interval interval = opac_evaluation_interval(evaluation, i);
        assert_true(interval.value == value);
        assert_true(interval.lower == lower);
        assert_true(interval.upper == upper);
        base_free(text);
    }
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t j = 0; j <= o->count; j++)
            mpq_clear(cell[i][j]);
    opac_evaluation_free(evaluation);
}
#else
static void compare_fractions(const oracle *o, const opac_objective *objective)
{
    (void)o, (void)objective;
}
#endif

/* ---- comparing ---- */

static uint32_t between; /* probabilities other than 0 and 1 that were compared */

/* What the graph decides is exact; all else is enclosed, and close. */
static void compare_numbers(const oracle *o, const opac_objective *objective)
{
    static long double x[MOST];
    const opac_model *model = o->policy->domain.model;
    opac_evaluation *evaluation = evaluate(o->policy, objective, false);
    solve_numbers(o, x);
    for (uint32_t i = 0; i < opac_model_initial_count(model); i++) {
        uint32_t state = opac_model_initial(model, i);
        uint32_t row = number(o, state, opac_policy_start(o->policy, state), 0);
        opac_interval interval = opac_evaluation_interval(evaluation, i);
        bool may_lose = false, may_win = o->accepts[row];
        for (uint32_t j = 0; j < o->count; j++) {
            may_win |= o->path[row][j] && o->accepts[j];
            bool back = false;
            for (uint32_t k = 0; k < o->count; k++)
                back |= o->accepts[k] && (o->path[j][k] || (j == k));
            may_lose |= (o->path[row][j] || row == j) && !back;
        }
        if (!may_win || !may_lose) {
            assert_true(interval.lower == may_win);
            assert_true(interval.upper == may_win);
            assert_true(interval.value == may_win);
        } else {
            between++;
            assert_true(interval.lower > 0);
            assert_true(interval.upper < 1);
            assert_encloses(interval, x[row], 1e-12);
        }
    }
    assert_false(opac_evaluation_is_bound(evaluation));
    assert_null(opac_evaluation_fraction(evaluation, 0));
    opac_evaluation_free(evaluation);
}

static void compare_round(uint64_t *random, uint32_t states, uint32_t branches, uint32_t memories)
{
    static oracle o;
    opac_model *model = random_fractions(random, states, 3, branches);
    opac_policy *policy = random_policy(random, model, memories);
    random_automaton_shape shape = random_automaton_draw(random, MOST_AUTOMATON, 2, 3);
    shape.is_deterministic = true;
    shape.mark_percent = 30;
    shape.edge_percent = random_below(random, 3) == 0 ? 90 : 100;
    opac_automaton *automaton = random_automaton(random, shape, NULL);
    opac_objective objective = {.automaton = automaton};
    make_oracle(&o, policy, automaton);
    compare_numbers(&o, &objective);
    compare_fractions(&o, &objective);
    opac_automaton_free(automaton);
    opac_policy_free(policy);
    opac_model_free(model);
}

static void test_small(void **state)
{
    (void)state;
    uint64_t random = random_seed(101);
    for (int round = 0; round < 1500; round++)
        compare_round(&random, 1 + random_below(&random, MOST_STATES), 2, 1);
    assert_true(between > 30);
}

static void test_larger(void **state)
{
    (void)state;
    uint64_t random = random_seed(102);
    for (int round = 0; round < 1000; round++)
        compare_round(&random, MOST_STATES, 2 + random_below(&random, 2),
                      1 + random_below(&random, MOST_MEMORIES));
    assert_true(between > 30);
}

SUITE(random)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_larger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
