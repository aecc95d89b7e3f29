/* SPDX-License-Identifier: MIT */
/*
 * Rows are lists of entries, columns lists of who has an entry there:
 *
 *     row_head[i] ─► entry(column, rate) ─► …      of nodes that are out: as they were then
 *     column_head[j] ─► link(row) ─► …             rows that are out are skipped
 *
 * Buckets hold nodes by the product of the lengths of both; a node whose product has
 * grown since moves on when its turn comes.
 */
#include "solve/eliminate.h"

#include <math.h>

#define TOO_SMALL 1e-280 /* of a product: relative errors hold well above the subnormal numbers */

enum {
    MOST_ENTRIES = 1 << 24, /* that are there at a time, at most: 24 bytes each */
    NODE_ENTRIES = 128,     /* for each node, at most */
    POLL_WORK = 1 << 20,    /* between two looks at `cancel` */
    DENSE_MOST = 4096,      /* nodes of a dense rest: 8 bytes for each two of them */
    DENSE_SHARE = 8,        /* dense: rows hold one in so many of the nodes that are left */
    DENSE_GAIN = 16,        /* by which a step there costs less */
    EXACT_BUCKETS = 64,     /* a power of 2 */
    BUCKETS = EXACT_BUCKETS + 4 * 64
};

typedef struct entry {
    double rate;
    uint32_t column, next;
} entry;

typedef struct link {
    uint32_t row, next;
} link;

/* The nodes that are left when most of them lead to most others, as a matrix. */
typedef struct dense {
    uint32_t size;
    uint32_t *node; /* by row */
    double *rate;   /* by row and column; the diagonal means nothing */
} dense;

typedef struct chain {
    uint32_t size;
    entry *entries;
    link *links;
    uint32_t count, room; /* of entries, and of links */
    uint32_t free;        /* the first entry that is not in use any more, by `next` */
    uint32_t *row_head, *column_head, *row_length, *column_length;
    uint32_t *place; /* by column: the entry of the row in hand, GRAPH_NONE: none */
    uint32_t *order; /* nodes that are out, in their order */
    uint32_t out;
    bool *is_out;
    double *exit, *low, *high, *sum;
    uint32_t bucket[BUCKETS]; /* the first node of each, GRAPH_NONE: none */
    uint32_t *behind;         /* by node: the next in its bucket */
    double roundings;
    uint64_t work, work_limit, polled;
    const opac_cancel *cancel;
    bool closed_is_lost, failed;
    double too_small; /* products below it are reason to give up */
    dense rest;
} chain;

static opac_status take_chain(chain *x, const solve_block *block, uint64_t edges,
                              graph_workspace *workspace, opac_error *error)
{
    size_t n = x->size = block->end - block->begin;
    uint64_t room = (uint64_t)n * NODE_ENTRIES;
    room = room < x->work_limit ? room : x->work_limit;
    room = edges + (room < MOST_ENTRIES ? room : MOST_ENTRIES);
    x->room = (uint32_t)(room < GRAPH_LARGEST ? room : GRAPH_LARGEST);
    x->free = GRAPH_NONE;
    x->entries = graph_take(workspace, x->room, sizeof *x->entries);
    x->links = graph_take(workspace, x->room, sizeof *x->links);
    uint32_t *numbers = graph_take(workspace, 7 * n, sizeof *numbers);
    x->is_out = graph_take(workspace, n, sizeof *x->is_out);
    x->exit = graph_take(workspace, 2 * n, sizeof *x->exit);
    if (x->entries == NULL || x->links == NULL || numbers == NULL || x->is_out == NULL ||
        x->exit == NULL)
        return base_fail_memory(error);
    x->row_head = numbers;
    x->column_head = numbers + n;
    x->row_length = numbers + 2 * n;
    x->column_length = numbers + 3 * n;
    x->place = numbers + 4 * n;
    x->order = numbers + 5 * n;
    x->behind = numbers + 6 * n;
    x->sum = x->exit + n;
    for (uint32_t i = 0; i < n; i++) {
        x->row_head[i] = x->column_head[i] = x->place[i] = GRAPH_NONE;
        x->row_length[i] = x->column_length[i] = 0;
        x->is_out[i] = false;
    }
    return OPAC_OK;
}

