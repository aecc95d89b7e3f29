/* SPDX-License-Identifier: MIT */
/*
 * A file that is replaced as one.
 *
 *     open ──► .NAME.omegapac-PID-N.tmp ──► write … write ──► fsync ──► rename ──► fsync folder
 *
 * A crash before the rename leaves the old file, one after it the new. The
 * temporary file is locked (flock) from its creation until it has the target's
 * name. So a temporary file of the same target that is not locked has lost its
 * writer, on whatever machine that ran; the next writer removes it. What is
 * no regular file is written directly, since a rename would replace the device
 * or pipe itself; so is all below /dev and /proc, where a name may stand for an
 * open descriptor (/dev/stdout) of which only the end is ours to write. In /dev/shm, which is a
 * folder of ordinary files, nothing is different.
 */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include <stddef.h>

#include <omegapac/text.h>

#include "base/error.h"

typedef struct base_atomic_file {
    int descriptor;              /* -1: closed */
    int lock;                    /* the same open file, locked until the rename; -1: none */
    char *path;                  /* the target, symbolic links resolved */
    char *temporary;             /* NULL: written directly */
    char shown[OPAC_SHOWN_SIZE]; /* the name as it was given, fit for messages */
} base_atomic_file;

opac_status base_atomic_file_open(base_atomic_file *file, const char *path, opac_error *error);
opac_status base_atomic_file_write(base_atomic_file *file, const char *bytes, size_t length,
                                   opac_error *error);
opac_status base_atomic_file_commit(base_atomic_file *file, opac_error *error);
/* The lock of a committed file, for the caller to keep and close; -1: written directly. */
int base_atomic_file_take_lock(base_atomic_file *file);
/* Gives up what was not committed, and releases the rest. */
void base_atomic_file_fini(base_atomic_file *file);

#endif
