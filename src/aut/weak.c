/* SPDX-License-Identifier: MIT */
#include "aut/weak.h"

#include <string.h>

#include "base/intern.h"

enum {
    DEAD_COLOUR = 1 /* the colour of missing edges, which lead to a rejecting sink */
};

/* Computes the colours of the components, which are in reverse topological order. */
static opac_status colour(const aut_table *table, const graph_scc *scc,
                          const base_bitset *accepting, graph_workspace *workspace,
                          uint32_t *colours, opac_error *error)
{
    graph_groups groups;
    TRY(graph_group_states(scc->component, table->states, scc->count, workspace, &groups, error));
    for (uint32_t c = 0; c < scc->count; c++) {
        uint32_t most = 0;
        bool has_cycle = false;
        for (uint32_t i = groups.begin[c]; i < groups.begin[c + 1]; i++) {
            size_t row = (size_t)groups.state[i] * table->classes;
            for (uint32_t class = 0; class < table->classes; class ++) {
                uint32_t next = table->target[row + class], seen = DEAD_COLOUR;
                if (next != AUT_NO_STATE && scc->component[next] == c) {
                    has_cycle = true;
                    continue;
                }
                if (next != AUT_NO_STATE)
                    seen = colours[scc->component[next]];
                most = seen > most ? seen : most;
            }
        }
        uint32_t parity = base_bitset_has(accepting, c) ? 0 : 1;
        colours[c] = has_cycle && most % 2 != parity ? most + 1 : most;
    }
    return OPAC_OK;
}

/*
 * Partition refinement: splits blocks by the blocks of the successors, until no block changes. block[state]
 * is the initial partition, and then the final one, which has *count blocks.
 */
static opac_status refine(const aut_table *table, graph_workspace *workspace, uint32_t *block,
                          uint32_t *count, opac_error *error)
{
    size_t width = (size_t)table->classes + 1;
    uint32_t *signature = graph_take_u32(workspace, width);
    uint32_t *next = graph_take_u32(workspace, table->states);
    if (signature == NULL || next == NULL)
        return base_fail_memory(error);
    base_intern seen = {0};
    opac_status status = OPAC_OK;
    *count = 0; /* not the size of the initial partition, so that at least two passes are made */
    for (uint32_t before = UINT32_MAX; before != *count;) {
        before = *count;
        base_intern_init_fixed(&seen, width * sizeof *signature);
        for (uint32_t state = 0; state < table->states; state++) {
            if (graph_spend(workspace, width))
                TRY_OR(done, graph_workspace_check(workspace, error));
            signature[table->classes] = block[state];
            for (uint32_t class = 0; class < table->classes; class ++) {
                uint32_t target = table->target[(size_t)state * table->classes + class];
                signature[class] = target == AUT_NO_STATE ? AUT_NO_STATE : block[target];
            }
            TRY_OR(done, base_intern_add(&seen, signature, width * sizeof *signature, &next[state],
                                         NULL, error));
        }
        *count = seen.count;
        memcpy(block, next, table->states * sizeof *block);
        base_intern_fini(&seen);
    }
done:
    base_intern_fini(&seen);
    return status;
}

/* Replaces the table by its quotient, in which each block is represented by its first state. */
static opac_status make_quotient(aut_table *table, const uint32_t *block, uint32_t count,
                                 const uint8_t *is_accepting, graph_workspace *workspace,
                                 opac_error *error)
{
    uint32_t *first = graph_take_u32(workspace, count);
    if (first == NULL)
        return base_fail_memory(error);
    memset(first, 0xFF, count * sizeof *first);
    for (uint32_t state = 0; state < table->states; state++)
        if (first[block[state]] == AUT_NO_STATE)
            first[block[state]] = state;
    for (size_t cell = 0; cell < (size_t)table->states * table->classes; cell++) {
        uint32_t target = table->target[cell];
        table->target[cell] = target == AUT_NO_STATE ? AUT_NO_STATE : first[block[target]];
        table->marks[cell] = is_accepting[cell / table->classes];
    }
    if (table->initial != AUT_NO_STATE)
        table->initial = first[block[table->initial]];
    return aut_table_compact(table, NULL, error);
}

opac_status aut_weak_minimize(aut_table *table, const graph_scc *scc, const base_bitset *accepting,
                              graph_workspace *workspace, opac_error *error)
{
    uint32_t *colours = graph_take_u32(workspace, scc->count);
    uint32_t *block = graph_take_u32(workspace, table->states), count;
    uint8_t *is_accepting = graph_take(workspace, table->states, 1);
    if (colours == NULL || block == NULL || is_accepting == NULL)
        return base_fail_memory(error);
    TRY(colour(table, scc, accepting, workspace, colours, error));
    for (uint32_t state = 0; state < table->states; state++) {
        is_accepting[state] = colours[scc->component[state]] % 2 == 0;
        block[state] = is_accepting[state];
    }
    TRY(refine(table, workspace, block, &count, error));
    return make_quotient(table, block, count, is_accepting, workspace, error);
}