static void add_entry(chain *x, uint32_t row, uint32_t column, double rate)
{
    uint32_t i = x->free;
    if (i != GRAPH_NONE) {
        x->free = x->entries[i].next;
    } else if (x->count < x->room) {
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

/* The chain of the policy. A loop is left out. */
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

/* The product of predecessors and successors; large ones with two bits behind the first. */
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

static void put(chain *x, uint32_t node, uint32_t bucket)
{
    x->behind[node] = x->bucket[bucket];
    x->bucket[bucket] = node;
}

/* Notes where the entries of a row are; frees that for column k and returns its rate. */
static double spread_row(chain *x, uint32_t row, uint32_t k)
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
        x->place[e->column] = *at;
        at = &e->next;
        x->work++;
    }
    return rate;
}

static void clear_places(chain *x, uint32_t row)
{
    for (uint32_t i = x->row_head[row]; i != GRAPH_NONE; i = x->entries[i].next)
        x->place[x->entries[i].column] = GRAPH_NONE;
}

/* A share of something that goes through the node in hand. */
static double pass(chain *x, double share, double amount)
{
    double product = share * amount;
    if (product < x->too_small && amount > 0)
        x->failed = true;
    return product;
}

/* What went from a row to k goes on to where k goes. */
static void bypass(chain *x, uint32_t row, uint32_t k)
{
    double share = spread_row(x, row, k) / x->sum[k];
    for (uint32_t i = x->row_head[k]; i != GRAPH_NONE && !x->failed; i = x->entries[i].next) {
        uint32_t column = x->entries[i].column;
        x->work++;
        if (column == row)
            continue;
        double rate = pass(x, share, x->entries[i].rate);
        if (x->place[column] != GRAPH_NONE)
            x->entries[x->place[column]].rate += rate;
        else
            add_entry(x, row, column, rate);
    }
    x->exit[row] += pass(x, share, x->exit[k]);
    x->low[row] += pass(x, share, x->low[k]);
    x->high[row] += pass(x, share, x->high[k]);
    clear_places(x, row);
}

/* What leaves node k, given the sum of its entries and its exit. */
static double close_node(chain *x, uint32_t k, double sum)
{
    if (sum > 0 || !x->closed_is_lost)
        return sum;
    x->low[k] = x->high[k] = 0;
    return x->exit[k] = 1;
}

static void take_out(chain *x, uint32_t k)
{
    double sum = x->exit[k];
    for (uint32_t i = x->row_head[k]; i != GRAPH_NONE; i = x->entries[i].next) {
        sum += x->entries[i].rate;
        x->column_length[x->entries[i].column]--;
    }
    x->sum[k] = sum = close_node(x, k, sum);
    x->roundings += (2.0 * (x->size - x->out) + 4) * (x->row_length[k] + 7.0);
    x->is_out[k] = true;
    x->order[x->out++] = k;
    for (uint32_t i = x->column_head[k], next; i != GRAPH_NONE && !x->failed; i = next) {
        next = x->links[i].next; /* the entry may be used again at once */
        if (!x->is_out[x->links[i].row])
            bypass(x, x->links[i].row, k);
    }
    x->failed = x->failed || !(sum > 0) || x->work > x->work_limit;
    if (x->work - x->polled >= POLL_WORK) {
        x->polled = x->work;
        x->failed = x->failed || opac_cancel_requested(x->cancel);
    }
}

/* Has the rest become dense, now that this node is to be taken out? */
static bool is_dense(const chain *x, uint32_t node)
{
    uint32_t left = x->size - x->out;
    return left <= DENSE_MOST && (uint64_t)x->row_length[node] * DENSE_SHARE >= left;
}

