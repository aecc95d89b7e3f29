/* SPDX-License-Identifier: MIT */
/*
 * Limit-deterministic automata are good for MDPs: in every MDP the optimal probability of acceptance is the
 * same as for a deterministic automaton. Checked on small random MDPs and random formulas. The probabilities
 * are computed here by the definition: winning end components, then value iteration.
 */
#include <math.h>

#include "graph/graph_builder.h"
#include "graph/mec.h"
#include "translation.h"

/* The product of an MDP whose states have letters and an automaton. */
typedef struct product {
    graph_process process;
    base_u64_vec marks; /* by choice */
} product;

static void add_choice(const graph_process *mdp, uint32_t choice, const opac_automaton *automaton,
                       const aut_edge *edge, graph_builder *builder, base_u64_vec *marks)
{
    opac_error error;
    assert_ok(graph_builder_choice(builder, &error), &error);
    assert_ok(base_u64_vec_push(marks, edge->marks, &error), &error);
    for (uint32_t e = mdp->edge_begin[choice]; e < mdp->edge_begin[choice + 1]; e++)
        assert_ok(graph_builder_edge(builder,
                                     mdp->target[e] * automaton->state_count + edge->target,
                                     mdp->prob[e], &error),
                  &error);
}

static void multiply(const graph_process *mdp, const uint64_t *letters,
                     const opac_automaton *automaton, product *made)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    *made = (product){0};
    for (uint32_t state = 0; state < mdp->state_count; state++)
        for (uint32_t q = 0; q < automaton->state_count; q++) {
            assert_ok(graph_builder_state(&builder, &error), &error);
            for (uint32_t i = automaton->edge_begin[q]; i < automaton->edge_begin[q + 1]; i++) {
                const aut_edge *edge = &automaton->edges[i];
                if (aut_bdd_evaluate(automaton->labels, edge->label, letters[state]) !=
                    AUT_BDD_TRUE)
                    continue;
                for (uint32_t c = mdp->choice_begin[state]; c < mdp->choice_begin[state + 1]; c++)
                    add_choice(mdp, c, automaton, edge, &builder, &made->marks);
            }
        }
    assert_ok(graph_builder_finish(&builder, &made->process, &error), &error);
}

/* Marks the states of end components of a part that have a choice with the mark. */
static void add_winning(const product *p, const base_bitset *choices, uint64_t mark, uint8_t *wins)
{
    graph_workspace workspace = {0};
    graph_mec mec;
    opac_error error;
    assert_ok(
        graph_mec_find(&p->process, (graph_part){.choices = choices}, &workspace, &mec, &error),
        &error);
    for (uint32_t i = 0; i < mec.count; i++) {
        bool good = false;
        for (uint32_t j = mec.begin[i]; j < mec.begin[i + 1]; j++) {
            uint32_t s = mec.state[j];
            for (uint32_t c = p->process.choice_begin[s]; c < p->process.choice_begin[s + 1]; c++)
                good =
                    good || (base_bitset_has(&mec.choices, c) && (p->marks.items[c] & mark) != 0);
        }
        for (uint32_t j = mec.begin[i]; good && j < mec.begin[i + 1]; j++)
            wins[mec.state[j]] = 1;
    }
    graph_workspace_fini(&workspace);
}

/* Finds the winning states for parity max even, of which Büchi is the case of one mark. */
static void find_winning(const product *p, uint32_t mark_count, uint8_t *wins)
{
    opac_error error;
    for (uint32_t priority = 0; priority < mark_count; priority += 2) {
        base_bitset choices;
        assert_ok(base_bitset_init(&choices, p->process.choice_count, &error), &error);
        for (uint32_t c = 0; c < p->process.choice_count; c++)
            if (p->marks.items[c] >> priority <= 1)
                base_bitset_add(&choices, c);
        add_winning(p, &choices, UINT64_C(1) << priority, wins);
        base_bitset_fini(&choices);
    }
}

static double best_successor(const graph_process *process, uint32_t state, const double *value)
{
    double best = 0;
    for (uint32_t c = process->choice_begin[state]; c < process->choice_begin[state + 1]; c++) {
        double sum = 0;
        for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++)
            sum += process->prob[e] * value[process->target[e]];
        best = sum > best ? sum : best;
    }
    return best;
}

