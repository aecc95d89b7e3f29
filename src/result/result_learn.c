/* SPDX-License-Identifier: MIT */
/* The JSON of a result of learn. Its text is made in result_learn_text.c. */
#include "result/result_learn.h"

#include <math.h>
#include <string.h>

#include "result/document.h"
#include "result/members.h"
#include "result/result_policy.h"
#include "result/result_read.h"

enum {
    MOST_TRACE = 1000, /* trace entries in a result */
    MEBIBYTE = 1 << 20
};

/* ---- verdicts ---- */

bool result_has_bracket(const opac_learn_report *report)
{
    return report->is_bracket && !isnan(report->lower) && !isnan(report->upper);
}

/* Whether the run maintained a bracket from T; report.horizon is 0 with pmin or a graph. */
static bool has_horizon(const opac_learn_report *report)
{
    return report->is_bracket && report->horizon > 0;
}

/* Whether pairs may be complete: with pmin or a graph. */
static bool has_complete(const opac_learn_report *report)
{
    return report->is_bracket && report->horizon == 0 && !report->nothing_known;
}

bool opac_learn_is_contradicted(const opac_learn_answer *answer)
{
    return opac_learn_contradicts(opac_learning_report(answer->learning), answer->truth->policy,
                                  answer->truth->optimum);
}

bool opac_learn_holds(const opac_learn_answer *answer)
{
    return opac_learning_report(answer->learning)->holds && !opac_learn_is_contradicted(answer);
}

/* ---- inputs ---- */

/* The N and K that omega-PAC computed k from. */
static void put_theory(opac_json *json, const opac_learn_report *report)
{
    if (report->is_bracket || report->theory_states == 0)
        return;
    result_put_uint(json, "N", report->theory_states);
    result_put_uint(json, "K", report->theory_actions);
}

void result_put_learn_inputs(opac_json *json, const opac_learn_answer *answer,
                             const opac_learn_report *report, const opac_result_source *source)
{
    const opac_model *model = answer->model;
    opac_json_key(json, "inputs");
    opac_json_begin_object(json);
    result_put_text(json, "model", source == NULL ? NULL : source->model);
    result_put_text(json, "objective", answer->objective);
    if (model != NULL)
        result_put_text(json, "type", opac_model_type_name(opac_model_get_type(model)));
    result_put_uint(json, "states", report->states);
    if (model != NULL && opac_model_states(model) != report->states)
        result_put_uint(json, "model_states", opac_model_states(model));
    result_put_uint(json, "actions", report->actions);
    result_put_uint(json, "branching", report->branching);
    result_put_uint(json, "automaton_states", report->automaton_states);
    if (answer->learning != NULL)
        result_put_written(json, "automaton_acceptance", opac_learning_automaton(answer->learning),
                           opac_automaton_write_acceptance_name);
    if (report->states > 0)
        result_put_count(json, "product_states", &report->product_states);
    else
        result_put_text(json, "product_states", NULL);
    result_put_uint(json, "product_reachable", report->product_reachable);
    put_theory(json, report);
    opac_json_end_object(json);
}

/* ---- params ---- */

/* Copies a member of the source's params, if it has one. */
static bool put_given(opac_json *json, const opac_result *result, const char *key)
{
    base_json_value value = {0};
    if (result->given != NULL)
        value = result_get(base_json_root(result->given), key);
    if (!base_json_is_there(value))
        return false;
    opac_json_key(json, key);
    result_put_value(json, value);
    return true;
}

static void put_word(opac_json *json, const char *key, opac_learn_enum words, unsigned value)
{
    result_put_text(json, key, opac_learn_enum_name(words, value));
}

