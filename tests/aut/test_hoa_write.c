/* SPDX-License-Identifier: MIT */
/*
 * Writing HOA: an automaton that is written and read again is the same up to the numbering of states (all
 * numberings are tried), and is written with the same bytes. Copies that are stored differently are written
 * with the same bytes.
 */
#include "aut/automaton.h"
#include "aut/hoa_order.h"
#include "support/check.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/random.h"

enum {
    MOST_STATES = 5,
    MOST_PROPOSITIONS = 3,
    MOST_MARKS = 5,
    MOST_EDGES = 20
};

typedef struct draft_edge {
    uint32_t source, target;
    uint64_t marks;
    uint32_t letters; /* a bit a letter */
    bool is_epsilon;
} draft_edge;

/* An automaton as lists, from which it is built in any order. */
typedef struct automaton_lists {
    uint32_t states, propositions, marks, initial, edge_count;
    draft_edge edges[MOST_EDGES];
    bool has_names;
    aut_condition condition;
} automaton_lists;

static const char *const names[] = {"a", "b \"quoted\" \\", "x >= 2"};
static uint64_t random_state;

static uint32_t below(uint32_t bound)
{
    return random_below(&random_state, bound);
}

/* ---- random automata ---- */

static void random_condition(automaton_lists *lists)
{
    opac_error error;
    aut_condition *condition = &lists->condition;
    uint32_t marks = lists->marks;
    switch (below(8)) {
    case 0:
        assert_ok(aut_condition_generalized_buchi(condition, marks, &error), &error);
        return;
    case 1:
        assert_ok(aut_condition_generalized_cobuchi(condition, marks, &error), &error);
        return;
    case 2:
        assert_ok(aut_condition_rabin(condition, marks / 2, &error), &error);
        return;
    case 3:
        assert_ok(aut_condition_streett(condition, marks / 2, &error), &error);
        return;
    case 4:
        assert_ok(aut_condition_parity(condition, below(2) == 0, below(2) == 0, marks, &error),
                  &error);
        return;
    case 5:
        *condition = (aut_condition){0}; /* false, without terms */
        return;
    default:
        *condition = (aut_condition){0};
    }
    uint32_t count = 1 + below(8);
    for (uint32_t i = 0; i < 2 * count - 1; i++) {
        aut_term term = {(aut_term_kind)below(2), 0, 0};
        if (i >= count)
            term = (aut_term){below(2) ? AUT_TERM_AND : AUT_TERM_OR, 2 * (i - count),
                              2 * (i - count) + 1};
        else if (marks > 0 && below(8) > 0)
            term = (aut_term){below(2) ? AUT_TERM_INF : AUT_TERM_FIN, below(marks), 0};
        assert_ok(aut_condition_add(condition, term, NULL, &error), &error);
    }
}

static void random_lists(automaton_lists *lists, bool deterministic)
{
    *lists = (automaton_lists){.states = below(MOST_STATES + 1),
                               .propositions = below(MOST_PROPOSITIONS + 1),
                               .marks = below(MOST_MARKS + 1),
                               .has_names = below(3) == 0};
    uint32_t letters = 1u << lists->propositions, style = below(3);
    random_condition(lists);
    if (lists->states == 0)
        return;
    lists->initial =
        deterministic || below(2) ? 1u << below(lists->states) : below(1u << lists->states);
    uint32_t free_letters[MOST_STATES];
    for (uint32_t i = 0; i < MOST_STATES; i++)
        free_letters[i] = (1u << letters) - 1;
    for (uint32_t i = below(MOST_EDGES + 1); i > 0; i--) {
        draft_edge edge = {.source = below(lists->states), .target = below(lists->states)};
        edge.marks = below(1u << lists->marks);
        if (style == 0) /* state-based */
            edge.marks = edge.source & ((1u << lists->marks) - 1);
        edge.letters = below(1u << letters) & (below(2) ? ~0u : below(1u << letters));
        edge.is_epsilon = !deterministic && below(10) == 0;
        if (deterministic)
            edge.letters &= free_letters[edge.source];
        free_letters[edge.source] &= ~edge.letters;
        if (edge.letters != 0 || edge.is_epsilon)
            lists->edges[lists->edge_count++] = edge;
    }
}

