/* SPDX-License-Identifier: MIT */
/*
 * Outputs. The system calls of the atomic write are wrapped, so that the
 * process can be killed, or the call made to fail, at each of them in turn.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <omegapac/output.h>

#include "support/check.h"
#include "support/faults.h"
#include "support/temporary.h"

/* ---- system calls that can be made to fail or to kill ---- */

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_KILL_BEFORE,
    FAULT_KILL_AFTER,
    FAULT_ERROR
} fault_kind;

static struct {
    fault_kind kind;
    unsigned at, seen;
    size_t longest_write; /* largest number of bytes that a write accepts; 0: no limit */
    bool interrupted;     /* every other write fails with EINTR */
    char calls[64];       /* o w f c r: the calls made, a run of writes as one */
    mode_t opened_with;   /* the mode of the last open that creates */
} faults;

static void record(char call)
{
    size_t length = strlen(faults.calls);
    if (length + 1 < sizeof faults.calls &&
        !(call == 'w' && length > 0 && faults.calls[length - 1] == 'w'))
        faults.calls[length] = call;
}

static bool fault_due(void)
{
    return faults.kind != FAULT_NONE && ++faults.seen == faults.at;
}

#define WRAPPED(call)                                                                              \
    do {                                                                                           \
        bool due = fault_due();                                                                    \
        if (due && faults.kind == FAULT_KILL_BEFORE)                                               \
            raise(SIGKILL);                                                                        \
        if (due && faults.kind == FAULT_ERROR) {                                                   \
            errno = ENOSPC;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        result = (call);                                                                           \
        if (due && faults.kind == FAULT_KILL_AFTER)                                                \
            raise(SIGKILL);                                                                        \
    } while (0)

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
ssize_t __real_write(int descriptor, const void *bytes, size_t length);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t length);
int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

int __wrap_open(const char *path, int flags, mode_t mode)
{
    int result;
    record('o');
    if (flags & O_CREAT)
        faults.opened_with = mode;
    WRAPPED(__real_open(path, flags, mode));
    return result;
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t length)
{
    ssize_t result;
    record('w');
    static unsigned calls;
    if (faults.interrupted && calls++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    if (faults.longest_write > 0 && length > faults.longest_write)
        length = faults.longest_write;
    WRAPPED(__real_write(descriptor, bytes, length));
    return result;
}

int __wrap_fsync(int descriptor)
{
    int result;
    record('f');
    WRAPPED(__real_fsync(descriptor));
    return result;
}

int __wrap_close(int descriptor)
{
    int result;
    record('c');
    WRAPPED(__real_close(descriptor));
    return result;
}

int __wrap_rename(const char *from, const char *to)
{
    int result;
    record('r');
    WRAPPED(__real_rename(from, to));
    return result;
}

/* ---- a folder for each test ---- */

enum {
    LARGE = 300000
};

static char folder[256], target[300], large_text[LARGE + 1];

static int make_folder(void **state)
{
    (void)state;
    if (!temporary_folder(folder, sizeof folder))
        return -1;
    snprintf(target, sizeof target, "%s/result.json", folder);
    for (size_t i = 0; i < LARGE; i++)
        large_text[i] = (char)('a' + i % 26);
    memset(&faults, 0, sizeof faults);
    return 0;
}

/* Calls visit with each path in the folder, if given; returns how many there are. */
static size_t folder_entries(int (*visit)(const char *path))
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char path[600];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (visit != NULL)
            visit(path);
        count++;
    }
    closedir(directory);
    return count;
}

static int drop_folder(void **state)
{
    (void)state;
    memset(&faults, 0, sizeof faults);
    folder_entries(unlink);
    return rmdir(folder);
}

static opac_status write_file(const char *path, const char *text, opac_error *error)
{
    opac_output *out;
    opac_status status = opac_output_open_file(path, &out, error);
    if (status != OPAC_OK)
        return status;
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += 1000)
        opac_output_write(out, text + at, length - at < 1000 ? length - at : 1000);
    status = opac_output_commit(out, error);
    opac_output_free(out);
    return status;
}

static bool file_holds(const char *path, const char *expected)
{
    size_t length = strlen(expected);
    char *bytes = malloc(length + 2);
    FILE *file = fopen(path, "rb");
    if (file == NULL || bytes == NULL) {
        free(bytes);
        return false;
    }
    size_t got = fread(bytes, 1, length + 2, file);
    fclose(file);
    bool same = got == length && memcmp(bytes, expected, length) == 0;
    free(bytes);
    return same;
}

