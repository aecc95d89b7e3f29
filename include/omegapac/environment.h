/* SPDX-License-Identifier: MIT */
/*
 * Environments: whatever can be run, one step at a time. A learner sees nothing
 * else of the system: which state it is in, what holds there, how many actions
 * there are.
 *
 *     static opac_status reset(void *context, uint64_t seed, opac_observation *seen,
 *                              opac_error *error) { … }
 *     static opac_status step(void *context, uint32_t action, opac_observation *seen,
 *                             opac_error *error) { … }
 *
 *     const char *const names[] = {"goal"};
 *     opac_environment_callbacks callbacks = {
 *         .reset = reset, .step = step, .propositions = names, .proposition_count = 1};
 *     opac_environment *environment;
 *     opac_environment_new(&callbacks, my_simulator, &environment, &error);
 *     …
 *     opac_environment_free(environment);
 *
 * or, where the system is a model,
 *
 *     opac_environment_of_model(model, NULL, &environment, &error);
 *
 * or a program of its own (docs/formats/simulator.md), or a plugin (plugin.h),
 *
 *     opac_environment_open("exec:python3 lift.py", NULL, &environment, &error);
 *     opac_environment_open("plugin:./lift.so", NULL, &environment, &error);
 *
 * Threads. One at a time uses an environment, and its callbacks are called in
 * that thread: the one that called opac_learn, opac_estimate or a function
 * below. Only where there is `fork` are several threads used, each with an
 * instance of its own: `fork` and `release` are called in the thread that
 * asked, reset, step, step_many and draw of the other instances in threads of
 * the library, at the same time as those of the first. What instances share
 * must bear that. Callbacks may take as long as they need; they must not call
 * functions on the environment that calls them.
 */
#ifndef OMEGAPAC_ENVIRONMENT_H
#define OMEGAPAC_ENVIRONMENT_H

#include <omegapac/cancel.h>
#include <omegapac/json.h>
#include <omegapac/model.h>
#include <omegapac/property.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What is seen of a state. The key is its identity, any bytes: the same key is
 * the same state, and must come with the same letter and actions each time. It
 * belongs to the environment and lives until the next call.
 */
typedef struct opac_observation {
    const void *key;  /* the state's identity */
    size_t length;    /* of the key, in bytes */
    uint64_t letter;  /* bit i: proposition i of the environment holds */
    uint32_t actions; /* how many there are: 0, 1, 2 … OPAC_MAX_ACTIONS; none: the run stays here
                         for ever */
} opac_observation;

/* One of several lanes, each of which runs episodes of its own. */
typedef struct opac_lane_request {
    bool is_reset;   /* an episode begins; else it goes on with a step */
    uint32_t action; /* of a step */
    uint64_t seed;   /* of a reset */
} opac_lane_request;

/* Where `draw` tells what it drew, each successor once, with how often it was drawn; and
 * `successors` all that there are. */
typedef struct opac_draws opac_draws;
OPAC_API opac_status opac_draws_add(opac_draws *draws, const opac_observation *successor,
                                    uint64_t count, opac_error *error);

/*
 * All fail with a status and a message of their own (written to error->message, which is never
 * NULL here); the code becomes OPAC_ERROR_SIMULATOR, unless it is OPAC_ERROR_MEMORY or
 * OPAC_ERROR_CANCELLED.
 * Members that are not set must be zero.
 */
