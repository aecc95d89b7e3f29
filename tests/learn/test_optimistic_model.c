/* SPDX-License-Identifier: MIT */
/*
 * The optimistic model of random small systems, after each change of what is known: against brute force
 * on an optimistic model that is built here, in fractions; with and without repair; stopping and risk
 * against plain enumeration of steps; save and restore; memory.
 */
#include <math.h>

#include "learn/toy.h"
#include "support/brute.h"
#include "support/faults.h"
#include "support/invariants.h"
#include "support/rational.h"

enum {
    NODES = BRUTE_STATES,
    MOST_CHOICES = 64,
    MOST_EDGES = 256,
    MOST_POLICIES = 1500,
    SINK_MARK = 40
};

/* ---- the optimistic model, once more ---- */

typedef struct plain {
    uint32_t nodes, product_state[NODES]; /* node 0 is the start; the sink is the last */
    uint32_t choices, edges, sink;
    uint32_t choice_begin[NODES + 1], edge_begin[MOST_CHOICES + 1], target[MOST_EDGES];
    uint32_t choice[MOST_CHOICES]; /* in the statistics */
    bool unknown[MOST_CHOICES];
    uint64_t marks[MOST_CHOICES];
    base_ratio exact[MOST_EDGES];
    double prob[MOST_EDGES];
    solve_rabin_pair pairs[BRUTE_PAIRS + 1];
    graph_process process;
    solve_problem problem;
    uint64_t policies;
    bool fits;
} plain;

static uint32_t node_of(plain *m, uint32_t product_state)
{
    for (uint32_t i = 0; i < m->nodes; i++)
        if (m->product_state[i] == product_state)
            return i;
    if (m->nodes + 1 >= NODES) {
        m->fits = false;
        return 0;
    }
    m->product_state[m->nodes] = product_state;
    return m->nodes++;
}

static void add_edge(plain *m, uint32_t target, base_ratio prob)
{
    if (m->edges == MOST_EDGES) {
        m->fits = false;
        return;
    }
    m->target[m->edges] = target;
    m->exact[m->edges] = prob;
    m->prob[m->edges++] = base_ratio_to_double(prob);
}

static void add_choice(plain *m, sample_statistics *w, uint32_t c)
{
    const sample_choice *choice = &w->choices.items[c];
    opac_error error;
    if (m->choices == MOST_CHOICES) {
        m->fits = false;
        return;
    }
    m->edge_begin[m->choices] = m->edges;
    m->choice[m->choices] = c;
    m->marks[m->choices] = choice->marks;
    m->unknown[m->choices++] = !sample_statistics_is_known(w, c);
    if (m->unknown[m->choices - 1]) {
        add_edge(m, NODES, base_ratio_of_integer(1)); /* the sink */
        return;
    }
    if (sample_choice_is_free(choice)) {
        add_edge(m, node_of(m, choice->target), base_ratio_of_integer(1));
        return;
    }
    uint32_t counter = choice->counter, width = w->rows.items[w->counters.items[counter].row].width;
    for (uint32_t b = 0; b < width; b++) {
        uint64_t n = sample_statistics_observed(w, counter, b);
        uint32_t product_state;
        if (n == 0)
            continue;
        assert_ok(sample_statistics_follow(w, c, b, &product_state, &error), &error);
        add_edge(m, node_of(m, product_state), base_ratio_of((int64_t)n, (int64_t)w->k));
    }
}

