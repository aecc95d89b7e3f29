/* SPDX-License-Identifier: MIT */
/* A cancel handle is a flag, lock-free so that a signal handler may set it, and a deadline of the monotonic
 * clock. */
#include "base/cancel.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "base/alloc.h"

static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler cannot wait for a lock");

struct opac_cancel {
    atomic_bool requested;
    atomic_llong deadline;       /* nanoseconds of the monotonic clock; 0: none */
    const opac_cancel *followed; /* borrowed; NULL: none */
};

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

double opac_clock_seconds(void)
{
    return 1e-9 * (double)now();
}

opac_status opac_cancel_new(opac_cancel **cancel, opac_error *error)
{
    *cancel = base_alloc(1, sizeof **cancel);
    if (*cancel == NULL)
        return base_fail_memory(error);
    atomic_init(&(*cancel)->requested, false);
    atomic_init(&(*cancel)->deadline, 0);
    (*cancel)->followed = NULL;
    return OPAC_OK;
}

void opac_cancel_free(opac_cancel *cancel)
{
    base_free(cancel);
}

void opac_cancel_request(opac_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, true, memory_order_release);
}

opac_cancel_reason opac_cancel_get_reason(const opac_cancel *cancel)
{
    if (cancel == NULL)
        return OPAC_CANCEL_NONE;
    if (atomic_load_explicit(&cancel->requested, memory_order_acquire))
        return OPAC_CANCEL_REQUEST;
    long long deadline = atomic_load_explicit(&cancel->deadline, memory_order_relaxed);
    opac_cancel_reason reason = opac_cancel_get_reason(cancel->followed);
    if (reason != OPAC_CANCEL_NONE)
        return reason;
    return deadline != 0 && now() >= deadline ? OPAC_CANCEL_TIME : OPAC_CANCEL_NONE;
}

bool opac_cancel_requested(const opac_cancel *cancel)
{
    return opac_cancel_get_reason(cancel) != OPAC_CANCEL_NONE;
}

void opac_cancel_reset(opac_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, false, memory_order_release);
    atomic_store_explicit(&cancel->deadline, 0, memory_order_relaxed);
    cancel->followed = NULL;
}

void base_cancel_follow(opac_cancel *cancel, const opac_cancel *other)
{
    cancel->followed = other;
}

void opac_cancel_set_deadline(opac_cancel *cancel, double seconds)
{
    const double longest = 1e9; /* 30 years, so that the sum does not overflow */
    long long deadline = 0;
    if (seconds > 0)
        deadline = now() + (long long)(fmin(seconds, longest) * 1e9);
    atomic_store_explicit(&cancel->deadline, deadline, memory_order_relaxed);
}
