/* SPDX-License-Identifier: MIT */
#include "support/faults.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "support/check.h"

void *__real_base_allocate(void *old, size_t bytes, bool zeroed);
void *__wrap_base_allocate(void *old, size_t bytes, bool zeroed);

void __real_base_free(void *memory);
void __wrap_base_free(void *memory);

static atomic_size_t countdown; /* 0: nothing fails */
static atomic_long live;        /* allocations that were not released */

void *__wrap_base_allocate(void *old, size_t bytes, bool zeroed)
{
    size_t left = atomic_load(&countdown);
    while (left > 0 && !atomic_compare_exchange_weak(&countdown, &left, left - 1))
        ;
    if (left == 1)
        return NULL;
    void *memory = __real_base_allocate(old, bytes, zeroed);
    if (memory != NULL && old == NULL)
        atomic_fetch_add(&live, 1);
    return memory;
}

void __wrap_base_free(void *memory)
{
    if (memory != NULL)
        atomic_fetch_sub(&live, 1);
    __real_base_free(memory);
}

void faults_fail_at(size_t n)
{
    atomic_store(&countdown, n);
}

size_t faults_sweep(fault_action action, void *context)
{
    return faults_sweep_some(action, 1, context);
}

size_t faults_sweep_some(fault_action action, size_t stride, void *context)
{
    for (size_t n = 1;; n += stride) {
        opac_error error = {0};
        long before = atomic_load(&live);
        faults_fail_at(n);
        opac_status status = action(context, &error);
        bool fault_happened = atomic_load(&countdown) == 0;
        faults_fail_at(0);
        if (atomic_load(&live) != before)
            fail_msg("with allocation %zu failing, %ld are leaked", n, atomic_load(&live) - before);
        if (!fault_happened) {
            assert_ok(status, &error);
            return n - stride;
        }
        assert_status(status, OPAC_ERROR_MEMORY);
        assert_string_equal(error.message, "out of memory");
    }
}
