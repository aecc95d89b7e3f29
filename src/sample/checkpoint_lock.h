/* SPDX-License-Identifier: MIT */
/*
 * One run at a time writes a checkpoint. The file under the name is locked
 * (flock) from before the run's first step to its end: at first the file that
 * is there, or an empty one that is made for it, then each one that replaces it
 * (base_output_take_lock), which is locked before it gets the name.
 *
 * Devices and pipes, files that cannot be opened, and file systems without
 * locks are not locked.
 */
#ifndef SAMPLE_CHECKPOINT_LOCK_H
#define SAMPLE_CHECKPOINT_LOCK_H

#include <stdbool.h>

#include "base/error.h"

typedef struct sample_lock {
    int descriptor;  /* -1: none */
    bool is_started; /* the file is empty, and was made here */
} sample_lock;

/*
 * Fails when another run has the file, and when it is not empty, unless the run
 * resumes it or may replace it. A run that resumes makes no file.
 */
opac_status sample_lock_acquire(sample_lock *lock, const char *path, bool resumes, bool may_replace,
                                opac_error *error);
/* The file was replaced by this one. */
void sample_lock_renew(sample_lock *lock, int descriptor);
/* An empty file of ours is removed. */
void sample_lock_release(sample_lock *lock, const char *path);

#endif