/* ---- building ---- */

static aut_bdd label_of(aut_bdd_store *store, uint32_t propositions, uint32_t letters)
{
    aut_bdd f = AUT_BDD_FALSE;
    for (uint32_t letter = 0; letter < 1u << propositions; letter++) {
        aut_bdd cube = AUT_BDD_TRUE;
        for (uint32_t p = 0; p < propositions; p++) {
            aut_bdd literal = aut_bdd_variable(store, p);
            cube =
                aut_bdd_and(store, cube, (letter >> p) & 1 ? literal : aut_bdd_not(store, literal));
        }
        if ((letters >> letter) & 1)
            f = aut_bdd_or(store, f, cube);
    }
    return f;
}

static void shuffle(uint32_t *order, uint32_t count, bool is_random)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; is_random && i-- > 1;) {
        uint32_t j = below(i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* Builds the automaton as it is, or with other numbers of states, edges in another order, split labels, and
 * other nodes. */
static opac_status build(const automaton_lists *lists, bool shuffled, opac_automaton **automaton,
                         opac_error *error)
{
    aut_bdd_store *store;
    aut_builder *builder;
    aut_condition condition = {0};
    uint32_t number[MOST_STATES], order[MOST_EDGES];
    opac_status status = aut_bdd_store_new(&store, error);
    if (status != OPAC_OK)
        return status;
    status = aut_builder_new(store, &builder, error);
    aut_bdd_store_free(store);
    if (status != OPAC_OK)
        return status;
    shuffle(number, lists->states, shuffled);
    shuffle(order, lists->edge_count, shuffled);
    for (uint32_t p = MOST_PROPOSITIONS; shuffled && p-- > 0;)
        aut_bdd_not(builder->labels, aut_bdd_variable(builder->labels, p));
    aut_builder_propositions(builder, names, lists->propositions);
    aut_builder_name(builder, "a \"name\"");
    aut_builder_add_states(builder, lists->states);
    for (uint32_t i = 0; i < lists->edge_count; i++) {
        draft_edge edge = lists->edges[order[i]];
        uint32_t part = shuffled ? below(1u << 8) : 0;
        aut_edge added = {.target = number[edge.target], .marks = edge.marks};
        for (int piece = 0; piece < 2; piece++) {
            added.label = edge.is_epsilon ? AUT_EPSILON
                                          : label_of(builder->labels, lists->propositions,
                                                     edge.letters & (piece == 0 ? part : ~part));
            aut_builder_edge(builder, number[edge.source], added);
        }
    }
    for (uint32_t s = 0; s < lists->states; s++) {
        if ((lists->initial >> s) & 1)
            aut_builder_initial(builder, number[s]);
        if (lists->has_names && s % 2 == 0)
            aut_builder_state_name(builder, number[s], "\"\\\n", 1 + s / 2);
    }
    status = aut_condition_copy(&lists->condition, &condition, error);
    aut_builder_condition(builder, &condition, lists->marks);
    if (status == OPAC_OK)
        return aut_builder_finish(builder, automaton, error);
    aut_builder_free(builder);
    return status;
}

/* ---- comparison ---- */

static uint32_t letters_of(const opac_automaton *automaton, aut_bdd label)
{
    uint32_t letters = 0;
    for (uint32_t letter = 0; letter < 1u << automaton->proposition_count; letter++)
        letters |= aut_bdd_evaluate(automaton->labels, label, letter) << letter;
    return letters;
}

/* Whether two states have the same edges, in any order, after renaming targets. */
static bool same_edges(const opac_automaton *a, uint32_t s, const opac_automaton *b, uint32_t t,
                       const uint32_t *map)
{
    uint32_t count = a->edge_begin[s + 1] - a->edge_begin[s];
    if (count != b->edge_begin[t + 1] - b->edge_begin[t])
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const aut_edge *edge = &a->edges[a->edge_begin[s] + i];
        bool found = false;
        for (uint32_t j = 0; j < count && !found; j++) {
            const aut_edge *other = &b->edges[b->edge_begin[t] + j];
            if (other->target != map[edge->target] || other->marks != edge->marks ||
                (edge->label == AUT_EPSILON) != (other->label == AUT_EPSILON))
                continue;
            found = edge->label == AUT_EPSILON ||
                    letters_of(a, edge->label) == letters_of(b, other->label);
        }
        if (!found)
            return false;
    }
    return true;
}

static bool is_initial(const opac_automaton *automaton, uint32_t state)
{
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        if (automaton->initial[i] == state)
            return true;
    return false;
}

static const char *name_of(const opac_automaton *automaton, uint32_t state)
{
    const char *name = automaton->state_names != NULL ? automaton->state_names[state] : NULL;
    return name != NULL ? name : "";
}

static bool maps(const opac_automaton *a, const opac_automaton *b, const uint32_t *map)
{
    for (uint32_t s = 0; s < a->state_count; s++)
        if (is_initial(a, s) != is_initial(b, map[s]) ||
            strcmp(name_of(a, s), name_of(b, map[s])) != 0 || !same_edges(a, s, b, map[s], map))
            return false;
    return true;
}

/* Whether two automata are equal after some renumbering of the states from `fixed` on. */
static bool isomorphic(const opac_automaton *a, const opac_automaton *b, uint32_t *map,
                       uint32_t fixed)
{
    if (fixed == MOST_STATES || fixed == a->state_count)
        return maps(a, b, map);
    for (uint32_t i = fixed; i < a->state_count; i++) {
        uint32_t swap = map[fixed];
        map[fixed] = map[i];
        map[i] = swap;
        if (isomorphic(a, b, map, fixed + 1))
            return true;
        map[i] = map[fixed];
        map[fixed] = swap;
    }
    return false;
}

static void assert_same(const opac_automaton *a, const opac_automaton *b)
{
    uint32_t map[MOST_STATES] = {0, 1, 2, 3, 4};
    assert_int_equal(a->state_count, b->state_count);
    assert_int_equal(a->initial_count, b->initial_count);
    assert_int_equal(a->mark_count, b->mark_count);
    assert_int_equal(a->proposition_count, b->proposition_count);
    for (uint32_t i = 0; i < a->proposition_count; i++)
        assert_string_equal(a->propositions[i], b->propositions[i]);
    assert_string_equal(a->name, b->name);
    for (uint64_t marks = 0; marks < UINT64_C(1) << a->mark_count; marks++)
        assert_int_equal(aut_condition_holds(&a->condition, marks),
                         aut_condition_holds(&b->condition, marks));
    assert_true(isomorphic(a, b, map, 0));
}

static char *text_of(const opac_automaton *automaton,
                     void (*write)(const opac_automaton *, opac_output *))
{
    opac_output *out;
    opac_error error;
    size_t length;
    assert_ok(opac_output_open_memory(&out, &error), &error);
    write(automaton, out);
    const char *bytes = opac_output_bytes(out, &length);
    assert_non_null(bytes);
    assert_int_equal(strlen(bytes), length);
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, bytes, length + 1);
    opac_output_free(out);
    return text;
}

