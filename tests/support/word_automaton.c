/* SPDX-License-Identifier: MIT */
#include "support/word_automaton.h"

#include "support/check.h"
#include "support/random.h"

typedef struct product_edge {
    uint32_t source, target;
    uint64_t marks;
    bool reads; /* a letter, rather than being an epsilon edge */
} product_edge;

/* Node s·length + p: the automaton is in state s and reads letter p next. */
typedef struct product {
    const aut_condition *condition;
    uint32_t nodes, count;
    product_edge *edges;
} product;

static uint32_t step(const ltl_lasso *word, uint32_t position)
{
    return position + 1 < word->length ? position + 1 : (uint32_t)word->prefix;
}

static void multiply(const opac_automaton *automaton, const ltl_lasso *word, product *made)
{
    uint32_t length = (uint32_t)word->length;
    made->condition = &automaton->condition;
    made->nodes = automaton->state_count * length;
    made->count = 0;
    made->edges = calloc((size_t)aut_edge_count(automaton) * length + 1, sizeof *made->edges);
    assert_non_null(made->edges);
    for (uint32_t s = 0; s < automaton->state_count; s++)
        for (uint32_t i = automaton->edge_begin[s]; i < automaton->edge_begin[s + 1]; i++) {
            const aut_edge *edge = &automaton->edges[i];
            for (uint32_t p = 0; p < length; p++) {
                bool reads = edge->label != AUT_EPSILON;
                if (reads && aut_bdd_evaluate(automaton->labels, edge->label, word->letters[p]) !=
                                 AUT_BDD_TRUE)
                    continue;
                uint32_t next = reads ? step(word, p) : p;
                made->edges[made->count++] = (product_edge){
                    s * length + p, edge->target * length + next, edge->marks, reads};
            }
        }
}

/* Extends a set of nodes along the edges, forward or backward, until nothing changes. */
static void spread(const product *graph, uint8_t *set, bool forward)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < graph->count; i++) {
            const product_edge *edge = &graph->edges[i];
            uint32_t from = forward ? edge->source : edge->target;
            uint32_t to = forward ? edge->target : edge->source;
            if (set[from] && !set[to])
                set[to] = changed = true;
        }
    }
}

/* The edges inside a set of nodes, without those that carry a mark. */
static product restrict_to(const product *graph, const uint8_t *inside, uint64_t avoided)
{
    product part = {graph->condition, graph->nodes, 0,
                    calloc(graph->count + 1, sizeof *part.edges)};
    assert_non_null(part.edges);
    for (uint32_t i = 0; i < graph->count; i++) {
        const product_edge *edge = &graph->edges[i];
        if (inside[edge->source] && inside[edge->target] && (edge->marks & avoided) == 0)
            part.edges[part.count++] = *edge;
    }
    return part;
}

static bool has_cycle(const product *graph, uint32_t next);

/* Whether a closed walk in a component is accepting, perhaps one without some marks from `next`. */
static bool component_has_cycle(const product *component, uint32_t next)
{
    uint64_t marks = 0;
    bool reads = false, found;
    for (uint32_t i = 0; i < component->count; i++) {
        marks |= component->edges[i].marks;
        reads |= component->edges[i].reads;
    }
    if (!reads)
        return false;
    found = aut_condition_holds(component->condition, marks);
    for (uint32_t mark = next; mark < AUT_MOST_MARKS && marks >> mark != 0 && !found; mark++) {
        if (((marks >> mark) & 1) == 0)
            continue;
        uint8_t *all = malloc(component->nodes + 1);
        assert_non_null(all);
        memset(all, 1, component->nodes);
        product rest = restrict_to(component, all, UINT64_C(1) << mark);
        found = has_cycle(&rest, mark + 1);
        free(rest.edges);
        free(all);
    }
    return found;
}

/* Whether some closed walk is accepting. Marks below `next` are decided. */
static bool has_cycle(const product *graph, uint32_t next)
{
    bool found = false;
    uint8_t *done = calloc(3, graph->nodes + 1);
    assert_non_null(done);
    uint8_t *ahead = done + graph->nodes, *back = ahead + graph->nodes;
    for (uint32_t i = 0; i < graph->count && !found; i++) {
        uint32_t node = graph->edges[i].source;
        if (done[node])
            continue;
        memset(ahead, 0, 2 * (size_t)graph->nodes);
        ahead[node] = back[node] = 1;
        spread(graph, ahead, true);
        spread(graph, back, false);
        for (uint32_t j = 0; j < graph->nodes; j++) {
            ahead[j] &= back[j]; /* the component of the node */
            done[j] |= ahead[j];
        }
        product component = restrict_to(graph, ahead, 0);
        found = component_has_cycle(&component, next);
        free(component.edges);
    }
    free(done);
    return found;
}

