/* SPDX-License-Identifier: MIT */
#include "support/random_automaton.h"

#include "support/check.h"
#include "support/invariants.h"

aut_condition random_condition(uint64_t *random, uint32_t marks, uint32_t gates)
{
    aut_condition condition = {0};
    uint32_t open[64], count = 0;
    assert_true(gates < 60);
    for (uint32_t i = 0; i <= gates; i++) {
        uint32_t kind = random_below(random, 40);
        aut_term leaf = {.kind = kind == 0   ? AUT_TERM_TRUE
                                 : kind == 1 ? AUT_TERM_FALSE
                                 : kind < 21 ? AUT_TERM_INF
                                             : AUT_TERM_FIN};
        if (marks == 0)
            leaf.kind = kind % 2 == 0 ? AUT_TERM_TRUE : AUT_TERM_FALSE;
        if (leaf.kind == AUT_TERM_INF || leaf.kind == AUT_TERM_FIN)
            leaf.left = random_below(random, 4) > 0 ? i % marks : random_below(random, marks);
        assert_status(aut_condition_add(&condition, leaf, &open[count++], NULL), OPAC_OK);
    }
    while (count > 1) {
        uint32_t a = random_below(random, count), left = open[a];
        open[a] = open[--count];
        uint32_t b = random_below(random, count);
        aut_term gate = {.kind = random_below(random, 2) ? AUT_TERM_AND : AUT_TERM_OR,
                         .left = left,
                         .right = open[b]};
        assert_status(aut_condition_add(&condition, gate, &open[b], NULL), OPAC_OK);
    }
    return condition;
}

/* ---- parsing, by recursive descent ---- */

static uint32_t parse_or(const char **text, aut_condition *to);

static char peek(const char **text)
{
    while (**text == ' ')
        ++*text;
    return **text;
}

static uint32_t parse_atom(const char **text, aut_condition *to)
{
    uint32_t index;
    aut_term leaf = {.kind = AUT_TERM_TRUE};
    char first = peek(text);
    ++*text;
    if (first == '(') {
        index = parse_or(text, to);
        assert_int_equal(peek(text), ')');
        ++*text;
        return index;
    }
    if (first == 'f')
        leaf.kind = AUT_TERM_FALSE;
    if (first == 'I' || first == 'F') {
        char *end;
        leaf.kind = first == 'I' ? AUT_TERM_INF : AUT_TERM_FIN;
        leaf.left = (uint32_t)strtoul(*text + 3, &end, 10);
        assert_int_equal(*end, ')');
        *text = end + 1;
    }
    assert_status(aut_condition_add(to, leaf, &index, NULL), OPAC_OK);
    return index;
}

static uint32_t parse_and(const char **text, aut_condition *to)
{
    uint32_t index = parse_atom(text, to);
    while (peek(text) == '&') {
        ++*text;
        uint32_t right = parse_atom(text, to);
        aut_term gate = {.kind = AUT_TERM_AND, .left = index, .right = right};
        assert_status(aut_condition_add(to, gate, &index, NULL), OPAC_OK);
    }
    return index;
}

static uint32_t parse_or(const char **text, aut_condition *to)
{
    uint32_t index = parse_and(text, to);
    while (peek(text) == '|') {
        ++*text;
        uint32_t right = parse_and(text, to);
        aut_term gate = {.kind = AUT_TERM_OR, .left = index, .right = right};
        assert_status(aut_condition_add(to, gate, &index, NULL), OPAC_OK);
    }
    return index;
}

aut_condition random_condition_parse(const char *text)
{
    aut_condition condition = {0};
    parse_or(&text, &condition);
    assert_int_equal(*text, '\0');
    return condition;
}

/* ---- automata ---- */

static uint64_t random_marks(uint64_t *random, const random_automaton_shape *shape)
{
    uint64_t marks = 0;
    for (uint32_t i = 0; i < shape->marks; i++)
        if (random_below(random, 100) < shape->mark_percent)
            marks |= UINT64_C(1) << i;
    return marks;
}

