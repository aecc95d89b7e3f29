/* SPDX-License-Identifier: MIT */
/* Compares the reverse of random parts with the definition. */
#include "graph/reverse.h"
#include "small.h"
#include "support/check.h"

static void check_case(const small_case *sample, uint64_t *random, graph_workspace *workspace)
{
    (void)random;
    graph_reverse reverse;
    opac_error error = {0};
    small_process small = small_from(&sample->process, sample->part, LEAVING_EDGE_IS_CUT);
    assert_ok(graph_reverse_build(&sample->process, sample->part, workspace, &reverse, &error),
              &error);
    uint32_t next = 0;
    for (uint32_t t = 0; t < small.states; t++) {
        assert_int_equal(reverse.begin[t], next);
        for (uint32_t c = 0; c < small.choices; c++)
            if (small.exists[c] && (small.successors[c] & bit(t)))
                assert_int_equal(reverse.choice[next++], c);
    }
    assert_int_equal(reverse.begin[small.states], next);
    for (uint32_t c = 0; c < small.choices; c++)
        assert_int_equal(reverse.owner[c], small.owner[c]);
}

static void lists_what_leads_to_each_state(void **state)
{
    (void)state;
    for_each_small_case(5, 30000, check_case);
}

SUITE(reverse)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_what_leads_to_each_state),
    };
    return cmocka_run_group_tests_name("graph.reverse", tests, NULL, NULL);
}
