/* SPDX-License-Identifier: MIT */
/* The last component of random walks, after each step, against plain reachability. */
#include "sample/last_component.h"
#include "support/check.h"
#include "support/random.h"

enum {
    MOST = 12
};

typedef struct walk {
    uint32_t states;
    bool has[MOST][MOST], visited[MOST];
    uint64_t marks[MOST]; /* of the edges that leave a state */
    sample_component_visit visits[MOST];
    sample_components components;
} walk;

static void reach(const walk *w, uint32_t from, bool *reached)
{
    if (reached[from])
        return;
    reached[from] = true;
    for (uint32_t to = 0; to < w->states; to++)
        if (w->has[from][to])
            reach(w, to, reached);
}

/* Each state of a walk leads to its last one, so the component is what that leads to. */
static void assert_last(const walk *w, uint32_t at)
{
    bool inside[MOST] = {false}, has_edge = false;
    uint64_t marks = 0;
    sample_component last = sample_components_last(&w->components);
    reach(w, at, inside);
    for (uint32_t i = 0; i < w->states; i++) {
        assert_true(!w->visited[i] || (w->visits[i].order >= last.first) == inside[i]);
        for (uint32_t j = 0; j < w->states; j++)
            if (inside[i] && inside[j] && w->has[i][j]) {
                has_edge = true;
                marks |= w->marks[i];
            }
    }
    assert_true(last.has_edge == has_edge);
    if (has_edge)
        assert_true(last.marks == marks);
}

/* Some graphs are dense; others are mostly paths, with few edges back. */
static uint32_t next_state(uint64_t *random, const walk *w, uint32_t at, uint32_t back)
{
    return random_below(random, 10) < back ? random_below(random, w->states)
                                           : (at + 1 < w->states ? at + 1 : at);
}

static void run_walk(uint64_t *random, walk *w)
{
    uint32_t at = 0, steps = random_below(random, 40), back = random_below(random, 11);
    opac_error error;
    w->states = 1 + random_below(random, MOST);
    memset(w->has, 0, sizeof w->has);
    memset(w->visited, 0, sizeof w->visited);
    for (uint32_t i = 0; i < w->states; i++)
        w->marks[i] = UINT64_C(1) << random_below(random, 64);
    if (!sample_components_begin(&w->components))
        memset(w->visits, 0, sizeof w->visits);
    for (uint32_t i = 0;; i++) {
        assert_ok(sample_components_visit(&w->components, &w->visits[at], w->marks[at], &error),
                  &error);
        w->visited[at] = true;
        assert_last(w, at);
        if (i == steps)
            break;
        uint32_t to = next_state(random, w, at, back);
        w->has[at][to] = true;
        at = to;
    }
}

static void walks_agree(void **state)
{
    (void)state;
    uint64_t random = random_seed(1);
    walk w = {0};
    w.components.walk = UINT32_MAX - 1000; /* the numbers of walks are used up during the test */
    for (int i = 0; i < 20000; i++)
        run_walk(&random, &w);
    sample_components_fini(&w.components);
}

SUITE(last_component)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
