/* SPDX-License-Identifier: MIT */
/*
 * Markov chains and Markov decision processes, from PRISM-language files, from explicit files (PRISM's .tra
 * with .lab and .sta, Storm's .drn), or built in C (builder.h).
 *
 *     static void show(void *context, const opac_message *message)
 *     {
 *         fprintf(context, "%u:%u: %s\n", message->line, message->column, message->text);
 *     }
 *
 *     opac_model_options options = {.listener = show, .listener_context = stderr};
 *     opac_constants *constants;
 *     opac_model *model;
 *     opac_constants_new(&constants, &error);
 *     opac_constants_add(constants, "N=3,p=0.2", &error);
 *     options.constants = constants;
 *     if (opac_model_read("grid.prism", &options, &model, &error) == OPAC_OK)
 *         printf("%u states\n", opac_model_states(model));
 *     opac_model_free(model);
 *     opac_constants_free(constants);
 *
 * States, choices and branches are numbered from 0. The choices of a state are consecutive, and so are the
 * branches of a choice. Every state has a choice: a deadlock state gets a self-loop and the label
 * "deadlock". The labels "init" and "deadlock" always exist. All functions that read a member take constant
 * time.
 *
 * A model is immutable; several threads may use it at the same time.
 */
#ifndef OMEGAPAC_MODEL_H
#define OMEGAPAC_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <omegapac/cancel.h>
#include <omegapac/error.h>
#include <omegapac/export.h>
#include <omegapac/json.h>
#include <omegapac/output.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    OPAC_MAX_ACTIONS = 1048576 /* of a state, in a PRISM program or a simulator */
};

typedef struct opac_model opac_model;

/* The types of models. */
typedef enum opac_model_type {
    OPAC_MODEL_DTMC = 0, /* every state has one choice */
    OPAC_MODEL_MDP = 1   /* a state may have several */
} opac_model_type;

/* "dtmc", "mdp"; "unknown" for any other number. */
OPAC_API const char *opac_model_type_name(opac_model_type type);

/* ---- values of constants ---- */

/*
 * Values for constants, by name. Reading a model or a property file marks the constants that are used, so
 * that misspelt names can be reported.
 */
typedef struct opac_constants opac_constants;

/* Makes an empty set of values; the caller frees it. */
OPAC_API opac_status opac_constants_new(opac_constants **constants, opac_error *error);
OPAC_API void opac_constants_free(opac_constants *constants);
/*
 * Adds values: "N=3,p=0.2,b=true". A value is an integer, a decimal, a fraction, true or false. A name may
 * be given once.
 */
OPAC_API opac_status opac_constants_add(opac_constants *constants, const char *text,
                                        opac_error *error);
/* The first name that was not used; NULL if all were used. Owned by the constants. */
OPAC_API const char *opac_constants_unused(const opac_constants *constants);
/* A similar name that was looked up without a value here, as a suggestion for an unused one; NULL if there
 * is none. Owned by the constants. */
OPAC_API const char *opac_constants_suggest(const opac_constants *constants, const char *name);

/* ---- reading ---- */

/* An error or a warning about a place in a text. It is valid during the call. */
typedef struct opac_message {
    opac_status code;      /* OPAC_OK for a warning */
    const char *path;      /* of the file; NULL for text in memory */
    uint32_t line, column; /* from 1; 0 without a place */
    const char *text;      /* one line, without a full stop */
    const char *excerpt;   /* the line, without its end; may be NULL */
    size_t excerpt_length; /* in bytes */
    const char *parameter; /* as in opac_error */
    uint64_t limit;        /* as in opac_error */
} opac_message;

/* Called for errors and warnings, in the order of the text. */
typedef void (*opac_listener)(void *context, const opac_message *message);

