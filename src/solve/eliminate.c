/* SPDX-License-Identifier: MIT */
/*
 * Rows are lists of entries, columns are lists of the rows with an entry:
 *
 *     row_head[i] ─► entry(column, rate) ─► …      rows of eliminated nodes stay as they were
 *     column_head[j] ─► link(row) ─► …             eliminated rows are skipped
 *
 * Buckets hold the nodes by the product of the lengths of their row and column. A node whose product has
 * grown moves to a higher bucket when its turn comes.
 */
#include "solve/eliminate.h"

#include <math.h>

#define TOO_SMALL                                                                                  \
    1e-280 /* smaller products may be subnormal, without a bound on their relative error */

enum {
    MOST_ENTRIES = 1 << 24, /* entries at the same time, 24 bytes each */
    NODE_ENTRIES = 128,     /* entries per node, on average */
    POLL_WORK = 1 << 20,    /* work between two polls of `cancel` */
    DENSE_MOST = 4096,      /* nodes of a dense matrix, which has 8 bytes for each pair of them */
    DENSE_SHARE = 8,    /* a row is dense if it has an entry for one in this many remaining nodes */
    DENSE_GAIN = 16,    /* ratio of the costs of a sparse and a dense step */
    EXACT_BUCKETS = 64, /* a power of 2 */
    BUCKETS = EXACT_BUCKETS + 4 * 64
};

typedef struct entry {
    double rate;
    uint32_t column, next;
} entry;

typedef struct link {
    uint32_t row, next;
} link;

/* The remaining nodes, as a dense matrix. */
typedef struct dense {
    uint32_t size;
    uint32_t *node; /* by row */
    double *rate;   /* by row and column; the diagonal is unused */
} dense;

typedef struct chain {
    uint32_t size;
    entry *entries;
    link *links;
    uint32_t count, capacity; /* of entries, and of links */
    uint32_t free;            /* first of the unused entries, which are linked by `next` */
    uint32_t *row_head, *column_head, *row_length, *column_length;
    uint32_t *position;  /* by column: the entry of the current row; GRAPH_NONE: none */
    uint32_t *order;     /* eliminated nodes, in order of elimination */
    uint32_t eliminated; /* number of eliminated nodes */
    bool *is_eliminated;
    double *exit, *low, *high, *sum;
    uint32_t bucket[BUCKETS]; /* first node of each bucket; GRAPH_NONE: empty */
    uint32_t *next_in_bucket; /* by node */
    double roundings;
    uint64_t work, work_limit, polled;
    const opac_cancel *cancel;
    bool closed_is_lost, failed;
    double too_small; /* the elimination fails at smaller products */
    dense rest;
} chain;

static opac_status take_chain(chain *x, const solve_block *block, uint64_t edges,
                              graph_workspace *workspace, opac_error *error)
{
    size_t n = x->size = block->end - block->begin;
    uint64_t most = (uint64_t)n * NODE_ENTRIES;
    most = most < x->work_limit ? most : x->work_limit;
    most = edges + (most < MOST_ENTRIES ? most : MOST_ENTRIES);
    x->capacity = (uint32_t)(most < GRAPH_LARGEST ? most : GRAPH_LARGEST);
    x->free = GRAPH_NONE;
    x->entries = graph_take(workspace, x->capacity, sizeof *x->entries);
    x->links = graph_take(workspace, x->capacity, sizeof *x->links);
    uint32_t *numbers = graph_take(workspace, 7 * n, sizeof *numbers);
    x->is_eliminated = graph_take(workspace, n, sizeof *x->is_eliminated);
    x->exit = graph_take(workspace, 2 * n, sizeof *x->exit);
    if (x->entries == NULL || x->links == NULL || numbers == NULL || x->is_eliminated == NULL ||
        x->exit == NULL)
        return base_fail_memory(error);
    x->row_head = numbers;
    x->column_head = numbers + n;
    x->row_length = numbers + 2 * n;
    x->column_length = numbers + 3 * n;
    x->position = numbers + 4 * n;
    x->order = numbers + 5 * n;
    x->next_in_bucket = numbers + 6 * n;
    x->sum = x->exit + n;
    for (uint32_t i = 0; i < n; i++) {
        x->row_head[i] = x->column_head[i] = x->position[i] = GRAPH_NONE;
        x->row_length[i] = x->column_length[i] = 0;
        x->is_eliminated[i] = false;
    }
    return OPAC_OK;
}

