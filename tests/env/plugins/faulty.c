/* SPDX-License-Identifier: MIT */
/*
 * A plugin with a fault that its text selects; without a text it is correct. It counts the open instances
 * for the test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omegapac/plugin.h>

enum {
    LANES = 2
};

extern OPAC_PLUGIN_EXPORT int faulty_instances;
int faulty_instances = 0;

typedef struct instance {
    char fault[32];
    uint64_t at[LANES];
} instance;

static const char *const good[] = {"even", "odd"};
static const char *const twice[] = {"even", "even"};
static const char *const nameless[] = {"even", NULL};
static const char *many[65];

static bool is(const instance *i, const char *fault)
{
    return strcmp(i->fault, fault) == 0;
}

static opac_status fail(opac_error *error, const char *message)
{
    snprintf(error->message, sizeof error->message, "%s", message);
    return OPAC_ERROR_IO;
}

static opac_plugin_facts describe(const instance *i)
{
    opac_plugin_facts facts = {.propositions = good, .proposition_count = 2};
    if (is(i, "names twice"))
        facts.propositions = twice;
    if (is(i, "no name"))
        facts.propositions = nameless;
    if (is(i, "no names"))
        facts.propositions = NULL;
    if (is(i, "many names"))
        facts = (opac_plugin_facts){.propositions = many, .proposition_count = 65};
    if (is(i, "many lanes"))
        facts.lanes = 70000;
    if (is(i, "lanes"))
        facts.lanes = LANES;
    facts.random_start = is(i, "random");
    return facts;
}

static opac_status open(const char *text, void **made, opac_plugin_facts *facts, opac_error *error)
{
    if (strcmp(text, "open") == 0)
        return fail(error, "no lift\nhere");
    if (strcmp(text, "open mute") == 0)
        return (opac_status)77;
    instance *i = calloc(1, sizeof *i);
    if (i == NULL)
        return OPAC_ERROR_MEMORY;
    snprintf(i->fault, sizeof i->fault, "%s", text);
    *facts = describe(i);
    *made = i;
    faulty_instances++;
    return OPAC_OK;
}

static void close(void *context)
{
    free(context);
    faulty_instances--;
}

static opac_observation look(const instance *i, const uint64_t *at)
{
    return (opac_observation){.key = is(i, "key") ? NULL : at,
                              .length = sizeof *at,
                              .letter = is(i, "letter") ? 4 : UINT64_C(1) << (*at & 1),
                              .actions = 2};
}

static opac_status reset(void *context, uint64_t seed, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    i->at[0] = seed;
    *seen = look(i, &i->at[0]);
    return is(i, "reset") ? fail(error, "it is stuck") : OPAC_OK;
}

static opac_status step(void *context, uint32_t action, opac_observation *seen, opac_error *error)
{
    instance *i = context;
    i->at[0] += 1 + action;
    *seen = look(i, &i->at[0]);
    return is(i, "step") ? fail(error, "it is stuck") : OPAC_OK;
}

static opac_status step_many(void *context, const opac_lane_request *orders, opac_observation *seen,
                             opac_error *error)
{
    instance *i = context;
    (void)error;
    for (int lane = 0; lane < LANES; lane++) {
        const opac_lane_request *o = &orders[lane];
        i->at[lane] = o->is_reset ? o->seed : i->at[lane] + 1 + o->action;
        seen[lane] = look(i, &i->at[lane]);
    }
    return OPAC_OK;
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_plugin_draws *draws, opac_error *error)
{
    instance *i = context;
    uint64_t at = 6;
    opac_observation seen = look(i, &at);
    (void)key, (void)length, (void)action, (void)seed;
    return draws->add(draws, &seen,
                      is(i, "draws more")   ? n + 1
                      : is(i, "draws less") ? n - 1
                                            : n,
                      error);
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_plugin_draws *told, opac_error *error)
{
    instance *i = context;
    opac_status status = OPAC_OK;
    (void)key, (void)length, (void)action;
    for (uint64_t at = 6; at < 9 && status == OPAC_OK; at++) {
        opac_observation seen = look(i, &at);
        status = told->add(told, &seen, 1, error);
        if (is(i, "successor twice"))
            told->add(told, &seen, 1, error); /* and does not listen */
    }
    return status;
}

static opac_status fork_instance(void *context, void **other, opac_error *error)
{
    opac_plugin_facts facts;
    instance *i = context;
    return is(i, "fork") ? fail(error, "there is but one") : open(i->fault, other, &facts, error);
}

static bool show(void *context, const void *key, size_t length, char *buffer, size_t size)
{
    instance *i = context;
    (void)key, (void)length;
    if (is(i, "shows all"))
        memset(buffer, 'x', size); /* and no end */
    else
        snprintf(buffer, size, "red\033[31m");
    return !is(i, "shows none");
}

static const char *action_name(void *context, const void *key, size_t length, uint32_t action)
{
    (void)context, (void)key, (void)length;
    return action == 0 ? "on" : NULL;
}

OPAC_PLUGIN_EXPORT const opac_plugin_table opac_plugin = {.abi = OPAC_PLUGIN_ABI,
                                                          .open = open,
                                                          .reset = reset,
                                                          .step = step,
                                                          .close = close,
                                                          .step_many = step_many,
                                                          .draw = draw,
                                                          .successors = successors,
                                                          .fork = fork_instance,
                                                          .show = show,
                                                          .action_name = action_name};
