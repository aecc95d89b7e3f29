/* SPDX-License-Identifier: MIT */
#include "aut/complete.h"

#include <string.h>

/* The marks of the sink's edges, and the new condition. */
typedef struct sink_marks {
    uint64_t on_sink;
    uint64_t on_others; /* in addition to their own */
    aut_condition condition;
    uint32_t mark_count;
} sink_marks;

/* Finds a set of marks that the condition rejects. Tries the empty set, sets of one and two marks, and all
 * marks under Fin. */
static bool find_rejected(const opac_automaton *automaton, uint64_t *marks)
{
    const aut_condition *condition = &automaton->condition;
    uint64_t fins = aut_condition_fin_marks(condition);
    for (uint32_t i = 0; i <= automaton->mark_count; i++) {
        *marks = i == 0 ? 0 : UINT64_C(1) << (i - 1);
        if (!aut_condition_holds(condition, *marks))
            return true;
    }
    for (uint32_t i = 0; i < automaton->mark_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            *marks = UINT64_C(1) << i | UINT64_C(1) << j;
            if (!aut_condition_holds(condition, *marks))
                return true;
        }
    *marks = fins;
    return !aut_condition_holds(condition, fins);
}

static opac_status choose_marks(const opac_automaton *automaton, sink_marks *chosen,
                                opac_error *error)
{
    uint32_t fresh = automaton->mark_count;
    *chosen = (sink_marks){.mark_count = automaton->mark_count};
    if (automaton->is_complete || find_rejected(automaton, &chosen->on_sink))
        return aut_condition_copy(&automaton->condition, &chosen->condition, error);
    TRY(aut_condition_simplify(&automaton->condition, &chosen->condition, error));
    if (chosen->condition.terms.items[0].kind == AUT_TERM_TRUE) {
        aut_condition_fini(&chosen->condition);
        *chosen = (sink_marks){.on_others = 1, .mark_count = 1};
        return aut_condition_buchi(&chosen->condition, error);
    }
    if (fresh >= AUT_MOST_MARKS)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "completing the automaton needs one more acceptance mark than the %d that "
                         "are supported",
                         AUT_MOST_MARKS);
    chosen->on_sink = UINT64_C(1) << fresh;
    chosen->mark_count = fresh + 1;
    return aut_condition_join(&chosen->condition, AUT_TERM_AND, AUT_TERM_FIN, fresh, error);
}

static void add_state(const opac_automaton *given, uint32_t state, const sink_marks *chosen,
                      uint32_t sink, aut_builder *builder)
{
    aut_bdd seen = AUT_BDD_FALSE;
    /* The old marks are dropped if the condition t is replaced by Inf(0). */
    uint64_t kept = chosen->on_others != 0 ? 0 : UINT64_MAX;
    for (uint32_t i = given->edge_begin[state]; i < given->edge_begin[state + 1]; i++) {
        aut_edge edge = given->edges[i];
        edge.marks = (edge.marks & kept) | chosen->on_others;
        if (edge.label != AUT_EPSILON)
            seen = aut_bdd_or(builder->labels, seen, edge.label);
        aut_builder_edge(builder, state, edge);
    }
    /* An edge to the sink is on no cycle, except in the sink itself, so it gets the marks of the state's
     * other edges: state-based acceptance stays state-based. */
    uint32_t first = given->edge_begin[state];
    bool has_edges = first < given->edge_begin[state + 1];
    uint64_t marks =
        has_edges ? (given->edges[first].marks & kept) | chosen->on_others : chosen->on_sink;
    aut_bdd rest = aut_bdd_not(builder->labels, seen);
    aut_builder_edge(builder, state, (aut_edge){rest, sink, marks});
    if (given->state_names != NULL && given->state_names[state] != NULL)
        aut_builder_state_name(builder, state, given->state_names[state],
                               strlen(given->state_names[state]));
}

/* The first state without edges, which can be the sink since it rejects; else the number of a new state. */
static uint32_t find_sink(const opac_automaton *given)
{
    uint32_t state = 0;
    while (state < given->state_count && given->edge_begin[state] < given->edge_begin[state + 1])
        state++;
    return state;
}

/* Builds the result. Moves the condition out of *chosen. */
static opac_status build(const opac_automaton *given, sink_marks *chosen, opac_automaton **made,
                         opac_error *error)
{
    uint32_t sink = find_sink(given);
    bool is_new = sink == given->state_count;
    aut_builder *builder;
    TRY(aut_builder_like(given, &builder, error));
    builder->state_limit = UINT32_MAX;
    aut_builder_add_states(builder, given->state_count + (is_new && !given->is_complete));
    for (uint32_t s = 0; s < given->state_count; s++)
        add_state(given, s, chosen, sink, builder);
    if (is_new && !given->is_complete)
        aut_builder_edge(builder, sink, (aut_edge){AUT_BDD_TRUE, sink, chosen->on_sink});
    for (uint32_t i = 0; i < given->initial_count; i++)
        aut_builder_initial(builder, given->initial[i]);
    if (given->initial_count == 0)
        aut_builder_initial(builder, sink);
    aut_builder_condition(builder, &chosen->condition, chosen->mark_count);
    return aut_builder_finish(builder, made, error);
}

opac_status aut_complete(const opac_automaton *given, opac_automaton **made, opac_error *error)
{
    sink_marks chosen;
    opac_status status = choose_marks(given, &chosen, error);
    if (status == OPAC_OK)
        status = build(given, &chosen, made, error);
    aut_condition_fini(&chosen.condition);
    return status;
}
