/* SPDX-License-Identifier: MIT */
#include "base/work.h"

#include <inttypes.h>

static void plan_poll(base_work *work)
{
    uint64_t left = work->limit - work->done;
    work->next = work->done + (left < BASE_WORK_POLL ? left : BASE_WORK_POLL);
}

void base_work_init(base_work *work, const opac_cancel *cancel, uint64_t limit)
{
    *work = (base_work){.cancel = cancel, .limit = limit != 0 ? limit : UINT64_MAX};
    plan_poll(work);
}

bool base_work_poll(base_work *work)
{
    if (work->stopped == OPAC_OK && opac_cancel_requested(work->cancel))
        work->stopped = OPAC_ERROR_CANCELLED;
    else if (work->stopped == OPAC_OK && work->done >= work->limit)
        work->stopped = OPAC_ERROR_LIMIT;
    if (work->stopped == OPAC_OK)
        plan_poll(work);
    else
        work->next = 0;
    return work->stopped != OPAC_OK;
}

opac_status base_work_fail(const base_work *work, const char *doing, opac_error *error)
{
    if (work->stopped == OPAC_ERROR_CANCELLED)
        return base_fail_stopped(error, work->cancel, doing);
    return base_fail_limit(error, "work_limit", work->limit,
                           "%s takes more than %" PRIu64 " units of work", doing, work->limit);
}

opac_status base_fail_stopped(opac_error *error, const opac_cancel *cancel, const char *doing)
{
    bool is_late = opac_cancel_get_reason(cancel) == OPAC_CANCEL_TIME;
    return base_fail(error, OPAC_ERROR_CANCELLED, "%s%s%s",
                     is_late ? "the time limit was reached" : "stopped",
                     doing != NULL ? " while " : "", doing != NULL ? doing : "");
}

opac_status base_describe_stopped(opac_status status, const opac_cancel *cancel, const char *doing,
                                  opac_error *error)
{
    return status == OPAC_ERROR_CANCELLED ? base_fail_stopped(error, cancel, doing) : status;
}
