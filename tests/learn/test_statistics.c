/* SPDX-License-Identifier: MIT */
/*
 * The statistics against naive ones, which keep every observation in a list and search all of it for each
 * query; contracts; bounds; memory.
 */
#include "aut/automaton.h"
#include "learn/toy.h"
#include "support/faults.h"

enum {
    MOST_SIGHTS = 4096
};

/* A sampled step: the state and memory, the action and move, and the successor. */
typedef struct sight {
    uint32_t state, memory, action, after, came;
    bool counts; /* by row, or by choice */
} sight;

typedef struct naive {
    toy_run *run;
    uint64_t k;
    bool count_pairs;
    sight sights[MOST_SIGHTS];
    size_t count;
} naive;

static bool is_same(const naive *n, const sight *a, const sight *b)
{
    bool is_reset = a->action == SAMPLE_NONE && b->action == SAMPLE_NONE;
    return a->state == b->state && a->action == b->action &&
           (!n->count_pairs || is_reset || (a->memory == b->memory && a->after == b->after));
}

static uint64_t naive_count(const naive *n, const sight *like, bool that_came)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n->count; i++)
        found += n->sights[i].counts && is_same(n, &n->sights[i], like) &&
                 (!that_came || n->sights[i].came == like->came);
    return found;
}

static void listen(void *context, uint32_t product_state, uint32_t choice, uint32_t branch,
                   uint32_t state)
{
    naive *n = context;
    const sample_statistics *w = &n->run->stats;
    const sample_choice *c = &w->choices.items[choice];
    if (branch == SAMPLE_NONE)
        return;
    assert_true(n->count < MOST_SIGHTS);
    sight seen = {w->product_states.items[product_state].state,
                  w->product_states.items[product_state].memory,
                  c->action,
                  c->memory,
                  state,
                  true};
    seen.counts = naive_count(n, &seen, false) < n->k;
    n->sights[n->count++] = seen;
}

/* ---- comparing ---- */

static uint64_t max64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Successors seen of a row, whether they counted or not. */
static uint32_t naive_branching(const naive *n, uint32_t state, uint32_t action)
{
    bool seen[TOY_STATES] = {0};
    uint32_t distinct = 0;
    for (size_t i = 0; i < n->count; i++) {
        const sight *s = &n->sights[i];
        if (s->state != state || s->action != action || seen[s->came])
            continue;
        seen[s->came] = true;
        distinct++;
    }
    return distinct;
}

static void check_states(const naive *n, uint64_t *branching)
{
    const sample_statistics *w = &n->run->stats;
    for (uint32_t s = 0; s < w->states.count; s++) {
        size_t length;
        const char *key = (const char *)base_intern_key(&w->keys, s, &length);
        uint32_t real = 0;
        if (n->run->model == NULL) {
            assert_int_equal(key[0], 's');
            real = (uint32_t)(key[1] - '0');
            assert_int_equal(w->states.items[s].actions, n->run->t->actions[real]);
        } else {
            assert_int_equal(length, sizeof real);
            memcpy(&real, key, sizeof real);
        }
        assert_int_equal(w->states.items[s].letter, n->run->t->letter[real]);
        for (uint32_t a = 0; a < w->states.items[s].actions; a++) {
            const sample_row *row = &w->rows.items[sample_statistics_row(w, s, a)];
            assert_int_equal(row->state, s);
            assert_int_equal(row->action, a);
            assert_int_equal(row->seen, naive_branching(n, s, a));
            *branching = max64(*branching, row->seen);
        }
    }
}

