/* SPDX-License-Identifier: MIT */
#include "support/random_process.h"

#include "graph/graph_builder.h"
#include "support/check.h"

void random_process(uint64_t *random, random_shape shape, graph_process *process)
{
    graph_builder builder = {.weighted = true};
    opac_error error = {0};
    for (uint32_t s = 0; s < shape.states; s++) {
        assert_ok(graph_builder_state(&builder, &error), &error);
        uint32_t choices = random_below(random, shape.most_choices + 1);
        for (uint32_t c = 0; c < choices; c++) {
            assert_ok(graph_builder_choice(&builder, &error), &error);
            uint32_t edges = 1 + random_below(random, shape.most_edges);
            for (uint32_t e = 0; e < edges; e++)
                assert_ok(graph_builder_edge(&builder, random_below(random, shape.states),
                                             1.0 / (double)edges, &error),
                          &error);
        }
    }
    assert_ok(graph_builder_finish(&builder, process, &error), &error);
}

void random_set(uint64_t *random, size_t size, uint32_t percent, base_bitset *set)
{
    assert_status(base_bitset_init(set, size, NULL), OPAC_OK);
    for (size_t i = 0; i < size; i++)
        if (random_below(random, 100) < percent)
            base_bitset_add(set, i);
}
