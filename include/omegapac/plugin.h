/* SPDX-License-Identifier: MIT */
/*
 * Writing a simulator as a plugin: a shared library that exports one symbol.
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
 * compiled with `cc -shared -fPIC -o lift.so lift.c` and used as `omegapac learn plugin:./lift.so …`.
 * A plugin needs this header and no library. See examples/plugins/.
 *
 * The functions are those of opac_environment_callbacks (environment.h), with the instance for the
 * context, and the same rules: who owns what, which errors, one thread at a time for an instance
 * (but several instances at once). It may keep no state outside of its instances.
 */
#ifndef OMEGAPAC_PLUGIN_H
#define OMEGAPAC_PLUGIN_H

#include <omegapac/environment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts up when this header changes in such a way that plugins must be compiled anew. */
#define OPAC_PLUGIN_ABI 2

/* Of the table: it can be found by its name, also when it is compiled as C++. */
#if defined(__cplusplus)
#define OPAC_PLUGIN_LINKAGE extern "C"
#else
#define OPAC_PLUGIN_LINKAGE
#endif
/* What stands before the table, `const opac_plugin_table opac_plugin`. */
#if defined(__GNUC__)
#define OPAC_PLUGIN_EXPORT OPAC_PLUGIN_LINKAGE __attribute__((visibility("default")))
#else
#define OPAC_PLUGIN_EXPORT OPAC_PLUGIN_LINKAGE
#endif

/* What `open` tells of an instance; zero before. Names live as long as the instance. */
typedef struct opac_plugin_facts {
    const char *const *propositions; /* bit i of a letter */
    size_t proposition_count;        /* at most 64 */
    bool random_start;               /* reset may return different states */
    uint32_t lanes;                  /* of step_many; 0: it is not used */
} opac_plugin_facts;

/* Where `draw` and `successors` tell what they have: `draws->add(draws, &successor, count, error)`,
 * as opac_draws_add. */
typedef struct opac_plugin_draws opac_plugin_draws;
struct opac_plugin_draws {
    opac_status (*add)(opac_plugin_draws *draws, const opac_observation *successor, uint64_t count,
                       opac_error *error); /* as opac_draws_add */
};

/* What a plugin exports, by the name opac_plugin. */
typedef struct opac_plugin_table {
    uint32_t abi; /* OPAC_PLUGIN_ABI */
    /*
     * An instance, which may be NULL; text: what stands behind the first '?' in the name that it is
     * opened by, "" when there is none. It lives until close; if open fails there is nothing to
     * close.
     */
    opac_status (*open)(const char *text, void **instance, opac_plugin_facts *facts,
                        opac_error *error);
    /* A new episode, and a step of it: as in opac_environment_callbacks. */
    opac_status (*reset)(void *instance, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    opac_status (*step)(void *instance, uint32_t action, opac_observation *observation,
                        opac_error *error);
    void (*close)(void *instance); /* also of each that fork made */

    /* ---- optional: NULL when there is none ---- */

    /* As in opac_environment_callbacks. */
    opac_status (*step_many)(void *instance, const opac_lane_request *orders,
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