/* Options of reading a model. A member that is zero stands for its default (opac_model_defaults). */
typedef struct opac_model_options {
    opac_constants *constants; /* values for constants of PRISM models; may be NULL */
    uint64_t max_states;       /* more are OPAC_ERROR_LIMIT; 0: 50 million */
    uint64_t max_memory;       /* in bytes, of the model under construction; more is
                                  OPAC_ERROR_LIMIT; 0: 90% of the machine's memory */
    bool exact;                /* read probabilities as fractions, normalised exactly */
    /* Keep the commands that each choice executes, for opac_environment_of_commands. For programs in the PRISM
     * language; without effect for other formats. */
    bool commands;
    /*
     * Called for warnings, and for every error with a place in a text, of which a file may have several.
     * The function returns the first error.
     */
    opac_listener listener;
    void *listener_context;
    opac_progress *progress;
    const opac_cancel *cancel;
} opac_model_options;

OPAC_API opac_model_options opac_model_defaults(void);

/* The formats that are read. */
typedef enum opac_model_format {
    OPAC_FORMAT_PRISM = 0, /* the PRISM language: .prism .pm .nm .mdp .dtmc */
    OPAC_FORMAT_TRA = 1,   /* PRISM's explicit files: .tra, with .lab and .sta beside it */
    OPAC_FORMAT_DRN = 2    /* Storm's explicit format: .drn */
} opac_model_format;

/* The format of a path by its suffix; returns false if the suffix is unknown. */
OPAC_API bool opac_model_format_of(const char *path, opac_model_format *format);
/* The format of a text by its first bytes: DRN or .tra if it is recognised, otherwise PRISM. */
OPAC_API opac_model_format opac_model_format_guess(const char *text, size_t length);

/*
 * Reads a model file, in the format of its suffix or, if the suffix is unknown, of its first bytes. options
 * may be NULL. The caller frees *model. Errors: OPAC_ERROR_SYNTAX with line and column,
 * OPAC_ERROR_ARGUMENT, OPAC_ERROR_UNSUPPORTED, OPAC_ERROR_LIMIT beyond max_states or max_memory,
 * OPAC_ERROR_IO, OPAC_ERROR_CANCELLED. Linear in the number of reachable states and transitions.
 */
OPAC_API opac_status opac_model_read(const char *path, const opac_model_options *options,
                                     opac_model **model, opac_error *error);
/* The same from memory; for explicit files, the .tra only. */
OPAC_API opac_status opac_model_read_text(opac_model_format format, const char *text, size_t length,
                                          const opac_model_options *options, opac_model **model,
                                          opac_error *error);
OPAC_API void opac_model_free(opac_model *model);

/* ---- writing ---- */

/*
 * Write a model in an explicit format. Reading it back gives the same states, names, labels and
 * probabilities (all bits), and for .tra also the valuations in .sta (with the ranges of the values that
 * occur).
 */
