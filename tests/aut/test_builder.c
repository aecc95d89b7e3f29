/* SPDX-License-Identifier: MIT */
/* Compares automata with the edges that were added to their builder, letter by letter. */
#include "aut/automaton.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random.h"

enum {
    STATES = 5,
    PROPOSITIONS = 3,
    LETTERS = 1 << PROPOSITIONS,
    MARKS = 2,
    MOST_EDGES = 24
};

typedef struct added_edge {
    uint32_t source, target, marks;
    uint32_t letters; /* a bit a letter */
    bool is_epsilon;
} added_edge;

static const char *const names[] = {"a", "b", "c"};

static aut_bdd label_of(aut_bdd_store *store, uint32_t letters)
{
    aut_bdd f = AUT_BDD_FALSE;
    for (uint32_t letter = 0; letter < LETTERS; letter++) {
        aut_bdd cube = AUT_BDD_TRUE;
        for (uint32_t p = 0; p < PROPOSITIONS; p++) {
            aut_bdd literal = aut_bdd_variable(store, p);
            cube =
                aut_bdd_and(store, cube, (letter >> p) & 1 ? literal : aut_bdd_not(store, literal));
        }
        if ((letters >> letter) & 1)
            f = aut_bdd_or(store, f, cube);
    }
    return f;
}

static uint32_t letters_of(const opac_automaton *automaton, aut_bdd label)
{
    uint32_t letters = 0;
    for (uint32_t letter = 0; letter < LETTERS; letter++)
        letters |= aut_bdd_evaluate(automaton->labels, label, letter) << letter;
    return letters;
}

static opac_status build(const added_edge *added, uint32_t count, uint32_t initial,
                         opac_automaton **automaton, opac_error *error)
{
    aut_bdd_store *labels;
    aut_builder *builder;
    aut_condition condition = {0};
    opac_status status = aut_bdd_store_new(&labels, error);
    if (status != OPAC_OK)
        return status;
    status = aut_builder_new(labels, &builder, error);
    if (status == OPAC_OK) {
        aut_builder_propositions(builder, names, PROPOSITIONS);
        aut_builder_name(builder, "random");
        aut_builder_add_state(builder);
        aut_builder_add_states(builder, STATES - 1);
        for (uint32_t i = 0; i < count; i++)
            aut_builder_edge(
                builder, added[i].source,
                (aut_edge){added[i].is_epsilon ? AUT_EPSILON : label_of(labels, added[i].letters),
                           added[i].target, added[i].marks});
        for (uint32_t state = STATES; state-- > 0;)
            for (uint32_t twice = 0; twice < 2; twice++)
                if ((initial >> state) & 1)
                    aut_builder_initial(builder, state);
        aut_builder_state_name(builder, 1, "one and more", 3);
        aut_builder_state_name(builder, 3, "wrong", 5);
        aut_builder_state_name(builder, 3, "three", 5);
        status = aut_condition_buchi(&condition, error);
        if (status == OPAC_OK) {
            aut_builder_condition(builder, &condition, MARKS);
            status = aut_builder_finish(builder, automaton, error);
        } else {
            aut_builder_free(builder);
        }
    }
    aut_bdd_store_free(labels);
    return status;
}

/* Whether the added edges have a transition with these marks, for a letter or (LETTERS) epsilon. */
static bool was_added(const added_edge *added, uint32_t count, added_edge wanted, uint32_t letter)
{
    for (uint32_t i = 0; i < count; i++)
        if (added[i].source == wanted.source && added[i].target == wanted.target &&
            added[i].marks == wanted.marks &&
            (letter == LETTERS ? added[i].is_epsilon
                               : !added[i].is_epsilon && ((added[i].letters >> letter) & 1)))
            return true;
    return false;
}

static bool automaton_has(const opac_automaton *automaton, added_edge wanted, uint32_t letter,
                          uint32_t *edges)
{
    *edges = 0;
    bool found = false;
    for (uint32_t i = automaton->edge_begin[wanted.source];
         i < automaton->edge_begin[wanted.source + 1]; i++) {
        const aut_edge *edge = &automaton->edges[i];
        if (edge->target != wanted.target || edge->marks != wanted.marks ||
            (edge->label == AUT_EPSILON) != (letter == LETTERS))
            continue;
        ++*edges;
        found = letter == LETTERS || ((letters_of(automaton, edge->label) >> letter) & 1);
    }
    return found;
}

static void check_edges(const opac_automaton *automaton, const added_edge *added, uint32_t count)
{
    for (uint32_t source = 0; source < STATES; source++)
        for (uint32_t target = 0; target < STATES; target++)
            for (uint32_t marks = 0; marks < 1 << MARKS; marks++)
                for (uint32_t letter = 0; letter <= LETTERS; letter++) {
                    added_edge wanted = {.source = source, .target = target, .marks = marks};
                    uint32_t edges;
                    assert_int_equal(automaton_has(automaton, wanted, letter, &edges),
                                     was_added(added, count, wanted, letter));
                    assert_true(edges <= 1); /* joined */
                }
}

