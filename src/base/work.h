/* SPDX-License-Identifier: MIT */
/*
 * Counts the work of a computation, limits it, and polls a cancel handle.
 *
 *     base_work work;
 *     base_work_init(&work, cancel, limit);
 *     for (...) {
 *         if (base_work_spend(&work, 1))
 *             return base_work_fail(&work, "solving", error);
 *         ...
 *     }
 *
 * A unit of work is an elementary step, such as creating a node or following an edge, of 1 to about 200
 * nanoseconds. Counting takes an addition and a comparison; the handle, and with it the clock, is polled
 * every BASE_WORK_POLL units, which is every few milliseconds. A limit in units does not depend on the
 * machine: the same input stops at the same unit everywhere.
 *
 * Stores of formulas (ltl/formula.h), stores of diagrams (aut/bdd.h) and workspaces of graphs
 * (graph/workspace.h) borrow a base_work, so that all computations in them are counted and can be stopped.
 * A base_work is used by one thread. All functions accept NULL: no limit, and no polls.
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
    uint64_t done;             /* units so far */
    uint64_t next;             /* value of `done` at which the next poll is due; 0 after a stop */
    opac_status
        stopped; /* OPAC_OK, or the reason for the stop: OPAC_ERROR_LIMIT or OPAC_ERROR_CANCELLED */
} base_work;

/* A limit of 0 means no limit. */
void base_work_init(base_work *work, const opac_cancel *cancel, uint64_t limit);
/* Compares with the limit and polls the handle; called by base_work_spend. */
bool base_work_poll(base_work *work);

/* Counts units. Returns true if the computation must stop, and after that always. */
static inline bool base_work_spend(base_work *work, uint64_t units)
{
    if (work == NULL)
        return false;
    work->done += units;
    return work->done >= work->next && base_work_poll(work);
}

/* Whether base_work_spend has returned true. Does not poll. */
static inline bool base_work_is_stopped(const base_work *work)
{
    return work != NULL && work->stopped != OPAC_OK;
}

/*
 * Sets the error of a computation that was stopped: "translating '…' takes more than 1000 units of work", or
 * base_fail_stopped. doing: the computation, a participle with its object.
 */
opac_status base_work_fail(const base_work *work, const char *doing, opac_error *error);

/*
 * Sets OPAC_ERROR_CANCELLED: "stopped while solving", or "the time limit was reached while solving". All
 * code that polls a cancel handle reports a stop by this function. cancel may be NULL: "stopped". doing may
 * be NULL: then " while …" is left out.
 */
opac_status base_fail_stopped(opac_error *error, const opac_cancel *cancel, const char *doing);
/* Calls base_fail_stopped if the status is OPAC_ERROR_CANCELLED; else returns the status. */
opac_status base_describe_stopped(opac_status status, const opac_cancel *cancel, const char *doing,
                                  opac_error *error);

#endif
