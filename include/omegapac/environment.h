/* SPDX-License-Identifier: MIT */
/*
 * Environments: systems that can be reset and stepped. A learner observes only the current state, its
 * labels and its number of actions.
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
 * for callbacks; for a model:
 *
 *     opac_environment_of_model(model, NULL, &environment, &error);
 *
 * for a simulator program (docs/formats/simulator.md) or a plugin (plugin.h):
 *
 *     opac_environment_open("exec:python3 lift.py", NULL, &environment, &error);
 *     opac_environment_open("plugin:./lift.so", NULL, &environment, &error);
 *
 * Threads: an environment must be used by one thread at a time. Callbacks are called in the thread that
 * called opac_learn, opac_estimate or a function below. Only if the callback `fork` is set, the library
 * uses several threads, each with its own instance: `fork` and `release` are called in the calling thread,
 * and reset, step, step_many and draw of the other instances in threads of the library, concurrently. Data
 * shared by instances must be thread-safe. Callbacks may take any time, but must not call functions on the
 * environment that called them.
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
 * An observation of a state. The key is any byte string that identifies the state; the same key must always
 * come with the same letter and number of actions. The key is owned by the environment and valid until the
 * next call.
 */
typedef struct opac_observation {
    const void *key;  /* identifies the state */
    size_t length;    /* of the key, in bytes */
    uint64_t letter;  /* bit i: proposition i of the environment holds */
    uint32_t actions; /* number of actions, at most OPAC_MAX_ACTIONS; 0 for an absorbing state */
    /*
     * If the environment tells outcomes (rows alike, docs/simulators.md): the class of the pair that the step
     * took, and the outcome that it drew, neither of them empty. Ignored after a reset. Owned by the environment
     * and valid until the next call, as the key.
     */
    const void *row_class;
    size_t row_class_length;
    const void *outcome;
    size_t outcome_length;
} opac_observation;

/* A request to one of several lanes, each of which runs its own episodes. */
typedef struct opac_lane_request {
    bool is_reset;   /* begin an episode; otherwise take a step */
    uint32_t action; /* for a step */
    uint64_t seed;   /* for a reset */
} opac_lane_request;

/* Collects the result of `draw`, each sampled successor once with its count, and of `successors`. Fails
 * with the status that the callback must return. */
typedef struct opac_draws opac_draws;
OPAC_API opac_status opac_draws_add(opac_draws *draws, const opac_observation *successor,
                                    uint64_t count, opac_error *error);

/*
 * The callbacks of an environment. Only reset and step are required; members that are not used must be
 * zero. A callback that fails returns a status and writes a message to error->message (error is never
 * NULL). The library replaces the status by OPAC_ERROR_SIMULATOR, unless it is OPAC_ERROR_MEMORY or
 * OPAC_ERROR_CANCELLED.
 */
typedef struct opac_environment_callbacks {
    /*
     * Begins an episode. All randomness in it must follow from the seed, which is below 2^63, so that a run
     * can be repeated and resumed.
     */
    opac_status (*reset)(void *context, uint64_t seed, opac_observation *observation,
                         opac_error *error);
    /* Takes one transition; action is below the number of actions of the current state. */
    opac_status (*step)(void *context, uint32_t action, opac_observation *observation,
                        opac_error *error);

    /* ---- optional ---- */

    /* Processes one request for each of `lanes` lanes, with the observations in the same order. */
    opac_status (*step_many)(void *context, const opac_lane_request *requests,
                             opac_observation *observations, opac_error *error);
    uint32_t lanes; /* number of lanes of step_many; 0 or 1 if it is not used */
    /*
     * Samples n independent successors of an action of any state (key NULL: of the reset) and adds their
     * counts to draws. The randomness follows from the seed. Does not change the current episode.
     */
    opac_status (*draw)(void *context, const void *key, size_t length, uint32_t action, uint64_t n,
                        uint64_t seed, opac_draws *draws, opac_error *error);
    /*
     * Adds all successors of an action of any state (key NULL: of the reset), each once with count 1:
     * exactly the states with positive probability, at least one. An environment with this callback knows
     * its graph. It may be called for states that no episode has reached. It must return the same result
     * each time, and must not change the current episode or the randomness.
     */
    opac_status (*successors)(void *context, const void *key, size_t length, uint32_t action,
                              opac_draws *successors, opac_error *error);
    /* Makes another instance, for another thread. */
    opac_status (*fork)(void *context, void **other, opac_error *error);
    /* Releases the context, and each one made by fork. */
    void (*release)(void *context);

    const char *const *propositions; /* names of the bits of a letter; copied */
    size_t proposition_count;        /* at most 64 */
    bool random_start;               /* reset may return different states */
    /*
     * Every step tells its class and its outcome. This declares: the probability of an outcome depends on the class
     * only; the class is a function of state and action; and the successor is a function of state, action and
     * outcome. Used if opac_learn_options.alike is set.
     */
    bool tells_outcomes;

    /*
     * For messages and results. show writes a description of a state into the buffer, truncated, or returns
     * false to show its key instead. action_name returns the name of an action, valid until the next call,
     * or NULL or "" if it has none. Both may be called for any state that was observed.
     */
    bool (*show)(void *context, const void *key, size_t length, char *buffer, size_t size);
    const char *(*action_name)(void *context, const void *key, size_t length, uint32_t action);
} opac_environment_callbacks;

