/* SPDX-License-Identifier: MIT */
/* Checkpoints from bytes in memory, which are borrowed. name: for messages. */
#ifndef SUPPORT_CHECKPOINT_MEMORY_H
#define SUPPORT_CHECKPOINT_MEMORY_H

#include "sample/checkpoint.h"
#include "sample/checkpoint_bytes.h"

static inline void learn_source_open_memory(sample_source *source, const char *name,
                                            const void *bytes, size_t length)
{
    *source = (sample_source){.descriptor = -1, .limit = UINT64_MAX};
    opac_text_show_path(name, source->name, sizeof source->name);
    source->at = bytes;
    source->end = source->at + length;
    source->window_end = length;
}

/* See sample_checkpoint_read. */
static inline opac_status learn_checkpoint_parse(sample_checkpoint *checkpoint, const char *name,
                                                 const void *bytes, size_t length,
                                                 opac_error *error)
{
    sample_source source;
    learn_source_open_memory(&source, name, bytes, length);
    opac_status status = sample_checkpoint_read_source(checkpoint, &source, length, error);
    sample_source_fini(&source);
    return status;
}

#endif
