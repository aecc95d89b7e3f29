/* SPDX-License-Identifier: MIT */
#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

enum {
    LONGEST_NAME_KEPT =
        200, /* bytes of the target's name in the temporary name; file systems allow 255 */
    LONGEST_SUFFIX = 64,
    MOST_ATTEMPTS = 10000
};

static opac_status fail_writing(const base_atomic_file *file, int number, opac_error *error)
{
    char what[OPAC_SHOWN_SIZE + 16];
    snprintf(what, sizeof what, "cannot write %s", file->shown);
    return base_fail_system(error, number, what);
}

/* The file that the given name refers to. */
typedef struct target {
    bool exists, direct;
    struct stat status; /* if it exists */
} target;

static bool is_below(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

static opac_status examine(const base_atomic_file *file, const char *path, target *found,
                           opac_error *error)
{
    struct stat link;
    found->exists = stat(path, &found->status) == 0;
    if (!found->exists && errno != ENOENT)
        return fail_writing(file, errno, error);
    if (!found->exists && lstat(path, &link) == 0)
        return base_fail(error, OPAC_ERROR_IO, "cannot write %s: it is a broken symbolic link",
                         file->shown);
    found->direct = found->exists && (!S_ISREG(found->status.st_mode) || is_below(path, "/proc/") ||
                                      (is_below(path, "/dev/") && !is_below(path, "/dev/shm/")));
    if (found->exists && S_ISDIR(found->status.st_mode))
        return fail_writing(file, EISDIR, error);
    /* A rename would succeed even if the file is not writable. */
    if (found->exists && access(path, W_OK) != 0)
        return fail_writing(file, errno, error);
    return OPAC_OK;
}

/* Resolves symbolic links, so that the rename replaces the file and not a link. */
static opac_status resolve(base_atomic_file *file, const char *path, bool exists, opac_error *error)
{
    char *real = exists ? realpath(path, NULL) : NULL;
    const char *from = real != NULL ? real : path;
    file->path = base_copy_text(from, strlen(from));
    free(real); /* realpath's own allocation */
    return file->path != NULL ? OPAC_OK : base_fail_memory(error);
}

/* ---- the temporary file ---- */

/* The folder of a target, and ".NAME.omegapac-", with which the names of its temporary files begin. */
typedef struct temporary_name {
    int folder; /* bytes of the path before the name */
    char prefix[LONGEST_NAME_KEPT + LONGEST_SUFFIX];
} temporary_name;

static temporary_name temporary_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    temporary_name found = {.folder = (int)(name - path)};
    snprintf(found.prefix, sizeof found.prefix, ".%.*s.omegapac-", LONGEST_NAME_KEPT, name);
    return found;
}

static const char *skip_digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

/* Whether the name is the prefix, then PID-N.tmp. */
static bool is_temporary(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    const char *pid = name + length, *dash = skip_digits(pid);
    const char *end = *dash == '-' ? skip_digits(dash + 1) : dash;
    return dash > pid && end > dash + 1 && strcmp(end, ".tmp") == 0;
}

static bool is_named(int folder, const char *name, const struct stat *file)
{
    struct stat found;
    return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
           found.st_dev == file->st_dev && found.st_ino == file->st_ino;
}

/*
 * Removes a temporary file whose writer has ended. The lock is taken first, so that no other process removes
 * or renames the file. A living writer holds the lock, or is about to lock the file; in that case it detects
 * the removal and uses another name.
 */
static void remove_if_abandoned(int folder, const char *name)
{
    struct stat status;
    int descriptor = openat(folder, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_named(folder, name, &status))
        unlinkat(folder, name, 0);
    close(descriptor);
}

/* Best effort: if the folder cannot be listed, nothing is removed. */
static void remove_abandoned(const char *path, const temporary_name *at)
{
    char folder[PATH_MAX];
    if (at->folder + 1 >= PATH_MAX)
        return;
    snprintf(folder, sizeof folder, "%.*s.", at->folder, path);
    DIR *list = opendir(folder);
    if (list == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (is_temporary(entry->d_name, at->prefix))
            remove_if_abandoned(dirfd(list), entry->d_name);
    closedir(list);
}

/*
 * Locks the temporary file, and duplicates its descriptor to keep the lock. False if another writer has found
 * the file before it was locked, and removes it. On file systems without locks, there is no lock, and nothing
 * is ever removed.
 */
static bool take_lock(base_atomic_file *file)
{
    struct stat status;
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0)
        return errno != EWOULDBLOCK;
    if (fstat(file->descriptor, &status) != 0 || status.st_nlink == 0)
        return false;
    file->lock = fcntl(file->descriptor, F_DUPFD_CLOEXEC, 0);
    return true;
}