static void add_entry(chain *x, uint32_t row, uint32_t column, double rate)
{
    uint32_t i = x->free;
    if (i != GRAPH_NONE) {
        x->free = x->entries[i].next;
    } else if (x->count < x->capacity) {
        i = x->count++;
    } else {
        x->failed = true;
        return;
    }
    x->entries[i] = (entry){.rate = rate, .column = column, .next = x->row_head[row]};
    x->links[i] = (link){.row = row, .next = x->column_head[column]};
    x->row_head[row] = x->column_head[column] = i;
    x->row_length[row]++;
    x->column_length[column]++;
}

static void set_reward(chain *x, uint32_t i, double low, double high)
{
    x->low[i] = low < SOLVE_TINY ? 0 : low;
    x->high[i] = high > 0 && high < TOO_SMALL ? TOO_SMALL : high;
}

/* Fills the rows with the chain of the policy, without loops. */
static void fill_chain(chain *x, const solve_elimination *in)
{
    const solve_block *block = in->block;
    const solve_quotient *q = block->quotient;
    for (uint32_t i = 0; i < x->size; i++) {
        uint32_t c = in->policy[i], node = block->begin + i;
        double out = q->gain[c] + q->loss[c], low = q->gain[c], high = low;
        for (uint32_t e = q->edge_begin[c]; e < q->edge_begin[c + 1]; e++) {
            uint32_t target = q->target[e];
            if (target < block->begin) {
                out += q->prob[e];
                low += q->prob[e] * in->lower[target];
                high += q->prob[e] * in->upper[target];
            } else if (target != node) {
                add_entry(x, i, target - block->begin, q->prob[e]);
            }
        }
        x->exit[i] = out;
        if (in->visits != NULL) {
            low = in->visits->low != NULL ? in->visits->low[i] : low;
            high = in->visits->high[i];
        }
        set_reward(x, i, low, high);
    }
}

/*
 * The bucket for the product of predecessors and successors. Large products are rounded down to their three
 * leading bits.
 */
static uint32_t bucket_of(const chain *x, uint32_t node)
{
    uint64_t product = (uint64_t)x->row_length[node] * x->column_length[node];
    uint32_t bits = 0;
    for (; product >= EXACT_BUCKETS; product >>= 1)
        bits++;
    return bits == 0
               ? (uint32_t)product
               : EXACT_BUCKETS + 4 * (bits - 1) + (uint32_t)(product / (EXACT_BUCKETS / 8)) % 4;
}

static void add_to_bucket(chain *x, uint32_t node, uint32_t bucket)
{
    x->next_in_bucket[node] = x->bucket[bucket];
    x->bucket[bucket] = node;
}

/* Records the positions of the entries of a row; frees the entry in column k and returns its rate. */
static double scatter_row(chain *x, uint32_t row, uint32_t k)
{
    double rate = 0;
    for (uint32_t *at = &x->row_head[row]; *at != GRAPH_NONE;) {
        entry *e = &x->entries[*at];
        if (e->column == k) {
            uint32_t unused = *at;
            rate = e->rate;
            *at = e->next;
            e->next = x->free;
            x->free = unused;
            x->row_length[row]--;
            continue;
        }
        x->position[e->column] = *at;
        at = &e->next;
        x->work++;
    }
    return rate;
}

static void clear_positions(chain *x, uint32_t row)
{
    for (uint32_t i = x->row_head[row]; i != GRAPH_NONE; i = x->entries[i].next)
        x->position[x->entries[i].column] = GRAPH_NONE;
}

/* A product that fails the elimination if it is too small. */
static double multiply(chain *x, double share, double amount)
{
    double product = share * amount;
    if (product < x->too_small && amount > 0)
        x->failed = true;
    return product;
}

/* Replaces the edge from a row to k by edges to the successors of k. */
static void bypass(chain *x, uint32_t row, uint32_t k)
{
    double share = scatter_row(x, row, k) / x->sum[k];
    for (uint32_t i = x->row_head[k]; i != GRAPH_NONE && !x->failed; i = x->entries[i].next) {
        uint32_t column = x->entries[i].column;
        x->work++;
        if (column == row)
            continue;
        double rate = multiply(x, share, x->entries[i].rate);
        if (x->position[column] != GRAPH_NONE)
            x->entries[x->position[column]].rate += rate;
        else
            add_entry(x, row, column, rate);
    }
    x->exit[row] += multiply(x, share, x->exit[k]);
    x->low[row] += multiply(x, share, x->low[k]);
    x->high[row] += multiply(x, share, x->high[k]);
    clear_positions(x, row);
}

