/* SPDX-License-Identifier: MIT */
/* The table of options, from options.def, and the spelling of options and ranges. */
#include "cli/options.h"

#include <math.h>
#include <stdio.h>

#include <omegapac/number.h>

/* Macros, because static initialisers cannot use constants. */
#define AT_LEAST_1                                                                                 \
    {                                                                                              \
        .low = 1, .high = INFINITY, .high_open = true                                              \
    }
#define AT_LEAST_0                                                                                 \
    {                                                                                              \
        .low = 0, .high = INFINITY, .high_open = true                                              \
    }
#define BETWEEN_0_AND_1                                                                            \
    {                                                                                              \
        .low = 0, .high = 1, .low_open = true, .high_open = true                                   \
    }
#define ABOVE_0_AT_MOST_1                                                                          \
    {                                                                                              \
        .low = 0, .high = 1, .low_open = true                                                      \
    }

const cli_option cli_options[CLI_OPTION_COUNT] = {
#define OPTION(id, ...) [id] = {__VA_ARGS__},
#include "cli/options.def"
#undef OPTION
};

const char *cli_option_spelling(const cli_option *option, char *buffer)
{
    if (option->name != NULL)
        snprintf(buffer, 32, "--%s", option->name);
    else
        snprintf(buffer, 32, "-%c", option->letter);
    return buffer;
}

const char *cli_option_words(const cli_option *option, char *buffer)
{
    enum {
        SIZE = 128
    };
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; option->words[i] != NULL && length < SIZE; i++) {
        const char *joint = i == 0 ? "" : option->words[i + 1] == NULL ? " or " : ", ";
        int added = snprintf(buffer + length, SIZE - length, "%s%s", joint, option->words[i]);
        length += (size_t)added;
    }
    return buffer;
}

bool cli_range_has(const cli_range *range, double value)
{
    bool above = range->low_open ? value > range->low : value >= range->low;
    bool below = range->high_open ? value < range->high : value <= range->high;
    return above && below;
}

const char *cli_range_words(const cli_range *range, char *buffer)
{
    enum {
        SIZE = 96
    };
    char low[OPAC_NUMBER_SIZE], high[OPAC_NUMBER_SIZE];
    opac_number_format(range->low, low);
    opac_number_format(range->high, high);
    if (isinf(range->high))
        snprintf(buffer, SIZE, "must be %s %s", range->low_open ? "above" : "at least", low);
    else if (range->low_open && range->high_open)
        snprintf(buffer, SIZE, "must lie strictly between %s and %s", low, high);
    else
        snprintf(buffer, SIZE, "must be %s %s and %s %s", range->low_open ? "above" : "at least",
                 low, range->high_open ? "below" : "at most", high);
    return buffer;
}
