/* SPDX-License-Identifier: MIT */
/*
 * Environments from shared libraries: callbacks (callback.c) whose context is an
 * instance of the plugin. Here is what callbacks do not have: finding the file,
 * its table and its ABI; keeping the library loaded until the last fork of an
 * environment is gone; and handing on what is drawn, since a plugin links no
 * function of ours.
 *
 * Code is loaded once, however often a plugin is opened; instances share it.
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

/* What forks share. */
typedef struct library {
    atomic_uint users;
    void *handle; /* of dlopen; NULL: not loaded */
    const opac_plugin_table *table;
} library;

/* The context of the callbacks. */
typedef struct plugged {
    library *from;
    void *instance;
} plugged;

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
    plugged *p = context;
    return p->from->table->reset(p->instance, seed, observation, error);
}

static opac_status step(void *context, uint32_t action, opac_observation *observation,
                        opac_error *error)
{
    plugged *p = context;
    return p->from->table->step(p->instance, action, observation, error);
}

static opac_status step_many(void *context, const opac_lane_request *orders,
                             opac_observation *observations, opac_error *error)
{
    plugged *p = context;
    return p->from->table->step_many(p->instance, orders, observations, error);
}

static bool show(void *context, const void *key, size_t length, char *buffer, size_t size)
{
    plugged *p = context;
    return p->from->table->show(p->instance, key, length, buffer, size);
}

static const char *action_name(void *context, const void *key, size_t length, uint32_t action)
{
    plugged *p = context;
    return p->from->table->action_name(p->instance, key, length, action);
}

/* What a plugin is given for an opac_draws. */
typedef struct relay {
    opac_plugin_draws face; /* first: a relay is found by its face */
    opac_draws *draws;
} relay;

static opac_status add(opac_plugin_draws *face, const opac_observation *successor, uint64_t count,
                       opac_error *error)
{
    return opac_draws_add(((relay *)face)->draws, successor, count, error);
}

static opac_status draw(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error)
{
    plugged *p = context;
    relay to = {{add}, draws};
    return p->from->table->draw(p->instance, key, length, action, n, seed, &to.face, error);
}

static opac_status successors(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *draws, opac_error *error)
{
    plugged *p = context;
    relay to = {{add}, draws};
    return p->from->table->successors(p->instance, key, length, action, &to.face, error);
}

/* ---- birth and death ---- */

static void release(void *context)
{
    plugged *p = context;
    p->from->table->close(p->instance);
    release_library(p->from);
    base_free(p);
}

static opac_status fork_plugged(void *context, void **other, opac_error *error)
{
    plugged *p = context, *made = base_alloc_zeroed(1, sizeof *made);
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

/* Of a table that was checked. Where it has no function the callbacks have none. */
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
        .fork = table->fork != NULL ? fork_plugged : NULL,
        .release = release,
        .propositions = facts->propositions,
        .proposition_count = facts->proposition_count,
        .random_start = facts->random_start,
        .show = table->show != NULL ? show : NULL,
        .action_name = table->action_name != NULL ? action_name : NULL};
}

/* An instance of a loaded plugin, of which it takes one use. */
static opac_status open_instance(library *from, const char *text, opac_environment **environment,
                                 opac_error *error)
{
    opac_plugin_facts facts = {0};
    opac_error found = {0};
    plugged *made = base_alloc_zeroed(1, sizeof *made);
    if (made == NULL) {
        release_library(from);
        return base_fail_memory(error);
    }
    made->from = from;
    opac_status status = from->table->open(text, &made->instance, &facts, &found);
    status = env_translate(status, &found, error);
    if (status != OPAC_OK) {
        release_library(from);
        base_free(made);
        return status;
    }
    opac_environment_callbacks calls = describe(from->table, &facts);
    return opac_environment_new(&calls, made, environment, error);
}

/* ---- finding it ---- */

/* ABI first: of another one nothing else may be looked at. */
static opac_status check_table(const opac_plugin_table *table, opac_error *error)
{
    if (table->abi != OPAC_PLUGIN_ABI)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "this plugin was compiled for ABI %u, and this is ABI %d: compile it anew",
                         (unsigned)table->abi, OPAC_PLUGIN_ABI);
    if (table->open == NULL || table->reset == NULL || table->step == NULL || table->close == NULL)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "a plugin needs open, reset, step and close, and %s is NULL",
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

/* The linker names the file itself, most times. */
static opac_status fail_loading(opac_error *error)
{
    char shown[OPAC_MESSAGE_SIZE];
    const char *reason = dlerror();
    if (reason == NULL)
        reason = "it cannot be loaded";
    return base_fail(error, OPAC_ERROR_SIMULATOR, "this is no plugin: %s",
                     opac_text_show(reason, strlen(reason), shown, sizeof shown));
}

static opac_status load(library *into, const char *path, opac_error *error)
{
    if (access(path, R_OK) != 0)
        return base_fail_system(error, errno, "cannot read it");
    into->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (into->handle == NULL)
        return fail_loading(error);
    into->table = dlsym(into->handle, "opac_plugin");
    if (into->table == NULL)
        return base_fail(error, OPAC_ERROR_SIMULATOR,
                         "this is no plugin: it does not export the symbol opac_plugin");
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

/* A name without a slash is one in the current folder; the loader would search for it. */
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

/* What is wrong with a plugin's facts is wrong with a simulator, too. */
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
        return base_fail(error, OPAC_ERROR_ARGUMENT, "no file behind \"plugin:\"");
    char *path = make_path(file, length);
    if (path == NULL)
        return base_fail_memory(error);
    opac_status status = load_new(path, &from, &found);
    if (status == OPAC_OK)
        status = open_instance(from, text, environment, &found);
    base_free(path);
    return fail_named(file, length, status, &found, error);
}