typedef struct opac_environment opac_environment;

/* Makes an environment from callbacks, which are copied. Takes ownership of the context: it is released
 * with the environment, or if the call fails. The caller frees *environment. */
OPAC_API opac_status opac_environment_new(const opac_environment_callbacks *callbacks,
                                          void *context, opac_environment **environment,
                                          opac_error *error);

/*
 * Makes an environment that simulates a model. Keys are state numbers (uint32_t), actions are the choices
 * of a state in the order of the model, and one of several initial states is chosen uniformly at random.
 * properties, which may be NULL, define further propositions. Model and properties are borrowed until the
 * environment is freed.
 */
OPAC_API opac_status opac_environment_of_model(const opac_model *model,
                                               const opac_properties *properties,
                                               opac_environment **environment, opac_error *error);

/*
 * The same for a model of a program in the PRISM language that was read with opac_model_options.commands, and with
 * outcomes: the class of a pair is the tuple of commands that are executed (in a DTMC: of all enabled ones), the
 * outcome the tuple of their branches. A pair whose branches have probabilities that depend on the state is a class
 * of its own. Cannot draw successors of any state. OPAC_ERROR_UNSUPPORTED for other models.
 */
OPAC_API opac_status opac_environment_of_commands(const opac_model *model,
                                                  const opac_properties *properties,
                                                  opac_environment **environment,
                                                  opac_error *error);

/*
 * Makes an environment that only provides a graph, for opac_learn_options.graph, from a model that is
 * different from the one that is simulated (`like`, with opac_environment_of_model). It has the keys of
 * `like` and provides the successors of its actions; it cannot be run. Probabilities of the graph are
 * ignored.
 *
 * States correspond if all variables have the same values, provided that both models have the same
 * variables and these identify states; otherwise if they have the same number. Different initial states,
 * numbers of actions or names of actions are OPAC_ERROR_ARGUMENT. opac_learn also fails with
 * OPAC_ERROR_ARGUMENT if the graph has an edge that `like` does not have, or different labels, because no
 * sample could reveal this. An edge that only `like` has refutes the graph when it is sampled.
 *
 * properties: over the graph; may be NULL. All three are borrowed until the environment is freed.
 */
OPAC_API opac_status opac_environment_of_graph(const opac_model *graph, const opac_model *like,
                                               const opac_properties *properties,
                                               opac_environment **environment, opac_error *error);

/* ---- simulators: programs and plugins ---- */

/* Options of opac_environment_open; initialise them with opac_environment_defaults. */
typedef struct opac_environment_options {
    double timeout; /* maximum time of an answer of a program in seconds; default: 10 */
    /* Maximum growth of this process in bytes by the states of a program, all of which are kept; more is
     * OPAC_ERROR_LIMIT. 0: 90% of the machine's memory. */
    uint64_t max_memory;
    /* polled while waiting for an answer, which then fails with OPAC_ERROR_CANCELLED; may be
     * NULL. Borrowed until the environment is freed */
    const opac_cancel *cancel;
} opac_environment_options;

OPAC_API opac_environment_options opac_environment_defaults(void);

/* Whether a name is that of a simulator, that is, begins with "exec:" or "plugin:". */
OPAC_API bool opac_environment_is_simulator(const char *name);

