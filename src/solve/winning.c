/* SPDX-License-Identifier: MIT */
/*
 * The maximal end components of the process are found once. Of each, the union
 * of the marks on its choices says what a pair can make of it:
 *
 *     no mark of inf           nothing
 *     inf, and no mark of fin  it wins as it is
 *     both                     its choices without fin are decomposed again,
 *                              those of all such components in one go
 *
 * The strategies of all winning components are made together: a state with a
 * choice of inf takes the lowest, the others are attracted to these by choices
 * that stay inside. From every state of the component such a choice is taken
 * with a probability that is bounded from below within a bounded number of
 * steps, so almost surely infinitely often; and none has a mark of fin.
 */
#include "solve/winning.h"

#include "graph/attractor.h"

typedef struct search {
    const solve_problem *problem;
    const graph_mec *mec;
    uint64_t *marks;    /* by component of mec: those on its choices */
    base_bitset open;   /* components of mec of which no pair has won a part */
    base_bitset *won;   /* states */
    base_bitset stay;   /* choices inside winning components */
    base_bitset serves; /* states whose choice has a mark of inf */
    uint32_t *choice;
    uint32_t count, won_count, serve_count;
} search;

static opac_status take_search(search *x, graph_workspace *workspace, opac_error *error)
{
    const graph_process *process = x->problem->process;
    x->marks = graph_take(workspace, x->mec->count, sizeof *x->marks);
    if (x->marks == NULL)
        return base_fail_memory(error);
    TRY(graph_take_set(workspace, x->mec->count, &x->open, error));
    TRY(graph_take_set(workspace, process->choice_count, &x->stay, error));
    return graph_take_set(workspace, process->state_count, &x->serves, error);
}

/* What a state's choices within a set carry. */
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

/* State s of a winning component: notes the choices that stay, and the lowest that serves. */
static void claim_state(search *x, const base_bitset *choices, uint64_t inf, uint32_t s)
{
    const graph_process *process = x->problem->process;
    base_bitset_add(x->won, s);
    x->won_count++;
    for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++) {
        if (!base_bitset_has(choices, c))
            continue;
        base_bitset_add(&x->stay, c);
        if ((x->problem->marks[c] & inf) != 0 && x->choice[s] == GRAPH_NONE) {
            x->choice[s] = c;
            base_bitset_add(&x->serves, s);
            x->serve_count++;
        }
    }
}

/* Component i of mec, which is x->mec or was decomposed from it, wins by this pair. */
static void claim(search *x, const graph_mec *mec, uint32_t i, uint64_t inf)
{
    for (uint32_t j = mec->begin[i]; j < mec->begin[i + 1]; j++)
        claim_state(x, &mec->choices, inf, mec->state[j]);
    base_bitset_remove(&x->open, x->mec->component[mec->state[mec->begin[i]]]);
    x->count++;
}

static void offer_choices(const search *x, uint32_t i, uint64_t fin, base_bitset *offered)
{
    const graph_process *process = x->problem->process;
    for (uint32_t j = x->mec->begin[i]; j < x->mec->begin[i + 1]; j++) {
        uint32_t s = x->mec->state[j];
        for (uint32_t c = process->choice_begin[s]; c < process->choice_begin[s + 1]; c++)
            if (base_bitset_has(&x->mec->choices, c) && (x->problem->marks[c] & fin) == 0)
                base_bitset_add(offered, c);
    }
}

/* Claims what wins whole, and offers the choices of what has to be decomposed. Was there any? */
static bool sort_components(search *x, solve_rabin_pair pair, base_bitset *offered)
{
    bool any = false;
    for (uint32_t i = 0; i < x->mec->count; i++) {
        if ((x->marks[i] & pair.inf) == 0 || !base_bitset_has(&x->open, i))
            continue;
        if ((x->marks[i] & pair.fin) == 0) {
            claim(x, x->mec, i, pair.inf);
        } else {
            offer_choices(x, i, pair.fin, offered);
            any = true;
        }
    }
    return any;
}

static opac_status try_pair(search *x, solve_rabin_pair pair, graph_workspace *workspace,
                            opac_error *error)
{
    const graph_process *process = x->problem->process;
    base_bitset offered;
    graph_mec inner;
    graph_place place = graph_workspace_mark(workspace);
    opac_status status = graph_take_set(workspace, process->choice_count, &offered, error);
    if (status == OPAC_OK && sort_components(x, pair, &offered)) {
        graph_part part = {.choices = &offered};
        status = graph_mec_find(process, part, workspace, &inner, error);
        for (uint32_t i = 0; status == OPAC_OK && i < inner.count; i++)
            if ((marks_of_component(x, &inner, i) & pair.inf) != 0)
                claim(x, &inner, i, pair.inf);
    }
    graph_workspace_release(workspace, place);
    return status;
}

/* The way to a state that serves, for the other states of winning components. */
static opac_status attract(search *x, const graph_reverse *reverse, graph_workspace *workspace,
                           opac_error *error)
{
    graph_part part = {.choices = &x->stay};
    graph_attractor attractor;
    if (x->serve_count == x->won_count)
        return OPAC_OK;
    TRY(graph_attract_some(x->problem->process, part, reverse, &x->serves, workspace, &attractor,
                           error));
    for (uint32_t i = x->serve_count; i < attractor.count; i++)
        x->choice[attractor.order[i]] = attractor.choice[attractor.order[i]];
    return OPAC_OK;
}

/* The pairs in their order; everything taken is scratch. */
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
    search x = {.problem = problem, .mec = &winning->mec, .won = &winning->states};
    graph_place start = graph_workspace_mark(workspace);
    opac_status status;
    TRY_OR(done, graph_take_set(workspace, process->state_count, x.won, error));
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
