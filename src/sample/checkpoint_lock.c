/* SPDX-License-Identifier: MIT */
#include "sample/checkpoint_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omegapac/text.h>

enum {
    MOST_ATTEMPTS = 100
};

/* Whether the path still names the open file. *found: that file. */
static bool is_named(const char *path, int descriptor, struct stat *found)
{
    struct stat named;
    return fstat(descriptor, found) == 0 && stat(path, &named) == 0 &&
           named.st_dev == found->st_dev && named.st_ino == found->st_ino;
}

static opac_status fail(const char *path, const char *why, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    return base_fail(error, OPAC_ERROR_ARGUMENT, "the checkpoint '%s' %s",
                     opac_text_show(path, strlen(path), shown, sizeof shown), why);
}

/* Returns -1 if the file cannot be opened; then writing it will fail with the reason. */
static int open_file(const char *path, bool may_make, bool *is_new)
{
    struct stat found;
    int descriptor = -1;
    bool exists = stat(path, &found) == 0;
    *is_new = false;
    if (exists && !S_ISREG(found.st_mode))
        return -1;
    if (!exists && may_make)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)0666);
    *is_new = descriptor >= 0;
    return descriptor >= 0 ? descriptor : open(path, O_RDWR | O_CLOEXEC);
}

/* *is_over is false if the file was replaced in the meantime, by a run that may have ended: try again. */
static opac_status try_lock(sample_lock *lock, const char *path, bool resumes, bool may_replace,
                            bool *is_over, opac_error *error)
{
    struct stat found;
    bool is_new;
    int descriptor = open_file(path, !resumes, &is_new);
    *is_over = true;
    if (descriptor < 0)
        return OPAC_OK;
    bool is_locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    bool is_taken = !is_locked && errno == EWOULDBLOCK;
    *is_over = is_taken || is_named(path, descriptor, &found);
    bool is_refused = !is_taken && *is_over && !resumes && !may_replace && found.st_size > 0;
    if (*is_over && is_locked && !is_refused) {
        *lock = (sample_lock){.descriptor = descriptor, .is_started = is_new};
        return OPAC_OK;
    }
    close(descriptor);
    if (is_taken)
        return fail(path, "is in use by another run", error);
    return is_refused ? fail(path, "exists, and this run would replace it", error) : OPAC_OK;
}

opac_status sample_lock_acquire(sample_lock *lock, const char *path, bool resumes, bool may_replace,
                                opac_error *error)
{
    bool is_over = false;
    *lock = (sample_lock){.descriptor = -1};
    for (int i = 0; i < MOST_ATTEMPTS && !is_over; i++)
        TRY(try_lock(lock, path, resumes, may_replace, &is_over, error));
    return OPAC_OK;
}

void sample_lock_renew(sample_lock *lock, int descriptor)
{
    if (lock->descriptor >= 0)
        close(lock->descriptor);
    *lock = (sample_lock){.descriptor = descriptor};
}

void sample_lock_release(sample_lock *lock, const char *path)
{
    struct stat found;
    if (lock->is_started && is_named(path, lock->descriptor, &found) && found.st_size == 0)
        unlink(path);
    sample_lock_renew(lock, -1);
}