/* The product states in another order than the model's: depth first. */
static void make_plain(plain *m, sample_statistics *w, const product_rabin_pair_vec *pairs)
{
    *m = (plain){.fits = true, .policies = 1};
    node_of(m, w->start);
    for (uint32_t i = 0; i < m->nodes && m->fits; i++) {
        sample_product_state p = w->product_states.items[m->product_state[i]];
        m->choice_begin[i] = m->choices;
        for (uint32_t c = p.choice; c < p.choice + p.choices && m->fits; c++)
            add_choice(m, w, c);
        m->policies *= p.choices;
        m->fits = m->fits && m->policies <= MOST_POLICIES;
    }
    if (!m->fits || m->choices == MOST_CHOICES || pairs->count >= BRUTE_PAIRS)
        m->fits = false;
    if (!m->fits)
        return;
    m->sink = m->nodes++;
    for (uint32_t e = 0; e < m->edges; e++)
        m->target[e] = m->target[e] == NODES ? m->sink : m->target[e];
    m->choice_begin[m->sink] = m->choices;
    m->marks[m->choices] = UINT64_C(1) << SINK_MARK;
    m->edge_begin[m->choices++] = m->edges;
    add_edge(m, m->sink, base_ratio_of_integer(1));
    m->choice_begin[m->nodes] = m->choices;
    m->edge_begin[m->choices] = m->edges;
    for (size_t i = 0; i < pairs->count; i++)
        m->pairs[i] = pairs->items[i];
    m->pairs[pairs->count].inf = UINT64_C(1) << SINK_MARK;
    m->process = (graph_process){.state_count = m->nodes,
                                 .choice_count = m->choices,
                                 .edge_count = m->edges,
                                 .choice_begin = m->choice_begin,
                                 .edge_begin = m->edge_begin,
                                 .target = m->target,
                                 .prob = m->prob};
    m->problem = (solve_problem){.process = &m->process,
                                 .marks = m->marks,
                                 .pairs = m->pairs,
                                 .pair_count = (uint32_t)pairs->count + 1,
                                 .exact = m->exact};
}

/* The policy's choice by node, numbered as in the plain model. */
static void read_policy(const plain *m, const omega_pac_optimistic_model *o, uint32_t *policy)
{
    for (uint32_t i = 0; i < m->nodes; i++) {
        policy[i] = m->choice_begin[i];
        if (i == m->sink)
            continue;
        uint32_t wanted = omega_pac_optimistic_model_choice(o, m->product_state[i]);
        while (m->choice[policy[i]] != wanted) {
            policy[i]++;
            assert_true(policy[i] < m->choice_begin[i + 1]);
        }
    }
}

static double number(const base_rational *r)
{
    double value, lower, upper;
    rational_to_double(r, &value, &lower, &upper);
    return value;
}

static void check_policy(const plain *m, const omega_pac_optimistic_model *o, base_rational **best)
{
    base_rational *found[NODES];
    uint32_t policy[NODES];
    omega_pac_value value = omega_pac_optimistic_model_value(o);
    read_policy(m, o, policy);
    brute_values_new(m->nodes, found);
    brute_evaluate(&m->problem, policy, found);
    for (uint32_t i = 0; i < m->nodes; i++) {
        if (number(best[i]) == 1)
            assert_true(rational_compare(found[i], best[i]) == 0);
        assert_true(number(found[i]) >= number(best[i]) - 1e-8);
        for (uint32_t c = m->choice_begin[i]; c < m->choice_begin[i + 1]; c++)
            if (m->unknown[c]) { /* the lowest comes first */
                assert_int_equal(policy[i], c);
                break;
            }
    }
    assert_true(value.lower <= number(best[0]));
    assert_true(number(best[0]) <= value.upper);
    assert_true(value.lower <= number(found[0]) + 1e-15);
    assert_true(value.upper - value.lower <= 1e-8);
    brute_values_free(m->nodes, found);
}

/* ---- stopping and risk, step by step ---- */

