/* SPDX-License-Identifier: MIT */
/*
 * Properties of all conversions, checked on random automata: the result is well-formed, has the same
 * language, and is deterministic if the given automaton is.
 */
#ifndef TESTS_AUT_CONVERSION_H
#define TESTS_AUT_CONVERSION_H

#include "aut/automaton.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random_automaton.h"
#include "support/word_automaton.h"

typedef opac_status (*conversion)(const opac_automaton *given, opac_automaton **made,
                                  opac_error *error);
/* Further checks of the result. */
typedef void (*promise)(const opac_automaton *given, const opac_automaton *made);

static inline void conversion_check(const opac_automaton *given, const opac_automaton *made,
                                    uint64_t *random)
{
    opac_error error;
    assert_ok(aut_check(made, &error), &error);
    if (given->is_deterministic)
        assert_true(made->is_deterministic);
    word_assert_same(given, made, random, given->is_deterministic ? 200 : 50);
}

/* Skips unsupported automata. Returns the number of conversions. */
static inline int conversion_sweep(conversion convert, promise also, uint64_t seed, uint32_t rounds,
                                   uint32_t marks)
{
    uint64_t random = random_seed(seed);
    int converted = 0;
    for (uint32_t i = 0; i < rounds; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 6, 3, marks);
        opac_automaton *given = random_automaton(&random, shape, NULL), *made = NULL;
        opac_error error;
        opac_status status = convert(given, &made, &error);
        if (status != OPAC_ERROR_UNSUPPORTED) {
            assert_ok(status, &error);
            conversion_check(given, made, &random);
            if (also != NULL)
                also(given, made);
            converted++;
        }
        opac_automaton_free(made);
        opac_automaton_free(given);
    }
    return converted;
}

typedef struct conversion_fault {
    const opac_automaton *given;
    conversion convert;
} conversion_fault;

static inline opac_status conversion_fault_run(void *context, opac_error *error)
{
    const conversion_fault *fault = context;
    opac_automaton *copy = NULL, *made = NULL;
    /* A new label store each time, since a store that has failed cannot be used again. */
    opac_status status = aut_copy(fault->given, &copy, error);
    if (status == OPAC_OK)
        status = fault->convert(copy, &made, error);
    opac_automaton_free(made);
    opac_automaton_free(copy);
    return status;
}

static inline void conversion_faults(conversion convert, uint64_t seed)
{
    uint64_t random = random_seed(seed);
    for (int i = 0; i < 12; i++) {
        random_automaton_shape shape = random_automaton_draw(&random, 4, 2, 4);
        conversion_fault fault = {random_automaton(&random, shape, NULL), convert};
        opac_automaton *made = NULL;
        if (convert(fault.given, &made, NULL) == OPAC_OK)
            faults_sweep(conversion_fault_run, &fault);
        opac_automaton_free(made);
        opac_automaton_free((opac_automaton *)fault.given);
    }
}

/*
 * A deterministic automaton with one state and `count` self-loops, each with one letter and one of the sets
 * of marks. `count` is a power of two.
 */
static inline opac_automaton *conversion_flower(const uint64_t *sets, uint32_t count,
                                                uint32_t marks, const char *condition)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *made;
    opac_error error;
    uint32_t propositions = 0;
    while (UINT32_C(1) << propositions < count)
        propositions++;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, names, propositions);
    aut_builder_add_state(builder);
    aut_builder_initial(builder, 0);
    for (uint32_t i = 0; i < count; i++) {
        aut_bdd label = AUT_BDD_TRUE;
        for (uint32_t p = 0; p < propositions; p++) {
            aut_bdd variable = aut_bdd_variable(labels, p);
            label =
                aut_bdd_and(labels, label, (i >> p) & 1 ? variable : aut_bdd_not(labels, variable));
        }
        aut_builder_edge(builder, 0, (aut_edge){label, 0, sets[i]});
    }
    aut_condition parsed = random_condition_parse(condition);
    aut_builder_condition(builder, &parsed, marks);
    assert_ok(aut_builder_finish(builder, &made, &error), &error);
    return made;
}

/* The same with all sets of `marks` marks. */
static inline opac_automaton *conversion_full_flower(uint32_t marks, const char *condition)
{
    uint64_t sets[64];
    assert_true(marks <= 6);
    for (uint64_t i = 0; i < UINT64_C(1) << marks; i++)
        sets[i] = i;
    return conversion_flower(sets, UINT32_C(1) << marks, marks, condition);
}

#endif