/* Returns the total rate out of node k, which is `sum` unless the node is closed. */
static double close_node(chain *x, uint32_t k, double sum)
{
    if (sum > 0 || !x->closed_is_lost)
        return sum;
    x->low[k] = x->high[k] = 0;
    return x->exit[k] = 1;
}

static void eliminate(chain *x, uint32_t k)
{
    double sum = x->exit[k];
    for (uint32_t i = x->row_head[k]; i != GRAPH_NONE; i = x->entries[i].next) {
        sum += x->entries[i].rate;
        x->column_length[x->entries[i].column]--;
    }
    x->sum[k] = sum = close_node(x, k, sum);
    x->roundings += (2.0 * (x->size - x->eliminated) + 4) * (x->row_length[k] + 7.0);
    x->is_eliminated[k] = true;
    x->order[x->eliminated++] = k;
    for (uint32_t i = x->column_head[k], next; i != GRAPH_NONE && !x->failed; i = next) {
        next = x->links[i].next; /* read first, because bypass may reuse the entry */
        if (!x->is_eliminated[x->links[i].row])
            bypass(x, x->links[i].row, k);
    }
    x->failed = x->failed || !(sum > 0) || x->work > x->work_limit;
    if (x->work - x->polled >= POLL_WORK) {
        x->polled = x->work;
        x->failed = x->failed || opac_cancel_requested(x->cancel);
    }
}

/* Whether the remaining nodes should be stored as a matrix; `node` is the next to eliminate. */
static bool is_dense(const chain *x, uint32_t node)
{
    uint32_t left = x->size - x->eliminated;
    return left <= DENSE_MOST && (uint64_t)x->row_length[node] * DENSE_SHARE >= left;
}

/* Eliminates nodes until the rest is dense. Nodes move to higher buckets only, so one pass suffices. */
static void eliminate_sparse(chain *x)
{
    for (uint32_t b = 0; b < BUCKETS; b++)
        x->bucket[b] = GRAPH_NONE;
    for (uint32_t i = x->size; i-- > 0;)
        add_to_bucket(x, i, bucket_of(x, i));
    for (uint32_t b = 0; b < BUCKETS && !x->failed;) {
        uint32_t node = x->bucket[b];
        if (node == GRAPH_NONE) {
            b++;
            continue;
        }
        x->bucket[b] = x->next_in_bucket[node];
        uint32_t now = bucket_of(x, node);
        if (now > b)
            add_to_bucket(x, node, now);
        else if (is_dense(x, node))
            return;
        else
            eliminate(x, node);
    }
}

static opac_status fill_rest(chain *x, graph_workspace *workspace, opac_error *error)
{
    dense *d = &x->rest;
    size_t n = d->size = x->size - x->eliminated;
    d->node = graph_take_u32(workspace, n);
    d->rate = graph_take(workspace, n * n, sizeof *d->rate);
    if (d->node == NULL || d->rate == NULL)
        return base_fail_memory(error);
    uint32_t row = 0;
    for (uint32_t i = 0; i < x->size; i++)
        if (!x->is_eliminated[i]) {
            x->position[i] = row;
            d->node[row++] = i;
        }
    for (size_t i = 0; i < n * n; i++)
        d->rate[i] = 0;
    for (row = 0; row < n; row++)
        for (uint32_t i = x->row_head[d->node[row]]; i != GRAPH_NONE; i = x->entries[i].next)
            d->rate[row * n + x->position[x->entries[i].column]] = x->entries[i].rate;
    return OPAC_OK;
}

static double least_positive(double a, double b)
{
    return b > 0 && b < a ? b : a;
}

