/* SPDX-License-Identifier: MIT */
/*
 * Writes policies as JSON (omegapac.policy/1, docs/formats/policy.md): to a file with a line for each
 * member and each decision, or within another JSON text on one line. Both have the same value. Only the
 * text of the automaton is held in memory.
 *
 * Memory values are written as the numbers that HOA gives to the states of the automaton.
 */
#include <string.h>

#include <omegapac/text.h>

#include "aut/hoa_order.h"
#include "base/json_key.h"
#include "base/output.h"
#include "base/utf8.h"
#include "policy/policy.h"

typedef struct policy_writer {
    const opac_policy *policy;
    opac_output *out;
    opac_json *json; /* the surrounding JSON text; NULL for a file */
    opac_json own;   /* for a file: writes a member or an item */
    bool is_begun;   /* for a file: a member was written */
    hoa_order order;
} policy_writer;

/* ---- members ---- */

/* Begins a member; returns the writer for its value. */
static opac_json *begin_member(policy_writer *writer, const char *key)
{
    if (writer->json != NULL) {
        opac_json_key(writer->json, key);
        return writer->json;
    }
    opac_output_text(writer->out, writer->is_begun ? ",\n\"" : "{\n\"");
    opac_output_text(writer->out, key);
    opac_output_text(writer->out, "\": ");
    writer->is_begun = true;
    opac_json_init(&writer->own, writer->out);
    return &writer->own;
}

static void put_text(policy_writer *writer, const char *key, const char *text)
{
    opac_json *json = begin_member(writer, key);
    if (text != NULL)
        opac_json_string(json, text);
    else
        opac_json_null(json);
}

static void put_model(policy_writer *writer)
{
    const opac_model *model = writer->policy->domain.model;
    opac_json *json = begin_member(writer, "model");
    opac_json_begin_object(json);
    opac_json_key(json, "type");
    opac_json_string(json, model != NULL ? opac_model_type_name(model->type) : "simulator");
    opac_json_key(json, "states");
    opac_json_uint(json, opac_policy_states(writer->policy));
    if (model != NULL) {
        opac_json_key(json, "variables");
        opac_json_begin_array(json);
        for (uint32_t v = 0; v < model->layout.count; v++)
            opac_json_string(json, model->layout.variables[v].name);
        opac_json_end_array(json);
    }
    opac_json_end_object(json);
}

static void put_propositions(policy_writer *writer)
{
    const opac_automaton *automaton = writer->policy->automaton;
    opac_json *json = begin_member(writer, "propositions");
    opac_json_begin_array(json);
    for (uint32_t i = 0; automaton != NULL && i < automaton->proposition_count; i++)
        opac_json_string(json, automaton->propositions[i]);
    opac_json_end_array(json);
}

/* Omitted if there are none. */
static void put_definitions(policy_writer *writer)
{
    const policy_definition_vec *definitions = &writer->policy->definitions;
    if (definitions->count == 0)
        return;
    opac_json *json = begin_member(writer, "meanings");
    opac_json_begin_object(json);
    for (size_t i = 0; i < definitions->count; i++) {
        opac_json_key(json, definitions->items[i].name);
        opac_json_string(json, definitions->items[i].expression);
    }
    opac_json_end_object(json);
}

static opac_status put_automaton(policy_writer *writer, opac_error *error)
{
    opac_output *text = NULL;
    if (writer->policy->automaton == NULL) {
        put_text(writer, "automaton", NULL);
        return OPAC_OK;
    }
    TRY(opac_output_open_memory(&text, error));
    opac_automaton_write_hoa(writer->policy->automaton, text);
    opac_status status = opac_output_commit(text, error);
    size_t length;
    const char *bytes = status == OPAC_OK ? opac_output_bytes(text, &length) : NULL;
    if (bytes != NULL)
        opac_json_bytes(begin_member(writer, "automaton"), bytes, length);
    opac_output_free(text);
    return status;
}

/* ---- states and decisions ---- */