static void fail_on_notice(void *context, uint32_t line, uint32_t column, const char *text)
{
    fail_msg("notice %u:%u %s in\n%s", line, column, text, (const char *)context);
}

static opac_automaton *read_text(char *text)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_hoa_reader_new(text, strlen(text), fail_on_notice, text, &reader, &error),
              &error);
    if (opac_hoa_reader_next(reader, &automaton, &error) != OPAC_OK)
        fail_msg("%u:%u %s in\n%s", error.line, error.column, error.message, text);
    opac_hoa_reader_free(reader);
    return automaton;
}

/* ---- tests ---- */

static void written_automata_are_read_back(void **unused)
{
    random_state = random_seed(741);
    (void)unused;
    for (int round = 0; round < 5000; round++) {
        automaton_lists lists;
        opac_automaton *automaton;
        opac_error error;
        random_lists(&lists, round % 3 == 0);
        assert_ok(build(&lists, false, &automaton, &error), &error);
        uint32_t nodes = aut_bdd_store_count(automaton->labels);
        char *text = text_of(automaton, opac_automaton_write_hoa);
        opac_automaton *again = read_text(text);
        assert_ok(aut_check(again, &error), &error);
        assert_same(automaton, again);
        assert_int_equal(again->is_deterministic, automaton->is_deterministic);
        assert_int_equal(again->is_complete, automaton->is_complete);
        char *second = text_of(again, opac_automaton_write_hoa);
        assert_string_equal(text, second);
        assert_int_equal(aut_bdd_store_count(automaton->labels),
                         nodes); /* the store is not modified */
        free(text);
        free(second);
        aut_condition_fini(&lists.condition);
        opac_automaton_free(automaton);
        opac_automaton_free(again);
    }
}