/* The choices that a pair should have, one after the other. */
static void check_choice(const naive *n, uint32_t product_state, uint32_t at, uint32_t action,
                         const product_move *move)
{
    const sample_statistics *w = &n->run->stats;
    const sample_product_state *p = &w->product_states.items[product_state];
    const sample_choice *c = &w->choices.items[p->choice + at];
    assert_true(at < p->choices);
    assert_int_equal(c->action, action);
    assert_int_equal(c->memory, move->target);
    assert_int_equal(c->marks, move->marks | w->always);
    if (action == SAMPLE_NONE) {
        assert_true(sample_choice_is_free(c));
        const sample_product_state *to = &w->product_states.items[c->target];
        uint64_t marks;
        if (product_move_table_is_universal(w->move_table, move->target, &marks))
            assert_int_equal(to->state, SAMPLE_NONE);
        else {
            assert_true(to->state == p->state);
            assert_true(to->memory == move->target);
        }
        return;
    }
    sight like = {p->state, p->memory, action, move->target, 0, false};
    assert_int_equal(w->counters.items[c->counter].row, sample_statistics_row(w, p->state, action));
    assert_int_equal(w->counters.items[c->counter].count, naive_count(n, &like, false));
    assert_int_equal(sample_statistics_is_known(w, p->choice + at),
                     naive_count(n, &like, false) == n->k);
}

static void check_ordinary(const naive *n, uint32_t product_state)
{
    const sample_statistics *w = &n->run->stats;
    const sample_product_state *p = &w->product_states.items[product_state];
    const sample_state *s = &w->states.items[p->state];
    uint32_t count, silent, at = 0;
    const product_move *moves =
        product_move_table_moves(w->move_table, p->memory, s->class, &count);
    const product_move *epsilons = product_move_table_epsilons(w->move_table, p->memory, &silent);
    for (uint32_t a = 0; a < s->actions; a++)
        for (uint32_t i = 0; i < count; i++)
            check_choice(n, product_state, at++, a, &moves[i]);
    for (uint32_t i = 0; i < count && s->actions == 0; i++)
        check_choice(n, product_state, at++, SAMPLE_NONE, &moves[i]);
    for (uint32_t i = 0; i < silent; i++)
        check_choice(n, product_state, at++, SAMPLE_NONE, &epsilons[i]);
    if (at == 0) {
        const sample_choice *c = &w->choices.items[p->choice];
        assert_true(sample_choice_is_free(c));
        assert_true(c->target == w->reject);
        at++;
    }
    assert_int_equal(p->choices, at);
}

static void check_special(const naive *n, uint32_t product_state)
{
    const sample_statistics *w = &n->run->stats;
    const sample_product_state *p = &w->product_states.items[product_state];
    const sample_choice *c = &w->choices.items[p->choice];
    if (product_state == w->start) {
        assert_int_equal(p->choices, n->run->automaton->initial_count);
        for (uint32_t i = 0; i < p->choices; i++) {
            assert_int_equal(c[i].memory, n->run->automaton->initial[i]);
            assert_int_equal(sample_choice_is_free(&c[i]), n->run->t->initials == 1);
        }
        return;
    }
    assert_int_equal(p->choices, 1);
    assert_true(sample_choice_is_free(c));
    assert_true(c->target == product_state);
    uint64_t marks = 0;
    if (product_state != w->reject)
        assert_true(product_move_table_is_universal(w->move_table, p->memory, &marks));
    assert_int_equal(c->marks, product_state == w->reject ? 0 : marks | w->always);
}

/* Observations by branch, and that successors of known choices exist. */
static void check_successors(const naive *n, uint32_t product_state, uint32_t choice)
{
    sample_statistics *w = &n->run->stats;
    const sample_product_state *p = &w->product_states.items[product_state];
    sample_choice c = w->choices.items[choice];
    sample_row row = w->rows.items[w->counters.items[c.counter].row];
    for (uint32_t b = 0; b < row.width; b++) {
        uint32_t to = w->targets.items[row.begin + b], next;
        if (to == SAMPLE_NONE) {
            assert_int_equal(sample_statistics_observed(w, c.counter, b), 0);
            continue;
        }
        sight like = {p->state, p->memory, c.action, c.memory, to, false};
        assert_int_equal(sample_statistics_observed(w, c.counter, b), naive_count(n, &like, true));
        if (!sample_statistics_is_known(w, choice) ||
            sample_statistics_observed(w, c.counter, b) == 0)
            continue;
        size_t before = w->product_states.count;
        opac_error error;
        assert_ok(sample_statistics_follow(w, choice, b, &next, &error), &error);
        assert_int_equal(w->product_states.count, before);
        p = &w->product_states.items[product_state];
    }
}

