/* SPDX-License-Identifier: MIT */
/*
 * Replaces a file atomically.
 *
 *     open ──► .NAME.omegapac-PID-N.tmp ──► write … write ──► fsync ──► rename ──► fsync folder
 *
 * A crash before the rename leaves the old file, a crash after it the new one. The temporary file is locked
 * (flock) from its creation until it has the name of the target. So the writer of a temporary file that is
 * not locked has crashed, possibly on another machine, and the next writer removes the file.
 *
 * Files that are not regular are written directly, since a rename would replace the device or pipe itself.
 * So are files below /dev and /proc, except for /dev/shm: there a name may stand for an open descriptor
 * (/dev/stdout), to which output is appended.
 */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include <stddef.h>

#include <omegapac/text.h>

#include "base/error.h"

typedef struct base_atomic_file {
    int descriptor;              /* -1: closed */
    int lock;                    /* a second descriptor, which keeps the lock; -1: none */
    char *path;                  /* the target, with symbolic links resolved */
    char *temporary;             /* NULL: the target is written directly */
    char shown[OPAC_SHOWN_SIZE]; /* the name as it was given, escaped for messages */
} base_atomic_file;

opac_status base_atomic_file_open(base_atomic_file *file, const char *path, opac_error *error);
opac_status base_atomic_file_write(base_atomic_file *file, const char *bytes, size_t length,
                                   opac_error *error);
opac_status base_atomic_file_commit(base_atomic_file *file, opac_error *error);
/* Transfers the descriptor with the lock of a committed file to the caller; -1 if it was written directly. */
int base_atomic_file_take_lock(base_atomic_file *file);
/* Discards a file that was not committed, and releases all resources. */
void base_atomic_file_fini(base_atomic_file *file);

#endif