static void check_steps(const plain *m, omega_pac_optimistic_model *o, uint64_t horizon)
{
    uint32_t policy[NODES];
    double mass[NODES] = {1}, hit = 0, risk;
    bool is_there[NODES] = {true}, is_done = true, done, all;
    opac_error error;
    read_policy(m, o, policy);
    for (uint64_t t = 0; t < horizon; t++) {
        double next[NODES] = {0};
        bool next_there[NODES] = {0};
        for (uint32_t i = 0; i < m->nodes; i++) {
            if (!is_there[i])
                continue;
            if (m->unknown[policy[i]]) {
                is_done = false;
                hit += mass[i];
                continue;
            }
            for (uint32_t e = m->edge_begin[policy[i]]; e < m->edge_begin[policy[i] + 1]; e++) {
                next[m->target[e]] += m->prob[e] * mass[i];
                next_there[m->target[e]] = true;
            }
        }
        memcpy(mass, next, sizeof mass);
        memcpy(is_there, next_there, sizeof is_there);
    }
    assert_ok(omega_pac_optimistic_model_is_done(o, horizon, false, &done, &error), &error);
    assert_ok(omega_pac_optimistic_model_is_done(o, horizon, true, &all, &error), &error);
    assert_int_equal(done, is_done);
    assert_int_equal(all, is_done);
    assert_ok(omega_pac_optimistic_model_risk(o, horizon, &risk, &error), &error);
    assert_true(risk >= hit * (1 - 1e-12));
    assert_true(risk <= hit * (1 + 2e-9));
    assert_true(risk <= 1);
}

/* The chain is what the policy reaches. */
static void check_chain(const plain *m, omega_pac_optimistic_model *o)
{
    sample_chain chain;
    uint32_t policy[NODES], count = 0;
    bool met[NODES] = {true};
    opac_error error;
    read_policy(m, o, policy);
    for (uint32_t round = 0; round < m->nodes; round++)
        for (uint32_t i = 0; i < m->nodes; i++)
            for (uint32_t e = m->edge_begin[policy[i]];
                 met[i] && !m->unknown[policy[i]] && e < m->edge_begin[policy[i] + 1]; e++)
                met[m->target[e]] = true;
    assert_ok(omega_pac_optimistic_model_chain(o, &chain, &error), &error);
    assert_ok(graph_process_check(&chain.process, 1e-12, &error), &error);
    assert_int_equal(chain.product_states[0], m->product_state[0]);
    for (uint32_t i = 0; i < m->nodes; i++)
        count += met[i];
    assert_int_equal(chain.process.state_count, count);
    for (uint32_t s = 0; s < count; s++) {
        uint32_t i = 0;
        while (m->product_state[i] != chain.product_states[s])
            i++;
        assert_true(met[i]);
        assert_int_equal(chain.choice[s], m->choice[policy[i]]);
        uint32_t has = chain.process.choice_begin[s + 1] - chain.process.choice_begin[s];
        assert_int_equal(has, m->unknown[policy[i]] ? 0 : 1);
    }
}

/* ---- random histories ---- */

typedef struct history {
    toy_run run;
    omega_pac_optimistic_model *repairs, *solves;
    base_u32_vec changed;
    uint32_t *policy; /* of `repairs`, by pair, when it was last looked at */
    size_t product_states;
    uint64_t checked, between, repaired;
} history;

static omega_pac_optimistic_model *new_optimist(const toy_run *run, sample_statistics *stats,
                                                bool never_repair)
{
    omega_pac_optimistic_model_options options = {.pairs = run->pairs.items,
                                                  .pair_count = (uint32_t)run->pairs.count,
                                                  .never_repair = never_repair};
    omega_pac_optimistic_model *o;
    opac_error error;
    assert_ok(omega_pac_optimistic_model_new(stats, &options, &o, &error), &error);
    return o;
}

/* Changed choices of earlier product states are listed as changes. */
static void check_changes(history *h)
{
    const uint32_t *told;
    size_t count;
    if (omega_pac_optimistic_model_changes(h->repairs, &told, &count))
        for (uint32_t p = 0; p < h->product_states; p++) {
            bool is_told = false;
            for (size_t i = 0; i < count; i++)
                is_told |= told[i] == p;
            assert_true(is_told ||
                        h->policy[p] == omega_pac_optimistic_model_choice(h->repairs, p));
        }
}

