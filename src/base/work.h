/* SPDX-License-Identifier: MIT */
/*
 * The work of one computation: a count with a limit, and polls of a cancel handle.
 *
 *     base_work work;
 *     base_work_init(&work, cancel, limit);
 *     for (...) {
 *         if (base_work_spend(&work, 1))
 *             return base_work_fail(&work, "solving", error);
 *         ...
 *     }
 *
 * A unit is an elementary step: a node that is made, an edge that is followed;
 * between 1 and about 200 nanoseconds. Counting is an addition and a comparison;
 * the handle, and with it the clock, is polled every BASE_WORK_POLL units. So a
 * loop that spends what it does polls every few milliseconds, and the limit does
 * not depend on the machine: the same input ends at the same unit everywhere.
 *
 * Stores of formulas (ltl/formula.h), stores of diagrams (aut/bdd.h) and
 * workspaces of graphs (graph/workspace.h) borrow a work, so that everything
 * that is computed in them polls without a further parameter. One work serves
 * one thread. Every function accepts NULL: no limit, and no polls.
 */
#ifndef BASE_WORK_H
#define BASE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/cancel.h>

#include "base/error.h"

enum {
    BASE_WORK_POLL = 1 << 13 /* units between two polls */
};

typedef struct base_work {
    const opac_cancel *cancel; /* NULL: not polled */
    uint64_t limit;            /* units; UINT64_MAX: none */
    uint64_t done;
    uint64_t next;       /* what `done` has to reach for the next poll; 0 once stopped */
    opac_status stopped; /* OPAC_OK while going on; then OPAC_ERROR_LIMIT or OPAC_ERROR_CANCELLED */
} base_work;

/* limit 0: none. */
void base_work_init(base_work *work, const opac_cancel *cancel, uint64_t limit);
/* For base_work_spend: compares with the limit and polls. */
bool base_work_poll(base_work *work);

/* Counts units; true: stop. Once true it stays so. */
static inline bool base_work_spend(base_work *work, uint64_t units)
{
    if (work == NULL)
        return false;
    work->done += units;
    return work->done >= work->next && base_work_poll(work);
}

/* Whether it was stopped, without a poll. */
static inline bool base_work_is_stopped(const base_work *work)
{
    return work != NULL && work->stopped != OPAC_OK;
}

/*
 * The error of a work that was stopped: "translating '…' takes more than 1000 units of work", or
 * base_fail_stopped. doing: what was going on, a participle with its object.
 */
opac_status base_work_fail(const base_work *work, const char *doing, opac_error *error);

/* OPAC_ERROR_CANCELLED: "stopped while solving", or "the time limit was reached while solving". */
opac_status base_fail_stopped(opac_error *error, const opac_cancel *cancel, const char *doing);
/* The same in place of a status that is OPAC_ERROR_CANCELLED; any other is returned as it is. */
opac_status base_describe_stopped(opac_status status, const opac_cancel *cancel, const char *doing,
                                  opac_error *error);

#endif