/* Every state can be reached from an initial one. */
static bool is_connected(const automaton_lists *lists)
{
    uint32_t seen = lists->initial, before;
    do {
        before = seen;
        for (uint32_t i = 0; i < lists->edge_count; i++)
            if ((seen >> lists->edges[i].source) & 1)
                seen |= 1u << lists->edges[i].target;
    } while (seen != before);
    return seen == (1u << lists->states) - 1;
}

static void copies_are_written_with_the_same_bytes(void **unused)
{
    uint32_t differ = 0, rest = 0;
    random_state = random_seed(742);
    (void)unused;
    for (int round = 0; round < 6000; round++) {
        automaton_lists lists;
        opac_automaton *automaton, *copy;
        opac_error error;
        bool deterministic = round % 2 == 0;
        random_lists(&lists, deterministic);
        assert_ok(build(&lists, false, &automaton, &error), &error);
        assert_ok(build(&lists, true, &copy, &error), &error);
        char *first = text_of(automaton, opac_automaton_write_hoa);
        char *second = text_of(copy, opac_automaton_write_hoa);
        if (deterministic && is_connected(&lists)) {
            assert_string_equal(first, second);
        } else {
            rest++;
            differ += strcmp(first, second) != 0;
        }
        free(first);
        first = text_of(automaton, opac_automaton_write_dot);
        assert_non_null(strstr(first, "digraph automaton {"));
        free(first);
        free(second);
        aut_condition_fini(&lists.condition);
        opac_automaton_free(automaton);
        opac_automaton_free(copy);
    }
    /* With five states, colour refinement fails for symmetric automata only. */
    print_message("%u of %u others differ\n", differ, rest);
    assert_true(differ < rest / 100);
}

static void labels_are_ordered_by_their_tables(void **unused)
{
    aut_bdd_store *store;
    opac_error error;
    random_state = random_seed(743);
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    for (int round = 0; round < 5000; round++) {
        uint32_t f = below(256), g = below(4) == 0 ? f ^ (1u << below(8)) : below(256);
        int expected = 0;
        for (uint32_t i = 0; i < 8 && expected == 0; i++) {
            /* The first letter is empty, the second one contains the last proposition, and so on. */
            uint32_t letter = (i & 1) << 2 | (i & 2) | i >> 2;
            expected = (int)((g >> letter) & 1) - (int)((f >> letter) & 1);
        }
        assert_int_equal(hoa_compare_labels(store, label_of(store, 3, f), label_of(store, 3, g)),
                         expected);
    }
    assert_int_equal(hoa_compare_labels(store, AUT_EPSILON, AUT_BDD_TRUE), 1);
    assert_int_equal(hoa_compare_labels(store, AUT_BDD_TRUE, AUT_EPSILON), -1);
    assert_int_equal(hoa_compare_labels(store, AUT_EPSILON, AUT_EPSILON), 0);
    aut_bdd_store_free(store);
}

