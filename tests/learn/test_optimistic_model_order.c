/* SPDX-License-Identifier: MIT */
/*
 * Dependencies and cost of the policy. The same observations in another order give the same policy in
 * each product state; and on a long chain, where rows become known all the time, the solver is rarely
 * used.
 */
#include "learn/toy.h"
#include "omega_pac/omega_pac.h"

/* ---- the same in another order ---- */

typedef struct filled {
    toy_run run;
    omega_pac_optimistic_model *model;
} filled;

static void shuffle(uint64_t *random, uint32_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = random_below(random, i), item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

/* The number in the statistics of a state of the model. */
static uint32_t meet(filled *f, uint32_t real)
{
    uint32_t actions = f->run.t->actions[real] > 0 ? f->run.t->actions[real] : 1, state;
    opac_observation seen = {
        .key = &real, .length = sizeof real, .letter = f->run.t->letter[real], .actions = actions};
    opac_error error;
    assert_ok(sample_statistics_add_state(&f->run.stats, &seen, &state, &error), &error);
    return state;
}

/* A number that follows from what it is about. */
static uint32_t fate(uint64_t seed, uint32_t real, uint32_t memory, uint32_t choice)
{
    uint64_t random = seed ^ ((uint64_t)real << 40 | (uint64_t)memory << 20 | choice);
    random_u32(&random);
    return random_u32(&random);
}

/* The targets of an action, each with the observations that it is given. */
static void observe(filled *f, uint64_t seed, uint32_t real, uint32_t choice, uint64_t *order)
{
    sample_statistics *w = &f->run.stats;
    const toy *t = f->run.t;
    uint32_t branches[TOY_WIDTH] = {0, 1, 2}, branch;
    const sample_choice *c = &w->choices.items[choice];
    uint32_t action = c->action, counter = c->counter, memory = c->memory;
    uint32_t state = meet(f, real), row = sample_statistics_row(w, state, action);
    uint32_t what = fate(seed, real, w->count_pairs ? memory : 0, action) % 5;
    opac_error error;
    shuffle(order, branches, TOY_WIDTH);
    if (t->actions[real] == 0 || what == 0) { /* the loop of a deadlock; or still unknown */
        if (what > 0 && t->actions[real] == 0) {
            assert_ok(sample_statistics_branch(w, row, state, &branch, &error), &error);
            assert_ok(sample_statistics_observe(w, counter, branch, w->k, &error), &error);
        }
        return;
    }
    for (uint32_t i = 0; i < TOY_WIDTH; i++) {
        uint64_t n = branches[i] == what % TOY_WIDTH ? w->k - 2 : 1;
        uint32_t to = meet(f, t->target[real][action][branches[i]]);
        assert_ok(sample_statistics_branch(w, row, to, &branch, &error), &error);
        assert_ok(sample_statistics_observe(w, counter, branch, n, &error), &error);
    }
}

/* All product states with their observations, in another order. */
static void fill(filled *f, uint64_t seed, uint64_t *order)
{
    sample_statistics *w = &f->run.stats;
    uint32_t real[TOY_STATES], memories[8], product_state;
    opac_error error;
    for (uint32_t i = 0; i < TOY_STATES; i++)
        real[i] = i;
    for (uint32_t i = 0; i < 8; i++)
        memories[i] = i;
    if (f->run.t->initials == 1)
        real[0] = 0;
    shuffle(order, real, f->run.t->states);
    shuffle(order, memories, f->run.automaton->state_count);
    for (uint32_t i = 0; i < f->run.t->states; i++)
        meet(f, real[i]);
    assert_ok(sample_statistics_begin_episode(w, meet(f, 0), &error), &error);
    for (uint32_t i = 0; i < f->run.t->states; i++) {
        for (uint32_t j = 0; j < f->run.automaton->state_count; j++) {
            assert_ok(sample_statistics_product_state(w, meet(f, real[i]), memories[j],
                                                      &product_state, &error),
                      &error);
            sample_product_state p = w->product_states.items[product_state];
            for (uint32_t c = p.choice; c < p.choice + p.choices; c++)
                if (!sample_choice_is_free(&w->choices.items[c]))
                    observe(f, seed, real[i], c, order);
        }
    }
    assert_ok(sample_statistics_refresh(w, NULL, &error), &error);
}

/* false: see toy_begin. */
static bool begin(filled *f, uint64_t *random, toy *t, opac_automaton *automaton, uint64_t seed,
                  bool count_pairs, bool as_model)
{
    opac_error error;
    sample_statistics_options stats = {.k = 7, .count_pairs = count_pairs};
    if (!toy_begin(&f->run, random, t, as_model, automaton, stats))
        return false;
    omega_pac_optimistic_model_options options = {.pairs = f->run.pairs.items,
                                                  .pair_count = (uint32_t)f->run.pairs.count};
    fill(f, seed, random);
    assert_ok(omega_pac_optimistic_model_new(&f->run.stats, &options, &f->model, &error), &error);
    assert_ok(omega_pac_optimistic_model_solve_canonical(f->model, &error), &error);
    return true;
}

static void end(filled *f)
{
    omega_pac_optimistic_model_free(f->model);
    toy_end(&f->run);
}

/* The policy's choice in a product state, numbered within it. */
static uint32_t decision(filled *f, uint32_t real, uint32_t memory)
{
    uint32_t product_state;
    opac_error error;
    assert_ok(sample_statistics_product_state(&f->run.stats, meet(f, real), memory, &product_state,
                                              &error),
              &error);
    return omega_pac_optimistic_model_choice(f->model, product_state) -
           f->run.stats.product_states.items[product_state].choice;
}

static void compare(uint64_t random, bool as_model)
{
    uint32_t between = 0;
    for (int i = 0; i < 200; i++) {
        toy t;
        filled a, b;
        opac_automaton *automaton = toy_automaton(&random, true);
        uint64_t seed = random_u64(&random);
        toy_draw(&random, 2 + random_below(&random, TOY_STATES - 1), false, &t);
        assert_true(begin(&a, &random, &t, automaton, seed, i % 2 == 0, true));
        assert_true(begin(&b, &random, &t, automaton, seed, i % 2 == 0, as_model));
        omega_pac_value x = omega_pac_optimistic_model_value(a.model),
                        y = omega_pac_optimistic_model_value(b.model);
        assert_true(x.lower == y.lower);
        assert_true(x.upper == y.upper);
        between += x.lower > 0 && x.upper < 1;
        for (uint32_t s = 0; s < t.states; s++)
            for (uint32_t q = 0; q < automaton->state_count; q++)
                assert_int_equal(decision(&a, s, q), decision(&b, s, q));
        end(&a);
        end(&b);
        opac_automaton_free(automaton);
    }
    assert_true(between > 5);
}

static void test_order(void **state)
{
    (void)state;
    compare(random_seed(65), true);
}

/* Callbacks number branches as they see them, models as they have them. */
static void test_kinds(void **state)
{
    (void)state;
    compare(random_seed(66), false);
}

/* ---- where episodes end ---- */

/* As many free choices in a row as there are pairs, and one more. */
static bool is_over_naively(const sample_run *run, uint32_t product_state)
{
    for (size_t i = 0; i <= run->stats.product_states.count; i++) {
        uint32_t choice =
            omega_pac_optimistic_model_choice(omega_pac_optimistic_model_of(run), product_state);
        if (!sample_choice_is_free(&run->stats.choices.items[choice]))
            return false;
        product_state = run->stats.choices.items[choice].target;
    }
    return true;
}

/* Where epsilon moves lead to a choice that is sampled an episode is not over. */
static void test_absorbed(void **state)
{
    uint64_t random = random_seed(67);
    uint32_t over = 0, passed = 0, sampled = 0;
    (void)state;
    for (int i = 0; i < 300; i++) {
        toy t;
        filled f;
        opac_automaton *automaton = toy_automaton(&random, false);
        toy_draw(&random, 2 + random_below(&random, TOY_STATES - 1), false, &t);
        if (begin(&f, &random, &t, automaton, random_u64(&random), true, i % 2 == 0)) {
            omega_pac_state own = {.model = f.model};
            sample_run run = {.stats = f.run.stats, .strategy = &omega_pac_strategy, .own = &own};
            for (uint32_t p = 0; p < run.stats.product_states.count; p++) {
                uint32_t choice = omega_pac_optimistic_model_choice(f.model, p);
                bool is_free = sample_choice_is_free(&run.stats.choices.items[choice]);
                bool is_over = is_over_naively(&run, p);
                assert_int_equal(sample_run_is_absorbed(&run, p), is_over);
                over += is_over;
                passed += is_free && !is_over;
                sampled += !is_free;
            }
            end(&f);
        }
        opac_automaton_free(automaton);
    }
    assert_true(over > 20);
    assert_true(passed > 20);
    assert_true(sampled > 20);
}

/* ---- a long chain ---- */

/*
 * State i: action 0 leads to the next state with probability 1/2 and stays otherwise; action 1 leads back
 * to 0; the last state stays, and `a` is never seen.
 */
typedef struct line {
    uint32_t states, state;
    uint64_t random;
} line;

static opac_status line_see(const line *l, opac_observation *seen)
{
    *seen = (opac_observation){.key = &l->state, .length = sizeof l->state, .actions = 2};
    return OPAC_OK;
}

static opac_status line_reset(void *context, uint64_t seed, opac_observation *seen,
                              opac_error *error)
{
    line *l = context;
    (void)error;
    l->random = seed;
    l->state = 0;
    return line_see(l, seen);
}

static opac_status line_step(void *context, uint32_t action, opac_observation *seen,
                             opac_error *error)
{
    line *l = context;
    (void)error;
    if (action == 1)
        l->state = 0;
    else if (l->state + 1 < l->states && random_below(&l->random, 2) == 0)
        l->state++;
    return line_see(l, seen);
}

/* Learns until the policy meets nothing unknown; the environment is put where the policy gets to,
 * so that the sampling costs nothing. */
static uint64_t learn_line(uint32_t states, uint64_t k, bool solve_small)
{
    static const char *const names[] = {"a"};
    line l = {.states = states, .random = 1};
    opac_environment_callbacks callbacks = {
        .reset = line_reset, .step = line_step, .propositions = names, .proposition_count = 1};
    toy_run run = {.automaton = toy_recurrence()};
    omega_pac_optimistic_model *o;
    opac_error error;
    base_u32_vec changed = {0};
    solve_rabin_pair pair = {.inf = 1};
    assert_ok(opac_environment_new(&callbacks, &l, &run.env, &error), &error);
    sample_statistics *w = &run.stats;
    assert_ok(sample_statistics_init(w, run.env, run.automaton,
                                     &(sample_statistics_options){.k = k}, &error),
              &error);
    assert_ok(omega_pac_optimistic_model_new(
                  w,
                  &(omega_pac_optimistic_model_options){
                      .pairs = &pair, .pair_count = 1, .solve_small = solve_small},
                  &o, &error),
              &error);
    bool done = false;
    uint32_t at = 0; /* the pair that is sampled, wherever it is */
    assert_ok(toy_walk(&run, (toy_episode){.seed = 1}, &error), &error);
    assert_ok(omega_pac_optimistic_model_update(o, &changed, &error), &error);
    while (!done) {
        uint32_t choice = omega_pac_optimistic_model_choice(o, at), state, branch, next;
        if (sample_statistics_is_known(w, choice)) { /* a later state must be sampled */
            at++;
            assert_true(at < w->product_states.count);
            continue;
        }
        const sample_choice *c = &w->choices.items[choice];
        uint32_t counter = c->counter, action = c->action;
        opac_observation seen;
        memcpy(&l.state, base_intern_key(&w->keys, w->product_states.items[at].state, &(size_t){0}),
               sizeof l.state);
        assert_ok(env_step(run.env, action, &seen, &error), &error);
        assert_ok(sample_statistics_add_state(w, &seen, &state, &error), &error);
        assert_ok(
            sample_statistics_branch(w, w->counters.items[counter].row, state, &branch, &error),
            &error);
        assert_ok(sample_statistics_observe(w, counter, branch, 1, &error), &error);
        assert_ok(sample_statistics_follow(w, choice, branch, &next, &error), &error);
        changed.count = 0;
        assert_ok(sample_statistics_refresh(w, &changed, &error), &error);
        if (changed.count == 0)
            continue;
        assert_ok(omega_pac_optimistic_model_update(o, &changed, &error), &error);
        assert_ok(omega_pac_optimistic_model_is_done(o, UINT64_MAX, false, &done, &error), &error);
    }
    assert_int_equal(w->known, 2 * states);
    assert_true(omega_pac_optimistic_model_value(o).upper == 0);
    uint64_t solves = omega_pac_optimistic_model_solves(o);
    base_u32_vec_fini(&changed);
    omega_pac_optimistic_model_free(o);
    sample_statistics_fini(w);
    opac_environment_free(run.env);
    opac_automaton_free(run.automaton);
    return solves;
}

static void test_line(void **state)
{
    (void)state;
    /* k is large enough for action 0 to be seen going on. */
    uint64_t solves = learn_line(20000, 30, false);
    print_message("%u solves\n", (unsigned)solves);
    assert_true(solves < 10);
    /* At each change up to 64 nodes, and then hardly ever. */
    solves = learn_line(20000, 30, true);
    print_message("%u solves\n", (unsigned)solves);
    assert_true(solves > 60);
    assert_true(solves < 200);
}

SUITE(optimistic_model_order)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_absorbed),
        cmocka_unit_test(test_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