/* Eliminates row k of the matrix from the rows after it. */
static void eliminate_dense(chain *x, uint32_t k)
{
    dense *d = &x->rest;
    uint32_t n = d->size, node = d->node[k];
    const double *from = d->rate + (size_t)k * n;
    double sum = x->exit[node], least = HUGE_VAL;
    for (uint32_t j = k + 1; j < n; j++) {
        sum += from[j];
        least = least_positive(least, from[j]);
    }
    sum = close_node(x, node, sum);
    least = least_positive(least, x->exit[node]);
    least = least_positive(least_positive(least, x->low[node]), x->high[node]);
    x->sum[node] = sum;
    x->roundings += (2.0 * (n - k) + 4) * (n - k + 7.0);
    x->failed = x->failed || !(sum > 0);
    for (uint32_t i = k + 1; i < n && !x->failed; i++) {
        double *to = d->rate + (size_t)i * n, share = to[k] / sum;
        if (!(share > 0))
            continue;
        x->failed = share * least < x->too_small;
        for (uint32_t j = k + 1; j < n; j++)
            to[j] += share * from[j];
        x->exit[d->node[i]] += share * x->exit[node];
        x->low[d->node[i]] += share * x->low[node];
        x->high[d->node[i]] += share * x->high[node];
    }
}

static void substitute_dense(chain *x)
{
    const dense *d = &x->rest;
    for (uint32_t k = d->size; k-- > 0;) {
        uint32_t node = d->node[k];
        const double *from = d->rate + (size_t)k * d->size;
        double low = x->low[node], high = x->high[node];
        for (uint32_t j = k + 1; j < d->size; j++) {
            if (!(from[j] > 0))
                continue;
            low += multiply(x, from[j], x->low[d->node[j]]);
            high += multiply(x, from[j], x->high[d->node[j]]);
        }
        x->low[node] = low / x->sum[node];
        x->high[node] = high / x->sum[node];
    }
}

/* Solves for the nodes that eliminate_sparse left. */
static opac_status solve_rest(chain *x, graph_workspace *workspace, opac_error *error)
{
    uint64_t n = x->size - x->eliminated, cost = n * n * n / 3 / DENSE_GAIN;
    x->failed = x->failed || x->work + cost > x->work_limit;
    if (x->failed || n == 0)
        return OPAC_OK;
    x->work += cost;
    TRY(fill_rest(x, workspace, error));
    for (uint32_t k = 0; k < n && !x->failed; k++) {
        eliminate_dense(x, k);
        x->failed = x->failed || (k % 16 == 0 && opac_cancel_requested(x->cancel));
    }
    if (!x->failed)
        substitute_dense(x);
    return OPAC_OK;
}

static void substitute_sparse(chain *x)
{
    for (uint32_t at = x->eliminated; at-- > 0;) {
        uint32_t k = x->order[at];
        double low = x->low[k], high = x->high[k];
        for (uint32_t i = x->row_head[k]; i != GRAPH_NONE; i = x->entries[i].next) {
            low += multiply(x, x->entries[i].rate, x->low[x->entries[i].column]);
            high += multiply(x, x->entries[i].rate, x->high[x->entries[i].column]);
        }
        x->low[k] = low / x->sum[k];
        x->high[k] = high / x->sum[k];
    }
}

opac_status solve_eliminate(const solve_elimination *elimination, graph_workspace *workspace,
                            solve_evaluation *evaluation, opac_error *error)
{
    const solve_block *block = elimination->block;
    chain x = {
        .low = evaluation->low,
        .high = evaluation->high,
        .work_limit = elimination->work_limit,
        .cancel = elimination->cancel,
        .closed_is_lost = elimination->closed_is_lost,
        .too_small = elimination->allow_underflow ? 0 : TOO_SMALL,
    };
    uint64_t edges = 0;
    for (uint32_t i = 0; i < block->end - block->begin; i++)
        edges += solve_choice_edges(block->quotient, elimination->policy[i]);
    graph_place place = graph_workspace_mark(workspace);
    opac_status status = take_chain(&x, block, edges, workspace, error);
    if (status == OPAC_OK) {
        fill_chain(&x, elimination);
        eliminate_sparse(&x);
        status = solve_rest(&x, workspace, error);
        if (status == OPAC_OK && !x.failed)
            substitute_sparse(&x);
    }
    double first_order = 0x1p-53 * x.roundings + 2.0 * x.size * block->margin;
    evaluation->error = first_order < 0.01 ? 1.02 * first_order : HUGE_VAL;
    evaluation->work = x.work + x.size + edges;
    evaluation->done = status == OPAC_OK && !x.failed;
    graph_workspace_release(workspace, place);
    return status;
}
