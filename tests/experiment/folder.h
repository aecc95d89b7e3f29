/* SPDX-License-Identifier: MIT */
/* A folder for the files of a test: reading them, counting them, removing all. */
#ifndef EXPERIMENT_FOLDER_H
#define EXPERIMENT_FOLDER_H

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/check.h"
#include "support/temporary.h"

typedef struct folder {
    char path[512];
} folder;

static inline folder folder_make(void)
{
    folder f;
    assert_true(temporary_folder(f.path, sizeof f.path));
    return f;
}

/* The path of a file in it, in a buffer of 1024. */
static inline const char *folder_at(const folder *f, const char *name, char *buffer)
{
    snprintf(buffer, 1024, "%s/%s", f->path, name);
    return buffer;
}

/* The text, for the caller to free; NULL: there is no such file. */
static inline char *folder_read(const folder *f, const char *name)
{
    char path[1024];
    FILE *file = fopen(folder_at(f, name, path), "rb");
    if (file == NULL)
        return NULL;
    size_t size = 1 << 20;
    char *text = malloc(size);
    assert_non_null(text);
    size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static inline void folder_write(const folder *f, const char *name, const char *text, mode_t mode)
{
    char path[1024];
    FILE *file = fopen(folder_at(f, name, path), "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

/* How many files are in it; with `removed`, they are gone afterwards. */
static inline int folder_count(const folder *f, bool removed)
{
    int count = 0;
    DIR *listing = opendir(f->path);
    assert_non_null(listing);
    for (const struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char path[1024];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (removed)
            unlink(folder_at(f, entry->d_name, path));
    }
    closedir(listing);
    return count;
}

static inline void folder_remove(const folder *f)
{
    folder_count(f, true);
    assert_int_equal(rmdir(f->path), 0);
}

#endif