typedef struct opac_environment_callbacks {
    /*
     * A new episode. All that is random in it shall follow from the seed, which
     * is below 2^63, so that a run can be repeated and resumed.
     */
    opac_status (*reset)(void *context, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    /* One transition; action below the number of actions of the state. */
    opac_status (*step)(void *context, uint32_t action, opac_observation *observation,
                        opac_error *error);

    /* ---- optional ---- */

    /* An order for each of `lanes` lanes, observations in the same order. */
    opac_status (*step_many)(void *context, const opac_lane_request *orders,
                             opac_observation *observations, opac_error *error);
    uint32_t lanes; /* of step_many: episodes side by side; 0 or 1: one at a time */
    /*
     * n independent successors of a state of one's choice (key NULL: of the reset), as
     * counts; random by the seed. The episode under way is not disturbed.
     */
    opac_status (*draw)(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error);
    /*
     * All states that an action can lead to (key NULL: the reset), each once, with count 1; at
     * least one, no others, and each with positive probability. Who offers this knows the graph.
     * States may be asked for that no episode has come to. Neither the episode under way nor what
     * is random is disturbed, and the answer is the same each time.
     */
    opac_status (*successors)(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *successors, opac_error *error);
    /* Another instance, for another thread. */
    opac_status (*fork)(void *context, void **other, opac_error *error);
    /* Of the context, and of each that fork made. */
    void (*release)(void *context);

    const char *const *propositions; /* bit i of a letter; copied */
    size_t proposition_count;        /* at most 64 */
    bool random_start;               /* reset may return different states */

    /*
     * For people: a state in words, written into the buffer and cut where that ends (false: it has
     * none, and is shown by its key); and the name of one of its actions (NULL or "": it has none),
     * which lives until the next call. Both may be asked for any state that was observed.
     */
    bool (*show)(void *context, const void *key, size_t length, char *buffer, size_t size);
    const char *(*action_name)(void *context, const void *key, size_t length, uint32_t action);
} opac_environment_callbacks;

typedef struct opac_environment opac_environment;

/* Takes the context: it is released with the environment, also when this fails. */
OPAC_API opac_status opac_environment_new(const opac_environment_callbacks *callbacks,
                                          void *context, opac_environment **environment,
                                          opac_error *error);

/*
 * A model that is run. Its states' keys are their numbers (uint32_t), its
 * actions the choices of a state in the model's order; of several initial
 * states one is drawn, all alike. The model, and the properties (may be NULL),
 * which know further propositions, are borrowed for as long as it lives.
 */
OPAC_API opac_status opac_environment_of_model(const opac_model *model,
                                               const opac_properties *properties,
                                               opac_environment **environment, opac_error *error);

/*
 * A model that is read as the graph of another one, which is run by
 * opac_environment_of_model: it has the keys of that one, knows where each of its actions can lead
 * to, and cannot itself be run. For opac_learn_options.graph, where the model's own graph is not
 * what is assumed. Probabilities in it do not matter.
 *
 * States of the two are the same if they have the same values of all variables, where both models
 * have variables of the same names that tell states apart; else if they have the same number. Other
 * initial states, and a state with another number of actions, or actions of other names, are
 * OPAC_ERROR_ARGUMENT. So is, from opac_learn, an edge of the graph that `like` does not have, or a
 * state that they label differently: no sample would ever show it. An edge that `like` alone has
 * refutes the graph when it is seen.
 *
 * Properties: over the graph; may be NULL. All three are borrowed for as long as it lives.
 */
OPAC_API opac_status opac_environment_of_graph(const opac_model *graph, const opac_model *like,
                                               const opac_properties *properties,
                                               opac_environment **environment, opac_error *error);

/* ---- simulators: programs of their own, and plugins ---- */

/* As opac_environment_defaults gives it. */
typedef struct opac_environment_options {
    double timeout; /* seconds that an answer of a program may take; 10 */
    /* Bytes by which this process may grow while a program shows new states, all of which are kept;
     * more are OPAC_ERROR_LIMIT. 0: nine tenths of the machine's memory. */
    uint64_t max_memory;
    const opac_cancel *cancel; /* looked at while an answer is waited for: the call that waits is
                                  then OPAC_ERROR_CANCELLED. May be NULL; borrowed for as long as
                                  the environment lives */
} opac_environment_options;

OPAC_API opac_environment_options opac_environment_defaults(void);

/* Whether a name is that of a simulator: it begins with "exec:" or "plugin:". */
OPAC_API bool opac_environment_is_simulator(const char *name);

/*
 * "exec:COMMAND": the command is run by the shell, and speaks the protocol of
 * docs/formats/simulator.md on its standard input and output; its standard error is ours. It is
 * started at once, and again for each fork; released, it is told "bye", and killed with all
 * that it has started if it has not ended by itself a second later.
 *
 * "plugin:FILE.so" or "plugin:FILE.so?TEXT": a shared library with a table of functions (plugin.h),
 * which is given the text. Its code runs in this process.
 *
 * Options may be NULL. A command that cannot be started, or greets wrongly, is
 * OPAC_ERROR_SIMULATOR; a file that is not there, OPAC_ERROR_IO; one that is no plugin, or of
 * another ABI, OPAC_ERROR_SIMULATOR.
 */
OPAC_API opac_status opac_environment_open(const char *name,
                                           const opac_environment_options *options,
                                           opac_environment **environment, opac_error *error);

OPAC_API void opac_environment_free(opac_environment *environment);

/* ---- what it is ---- */

/* What an environment can do, and what it knows of itself. */
typedef struct opac_environment_traits {
    bool random_start; /* reset may return different states */
    bool can_draw;     /* successors of a state of one's choice */
    bool can_fork;     /* others of the same, for other threads */
    bool knows_graph;  /* where actions can lead to */
    uint32_t lanes;    /* episodes side by side; 1: one at a time */
} opac_environment_traits;

/* What a learner asks before it begins. */
OPAC_API opac_environment_traits opac_environment_get_traits(const opac_environment *environment);

/* The propositions that it knows by name (of a model: its labels; it knows expressions, too).
 * NULL: no such index. Borrowed. */
OPAC_API const char *opac_environment_proposition(const opac_environment *environment,
                                                  size_t index);

/* ---- running it by hand ---- */

/*
 * Letters are over these names from now on, bit i for name i, at most 64. Before the first call
 * they are over its own, in its order, the first 64 of them. opac_learn and opac_estimate bind an
 * environment to the propositions of their objective.
 */
OPAC_API opac_status opac_environment_bind(opac_environment *environment, const char *const *names,
                                           size_t count, opac_error *error);
/* They are over its own names again, also after a run has bound it to others. */
OPAC_API opac_status opac_environment_bind_own(opac_environment *environment, opac_error *error);

/*
 * An observation's key lives until the next call of any of these. A step follows a reset, and
 * takes an action below the number that the last observation had: else OPAC_ERROR_ARGUMENT.
 * step_many: an order and an observation for each of its lanes, which are others than that of
 * reset and step; but a program has no other lanes, so that its episodes of one kind end with the
 * first reset of the other kind.
 */
OPAC_API opac_status opac_environment_reset(opac_environment *environment, uint64_t seed,
                                            opac_observation *observation, opac_error *error);
OPAC_API opac_status opac_environment_step(opac_environment *environment, uint32_t action,
                                           opac_observation *observation, opac_error *error);
OPAC_API opac_status opac_environment_step_many(opac_environment *environment,
                                                const opac_lane_request *orders,
                                                opac_observation *observations, opac_error *error);

/* The seed, below 2^63, with which the learner begins an episode of a run with a seed. */
OPAC_API uint64_t opac_environment_episode_seed(uint64_t seed, uint64_t episode);

/* A state in words, "x=1, y=0", or else its key with what is not printable escaped, cut where the
 * buffer ends; returns the buffer. And the name of an action, "" when it has none; borrowed. */
OPAC_API const char *opac_environment_show(const opac_environment *environment, const void *key,
                                           size_t length, char *buffer, size_t size);
OPAC_API const char *opac_environment_action_name(const opac_environment *environment,
                                                  const void *key, size_t length, uint32_t action);

/* Members of a JSON object that is open: `key` (`key_hex`, if it is no text) and, if it differs from that,
 * `state`, the state in words; and `labels`, of a letter over its own propositions. */
OPAC_API void opac_environment_write_key_json(const opac_environment *environment, const void *key,
                                              size_t length, opac_json *json);
OPAC_API void opac_environment_write_labels_json(const opac_environment *environment,
                                                 uint64_t letter, opac_json *json);

#ifdef __cplusplus
}
#endif

#endif
