/* SPDX-License-Identifier: MIT */
/*
 * Ensures that only one run at a time writes a checkpoint. The file with its name is locked (flock) from
 * before the first step of the run to its end: at first the existing file, or an empty one that is created,
 * then each file that replaces it (base_output_take_lock), which is locked before it is renamed.
 *
 * Devices, pipes, files that cannot be opened, and files on file systems without locks are not locked.
 */
#ifndef SAMPLE_CHECKPOINT_LOCK_H
#define SAMPLE_CHECKPOINT_LOCK_H

#include <stdbool.h>

#include "base/error.h"

typedef struct sample_lock {
    int descriptor;  /* -1 if nothing is locked */
    bool is_started; /* the file is empty and was created by this lock */
} sample_lock;

/*
 * Fails if another run has the file, or if it is not empty and the run neither resumes nor may replace it.
 * A run that resumes does not create a file.
 */
opac_status sample_lock_acquire(sample_lock *lock, const char *path, bool resumes, bool may_replace,
                                opac_error *error);
/* Passes the lock to the file that replaced the locked one. */
void sample_lock_renew(sample_lock *lock, int descriptor);
/* Releases the lock, and removes a file that is still empty and was created by it. */
void sample_lock_release(sample_lock *lock, const char *path);

#endif
