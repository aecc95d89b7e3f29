/* SPDX-License-Identifier: MIT */
/*
 * Interface for simulators as plugins: shared libraries that export one symbol.
 *
 *     #include <omegapac/plugin.h>
 *
 *     static opac_status open(const char *text, void **instance, opac_plugin_facts *facts,
 *                             opac_error *error) { … }
 *     static opac_status reset(void *instance, uint64_t seed, opac_observation *seen,
 *                              opac_error *error) { … }
 *     static opac_status step(void *instance, uint32_t action, opac_observation *seen,
 *                             opac_error *error) { … }
 *     static void close(void *instance) { … }
 *
 *     OPAC_PLUGIN_EXPORT const opac_plugin_table opac_plugin = {
 *         .abi = OPAC_PLUGIN_ABI, .open = open, .reset = reset, .step = step, .close = close};
 *
 * Compile it with `cc -shared -fPIC -o lift.so lift.c` and use it as `omegapac learn plugin:./lift.so …`. A
 * plugin needs this header, but no library. See examples/plugins/.
 *
 * The functions are those of opac_environment_callbacks (environment.h), with the instance as context and
 * the same rules for ownership, errors and threads: an instance is used by one thread at a time, several
 * instances concurrently. A plugin must not keep state outside of its instances.
 */
#ifndef OMEGAPAC_PLUGIN_H
#define OMEGAPAC_PLUGIN_H

#include <omegapac/environment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the binary interface; it changes when plugins must be recompiled. */
#define OPAC_PLUGIN_ABI 3

/* C linkage, so that the table is found by its name if it is compiled as C++. */
#if defined(__cplusplus)
#define OPAC_PLUGIN_LINKAGE extern "C"
#else
#define OPAC_PLUGIN_LINKAGE
#endif
/* Precedes the definition of the table, `const opac_plugin_table opac_plugin`. */
#if defined(__GNUC__)
#define OPAC_PLUGIN_EXPORT OPAC_PLUGIN_LINKAGE __attribute__((visibility("default")))
#else
#define OPAC_PLUGIN_EXPORT OPAC_PLUGIN_LINKAGE
#endif

/* Properties of an instance, set by `open`; zeroed before. Names must be valid as long as the instance. */
typedef struct opac_plugin_facts {
    const char *const *propositions; /* bit i of a letter */
    size_t proposition_count;        /* at most 64 */
    bool random_start;               /* reset may return different states */
    bool tells_outcomes;             /* every step tells its class and its outcome */
    uint32_t lanes;                  /* number of lanes of step_many; 0 if it is not used */
} opac_plugin_facts;

/* Collects the results of `draw` and `successors`: call `draws->add(draws, &successor, count, error)`. */
typedef struct opac_plugin_draws opac_plugin_draws;
struct opac_plugin_draws {
    opac_status (*add)(opac_plugin_draws *draws, const opac_observation *successor, uint64_t count,
                       opac_error *error); /* as opac_draws_add */
};

/* The table that a plugin exports by the name opac_plugin. */
typedef struct opac_plugin_table {
    uint32_t abi; /* OPAC_PLUGIN_ABI */
    /*
     * Makes an instance, which may be NULL. text: the part of the name after the first '?', "" if there is
     * none; it is valid until close. If open fails, close is not called.
     */
    opac_status (*open)(const char *text, void **instance, opac_plugin_facts *facts,
                        opac_error *error);
    /* Begins an episode, and takes a step: as in opac_environment_callbacks. */
    opac_status (*reset)(void *instance, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    opac_status (*step)(void *instance, uint32_t action, opac_observation *observation,
                        opac_error *error);
    void (*close)(void *instance); /* also called for instances made by fork */

    /* ---- optional, may be NULL ---- */

    /* As in opac_environment_callbacks. */
    opac_status (*step_many)(void *instance, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error);
    opac_status (*draw)(void *instance, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_plugin_draws *draws, opac_error *error);
    opac_status (*successors)(void *instance, const void *key, size_t length, uint32_t action,
                              opac_plugin_draws *successors, opac_error *error);
    opac_status (*fork)(void *instance, void **other, opac_error *error);
    bool (*show)(void *instance, const void *key, size_t length, char *buffer, size_t size);
    const char *(*action_name)(void *instance, const void *key, size_t length, uint32_t action);
    void *reserved[4]; /* NULL */
} opac_plugin_table;

#ifdef __cplusplus
}
#endif

#endif