/* A bucket that was left behind stays empty: nodes move to higher ones only. */
static void take_out_all(chain *x)
{
    for (uint32_t b = 0; b < BUCKETS; b++)
        x->bucket[b] = GRAPH_NONE;
    for (uint32_t i = x->size; i-- > 0;)
        put(x, i, bucket_of(x, i));
    for (uint32_t b = 0; b < BUCKETS && !x->failed;) {
        uint32_t node = x->bucket[b];
        if (node == GRAPH_NONE) {
            b++;
            continue;
        }
        x->bucket[b] = x->behind[node];
        uint32_t now = bucket_of(x, node);
        if (now > b)
            put(x, node, now);
        else if (is_dense(x, node))
            return;
        else
            take_out(x, node);
    }
}

static opac_status fill_rest(chain *x, graph_workspace *workspace, opac_error *error)
{
    dense *d = &x->rest;
    size_t n = d->size = x->size - x->out;
    d->node = graph_take_u32(workspace, n);
    d->rate = graph_take(workspace, n * n, sizeof *d->rate);
    if (d->node == NULL || d->rate == NULL)
        return base_fail_memory(error);
    uint32_t row = 0;
    for (uint32_t i = 0; i < x->size; i++)
        if (!x->is_out[i]) {
            x->place[i] = row;
            d->node[row++] = i;
        }
    for (size_t i = 0; i < n * n; i++)
        d->rate[i] = 0;
    for (row = 0; row < n; row++)
        for (uint32_t i = x->row_head[d->node[row]]; i != GRAPH_NONE; i = x->entries[i].next)
            d->rate[row * n + x->place[x->entries[i].column]] = x->entries[i].rate;
    return OPAC_OK;
}

static double least_positive(double a, double b)
{
    return b > 0 && b < a ? b : a;
}

/* Row k of the rest is taken out of those behind it. */
static void take_out_dense(chain *x, uint32_t k)
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

static void put_back_dense(chain *x)
{
    const dense *d = &x->rest;
    for (uint32_t k = d->size; k-- > 0;) {
        uint32_t node = d->node[k];
        const double *from = d->rate + (size_t)k * d->size;
        double low = x->low[node], high = x->high[node];
        for (uint32_t j = k + 1; j < d->size; j++) {
            if (!(from[j] > 0))
                continue;
            low += pass(x, from[j], x->low[d->node[j]]);
            high += pass(x, from[j], x->high[d->node[j]]);
        }
        x->low[node] = low / x->sum[node];
        x->high[node] = high / x->sum[node];
    }
}

/* What take_out_all has left. */
static opac_status solve_rest(chain *x, graph_workspace *workspace, opac_error *error)
{
    uint64_t n = x->size - x->out, cost = n * n * n / 3 / DENSE_GAIN;
    x->failed = x->failed || x->work + cost > x->work_limit;
    if (x->failed || n == 0)
        return OPAC_OK;
    x->work += cost;
    TRY(fill_rest(x, workspace, error));
    for (uint32_t k = 0; k < n && !x->failed; k++) {
        take_out_dense(x, k);
        x->failed = x->failed || (k % 16 == 0 && opac_cancel_requested(x->cancel));
    }
    if (!x->failed)
        put_back_dense(x);
    return OPAC_OK;
}

static void put_back_all(chain *x)
{
    for (uint32_t at = x->out; at-- > 0;) {
        uint32_t k = x->order[at];
        double low = x->low[k], high = x->high[k];
        for (uint32_t i = x->row_head[k]; i != GRAPH_NONE; i = x->entries[i].next) {
            low += pass(x, x->entries[i].rate, x->low[x->entries[i].column]);
            high += pass(x, x->entries[i].rate, x->high[x->entries[i].column]);
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
        take_out_all(&x);
        status = solve_rest(&x, workspace, error);
        if (status == OPAC_OK && !x.failed)
            put_back_all(&x);
    }
    double first_order = 0x1p-53 * x.roundings + 2.0 * x.size * block->margin;
    evaluation->error = first_order < 0.01 ? 1.02 * first_order : HUGE_VAL;
    evaluation->work = x.work + x.size + edges;
    evaluation->done = status == OPAC_OK && !x.failed;
    graph_workspace_release(workspace, place);
    return status;
}
