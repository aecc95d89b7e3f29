/* SPDX-License-Identifier: MIT */
/* Reduction of deterministic automata, and its parts. */
#include "aut/checks.h"
#include "aut/clauses.h"
#include "aut/compare.h"
#include "aut/dominated_marks.h"
#include "aut/reduce.h"
#include "aut/table.h"
#include "aut/trim.h"
#include "conversion.h"
#include "support/automaton_checks.h"

static opac_status reduce(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    if (!given->is_deterministic)
        return base_fail(error, OPAC_ERROR_UNSUPPORTED, "not deterministic");
    return aut_reduce(given, made, error);
}

static void is_no_larger(const opac_automaton *given, const opac_automaton *made)
{
    assert_true(made->state_count <= given->state_count);
}

static void reduced_automata_accept_the_same(void **state)
{
    (void)state;
    assert_true(conversion_sweep(reduce, is_no_larger, 401, 3000, 4) > 1000);
}

/* ---- languages of states ---- */

/* The automaton with another initial state. */
static bool accepts_from(opac_automaton *automaton, uint32_t state, const ltl_lasso *word)
{
    uint32_t kept = automaton->initial[0];
    automaton->initial[0] = state;
    bool accepts = word_accepts(automaton, word);
    automaton->initial[0] = kept;
    return accepts;
}

/* Random deterministic automata without dead states, of one kind of condition. */
static opac_automaton *draw_trimmed(uint64_t *random, uint32_t propositions)
{
    random_automaton_shape shape = random_automaton_draw(random, 6, propositions, 3);
    opac_automaton *made;
    opac_error error;
    shape.is_deterministic = true;
    shape.epsilon_percent = 0;
    opac_automaton *given = random_automaton(random, shape, NULL);
    assert_ok(aut_trim(given, &made, &error), &error);
    opac_automaton_free(given);
    return made;
}

/* States with different residuals differ on some enumerated word, and states with the same residual on
 * none. */
static void check_residuals(opac_automaton *automaton, const uint32_t *residual)
{
    for (uint32_t p = 0; p < automaton->state_count; p++)
        for (uint32_t q = 0; q < p; q++) {
            bool differ = false;
            word_sample sample;
            for (uint64_t i = 0;
                 !differ && word_enumerate(automaton->proposition_count, 6, i, &sample); i++)
                differ = accepts_from(automaton, p, &sample.word) !=
                         accepts_from(automaton, q, &sample.word);
            if (differ)
                assert_int_not_equal(residual[p], residual[q]);
            else
                assert_int_equal(residual[p], residual[q]);
        }
}

static void residuals_are_languages(void **state)
{
    uint64_t random = random_seed(402);
    opac_error error;
    (void)state;
    for (int i = 0; i < 150; i++) {
        opac_automaton *automaton = draw_trimmed(&random, 1);
        aut_table table;
        aut_comparison comparison;
        uint32_t residual[8];
        bool fits, known;
        assert_ok(aut_table_of(automaton, 1 << 16, &table, &fits, &error), &error);
        assert_true(fits);
        assert_ok(
            aut_comparison_init(&comparison, &automaton->condition, automaton->mark_count, &error),
            &error);
        assert_ok(aut_comparison_residuals(&comparison, &table, 1 << 20, residual, &known, &error),
                  &error);
        assert_true(known);
        if (aut_edge_count(automaton) > 0)
            check_residuals(automaton, residual);
        aut_comparison_fini(&comparison);
        aut_table_fini(&table);
        opac_automaton_free(automaton);
    }
}

/* In a weak automaton that is reduced, no two states have the same language. */
static void weak_automata_become_minimal(void **state)
{
    uint64_t random = random_seed(407);
    opac_error error;
    int weak = 0;
    (void)state;
    for (int i = 0; i < 4000; i++) {
        opac_automaton *given = draw_trimmed(&random, 2), *made;
        aut_language language;
        assert_ok(aut_language_of(given, &language, &error), &error);
        assert_ok(aut_reduce(given, &made, &error), &error);
        if (language.is_weak && aut_edge_count(made) > 0) {
            aut_table table;
            aut_comparison comparison;
            uint32_t residual[8];
            bool fits, known;
            weak++;
            assert_ok(aut_table_of(made, 1 << 16, &table, &fits, &error), &error);
            assert_ok(aut_comparison_init(&comparison, &made->condition, made->mark_count, &error),
                      &error);
            assert_ok(
                aut_comparison_residuals(&comparison, &table, 1 << 20, residual, &known, &error),
                &error);
            for (uint32_t s = 0; s < made->state_count; s++)
                assert_int_equal(residual[s], s);
            aut_comparison_fini(&comparison);
            aut_table_fini(&table);
        }
        opac_automaton_free(made);
        opac_automaton_free(given);
    }
    assert_true(weak > 500);
}

