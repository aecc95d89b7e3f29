/* SPDX-License-Identifier: MIT */
/*
 * The graph algorithms relative to one breadth-first pass over the same process, on processes of 10^5, 10^6
 * and 10^7 states with two choices of two edges each. Two kinds: edges to neighbours in a grid, and edges
 * to random states. One state in a thousand is absorbing; half of the absorbing states are targets.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "bench.h"
#include "draws.h"
#include "graph/almost_sure.h"
#include "graph/attractor.h"
#include "graph/mec.h"
#include "graph/reach.h"
#include "graph/scc.h"

enum {
    CHOICES = 2,
    EDGES = 2,
    STATE_EDGES = CHOICES * EDGES,
    HOLE_EVERY = 1000
};

typedef struct field {
    graph_process process;
    uint32_t *choice_begin, *edge_begin, *target;
    base_bitset start, goal;
    graph_workspace kept; /* of the reverse */
    graph_reverse reverse;
    graph_workspace parts; /* of the end components */
    graph_mec mec;
    /* What the runs found. */
    uint32_t reached, components, end_components;
    uint32_t undecided;
    uint64_t searched;
    size_t sure;
} field;

static void make_field(field *f, uint32_t n, bool grid)
{
    uint64_t random = n;
    uint32_t width = 1;
    while (width * width < n)
        width++;
    f->choice_begin = need_memory(base_alloc((size_t)n + 1, sizeof(uint32_t)));
    f->edge_begin = need_memory(base_alloc((size_t)n * CHOICES + 1, sizeof(uint32_t)));
    f->target = need_memory(base_alloc((size_t)n * STATE_EDGES, sizeof(uint32_t)));
    need(base_bitset_init(&f->start, n, NULL));
    need(base_bitset_init(&f->goal, n, NULL));
    for (uint32_t s = 0; s <= n; s++)
        f->choice_begin[s] = s * CHOICES;
    for (uint32_t c = 0; c <= n * CHOICES; c++)
        f->edge_begin[c] = c * EDGES;
    for (uint32_t s = 0; s < n; s++) {
        bool hole = draw(&random, HOLE_EVERY) == 0;
        for (uint32_t e = s * STATE_EDGES; e < (s + 1) * STATE_EDGES; e++)
            f->target[e] =
                hole ? s : (grid ? neighbour(s, width, n, draw(&random, 4)) : draw(&random, n));
        if (hole && draw(&random, 2) == 0)
            base_bitset_add(&f->goal, s);
        if (!hole && s < n / 2 + 100 && s >= n / 2)
            base_bitset_add(&f->start, s);
    }
    need(graph_process_borrow(n, (size_t)n * CHOICES, (size_t)n * STATE_EDGES, f->choice_begin,
                              f->edge_begin, f->target, NULL, &f->process, NULL));
    need(graph_mec_find(&f->process, (graph_part){0}, &f->parts, &f->mec, NULL));
}

static void drop_field(field *f)
{
    graph_workspace_fini(&f->kept);
    graph_workspace_fini(&f->parts);
    base_bitset_fini(&f->start);
    base_bitset_fini(&f->goal);
    base_free(f->choice_begin);
    base_free(f->edge_begin);
    base_free(f->target);
}

typedef void (*work)(field *f, graph_workspace *workspace);

static void run_forward(field *f, graph_workspace *workspace)
{
    graph_reached out;
    need(graph_reach_forward(&f->process, (graph_part){0}, &f->start, GRAPH_NONE, workspace, &out,
                             NULL));
    f->reached = out.count;
}

static void run_scc(field *f, graph_workspace *workspace)
{
    graph_scc out;
    need(graph_scc_find(&f->process, (graph_part){0}, workspace, &out, NULL));
    f->components = out.count;
}

static void run_mec(field *f, graph_workspace *workspace)
{
    graph_mec out;
    need(graph_mec_find(&f->process, (graph_part){0}, workspace, &out, NULL));
    f->end_components = out.count;
    f->searched = out.searched;
}

/* Stored for the following rows; the workspace is only for measuring. */
static void run_reverse(field *f, graph_workspace *workspace)
{
    graph_workspace_fini(&f->kept);
    need(graph_reverse_build(&f->process, (graph_part){0}, &f->kept, &f->reverse, NULL));
    workspace->peak = f->kept.peak;
}

static void run_some(field *f, graph_workspace *workspace)
{
    graph_attractor out;
    need(graph_attract_some(&f->process, (graph_part){0}, &f->reverse, &f->goal, workspace, &out,
                            NULL));
}

static void run_max(field *f, graph_workspace *workspace)
{
    graph_max_reached out;
    need(graph_max_reach(&f->process, (graph_part){0}, &f->reverse, &f->mec, &f->goal, workspace,
                         &out, NULL));
    f->sure = base_bitset_count(&out.one);
    f->undecided = out.undecided;
}