/* ---- the tests ---- */

static void file_is_replaced_whole(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_ok(write_file(target, "old", &error), &error);
    assert_true(file_holds(target, "old"));
    assert_ok(write_file(target, large_text, &error), &error);
    assert_true(file_holds(target, large_text));
    assert_int_equal(folder_entries(NULL), 1);
}

static void uncommitted_output_changes_nothing(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_ok(write_file(target, "old", &error), &error);
    opac_output *out;
    assert_ok(opac_output_open_file(target, &out, &error), &error);
    opac_output_text(out, large_text);
    assert_true(file_holds(target, "old"));
    opac_output_free(out);
    assert_true(file_holds(target, "old"));
    assert_int_equal(folder_entries(NULL), 1);
}

/* Kills a child before and after each system call; the file is old or new, and finally new. */
static void killed_anywhere_the_file_is_old_or_new(void **state)
{
    (void)state;
    opac_error error = {0};
    unsigned kills = 0, old_seen = 0, new_seen = 0;
    for (int kind = FAULT_KILL_BEFORE; kind <= FAULT_KILL_AFTER; kind++) {
        for (unsigned at = 1;; at++) {
            assert_ok(write_file(target, "old", &error), &error);
            pid_t child = fork();
            if (child == 0) {
                faults.kind = (fault_kind)kind;
                faults.at = at;
                _exit(write_file(target, large_text, NULL) == OPAC_OK ? 0 : 1);
            }
            int status;
            waitpid(child, &status, 0);
            bool is_old = file_holds(target, "old"), is_new = file_holds(target, large_text);
            assert_true(is_old || is_new);
            old_seen += is_old;
            new_seen += is_new;
            if (WIFEXITED(status)) {
                assert_int_equal(WEXITSTATUS(status), 0);
                assert_true(is_new);
                break;
            }
            kills++;
        }
    }
    assert_int_equal(folder_entries(NULL), 1); /* the killed ones' temporary files are gone */
    /* open, at least 4 writes, fsync, close, rename, and the folder's open, fsync, close */
    assert_in_range(kills, 22, 40);
    assert_true(old_seen > 10);
    assert_true(new_seen > 4);
}

/* Also killed by the parent, at random times, while a child writes repeatedly. */
static void killed_at_random_the_file_is_whole(void **state)
{
    (void)state;
    assert_status(write_file(target, "old", NULL), OPAC_OK);
    for (int round = 0; round < 60; round++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                write_file(target, round % 2 == 0 ? large_text : "old", NULL);
        nanosleep(&(struct timespec){.tv_nsec = round * 97000 % 3000000}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        assert_true(file_holds(target, "old") || file_holds(target, large_text));
    }
}

/* Each system call fails in turn: an error that names the file, and no temporary file left. */
static void every_failing_call_is_reported(void **state)
{
    (void)state;
    unsigned reported = 0;
    for (unsigned at = 1;; at++) {
        opac_error error = {0};
        assert_status(write_file(target, "old", NULL), OPAC_OK);
        faults.kind = FAULT_ERROR;
        faults.at = at;
        faults.seen = 0;
        opac_status status = write_file(target, large_text, &error);
        bool reached = faults.seen >= at;
        faults.kind = FAULT_NONE;
        if (status == OPAC_OK) {
            assert_true(file_holds(target, large_text));
            if (!reached)
                break;
            continue; /* syncing the folder is best effort */
        }
        reported++;
        assert_status(status, OPAC_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "result.json: No space left on device"));
        assert_true(file_holds(target, "old"));
        assert_int_equal(folder_entries(NULL), 1);
    }
    assert_in_range(reported, 7, 20);
}

static void short_and_interrupted_writes_are_continued(void **state)
{
    (void)state;
    faults.longest_write = 777;
    faults.interrupted = true;
    assert_status(write_file(target, large_text, NULL), OPAC_OK);
    assert_true(file_holds(target, large_text));
}

static void a_real_full_disk_is_reported(void **state)
{
    (void)state;
    opac_error error = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_status(write_file("/dev/full", large_text, &error), OPAC_ERROR_LIMIT);
    FILE *full = fopen("/dev/full", "w");
    opac_output *out;
    assert_ok(opac_output_open_stream(full, &out, &error), &error);
    opac_output_text(out, "x"); /* in the buffer: nothing is wrong yet */
    assert_false(opac_output_failed(out));
    opac_output_text(out, large_text);
    assert_true(opac_output_failed(out));
    assert_status(opac_output_commit(out, &error), OPAC_ERROR_LIMIT);
    assert_string_equal(error.message, "cannot write the output: No space left on device");
    opac_output_free(out);
    fclose(full);
}

