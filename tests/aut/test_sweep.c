/* SPDX-License-Identifier: MIT */
/* Every conversion on many random automata, and on all words of up to four letters. */
#include "aut/bisimulation.h"
#include "aut/buchi.h"
#include "aut/complete.h"
#include "aut/parity.h"
#include "aut/rabin.h"
#include "aut/state_based.h"
#include "aut/trim.h"
#include "conversion.h"
#include "support/invariants.h"

static opac_status to_parity(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_parity(given, 0, made, error);
}

static opac_status to_rabin(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_rabin(given, 0, made, error);
}

static opac_status to_buchi(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    return aut_to_buchi(given, 0, made, error);
}

static opac_status to_state_based(const opac_automaton *given, opac_automaton **made,
                                  opac_error *error)
{
    return aut_to_state_based(given, 0, made, error);
}

static const conversion conversions[] = {
    aut_trim, aut_merge_bisimilar, aut_complete, to_parity, to_rabin, to_buchi, to_state_based};

static void test_all(void **state)
{
    (void)state;
    uint64_t random = random_seed(UINT64_C(9001));
    for (int i = 0; i < 4000; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 6, 2, 5);
        opac_automaton *given = random_automaton(&random, shape, NULL);
        for (size_t j = 0; j < sizeof conversions / sizeof conversions[0]; j++) {
            opac_automaton *made = NULL;
            opac_error error;
            opac_status status = conversions[j](given, &made, &error);
            if (status == OPAC_ERROR_UNSUPPORTED)
                continue;
            assert_ok(status, &error);
            assert_ok(aut_check(made, &error), &error);
            assert_true(made->is_deterministic || !given->is_deterministic);
            word_assert_same(given, made, &random, given->is_deterministic ? 2000 : 150);
            opac_automaton_free(made);
        }
        opac_automaton_free(given);
    }
}

SUITE(sweep)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