static void close_both(base_atomic_file *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->lock >= 0)
        close(file->lock);
    file->descriptor = file->lock = -1;
}

/* Opens a new file beside the target; file->temporary becomes its name. */
static opac_status open_temporary(base_atomic_file *file, mode_t mode, opac_error *error)
{
    temporary_name at = temporary_name_of(file->path);
    size_t size = (size_t)at.folder + sizeof at.prefix + LONGEST_SUFFIX;
    file->temporary = base_alloc(size, 1);
    if (file->temporary == NULL)
        return base_fail_memory(error);
    remove_abandoned(file->path, &at);
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        snprintf(file->temporary, size, "%.*s%s%ld-%d.tmp", at.folder, file->path, at.prefix,
                 (long)getpid(), attempt);
        file->descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file->descriptor >= 0 && take_lock(file))
            return OPAC_OK;
        if (file->descriptor < 0 && errno != EEXIST)
            break;
        close_both(file);
    }
    int number = errno;
    base_free(file->temporary);
    file->temporary = NULL;
    return fail_writing(file, number, error);
}

/* Copies owner, group and permissions of the old file, as far as permitted; failures are ignored. */
static void keep_access(const base_atomic_file *file, const struct stat *old)
{
    if (fchown(file->descriptor, old->st_uid, old->st_gid) != 0 ||
        fchmod(file->descriptor, old->st_mode & 0777) != 0)
        errno = 0;
}

static opac_status open_direct(base_atomic_file *file, const char *path, opac_error *error)
{
    file->descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC, (mode_t)0);
    return file->descriptor >= 0 ? OPAC_OK : fail_writing(file, errno, error);
}

opac_status base_atomic_file_open(base_atomic_file *file, const char *path, opac_error *error)
{
    target found = {0};
    *file = (base_atomic_file){.descriptor = -1, .lock = -1};
    opac_text_show_path(path, file->shown, sizeof file->shown);
    opac_status status;
    TRY_OR(done, examine(file, path, &found, error));
    if (found.direct)
        return open_direct(file, path, error);
    TRY_OR(done, resolve(file, path, found.exists, error));
    /* The temporary file never has more permissions than the target. */
    TRY_OR(done, open_temporary(file, found.exists ? found.status.st_mode & 0777 : 0666, error));
    if (found.exists)
        keep_access(file, &found.status);
done:
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
            return fail_writing(file, errno, error);
        bytes += written;
        length -= (size_t)written;
    }
    return OPAC_OK;
}

/* Makes the rename durable. Best effort, since not all file systems can sync a folder. */
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
    return close(descriptor) == 0 ? OPAC_OK : fail_writing(file, errno, error);
}

opac_status base_atomic_file_commit(base_atomic_file *file, opac_error *error)
{
    if (file->temporary == NULL)
        return close_checked(file, error);
    if (fsync(file->descriptor) != 0)
        return fail_writing(file, errno, error);
    TRY(close_checked(file, error));
    if (rename(file->temporary, file->path) != 0)
        return fail_writing(file, errno, error);
    base_free(file->temporary);
    file->temporary = NULL;
    sync_folder(file->path);
    return OPAC_OK;
}

int base_atomic_file_take_lock(base_atomic_file *file)
{
    int lock = file->lock;
    file->lock = -1;
    return lock;
}

void base_atomic_file_fini(base_atomic_file *file)
{
    /* Before the lock is released, since afterwards another writer may use the name. */
    if (file->temporary != NULL)
        unlink(file->temporary);
    close_both(file);
    base_free(file->temporary);
    base_free(file->path);
    *file = (base_atomic_file){.descriptor = -1, .lock = -1};
}