/* The label of exactly one letter. */
static aut_bdd letter_label(aut_bdd_store *labels, uint64_t letter, uint32_t propositions)
{
    aut_bdd label = AUT_BDD_TRUE;
    for (uint32_t i = 0; i < propositions; i++) {
        aut_bdd variable = aut_bdd_variable(labels, i);
        if (((letter >> i) & 1) == 0)
            variable = aut_bdd_not(labels, variable);
        label = aut_bdd_and(labels, label, variable);
    }
    return label;
}

static void add_deterministic(uint64_t *random, const random_automaton_shape *shape, uint32_t state,
                              aut_builder *builder)
{
    for (uint64_t letter = 0; letter < UINT64_C(1) << shape->propositions; letter++) {
        aut_edge edge = {letter_label(builder->labels, letter, shape->propositions),
                         random_below(random, shape->states), random_marks(random, shape)};
        if (random_below(random, 100) < shape->edge_percent)
            aut_builder_edge(builder, state, edge);
    }
}

static void add_edges(uint64_t *random, const random_automaton_shape *shape, uint32_t state,
                      aut_builder *builder)
{
    for (uint32_t target = 0; target < shape->states; target++) {
        aut_bdd label = AUT_BDD_FALSE;
        for (uint64_t letter = 0; letter < UINT64_C(1) << shape->propositions; letter++)
            if (random_below(random, 2) == 0)
                label = aut_bdd_or(builder->labels, label,
                                   letter_label(builder->labels, letter, shape->propositions));
        if (random_below(random, 100) < shape->epsilon_percent)
            label = AUT_EPSILON;
        if (random_below(random, 100) < shape->edge_percent)
            aut_builder_edge(builder, state,
                             (aut_edge){label, target, random_marks(random, shape)});
    }
}

opac_automaton *random_automaton(uint64_t *random, random_automaton_shape shape,
                                 const aut_condition *condition)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    aut_bdd_store *labels;
    aut_builder *builder;
    opac_automaton *automaton;
    aut_condition own;
    opac_error error;
    assert_ok(aut_bdd_store_new(&labels, &error), &error);
    assert_ok(aut_builder_new(labels, &builder, &error), &error);
    aut_bdd_store_free(labels);
    aut_builder_propositions(builder, names, shape.propositions);
    aut_builder_add_states(builder, shape.states);
    for (uint32_t state = 0; state < shape.states; state++) {
        if (shape.is_deterministic)
            add_deterministic(random, &shape, state, builder);
        else
            add_edges(random, &shape, state, builder);
        if (state == 0 || (!shape.is_deterministic && random_below(random, 5) == 0))
            aut_builder_initial(builder, state);
    }
    if (condition == NULL)
        own = random_condition(random, shape.marks, shape.gates);
    else
        assert_ok(aut_condition_copy(condition, &own, &error), &error);
    aut_builder_condition(builder, &own, shape.marks);
    assert_ok(aut_builder_finish(builder, &automaton, &error), &error);
    assert_ok(aut_check(automaton, &error), &error);
    return automaton;
}

random_automaton_shape random_automaton_draw(uint64_t *random, uint32_t states,
                                             uint32_t propositions, uint32_t marks)
{
    random_automaton_shape shape = {
        .states = 1 + random_below(random, states),
        .propositions = 1 + random_below(random, propositions),
        .marks = random_below(random, 20) == 0 ? 0 : 1 + random_below(random, marks),
        .mark_percent = 15 + random_below(random, 40),
        .is_deterministic = random_below(random, 2) == 0,
    };
    shape.gates = random_below(random, 4) + (shape.marks > 0 ? shape.marks - 1 : 0);
    shape.edge_percent =
        shape.is_deterministic ? 80 + 4 * random_below(random, 6) : 30 + random_below(random, 50);
    if (!shape.is_deterministic && random_below(random, 2) == 0)
        shape.epsilon_percent = random_below(random, 30);
    return shape;
}
