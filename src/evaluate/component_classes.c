/* SPDX-License-Identifier: MIT */
/* Classifies components in the order of their numbers, so that successors are classified before. */
#include "evaluate/component_classes.h"

/* The class of a bottom component. A state without edges (the automaton has none) rejects. */
static uint8_t classify_bottom(const evaluate_classes *v, const evaluate_chain *chain,
                               const aut_condition *condition, uint32_t component)
{
    const uint32_t *begin = v->groups.begin, *state = v->groups.state;
    uint64_t marks = 0;
    for (uint32_t i = begin[component]; i < begin[component + 1]; i++) {
        const uint32_t *choice = &chain->process.choice_begin[state[i]];
        if (choice[0] == choice[1])
            return EVALUATE_REJECTS;
        marks |= chain->marks.items[state[i]];
    }
    return aut_condition_holds(condition, marks) ? EVALUATE_ACCEPTS : EVALUATE_REJECTS;
}

/* The union of the classes of successors outside of the component; 0 if there are none. */
static uint8_t successor_classes(const evaluate_classes *v, const evaluate_chain *chain,
                                 uint32_t component)
{
    const graph_process *p = &chain->process;
    uint8_t class = 0;
    for (uint32_t i = v->groups.begin[component]; i < v->groups.begin[component + 1]; i++) {
        uint32_t s = v->groups.state[i];
        for (uint32_t e = p->edge_begin[p->choice_begin[s]];
             e < p->edge_begin[p->choice_begin[s + 1]]; e++)
            if (v->scc.component[p->target[e]] != component)
                class |= v->class[v->scc.component[p->target[e]]];
    }
    return class;
}

static void classify_all(evaluate_classes *v, const evaluate_chain *chain,
                         const aut_condition *condition)
{
    for (uint32_t c = 0; c < v->scc.count; c++) {
        uint32_t size = v->groups.begin[c + 1] - v->groups.begin[c];
        v->class[c] = successor_classes(v, chain, c);
        if (v->class[c] == 0) {
            v->bottoms++;
            v->class[c] = classify_bottom(v, chain, condition, c);
        }
        if (v->class[c] == EVALUATE_BOTH && size > v->largest)
            v->largest = size;
    }
}

opac_status evaluate_classes_init(evaluate_classes *v, const evaluate_chain *chain,
                                  const aut_condition *condition, const opac_cancel *cancel,
                                  opac_error *error)
{
    const graph_process *process = &chain->process;
    base_work work;
    base_work_init(&work, cancel, 0);
    *v = (evaluate_classes){.workspace.work = &work};
    opac_status status = graph_scc_find(process, (graph_part){0}, &v->workspace, &v->scc, error);
    v->workspace.work = NULL;
    TRY(status);
    TRY(graph_group_states(v->scc.component, process->state_count, v->scc.count, &v->workspace,
                           &v->groups, error));
    v->class = graph_take(&v->workspace, v->scc.count, sizeof *v->class);
    if (v->class == NULL)
        return base_fail_memory(error);
    classify_all(v, chain, condition);
    return OPAC_OK;
}

void evaluate_classes_fini(evaluate_classes *classes)
{
    graph_workspace_fini(&classes->workspace);
}