static void put_count(opac_json *json, const char *key, uint32_t value)
{
    opac_json_key(json, key);
    opac_json_uint(json, value);
}

static void put_memory(const policy_writer *writer, opac_json *json, const char *key,
                       uint32_t memory)
{
    const opac_automaton *automaton = writer->policy->automaton;
    bool is_state = automaton != NULL && memory < automaton->state_count; /* there may be none */
    put_count(json, key, is_state ? writer->order.number[memory] : memory);
}

/* "state": 3, and the values of its variables, if any, or its key. */
static void put_state(const policy_writer *writer, opac_json *json, uint32_t state)
{
    const opac_model *model = writer->policy->domain.model;
    size_t length;
    const void *key = opac_policy_key(writer->policy, state, &length);
    put_count(json, "state", state);
    if (key != NULL)
        base_json_put_key(json, key, length);
    if (model == NULL || model->layout.count == 0)
        return;
    opac_json_key(json, "values");
    opac_model_write_values_json(model, state, json);
}

static void put_start(policy_writer *writer)
{
    const opac_policy *policy = writer->policy;
    const base_u32_vec *initial = policy_domain_initial(&policy->domain);
    opac_json *json = begin_member(writer, "memory");
    opac_json_begin_object(json);
    put_count(json, "count", policy->memory_count);
    opac_json_key(json, "start");
    opac_json_begin_array(json);
    for (size_t i = 0; i < initial->count; i++) {
        opac_json_begin_object(json);
        put_state(writer, json, initial->items[i]);
        put_memory(writer, json, "memory", policy->start[i]);
        opac_json_end_object(json);
    }
    opac_json_end_array(json);
    opac_json_end_object(json);
}

static void put_decision(const policy_writer *writer, opac_json *json, uint32_t state,
                         const policy_decision *decision)
{
    opac_json_begin_object(json);
    put_memory(writer, json, "memory", decision->memory);
    put_state(writer, json, state);
    opac_json_key(json, "action");
    opac_json_string(json, opac_policy_action_name(writer->policy, state, decision->action));
    put_count(json, "choice", decision->action);
    put_memory(writer, json, "next", decision->next);
    opac_json_end_object(json);
}

/* Begins a list that has a line for each item in a file. */
static opac_json *begin_list(policy_writer *writer, const char *key)
{
    opac_json *json = begin_member(writer, key);
    if (writer->json == NULL)
        opac_output_text(writer->out, "[");
    else
        opac_json_begin_array(json);
    return json;
}

static void begin_item(policy_writer *writer, uint32_t index)
{
    if (writer->json != NULL)
        return;
    opac_output_text(writer->out, index > 0 ? ",\n  " : "\n  ");
    opac_json_init(&writer->own, writer->out);
}

static void end_list(policy_writer *writer, uint32_t count)
{
    if (writer->json == NULL)
        opac_output_text(writer->out, count > 0 ? "\n]" : "]");
    else
        opac_json_end_array(writer->json);
}

static void put_decisions(policy_writer *writer)
{
    const opac_policy *policy = writer->policy;
    uint32_t states = opac_policy_states(policy);
    opac_json *json = begin_list(writer, "decisions");
    for (uint32_t s = 0; s < states && !opac_output_failed(writer->out); s++)
        for (uint32_t i = policy->begin[s]; i < policy->begin[s + 1]; i++) {
            begin_item(writer, i);
            put_decision(writer, json, s, &policy->decisions[i]);
        }
    end_list(writer, policy->begin[states]);
}

/* ---- the states of a simulator ---- */

/* Writes the names of the actions, or their number if none has a name and there are at most
 * POLICY_MAX_UNNAMED_ACTIONS. */
