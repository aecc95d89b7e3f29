/* SPDX-License-Identifier: MIT */
#include "solve/rows.h"

#include <string.h>

static const double rounding = 1e-12; /* tolerance for sums of interval ends */

static double unseen_of(const solve_problem *problem, uint32_t c)
{
    return problem->unseen != NULL ? problem->unseen[c] : 0;
}

static opac_status fail_choice(const graph_process *process, uint32_t choice, const char *what,
                               opac_error *error)
{
    uint32_t s = 0;
    while (process->choice_begin[s + 1] <= choice)
        s++;
    return base_fail(error, OPAC_ERROR_ARGUMENT, "choice %u of state %u: %s",
                     (unsigned)(choice - process->choice_begin[s]), (unsigned)s, what);
}

static opac_status check_choice(const solve_problem *problem, uint32_t c, solve_rows *rows,
                                opac_error *error)
{
    const graph_process *process = problem->process;
    double unseen = unseen_of(problem, c), least = 0, most = unseen;
    if (!(0 <= unseen && unseen <= 1))
        return fail_choice(process, c, "the unseen mass must be between 0 and 1", error);
    if (unseen >= 1)
        return OPAC_OK;
    for (uint32_t e = process->edge_begin[c]; e < process->edge_begin[c + 1]; e++) {
        double lower = rows->lower[e], upper = rows->upper[e];
        if (!(0 <= lower && lower <= upper && upper <= 1 && 0 < upper))
            return fail_choice(
                process, c, "an interval must lie within [0, 1], with an upper end above 0", error);
        least += lower;
        most += upper;
        rows->has_zero |= lower <= 0;
    }
    if (least > 1 + rounding)
        return fail_choice(process, c, "the lower ends must sum to at most 1", error);
    if (most < 1 - rounding)
        return fail_choice(process, c, "the upper ends must sum to at least 1", error);
    return OPAC_OK;
}

typedef struct copy {
    uint32_t *choice_begin, *edge_begin, *target;
    double *lower, *upper;
    uint32_t edge_count;
} copy;

static opac_status take_copy(const graph_process *process, graph_workspace *workspace, copy *to,
                             opac_error *error)
{
    size_t edges = (size_t)process->edge_count + process->choice_count;
    to->choice_begin = graph_take_u32(workspace, (size_t)process->state_count + 2);
    to->edge_begin = graph_take_u32(workspace, (size_t)process->choice_count + 1);
    to->target = graph_take_u32(workspace, edges);
    to->lower = graph_take(workspace, edges, sizeof *to->lower);
    to->upper = graph_take(workspace, edges, sizeof *to->upper);
    if (to->choice_begin == NULL || to->edge_begin == NULL || to->target == NULL ||
        to->lower == NULL || to->upper == NULL)
        return base_fail_memory(error);
    memcpy(to->choice_begin, process->choice_begin,
           ((size_t)process->state_count + 1) * sizeof *to->choice_begin);
    to->choice_begin[process->state_count + 1] = process->choice_count;
    return OPAC_OK;
}

static void copy_choice(const solve_problem *problem, uint32_t c, const solve_rows *rows, copy *to)
{
    const graph_process *process = problem->process;
    uint32_t begin = process->edge_begin[c], count = process->edge_begin[c + 1] - begin;
    double unseen = unseen_of(problem, c);
    count = unseen < 1 ? count : 0;
    if (count > 0) {
        memcpy(to->target + to->edge_count, process->target + begin, count * sizeof *to->target);
        memcpy(to->lower + to->edge_count, rows->lower + begin, count * sizeof *to->lower);
        memcpy(to->upper + to->edge_count, rows->upper + begin, count * sizeof *to->upper);
        to->edge_count += count;
    }
    if (unseen > 0) {
        to->target[to->edge_count] = process->state_count;
        to->lower[to->edge_count] = count > 0 ? 0 : 1;
        to->upper[to->edge_count++] = unseen;
    }
    to->edge_begin[c + 1] = to->edge_count;
}

static opac_status add_unseen(const solve_problem *problem, graph_workspace *workspace,
                              solve_rows *rows, opac_error *error)
{
    const graph_process *process = problem->process;
    copy to = {0};
    TRY(take_copy(process, workspace, &to, error));
    to.edge_begin[0] = 0;
    for (uint32_t c = 0; c < process->choice_count; c++)
        copy_choice(problem, c, rows, &to);
    rows->lower = to.lower;
    rows->upper = to.upper;
    rows->unseen = process->state_count;
    return graph_process_borrow((size_t)process->state_count + 1, process->choice_count,
                                to.edge_count, to.choice_begin, to.edge_begin, to.target, NULL,
                                &rows->process, error);
}

opac_status solve_rows_complete(const solve_problem *problem, graph_workspace *workspace,
                                solve_rows *rows, opac_error *error)
{
    const graph_process *process = problem->process;
    const bool numbers = problem->lower == NULL;
    bool has_unseen = false;
    *rows = (solve_rows){.process = *process,
                         .lower = numbers ? process->prob : problem->lower,
                         .upper = numbers ? process->prob : problem->upper,
                         .unseen = GRAPH_NONE};
    rows->process.owned = false;
    for (uint32_t c = 0; c < process->choice_count; c++) {
        TRY(check_choice(problem, c, rows, error));
        has_unseen |= unseen_of(problem, c) > 0;
    }
    if (has_unseen)
        TRY(add_unseen(problem, workspace, rows, error));
    for (uint32_t c = 0; c < rows->process.choice_count; c++) {
        uint32_t edges = rows->process.edge_begin[c + 1] - rows->process.edge_begin[c];
        rows->longest = edges > rows->longest ? edges : rows->longest;
    }
    return OPAC_OK;
}