/*
 * Opens a simulator. The caller frees *environment. options may be NULL.
 *
 * "exec:COMMAND": runs the command with the shell. It implements the protocol of docs/formats/simulator.md
 * on its standard input and output; its standard error is that of this process. It is started at once, and
 * again for each fork. When it is released it receives "bye", and is killed with all its child processes if
 * it has not exited after a second.
 *
 * "plugin:FILE.so" or "plugin:FILE.so?TEXT": loads a shared library with a table of functions (plugin.h)
 * and passes it the text. Its code runs in this process.
 *
 * Errors: OPAC_ERROR_SIMULATOR if a command cannot be started or sends a wrong greeting, or if a file is
 * not a plugin of this ABI; OPAC_ERROR_IO if a file does not exist.
 */
OPAC_API opac_status opac_environment_open(const char *name,
                                           const opac_environment_options *options,
                                           opac_environment **environment, opac_error *error);

OPAC_API void opac_environment_free(opac_environment *environment);

/* ---- properties of an environment ---- */

/* The capabilities of an environment. */
typedef struct opac_environment_traits {
    bool random_start;   /* reset may return different states */
    bool can_draw;       /* can sample successors of any state */
    bool can_fork;       /* can make instances for other threads */
    bool knows_graph;    /* knows the successors of all actions */
    bool tells_outcomes; /* every step tells its class and its outcome */
    uint32_t lanes;      /* number of parallel episodes; 1 without lanes */
} opac_environment_traits;

/* Returns the capabilities. */
OPAC_API opac_environment_traits opac_environment_get_traits(const opac_environment *environment);

/* A proposition that the environment has by name; NULL beyond the last index. A model has its labels here,
 * and also accepts expressions. Owned by the environment. */
OPAC_API const char *opac_environment_proposition(const opac_environment *environment,
                                                  size_t index);

/* ---- running it ---- */

/*
 * Sets the propositions of letters: bit i stands for name i, at most 64. By default they are the first 64
 * propositions of the environment. opac_learn and opac_estimate bind an environment to the propositions of
 * their objective. Unknown names are OPAC_ERROR_ARGUMENT.
 */
OPAC_API opac_status opac_environment_bind(opac_environment *environment, const char *const *names,
                                           size_t count, opac_error *error);
/* Resets the propositions of letters to those of the environment. */
OPAC_API opac_status opac_environment_bind_own(opac_environment *environment, opac_error *error);

/*
 * Run an environment. The key of an observation is valid until the next call of any of these functions. A
 * step must follow a reset, with an action below the number of actions of the last observation, otherwise
 * it fails with OPAC_ERROR_ARGUMENT. step_many takes one request for each lane. Its lanes are separate from
 * the episode of reset and step, except for programs, where a reset of one kind ends the episodes of the
 * other kind. Failures of the environment are OPAC_ERROR_SIMULATOR.
 */
OPAC_API opac_status opac_environment_reset(opac_environment *environment, uint64_t seed,
                                            opac_observation *observation, opac_error *error);
OPAC_API opac_status opac_environment_step(opac_environment *environment, uint32_t action,
                                           opac_observation *observation, opac_error *error);
OPAC_API opac_status opac_environment_step_many(opac_environment *environment,
                                                const opac_lane_request *requests,
                                                opac_observation *observations, opac_error *error);

/* The seed, below 2^63, that the learner passes to the reset of an episode, in a run with the given seed. */
OPAC_API uint64_t opac_environment_episode_seed(uint64_t seed, uint64_t episode);

/* show writes a description of a state, "x=1, y=0", or its key with unprintable bytes escaped, into the
 * buffer, truncated, and returns the buffer. action_name returns the name of an action, owned by the
 * environment; "" if it has none. */
OPAC_API const char *opac_environment_show(const opac_environment *environment, const void *key,
                                           size_t length, char *buffer, size_t size);
OPAC_API const char *opac_environment_action_name(const opac_environment *environment,
                                                  const void *key, size_t length, uint32_t action);

/* Write members into the open JSON object: `key` (`key_hex` if it is not text) and, if it differs, `state`,
 * the description of the state; and `labels`, for a letter over the propositions of the environment. */
OPAC_API void opac_environment_write_key_json(const opac_environment *environment, const void *key,
                                              size_t length, opac_json *json);
OPAC_API void opac_environment_write_labels_json(const opac_environment *environment,
                                                 uint64_t letter, opac_json *json);

#ifdef __cplusplus
}
#endif

#endif