static void note_policy(history *h)
{
    h->product_states = h->run.stats.product_states.count;
    h->policy = realloc(h->policy, (h->product_states + 1) * sizeof *h->policy);
    assert_non_null(h->policy);
    for (uint32_t p = 0; p < h->product_states; p++)
        h->policy[p] = omega_pac_optimistic_model_choice(h->repairs, p);
}

static void check_all(history *h, uint64_t *random)
{
    plain m;
    base_rational *best[NODES];
    omega_pac_value a = omega_pac_optimistic_model_value(h->repairs),
                    b = omega_pac_optimistic_model_value(h->solves);
    assert_true(fabs(a.lower - b.lower) <= 2e-9);
    assert_true(fabs(a.upper - b.upper) <= 2e-9);
    make_plain(&m, &h->run.stats, &h->run.pairs);
    if (!m.fits)
        return;
    brute_values_new(m.nodes, best);
    brute_optimum(&m.problem, best);
    check_policy(&m, h->repairs, best);
    check_policy(&m, h->solves, best);
    check_steps(&m, h->repairs, random_below(random, 12));
    check_steps(&m, h->repairs, random_below(random, 300));
    check_steps(&m, h->solves, random_below(random, 12));
    check_chain(&m, h->repairs);
    h->checked++;
    h->between += number(best[0]) > 0 && number(best[0]) < 1;
    brute_values_free(m.nodes, best);
}

/* One more episode, and a policy for what it made known. */
static void advance(history *h, uint64_t *random, uint64_t episode)
{
    opac_error error;
    toy_episode how = {.seed = env_episode_seed(3, episode), .steps = 1 + random_below(random, 12)};
    how.model = random_below(random, 4) > 0 ? h->repairs : NULL;
    assert_ok(toy_walk(&h->run, how, &error), &error);
    note_policy(h); /* also for product states that were added in this episode */
    h->changed.count = 0;
    assert_ok(sample_statistics_refresh(&h->run.stats, &h->changed, &error), &error);
    assert_ok(omega_pac_optimistic_model_update(h->repairs, &h->changed, &error), &error);
    check_changes(h);
    assert_ok(omega_pac_optimistic_model_update(h->solves, &h->changed, &error), &error);
}

/* After save and restore, an optimistic model behaves as the original. */
static void replace(history *h)
{
    base_u64_vec words = {0}, again = {0};
    opac_error error;
    omega_pac_optimistic_model *other = new_optimist(&h->run, &h->run.stats, false);
    assert_ok(omega_pac_optimistic_model_save(h->repairs, &words, &error), &error);
    assert_ok(omega_pac_optimistic_model_restore(other, words.items, words.count, &error), &error);
    assert_ok(omega_pac_optimistic_model_save(other, &again, &error), &error);
    assert_int_equal(again.count, words.count);
    assert_memory_equal(&again.items[1], &words.items[1], (words.count - 1) * sizeof *words.items);
    for (uint32_t p = 0; p < h->run.stats.product_states.count; p++)
        assert_int_equal(omega_pac_optimistic_model_choice(other, p),
                         omega_pac_optimistic_model_choice(h->repairs, p));
    assert_int_equal(omega_pac_optimistic_model_solves(other),
                     omega_pac_optimistic_model_solves(h->repairs));
    omega_pac_optimistic_model_free(h->repairs);
    h->repairs = other;
    base_u64_vec_fini(&words);
    base_u64_vec_fini(&again);
}