static void compare(const naive *n)
{
    const sample_statistics *w = &n->run->stats;
    uint64_t branching = w->reset_row != SAMPLE_NONE ? w->rows.items[w->reset_row].seen : 0;
    uint64_t known = 0;
    if (w->reset_row != SAMPLE_NONE)
        assert_int_equal(branching, naive_branching(n, SAMPLE_NONE, SAMPLE_NONE));
    check_states(n, &branching);
    assert_int_equal(w->most.branching, branching);
    assert_int_equal(w->most.states, w->states.count);
    for (uint32_t product_state = 0; product_state < w->product_states.count; product_state++) {
        sample_product_state p = w->product_states.items[product_state];
        if (p.state == SAMPLE_NONE)
            check_special(n, product_state);
        else
            check_ordinary(n, product_state);
        for (uint32_t c = p.choice; c < p.choice + p.choices; c++)
            if (!sample_choice_is_free(&w->choices.items[c]))
                check_successors(n, product_state, c);
    }
    for (size_t i = 0; i < w->counters.count; i++)
        known += w->counters.items[i].known;
    assert_int_equal(w->known, known);
}

/* ---- random runs ---- */

static void run_case(uint64_t *random, bool as_model, bool count_pairs)
{
    static naive n; /* large */
    toy t;
    toy_run run;
    opac_error error;
    base_u32_vec changed = {0};
    opac_automaton *automaton = toy_automaton(random, random_below(random, 2) == 0);
    uint64_t k = 1 + random_below(random, 5);
    toy_draw(random, 1 + random_below(random, TOY_STATES), random_below(random, 2) == 0, &t);
    if (toy_begin(&run, random, &t, as_model, automaton,
                  (sample_statistics_options){.k = k, .count_pairs = count_pairs})) {
        n = (naive){.run = &run, .k = k, .count_pairs = count_pairs};
        for (uint64_t i = 0; i < 20; i++) {
            uint64_t before = run.stats.known;
            toy_episode how = {.seed = env_episode_seed(7, i), .steps = random_below(random, 20)};
            how.listener = listen;
            how.context = &n;
            assert_ok(toy_walk(&run, how, &error), &error);
            if (run.model != NULL && random_below(random, 2) == 0 && run.stats.choices.count > 0) {
                uint32_t c = random_below(random, (uint32_t)run.stats.choices.count);
                if (!sample_choice_is_free(&run.stats.choices.items[c]))
                    assert_ok(sample_statistics_make_links(&run.stats, c, &error), &error);
            }
            changed.count = 0;
            assert_ok(sample_statistics_refresh(&run.stats, &changed, &error), &error);
            assert_int_equal(run.stats.known - before, changed.count);
            compare(&n);
        }
        toy_end(&run);
    }
    base_u32_vec_fini(&changed);
    opac_automaton_free(automaton);
}

static void test_naive(void **state)
{
    uint64_t random = random_seed(61);
    (void)state;
    for (int i = 0; i < 200; i++)
        run_case(&random, i % 2 == 0, i % 4 < 2);
}

/* ---- contracts ---- */

typedef struct bench {
    toy t;
    toy_run run;
    opac_automaton *automaton;
} bench;

static void begin_plain(bench *b, uint32_t states, uint32_t initials, sample_limits limits)
{
    uint64_t random = 5;
    b->automaton = toy_recurrence();
    b->t = (toy){.states = states, .initials = initials};
    for (uint32_t s = 0; s < states; s++) {
        b->t.actions[s] = 1;
        for (uint32_t i = 0; i < TOY_WIDTH; i++)
            b->t.target[s][0][i] = (s + i) % states;
    }
    assert_true(toy_begin(&b->run, &random, &b->t, false, b->automaton,
                          (sample_statistics_options){.k = 3, .limits = limits}));
}

