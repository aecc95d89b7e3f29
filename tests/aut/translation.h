/* SPDX-License-Identifier: MIT */
/*
 * Compares translations with the definition of LTL: the automaton accepts a word u·v^ω if and only if the
 * formula holds. Shared by the quick and the long tests.
 */
#ifndef TESTS_AUT_TRANSLATION_H
#define TESTS_AUT_TRANSLATION_H

#include "aut/checks.h"
#include "aut/convert.h"
#include "aut/translate.h"
#include "support/automaton_checks.h"
#include "support/check.h"
#include "support/formula_text.h"
#include "support/invariants.h"
#include "support/random_formula.h"
#include "support/word_automaton.h"

/* All kinds of automata that can be requested. */
static const opac_automaton_options translation_kinds[] = {
    {.acceptance = OPAC_ACCEPTANCE_ANY},
    {.acceptance = OPAC_ACCEPTANCE_PARITY},
    {.acceptance = OPAC_ACCEPTANCE_RABIN},
    {.acceptance = OPAC_ACCEPTANCE_BUCHI},
    {.kind = OPAC_KIND_LDBA},
    {.acceptance = OPAC_ACCEPTANCE_ANY, .state_based = true},
    {.acceptance = OPAC_ACCEPTANCE_PARITY, .state_based = true},
    {.acceptance = OPAC_ACCEPTANCE_RABIN, .state_based = true},
    {.acceptance = OPAC_ACCEPTANCE_BUCHI, .state_based = true},
    {.kind = OPAC_KIND_LDBA, .state_based = true},
    {.acceptance = OPAC_ACCEPTANCE_ANY, .complete = true},
    {.acceptance = OPAC_ACCEPTANCE_RABIN, .complete = true},
    {.kind = OPAC_KIND_LDBA, .complete = true},
    {.acceptance = OPAC_ACCEPTANCE_ANY, .state_based = true, .complete = true},
    {.acceptance = OPAC_ACCEPTANCE_RABIN, .state_based = true, .complete = true},
    {.kind = OPAC_KIND_LDBA, .state_based = true, .complete = true}};

enum {
    TRANSLATION_KINDS = sizeof translation_kinds / sizeof *translation_kinds
};

/* Like word_accepts, for deterministic automata: follows the run until it repeats. */
static inline bool translation_run(const opac_automaton *automaton, const ltl_lasso *word)
{
    uint64_t seen = 0;
    uint32_t state = automaton->initial[0];
    size_t position = 0, lap = (size_t)automaton->state_count * word->length;
    /* After so many letters the run is in its loop, and as many again take the whole loop at least once. */
    for (size_t i = 0; i < 2 * lap; i++) {
        uint32_t e = automaton->edge_begin[state], end = automaton->edge_begin[state + 1];
        while (e < end && aut_bdd_evaluate(automaton->labels, automaton->edges[e].label,
                                           word->letters[position]) != AUT_BDD_TRUE)
            e++;
        if (e == end)
            return false;
        if (i >= lap)
            seen |= automaton->edges[e].marks;
        state = automaton->edges[e].target;
        position = position + 1 < word->length ? position + 1 : word->prefix;
    }
    return aut_condition_holds(&automaton->condition, seen);
}

static inline bool translation_accepts(const opac_automaton *automaton, const ltl_lasso *word)
{
    return automaton->is_deterministic ? translation_run(automaton, word)
                                       : word_accepts(automaton, word);
}