/* The edge for a letter; NULL when there is none. */
static const aut_edge *take(const opac_automaton *automaton, uint32_t state, uint64_t letter)
{
    for (uint32_t i = automaton->edge_begin[state]; i < automaton->edge_begin[state + 1]; i++)
        if (aut_bdd_evaluate(automaton->labels, automaton->edges[i].label, letter) == AUT_BDD_TRUE)
            return &automaton->edges[i];
    return NULL;
}

/* Reads some letters; false when the run ends. */
static bool read_letters(const opac_automaton *automaton, const uint64_t *letters, size_t count,
                         uint32_t *state, uint64_t *marks)
{
    *marks = 0;
    for (size_t i = 0; i < count; i++) {
        const aut_edge *edge = take(automaton, *state, letters[i]);
        if (edge == NULL)
            return false;
        *state = edge->target;
        *marks |= edge->marks;
    }
    return true;
}

/*
 * The only run of a deterministic automaton: the marks of the rounds of v
 * between two that begin in the same state.
 */
static bool run_accepts(const opac_automaton *automaton, const ltl_lasso *word)
{
    uint32_t state = automaton->initial_count > 0 ? automaton->initial[0] : 0, round = 0;
    uint64_t marks = 0, *of_round = calloc(automaton->state_count + 1, sizeof *of_round);
    uint32_t *first = calloc(automaton->state_count + 1, sizeof *first); /* 1 + round, 0: none */
    assert_non_null(of_round);
    assert_non_null(first);
    bool runs = automaton->initial_count > 0 &&
                read_letters(automaton, word->letters, word->prefix, &state, &marks);
    while (runs && first[state] == 0) {
        first[state] = ++round;
        runs = read_letters(automaton, word->letters + word->prefix, word->length - word->prefix,
                            &state, &of_round[round]);
    }
    marks = 0;
    for (uint32_t i = runs ? first[state] : round + 1; i <= round; i++)
        marks |= of_round[i];
    free(of_round);
    free(first);
    return runs && aut_condition_holds(&automaton->condition, marks);
}

bool word_accepts(const opac_automaton *automaton, const ltl_lasso *word)
{
    product graph;
    if (automaton->is_deterministic)
        return run_accepts(automaton, word);
    multiply(automaton, word, &graph);
    uint8_t *reached = calloc(graph.nodes + 1, 1);
    assert_non_null(reached);
    for (uint32_t i = 0; i < automaton->initial_count; i++)
        reached[automaton->initial[i] * word->length] = 1;
    spread(&graph, reached, true);
    product part = restrict_to(&graph, reached, 0);
    bool accepted = has_cycle(&part, 0);
    free(part.edges);
    free(reached);
    free(graph.edges);
    return accepted;
}

bool word_enumerate(uint32_t propositions, uint32_t most, uint64_t index, word_sample *sample)
{
    uint64_t letters = UINT64_C(1) << propositions, words = 1;
    assert_true(most <= WORD_MOST_LETTERS);
    for (uint32_t length = 1; length <= most; length++) {
        words *= letters;
        if (index >= words * length) {
            index -= words * length;
            continue;
        }
        sample->word = (ltl_lasso){sample->letters, (size_t)(index / words), length};
        index %= words;
        for (uint32_t i = 0; i < length; i++) {
            sample->letters[i] = index % letters;
            index /= letters;
        }
        return true;
    }
    return false;
}

void word_draw(uint64_t *random, uint32_t propositions, uint32_t most, word_sample *sample)
{
    uint32_t length = 1 + random_below(random, most), prefix = random_below(random, length);
    assert_true(most <= WORD_MOST_LETTERS);
    for (uint32_t i = 0; i < length; i++)
        sample->letters[i] = propositions < 64
                                 ? random_u64(random) & ((UINT64_C(1) << propositions) - 1)
                                 : random_u64(random);
    sample->word = (ltl_lasso){sample->letters, prefix, length};
}

static void compare(const opac_automaton *a, const opac_automaton *b, const ltl_lasso *word)
{
    bool first = word_accepts(a, word), second = word_accepts(b, word);
    if (first == second)
        return;
    for (size_t i = 0; i < word->length; i++)
        print_error("%s%llu", i == word->prefix ? " ; " : " ",
                    (unsigned long long)word->letters[i]);
    fail_msg(": accepted by %s only", first ? "the first" : "the second");
}

void word_assert_same(const opac_automaton *a, const opac_automaton *b, uint64_t *random,
                      uint32_t words)
{
    word_sample sample;
    uint32_t propositions = a->proposition_count;
    assert_int_equal(propositions, b->proposition_count);
    if (!word_enumerate(propositions, 4, words, &sample)) {
        for (uint64_t i = 0; word_enumerate(propositions, 4, i, &sample); i++)
            compare(a, b, &sample.word);
        return;
    }
    for (uint32_t i = 0; i < words; i++) {
        word_draw(random, propositions, 8, &sample);
        compare(a, b, &sample.word);
    }
}