static void end_plain(bench *b)
{
    toy_end(&b->run);
    opac_automaton_free(b->automaton);
}

static void test_contradictions(void **state)
{
    bench b;
    opac_error error;
    uint32_t id, other;
    opac_observation seen = {.key = "x\n", .length = 2, .letter = 1, .actions = 2};
    (void)state;
    begin_plain(&b, 3, 1, (sample_limits){0});
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &id, &error), &error);
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &other, &error), &error);
    assert_int_equal(id, other);
    seen.letter = 0;
    assert_status(sample_statistics_add_state(&b.run.stats, &seen, &id, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message,
                        "state 'x\\x0A' was observed with {a} and 2 actions, and now with "
                        "{} and 2");
    seen.letter = 1;
    seen.actions = 3;
    assert_status(sample_statistics_add_state(&b.run.stats, &seen, &id, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_string_equal(
        error.message,
        "state 'x\\x0A' was observed with {a} and 2 actions, and now with {a} and 3");
    seen = (opac_observation){.actions = 1}; /* the empty key is one, too */
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &id, &error), &error);
    assert_int_equal(id, 1);
    seen = (opac_observation){.key = "many", .length = 4, .actions = UINT32_MAX};
    assert_status(sample_statistics_add_state(&b.run.stats, &seen, &id, &error), OPAC_ERROR_LIMIT);
    assert_int_equal(b.run.stats.states.count, 2);
    end_plain(&b);
}

static void test_second_start(void **state)
{
    bench b;
    opac_error error;
    uint32_t id, other;
    opac_observation seen = {.key = "x", .length = 1, .actions = 2};
    (void)state;
    begin_plain(&b, 3, 1, (sample_limits){0});
    assert_int_equal(b.run.stats.start, SAMPLE_NONE);
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &id, &error), &error);
    seen.key = "y";
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &other, &error), &error);
    assert_ok(sample_statistics_begin_episode(&b.run.stats, id, &error), &error);
    assert_ok(sample_statistics_begin_episode(&b.run.stats, id, &error), &error);
    assert_status(sample_statistics_begin_episode(&b.run.stats, other, &error),
                  OPAC_ERROR_SIMULATOR);
    assert_string_equal(error.message,
                        "a reset gave state 'y', and an earlier one gave 'x', but the "
                        "environment declares that resets are not random");
    end_plain(&b);
    begin_plain(&b, 3, 2, (sample_limits){0});
    assert_ok(toy_walk(&b.run, (toy_episode){.seed = 1, .steps = 3}, &error), &error);
    assert_int_equal(b.run.stats.initial, SAMPLE_NONE);
    end_plain(&b);
}

