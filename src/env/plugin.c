/* SPDX-License-Identifier: MIT */
/*
 * Environments from shared libraries. They are callbacks (callback.c) whose context is an instance of the
 * plugin. This file adds what callbacks do not need: it loads the file, checks its table and ABI version,
 * keeps the library loaded until the last fork is released, and passes on drawn successors, since a plugin
 * does not link against this library.
 *
 * The dynamic linker loads the code once, no matter how often a plugin is opened.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/plugin.h>
#include <omegapac/text.h>

#include "base/alloc.h"
#include "env/kind.h"
#include "env/open.h"

/* Shared by all forks. */
typedef struct library {
    atomic_uint users;
    void *handle; /* of dlopen; NULL: not loaded */
    const opac_plugin_table *table;
} library;

/* The context of the callbacks. */
typedef struct plugin_context {
    library *from;
    void *instance;
} plugin_context;

static void release_library(library *from)
{
    if (atomic_fetch_sub(&from->users, 1) != 1)
        return;
    if (from->handle != NULL)
        dlclose(from->handle);
    base_free(from);
}

/* ---- calls ---- */

static opac_status reset(void *context, uint64_t seed, opac_observation *observation,
                         opac_error *error)
{
    plugin_context *p = context;
    return p->from->table->reset(p->instance, seed, observation, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    plugin_context *p = context;
    return p->from->table->step(p->instance, action, observation, error);
}

static opac_status step_many(void *context, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error)
{
    plugin_context *p = context;
    return p->from->table->step_many(p->instance, requests, observations, error);
}

static bool show(void *context, const void *key, size_t length, char *buffer, size_t size)
{
    plugin_context *p = context;
    return p->from->table->show(p->instance, key, length, buffer, size);
}

static const char *action_name(void *context, const void *key, size_t length, uint32_t action)
{
    plugin_context *p = context;
    return p->from->table->action_name(p->instance, key, length, action);
}

/* The opac_plugin_draws that a plugin gets, which passes successors on to an opac_draws. */
typedef struct relay {
    opac_plugin_draws base; /* the first member, so that a pointer to it can be cast to a relay */
    opac_draws *draws;
} relay;

static opac_status add(opac_plugin_draws *base, const opac_observation *successor, uint64_t count,
                       opac_error *error)
{
    return opac_draws_add(((relay *)base)->draws, successor, count, error);
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    plugin_context *p = context;
    relay to = {{add}, draws};
    return p->from->table->draw(p->instance, key, length, action, n, seed, &to.base, error);
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    plugin_context *p = context;
    relay to = {{add}, draws};
    return p->from->table->successors(p->instance, key, length, action, &to.base, error);
}

/* ---- creation and release ---- */

static void release(void *context)
{
    plugin_context *p = context;
    p->from->table->close(p->instance);
    release_library(p->from);
    base_free(p);
}

static opac_status fork_context(void *context, void **other, opac_error *error)
{
    plugin_context *p = context, *made = base_alloc_zeroed(1, sizeof *made);
    *other = NULL;
    if (made == NULL)
        return base_fail_memory(error);
    opac_status status = p->from->table->fork(p->instance, &made->instance, error);
    if (status != OPAC_OK) {
        base_free(made);
        return status;
    }
    made->from = p->from;
    atomic_fetch_add(&made->from->users, 1);
    *other = made;
    return OPAC_OK;
}

/* The callbacks for a valid table: those that have a function in the table. */
static opac_environment_callbacks describe(const opac_plugin_table *table,
                                           const opac_plugin_facts *facts)
{
    return (opac_environment_callbacks){
        .reset = reset,
        .step = step,
        .step_many = facts->lanes > 0 && table->step_many != NULL ? step_many : NULL,
        .lanes = facts->lanes,
        .draw = table->draw != NULL ? draw : NULL,
        .successors = table->successors != NULL ? successors : NULL,
        .fork = table->fork != NULL ? fork_context : NULL,
        .release = release,
        .propositions = facts->propositions,
        .proposition_count = facts->proposition_count,
        .random_start = facts->random_start,
        .tells_outcomes = facts->tells_outcomes,
        .show = table->show != NULL ? show : NULL,
        .action_name = table->action_name != NULL ? action_name : NULL};
}

/* Opens an instance of a loaded plugin; it owns the reference to the library, also on failure. */
static opac_status open_instance(library *from, const char *text, opac_environment **environment,
                                 opac_error *error)
{
    opac_plugin_facts facts = {0};
    opac_error found = {0};
    plugin_context *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL) {
        release_library(from);
        return base_fail_memory(error);
    }
    made->from = from;
    opac_status status = from->table->open(text, &made->instance, &facts, &found);
    status = env_convert_failure(status, &found, error);
    if (status != OPAC_OK) {
        release_library(from);
        base_free(made);
        return status;
    }
    opac_environment_callbacks calls = describe(from->table, &facts);
    return opac_environment_new(&calls, made, environment, error);
}