static void bad_places_are_refused(void **state)
{
    (void)state;
    opac_error error = {0};
    char path[400];
    assert_status(write_file(folder, "x", &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "Is a directory"));
    snprintf(path, sizeof path, "%s/none/result.json", folder);
    assert_status(write_file(path, "x", &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "No such file or directory"));
    assert_status(write_file("", "x", &error), OPAC_ERROR_IO);
    snprintf(path, sizeof path, "%s/none/\x1b[31m\nx", folder);
    assert_status(write_file(path, "x", &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "\\x1B[31m\\x0Ax: No such"));
    snprintf(path, sizeof path, "%s/x/y", target);
    assert_status(write_file(target, "x", &error), OPAC_OK);
    assert_status(write_file(path, "x", &error), OPAC_ERROR_IO);
}

static void names_at_the_limit(void **state)
{
    (void)state;
    char path[600];
    int length = snprintf(path, sizeof path, "%s/", folder);
    memset(path + length, 'n', 255);
    path[length + 255] = '\0';
    assert_status(write_file(path, "x", NULL), OPAC_OK);
    assert_true(file_holds(path, "x"));
}

static void links_are_followed_and_modes_kept(void **state)
{
    (void)state;
    char link_path[300];
    struct stat status;
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    assert_status(write_file(target, "old", NULL), OPAC_OK);
    assert_int_equal(faults.opened_with, 0666);
    assert_int_equal(chmod(target, 04604), 0);
    assert_int_equal(symlink("result.json", link_path), 0);
    assert_status(write_file(link_path, "new", NULL), OPAC_OK);
    assert_int_equal(lstat(link_path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_true(file_holds(target, "new"));
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604); /* without the set-user-id bit */
    assert_int_equal(faults.opened_with, 0604);     /* and never wider on the way */
}

static void a_broken_link_is_rejected(void **state)
{
    (void)state;
    opac_error error = {0};
    assert_int_equal(symlink("nowhere", target), 0);
    assert_status(write_file(target, "x", &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "it is a broken symbolic link"));
    assert_int_equal(folder_entries(NULL), 1);
}

static void a_file_without_permission_is_refused(void **state)
{
    (void)state;
    opac_error error = {0};
    if (geteuid() == 0)
        skip(); /* root may write everything */
    assert_status(write_file(target, "old", NULL), OPAC_OK);
    assert_int_equal(chmod(target, 0444), 0);
    assert_status(write_file(target, "new", &error), OPAC_ERROR_IO);
    assert_non_null(strstr(error.message, "Permission denied"));
    assert_true(file_holds(target, "old"));
}

/* The order of calls makes the file durable: the bytes are synced before the rename, and the folder after
 * it. */
static void calls_come_in_the_right_order(void **state)
{
    (void)state;
    assert_status(write_file(target, large_text, NULL), OPAC_OK);
    assert_string_equal(faults.calls, "owfcrofcc"); /* and the lock */
}

static void temporary_name(const char *middle, char *path, size_t size)
{
    snprintf(path, size, "%s/.result.json.%s", folder, middle);
}

static void make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Removed are temporary files of this target that are not locked, from any process, but no files with
 * similar names. */
static void temporary_files_of_dead_writers_are_removed(void **state)
{
    (void)state;
    static const char *const dead[] = {"omegapac-1-0.tmp", "omegapac-99999999-12.tmp"};
    static const char *const others[] = {"omegapac-1-0.tmp.bak", "omegapac-1.tmp",   "1-0.tmp",
                                         "omegapac--0.tmp",      "omegapac-1-.tmp",  "swp",
                                         "omegapac-1-0x.tmp",    "omegapac-x1-0.tmp"};
    char path[400];
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        temporary_name(dead[i], path, sizeof path);
        make_file(path, "left");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        temporary_name(others[i], path, sizeof path);
        make_file(path, "mine");
    }
    snprintf(path, sizeof path, "%s/.result.jso.omegapac-1-0.tmp", folder);
    make_file(path, "mine"); /* of another target */
    temporary_name("omegapac-2-0.tmp", path, sizeof path);
    assert_int_equal(symlink("/dev/null", path), 0);
    temporary_name("omegapac-2-1.tmp", path, sizeof path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_status(write_file(target, "new", NULL), OPAC_OK);
    assert_true(file_holds(target, "new"));
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        temporary_name(dead[i], path, sizeof path);
        assert_int_equal(access(path, F_OK), -1);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        temporary_name(others[i], path, sizeof path);
        assert_true(file_holds(path, "mine"));
    }
    assert_int_equal(folder_entries(NULL), 1 + 8 + 1 + 2);
}