static void expect_text(const char *given, const char *hoa, const char *dot)
{
    opac_hoa_reader *reader;
    opac_automaton *automaton;
    opac_error error;
    assert_ok(opac_hoa_reader_new(given, strlen(given), NULL, NULL, &reader, &error), &error);
    assert_ok(opac_hoa_reader_next(reader, &automaton, &error), &error);
    char *text = text_of(automaton, opac_automaton_write_hoa);
    /* Everything but the line with the version. */
    char *tool = strstr(text, "tool: \"omegapac\" ");
    assert_non_null(tool);
    char *behind = strchr(tool, '\n') + 1;
    memmove(tool, behind, strlen(behind) + 1);
    assert_string_equal(text, hoa);
    free(text);
    text = text_of(automaton, opac_automaton_write_dot);
    assert_string_equal(text, dot);
    free(text);
    opac_automaton_free(automaton);
    opac_hoa_reader_free(reader);
}

static void a_small_automaton_is_written(void **unused)
{
    (void)unused;
    expect_text("HOA: v1 name: \"F G a\" States: 3 Start: 2 AP: 3 \"x > 1\" \"epsilon\" \"b\" "
                "Acceptance: 2 Inf(0) & Inf(1) --BODY-- State: 2 \"go\" [t] 2 [0&2] 0 {1} [0] 0 "
                "[1] 0 State: 0 [!0|!2] 0 {1} [0&2] 0 {0 1} State: 1 --END--",
                "HOA: v1\n"
                "name: \"F G a\"\n"
                "States: 3\n"
                "Start: 0\n"
                "AP: 3 \"x > 1\" \"b\" \"epsilon\"\n"
                "acc-name: generalized-Buchi 2\n"
                "Acceptance: 2 Inf(0) & Inf(1)\n"
                "properties: trans-labels explicit-labels trans-acc no-univ-branch\n"
                "--BODY--\n"
                "State: 0 \"go\"\n"
                "[t] 0\n"
                "[0] 1\n"
                "[0&1] 1 {1}\n"
                "[2] 1\n"
                "State: 1\n"
                "[!0 | !1] 1 {1}\n"
                "[0&1] 1 {0 1}\n"
                "State: 2\n"
                "--END--\n",
                "digraph automaton {\n"
                "  rankdir=LR\n"
                "  labelloc=t\n"
                "  label=\"F G a\\nInf(0) & Inf(1)\"\n"
                "  node [shape=ellipse]\n"
                "  start0 [label=\"\", shape=point, width=0.05]\n"
                "  start0 -> 0\n"
                "  0 [label=\"0: go\"]\n"
                "  1 [label=\"1\"]\n"
                "  2 [label=\"2\"]\n"
                "  0 -> 0 [label=\"t\"]\n"
                "  0 -> 1 [label=\"\\\"x > 1\\\"\\n\\\"x > 1\\\" & b {1}\"]\n"
                "  0 -> 1 [label=\"ε\", style=dashed]\n"
                "  1 -> 1 [label=\"!\\\"x > 1\\\" | !b {1}\\n\\\"x > 1\\\" & b {0,1}\"]\n"
                "}\n");
}