static void put_known(opac_json *json, const opac_learn_options *o, const opac_result *result)
{
    result_put_flag(json, "nothing_known", o->nothing_known);
    result_put_double(json, "pmin", o->pmin > 0 ? o->pmin : NAN);
    if (o->pmin_of != NULL)
        result_put_flag(json, "pmin_function", true);
    result_put_double(json, "pmin_start", o->pmin_start > 0 ? o->pmin_start : NAN);
    if (o->alike && !put_given(json, result, "alike"))
        result_put_text(json, "alike", "outcomes");
    if (o->alike)
        result_put_double(json, "pmin_outcome", o->pmin_outcome > 0 ? o->pmin_outcome : NAN);
    if (!put_given(json, result, "graph"))
        result_put_text(json, "graph", o->graph != NULL ? "model" : NULL);
    put_word(json, "explore", OPAC_ENUM_EXPLORE, o->explore);
}

/* Of a bracket from T. */
static void put_width(opac_json *json, const opac_learn_options *o, const opac_learn_report *report)
{
    result_put_uint(json, "T", report->horizon);
    result_put_flag(json, "T_auto", o->horizon == 0);
    result_put_double(json, "target", report->gap_wanted);
}

static const char *rule_of(const opac_learn_options *o)
{
    return o->target > 0 ? "target" : o->k > 0 ? "number" : opac_k_rule_name(o->k_rule);
}

static void put_horizon(opac_json *json, const opac_learn_options *o,
                        const opac_learn_report *report)
{
    result_put_uint(json, "T", report->horizon);
    result_put_flag(json, "T_auto", o->horizon == 0);
    result_put_uint(json, "k", report->k);
    result_put_text(json, "k_rule", rule_of(o));
    if (o->target > 0)
        result_put_double(json, "target", o->target);
    if (o->slack > 0)
        result_put_double(json, "slack", o->slack);
    put_word(json, "stop", OPAC_ENUM_STOP, o->stop);
    put_word(json, "counts", OPAC_ENUM_COUNTS, o->count_pairs);
    put_word(json, "sampler", OPAC_ENUM_SAMPLER, report->sampler);
    result_put_flag(json, "sampler_given", o->sampler != OPAC_SAMPLER_AUTO);
}

/* A declared bound; 0 if none was declared. */
static void put_declared(opac_json *json, const char *key, uint64_t number)
{
    if (number > 0)
        result_put_uint(json, key, number);
}

static void put_limits(opac_json *json, const opac_learn_options *o)
{
    put_declared(json, "max_steps", o->max_steps);
    if (o->max_seconds > 0)
        result_put_double(json, "max_seconds", o->max_seconds);
    if (o->max_memory % MEBIBYTE == 0)
        put_declared(json, "max_memory", o->max_memory / MEBIBYTE);
    else
        result_put_double(json, "max_memory", (double)o->max_memory / MEBIBYTE);
}

void result_put_learn_params(opac_json *json, const opac_learn_options *options,
                             const opac_learn_report *report, const opac_result *result)
{
    opac_json_key(json, "params");
    opac_json_begin_object(json);
    result_put_double(json, "epsilon", options->epsilon > 0 ? options->epsilon : NAN);
    result_put_double(json, "delta", options->delta);
    if (options->at_least > 0)
        result_put_double(json, "at_least", options->at_least);
    if (has_horizon(report))
        put_width(json, options, report);
    else if (report->is_bracket)
        put_known(json, options, result);
    else
        put_horizon(json, options, report);
    result_put_text(json, "kind", opac_automaton_kind_name(options->kind));
    put_declared(json, "states", options->states);
    put_declared(json, "actions", options->actions);
    put_declared(json, "branching", options->branching);
    if (options->untested || options->trial_steps > 0)
        result_put_uint(json, "trial_steps", options->trial_steps);
    result_put_flag(json, "deterministic", options->deterministic);
    put_given(json, result, "automata");
    put_given(json, result, "from");
    put_given(json, result, "constants");
    put_limits(json, options);
    opac_json_end_object(json);
}

/* ---- the guarantee ---- */

/* The state of a key. False if the model does not have it, which a state of the graph alone may be. */
static bool find_state(const opac_model *model, const void *key, size_t length, uint32_t *state)
{
    if (key == NULL || length != sizeof *state)
        return false;
    memcpy(state, key, sizeof *state);
    return *state < opac_model_states(model);
}