static double best_probability(const graph_process *mdp, const uint64_t *letters,
                               const opac_automaton *automaton)
{
    product p;
    multiply(mdp, letters, automaton, &p);
    uint32_t states = p.process.state_count;
    uint8_t *wins = calloc(states, 1);
    double *value = calloc(states, sizeof *value), change = 1;
    assert_non_null(wins);
    assert_non_null(value);
    find_winning(&p, automaton->mark_count, wins);
    for (int round = 0; round < 100000 && change > 1e-14; round++) {
        change = 0;
        for (uint32_t s = 0; s < states; s++) {
            double next = wins[s] ? 1 : best_successor(&p.process, s, value);
            change = fmax(change, fabs(next - value[s]));
            value[s] = next;
        }
    }
    double result = automaton->initial_count > 0 ? value[automaton->initial[0]] : 0;
    free(wins);
    free(value);
    base_u64_vec_fini(&p.marks);
    graph_process_fini(&p.process);
    return result;
}

/* A random MDP. Every state has a choice. Most edges lead to later states, so that there are several end
 * components. */
static void random_mdp(uint64_t *random, graph_process *mdp)
{
    graph_builder builder = {.weighted = true};
    opac_error error;
    uint32_t states = 2 + random_below(random, 5);
    for (uint32_t s = 0; s < states; s++) {
        assert_ok(graph_builder_state(&builder, &error), &error);
        for (uint32_t choices = 1 + random_below(random, 2); choices > 0; choices--) {
            uint32_t edges = 1 + random_below(random, 3);
            assert_ok(graph_builder_choice(&builder, &error), &error);
            for (uint32_t e = 0; e < edges; e++) {
                uint32_t first = random_below(random, 5) > 0 ? s : 0;
                assert_ok(graph_builder_edge(&builder, first + random_below(random, states - first),
                                             1.0 / edges, &error),
                          &error);
            }
        }
    }
    assert_ok(graph_builder_finish(&builder, mdp, &error), &error);
}

static void compare_in_mdps(ltl_store *store, ltl_formula formula, uint64_t *random,
                            uint32_t propositions, int *interesting)
{
    opac_automaton *parity = translation_make(store, formula, &translation_kinds[1]);
    opac_automaton *ldba = translation_make(store, formula, &translation_kinds[4]);
    char shown[512];
    for (int i = 0; i < 10; i++) {
        graph_process mdp;
        uint64_t letters[6];
        random_mdp(random, &mdp);
        for (uint32_t s = 0; s < mdp.state_count; s++)
            letters[s] = random_below(random, 1U << propositions);
        double one = best_probability(&mdp, letters, parity);
        double other = best_probability(&mdp, letters, ldba);
        if (fabs(one - other) > 1e-6)
            fail_msg("%s: %f against the deterministic automaton, %f against the other",
                     formula_show(store, formula, shown, sizeof shown), one, other);
        *interesting += !ldba->is_deterministic && one > 1e-6 && one < 1 - 1e-6;
        graph_process_fini(&mdp);
    }
    opac_automaton_free(parity);
    opac_automaton_free(ldba);
}

/* A random Boolean combination of GF and FG formulas. Few of them are recognised by deterministic Büchi
 * automata. */
static ltl_formula draw_formula(ltl_store *store, uint64_t *random, uint32_t propositions)
{
    random_formula_shape shape = {.propositions = propositions,
                                  .allowed = OPERATORS_OF_NORMAL_FORM};
    ltl_formula formula = LTL_FALSE;
    uint32_t parts = 1 + random_below(random, 3);
    for (uint32_t i = 0; i < parts; i++) {
        shape.operators = random_below(random, 4);
        ltl_formula part = random_formula(store, random, &shape);
        if (random_below(random, 4) > 0)
            part = random_below(random, 2) ? ltl_g(store, ltl_f(store, part))
                                           : ltl_f(store, ltl_g(store, part));
        formula =
            i == 0 ? part
                   : ltl_binary(store, random_below(random, 2) ? LTL_AND : LTL_OR, formula, part);
    }
    return formula;
}

static void limit_deterministic_automata_are_good_for_mdps(void **state)
{
    uint64_t random = random_seed(340);
    opac_error error;
    int interesting = 0;
    (void)state;
    for (int i = 0; i < 1500; i++) {
        ltl_store *store;
        assert_ok(ltl_store_new(&store, &error), &error);
        uint32_t propositions = 1 + random_below(&random, 3);
        for (uint32_t p = 0; p < propositions; p++)
            ltl_ap(store, (const char[]){'p', (char)('0' + p)}, 2);
        ltl_formula formula = draw_formula(store, &random, propositions);
        compare_in_mdps(store, formula, &random, propositions, &interesting);
        ltl_store_free(store);
    }
    /* Some automata are nondeterministic, and some probabilities are not 0 or 1. */
    assert_true(interesting > 200);
}

SUITE(mdps)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limit_deterministic_automata_are_good_for_mdps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
