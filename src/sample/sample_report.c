/* SPDX-License-Identifier: MIT */
/* Access to the results of a learning, and its policy by keys of states. */
#include "aut/automaton.h"
#include "sample/assumptions.h"
#include "sample/learning.h"

const opac_learn_report *opac_learning_report(const opac_learning *learning)
{
    return &learning->report;
}

/* If the automaton may not be good for MDPs, the report's probabilities are lower bounds only. NAN
 * contradicts nothing. */
bool opac_learn_contradicts(const opac_learn_report *report, double policy, double optimum)
{
    const double tolerance = 2e-6; /* the values have relative errors of up to 1e-6 */
    bool is_low = policy < report->lower - tolerance && !report->is_guess;
    bool is_beyond = report->is_least ? optimum < report->optimum_upper - tolerance
                                      : optimum > report->optimum_upper + tolerance;
    return is_low || policy > report->upper + tolerance || is_beyond;
}

const char *opac_learning_statement(const opac_learning *learning)
{
    return learning->statement != NULL ? learning->statement : "";
}

const char *opac_learning_assumption(const opac_learning *learning, size_t index)
{
    return index < learning->assumptions.count ? learning->assumptions.items[index] : NULL;
}

/* pmin does not bound the probabilities of a random start; pmin_start does. */
bool sample_is_declared_deterministic(const opac_learning *l)
{
    const opac_learn_options *o = &l->options;
    bool has_one_start = !l->traits.random_start || o->pmin_start == 1;
    return o->deterministic || o->branching == 1 ||
           (o->pmin == 1 && o->pmin_of == NULL && has_one_start);
}

/* A resumed run was also tested before its interruption, so the options decide, not what was run since. */
const char *opac_learning_tested(const opac_learning *l)
{
    bool is_drawn = l->report.steps == 0 || l->report.episodes == 0 ||
                    l->report.sampler == OPAC_SAMPLER_POPULATION;
    if (l->traits.is_model || (l->report.steps == 0 && !l->trial_done))
        return NULL;
    if (l->options.untested)
        return SAMPLE_UNTESTED;
    if (sample_is_declared_deterministic(l))
        return l->run.stats.most.branching > 1 ? NULL : SAMPLE_TESTED_DETERMINISTIC;
    if (is_drawn)
        return SAMPLE_TESTED_TRIAL;
    return l->options.nothing_known ? SAMPLE_TESTED_WHOLE : SAMPLE_TESTED;
}

static const void *find_key(const opac_learning *l, uint32_t state, size_t *length)
{
    *length = 0;
    return state != SAMPLE_NONE ? base_intern_key(&l->run.stats.keys, state, length) : NULL;
}

bool opac_learning_refuted(const opac_learning *learning, opac_refuted_pair *pair)
{
    const sample_refutation *found = &learning->refuted;
    *pair = (opac_refuted_pair){.key = NULL};
    if (found->kind == OPAC_REFUTED_NONE)
        return false;
    if (found->row != SAMPLE_NONE) {
        const sample_row *row = &learning->run.stats.rows.items[found->row];
        pair->key = find_key(learning, row->state, &pair->length);
        pair->action = row->state != SAMPLE_NONE ? row->action : 0;
    }
    pair->successor = find_key(learning, found->state, &pair->successor_length);
    return true;
}

const opac_automaton *opac_learning_automaton(const opac_learning *learning)
{
    return learning->automaton;
}

const opac_trace_entry *opac_learning_trace(const opac_learning *learning, size_t *count)
{
    *count = learning->trace.count;
    return learning->trace.items;
}

/* ---- the policy, by key ---- */

/*
 * The product state, SAMPLE_NONE if it was not added; universal memories have none, their runs are decided.
 */
static uint32_t find_product_state(const opac_learning *l, uint32_t state, uint32_t memory)
{
    const sample_statistics *stats = &l->run.stats;
    uint32_t product_state = stats->states.items[state].product_state;
    while (product_state != SAMPLE_NONE &&
           stats->product_states.items[product_state].memory != memory)
        product_state = stats->product_states.items[product_state].next;
    return product_state;
}

uint32_t opac_learning_start(const opac_learning *learning, const void *key, size_t length)
{
    const sample_statistics *stats = &learning->run.stats;
    const opac_automaton *automaton = learning->automaton;
    (void)key; /* the automaton has read nothing yet */
    (void)length;
    if (stats->start != SAMPLE_NONE &&
        stats->product_states.items[stats->start].state == SAMPLE_NONE) {
        uint32_t choice = sample_run_choice(&learning->run, stats->start);
        uint32_t memory = stats->choices.items[choice].memory;
        if (memory != SAMPLE_NONE)
            return memory;
    }
    return automaton->initial_count > 0 ? automaton->initial[0] : 0;
}

/*
 * Follows free choices first. There are no cycles of epsilon moves, but other free choices may form cycles.
 */
bool sample_act(const opac_learning *learning, const uint32_t *choices, uint32_t product_state,
                uint32_t *memory, uint32_t *action)
{
    const sample_statistics *stats = &learning->run.stats;
    *action = 0;
    for (size_t left = (size_t)learning->automaton->state_count + 1; left > 0; left--) {
        uint32_t number = choices != NULL ? choices[product_state]
                                          : sample_run_choice(&learning->run, product_state);
        const sample_choice *choice = &stats->choices.items[number];
        if (choice->memory != SAMPLE_NONE)
            *memory = choice->memory;
        if (choice->action != SAMPLE_NONE) {
            *action = choice->action;
            return true;
        }
        if (stats->product_states.items[choice->target].state == SAMPLE_NONE)
            return false;
        product_state = choice->target;
        if (stats->states.items[stats->product_states.items[product_state].state].actions == 0)
            return false;
    }
    return false;
}

/* As documented in learning.h, the policy has default decisions for unknown states and product states. */
uint32_t opac_learning_act(const opac_learning *learning, const void *key, size_t length,
                           uint32_t *memory)
{
    uint32_t state, action = 0;
    if (!base_intern_find(&learning->run.stats.keys, length > 0 ? key : "", length, &state))
        return 0;
    uint32_t product_state = find_product_state(learning, state, *memory);
    if (product_state == SAMPLE_NONE)
        *memory = aut_successor(learning->automaton, *memory,
                                learning->run.stats.states.items[state].letter);
    else
        sample_act(learning, NULL, product_state, memory, &action);
    return action;
}

void sample_report_counts(opac_learning *l)
{
    opac_learn_report *r = &l->report;
    const sample_run *run = &l->run;
    r->automaton_states = l->automaton->state_count;
    uint64_t states = r->states > 0 ? r->states : run->stats.states.count;
    r->product_states = opac_count_of(states);
    if (r->automaton_states > 0)
        r->product_states = opac_count_times(&r->product_states, r->automaton_states);
    r->product_reachable = run->stats.product_states.count;
    r->episodes = run->episodes;
    r->steps = run->steps;
    r->taken = l->traits.is_tabulated ? 0 : env_steps_taken(run->stats.env);
    for (unsigned i = 1; run->forks != NULL && i < l->threads && !l->traits.is_tabulated; i++)
        r->taken += env_steps_taken(run->forks[i]);
    r->known = sample_statistics_finished(&run->stats);
    r->policies = run->policies;
    r->solves = run->policies;
    r->states_seen = run->stats.states.count;
    r->pairs_seen = run->stats.counters.count;
    r->samples = 0;
    for (size_t i = 0; i < run->stats.counters.count; i++)
        r->samples += run->stats.counters.items[i].count;
}
