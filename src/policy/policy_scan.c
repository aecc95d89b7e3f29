/* SPDX-License-Identifier: MIT */
/*
 * One pass over the bytes, without memory of its own. The number of the state
 * is tried first: where its values are those that are written, it is the state
 * that is meant, also when several have them.
 */
#include "policy/policy_scan.h"

#include <string.h>

#include "base/scan.h"

enum {
    MOST_DIGITS = 18 /* of a number that surely fits */
};

/* ---- pieces ---- */

static bool pass(base_scan *s, const char *word)
{
    size_t length = strlen(word);
    bool found = (size_t)(s->end - s->at) >= length && memcmp(s->at, word, length) == 0;
    if (found)
        s->at += length;
    return found;
}

/* Stands for itself between quotes. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* The name in quotes; one that needs escapes is not found. */
static bool pass_name(base_scan *s, const char *name)
{
    if (!pass(s, "\""))
        return false;
    for (; *name != '\0'; name++, s->at++)
        if (s->at == s->end || *s->at != *name || !is_plain(*name))
            return false;
    return pass(s, "\"");
}

static bool scan_digits(base_scan *s, int64_t *value)
{
    const char *begin = s->at;
    *value = 0;
    for (; base_scan_is_digit(s); s->at++) {
        if (s->at - begin == MOST_DIGITS)
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

/* "-0" is no way to write 0. */
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

static bool pass_value(base_scan *s, const model_variable *variable, const uint64_t *row)
{
    int64_t value, meant = model_value_get(variable, row);
    if (variable->type == OPAC_VALUE_BOOL)
        return pass(s, meant != 0 ? "true" : "false");
    return scan_integer(s, &value) && value == meant;
}

static bool pass_values(base_scan *s, const opac_model *model, uint32_t state)
{
    const model_layout *layout = &model->layout;
    if (layout->count == 0)
        return true;
    if (!pass(s, ", \"values\": {"))
        return false;
    const uint64_t *row = model_row(model, state);
    for (uint32_t v = 0; v < layout->count; v++) {
        const model_variable *variable = &layout->variables[v];
        if ((v > 0 && !pass(s, ", ")) || !pass_name(s, variable->name) || !pass(s, ": ") ||
            !pass_value(s, variable, row))
            return false;
    }
    return pass(s, "}");
}

/* A simulator's state has its key instead; one that is no plain text is left to others. */
static bool pass_key(base_scan *s, const opac_policy *policy, uint32_t state)
{
    size_t length;
    const char *key = opac_policy_key(policy, state, &length);
    if (key == NULL)
        return pass_values(s, policy->domain.model, state);
    if (!pass(s, ", \"key\": \""))
        return false;
    for (size_t i = 0; i < length; i++, s->at++)
        if (s->at == s->end || *s->at != key[i] || !is_plain(key[i]))
            return false;
    return pass(s, "\"");
}

/* ---- choices ---- */

static bool scan_text(base_scan *s, const char **text, size_t *length)
{
    if (!pass(s, "\""))
        return false;
    *text = s->at;
    while (s->at < s->end && is_plain(*s->at))
        s->at++;
    *length = (size_t)(s->at - *text);
    return pass(s, "\"");
}

static bool scan_choice(base_scan *s, const opac_policy *policy, uint32_t state, uint32_t *choice)
{
    const char *action;
    size_t length;
    if (!pass(s, ", \"action\": ") || !scan_text(s, &action, &length) ||
        !pass(s, ", \"choice\": ") ||
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
        pass(&s, "{\"memory\": ") && scan_count(&s, policy->memory_count, &decision->memory) &&
        pass(&s, ", \"state\": ") && scan_count(&s, opac_policy_states(policy), &found->state) &&
        pass_key(&s, policy, found->state) &&
        scan_choice(&s, policy, found->state, &decision->action) && pass(&s, ", \"next\": ") &&
        scan_count(&s, policy->memory_count, &decision->next) && pass(&s, "}");
    found->length = (size_t)(s.at - text);
    return is_usual;
}