static void check_flags(const opac_automaton *automaton, const added_edge *added, uint32_t count,
                        uint32_t initial)
{
    uint32_t starts = 0;
    bool deterministic = true, complete = initial != 0;
    for (uint32_t state = 0; state < STATES; state++) {
        if ((initial >> state) & 1) {
            assert_true(starts < automaton->initial_count);
            assert_int_equal(automaton->initial[starts++], state);
        }
        for (uint32_t letter = 0; letter <= LETTERS; letter++) {
            uint32_t moves = 0;
            for (uint32_t target = 0; target < STATES; target++)
                for (uint32_t marks = 0; marks < 1 << MARKS; marks++)
                    moves += was_added(
                        added, count,
                        (added_edge){.source = state, .target = target, .marks = marks}, letter);
            if (moves > (letter == LETTERS ? 0 : 1))
                deterministic = false;
            if (letter < LETTERS && moves == 0)
                complete = false;
        }
    }
    assert_int_equal(automaton->initial_count, starts);
    assert_int_equal(opac_automaton_is_deterministic(automaton), deterministic && starts <= 1);
    assert_int_equal(opac_automaton_is_complete(automaton), complete);
}

static uint32_t add_random_edges(added_edge *added, uint64_t *random)
{
    uint32_t count = random_below(random, MOST_EDGES + 1), style = random_below(random, 3);
    for (uint32_t i = 0; i < count; i++) {
        added[i] = (added_edge){.source = random_below(random, STATES),
                                .target = random_below(random, STATES),
                                .marks = random_below(random, 1 << MARKS),
                                .letters = random_below(random, 1 << LETTERS),
                                .is_epsilon = random_below(random, 12) == 0};
        if (style > 0) { /* likely deterministic, and complete if no edge is missing */
            added[i].is_epsilon = false;
            added[i].source = i % STATES;
            added[i].letters = i / STATES == 0 ? 0x0F : i / STATES == 1 ? 0xF0 : 0;
        }
    }
    return count;
}

static void automata_have_the_added_edges(void **unused)
{
    uint64_t random = random_seed(711);
    uint32_t deterministic = 0, complete = 0, rounds = 2000;
    (void)unused;
    for (uint32_t round = 0; round < rounds; round++) {
        added_edge added[MOST_EDGES];
        opac_automaton *automaton, *copy;
        opac_error error;
        uint32_t count = add_random_edges(added, &random);
        uint32_t initial = random_below(&random, 2) ? 1 : random_below(&random, 1 << STATES);
        assert_ok(build(added, count, initial, &automaton, &error), &error);
        assert_ok(aut_check(automaton, &error), &error);
        check_edges(automaton, added, count);
        check_flags(automaton, added, count, initial);
        assert_string_equal(automaton->state_names[1], "one");
        assert_string_equal(automaton->state_names[3], "three");
        assert_null(automaton->state_names[0]);
        assert_null(automaton->state_names[4]);
        deterministic += automaton->is_deterministic;
        complete += automaton->is_complete;
        assert_ok(aut_copy(automaton, &copy, &error), &error);
        opac_automaton_free(automaton);
        assert_ok(aut_check(copy, &error), &error);
        check_edges(copy, added, count);
        check_flags(copy, added, count, initial);
        assert_string_equal(opac_automaton_name(copy), "random");
        assert_string_equal(opac_automaton_proposition(copy, 2), "c");
        assert_string_equal(copy->state_names[3], "three");
        assert_int_equal(opac_automaton_marks(copy), MARKS);
        opac_automaton_free(copy);
    }
    assert_true(deterministic > rounds / 10);
    assert_true(deterministic < rounds);
    assert_true(complete > rounds / 20);
    assert_true(complete < rounds);
}

static void order_of_addition_is_kept(void **unused)
{
    const added_edge added[] = {{.source = 1, .target = 4, .letters = 1},
                                {.source = 0, .target = 3, .letters = 1},
                                {.source = 1, .target = 2, .letters = 2},
                                {.source = 1, .target = 0, .letters = 0},
                                {.source = 1, .target = 4, .letters = 4},
                                {.source = 1, .target = 4, .is_epsilon = true},
                                {.source = 1, .target = 4, .is_epsilon = true}};
    opac_automaton *automaton;
    opac_error error;
    (void)unused;
    assert_ok(build(added, 7, 1, &automaton, &error), &error);
    assert_int_equal(opac_automaton_edges(automaton), 4);
    assert_int_equal(automaton->edges[0].target, 3);
    assert_int_equal(automaton->edges[1].target, 4);
    assert_int_equal(letters_of(automaton, automaton->edges[1].label), 5);
    assert_int_equal(automaton->edges[2].target, 2);
    assert_int_equal(automaton->edges[3].label, AUT_EPSILON);
    opac_automaton_free(automaton);
}

