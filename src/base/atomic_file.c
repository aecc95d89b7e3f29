/* SPDX-License-Identifier: MIT */
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
    LONGEST_NAME_KEPT = 200, /* of the target's name in the temporary one: file systems allow 255 */
    LONGEST_SUFFIX = 40,
    MOST_ATTEMPTS = 10000
};

static opac_status fail_system(opac_error *error, const char *path, int number)
{
    char reason[128];
    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    return base_fail(error, OPAC_ERROR_IO, "cannot write %s: %s", path, reason);
}

/* Where path leads: its target when it is a link, itself when it does not exist yet. */
static opac_status resolve(const char *path, char **resolved, struct stat *status, bool *exists,
                           opac_error *error)
{
    *exists = stat(path, status) == 0;
    if (!*exists && errno != ENOENT)
        return fail_system(error, path, errno);
    if (*exists && S_ISDIR(status->st_mode))
        return fail_system(error, path, EISDIR);
    char *real = *exists ? realpath(path, NULL) : NULL;
    const char *from = real != NULL ? real : path;
    *resolved = base_copy_text(from, strlen(from));
    free(real); /* realpath's own allocation */
    return *resolved != NULL ? OPAC_OK : base_fail_memory(error);
}

/* Opens a new file beside the target; file->temporary becomes its name. */
static opac_status open_temporary(base_atomic_file *file, opac_error *error)
{
    const char *slash = strrchr(file->path, '/');
    const char *name = slash != NULL ? slash + 1 : file->path;
    size_t folder = (size_t)(name - file->path);
    size_t room = folder + LONGEST_NAME_KEPT + LONGEST_SUFFIX;
    file->temporary = base_alloc(room, 1);
    if (file->temporary == NULL)
        return base_fail_memory(error);
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(file->temporary, room, "%.*s.%.*s.%ld-%d.tmp", (int)folder, file->path,
                 LONGEST_NAME_KEPT, name, (long)getpid(), attempt);
        file->descriptor =
            open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)0666);
        if (file->descriptor >= 0)
            return OPAC_OK;
        if (errno != EEXIST)
            break;
    }
    int number = errno;
    base_free(file->temporary);
    file->temporary = NULL;
    return fail_system(error, file->path, number);
}

opac_status base_atomic_file_open(base_atomic_file *file, const char *path, opac_error *error)
{
    struct stat old;
    bool exists;
    *file = (base_atomic_file){.descriptor = -1};
    opac_status status = resolve(path, &file->path, &old, &exists, error);
    if (status == OPAC_OK && exists && !S_ISREG(old.st_mode)) {
        file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
        if (file->descriptor < 0)
            status = fail_system(error, path, errno);
    } else if (status == OPAC_OK) {
        status = open_temporary(file, error);
        /* A file that others may read stays so; failure to copy the mode is no reason to stop. */
        if (status == OPAC_OK && exists && fchmod(file->descriptor, old.st_mode & 07777) != 0)
            errno = 0;
    }
    if (status != OPAC_OK)
        base_atomic_file_fini(file);
    return status;
}

opac_status base_atomic_file_write(base_atomic_file *file, const char *bytes, size_t length,
                                   opac_error *error)
{
    while (length > 0) {
        ssize_t written = write(file->descriptor, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_system(error, file->path, errno);
        bytes += written;
        length -= (size_t)written;
    }
    return OPAC_OK;
}

/* Makes the rename itself durable. Not all file systems let one sync a folder: best effort. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    int descriptor = open(length > 0 ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

static opac_status close_checked(base_atomic_file *file, opac_error *error)
{
    int descriptor = file->descriptor;
    file->descriptor = -1;
    return close(descriptor) == 0 ? OPAC_OK : fail_system(error, file->path, errno);
}

opac_status base_atomic_file_commit(base_atomic_file *file, opac_error *error)
{
    if (file->temporary == NULL)
        return close_checked(file, error);
    if (fsync(file->descriptor) != 0)
        return fail_system(error, file->path, errno);
    opac_status status = close_checked(file, error);
    if (status != OPAC_OK)
        return status;
    if (rename(file->temporary, file->path) != 0)
        return fail_system(error, file->path, errno);
    base_free(file->temporary);
    file->temporary = NULL;
    sync_folder(file->path);
    return OPAC_OK;
}

void base_atomic_file_fini(base_atomic_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->temporary != NULL)
        unlink(file->temporary);
    base_free(file->temporary);
    base_free(file->path);
    *file = (base_atomic_file){.descriptor = -1};
}
