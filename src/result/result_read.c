/* SPDX-License-Identifier: MIT */
#include "result/result_read.h"

#include <math.h>
#include <string.h>

enum {
    NAME_SIZE = 64 /* maximal length of a member name in a path */
};

static base_json_value get_member(base_json_value object, const char *name, size_t length)
{
    char key[NAME_SIZE];
    base_json_value member = {0};
    if (!base_json_is_there(object) || base_json_kind_of(object) != BASE_JSON_OBJECT ||
        length >= sizeof key)
        return (base_json_value){0};
    memcpy(key, name, length);
    key[length] = '\0';
    return base_json_optional(object, key, &member, NULL) == OPAC_OK ? member
                                                                     : (base_json_value){0};
}

base_json_value result_get(base_json_value object, const char *path)
{
    for (const char *dot; (dot = strchr(path, '.')) != NULL; path = dot + 1)
        object = get_member(object, path, (size_t)(dot - path));
    return get_member(object, path, strlen(path));
}

static bool is_a(base_json_value value, base_json_kind kind)
{
    return base_json_is_there(value) && base_json_kind_of(value) == kind;
}

static const char *text_of(base_json_value value)
{
    const char *text = NULL;
    if (is_a(value, BASE_JSON_STRING))
        (void)base_json_string(value, &text, NULL, NULL);
    return text;
}

const char *result_get_text(base_json_value object, const char *path)
{
    return text_of(result_get(object, path));
}

double result_get_double(base_json_value object, const char *path)
{
    double number = NAN;
    base_json_value value = result_get(object, path);
    if (is_a(value, BASE_JSON_NUMBER) && base_json_double(value, &number, NULL) != OPAC_OK)
        number = NAN;
    return number;
}

uint64_t result_uint_of(base_json_value value)
{
    uint64_t number = 0;
    if (is_a(value, BASE_JSON_NUMBER) &&
        base_json_uint64(value, 0, UINT64_MAX, &number, NULL) != OPAC_OK)
        number = 0;
    return number;
}

uint64_t result_get_uint(base_json_value object, const char *path)
{
    return result_uint_of(result_get(object, path));
}

bool result_next(base_json_value object, base_json_value *member)
{
    return is_a(object, BASE_JSON_OBJECT) && base_json_next(object, member);
}

const char *result_get_digits(base_json_value object, const char *path)
{
    const char *digits = NULL;
    base_json_value value = result_get(object, path);
    if (is_a(value, BASE_JSON_NUMBER))
        (void)base_json_number_text(value, &digits, NULL);
    return digits;
}

bool result_get_bool(base_json_value object, const char *path)
{
    bool is_true = false;
    base_json_value value = result_get(object, path);
    if (is_a(value, BASE_JSON_BOOL))
        (void)base_json_bool(value, &is_true, NULL);
    return is_true;
}

size_t result_count(base_json_value array)
{
    size_t count = 0;
    if (is_a(array, BASE_JSON_ARRAY))
        (void)base_json_length(array, &count, NULL);
    return count;
}

base_json_value result_item(base_json_value array, size_t index)
{
    base_json_value item = {0};
    if (index >= result_count(array) || base_json_at(array, index, &item, NULL) != OPAC_OK)
        return (base_json_value){0};
    return item;
}

const char *result_item_text(base_json_value array, size_t index)
{
    return text_of(result_item(array, index));
}