static const struct {
    const char *name;
    work run;
} rows[] = {
    {"forward reachability (the measure)", run_forward},
    {"strongly connected components", run_scc},
    {"maximal end components", run_mec},
    {"reverse index", run_reverse},
    {"attractor, given the reverse index", run_some},
    {"maximal probability 0 or 1, given components", run_max},
};

enum {
    ROWS = sizeof rows / sizeof rows[0]
};

/* CPU time, because the machine may have other work, too. */
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The best of `repeats` runs in a workspace that is warm after the first. */
static double best_time(work run, field *f, int repeats, graph_workspace *workspace)
{
    double best = 0;
    for (int i = 0; i < repeats; i++) {
        graph_place place = graph_workspace_mark(workspace);
        double begin = processor_seconds();
        run(f, workspace);
        double seconds = processor_seconds() - begin;
        graph_workspace_release(workspace, place);
        best = i == 0 || seconds < best ? seconds : best;
    }
    return best;
}

static void print_structure(const field *f)
{
    double n = f->process.state_count;
    printf("  reached %.1f%%; %u components; %u end components, searched %.2f n states;\n",
           100 * f->reached / n, (unsigned)f->components, (unsigned)f->end_components,
           (double)f->searched / n);
    printf("  maximal probability 1 in %.1f%%, between 0 and 1 in %.1f%%\n",
           100 * (double)f->sure / n, 100 * (double)f->undecided / n);
}

/* per_edge: costs at the size before, 0 for none; replaced by those at this size. */
static void measure(field *f, int repeats, double *per_edge)
{
    double forward = 0;
    for (size_t i = 0; i < ROWS; i++) {
        graph_workspace workspace = {0};
        double seconds = best_time(rows[i].run, f, repeats, &workspace);
        double cost = seconds / f->process.edge_count;
        forward = i == 0 ? seconds : forward;
        printf("  %-46s %6.2f x  %4.0f bytes/state", rows[i].name, seconds / forward,
               (double)workspace.peak / f->process.state_count);
        if (per_edge[i] > 0)
            printf("   growth %.2f", cost / per_edge[i]);
        printf("\n");
        per_edge[i] = cost;
        graph_workspace_fini(&workspace);
    }
    print_structure(f);
}

/* Returns the cost of an edge in the forward pass over the smallest. */
static double large_sizes(bool grid)
{
    static const uint32_t sizes[] = {100000, 1000000, 10000000};
    double per_edge[ROWS] = {0}, smallest = 0;
    for (size_t i = 0; i < bench_sizes(sizeof sizes / sizeof sizes[0]); i++) {
        field f = {0};
        make_field(&f, sizes[i], grid);
        printf("%s, %u states\n", grid ? "grid" : "random targets", (unsigned)sizes[i]);
        measure(&f, i == 0 ? 10 : 1, per_edge);
        smallest = i == 0 ? per_edge[0] : smallest;
        drop_field(&f);
    }
    return smallest;
}

/* Cost of one call on a tiny process: everything but the algorithm itself is overhead. */
static double tiny_cost(work run, field *f, graph_workspace *workspace)
{
    enum {
        CALLS = 100000
    };
    double begin = processor_seconds();
    for (int i = 0; i < CALLS; i++) {
        graph_place place = graph_workspace_mark(workspace);
        run(f, workspace);
        graph_workspace_release(workspace, place);
    }
    return (processor_seconds() - begin) / CALLS;
}

static void tiny_size(double forward_edge)
{
    graph_workspace workspace = {0};
    field f = {0};
    make_field(&f, 12, false);
    need(graph_reverse_build(&f.process, (graph_part){0}, &f.kept, &f.reverse, NULL));
    base_bitset_add(&f.goal, 0);
    printf("12 states, workspace reused\n");
    double scc = tiny_cost(run_scc, &f, &workspace), mec = tiny_cost(run_mec, &f, &workspace);
    double max = tiny_cost(run_max, &f, &workspace);
    double edges = forward_edge * f.process.edge_count;
    bench_ratio("strongly connected components", "its edges in the pass over 10^5", scc, edges);
    bench_ratio("maximal end components", "the same", mec, edges);
    bench_ratio("greatest probability 0 or 1", "the same", max, edges);
    graph_workspace_fini(&workspace);
    drop_field(&f);
}

int main(void)
{
    printf("Relative to one forward pass; growth: cost per edge over that at a tenth of the size.\n"
           "1 is linear. At 10^5 states all fits in the cache, at 10^7 nothing does: growth above\n"
           "1 is misses, for the pass too, and most with edges to anywhere. Depth first waits for\n"
           "each miss, breadth first overlaps them. End components take a search for each level\n"
           "at which components split (searched, below).\n");
    double forward_edge = large_sizes(true);
    large_sizes(false);
    tiny_size(forward_edge);
    return 0;
}