static void run_history(uint64_t *random, bool as_model, bool count_pairs, history *sum)
{
    toy t;
    history h = {0};
    opac_automaton *automaton = toy_automaton(random, random_below(random, 3) > 0);
    sample_statistics_options options = {.k = 1 + random_below(random, 3),
                                         .count_pairs = count_pairs};
    toy_draw(random, 1 + random_below(random, 5), random_below(random, 3) == 0, &t);
    if (toy_begin(&h.run, random, &t, as_model, automaton, options)) {
        h.repairs = new_optimist(&h.run, &h.run.stats, false);
        h.solves = new_optimist(&h.run, &h.run.stats, true);
        for (uint64_t i = 0; i < 14; i++) {
            advance(&h, random, i);
            check_all(&h, random);
            if (random_below(random, 5) == 0)
                replace(&h);
        }
        sum->checked += h.checked;
        sum->between += h.between;
        sum->repaired += omega_pac_optimistic_model_solves(h.solves) -
                         omega_pac_optimistic_model_solves(h.repairs);
        omega_pac_optimistic_model_free(h.repairs);
        omega_pac_optimistic_model_free(h.solves);
        base_u32_vec_fini(&h.changed);
        free(h.policy);
        toy_end(&h.run);
    }
    opac_automaton_free(automaton);
}

static void test_histories(void **state)
{
    uint64_t random = random_seed(63);
    history sum = {0};
    (void)state;
    if (!base_rational_available())
        skip();
    for (int i = 0; i < 120; i++)
        run_history(&random, i % 2 == 0, i % 4 < 2, &sum);
    print_message("%u models, %u with a value between 0 and 1, %u updates without the solver\n",
                  (unsigned)sum.checked, (unsigned)sum.between, (unsigned)sum.repaired);
    assert_true(sum.checked > 300);
    assert_true(sum.between > 20);
    assert_true(sum.repaired > 300);
}

/* ---- by hand ---- */

/* Two observations of an action of product state `from`, with G F a. */
static void observe_two(sample_statistics *w, uint32_t from, uint32_t action, uint32_t to,
                        uint32_t other)
{
    uint32_t choice = w->product_states.items[from].choice + action, branch;
    uint32_t counter = w->choices.items[choice].counter,
             state = w->product_states.items[from].state;
    uint32_t targets[2] = {to, other};
    opac_error error;
    for (int i = 0; i < 2; i++) {
        assert_ok(sample_statistics_branch(w, sample_statistics_row(w, state, action),
                                           w->product_states.items[targets[i]].state, &branch,
                                           &error),
                  &error);
        assert_ok(sample_statistics_observe(w, counter, branch, 1, &error), &error);
    }
}

typedef struct hand {
    toy t;
    toy_run run;
    omega_pac_optimistic_model *o;
    uint32_t product_state[4];
} hand;

/* Four states with so many actions; a holds in one. Takes the automaton, of one mark. */
static void begin_hand(hand *h, opac_automaton *automaton, const uint32_t *actions, uint32_t holds)
{
    uint64_t random = 1;
    opac_error error;
    h->t = (toy){.states = 1, .initials = 1};
    assert_true(
        toy_begin(&h->run, &random, &h->t, false, automaton, (sample_statistics_options){.k = 2}));
    h->o = new_optimist(&h->run, &h->run.stats, false);
    for (uint32_t i = 0; i < 4; i++) {
        opac_observation seen = {
            .key = &i, .length = sizeof i, .letter = i == holds, .actions = actions[i]};
        uint32_t state;
        assert_ok(sample_statistics_add_state(&h->run.stats, &seen, &state, &error), &error);
        if (i == 0)
            assert_ok(sample_statistics_begin_episode(&h->run.stats, state, &error), &error);
        assert_ok(
            sample_statistics_product_state(&h->run.stats, state, 0, &h->product_state[i], &error),
            &error);
    }
    assert_ok(omega_pac_optimistic_model_solve_canonical(h->o, &error), &error);
}

static void end_hand(hand *h)
{
    omega_pac_optimistic_model_free(h->o);
    toy_end(&h->run);
    opac_automaton_free(h->run.automaton);
}