static void put_actions(const policy_writer *writer, opac_json *json, uint32_t state)
{
    const opac_policy *policy = writer->policy;
    uint32_t count = policy_domain_actions(&policy->domain, state);
    bool has_names = false;
    for (uint32_t a = 0; a < count; a++)
        has_names = has_names || *opac_policy_action_name(policy, state, a) != '\0';
    if (!has_names && count <= POLICY_MAX_UNNAMED_ACTIONS) {
        put_count(json, "actions", count);
        return;
    }
    opac_json_key(json, "actions");
    opac_json_begin_array(json);
    for (uint32_t a = 0; a < count; a++)
        opac_json_string(json, opac_policy_action_name(policy, state, a));
    opac_json_end_array(json);
}

static void put_simulator_state(const policy_writer *writer, opac_json *json, uint32_t state)
{
    const opac_policy *policy = writer->policy;
    const opac_automaton *automaton = policy->automaton;
    uint64_t letter = policy->letters != NULL ? policy->letters[state] : 0;
    opac_json_begin_object(json);
    put_state(writer, json, state);
    opac_json_key(json, "labels");
    opac_json_begin_array(json);
    for (uint32_t i = 0; automaton != NULL && i < automaton->proposition_count; i++)
        if ((letter >> i & 1) != 0)
            opac_json_string(json, automaton->propositions[i]);
    opac_json_end_array(json);
    put_actions(writer, json, state);
    opac_json_end_object(json);
}

static void put_states(policy_writer *writer)
{
    uint32_t states = opac_policy_states(writer->policy);
    if (!opac_policy_has_keys(writer->policy))
        return;
    opac_json *json = begin_list(writer, "states");
    for (uint32_t s = 0; s < states && !opac_output_failed(writer->out); s++) {
        begin_item(writer, s);
        put_simulator_state(writer, json, s);
    }
    end_list(writer, states);
}

/* ---- the whole ---- */

/* Fails for a name that is not UTF-8: JSON cannot represent it, so it would not be found when the file is
 * read. */
static opac_status check_name(const char *what, const char *name, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t length = strlen(name);
    if (base_utf8_check(name, length, NULL) == OPAC_OK)
        return OPAC_OK;
    return base_fail(error, OPAC_ERROR_UNSUPPORTED,
                     "the %s '%s' cannot be written to a policy file: it is not UTF-8", what,
                     opac_text_show(name, length, shown, sizeof shown));
}

static opac_status check_names(const policy_domain *domain, opac_error *error)
{
    const base_intern *names = policy_domain_names(domain);
    const opac_model *model = domain->model;
    size_t length;
    for (uint32_t i = 0; i < names->count; i++)
        TRY(check_name("action", (const char *)base_intern_key(names, i, &length), error));
    for (uint32_t v = 0; model != NULL && v < model->layout.count; v++)
        TRY(check_name("variable", model->layout.variables[v].name, error));
    return OPAC_OK;
}

static opac_status put_all(policy_writer *writer, opac_error *error)
{
    const opac_policy *policy = writer->policy;
    TRY(check_names(&policy->domain, error));
    if (policy->automaton != NULL)
        TRY(hoa_order_init(&writer->order, policy->automaton, error));
    put_text(writer, "schema", "omegapac.policy/1");
    put_text(writer, "objective", policy->objective);
    put_text(writer, "formula", policy->formula);
    put_text(writer, "direction", policy->complement ? "min" : "max");
    put_model(writer);
    put_propositions(writer);
    put_definitions(writer);
    TRY(put_automaton(writer, error));
    put_states(writer);
    put_start(writer);
    put_decisions(writer);
    return OPAC_OK;
}

static void write_policy(policy_writer *writer)
{
    opac_error error;
    opac_status status = put_all(writer, &error);
    if (status != OPAC_OK)
        base_output_fail(writer->out, status, error.message);
    hoa_order_fini(&writer->order);
}

void opac_policy_write_json(const opac_policy *policy, opac_json *json)
{
    policy_writer writer = {.policy = policy, .out = json->out, .json = json};
    opac_json_begin_object(json);
    write_policy(&writer);
    opac_json_end_object(json);
}

void opac_policy_write(const opac_policy *policy, opac_output *out)
{
    policy_writer writer = {.policy = policy, .out = out};
    write_policy(&writer);
    opac_output_text(out, "\n}\n");
}
