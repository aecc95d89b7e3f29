/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over files without libFuzzer: every file, and every prefix of it up to a
 * limit. Each input is copied into a block of its exact size, so that a sanitizer detects a read
 * after its end.
 *
 *     fuzz_NAME PATH...                 files, and folders with files
 *     fuzz_NAME --mutants N PATH...     also N mutants of each file, made by the target's mutator
 *     fuzz_NAME --share N PATH...       runs no inputs; makes N mutants of each accepted file and
 *                                       prints the share of them that is accepted, for the target's
 *                                       mutator and for one that changes single bytes
 *
 * Files of paths after --whole are run without their prefixes.
 *
 * With FUZZ_MUTATED the target defines a mutator and fuzz_accepts (mutate.h).
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mutate.h"

enum {
    LARGEST_FILE = 1 << 20,
    LONGEST_PREFIX = 4096,
    MOST_GROWTH = 4096 /* bytes by which a mutant may be longer than its file */
};

typedef struct driver {
    unsigned char *buffer;
    size_t files, runs;
    size_t mutants; /* number of mutants for each file */
    bool is_share, is_whole;
    /* Accepted files; accepted mutants of them by the target's mutator, and by that of bytes; mutants made
     * by each of the two. */
    size_t accepted[3], made;
} driver;

static fuzz_random bytes_random;

/* Changes, removes or inserts a few bytes, like libFuzzer, but without its feedback from coverage. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    fuzz_bytes bytes = {.data = data, .size = size, .most = most};
    for (uint32_t i = fuzz_below(&bytes_random, 4) + 1; i > 0; i--) {
        uint8_t byte = (uint8_t)fuzz_below(&bytes_random, 256);
        size_t at = fuzz_below(&bytes_random, bytes.size);
        size_t end = at + (bytes.size > 0 && fuzz_below(&bytes_random, 3) < 2 ? 1 : 0);
        fuzz_replace(&bytes, at, end, &byte, fuzz_below(&bytes_random, 3) > 0 ? 1 : 0);
    }
    return bytes.size;
}

static void run_exact(driver *d, const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    fuzz_require(copy != NULL);
    if (size > 0)
        memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    d->runs++;
}

#ifdef FUZZ_MUTATED
static void mutate(driver *d, size_t size)
{
    unsigned char *copy = malloc(size + MOST_GROWTH);
    fuzz_require(copy != NULL);
    bool is_counted = fuzz_accepts(d->buffer, size);
    d->accepted[0] += is_counted;
    for (unsigned i = 0; i < d->mutants; i++) {
        memcpy(copy, d->buffer, size);
        size_t made = LLVMFuzzerCustomMutator(copy, size, size + MOST_GROWTH, i);
        d->made += is_counted;
        d->accepted[1] += is_counted && fuzz_accepts(copy, made);
        if (!d->is_share) {
            run_exact(d, copy, made);
            continue;
        }
        memcpy(copy, d->buffer, size);
        made = LLVMFuzzerMutate(copy, size, size + MOST_GROWTH);
        d->accepted[2] += is_counted && fuzz_accepts(copy, made);
    }
    free(copy);
}
#else
static void mutate(driver *d, size_t size)
{
    (void)d;
    (void)size;
}
#endif

static void run_file(driver *d, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    size_t size = fread(d->buffer, 1, LARGEST_FILE, file);
    fclose(file);
    size_t prefixes = size < LONGEST_PREFIX ? size : LONGEST_PREFIX;
    for (size_t length = 0; length < prefixes && !d->is_share && !d->is_whole; length++)
        run_exact(d, d->buffer, length);
    if (!d->is_share)
        run_exact(d, d->buffer, size);
    mutate(d, size);
    d->files++;
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Files are run in the order of their names, so that runs can be repeated. */
static void run_path(driver *d, const char *path)
{
    struct stat found;
    struct dirent **entries;
    if (stat(path, &found) != 0) {
        perror(path);
        exit(1);
    }
    if (!S_ISDIR(found.st_mode)) {
        run_file(d, path);
        return;
    }
    int count = scandir(path, &entries, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        run_file(d, name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void print_summary(const driver *d)
{
    printf("%zu files, %zu inputs\n", d->files, d->runs);
    if (d->made == 0)
        return;
    printf("accepted: %zu files, and %zu of %zu mutants of them (%.0f %%)\n", d->accepted[0],
           d->accepted[1], d->made, 100 * (double)d->accepted[1] / (double)d->made);
    if (d->is_share)
        printf("of mutants of bytes: %zu of %zu (%.0f %%)\n", d->accepted[2], d->made,
               100 * (double)d->accepted[2] / (double)d->made);
}

int main(int argc, char **argv)
{
    driver d = {.buffer = malloc(LARGEST_FILE)};
    int at = 1;
    fuzz_require(d.buffer != NULL);
    d.is_share = argc > 3 && strcmp(argv[1], "--share") == 0;
    if (d.is_share || (argc > 3 && strcmp(argv[1], "--mutants") == 0)) {
        d.mutants = strtoul(argv[2], NULL, 10);
        at = 3;
    }
    if (at >= argc) {
        fprintf(stderr, "usage: %s [--mutants N | --share N] PATH...\n", argv[0]);
        return 2;
    }
    for (; at < argc; at++) {
        d.is_whole |= strcmp(argv[at], "--whole") == 0;
        if (strcmp(argv[at], "--whole") != 0)
            run_path(&d, argv[at]);
    }
    free(d.buffer);
    print_summary(&d);
    /* A run without files, or with too few accepted mutants, tests too little, and fails. */
    return d.files > 0 && (d.is_share || d.accepted[1] >= d.made / 3) ? 0 : 1;
}