/* The parity of 64 propositions has 2^63 products and 127 nodes. */
static void functions_with_many_products_are_written(void **unused)
{
    aut_bdd_store *store;
    aut_builder *builder;
    opac_automaton *automaton;
    opac_error error;
    char name_space[64][8];
    const char *many[64];
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    assert_ok(aut_builder_new(store, &builder, &error), &error);
    aut_bdd parity = AUT_BDD_FALSE;
    for (uint32_t i = 0; i < 64; i++) {
        snprintf(name_space[i], sizeof name_space[i], "p%u", i);
        many[i] = name_space[i];
        parity = aut_bdd_ite(store, aut_bdd_variable(store, i), aut_bdd_not(store, parity), parity);
    }
    aut_builder_propositions(builder, many, 64);
    aut_builder_name(builder, "parity");
    aut_builder_add_states(builder, 2);
    aut_builder_edge(builder, 0, (aut_edge){parity, 1, 0});
    aut_builder_edge(builder, 0, (aut_edge){aut_bdd_not(store, parity), 0, 0});
    aut_builder_initial(builder, 0);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    aut_bdd_store_free(store);
    char *text = text_of(automaton, opac_automaton_write_hoa);
    assert_true(strlen(text) < 8000);
    opac_automaton *again = read_text(text);
    char *second = text_of(again, opac_automaton_write_hoa);
    assert_string_equal(text, second);
    random_state = random_seed(744);
    for (int i = 0; i < 1000; i++) {
        uint64_t letter = random_u64(&random_state), ones = 0;
        for (uint32_t j = 0; j < 64; j++)
            ones += (letter >> j) & 1;
        for (uint32_t j = 0; j < 2; j++) {
            const aut_edge *edge = &again->edges[j];
            assert_int_equal(aut_bdd_evaluate(again->labels, edge->label, letter),
                             (ones % 2 == 1) == (edge->target == 1));
        }
    }
    free(second);
    second = text_of(again, opac_automaton_write_dot);
    assert_non_null(strstr(second, "| ...\"]"));
    free(text);
    free(second);
    opac_automaton_free(automaton);
    opac_automaton_free(again);
}

/* A proposition "epsilon" would be read as that of epsilon edges. */
static void the_name_epsilon_is_refused(void **unused)
{
    static const char *const epsilon[] = {"epsilon"};
    aut_bdd_store *store;
    aut_builder *builder;
    opac_automaton *automaton;
    opac_output *out;
    opac_error error;
    (void)unused;
    assert_ok(aut_bdd_store_new(&store, &error), &error);
    assert_ok(aut_builder_new(store, &builder, &error), &error);
    aut_bdd_store_free(store);
    aut_builder_propositions(builder, epsilon, 1);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    assert_ok(opac_output_open_memory(&out, &error), &error);
    opac_automaton_write_hoa(automaton, out);
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_UNSUPPORTED);
    opac_output_free(out);
    opac_automaton_free(automaton);
}

static opac_status work(void *context, opac_error *error)
{
    opac_output *out;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    opac_automaton_write_hoa(context, out);
    opac_automaton_write_dot(context, out);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static void memory_may_run_out(void **unused)
{
    opac_error error;
    random_state = 3;
    (void)unused;
    for (int i = 0; i < 4; i++) { /* deterministic ones and others */
        automaton_lists lists;
        opac_automaton *automaton;
        do {
            random_lists(&lists, i < 2);
            if (lists.edge_count < 6)
                aut_condition_fini(&lists.condition);
        } while (lists.edge_count < 6);
        assert_ok(build(&lists, false, &automaton, &error), &error);
        assert_true(faults_sweep(work, automaton) > 10);
        opac_automaton_free(automaton);
        aut_condition_fini(&lists.condition);
    }
}

SUITE(hoa_write)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_automata_are_read_back),
        cmocka_unit_test(copies_are_written_with_the_same_bytes),
        cmocka_unit_test(labels_are_ordered_by_their_tables),
        cmocka_unit_test(a_small_automaton_is_written),
        cmocka_unit_test(functions_with_many_products_are_written),
        cmocka_unit_test(the_name_epsilon_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("hoa_write", tests, NULL, NULL);
}