static void tell(hand *h, uint32_t from, uint32_t action, uint32_t to, uint32_t other)
{
    base_u32_vec changed = {0};
    opac_error error;
    observe_two(&h->run.stats, h->product_state[from], action, h->product_state[to],
                h->product_state[other]);
    assert_ok(sample_statistics_refresh(&h->run.stats, &changed, &error), &error);
    assert_int_equal(changed.count, 1);
    assert_ok(omega_pac_optimistic_model_update(h->o, &changed, &error), &error);
    base_u32_vec_fini(&changed);
}

/* A choice that may lose is no repair, even if it leads to an unknown choice, too. */
static void test_lost(void **state)
{
    hand h;
    opac_error error;
    (void)state;
    begin_hand(&h, toy_recurrence(), (uint32_t[]){2, 0, 1, 1}, 3);
    tell(&h, 0, 0, 1, 2); /* to a state that loses, and to one with an unknown action */
    assert_ok(omega_pac_optimistic_model_solve_canonical(h.o, &error), &error);
    assert_true(omega_pac_optimistic_model_value(h.o).lower == 1);
    tell(&h, 0, 1, 0, 0);
    assert_int_equal(omega_pac_optimistic_model_choice(h.o, h.product_state[0]),
                     h.run.stats.product_states.items[0].choice);
    assert_true(fabs(omega_pac_optimistic_model_value(h.o).lower - 0.5) < 1e-8);
    end_hand(&h);
}

/* A product state that wins without unknown choices is an end: repair needs no solver. */
static void test_closed(void **state)
{
    hand h;
    (void)state;
    begin_hand(&h, toy_recurrence(), (uint32_t[]){1, 1, 1, 1}, 3);
    tell(&h, 3, 0, 3, 3);
    tell(&h, 0, 0, 1, 2);
    assert_int_equal(omega_pac_optimistic_model_solves(h.o), 1);
    tell(&h, 1, 0, 3, 3); /* state 3 was not solved yet */
    assert_int_equal(omega_pac_optimistic_model_solves(h.o), 2);
    tell(&h, 2, 0, 3, 3);
    assert_int_equal(omega_pac_optimistic_model_solves(h.o), 2);
    assert_true(omega_pac_optimistic_model_value(h.o).lower == 1);
    end_hand(&h);
}

/* Several paths to one unknown choice: no repair needs the solver. */
static void test_paths(void **state)
{
    hand h;
    (void)state;
    begin_hand(&h, toy_recurrence(), (uint32_t[]){1, 1, 1, 2}, 3);
    tell(&h, 0, 0, 1, 2);
    tell(&h, 1, 0, 3, 3);
    tell(&h, 2, 0, 3, 3);
    tell(&h, 3, 0, 0, 0);
    assert_int_equal(omega_pac_optimistic_model_choice(h.o, h.product_state[3]),
                     h.run.stats.product_states.items[3].choice + 1);
    assert_int_equal(omega_pac_optimistic_model_solves(h.o), 1);
    assert_true(omega_pac_optimistic_model_value(h.o).lower == 1);
    end_hand(&h);
}

/* All edges to the universal sink are one. */
static void test_universal(void **state)
{
    hand h;
    sample_chain chain;
    opac_error error;
    (void)state;
    begin_hand(&h, toy_eventually(), (uint32_t[]){1, 1, 1, 1}, 0);
    tell(&h, 0, 0, 1, 2);
    assert_true(omega_pac_optimistic_model_value(h.o).lower == 1);
    assert_ok(omega_pac_optimistic_model_chain(h.o, &chain, &error), &error);
    assert_int_equal(chain.process.state_count, 2);
    assert_int_equal(chain.process.edge_count, 2);
    assert_true(chain.process.prob[0] == 1);
    assert_true(chain.process.prob[1] == 1);
    end_hand(&h);
}

/* ---- words that do not fit ---- */

