/* SPDX-License-Identifier: MIT */
/*
 * The maximal end components of the process are computed once. For a pair and a component, the union of the
 * marks on its choices distinguishes three cases:
 *
 *     no mark of inf           the component is not winning
 *     inf, and no mark of fin  the whole component is winning
 *     both                     its choices without fin are decomposed again, together with those of all
 *                              such components
 *
 * The policies of all winning components are computed together: a state with a choice of inf takes the
 * lowest such choice; the other states take the choices of the attractor of these states, inside the
 * component. Correctness: from every state of the component, a choice of inf is taken within a bounded
 * number of steps with a probability that is bounded from below, hence almost surely infinitely often; and
 * no choice has a mark of fin.
 */
#include "solve/winning.h"

#include "graph/attractor.h"

typedef struct search {
    const solve_problem *problem;
    const graph_mec *mec;
    uint64_t *marks;       /* by component of mec: union of the marks on its choices */
    base_bitset open;      /* components of mec that contain no winning component yet */
    base_bitset *winning;  /* states of winning components */
    base_bitset inside;    /* choices inside winning components */
    base_bitset accepting; /* states whose choice has a mark of inf */
    uint32_t *choice;
    uint32_t count, winning_count, accepting_count;
} search;

static opac_status take_search(search *x, graph_workspace *workspace, opac_error *error)
{
    const graph_process *process = x->problem->process;
    x->marks = graph_take(workspace, x->mec->count, sizeof *x->marks);
    if (x->marks == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(workspace, x->mec->count, &x->open, error));
    TRY(graph_take_set(workspace, process->choice_count, &x->inside, error));
    return graph_take_set(workspace, process->state_count, &x->accepting, error);
}

/* The union of the marks on those choices of a state that are in the set. */
static uint64_t marks_of_state(const search *x, const base_bitset *choices, uint32_t s)
{
    const graph_process *process = x->problem->process;
    uint64_t marks = 0;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
        if (base_bitset_has(choices, c))
            marks |= x->problem->marks[c];
    return marks;
}

static uint64_t marks_of_component(const search *x, const graph_mec *mec, uint32_t i)
{
    uint64_t marks = 0;
    for (uint32_t j = mec->begin[i]; j < mec->begin[i + 1]; j++)
        marks |= marks_of_state(x, &mec->choices, mec->state[j]);
    return marks;
}

static void read_marks(search *x)
{
    base_bitset_fill(&x->open);
    for (uint32_t i = 0; i < x->mec->count; i++)
        x->marks[i] = marks_of_component(x, x->mec, i);
}

/* Adds a state of a winning component: records its choices inside, and its lowest choice of inf. */
static void add_winning_state(search *x, const base_bitset *choices, uint64_t inf, uint32_t s)
{
    const graph_process *process = x->problem->process;
    base_bitset_add(x->winning, s);
    x->winning_count++;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        if (!base_bitset_has(choices, c))
            continue;
        base_bitset_add(&x->inside, c);
        if ((x->problem->marks[c] & inf) != 0 && x->choice[s] == GRAPH_NONE) {
            x->choice[s] = c;
            base_bitset_add(&x->accepting, s);
            x->accepting_count++;
        }
    }
}

/* Adds component i of mec, which is x->mec or a refinement of it, as winning for a pair with this inf. */
static void add_winning(search *x, const graph_mec *mec, uint32_t i, uint64_t inf)
{
    for (uint32_t j = mec->begin[i]; j < mec->begin[i + 1]; j++)
        add_winning_state(x, &mec->choices, inf, mec->state[j]);
    base_bitset_remove(&x->open, x->mec->component[mec->state[mec->begin[i]]]);
    x->count++;
}

/* Adds the choices of component i without a mark of fin. */
static void add_choices_without(const search *x, uint32_t i, uint64_t fin, base_bitset *candidates)
{
    const graph_process *process = x->problem->process;
    for (uint32_t j = x->mec->begin[i]; j < x->mec->begin[i + 1]; j++) {
        uint32_t s = x->mec->state[j];
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (base_bitset_has(&x->mec->choices, c) && (x->problem->marks[c] & fin) == 0)
                base_bitset_add(candidates, c);
    }
}