static void put_pair_of_simulator(opac_json *json, const opac_environment *environment,
                                  const opac_refuted_pair *pair)
{
    if (pair->key != NULL) {
        const char *name =
            opac_environment_action_name(environment, pair->key, pair->length, pair->action);
        opac_environment_write_key_json(environment, pair->key, pair->length, json);
        result_put_text(json, "action", name == NULL ? "" : name);
        result_put_uint(json, "choice", pair->action);
    }
    if (pair->successor == NULL)
        return;
    opac_json_key(json, "successor");
    opac_json_begin_object(json);
    opac_environment_write_key_json(environment, pair->successor, pair->successor_length, json);
    opac_json_end_object(json);
}

static void put_pair_of_model(opac_json *json, const opac_model *model,
                              const opac_refuted_pair *pair)
{
    uint32_t state;
    if (find_state(model, pair->key, pair->length, &state) &&
        pair->action < opac_model_choice_count(model, state)) {
        uint32_t choice = opac_model_choice_begin(model, state) + pair->action;
        result_put_state(json, model, state);
        result_put_text(json, "action", opac_model_choice_action(model, choice));
        result_put_uint(json, "choice", pair->action);
    }
    if (find_state(model, pair->successor, pair->successor_length, &state)) {
        opac_json_key(json, "successor");
        opac_json_begin_object(json);
        result_put_state(json, model, state);
        opac_json_end_object(json);
    }
}

/* A refutation by the reset has neither state nor action, nor has one of T. */
static void put_refuted(opac_json *json, const opac_learn_answer *answer)
{
    const opac_learn_report *report = opac_learning_report(answer->learning);
    opac_refuted_pair pair;
    if (report->refutation == OPAC_REFUTED_NONE) {
        result_put_text(json, "refuted", NULL);
        return;
    }
    opac_json_key(json, "refuted");
    opac_json_begin_object(json);
    put_word(json, "by", OPAC_ENUM_REFUTATION, report->refutation);
    if (opac_learning_refuted(answer->learning, &pair)) {
        if (answer->model != NULL)
            put_pair_of_model(json, answer->model, &pair);
        else
            put_pair_of_simulator(json, answer->environment, &pair);
    }
    if (report->refutation != OPAC_REFUTED_RECURRENCE) {
        result_put_uint(json, "count", report->refuted_count);
        result_put_uint(json, "visits", report->refuted_visits);
    }
    opac_json_end_object(json);
}

/* With T, what remains of delta is for the test of T by episodes. */
static void put_parts_of_delta(opac_json *json, const opac_learn_report *report)
{
    opac_json_key(json, "delta");
    opac_json_begin_object(json);
    result_put_double(json, "support", report->delta_support);
    result_put_double(json, "interval", report->delta_interval);
    result_put_double(json, "episodes", report->delta_episodes);
    opac_json_end_object(json);
}

static void put_check(opac_json *json, const opac_learn_report *report)
{
    put_word(json, "T_check", OPAC_ENUM_CHECK, report->horizon_check);
    put_declared(json, "T_found", report->horizon_found);
    result_put_flag(json, "T_found_is_bound", report->horizon_is_bound);
}

static void put_statement(opac_json *json, const opac_learning *learning)
{
    const opac_learn_report *report = opac_learning_report(learning);
    const char *item;
    result_put_text(json, "statement", opac_learning_statement(learning));
    result_put_double(json, "error", report->error);
    result_put_double(json, "confidence", report->confidence);
    opac_json_key(json, "assumes");
    opac_json_begin_array(json);
    for (size_t i = 0; (item = opac_learning_assumption(learning, i)) != NULL; i++)
        opac_json_string(json, item);
    opac_json_end_array(json);
    if (opac_learning_tested(learning) != NULL)
        result_put_text(json, "tested", opac_learning_tested(learning));
}

