/* SPDX-License-Identifier: MIT */
#include "aut/fingerprint.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

enum {
    LOOPS = 16,   /* number of words v */
    PREFIXES = 4, /* number of words u for each v */
    LONGEST_LOOP = 4
};

typedef struct evaluation {
    const aut_table *table;
    uint64_t random;
    uint32_t *next;    /* by state: its successor after v */
    uint64_t *marks;   /* by state: the marks seen while reading v */
    uint32_t *visited; /* by state: 1 + the start of the first walk that visited it, or 0 */
    uint8_t *accepts;  /* by state: whether v^ω is accepted; UINT8_MAX if not known yet */
} evaluation;

/* The next number of a fixed pseudorandom sequence, the same for all tables. */
static uint32_t next_random(evaluation *run, uint32_t bound)
{
    run->random++;
    return (uint32_t)(base_hash_word(run->random) % bound);
}

static void read_letter(evaluation *run, uint32_t class)
{
    const aut_table *table = run->table;
    for (uint32_t state = 0; state < table->states; state++) {
        if (run->next[state] == AUT_NO_STATE)
            continue;
        size_t cell = (size_t)run->next[state] * table->classes + class;
        run->marks[state] |= table->marks[cell];
        run->next[state] = table->target[cell];
    }
}

/* Follows `next` from a state to a state that was visited before, and evaluates the condition on the cycle if
 * it is a new one. */
static void walk_from(evaluation *run, const aut_condition *condition, uint32_t start,
                      uint32_t walk)
{
    uint32_t state = start;
    bool accepts = false;
    while (state != AUT_NO_STATE && run->visited[state] == 0) {
        run->visited[state] = walk;
        state = run->next[state];
    }
    if (state != AUT_NO_STATE && run->visited[state] == walk) {
        uint64_t seen = 0;
        uint32_t first = state;
        do {
            seen |= run->marks[state];
            state = run->next[state];
        } while (state != first);
        accepts = aut_condition_holds(condition, seen);
    } else if (state != AUT_NO_STATE) {
        accepts = run->accepts[state];
    }
    for (state = start;
         state != AUT_NO_STATE && run->visited[state] == walk && run->accepts[state] == UINT8_MAX;
         state = run->next[state])
        run->accepts[state] = accepts;
}

static void evaluate_loop(evaluation *run, const aut_condition *condition)
{
    uint32_t states = run->table->states, length = 1 + next_random(run, LONGEST_LOOP);
    for (uint32_t state = 0; state < states; state++) {
        run->next[state] = state;
        run->marks[state] = 0;
    }
    for (uint32_t i = 0; i < length; i++)
        read_letter(run, next_random(run, run->table->classes));
    memset(run->visited, 0, states * sizeof *run->visited);
    memset(run->accepts, UINT8_MAX, states);
    for (uint32_t state = 0; state < states; state++)
        if (run->visited[state] == 0)
            walk_from(run, condition, state, state + 1);
}

static void add_prefix(evaluation *run, uint32_t length, unsigned bit, uint64_t *fingerprint)
{
    const aut_table *table = run->table;
    uint32_t letters[PREFIXES] = {0};
    for (uint32_t i = 0; i < length; i++)
        letters[i] = next_random(run, table->classes);
    for (uint32_t state = 0; state < table->states; state++) {
        uint32_t at = state;
        for (uint32_t i = 0; i < length && at != AUT_NO_STATE; i++)
            at = table->target[(size_t)at * table->classes + letters[i]];
        if (at != AUT_NO_STATE && run->accepts[at])
            fingerprint[state] |= UINT64_C(1) << bit;
    }
}

opac_status aut_fingerprints(const aut_table *table, const aut_condition *condition,
                             uint64_t *fingerprint, opac_error *error)
{
    evaluation run = {.table = table};
    opac_status status = OPAC_OK;
    run.next = base_alloc(table->states, sizeof *run.next);
    run.marks = base_alloc(table->states, sizeof *run.marks);
    run.visited = base_alloc(table->states, sizeof *run.visited);
    run.accepts = base_alloc(table->states, 1);
    if (run.next == NULL || run.marks == NULL || run.visited == NULL || run.accepts == NULL) {
        status = base_fail_memory(error);
        goto done;
    }
    memset(fingerprint, 0, table->states * sizeof *fingerprint);
    for (unsigned loop = 0; loop < LOOPS; loop++) {
        evaluate_loop(&run, condition);
        for (unsigned prefix = 0; prefix < PREFIXES; prefix++)
            add_prefix(&run, prefix, loop * PREFIXES + prefix, fingerprint);
    }
done:
    base_free(run.next);
    base_free(run.marks);
    base_free(run.visited);
    base_free(run.accepts);
    return status;
}
