/* SPDX-License-Identifier: MIT */
#include "support/faults.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "support/check.h"

void *__real_base_allocate(void *old, size_t bytes, bool zeroed);
void *__wrap_base_allocate(void *old, size_t bytes, bool zeroed);

static atomic_size_t countdown; /* 0: nothing fails */

void *__wrap_base_allocate(void *old, size_t bytes, bool zeroed)
{
    size_t left = atomic_load(&countdown);
    while (left > 0 && !atomic_compare_exchange_weak(&countdown, &left, left - 1))
        ;
    if (left == 1)
        return NULL;
    return __real_base_allocate(old, bytes, zeroed);
}

void faults_fail_at(size_t n)
{
    atomic_store(&countdown, n);
}

size_t faults_sweep(fault_action action, void *context)
{
    for (size_t n = 1;; n++) {
        opac_error error = {0};
        faults_fail_at(n);
        opac_status status = action(context, &error);
        bool fault_happened = atomic_load(&countdown) == 0;
        faults_fail_at(0);
        if (!fault_happened) {
            assert_ok(status, &error);
            return n - 1;
        }
        assert_status(status, OPAC_ERROR_MEMORY);
        assert_string_equal(error.message, "out of memory");
    }
}
