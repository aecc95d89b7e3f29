/* SPDX-License-Identifier: MIT */
/*
 * A minimal plugin in which the macro WRONG selects an invalid member of its table. A required function
 * that is selected is NULL.
 */
#include <omegapac/plugin.h>

enum {
    NOTHING,
    SYMBOL, /* the table has another name */
    ABI,
    OPEN,
    RESET,
    STEP,
    CLOSE,
    RESERVED, /* is set */
    LANES     /* promised, without step_many */
};

static const char *const names[] = {"on"};

static opac_status open(const char *text, void **instance, opac_plugin_facts *facts,
                        opac_error *error)
{
    (void)text, (void)instance, (void)error; /* no instance: NULL will do */
    *facts = (opac_plugin_facts){.propositions = names, .proposition_count = 1};
    facts->lanes = WRONG == LANES ? 2 : 0;
    return OPAC_OK;
}

static opac_status reset(void *instance, uint64_t seed, opac_observation *seen, opac_error *error)
{
    (void)instance, (void)seed, (void)error;
    *seen = (opac_observation){.actions = 1}; /* a key of no bytes is one */
    return OPAC_OK;
}

static opac_status step(void *instance, uint32_t action, opac_observation *seen, opac_error *error)
{
    (void)instance, (void)action, (void)error;
    *seen = (opac_observation){.key = "on", .length = 2, .letter = 1, .actions = 0};
    return OPAC_OK;
}

static void close(void *instance)
{
    (void)instance;
}

static const char filled[] = "";

OPAC_PLUGIN_EXPORT const opac_plugin_table TABLE = {
    .abi = WRONG == ABI ? OPAC_PLUGIN_ABI + 1 : OPAC_PLUGIN_ABI,
    .open = WRONG == OPEN ? NULL : open,
    .reset = WRONG == RESET ? NULL : reset,
    .step = WRONG == STEP ? NULL : step,
    .close = WRONG == CLOSE ? NULL : close,
    .reserved = {[3] = WRONG == RESERVED ? (void *)filled : NULL}};
