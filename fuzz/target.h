/* SPDX-License-Identifier: MIT */
/* The one function of a fuzz target, as libFuzzer names it. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
