/* SPDX-License-Identifier: MIT */
/*
 * A single pass without allocations. The state is identified by its number; its values are only compared
 * with those of the model, which is correct even if several states have the same values.
 */
#include "policy/policy_scan.h"

#include <string.h>

#include "base/scan.h"

enum {
    MAX_DIGITS = 18 /* of a number that always fits an int64_t */
};

/* ---- pieces ---- */

static bool skip(base_scan *s, const char *word)
{
    size_t length = strlen(word);
    bool found = (size_t)(s->end - s->at) >= length && memcmp(s->at, word, length) == 0;
    if (found)
        s->at += length;
    return found;
}

/* Whether a character needs no escape in a JSON string and is ASCII. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Skips the name in quotes; false for names with characters that are not plain. */
static bool skip_name(base_scan *s, const char *name)
{
    if (!skip(s, "\""))
        return false;
    for (; *name != '\0'; name++, s->at++)
        if (s->at == s->end || *s->at != *name || !is_plain(*name))
            return false;
    return skip(s, "\"");
}

static bool scan_digits(base_scan *s, int64_t *value)
{
    const char *begin = s->at;
    *value = 0;
    for (; base_scan_is_digit(s); s->at++) {
        if (s->at - begin == MAX_DIGITS)
            return false;
        *value = 10 * *value + (*s->at - '0');
    }
    ptrdiff_t digits = s->at - begin;
    return digits > 0 && (*begin != '0' || digits == 1);
}

static bool scan_count(base_scan *s, uint32_t below, uint32_t *value)
{
    int64_t number;
    bool found = scan_digits(s, &number) && number < (int64_t)below;
    *value = found ? (uint32_t)number : 0;
    return found;
}

/* Rejects "-0". */
static bool scan_integer(base_scan *s, int64_t *value)
{
    bool is_negative = s->at < s->end && *s->at == '-';
    s->at += is_negative;
    if (!scan_digits(s, value) || (is_negative && *value == 0))
        return false;
    *value = is_negative ? -*value : *value;
    return true;
}

/* ---- states ---- */

static bool skip_value(base_scan *s, const model_variable *variable, const uint64_t *row)
{
    int64_t value, meant = model_value_get(variable, row);
    if (variable->type == OPAC_VALUE_BOOL)
        return skip(s, meant != 0 ? "true" : "false");
    return scan_integer(s, &value) && value == meant;
}

static bool skip_values(base_scan *s, const opac_model *model, uint32_t state)
{
    const model_layout *layout = &model->layout;
    if (layout->count == 0)
        return true;
    if (!skip(s, ", \"values\": {"))
        return false;
    const uint64_t *row = model_row(model, state);
    for (uint32_t v = 0; v < layout->count; v++) {
        const model_variable *variable = &layout->variables[v];
        if ((v > 0 && !skip(s, ", ")) || !skip_name(s, variable->name) || !skip(s, ": ") ||
            !skip_value(s, variable, row))
            return false;
    }
    return skip(s, "}");
}

/* Skips the key of a state of a simulator, or the values of a state of a model. False for keys with
 * characters that are not plain. */
static bool skip_key(base_scan *s, const opac_policy *policy, uint32_t state)
{
    size_t length;
    const char *key = opac_policy_key(policy, state, &length);
    if (key == NULL)
        return skip_values(s, policy->domain.model, state);
    if (!skip(s, ", \"key\": \""))
        return false;
    for (size_t i = 0; i < length; i++, s->at++)
        if (s->at == s->end || *s->at != key[i] || !is_plain(key[i]))
            return false;
    return skip(s, "\"");
}

/* ---- choices ---- */

static bool scan_text(base_scan *s, const char **text, size_t *length)
{
    if (!skip(s, "\""))
        return false;
    *text = s->at;
    while (s->at < s->end && is_plain(*s->at))
        s->at++;
    *length = (size_t)(s->at - *text);
    return skip(s, "\"");
}

static bool scan_choice(base_scan *s, const opac_policy *policy, uint32_t state, uint32_t *choice)
{
    const char *action;
    size_t length;
    if (!skip(s, ", \"action\": ") || !scan_text(s, &action, &length) ||
        !skip(s, ", \"choice\": ") ||
        !scan_count(s, policy_domain_choices(&policy->domain, state), choice))
        return false;
    const char *name = opac_policy_action_name(policy, state, *choice);
    return strlen(name) == length && memcmp(name, action, length) == 0;
}

bool policy_scan_decision(const opac_policy *policy, const char *text, size_t length,
                          policy_scanned *found)
{
    base_scan s = {text, text + length};
    policy_decision *decision = &found->decision;
    bool is_usual =
        skip(&s, "{\"memory\": ") && scan_count(&s, policy->memory_count, &decision->memory) &&
        skip(&s, ", \"state\": ") && scan_count(&s, opac_policy_states(policy), &found->state) &&
        skip_key(&s, policy, found->state) &&
        scan_choice(&s, policy, found->state, &decision->action) && skip(&s, ", \"next\": ") &&
        scan_count(&s, policy->memory_count, &decision->next) && skip(&s, "}");
    found->length = (size_t)(s.at - text);
    return is_usual;
}