static void test_wrong_words(void **state)
{
    uint64_t random = 1;
    toy t = {.states = 2, .initials = 1, .actions = {2, 1}, .letter = {0, 1}};
    toy_run run;
    opac_error error;
    opac_automaton *automaton = toy_recurrence();
    base_u64_vec words = {0};
    (void)state;
    assert_true(
        toy_begin(&run, &random, &t, false, automaton, (sample_statistics_options){.k = 100}));
    omega_pac_optimistic_model *o = new_optimist(&run, &run.stats, false);
    assert_ok(toy_walk(&run, (toy_episode){.steps = 9}, &error), &error);
    assert_ok(sample_statistics_refresh(&run.stats, NULL, &error), &error);
    assert_ok(omega_pac_optimistic_model_update(o, NULL, &error), &error);
    assert_ok(omega_pac_optimistic_model_save(o, &words, &error), &error);
    assert_ok(omega_pac_optimistic_model_restore(o, words.items, words.count, &error), &error);
    static const struct {
        size_t at;
        uint64_t word;
    } wrong[] = {{0, 2},
                 {0, UINT64_MAX},
                 {3, UINT64_C(0x4000000000000000)},    /* 2.0 */
                 {3, UINT64_C(0x7ff8000000000000)},    /* not a number */
                 {4, 0},                               /* upper below lower */
                 {5, UINT64_C(7) << 32 | SAMPLE_NONE}, /* no such choice */
                 {5, 1},                               /* no such pair */
                 {6, UINT64_C(0xbff0000000000000)},    /* -1.0 */
                 {7, 1 | 4},
                 {5, UINT64_C(0xffffffffffffffff)}}; /* sure, without a choice */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint64_t right = words.items[wrong[i].at];
        words.items[wrong[i].at] = wrong[i].word;
        assert_status(omega_pac_optimistic_model_restore(o, words.items, words.count, &error),
                      OPAC_ERROR_ARGUMENT);
        words.items[wrong[i].at] = right;
    }
    for (size_t n = 0; n < words.count; n++)
        assert_status(omega_pac_optimistic_model_restore(o, words.items, n, &error),
                      OPAC_ERROR_ARGUMENT);
    assert_ok(omega_pac_optimistic_model_restore(o, words.items, words.count, &error), &error);
    base_u64_vec_fini(&words);
    omega_pac_optimistic_model_free(o);
    toy_end(&run);
    opac_automaton_free(automaton);
}

/* ---- conditions that name every mark, or accept nothing ---- */

