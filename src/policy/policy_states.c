/* SPDX-License-Identifier: MIT */
/*
 * The index is a hash table of the rows of values of a model. Equal rows are entered once, so that a model
 * with many equal rows costs no more than others.
 */
#include "policy/policy_states.h"

#include <string.h>

#include <omegapac/text.h>

#include "base/alloc.h"
#include "base/characters.h"
#include "base/hash.h"
#include "base/text.h"

#define NONE UINT32_MAX

/* ---- the index ---- */

static size_t row_bytes(const opac_model *model)
{
    return model->layout.words * sizeof(uint64_t);
}

static bool has_row(const opac_model *model, uint32_t state, const uint64_t *row)
{
    return model->layout.words == 0 || memcmp(model_row(model, state), row, row_bytes(model)) == 0;
}

/* The state with the row, or NONE, and its slot, or the slot where it belongs. */
static uint32_t find_row(const policy_states *states, const uint64_t *row, uint64_t hash,
                         uint64_t *at)
{
    const base_slots *slots = &states->slots;
    for (*at = base_slots_first(slots, hash); !base_slots_is_empty(slots, *at);
         *at = base_slots_next(slots, *at)) {
        uint32_t state = (uint32_t)base_slots_position(slots, *at);
        if (base_slots_may_hold(slots, *at, hash) && has_row(states->domain->model, state, row))
            return state;
    }
    return NONE;
}

static uint64_t hash_row(const opac_model *model, const uint64_t *row)
{
    return model->layout.words == 0 ? 0 : base_hash_bytes(row, row_bytes(model));
}

static void enter(policy_states *states, uint32_t state)
{
    const uint64_t *row = model_row(states->domain->model, state);
    uint64_t at, hash = hash_row(states->domain->model, row);
    uint32_t found = find_row(states, row, hash, &at);
    if (found == NONE)
        base_slots_fill(&states->slots, at, hash, state);
    else
        base_bitset_add(&states->repeats, found);
}

opac_status policy_states_init(policy_states *states, const policy_domain *domain,
                               opac_error *error)
{
    *states = (policy_states){.domain = domain, .where = ""};
    if (domain->model == NULL)
        return OPAC_OK;
    states->row = base_alloc_zeroed(domain->model->layout.words, sizeof *states->row);
    return states->row != NULL ? OPAC_OK : base_fail_memory(error);
}

/* Built on first use: a file that was written for this model does not need it. */
static opac_status make_index(policy_states *states, opac_error *error)
{
    uint32_t count = opac_model_states(states->domain->model);
    if (states->is_indexed)
        return OPAC_OK;
    TRY(base_slots_grow(&states->slots, count, error));
    TRY(base_bitset_init(&states->repeats, count, error));
    for (uint32_t s = 0; s < count; s++)
        enter(states, s);
    states->is_indexed = true;
    return OPAC_OK;
}

void policy_states_fini(policy_states *states)
{
    base_slots_fini(&states->slots);
    base_bitset_fini(&states->repeats);
    base_free(states->row);
    base_free(states->bytes);
}

/* ---- values ---- */

static opac_status fail_unknown(const policy_states *states, const char *name, opac_error *error)
{
    const opac_model *model = states->domain->model;
    char shown[OPAC_SHOWN_SIZE], meant[OPAC_SHOWN_SIZE];
    uint32_t count = model->layout.count;
    const char **names = base_alloc(count, sizeof *names);
    if (names == NULL)
        return base_fail_memory(error);
    for (uint32_t v = 0; v < count; v++)
        names[v] = model->layout.variables[v].name;
    const char *nearest = opac_text_nearest(name, names, count);
    base_free(names);
    opac_text_show(name, strlen(name), shown, sizeof shown);
    if (nearest == NULL)
        return base_fail(
            error, OPAC_ERROR_ARGUMENT,
            "%svalues: the model has no variable '%s'; the policy may belong to another model",
            states->where, shown);
    return base_fail(error, OPAC_ERROR_ARGUMENT,
                     "%svalues: the model has no variable '%s'; did you mean '%s'?", states->where,
                     shown, opac_text_show(nearest, strlen(nearest), meant, sizeof meant));
}

