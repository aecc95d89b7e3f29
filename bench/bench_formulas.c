/* SPDX-License-Identifier: MIT */
/*
 * Sizes of translated automata: for each formula its states (except a rejecting sink), edges and marks,
 * deterministic with any condition and with a parity condition, relative to a reference, and the time of
 * the translation. Then the growth of the time with the size of formulas.
 *
 *     bench_formulas [FILE.tsv]
 *
 * The file has the columns set, index, formula, deterministic_states, deterministic_edges,
 * deterministic_sets, parity_states, parity_edges and a header line. Without a file, or if it does not
 * exist, only our own formulas are measured.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/automaton.h>
#include <omegapac/formula.h>

#include "bench.h"

enum {
    COLUMNS = 8
};

typedef struct measured {
    uint32_t states, marks;
    uint64_t edges;
    double milliseconds;
} measured;

static void fail(const char *formula, const opac_error *error)
{
    fprintf(stderr, "%s: %s\n", formula, error->message);
    exit(EXIT_FAILURE);
}

static measured measure(const char *text, opac_acceptance acceptance)
{
    opac_automaton_options options = {.acceptance = acceptance};
    opac_formula *formula = NULL;
    opac_automaton *automaton = NULL;
    opac_error error;
    measured result;
    double start = bench_cpu_seconds();
    if (opac_formula_parse(text, NULL, &formula, &error) != OPAC_OK ||
        opac_automaton_translate(formula, &options, &automaton, &error) != OPAC_OK)
        fail(text, &error);
    result.milliseconds = 1e3 * (bench_cpu_seconds() - start);
    if (opac_automaton_live_states(automaton, &result.states, &error) != OPAC_OK)
        fail(text, &error);
    /* The empty language has a state of which none is live; it counts. */
    result.states = result.states > 0 ? result.states : 1;
    result.edges = opac_automaton_edges(automaton);
    result.marks = opac_automaton_marks(automaton);
    opac_automaton_free(automaton);
    opac_formula_free(formula);
    return result;
}

/* ---- published formulas ---- */

typedef struct sums {
    char set[32];
    unsigned long ours[2], reference[2]; /* any condition, parity */
    double milliseconds;
} sums;

static void print_sums(const sums *s)
{
    printf("  %-4s %4lu states (reference %lu), parity %4lu (reference %lu), %.1f ms\n\n", s->set,
           s->ours[0], s->reference[0], s->ours[1], s->reference[1], s->milliseconds);
}

/* Cuts a line at its tabs. */
static int split(char *line, char **fields)
{
    int count = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *field = line; field != NULL && count < COLUMNS; count++) {
        fields[count] = field;
        field = strchr(field, '\t');
        if (field != NULL)
            *field++ = '\0';
    }
    return count;
}

static void measure_line(char **fields, sums *s)
{
    measured any = measure(fields[2], OPAC_ACCEPTANCE_ANY);
    measured parity = measure(fields[2], OPAC_ACCEPTANCE_PARITY);
    unsigned long reference = strtoul(fields[3], NULL, 10), with = strtoul(fields[6], NULL, 10);
    if (strcmp(s->set, fields[0]) != 0) {
        if (s->set[0] != '\0')
            print_sums(s);
        *s = (sums){0};
        snprintf(s->set, sizeof s->set, "%.31s", fields[0]);
    }
    printf("  %-4s %3s  %3u (%3lu) %4" PRIu64 " (%3s) %2u (%s)   parity %3u (%3lu) %4" PRIu64
           " (%3s)  %6.2f ms  %s\n",
           fields[0], fields[1], any.states, reference, any.edges, fields[4], any.marks, fields[5],
           parity.states, with, parity.edges, fields[7], any.milliseconds + parity.milliseconds,
           fields[2]);
    s->ours[0] += any.states;
    s->ours[1] += parity.states;
    s->reference[0] += reference;
    s->reference[1] += with;
    s->milliseconds += any.milliseconds + parity.milliseconds;
}

static void measure_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[4096], *fields[COLUMNS];
    sums s = {0};
    if (file == NULL) {
        printf("  (no table of published sizes at %s)\n", path);
        return;
    }
    printf("  states (reference) edges (reference) marks (reference), the same with parity, "
           "CPU time of both\n");
    while (fgets(line, sizeof line, file) != NULL)
        if (split(line, fields) == COLUMNS && strcmp(fields[0], "set") != 0)
            measure_line(fields, &s);
    print_sums(&s);
    fclose(file);
}

/* ---- growth ---- */

static char *join_many(unsigned count, const char *pattern)
{
    size_t size = 64 * (size_t)count + 1, used = 0;
    char *text = malloc(size);
    if (text == NULL)
        exit(EXIT_FAILURE);
    text[0] = '\0';
    for (unsigned i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s", i > 0 ? " & " : "");
        used += (size_t)snprintf(text + used, size - used, pattern, i, i); // NOLINT
    }
    return text;
}

static double cost_of(unsigned count, const char *pattern, opac_acceptance acceptance)
{
    char *text = join_many(count, pattern);
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        measured one = measure(text, acceptance);
        best = one.milliseconds < best ? one.milliseconds : best;
    }
    free(text);
    return best;
}

static void measure_growth(void)
{
    static const char recurrence[] = "G F a%u", pair[] = "(G F a%u -> G F b%u)",
                      response[] = "G (a%u -> F b%u)";
    bench_ratio("20 recurrences GF a", "5 of them", cost_of(20, recurrence, OPAC_ACCEPTANCE_ANY),
                cost_of(5, recurrence, OPAC_ACCEPTANCE_ANY));
    bench_ratio("6 pairs GF a -> GF b", "3 of them", cost_of(6, pair, OPAC_ACCEPTANCE_ANY),
                cost_of(3, pair, OPAC_ACCEPTANCE_ANY));
    bench_ratio("4 pairs as parity", "any condition", cost_of(4, pair, OPAC_ACCEPTANCE_PARITY),
                cost_of(4, pair, OPAC_ACCEPTANCE_ANY));
    bench_ratio("5 responses G (a -> F b), 32 states", "4 of them",
                cost_of(5, response, OPAC_ACCEPTANCE_ANY),
                cost_of(4, response, OPAC_ACCEPTANCE_ANY));
}

int main(int count, char **words)
{
    measure_file(count > 1 ? words[1] : "../shared/data/formulas/published-patterns.tsv");
    measure_growth();
    return EXIT_SUCCESS;
}
