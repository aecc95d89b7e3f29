/* SPDX-License-Identifier: MIT */
/* Mutations of checkpoints that keep their frame valid. */
#ifndef FUZZ_MUTATE_CHECKPOINT_H
#define FUZZ_MUTATE_CHECKPOINT_H

#include "mutate.h"

/* Sets the first line, the length and the digest. size: at least 38 bytes. */
void fuzz_seal_checkpoint(uint8_t *data, size_t size);
void fuzz_change_checkpoint(fuzz_bytes *bytes, fuzz_random *random);

#endif
