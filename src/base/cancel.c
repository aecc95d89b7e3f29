/* SPDX-License-Identifier: MIT */
/* Cancellation: one flag, lock-free so that a signal handler may set it. */
#include <omegapac/cancel.h>

#include <assert.h>
#include <stdatomic.h>

#include "base/alloc.h"

static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal handler cannot wait for a lock");

struct opac_cancel {
    atomic_bool requested;
};

opac_status opac_cancel_new(opac_cancel **cancel, opac_error *error)
{
    *cancel = base_alloc(1, sizeof **cancel);
    if (*cancel == NULL)
        return base_fail_memory(error);
    atomic_init(&(*cancel)->requested, false);
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

bool opac_cancel_requested(const opac_cancel *cancel)
{
    return cancel != NULL && atomic_load_explicit(&cancel->requested, memory_order_acquire);
}

void opac_cancel_reset(opac_cancel *cancel)
{
    atomic_store_explicit(&cancel->requested, false, memory_order_release);
}