OPAC_API void opac_model_write_drn(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_tra(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_lab(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_sta(const opac_model *model, opac_output *out);
/* Writes a Graphviz file; more than max_states states are OPAC_ERROR_LIMIT. */
OPAC_API opac_status opac_model_write_dot(const opac_model *model, uint32_t max_states,
                                          opac_output *out, opac_error *error);

/* ---- inspecting a model ---- */

/* The type of a model, and its size; transitions are the branches of all choices. */
OPAC_API opac_model_type opac_model_get_type(const opac_model *model);
OPAC_API uint32_t opac_model_states(const opac_model *model);
OPAC_API uint32_t opac_model_choices(const opac_model *model);
OPAC_API uint32_t opac_model_transitions(const opac_model *model);

/* The number of initial states, at least one. */
OPAC_API uint32_t opac_model_initial_count(const opac_model *model);
/* The initial states, ascending; index below the count. */
OPAC_API uint32_t opac_model_initial(const opac_model *model, uint32_t index);

/* The choices of a state are begin … begin + count - 1, and likewise the branches of a choice. A branch
 * leads to its target with its probability. */
OPAC_API uint32_t opac_model_choice_begin(const opac_model *model, uint32_t state);
OPAC_API uint32_t opac_model_choice_count(const opac_model *model, uint32_t state);
OPAC_API uint32_t opac_model_branch_begin(const opac_model *model, uint32_t choice);
OPAC_API uint32_t opac_model_branch_count(const opac_model *model, uint32_t choice);
OPAC_API uint32_t opac_model_branch_target(const opac_model *model, uint32_t branch);
OPAC_API double opac_model_branch_probability(const opac_model *model, uint32_t branch);
/* The name of the action of a choice; "" if it has none. Owned by the model. */
OPAC_API const char *opac_model_choice_action(const opac_model *model, uint32_t choice);

/* The different names of actions, without ""; index below the count. Owned by the model. */
OPAC_API uint32_t opac_model_action_count(const opac_model *model);
OPAC_API const char *opac_model_action(const opac_model *model, uint32_t index);

/* Labels, their names, and the states where they hold; index below the count. */
OPAC_API uint32_t opac_model_label_count(const opac_model *model);
OPAC_API const char *opac_model_label(const opac_model *model, uint32_t index);
OPAC_API bool opac_model_has_label(const opac_model *model, uint32_t state, uint32_t label);
/* The number of states with a label. Linear. */
OPAC_API uint32_t opac_model_label_states(const opac_model *model, uint32_t label);

/* The types of variables. */
typedef enum opac_value_type {
    OPAC_VALUE_INT = 0, /* an integer */
    OPAC_VALUE_BOOL = 1 /* 0 or 1 */
} opac_value_type;

/* Variables, their names, types and ranges, and their values in a state; index below the count. */
OPAC_API uint32_t opac_model_variable_count(const opac_model *model);
OPAC_API const char *opac_model_variable(const opac_model *model, uint32_t index);
OPAC_API opac_value_type opac_model_variable_type(const opac_model *model, uint32_t index);
OPAC_API void opac_model_variable_range(const opac_model *model, uint32_t index, int64_t *low,
                                        int64_t *high);
OPAC_API int64_t opac_model_value(const opac_model *model, uint32_t state, uint32_t variable);
/* Finds a variable by name and type; returns false if there is none. */
OPAC_API bool opac_model_find_variable(const opac_model *model, const char *name,
                                       opac_value_type type, uint32_t *index);
/* Write the value of a variable, "done=false", and the values of all variables, "x=1, done=false", or the
 * number of the state if the model has none. */
OPAC_API void opac_model_write_value(const opac_model *model, uint32_t state, uint32_t variable,
                                     opac_output *out);
OPAC_API void opac_model_write_state(const opac_model *model, uint32_t state, opac_output *out);
/* Write the values of a state as a JSON object, {"x": 1, "done": false}, and its labels as an array of
 * names. */
OPAC_API void opac_model_write_values_json(const opac_model *model, uint32_t state,
                                           opac_json *json);
OPAC_API void opac_model_write_labels_json(const opac_model *model, uint32_t state,
                                           opac_json *json);

/* ---- propositions ---- */

/*
 * Computes the states where a proposition holds: a label, or a Boolean expression over the variables,
 * constants and formulas of a PRISM model ("x=3 & y<2") or over the variables of a .sta file. Sets bit s %
 * 64 of bits[s / 64] for each such state s and clears the others; bits has (states + 63) / 64 words. An
 * unknown name is an error that lists the labels; line and column are within the proposition.
 */
OPAC_API opac_status opac_model_evaluate(const opac_model *model, const char *proposition,
                                         uint64_t *bits, opac_error *error);

/*
 * Computes the letter of each state: bit i of letters[s] is set if proposition i holds in state s. More
 * than 64 propositions are OPAC_ERROR_LIMIT.
 */
OPAC_API opac_status opac_model_letters(const opac_model *model, const char *const *propositions,
                                        size_t count, uint64_t *letters, opac_error *error);

/* ---- summary ---- */

/* Sizes and components of a model. */
typedef struct opac_model_summary {
    uint32_t states, choices, transitions, initial, actions; /* their numbers */
    uint32_t deadlocks;                                      /* deadlock states */
    double least_probability;                                /* of a branch */
    double least_start_probability; /* of an initial state; 1 if there is one */
    uint32_t most_choices;          /* of a state */
    uint32_t most_branches;         /* of a choice */
    uint32_t components, bottom_components, largest_component;            /* strongly connected */
    uint32_t end_components, end_component_states, largest_end_component; /* maximal ones */
} opac_model_summary;

/* Computes the summary. Linear, except for the end components. cancel is polled and may be NULL. */
OPAC_API opac_status opac_model_summarize(const opac_model *model, const opac_cancel *cancel,
                                          opac_model_summary *summary, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