/* Joining thousands of edges of one state does not take quadratic time. */
static void a_wide_state_is_joined(void **unused)
{
    enum {
        TARGETS = 30000
    };
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *automaton;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_builder_propositions(builder, names, 1);
    aut_builder_add_states(builder, TARGETS);
    for (uint32_t i = 0; i < 2 * TARGETS; i++) {
        aut_bdd a = aut_bdd_variable(labels, 0);
        aut_builder_edge(builder, 0,
                         (aut_edge){i < TARGETS ? a : aut_bdd_not(labels, a), i % TARGETS, 0});
    }
    aut_builder_initial(builder, 0);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    aut_bdd_store_free(labels);
    assert_int_equal(opac_automaton_edges(automaton), TARGETS);
    for (uint32_t i = 0; i < TARGETS; i++) {
        assert_int_equal(automaton->edges[i].target, i);
        assert_int_equal(automaton->edges[i].label, AUT_BDD_TRUE);
    }
    assert_false(automaton->is_deterministic);
    opac_automaton_free(automaton);
}

static aut_builder *new_builder(void)
{
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_error error;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    return builder;
}

static void limits_are_reported_at_the_end(void **unused)
{
    opac_automaton *automaton = NULL;
    opac_error error;
    aut_condition condition = {0};
    const char *many[65];
    (void)unused;

    aut_builder *builder = new_builder();
    aut_builder_add_states(builder, AUT_STATE_LIMIT);
    aut_builder_add_state(builder);
    assert_status(aut_builder_finish(builder, &automaton, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "the automaton has more than 1000000 states");

    builder = new_builder();
    for (int i = 0; i < 65; i++)
        many[i] = "p";
    aut_builder_propositions(builder, many, 65);
    assert_status(aut_builder_finish(builder, &automaton, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "the automaton has 65 propositions; at most 64 are supported");

    builder = new_builder();
    aut_builder_condition(builder, &condition, 64);
    assert_status(aut_builder_finish(builder, &automaton, NULL), OPAC_ERROR_LIMIT);

    builder = new_builder();
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    assert_int_equal(opac_automaton_states(automaton), 0);
    assert_true(opac_automaton_is_deterministic(automaton));
    assert_false(opac_automaton_is_complete(automaton));
    assert_ok(aut_check(automaton, &error), &error);
    opac_automaton_free(automaton);
    opac_automaton_free(NULL);
    aut_builder_free(NULL);
}

static void check_finds_violations(void **unused)
{
    const added_edge added[] = {{.source = 0, .target = 1, .letters = 1}};
    opac_automaton *automaton;
    opac_error error;
    (void)unused;
    assert_ok(build(added, 1, 3, &automaton, &error), &error);
    aut_edge good = automaton->edges[0];
    automaton->edges[0].target = STATES;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    automaton->edges[0] = good;
    automaton->edges[0].marks = 1 << MARKS;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    automaton->edges[0] = good;
    automaton->edges[0].label = AUT_BDD_FALSE;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    for (uint32_t variable = PROPOSITIONS; variable < 128; variable += 61) {
        automaton->edges[0].label = aut_bdd_variable(automaton->labels, variable);
        assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    }
    automaton->edges[0] = good;
    automaton->initial[0] = 1;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    automaton->initial[0] = 0;
    automaton->is_complete = !automaton->is_complete;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    automaton->is_complete = !automaton->is_complete;
    automaton->is_deterministic = !automaton->is_deterministic;
    assert_status(aut_check(automaton, &error), OPAC_ERROR_INTERNAL);
    automaton->is_deterministic = !automaton->is_deterministic;
    assert_ok(aut_check(automaton, &error), &error);
    opac_automaton_free(automaton);
}

static opac_status work(void *context, opac_error *error)
{
    added_edge added[MOST_EDGES];
    opac_automaton *automaton, *copy = NULL;
    uint64_t random = 5;
    uint32_t count = 0;
    (void)context;
    while (count < 10)
        count = add_random_edges(added, &random);
    opac_status status = build(added, count, 5, &automaton, error);
    if (status != OPAC_OK)
        return status;
    status = aut_check(automaton, error);
    if (status == OPAC_OK)
        status = aut_copy(automaton, &copy, error);
    opac_automaton_free(copy);
    if (status == OPAC_OK) {
        aut_builder *builder;
        status = aut_builder_like(automaton, &builder, error);
        if (status == OPAC_OK)
            status = aut_builder_finish(builder, &copy, error);
        if (status == OPAC_OK)
            opac_automaton_free(copy);
    }
    opac_automaton_free(automaton);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    assert_true(faults_sweep(work, NULL) > 30);
}

SUITE(builder)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automata_have_the_added_edges),
        cmocka_unit_test(order_of_addition_is_kept),
        cmocka_unit_test(a_wide_state_is_joined),
        cmocka_unit_test(limits_are_reported_at_the_end),
        cmocka_unit_test(check_finds_violations),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("builder", tests, NULL, NULL);
}
