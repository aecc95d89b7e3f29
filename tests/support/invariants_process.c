/* SPDX-License-Identifier: MIT */
#include <math.h>

#include <omegapac/number.h>

#include "base/sum.h"
#include "support/invariants.h"

static opac_status check_offsets(const uint32_t *begin, uint32_t rows, uint32_t total,
                                 const char *row_name, const char *item_name, opac_error *error)
{
    if (begin[0] != 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "the %ss of %s 0 begin at %u, not at 0",
                         item_name, row_name, (unsigned)begin[0]);
    for (uint32_t i = 0; i < rows; i++)
        if (begin[i + 1] < begin[i] || begin[i + 1] > total)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "the %ss of %s %u end at %u, but begin at %u and are %u in all",
                             item_name, row_name, (unsigned)i, (unsigned)begin[i + 1],
                             (unsigned)begin[i], (unsigned)total);
    if (begin[rows] != total)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "there are %u %ss, but the last ends at %u",
                         (unsigned)total, item_name, (unsigned)begin[rows]);
    return OPAC_OK;
}

static opac_status check_targets(const graph_process *p, uint32_t state, uint32_t choice,
                                 opac_error *error)
{
    unsigned position = (unsigned)(choice - p->choice_begin[state]);
    if (p->edge_begin[choice] == p->edge_begin[choice + 1])
        return base_fail(error, OPAC_ERROR_ARGUMENT, "state %u, choice %u: no edges",
                         (unsigned)state, position);
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++)
        if (p->target[e] >= p->state_count)
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "state %u, choice %u: target %u, but there are %u states",
                             (unsigned)state, position, (unsigned)p->target[e],
                             (unsigned)p->state_count);
    return OPAC_OK;
}

static opac_status check_probabilities(const graph_process *p, uint32_t state, uint32_t choice,
                                       double tolerance, opac_error *error)
{
    unsigned position = (unsigned)(choice - p->choice_begin[state]);
    char text[OPAC_NUMBER_SIZE];
    double sum = 0, rest = 0;
    for (uint32_t e = p->edge_begin[choice]; e < p->edge_begin[choice + 1]; e++) {
        if (!(p->prob[e] > 0 && p->prob[e] <= 1)) /* so that NaN is refused */
            return base_fail(error, OPAC_ERROR_ARGUMENT,
                             "state %u, choice %u: probability %s to state %u is not in (0, 1]",
                             (unsigned)state, position, opac_number_format(p->prob[e], text),
                             (unsigned)p->target[e]);
        sum = base_sum_add(sum, p->prob[e], &rest);
    }
    sum += rest;
    if (fabs(sum - 1) > tolerance)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "state %u, choice %u: probabilities sum to %s, not to 1", (unsigned)state,
                         position, opac_number_format(sum, text));
    return OPAC_OK;
}

opac_status graph_process_check(const graph_process *process, double tolerance, opac_error *error)
{
    if (process->choice_begin == NULL || process->edge_begin == NULL || process->target == NULL)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "an array of the process is missing");
    TRY(check_offsets(process->choice_begin, process->state_count, process->choice_count, "state",
                      "choice", error));
    TRY(check_offsets(process->edge_begin, process->choice_count, process->edge_count, "choice",
                      "edge", error));
    for (uint32_t s = 0; s < process->state_count; s++) {
        uint32_t end = process->choice_begin[s + 1];
        for (uint32_t c = process->choice_begin[s]; c < end; c++) {
            TRY(check_targets(process, s, c, error));
            if (process->prob != NULL)
                TRY(check_probabilities(process, s, c, tolerance, error));
        }
    }
    return OPAC_OK;
}