static opac_status fail_missing(const policy_states *states, base_json_value values,
                                opac_error *error)
{
    const opac_model *model = states->domain->model;
    char shown[OPAC_SHOWN_SIZE];
    for (uint32_t v = 0; v < model->layout.count; v++) {
        base_json_value member;
        const char *name = model->layout.variables[v].name;
        TRY(base_json_optional(values, name, &member, error));
        if (!base_json_is_there(member))
            return base_fail(error, OPAC_ERROR_ARGUMENT, "%svalues: the variable '%s' is missing",
                             states->where,
                             opac_text_show(name, strlen(name), shown, sizeof shown));
    }
    return base_fail(error, OPAC_ERROR_INTERNAL, "values: none is missing");
}

static opac_status read_value(policy_states *states, const model_variable *variable,
                              base_json_value member, opac_error *error)
{
    int64_t value = 0;
    bool truth = false;
    TRY(variable->type == OPAC_VALUE_BOOL
            ? base_json_bool(member, &truth, error)
            : base_json_int64(member, variable->low, variable->high, &value, error));
    model_value_set(variable, states->row, variable->type == OPAC_VALUE_BOOL ? truth : value);
    return OPAC_OK;
}

/* Reads a value for each variable. Names in an object are distinct, so counting them shows whether one is
 * missing. */
static opac_status read_row(policy_states *states, base_json_value values, opac_error *error)
{
    const model_layout *layout = &states->domain->model->layout;
    base_json_value member = {0};
    uint32_t count = 0;
    TRY(base_json_optional(values, "", &member, error)); /* fails if it is not an object */
    member = (base_json_value){0};
    while (base_json_next(values, &member)) {
        size_t length = strlen(member.key);
        /* Usually they are in the order of the model. */
        uint32_t v = count;
        if (v >= layout->count || strcmp(layout->variables[v].name, member.key) != 0)
            v = model_layout_find(layout, member.key, length);
        if (v == UINT32_MAX)
            return fail_unknown(states, member.key, error);
        TRY(read_value(states, &layout->variables[v], member, error));
        count++;
    }
    return count < layout->count ? fail_missing(states, values, error) : OPAC_OK;
}

/* No state, or several states, have the values of the row. */
static opac_status fail_row(const policy_states *states, bool several, opac_error *error)
{
    const model_layout *layout = &states->domain->model->layout;
    base_text text = {0};
    char shown[OPAC_SHOWN_SIZE];
    for (uint32_t v = 0; v < layout->count && text.length < sizeof shown; v++) {
        const model_variable *variable = &layout->variables[v];
        int64_t value = model_value_get(variable, states->row);
        base_text_format(&text, "%s%s=", v > 0 ? ", " : "", variable->name);
        if (variable->type == OPAC_VALUE_BOOL)
            base_text_add(&text, value != 0 ? "true" : "false");
        else
            base_text_format(&text, "%lld", (long long)value);
    }
    opac_status status = base_text_check(&text, error);
    opac_text_show(base_text_get(&text), text.length, shown, sizeof shown);
    if (status == OPAC_OK)
        status = base_fail(error, OPAC_ERROR_ARGUMENT,
                           several ? "%svalues: several states have %s; add 'state' to select one"
                                   : "%svalues: no state of the model has %s",
                           states->where, shown);
    base_text_fini(&text);
    return status;
}

/* ---- states ---- */

static opac_status find_by_values(policy_states *states, base_json_value number,
                                  base_json_value values, uint32_t *state, opac_error *error)
{
    uint64_t at, given = 0;
    TRY(read_row(states, values, error));
    if (base_json_is_there(number))
        TRY(base_json_uint64(number, 0, UINT32_MAX, &given, error));
    *state = (uint32_t)given;
    if (base_json_is_there(number) && given < opac_model_states(states->domain->model) &&
        has_row(states->domain->model, *state, states->row))
        return OPAC_OK;
    TRY(make_index(states, error));
    *state = find_row(states, states->row, hash_row(states->domain->model, states->row), &at);
    if (*state == NONE)
        return fail_row(states, false, error);
    return base_bitset_has(&states->repeats, *state) ? fail_row(states, true, error) : OPAC_OK;
}

static opac_status find_by_number(const policy_states *states, base_json_value number,
                                  base_json_value values, uint32_t *state, opac_error *error)
{
    uint64_t given = 0;
    uint32_t count = opac_model_states(states->domain->model);
    base_json_value member = {0};
    if (base_json_is_there(values) && base_json_kind_of(values) == BASE_JSON_OBJECT &&
        base_json_next(values, &member))
        return fail_unknown(states, member.key, error);
    TRY(base_json_uint64(number, 0, UINT64_MAX, &given, error));
    if (given >= count)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "%sstate: no state %llu, the model has %u",
                         states->where, (unsigned long long)given, (unsigned)count);
    *state = (uint32_t)given;
    return OPAC_OK;
}