/* ---- loading ---- */

/* Checks the ABI version first, since all other members depend on it. */
static opac_status check_table(const opac_plugin_table *table, opac_error *error)
{
    if (table->abi != OPAC_PLUGIN_ABI)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "this plugin was compiled for ABI %u, but ABI %d is needed: compile it "
                         "again with the current header",
                         (unsigned)table->abi, OPAC_PLUGIN_ABI);
    if (table->open == NULL || table->reset == NULL || table->step == NULL || table->close == NULL)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a plugin needs open, reset, step and close, but %s is NULL",
                         table->open == NULL    ? "open"
                         : table->reset == NULL ? "reset"
                         : table->step == NULL  ? "step"
                                                : "close");
    for (size_t i = 0; i < sizeof table->reserved / sizeof *table->reserved; i++)
        if (table->reserved[i] != NULL)
            return base_fail(error, OPAC_ERROR_SIMULATOR,
                             "the reserved members of a plugin's table must be NULL");
    return OPAC_OK;
}

/* Reports the message of the dynamic linker, which usually names the file. */
static opac_status fail_loading(opac_error *error)
{
    char shown[OPAC_MESSAGE_SIZE];
    const char *reason = dlerror();
    if (reason == NULL)
        reason = "it cannot be loaded";
    return base_fail(error, OPAC_ERROR_SIMULATOR, "not a plugin: %s",
                     opac_text_show(reason, strlen(reason), shown, sizeof shown));
}

static opac_status load(library *into, const char *path, opac_error *error)
{
    if (access(path, R_OK) != 0)
        return base_fail_system(error, errno, "cannot read the file");
    into->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (into->handle == NULL)
        return fail_loading(error);
    into->table = dlsym(into->handle, "opac_plugin");
    if (into->table == NULL)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "not a plugin: it does not export the symbol opac_plugin");
    return check_table(into->table, error);
}

static opac_status load_new(const char *path, library **from, opac_error *error)
{
    library *made = base_alloc_zeroed(1, sizeof *made);
    *from = made;
    if (made == NULL)
        return base_fail_memory(error);
    atomic_init(&made->users, 1);
    opac_status status = load(made, path, error);
    if (status != OPAC_OK) {
        release_library(made);
        *from = NULL;
    }
    return status;
}

/* Adds "./" to a name without a slash, since dlopen would search the library path for it. */
static char *make_path(const char *file, size_t length)
{
    bool is_bare = memchr(file, '/', length) == NULL;
    char *path = base_alloc(length + 3, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, "./", 2);
    memcpy(path + (is_bare ? 2 : 0), file, length);
    path[length + (is_bare ? 2 : 0)] = '\0';
    return path;
}

/* Adds the file name to an error. Errors in the facts of a plugin become errors of a simulator. */
static opac_status fail_named(const char *file, size_t length, opac_status status,
                              const opac_error *found, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    bool is_kept = status == OPAC_ERROR_CANCELLED || status == OPAC_ERROR_IO;
    if (status == OPAC_OK)
        return OPAC_OK;
    if (status == OPAC_ERROR_MEMORY)
        return base_fail_memory(error);
    return base_fail(error, is_kept ? status : OPAC_ERROR_SIMULATOR, "%s: %s",
                     opac_text_show(file, length, shown, sizeof shown), found->message);
}

opac_status env_open_plugin(const char *file, opac_environment **environment, opac_error *error)
{
    size_t length = strcspn(file, "?");
    const char *text = file[length] == '?' ? file + length + 1 : "";
    library *from = NULL;
    opac_error found = {0};
    *environment = NULL;
    if (length == 0)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "expected a file after \"plugin:\"");
    char *path = make_path(file, length);
    if (path == NULL)
        return base_fail_memory(error);
    opac_status status = load_new(path, &from, &found);
    if (status == OPAC_OK)
        status = open_instance(from, text, environment, &found);
    base_free(path);
    return fail_named(file, length, status, &found, error);
}
