/* SPDX-License-Identifier: MIT */
/*
 * PNG beside SVG, by a program that is installed: rsvg-convert, else inkscape, else ImageMagick. It
 * is started directly, without a shell, in a group of its own, with nothing to read and nobody to
 * write to, and is killed when it takes too long, and not tried again: what hangs for one picture
 * hangs for all. It writes under another name: what it made gets the name of the picture only if it
 * begins and ends as PNG does.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/spawn.h"
#include "experiment/record.h"

enum {
    RSVG = 0,
    INKSCAPE = 1,
    MAGICK = 2, /* both of ImageMagick's take the same arguments */
    MOST_ARGUMENTS = 7
};

static const struct {
    const char *name;
    int kind;
} programs[] = {
    {"rsvg-convert", RSVG}, {"inkscape", INKSCAPE}, {"magick", MAGICK}, {"convert", MAGICK}};

/* ---- finding one ---- */

/* The first folder of the list that has such a program, as a path; NULL: none, or no memory. */
static char *find_program(const char *search, const char *name, bool *no_memory)
{
    while (*search != '\0') {
        size_t length = strcspn(search, ":"), size = length + strlen(name) + 2;
        struct stat found;
        /* An empty or relative folder depends on where one stands: not taken. */
        if (*search == '/') {
            char *path = base_alloc(size, 1);
            if (path == NULL) {
                *no_memory = true;
                return NULL;
            }
            snprintf(path, size, "%.*s/%s", (int)length, search, name);
            if (stat(path, &found) == 0 && S_ISREG(found.st_mode) && access(path, X_OK) == 0)
                return path;
            base_free(path);
        }
        search += length + (search[length] == ':' ? 1 : 0);
    }
    return NULL;
}

opac_status experiment_converter_find(const char *search, experiment_converter *converter,
                                      opac_error *error)
{
    bool no_memory = false;
    *converter = (experiment_converter){.path = NULL};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0] && search != NULL; i++) {
        converter->path = find_program(search, programs[i].name, &no_memory);
        converter->kind = programs[i].kind;
        if (no_memory)
            return base_fail_memory(error);
        if (converter->path != NULL)
            return OPAC_OK;
    }
    return OPAC_OK;
}

void experiment_converter_fini(experiment_converter *converter)
{
    base_free(converter->path);
    converter->path = NULL;
}

/* ---- running it ---- */

static int set_streams(posix_spawn_file_actions_t *actions)
{
    int number = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    for (int i = 1; i <= 2 && number == 0; i++)
        number = posix_spawn_file_actions_addopen(actions, i, "/dev/null", O_WRONLY, 0);
    return number;
}

/* An errno, or 0. */
static int spawn(pid_t *pid, const char *path, char **arguments)
{
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number != 0)
        return number;
    number = set_streams(&actions);
    if (number == 0)
        number = base_spawn(pid, path, &actions, arguments);
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* Until it ends, or is ended; whether it says that all went well. */
static bool wait_for(pid_t pid, double seconds, const opac_cancel *cancel, bool *hung)
{
    const struct timespec pause = {0, 5000000};
    double end = experiment_lab_seconds() + seconds;
    int code = 0;
    for (;;) {
        pid_t ended = waitpid(pid, &code, WNOHANG);
        if (ended == pid)
            return WIFEXITED(code) && WEXITSTATUS(code) == 0;
        if (ended < 0 && errno != EINTR)
            return true; /* somebody else has waited for it: what it wrote will tell */
        *hung = experiment_lab_seconds() > end;
        if (*hung || opac_cancel_requested(cancel))
            break;
        nanosleep(&pause, NULL);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &code, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

/* ---- what it is told, and what it made ---- */

/* Twice as large as on a screen, so that it can be printed. */
static void set_arguments(const experiment_converter *converter, char *svg, char *png, char *option,
                          size_t size, char **arguments)
{
    static char format[] = "--format=png", zoom[] = "--zoom=2", type[] = "--export-type=png",
                dpi[] = "--export-dpi=192", density[] = "-density", dots[] = "192";
    switch (converter->kind) {
    case RSVG:
        snprintf(option, size, "--output=%s", png);
        memcpy(arguments, (char *[]){converter->path, format, zoom, option, svg, NULL},
               6 * sizeof *arguments);
        break;
    case INKSCAPE:
        snprintf(option, size, "--export-filename=%s", png);
        memcpy(arguments, (char *[]){converter->path, type, dpi, option, svg, NULL},
               6 * sizeof *arguments);
        break;
    default:
        snprintf(option, size, "PNG:%s", png);
        memcpy(arguments, (char *[]){converter->path, density, dots, svg, option, NULL},
               6 * sizeof *arguments);
        break;
    }
}

static bool is_png(const char *path)
{
    static const unsigned char begin[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'},
                               end[8] = {'I', 'E', 'N', 'D', 0xAE, 'B', 0x60, 0x82};
    unsigned char bytes[8];
    FILE *file = fopen(path, "rb");
    bool is = file != NULL && fread(bytes, 1, 8, file) == 8 && memcmp(bytes, begin, 8) == 0 &&
              fseek(file, -8, SEEK_END) == 0 && fread(bytes, 1, 8, file) == 8 &&
              memcmp(bytes, end, 8) == 0;
    if (file != NULL)
        fclose(file);
    return is;
}

/* A path that no program takes for an option, or for something with a prefix. */
static char *plain_path(const char *path, const char *suffix)
{
    size_t size = strlen(path) + strlen(suffix) + 3;
    char *plain = base_alloc(size, 1);
    if (plain != NULL)
        snprintf(plain, size, "%s%s%s", *path == '/' ? "" : "./", path, suffix);
    return plain;
}

opac_status experiment_converter_run(experiment_converter *converter, const char *svg,
                                     const char *png, double seconds, const opac_cancel *cancel,
                                     bool *made, opac_error *error)
{
    char *from = plain_path(svg, ""), *to = plain_path(png, ".part.png");
    size_t size = to != NULL ? strlen(to) + 32 : 1;
    char *option = base_alloc(size, 1), *arguments[MOST_ARGUMENTS];
    opac_status status = OPAC_OK;
    pid_t pid;
    *made = false;
    if (from == NULL || to == NULL || option == NULL) {
        status = base_fail_memory(error);
    } else if (converter->path != NULL && !converter->hung) {
        set_arguments(converter, from, to, option, size, arguments);
        *made = spawn(&pid, converter->path, arguments) == 0 &&
                wait_for(pid, seconds, cancel, &converter->hung) && is_png(to) &&
                rename(to, png) == 0;
        if (!*made)
            unlink(to);
    }
    base_free(from);
    base_free(to);
    base_free(option);
    return status;
}