/* Two writers of one file at a time, in one or two processes: both succeed, and the last one determines the
 * content. */
static void live_writers_keep_their_files(void **state)
{
    (void)state;
    opac_output *one, *other;
    opac_error error;
    assert_ok(opac_output_open_file(target, &one, &error), &error);
    opac_output_text(one, large_text);
    pid_t child = fork();
    if (child == 0)
        _exit(write_file(target, "child", NULL) == OPAC_OK ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0);
    assert_true(file_holds(target, "child"));
    assert_ok(opac_output_open_file(target, &other, &error), &error);
    opac_output_text(other, "other");
    assert_ok(opac_output_commit(one, &error), &error);
    assert_true(file_holds(target, large_text));
    assert_ok(opac_output_commit(other, &error), &error);
    assert_true(file_holds(target, "other"));
    opac_output_free(one);
    opac_output_free(other);
    assert_int_equal(folder_entries(NULL), 1);
}

/* A name that is taken by a file which cannot be opened, or is locked, is left alone. */
static void a_temporary_name_that_is_taken_is_left_alone(void **state)
{
    (void)state;
    char taken[400], middle[64];
    snprintf(middle, sizeof middle, "omegapac-%ld-0.tmp", (long)getpid());
    temporary_name(middle, taken, sizeof taken);
    make_file(taken, "another's");
    int descriptor = __real_open(taken, O_WRONLY, 0);
    assert_int_equal(flock(descriptor, LOCK_EX), 0);
    assert_status(write_file(target, "new", NULL), OPAC_OK);
    assert_true(file_holds(target, "new"));
    assert_true(file_holds(taken, "another's"));
    __real_close(descriptor);
}

/* Read once: another writer may replace the file at any moment. */
static bool file_is_old_or_large(void)
{
    static char bytes[LARGE + 2];
    FILE *file = fopen(target, "rb");
    size_t got = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file != NULL)
        fclose(file);
    return (got == 3 && memcmp(bytes, "old", got) == 0) ||
           (got == strlen(large_text) && memcmp(bytes, large_text, got) == 0);
}

/* Writers in several processes that are killed at random moments while others clean up: whoever is not
 * killed succeeds, the file is always whole, and one more write leaves nothing but the file. */
static void writers_and_kills_at_random_leave_one_file(void **state)
{
    (void)state;
    enum {
        WRITERS = 4,
        ROUNDS = 40
    };
    pid_t children[WRITERS] = {0};
    bool is_whole = true, is_signalled = true;
    assert_status(write_file(target, "old", NULL), OPAC_OK);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < WRITERS; i++) {
            if (children[i] == 0 && (children[i] = fork()) == 0) {
                for (;;)
                    if (write_file(target, i % 2 == 0 ? large_text : "old", NULL) != OPAC_OK)
                        _exit(1);
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = round * 977000 % 5000000}, NULL);
        int victim = round % WRITERS, status;
        kill(children[victim], SIGKILL);
        waitpid(children[victim], &status, 0);
        children[victim] = 0;
        is_whole = is_whole && file_is_old_or_large();
        is_signalled = is_signalled && WIFSIGNALED(status);
    }
    for (int i = 0; i < WRITERS; i++)
        if (children[i] > 0) {
            kill(children[i], SIGKILL);
            waitpid(children[i], NULL, 0);
        }
    assert_true(is_whole);
    assert_true(is_signalled); /* so no write has failed before */
    assert_status(write_file(target, "new", NULL), OPAC_OK);
    assert_int_equal(folder_entries(NULL), 1);
}

