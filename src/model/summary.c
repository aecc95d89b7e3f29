/* SPDX-License-Identifier: MIT */
/*
 * Summary of a model: sizes, extreme values, components. Takes one pass over the arrays, one search for
 * strongly connected components and one decomposition into maximal end components. The memory of each is
 * released before the next: at most about 50 bytes for each state and 4 for each edge.
 */
#include "base/work.h"
#include "graph/mec.h"
#include "graph/scc.h"
#include "model/model.h"

static void count_sizes(const opac_model *model, opac_model_summary *summary)
{
    const graph_process *process = &model->process;
    summary->states = process->state_count;
    summary->choices = process->choice_count;
    summary->transitions = process->edge_count;
    summary->initial = (uint32_t)model->initial.count;
    summary->actions = opac_model_action_count(model);
    summary->deadlocks = opac_model_label_states(model, MODEL_LABEL_DEADLOCK);
    summary->least_probability = 1;
    summary->least_start_probability =
        model->initial.count > 0 ? 1 / (double)model->initial.count : 1;
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t choices = process->choice_begin[s + 1] - process->choice_begin[s];
        if (choices > summary->most_choices)
            summary->most_choices = choices;
    }
    for (uint32_t c = 0; c < process->choice_count; c++) {
        uint32_t branches = process->edge_begin[c + 1] - process->edge_begin[c];
        if (branches > summary->most_branches)
            summary->most_branches = branches;
    }
    for (uint32_t e = 0; e < process->edge_count; e++)
        if (process->prob[e] < summary->least_probability)
            summary->least_probability = process->prob[e];
}

static uint32_t largest_group(const graph_groups *groups, uint32_t count)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        if (groups->begin[i + 1] - groups->begin[i] > largest)
            largest = groups->begin[i + 1] - groups->begin[i];
    return largest;
}

static opac_status count_components(const graph_process *process, graph_workspace *workspace,
                                    opac_model_summary *summary, opac_error *error)
{
    graph_place place = graph_workspace_mark(workspace);
    graph_scc scc = {0};
    graph_groups groups = {0};
    base_bitset bottom = {0}, trivial = {0};
    TRY(graph_scc_find(process, (graph_part){0}, workspace, &scc, error));
    TRY(graph_scc_classify(process, (graph_part){0}, &scc, workspace, &bottom, &trivial, error));
    TRY(graph_group_states(scc.component, process->state_count, scc.count, workspace, &groups,
                           error));
    summary->components = scc.count;
    summary->bottom_components = (uint32_t)base_bitset_count(&bottom);
    summary->largest_component = largest_group(&groups, scc.count);
    graph_workspace_release(workspace, place);
    return OPAC_OK;
}

static opac_status count_end_components(const graph_process *process, graph_workspace *workspace,
                                        opac_model_summary *summary, opac_error *error)
{
    graph_place place = graph_workspace_mark(workspace);
    graph_mec mec = {0};
    TRY(graph_mec_find(process, (graph_part){0}, workspace, &mec, error));
    graph_groups groups = {.begin = mec.begin, .state = mec.state};
    summary->end_components = mec.count;
    summary->end_component_states = mec.begin[mec.count];
    summary->largest_end_component = largest_group(&groups, mec.count);
    graph_workspace_release(workspace, place);
    return OPAC_OK;
}

static opac_status check_cancel(const opac_cancel *cancel, opac_error *error)
{
    if (opac_cancel_requested(cancel))
        return base_fail_stopped(error, cancel, "searching the graph of the model");
    return OPAC_OK;
}

opac_status opac_model_summarize(const opac_model *model, const opac_cancel *cancel,
                                 opac_model_summary *summary, opac_error *error)
{
    base_work work;
    graph_workspace workspace = {.work = &work};
    *summary = (opac_model_summary){0};
    base_work_init(&work, cancel, 0);
    opac_status status;
    TRY_OR(done, check_cancel(cancel, error));
    count_sizes(model, summary);
    TRY_OR(done, check_cancel(cancel, error));
    TRY_OR(done, count_components(&model->process, &workspace, summary, error));
    TRY_OR(done, check_cancel(cancel, error));
    TRY_OR(done, count_end_components(&model->process, &workspace, summary, error));
    status = check_cancel(cancel, error);
done:
    graph_workspace_fini(&workspace);
    if (status != OPAC_OK)
        *summary = (opac_model_summary){0};
    return status;
}