static void put_guarantee(opac_json *json, const opac_learn_answer *answer)
{
    const opac_learn_report *report = opac_learning_report(answer->learning);
    opac_json_key(json, "guarantee");
    opac_json_begin_object(json);
    result_put_bool(json, "holds", opac_learn_holds(answer));
    result_put_flag(json, "contradicted", opac_learn_is_contradicted(answer));
    put_statement(json, answer->learning);
    if (report->is_bracket) {
        result_put_bool(json, "bracket", result_has_bracket(report));
        put_refuted(json, answer);
    }
    if (report->is_bracket)
        put_parts_of_delta(json, report);
    if (report->horizon > 0)
        put_check(json, report);
    put_word(json, "end", OPAC_ENUM_END, report->end);
    if (report->exceeded != NULL)
        result_put_text(json, "exceeded", report->exceeded);
    if (!report->is_bracket) {
        result_put_double(json, "c", report->accuracy);
        result_put_double(json, "eta", report->solver);
        result_put_double(json, "risk", report->risk);
    }
    opac_json_end_object(json);
}

/* ---- numbers ---- */

static void put_values(opac_json *json, const opac_learn_report *report)
{
    bool has_bounds = report->holds || result_has_bracket(report);
    opac_json_key(json, "result");
    opac_json_begin_object(json);
    result_put_double(json, "value", report->value);
    result_put_double(json, "lower", has_bounds ? report->lower : NAN);
    result_put_double(json, "upper", has_bounds ? report->upper : NAN);
    result_put_double(json, "optimum_upper", has_bounds ? report->optimum_upper : NAN);
    if (report->answer == OPAC_ANSWER_NONE)
        result_put_text(json, "answer", NULL);
    else
        put_word(json, "answer", OPAC_ENUM_ANSWER, report->answer);
    opac_json_end_object(json);
}

/* The policies that were tried, and the episodes from which the bound of the returned one is computed. */
static void put_trial(opac_json *json, const opac_learn_report *report)
{
    result_put_uint(json, "candidates", report->candidates);
    opac_json_key(json, "trial");
    opac_json_begin_object(json);
    result_put_uint(json, "episodes", report->trial_episodes);
    result_put_uint(json, "wins", report->trial_wins);
    if (report->trial_episodes > 0)
        result_put_uint(json, "steps", report->trial_horizon);
    result_put_text(json, "source",
                    report->lower_is_model       ? "model"
                    : report->trial_episodes > 0 ? "episodes"
                                                 : NULL);
    opac_json_end_object(json);
}

/* The number of solves depends on interruptions, so it is left out where times are. */
static void put_stats(opac_json *json, const opac_learn_report *report,
                      const opac_result_source *source)
{
    opac_json_key(json, "stats");
    opac_json_begin_object(json);
    result_put_uint(json, "episodes", report->episodes);
    result_put_uint(json, "steps", report->steps);
    result_put_uint(json, "known", report->known);
    if (has_complete(report))
        result_put_uint(json, "complete", report->complete);
    if (report->is_bracket)
        put_trial(json, report);
    if (report->pmin_least > 0)
        result_put_double(json, "pmin_least", report->pmin_least);
    result_put_uint(json, "policies", report->policies);
    result_put_uint(json, "samples", report->samples);
    result_put_uint(json, "states_seen", report->states_seen);
    result_put_uint(json, "pairs_seen", report->pairs_seen);
    if (result_has_times(source)) {
        result_put_uint(json, "solves", report->solves);
        if (report->taken > 0)
            result_put_uint(json, "steps_taken", report->taken);
        result_put_bool(json, "resumed", report->resumed);
        result_put_seconds(json, "read_seconds", source->read_seconds);
        result_put_seconds(json, "sampling_seconds", report->sampling_seconds);
        result_put_seconds(json, "solving_seconds", report->solving_seconds);
        result_put_seconds(json, "seconds", report->seconds);
    }
    opac_json_end_object(json);
}

