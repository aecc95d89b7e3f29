/* SPDX-License-Identifier: MIT */
/* Compares distributions in a normal form: sorted by target, with each target once. */
#include "solve/distinct.h"

#include <stdlib.h>

typedef struct part {
    uint32_t target;
    double prob;
} part;

typedef struct sorted {
    const graph_process *process;
    part *parts;     /* those of choice c begin at edge_begin[c] */
    uint32_t *count; /* by choice: number of parts */
} sorted;

static int compare(const void *a, const void *b)
{
    const part *left = a, *right = b;
    if (left->target != right->target)
        return left->target < right->target ? -1 : 1;
    return (left->prob > right->prob) - (left->prob < right->prob);
}

static void sort_choice(sorted *s, uint32_t choice)
{
    uint32_t begin = s->process->edge_begin[choice], end = s->process->edge_begin[choice + 1];
    part *parts = s->parts + begin;
    uint32_t count = 0;
    for (uint32_t e = begin; e < end; e++)
        parts[e - begin] = (part){s->process->target[e], s->process->prob[e]};
    qsort(parts, end - begin, sizeof *parts, compare);
    for (uint32_t i = 0; i < end - begin; i++) {
        if (count > 0 && parts[count - 1].target == parts[i].target)
            parts[count - 1].prob += parts[i].prob;
        else
            parts[count++] = parts[i];
    }
    s->count[choice] = count;
}

static bool are_equal(const sorted *s, uint32_t a, uint32_t b)
{
    const part *left = s->parts + s->process->edge_begin[a];
    const part *right = s->parts + s->process->edge_begin[b];
    if (s->count[a] != s->count[b])
        return false;
    for (uint32_t i = 0; i < s->count[a]; i++)
        if (left[i].target != right[i].target || left[i].prob != right[i].prob)
            return false;
    return true;
}

static opac_status add_state(const sorted *s, uint32_t state, solve_distinct *distinct,
                             opac_error *error)
{
    uint32_t begin = s->process->choice_begin[state], end = s->process->choice_begin[state + 1];
    size_t first = distinct->choice.count;
    if (begin == end)
        TRY(base_u32_vec_push(&distinct->choice, GRAPH_NONE, error));
    for (uint32_t c = begin; c < end; c++) {
        size_t i = first;
        while (i < distinct->choice.count && !are_equal(s, distinct->choice.items[i], c))
            i++;
        if (i == distinct->choice.count)
            TRY(base_u32_vec_push(&distinct->choice, c, error));
        TRY(base_u32_vec_push(&distinct->index, (uint32_t)(i - first), error));
    }
    return base_u32_vec_push(&distinct->begin, (uint32_t)distinct->choice.count, error);
}

opac_status solve_distinct_find(const graph_process *process, base_work *work,
                                solve_distinct *distinct, opac_error *error)
{
    sorted s = {.process = process};
    opac_status status = OPAC_OK;
    TRY(base_u32_vec_push(&distinct->begin, 0, error));
    s.parts = base_alloc(process->edge_count, sizeof *s.parts);
    s.count = base_alloc(process->choice_count, sizeof *s.count);
    if (s.parts == NULL || s.count == NULL)
        TRY_OR(done, base_fail_memory(error));
    for (uint32_t i = 0; i < process->state_count; i++) {
        if (base_work_spend(work, 4 * (1 + graph_state_edges(process, i))))
            TRY_OR(done, base_work_fail(work, "comparing choices", error));
        for (uint32_t c = process->choice_begin[i]; c < process->choice_begin[i + 1]; c++)
            sort_choice(&s, c);
        TRY_OR(done, add_state(&s, i, distinct, error));
    }
done:
    base_free(s.parts);
    base_free(s.count);
    return status;
}

void solve_distinct_fini(solve_distinct *distinct)
{
    base_u32_vec_fini(&distinct->begin);
    base_u32_vec_fini(&distinct->choice);
    base_u32_vec_fini(&distinct->index);
}
