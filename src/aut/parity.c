/* SPDX-License-Identifier: MIT */
/*
 * The priority of a node decreases with its depth. The lowest level of each tree has priority 0 if it is
 * accepting, and no priority if it is rejecting; so a tree of one rejecting node has no marks.
 */
#include "aut/parity.h"

#include "aut/bisimulation.h"
#include "aut/trim.h"
#include "aut/unfold_cycles.h"
#include "base/alloc.h"

/* Sets priority[node] to 1 + its priority, or to 0 if it has none. Returns the number of priorities. */
static uint32_t number_priorities(const aut_acd *acd, uint8_t *priority)
{
    const aut_acd_node *nodes = acd->nodes.items;
    uint32_t most = 0;
    for (uint32_t root = 0; root < acd->nodes.count; root = nodes[root].end) {
        uint32_t levels = aut_acd_levels(acd, root);
        bool lowest_accepts = nodes[root].is_accepting == (levels % 2 == 1);
        uint32_t top = levels - (lowest_accepts ? 0 : 1);
        for (uint32_t node = root; node < nodes[root].end; node++)
            priority[node] = (uint8_t)(top - nodes[node].depth);
        most = top > most ? top : most;
    }
    return most;
}

static void add_copies(const opac_automaton *automaton, const aut_unfolding *unfolding,
                       const uint8_t *priority, aut_builder *builder)
{
    aut_builder_add_states(builder, unfolding->copy_count);
    for (uint32_t p = 0; builder->problem.code == OPAC_OK && p < unfolding->copy_count; p++) {
        const aut_edge *edges = &automaton->edges[automaton->edge_begin[unfolding->state[p]]];
        uint32_t begin = unfolding->edge_begin[p];
        for (uint32_t i = begin; i < unfolding->edge_begin[p + 1]; i++) {
            uint32_t via = unfolding->via[i];
            uint32_t own = via != AUT_ACD_NONE ? priority[via] : 0;
            aut_edge edge = {.label = edges[i - begin].label,
                             .target = unfolding->successor[i],
                             .marks = own > 0 ? UINT64_C(1) << (own - 1) : 0};
            aut_builder_edge(builder, p, edge);
        }
    }
    for (uint32_t i = 0; builder->problem.code == OPAC_OK && i < automaton->initial_count; i++)
        aut_builder_initial(builder, unfolding->entry[automaton->initial[i]]);
}

static opac_status build(const opac_automaton *automaton, const aut_acd *acd,
                         const uint8_t *priority, uint32_t priorities, uint32_t state_limit,
                         opac_automaton **made, opac_error *error)
{
    graph_workspace workspace = {.work = aut_work(automaton)};
    aut_unfolding unfolding;
    aut_condition condition = {0};
    aut_builder *builder;
    opac_status status;
    TRY_OR(done, aut_unfold(automaton, acd, NULL, &workspace, &unfolding, error));
    TRY_OR(done, aut_condition_parity_max_even(&condition, priorities, error));
    TRY_OR(done, aut_builder_like(automaton, &builder, error));
    builder->state_limit = state_limit != 0 ? state_limit : AUT_STATE_LIMIT;
    add_copies(automaton, &unfolding, priority, builder);
    aut_builder_condition(builder, &condition, priorities);
    status = aut_builder_finish(builder, made, error);
done:
    aut_condition_fini(&condition);
    graph_workspace_fini(&workspace);
    return status;
}

/* Unfolds a trimmed automaton. *made is NULL if that needs more than `most` priorities. */
static opac_status unfold_trimmed(const opac_automaton *automaton, uint32_t state_limit,
                                  uint32_t most, opac_automaton **made, opac_error *error)
{
    aut_acd acd;
    opac_status status = OPAC_OK;
    *made = NULL;
    TRY(aut_acd_build(automaton, &acd, error));
    uint8_t *priority = base_alloc_zeroed(acd.nodes.count, 1);
    TRY_OR(done, priority != NULL ? OPAC_OK : base_fail_memory(error));
    uint32_t priorities = number_priorities(&acd, priority);
    if (priorities <= most)
        status = build(automaton, &acd, priority, priorities, state_limit, made, error);
done:
    base_free(priority);
    aut_acd_fini(&acd);
    return status;
}

opac_status aut_to_parity_at_most(const opac_automaton *given, uint32_t state_limit, uint32_t most,
                                  opac_automaton **made, opac_error *error)
{
    opac_automaton *trimmed = NULL, *unfolded = NULL;
    opac_status status;
    *made = NULL;
    TRY_OR(done, aut_trim(given, &trimmed, error));
    TRY_OR(done, unfold_trimmed(trimmed, state_limit, most, &unfolded, error));
    if (unfolded != NULL)
        status = aut_merge_bisimilar(unfolded, made, error);
done:
    opac_automaton_free(trimmed);
    opac_automaton_free(unfolded);
    return status;
}

opac_status aut_to_parity(const opac_automaton *given, uint32_t state_limit, opac_automaton **made,
                          opac_error *error)
{
    return aut_to_parity_at_most(given, state_limit, UINT32_MAX, made, error);
}
