/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over a corpus without libFuzzer: every file, and every
 * prefix of it up to a limit, each copied into a block of its exact size so
 * that a sanitizer sees a read behind the end.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

enum {
    LARGEST_FILE = 1 << 20,
    LONGEST_PREFIX = 4096
};

static void run_exact(const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t run_file(const char *path, unsigned char *buffer)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    size_t size = fread(buffer, 1, LARGEST_FILE, file);
    fclose(file);
    size_t prefixes = size < LONGEST_PREFIX ? size : LONGEST_PREFIX;
    for (size_t length = 0; length < prefixes; length++)
        run_exact(buffer, length);
    run_exact(buffer, size);
    return prefixes + 1;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS-DIRECTORY\n", argv[0]);
        return 2;
    }
    DIR *directory = opendir(argv[1]);
    unsigned char *buffer = malloc(LARGEST_FILE);
    if (directory == NULL || buffer == NULL) {
        perror(argv[1]);
        return 1;
    }
    size_t files = 0, runs = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        runs += run_file(path, buffer);
        files++;
    }
    closedir(directory);
    free(buffer);
    printf("%zu files, %zu inputs\n", files, runs);
    return files > 0 ? 0 : 1; /* an empty corpus tests nothing */
}