static void test_bounds(void **state)
{
    static const struct {
        sample_limits limits;
        const char *exceeded;
    } cases[] = {{{3, 1, 3}, NULL},
                 {{2, 1, 3}, "states"},
                 {{0, 1, 2}, "branching"},
                 {{3, 0, 0}, NULL},
                 {{0, 0, 1}, "branching"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b;
        opac_error error;
        begin_plain(&b, 3, 1, cases[i].limits);
        assert_null(sample_statistics_exceeded(&b.run.stats));
        /* Counters are full after three visits; later observations must be added, too. */
        assert_ok(toy_walk(&b.run, (toy_episode){.seed = 1, .steps = 100}, &error), &error);
        assert_int_equal(b.run.stats.most.branching, 3);
        const char *exceeded = sample_statistics_exceeded(&b.run.stats);
        assert_true((exceeded == NULL) == (cases[i].exceeded == NULL));
        if (exceeded != NULL)
            assert_string_equal(exceeded, cases[i].exceeded);
        end_plain(&b);
    }
    bench b;
    opac_error error;
    uint32_t id;
    opac_observation seen = {.key = "x", .length = 1, .actions = 2};
    begin_plain(&b, 3, 1, (sample_limits){0, 1, 0});
    assert_ok(sample_statistics_add_state(&b.run.stats, &seen, &id, &error), &error);
    assert_string_equal(sample_statistics_exceeded(&b.run.stats), "actions");
    end_plain(&b);
}

/* k grows: what has too few observations is known no more. */
static void test_set_k(void **state)
{
    bench b;
    opac_error error;
    (void)state;
    begin_plain(&b, 3, 1, (sample_limits){0});
    sample_statistics *w = &b.run.stats;
    assert_ok(toy_walk(&b.run, (toy_episode){.seed = 1, .steps = 100}, &error), &error);
    assert_ok(sample_statistics_refresh(w, NULL, &error), &error);
    assert_int_equal(w->known, 3);
    assert_ok(sample_statistics_set_k(w, 3, &error), &error);
    assert_ok(sample_statistics_refresh(w, NULL, &error), &error);
    assert_int_equal(w->known, 3);
    assert_ok(sample_statistics_set_k(w, 4, &error), &error);
    assert_ok(sample_statistics_refresh(w, NULL, &error), &error);
    assert_int_equal(w->known, 0);
    assert_int_equal(sample_counter_remaining(w, 0), 1);
    assert_ok(sample_statistics_observe(w, 0, 0, 10, &error), &error); /* one of ten */
    assert_int_equal(w->counters.items[0].count, 4);
    assert_ok(sample_statistics_refresh(w, NULL, &error), &error);
    assert_int_equal(w->known, 1);
    assert_status(sample_statistics_set_k(w, 3, &error), OPAC_ERROR_ARGUMENT);
    end_plain(&b);
}

/* ---- memory ---- */

typedef struct sweep {
    toy *t;
    opac_automaton *automaton;
    bool as_model, count_pairs;
} sweep;

static opac_status sweep_run(void *context, opac_error *error)
{
    sweep *s = context;
    static const char *const names[] = {"a", "b"};
    opac_environment_callbacks callbacks = {.reset = toy_reset,
                                            .step = toy_step,
                                            .propositions = names,
                                            .proposition_count = 2,
                                            .random_start = s->t->initials > 1};
    toy_run run = {.t = s->t, .automaton = s->automaton, .random = 1};
    sample_statistics_options options = {.k = 2, .count_pairs = s->count_pairs};
    opac_status status = opac_environment_new(&callbacks, s->t, &run.env, error);
    if (status != OPAC_OK)
        return status;
    status = sample_statistics_init(&run.stats, run.env, s->automaton, &options, error);
    for (uint64_t i = 0; i < 6 && status == OPAC_OK; i++) {
        status = toy_walk(&run, (toy_episode){.seed = i, .steps = 12}, error);
        if (status == OPAC_OK)
            status = sample_statistics_refresh(&run.stats, NULL, error);
    }
    sample_statistics_fini(&run.stats);
    opac_environment_free(run.env);
    return status;
}

static void test_faults(void **state)
{
    uint64_t random = random_seed(62);
    (void)state;
    for (int i = 0; i < 8; i++) {
        toy t;
        toy_run run;
        opac_automaton *automaton = toy_automaton(&random, i % 4 != 3);
        toy_draw(&random, 5, i % 2 == 0, &t);
        if (toy_begin(&run, &random, &t, false, automaton, (sample_statistics_options){.k = 1})) {
            toy_end(&run);
            sweep s = {.t = &t, .automaton = automaton, .count_pairs = i % 4 < 2};
            assert_true(faults_sweep(sweep_run, &s) > 10);
        }
        opac_automaton_free(automaton);
    }
}

SUITE(statistics)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_naive),        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_second_start), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_set_k),        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