static void test_marks(void **state)
{
    static const solve_rabin_pair all[] = {{UINT64_MAX, UINT64_MAX}, {UINT64_MAX - 2, 2}};
    static const solve_rabin_pair buchi[] = {{0, 1}};
    static const solve_rabin_pair nothing[] = {{UINT64_MAX, UINT64_MAX}};
    static const struct {
        const solve_rabin_pair *pairs;
        uint32_t count;
        double value; /* when everything is known: the automaton has mark 0 alone */
    } cases[] = {{all, 2, 0}, {nothing, 1, 0}, {NULL, 0, 0}, {buchi, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t random = 1;
        toy t = {.states = 1, .initials = 1, .actions = {1}, .letter = {1}};
        toy_run run;
        opac_error error;
        omega_pac_optimistic_model *o;
        opac_automaton *automaton = toy_recurrence();
        bool done;
        assert_true(
            toy_begin(&run, &random, &t, false, automaton, (sample_statistics_options){.k = 2}));
        omega_pac_optimistic_model_options options = {.pairs = cases[i].pairs,
                                                      .pair_count = cases[i].count};
        assert_ok(omega_pac_optimistic_model_new(&run.stats, &options, &o, &error), &error);
        assert_ok(omega_pac_optimistic_model_update(o, NULL, &error),
                  &error); /* nothing was seen */
        assert_true(omega_pac_optimistic_model_value(o).lower == 1);
        assert_ok(omega_pac_optimistic_model_is_done(o, 5, false, &done, &error), &error);
        assert_false(done);
        for (int j = 0; j < 3; j++) {
            assert_ok(toy_walk(&run, (toy_episode){.steps = 1}, &error), &error);
            assert_ok(sample_statistics_refresh(&run.stats, NULL, &error), &error);
            assert_ok(omega_pac_optimistic_model_update(o, NULL, &error), &error);
            assert_true(omega_pac_optimistic_model_value(o).lower == (j == 0 ? 1 : cases[i].value));
            assert_ok(omega_pac_optimistic_model_is_done(o, 5, false, &done, &error), &error);
            assert_int_equal(done, j > 0);
        }
        omega_pac_optimistic_model_free(o);
        toy_end(&run);
        opac_automaton_free(automaton);
    }
}

/* ---- memory ---- */

typedef struct sweep {
    toy *t;
    opac_automaton *automaton;
    const product_rabin_pair_vec *pairs;
    bool count_pairs;
} sweep;

static opac_status sweep_updates(toy_run *run, omega_pac_optimistic_model *o, base_u64_vec *words,
                                 opac_error *error)
{
    base_u32_vec changed = {0};
    opac_status status = OPAC_OK;
    for (uint64_t i = 0; i < 8 && status == OPAC_OK; i++) {
        bool done;
        double risk;
        sample_chain chain;
        changed.count = 0;
        status = toy_walk(run, (toy_episode){.model = o, .seed = i, .steps = 8}, error);
        if (status == OPAC_OK)
            status = sample_statistics_refresh(&run->stats, &changed, error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_update(o, i == 5 ? NULL : &changed, error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_is_done(o, 6, false, &done, error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_risk(o, 6, &risk, error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_chain(o, &chain, error);
        words->count = 0;
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_save(o, words, error);
        if (status == OPAC_OK)
            status = omega_pac_optimistic_model_restore(o, words->items, words->count, error);
    }
    base_u32_vec_fini(&changed);
    return status;
}

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
    sample_statistics_options options = {.k = 1, .count_pairs = s->count_pairs};
    omega_pac_optimistic_model *o = NULL;
    base_u64_vec words = {0};
    opac_status status = opac_environment_new(&callbacks, s->t, &run.env, error);
    if (status != OPAC_OK)
        return status;
    status = sample_statistics_init(&run.stats, run.env, s->automaton, &options, error);
    if (status == OPAC_OK)
        status = omega_pac_optimistic_model_new(
            &run.stats,
            &(omega_pac_optimistic_model_options){.pairs = s->pairs->items,
                                                  .pair_count = (uint32_t)s->pairs->count},
            &o, error);
    if (status == OPAC_OK)
        status = sweep_updates(&run, o, &words, error);
    omega_pac_optimistic_model_free(o);
    base_u64_vec_fini(&words);
    sample_statistics_fini(&run.stats);
    opac_environment_free(run.env);
    return status;
}

static void test_faults(void **state)
{
    uint64_t random = random_seed(64);
    (void)state;
    for (int i = 0; i < 4; i++) {
        toy t;
        toy_run run;
        opac_automaton *automaton = toy_automaton(&random, true);
        toy_draw(&random, 4, i % 2 == 0, &t);
        assert_true(
            toy_begin(&run, &random, &t, false, automaton, (sample_statistics_options){.k = 1}));
        sweep s = {.t = &t, .automaton = automaton, .pairs = &run.pairs, .count_pairs = i % 4 < 2};
        assert_true(faults_sweep(sweep_run, &s) > 20);
        toy_end(&run);
        opac_automaton_free(automaton);
    }
}

SUITE(optimistic_model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_histories), cmocka_unit_test(test_lost),
        cmocka_unit_test(test_closed),    cmocka_unit_test(test_universal),
        cmocka_unit_test(test_paths),     cmocka_unit_test(test_wrong_words),
        cmocka_unit_test(test_marks),     cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