/* ---- keys ---- */

/* The value of a hexadecimal digit; 16 for other characters. */
static unsigned digit_of(char c)
{
    if (base_is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

static opac_status read_digits(policy_states *states, const char *text, size_t length,
                               opac_error *error)
{
    void *bytes = states->bytes;
    TRY(base_reserve(&bytes, &states->bytes_capacity, length / 2 + 1, 1, error));
    states->bytes = bytes;
    bool is_good = length % 2 == 0;
    for (size_t i = 0; i + 1 < length && is_good; i += 2) {
        unsigned high = digit_of(text[i]), low = digit_of(text[i + 1]);
        is_good = high < 16 && low < 16;
        states->bytes[i / 2] = (unsigned char)(16 * (high & 15) + (low & 15));
    }
    return is_good ? OPAC_OK
                   : base_fail(error, OPAC_ERROR_SYNTAX,
                               "%skey_hex: expected two hexadecimal digits for each byte",
                               states->where);
}

opac_status policy_states_key(policy_states *states, base_json_value object, const void **key,
                              size_t *length, opac_error *error)
{
    base_json_value text, digits;
    const char *found = NULL;
    *key = NULL;
    *length = 0;
    TRY(base_json_optional(object, "key", &text, error));
    TRY(base_json_optional(object, "key_hex", &digits, error));
    if (base_json_is_there(text) && base_json_is_there(digits))
        return base_fail(error, OPAC_ERROR_SYNTAX, "%sexpected 'key' or 'key_hex', found both",
                         states->where);
    if (base_json_is_there(text)) {
        TRY(base_json_string(text, &found, length, error));
        *key = found;
    }
    if (base_json_is_there(digits)) {
        TRY(base_json_string(digits, &found, length, error));
        TRY(read_digits(states, found, *length, error));
        *length /= 2;
        *key = states->bytes;
    }
    return OPAC_OK;
}

static opac_status find_by_key(policy_states *states, const void *key, size_t length,
                               base_json_value number, uint32_t *state, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    uint64_t given = 0;
    opac_text_show(key, length, shown, sizeof shown);
    if (!policy_domain_find(states->domain, key, length, state))
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "%skey: no state of the policy has the key '%s'", states->where, shown);
    if (!base_json_is_there(number))
        return OPAC_OK;
    TRY(base_json_uint64(number, 0, UINT32_MAX, &given, error));
    if (given != *state)
        return base_fail(error, OPAC_ERROR_ARGUMENT,
                         "%sstate: found %llu, but '%s' is the key of state %u", states->where,
                         (unsigned long long)given, shown, (unsigned)*state);
    return OPAC_OK;
}

static opac_status find_seen(policy_states *states, base_json_value object, uint32_t *state,
                             opac_error *error)
{
    base_json_value number;
    const void *key;
    size_t length;
    uint64_t given = 0;
    TRY(policy_states_key(states, object, &key, &length, error));
    TRY(base_json_optional(object, "state", &number, error));
    if (key != NULL)
        return find_by_key(states, key, length, number, state, error);
    if (!base_json_is_there(number))
        return base_fail(error, OPAC_ERROR_SYNTAX, "%smember 'key' is missing", states->where);
    TRY(base_json_uint64(number, 0, UINT64_MAX, &given, error));
    if (given >= policy_domain_states(states->domain))
        return base_fail(error, OPAC_ERROR_ARGUMENT, "%sstate: no state %llu, the policy has %u",
                         states->where, (unsigned long long)given,
                         (unsigned)policy_domain_states(states->domain));
    *state = (uint32_t)given;
    return OPAC_OK;
}

/* ---- all states ---- */

opac_status policy_states_read(policy_states *states, base_json_value object, uint32_t *state,
                               opac_error *error)
{
    base_json_value number, values;
    if (states->domain->model == NULL)
        return find_seen(states, object, state, error);
    bool by_values = states->domain->model->layout.count > 0;
    TRY(by_values ? base_json_optional(object, "state", &number, error)
                  : base_json_member(object, "state", &number, error));
    TRY(by_values ? base_json_member(object, "values", &values, error)
                  : base_json_optional(object, "values", &values, error));
    return by_values ? find_by_values(states, number, values, state, error)
                     : find_by_number(states, number, values, state, error);
}