static void put_truth(opac_json *json, const opac_learn_answer *answer)
{
    const opac_learn_truth *truth = answer->truth;
    if (truth->model == NULL)
        return;
    opac_json_key(json, "truth");
    opac_json_begin_object(json);
    result_put_double(json, "policy", truth->policy);
    result_put_double(json, "optimum", truth->optimum);
    result_put_flag(json, "is_bound", opac_learning_report(answer->learning)->is_guess);
    if (truth->note.code != OPAC_OK)
        result_put_text(json, "note", truth->note.message);
    result_put_flag(json, "contradicts", opac_learn_is_contradicted(answer));
    opac_json_end_object(json);
}

void result_put_learn_findings(opac_json *json, const opac_learn_answer *answer,
                               const opac_result_source *source)
{
    const opac_learn_report *report = opac_learning_report(answer->learning);
    put_values(json, report);
    put_guarantee(json, answer);
    put_stats(json, report, source);
    put_truth(json, answer);
}

/* ---- the trace ---- */

static void put_entry(opac_json *json, const opac_trace_entry *entry,
                      const opac_learn_report *report)
{
    opac_json_begin_object(json);
    result_put_uint(json, "episode", entry->episode);
    result_put_uint(json, "step", entry->step);
    result_put_uint(json, "known", entry->known);
    result_put_double(json, "value", entry->value);
    if (report->is_bracket) {
        result_put_double(json, "lower", entry->lower);
        result_put_double(json, "upper", entry->upper);
    }
    if (report->horizon > 0)
        result_put_uint(json, "T", entry->horizon);
    if (report->is_bracket)
        result_put_uint(json, "candidates", entry->candidates);
    result_put_double(json, "truth", entry->truth);
    opac_json_end_object(json);
}

/* At most about MOST_TRACE entries at equal distances, with the first and the last. */
static void put_trace(opac_json *json, const opac_learning *learning)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(learning, &count);
    size_t stride = (count + MOST_TRACE - 1) / MOST_TRACE;
    opac_json_key(json, "trace");
    opac_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        if (i % stride == 0 || i == count - 1)
            put_entry(json, &entries[i], opac_learning_report(learning));
    opac_json_end_array(json);
}

void opac_learning_write_trace(const opac_learning *learning, opac_output *out)
{
    size_t count;
    const opac_trace_entry *entries = opac_learning_trace(learning, &count);
    for (size_t i = 0; i < count; i++) {
        opac_json json;
        opac_json_init(&json, out);
        put_entry(&json, &entries[i], opac_learning_report(learning));
        opac_output_text(out, "\n");
    }
}

/* ---- the whole result ---- */

/* null if no certificate was written. A pipe has no digest. */
static void put_certificate(opac_json *json, const opac_learn_answer *answer)
{
    if (!answer->is_certificate_wanted)
        return;
    opac_json_key(json, "certificate");
    if (answer->certificate == NULL) {
        opac_json_null(json);
        if (answer->certificate_reason != NULL)
            result_put_text(json, "certificate_reason", answer->certificate_reason);
        return;
    }
    opac_json_begin_object(json);
    result_put_text(json, "path", answer->certificate);
    if (answer->certificate_digest != NULL)
        result_put_text(json, "digest", answer->certificate_digest);
    opac_json_end_object(json);
}

opac_status opac_result_of_learn(const opac_learn_answer *answer, const opac_result_source *source,
                                 opac_result **result, opac_error *error)
{
    const opac_learn_report *report = opac_learning_report(answer->learning);
    bool is_brief = result_is_brief(source);
    opac_json json;
    TRY(result_begin("learn", source, result, &json, error));
    result_put_uint(&json, "seed", answer->options->seed);
    result_put_learn_inputs(&json, answer, report, source);
    result_put_learn_params(&json, answer->options, report, *result);
    result_put_learn_findings(&json, answer, source);
    if (!is_brief)
        result_put_automaton(&json, opac_learning_automaton(answer->learning));
    result_put_policy(&json, answer->policy, &answer->files, source);
    result_put_files(&json, &answer->files);
    put_certificate(&json, answer);
    if (!is_brief) {
        put_trace(&json, answer->learning);
        result_put_sample(&json, answer);
    }
    (*result)->policy = answer->policy;
    (*result)->model = answer->model;
    return result_end(result, &json, error);
}