/* Checks the form of the automaton, as requested. */
static inline void translation_check_form(const opac_automaton *automaton,
                                          const opac_automaton_options *options)
{
    opac_error error;
    aut_condition_class found;
    assert_ok(aut_check(automaton, &error), &error);
    if (options->kind == OPAC_KIND_LDBA) {
        bool is_so = false;
        assert_ok(opac_automaton_is_limit_deterministic(automaton, &is_so, &error), &error);
        assert_true(is_so);
    } else
        assert_true(automaton->is_deterministic);
    if (options->state_based)
        assert_true(aut_is_state_based(automaton));
    if (options->complete)
        assert_true(automaton->is_complete);
    assert_ok(aut_condition_classify(&automaton->condition, automaton->mark_count, &found, &error),
              &error);
    if (options->kind == OPAC_KIND_LDBA || options->acceptance == OPAC_ACCEPTANCE_BUCHI)
        assert_true(found.name == AUT_NAME_BUCHI || found.name == AUT_NAME_NONE ||
                    found.name == AUT_NAME_ALL);
    if (options->acceptance == OPAC_ACCEPTANCE_PARITY)
        assert_true(found.name == AUT_NAME_PARITY || found.name == AUT_NAME_BUCHI ||
                    found.name == AUT_NAME_COBUCHI || found.name == AUT_NAME_ALL ||
                    found.name == AUT_NAME_NONE);
    if (options->acceptance == OPAC_ACCEPTANCE_RABIN)
        assert_true(found.name == AUT_NAME_RABIN || found.name == AUT_NAME_NONE);
    aut_condition_class_fini(&found);
}

/* Translates a formula. Returns NULL if a deterministic Büchi automaton was requested and there is none. */
static inline opac_automaton *translation_make(ltl_store *store, ltl_formula formula,
                                               const opac_automaton_options *options)
{
    static const opac_automaton_options any;
    opac_automaton *made = NULL, *deterministic;
    opac_error error;
    opac_status status = aut_translate(store, formula, options, &made, &error);
    if (status == OPAC_ERROR_UNSUPPORTED && options->acceptance == OPAC_ACCEPTANCE_BUCHI) {
        aut_language language;
        assert_ok(aut_translate(store, formula, &any, &deterministic, &error), &error);
        assert_ok(aut_language_of(deterministic, &language, &error), &error);
        assert_false(language.is_buchi);
        opac_automaton_free(deterministic);
    } else {
        assert_ok(status, &error);
        translation_check_form(made, options);
    }
    return made;
}

static inline void translation_assert(const ltl_store *store, ltl_formula formula,
                                      const opac_automaton *automaton, const ltl_lasso *word,
                                      unsigned kind)
{
    opac_error error;
    char shown[512];
    bool holds;
    assert_ok(ltl_lasso_holds(store, formula, word, &holds, &error), &error);
    if (translation_accepts(automaton, word) != holds) {
        print_error("prefix %zu, letters", word->prefix);
        for (size_t i = 0; i < word->length; i++)
            print_error(" %llx", (unsigned long long)word->letters[i]);
        fail_msg("kind %u of %s: should be %s", kind,
                 formula_show(store, formula, shown, sizeof shown),
                 holds ? "accepted" : "rejected");
    }
}

/* Checks random formulas, every other one negated, on random words. */
static inline void translation_sweep(unsigned kind, uint64_t seed, int rounds, int words)
{
    uint64_t random = random_seed(seed + kind);
    opac_error error;
    for (int i = 0; i < rounds; i++) {
        ltl_store *store;
        assert_ok(ltl_store_new(&store, &error), &error);
        random_formula_shape shape = {.operators = 1 + random_below(&random, 10),
                                      .propositions = 1 + random_below(&random, 3),
                                      .allowed = OPERATORS_OF_LTL};
        for (uint32_t p = 0; p < shape.propositions; p++)
            ltl_ap(store, (const char[]){'p', (char)('0' + p)}, 2);
        ltl_formula formula = random_formula(store, &random, &shape);
        formula = i % 2 == 0 ? formula : ltl_not(store, formula);
        opac_automaton *made = translation_make(store, formula, &translation_kinds[kind]);
        for (int j = 0; j < words && made != NULL; j++) {
            lasso_letters lasso;
            random_lasso(&random, shape.propositions, 8, &lasso);
            translation_assert(store, formula, made, &lasso.word, kind);
        }
        opac_automaton_free(made);
        ltl_store_free(store);
    }
}

#endif
