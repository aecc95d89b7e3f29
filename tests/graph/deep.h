/* SPDX-License-Identifier: MIT */
/* Runs every algorithm on a path and a cycle, in a thread with a stack of 64 KiB. */
#ifndef TESTS_GRAPH_DEEP_H
#define TESTS_GRAPH_DEEP_H

#include <pthread.h>

#include "graph/almost_sure.h"
#include "graph/mec.h"
#include "graph/reach.h"
#include "graph/scc.h"
#include "shapes.h"

typedef struct deep_run {
    const graph_process *process;
    opac_status status;
    uint32_t scc_count, mec_count, reached;
    size_t one;
} deep_run;

static inline opac_status deep_steps(deep_run *run, graph_workspace *workspace)
{
    const graph_process *p = run->process;
    graph_part all = {0};
    graph_scc scc;
    graph_mec mec;
    graph_reached reached;
    graph_reverse reverse;
    graph_max_reached max;
    base_bitset ends;
    opac_status status = graph_scc_find(p, all, workspace, &scc, NULL);
    if (status == OPAC_OK)
        status = graph_mec_find(p, all, workspace, &mec, NULL);
    if (status == OPAC_OK)
        status = graph_take_set(workspace, p->state_count, &ends, NULL);
    if (status != OPAC_OK)
        return status;
    base_bitset_add(&ends, p->state_count - 1);
    status = graph_reverse_build(p, all, workspace, &reverse, NULL);
    if (status == OPAC_OK)
        status = graph_reach_backward(p, all, &reverse, &ends, workspace, &reached, NULL);
    if (status == OPAC_OK)
        status = graph_max_reach(p, all, &reverse, &mec, &ends, workspace, &max, NULL);
    if (status != OPAC_OK)
        return status;
    run->scc_count = scc.count;
    run->mec_count = mec.count;
    run->reached = reached.count;
    run->one = base_bitset_count(&max.one);
    return OPAC_OK;
}

static inline void *deep_thread(void *context)
{
    deep_run *run = context;
    graph_workspace workspace = {0};
    run->status = deep_steps(run, &workspace);
    graph_workspace_fini(&workspace);
    return NULL;
}

static inline void deep_check(uint32_t states, bool cycle)
{
    graph_process process;
    pthread_attr_t attributes;
    pthread_t thread;
    shape_path(states, cycle, &process);
    deep_run run = {.process = &process, .status = OPAC_ERROR_INTERNAL};
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 64 * 1024), 0);
    assert_int_equal(pthread_create(&thread, &attributes, deep_thread, &run), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_status(run.status, OPAC_OK);
    assert_int_equal(run.scc_count, cycle ? 1 : states);
    assert_int_equal(run.mec_count, 1);
    assert_int_equal(run.reached, states);
    assert_int_equal(run.one, states);
    graph_process_fini(&process);
}

#endif
