/* SPDX-License-Identifier: MIT */
/* Checkpoints from bytes in memory, which are borrowed. name: for messages. */
#ifndef SUPPORT_CHECKPOINT_MEMORY_H
#define SUPPORT_CHECKPOINT_MEMORY_H

#include "learn/checkpoint.h"
#include "learn/checkpoint_bytes.h"

static inline void learn_source_open_memory(learn_source *source, const char *name,
                                            const void *bytes, size_t length)
{
    *source = (learn_source){.descriptor = -1, .limit = UINT64_MAX};
    opac_text_show_path(name, source->name, sizeof source->name);
    source->at = bytes;
    source->end = source->at + length;
    source->behind = length;
}

/* See learn_checkpoint_read. */
static inline opac_status learn_checkpoint_parse(learn_checkpoint *checkpoint, const char *name,
                                                 const void *bytes, size_t length,
                                                 opac_error *error)
{
    learn_source source;
    learn_source_open_memory(&source, name, bytes, length);
    opac_status status = learn_checkpoint_take(checkpoint, &source, length, error);
    learn_source_fini(&source);
    return status;
}

#endif