/* /dev/stdout may be a file to which other processes write, so output is appended. */
static void open_descriptors_are_appended_to(void **state)
{
    (void)state;
    assert_status(write_file(target, "precious ", NULL), OPAC_OK);
    pid_t child = fork();
    if (child == 0) {
        int descriptor = __real_open(target, O_WRONLY | O_APPEND, 0);
        dup2(descriptor, STDOUT_FILENO);
        _exit(write_file("/dev/stdout", "log", NULL) == OPAC_OK ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0);
    assert_true(file_holds(target, "precious log"));
}

/* Files below /dev/shm are regular files, which are replaced atomically. */
static void shared_memory_is_a_folder(void **state)
{
    (void)state;
    char path[] = "/dev/shm/omegapac-test-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        skip();
    close(descriptor);
    assert_status(write_file(path, "old and long", NULL), OPAC_OK);
    assert_status(write_file(path, "new", NULL), OPAC_OK);
    assert_true(file_holds(path, "new"));
    unlink(path);
}

static void pipes_are_written_directly(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(target, 0600), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(write_file(target, "through the pipe", NULL) == OPAC_OK ? 0 : 1);
    assert_true(file_holds(target, "through the pipe"));
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0);
}

static void memory_grows_and_prints(void **state)
{
    (void)state;
    opac_output *out;
    size_t length;
    assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
    assert_string_equal(opac_output_bytes(out, &length), "");
    assert_int_equal(length, 0);
    opac_output_print(out, "%d-%s", 42, "x");
    opac_output_print(out, "%s", "");
    opac_output_text(out, large_text);
    const char *bytes = opac_output_bytes(out, &length);
    assert_int_equal(length, LARGE + 4);
    assert_memory_equal(bytes, "42-xabc", 7);
    opac_output_free(out);
    opac_output_free(NULL);
}

static opac_status write_large(void *context, opac_error *error)
{
    (void)context;
    return write_file(target, large_text, error);
}

static void out_of_memory_leaves_no_file(void **state)
{
    (void)state;
    assert_in_range(faults_sweep(write_large, NULL), 3, 60);
    assert_true(file_holds(target, large_text));
    assert_int_equal(folder_entries(NULL), 1);
}

/* Before and after a block is written, before and after the commit; and for outputs to memory. */
static void digests_are_of_all_bytes(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        opac_output *out;
        opac_error error;
        uint64_t expected = UINT64_C(0x85944171F73967E8);
        assert_ok(kind == 0 ? opac_output_open_memory(&out, &error)
                            : opac_output_open_file(target, &out, &error),
                  &error);
        opac_output_keep_digest(out);
        assert_true(opac_output_digest(out) == UINT64_C(0xCBF29CE484222325));
        opac_output_text(out, "foo");
        opac_output_print(out, "%s", "bar");
        assert_true(opac_output_digest(out) == expected);
        for (int i = 0; i < 100000; i++) {
            opac_output_write(out, "\xff\n", 2);
            expected = (expected ^ 0xff) * UINT64_C(0x100000001B3);
            expected = (expected ^ '\n') * UINT64_C(0x100000001B3);
        }
        assert_true(opac_output_digest(out) == expected);
        assert_ok(opac_output_commit(out, &error), &error);
        assert_true(opac_output_digest(out) == expected);
        opac_output_free(out);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, drop_folder)

SUITE(output)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(file_is_replaced_whole),
        IN_FOLDER(uncommitted_output_changes_nothing),
        IN_FOLDER(killed_anywhere_the_file_is_old_or_new),
        IN_FOLDER(killed_at_random_the_file_is_whole),
        IN_FOLDER(every_failing_call_is_reported),
        IN_FOLDER(short_and_interrupted_writes_are_continued),
        IN_FOLDER(a_real_full_disk_is_reported),
        IN_FOLDER(bad_places_are_refused),
        IN_FOLDER(names_at_the_limit),
        IN_FOLDER(links_are_followed_and_modes_kept),
        IN_FOLDER(a_broken_link_is_rejected),
        IN_FOLDER(a_file_without_permission_is_refused),
        IN_FOLDER(calls_come_in_the_right_order),
        IN_FOLDER(a_temporary_name_that_is_taken_is_left_alone),
        IN_FOLDER(temporary_files_of_dead_writers_are_removed),
        IN_FOLDER(live_writers_keep_their_files),
        IN_FOLDER(writers_and_kills_at_random_leave_one_file),
        IN_FOLDER(open_descriptors_are_appended_to),
        IN_FOLDER(pipes_are_written_directly),
        cmocka_unit_test(shared_memory_is_a_folder),
        IN_FOLDER(memory_grows_and_prints),
        IN_FOLDER(out_of_memory_leaves_no_file),
        IN_FOLDER(digests_are_of_all_bytes),
    };
    return cmocka_run_group_tests_name("base.output", tests, NULL, NULL);
}