/*
 * Adds the components that are winning as a whole, and collects the choices of those to be decomposed;
 * returns whether there are any of the latter.
 */
static bool sort_components(search *x, solve_rabin_pair pair, base_bitset *candidates)
{
    bool any = false;
    for (uint32_t i = 0; i < x->mec->count; i++) {
        if ((x->marks[i] & pair.inf) == 0 || !base_bitset_has(&x->open, i))
            continue;
        if ((x->marks[i] & pair.fin) == 0) {
            add_winning(x, x->mec, i, pair.inf);
        } else {
            add_choices_without(x, i, pair.fin, candidates);
            any = true;
        }
    }
    return any;
}

static opac_status try_pair(search *x, solve_rabin_pair pair, graph_workspace *workspace,
                            opac_error *error)
{
    const graph_process *process = x->problem->process;
    base_bitset candidates;
    graph_mec inner;
    graph_place place = graph_workspace_mark(workspace);
    opac_status status = graph_take_set(workspace, process->choice_count, &candidates, error);
    if (status == OPAC_OK && sort_components(x, pair, &candidates)) {
        graph_part part = {.choices = &candidates};
        status = graph_mec_find(process, part, workspace, &inner, error);
        for (uint32_t i = 0; status == OPAC_OK && i < inner.count; i++)
            if ((marks_of_component(x, &inner, i) & pair.inf) != 0)
                add_winning(x, &inner, i, pair.inf);
    }
    graph_workspace_release(workspace, place);
    return status;
}

/* Sets the choices of the other states of winning components, which lead to accepting states. */
static opac_status attract(search *x, const graph_reverse *reverse, graph_workspace *workspace,
                           opac_error *error)
{
    graph_part part = {.choices = &x->inside};
    graph_attractor attractor;
    if (x->accepting_count == x->winning_count)
        return OPAC_OK;
    TRY(graph_attract_some(x->problem->process, part, reverse, &x->accepting, workspace, &attractor,
                           error));
    for (uint32_t i = x->accepting_count; i < attractor.count; i++)
        x->choice[attractor.order[i]] = attractor.choice[attractor.order[i]];
    return OPAC_OK;
}

/* Tries all pairs in order. Everything allocated here is scratch. */
static opac_status try_pairs(search *x, const graph_reverse *reverse, graph_workspace *workspace,
                             opac_error *error)
{
    TRY(take_search(x, workspace, error));
    read_marks(x);
    for (uint32_t i = 0; i < x->problem->pair_count; i++)
        TRY(try_pair(x, x->problem->pairs[i], workspace, error));
    return attract(x, reverse, workspace, error);
}

opac_status solve_winning_find(const solve_problem *problem, const graph_reverse *reverse,
                               graph_workspace *workspace, solve_winning *winning,
                               opac_error *error)
{
    const graph_process *process = problem->process;
    search x = {.problem = problem, .mec = &winning->mec, .winning = &winning->states};
    graph_place start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(workspace, process->state_count, x.winning, error));
    x.choice = graph_take_u32(workspace, process->state_count);
    if (x.choice == NULL)
        TRY_OR(done, base_fail_memory(error));
    TRY_OR(done, graph_mec_find(process, (graph_part){0}, workspace, &winning->mec, error));
    for (uint32_t s = 0; s < process->state_count; s++)
        x.choice[s] = GRAPH_NONE;
    graph_place scratch = graph_workspace_mark(workspace);
    if (winning->mec.count > 0 && problem->pair_count > 0)
        TRY_OR(done, try_pairs(&x, reverse, workspace, error));
    graph_workspace_release(workspace, scratch);
    winning->choice = x.choice;
    winning->count = x.count;
done:
    if (status != OPAC_OK)
        graph_workspace_release(workspace, start);
    return status;
}