/* ---- tables ---- */

static void tables_keep_the_automaton(void **state)
{
    uint64_t random = random_seed(403);
    opac_error error;
    (void)state;
    for (int i = 0; i < 500; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 6, 3, 4);
        shape.is_deterministic = true;
        shape.epsilon_percent = 0;
        opac_automaton *given = random_automaton(&random, shape, NULL), *made;
        aut_table table;
        bool fits;
        assert_ok(aut_table_of(given, 1 << 16, &table, &fits, &error), &error);
        assert_true(fits);
        for (uint32_t s = 0; s < given->state_count; s++)
            for (uint64_t letter = 0; letter < UINT64_C(1) << given->proposition_count; letter++) {
                uint32_t class = 0, target = AUT_NO_STATE;
                while (aut_bdd_evaluate(given->labels, table.label[class], letter) != AUT_BDD_TRUE)
                    class ++;
                for (uint32_t e = given->edge_begin[s]; e < given->edge_begin[s + 1]; e++)
                    if (aut_bdd_evaluate(given->labels, given->edges[e].label, letter) ==
                        AUT_BDD_TRUE)
                        target = given->edges[e].target;
                assert_int_equal(table.target[s * table.classes + class], target);
            }
        assert_ok(
            aut_table_automaton(&table, given, &given->condition, given->mark_count, &made, &error),
            &error);
        assert_int_equal(aut_edge_count(made), aut_edge_count(given));
        /* The limit on cells is respected. */
        size_t cells = (size_t)table.states * table.classes;
        aut_table_fini(&table);
        assert_ok(aut_table_of(given, cells, &table, &fits, &error), &error);
        assert_true(fits);
        aut_table_fini(&table);
        assert_ok(aut_table_of(given, cells - 1, &table, &fits, &error), &error);
        assert_false(fits);
        opac_automaton_free(made);
        opac_automaton_free(given);
    }
}

/* ---- clauses of a condition ---- */

static void clauses_are_the_condition(void **state)
{
    uint64_t random = random_seed(404);
    opac_error error;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        aut_condition condition = random_condition(&random, 6, random_below(&random, 12));
        aut_clause_vec clauses = {0};
        bool fits;
        assert_ok(aut_condition_clauses(&condition, 1000, NULL, &clauses, &fits, &error), &error);
        assert_true(fits);
        for (uint64_t marks = 0; marks < 64; marks++) {
            bool some = false;
            for (size_t j = 0; j < clauses.count; j++)
                some = some || ((clauses.items[j].fin & marks) == 0 &&
                                (clauses.items[j].inf & ~marks) == 0);
            assert_int_equal(some, aut_condition_holds(&condition, marks));
        }
        if (clauses.count > 1) {
            assert_ok(aut_condition_clauses(&condition, 1, NULL, &clauses, &fits, &error), &error);
            assert_false(fits);
        }
        aut_clause_vec_fini(&clauses);
        aut_condition_fini(&condition);
    }
}

/* Removing dominated marks from edges does not change whether a closed walk satisfies the condition. */
static void dominated_marks_can_be_removed(void **state)
{
    uint64_t random = random_seed(406), dominated[AUT_MOST_MARKS];
    opac_error error;
    int cleared = 0;
    (void)state;
    for (int i = 0; i < 5000; i++) {
        aut_condition condition = random_condition(&random, 6, random_below(&random, 8));
        assert_ok(aut_dominated_marks(&condition, dominated, &error), &error);
        for (int j = 0; j < 50; j++) {
            uint64_t before = 0, after = 0;
            for (uint32_t edges = 1 + random_below(&random, 3); edges > 0; edges--) {
                uint64_t marks = random_below(&random, 64);
                before |= marks;
                after |= aut_drop_dominated(dominated, marks);
                cleared += marks != aut_drop_dominated(dominated, marks);
            }
            assert_int_equal(aut_condition_holds(&condition, before),
                             aut_condition_holds(&condition, after));
        }
        aut_condition_fini(&condition);
    }
    assert_true(cleared > 10000);
}

static void memory_runs_out(void **state)
{
    (void)state;
    conversion_faults(reduce, 405);
}

SUITE(reduce)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_automata_accept_the_same),
        cmocka_unit_test(residuals_are_languages),
        cmocka_unit_test(weak_automata_become_minimal),
        cmocka_unit_test(tables_keep_the_automaton),
        cmocka_unit_test(clauses_are_the_condition),
        cmocka_unit_test(dominated_marks_can_be_removed),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
