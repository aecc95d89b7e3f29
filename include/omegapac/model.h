/* SPDX-License-Identifier: MIT */
/*
 * Markov chains and Markov decision processes: from PRISM-language files, from
 * explicit files (PRISM's .tra with .lab and .sta, Storm's .drn), or built in C
 * (builder.h).
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
 * States, choices and branches are numbered from 0. The choices of a state
 * follow one another, and so do the branches of a choice. Every state has a
 * choice: a deadlock gets one that leads back to it, and has the label
 * "deadlock". The labels "init" and "deadlock" always exist.
 *
 * A model is immutable: any number of threads may read one.
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

/* The kinds of models. */
typedef enum opac_model_type {
    OPAC_MODEL_DTMC = 0, /* every state has one choice */
    OPAC_MODEL_MDP = 1   /* a state may have several */
} opac_model_type;

/* "dtmc", "mdp"; "unknown" for any other number. */
OPAC_API const char *opac_model_type_name(opac_model_type type);

/* ---- values of constants ---- */

/*
 * Values for constants, by name. What reads them (a model, a property file)
 * remembers which names it knew, so that in the end a misspelt one shows.
 */
typedef struct opac_constants opac_constants;

/* No values yet. */
OPAC_API opac_status opac_constants_new(opac_constants **constants, opac_error *error);
OPAC_API void opac_constants_free(opac_constants *constants);
/*
 * Adds "N=3,p=0.2,b=true": names, each with a whole number, a decimal, a
 * fraction, true or false. A name may come once.
 */
OPAC_API opac_status opac_constants_add(opac_constants *constants, const char *text,
                                        opac_error *error);
/* The first name that nobody knew; NULL: all were known. Borrowed. */
OPAC_API const char *opac_constants_unused(const opac_constants *constants);
/* What may be meant by such a name: one near to it that has no value here. NULL: none. Borrowed. */
OPAC_API const char *opac_constants_suggest(const opac_constants *constants, const char *name);

/* ---- reading ---- */

/* An error or a warning about a place in a text. All of it dies with the call. */
typedef struct opac_message {
    opac_status code;      /* OPAC_OK: a warning */
    const char *path;      /* of the file; NULL: the text that was given */
    uint32_t line, column; /* from 1; 0: about no place */
    const char *text;      /* one line, without a full stop */
    const char *excerpt;   /* the line it is about, without its end; NULL: none */
    size_t excerpt_length; /* in bytes */
    const char *parameter; /* as in opac_error; NULL: none */
    uint64_t limit;        /* likewise; 0: none */
} opac_message;

/* Hears of errors and warnings, in the order of the text. */
typedef void (*opac_listener)(void *context, const opac_message *message);

/* As opac_model_defaults gives it; a member that is zero means its default. */
typedef struct opac_model_options {
    opac_constants *constants; /* of PRISM models; NULL: none are given */
    uint64_t max_states;       /* more are OPAC_ERROR_LIMIT; 0: 50 million */
    uint64_t max_memory;       /* in bytes, of the model under construction; 0: nine tenths of
                                  the machine's memory */
    bool exact;                /* probabilities are fractions, divided by their sum */
    /*
     * Hears warnings, and every error that has a place in a text: a file may
     * have several. The function that was called returns the first of them.
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

/* By the suffix of a path; false when it says nothing. */
OPAC_API bool opac_model_format_of(const char *path, opac_model_format *format);
/* By the first bytes of a text: DRN and .tra are recognised, all else is PRISM. */
OPAC_API opac_model_format opac_model_format_guess(const char *text, size_t length);

/*
 * Reads a file in the format of its suffix; without one that is known, in that
 * of its first bytes. options may be NULL.
 */
OPAC_API opac_status opac_model_read(const char *path, const opac_model_options *options,
                                     opac_model **model, opac_error *error);
/* The same from memory; of explicit files, the .tra alone. The text is borrowed. */
OPAC_API opac_status opac_model_read_text(opac_model_format format, const char *text, size_t length,
                                          const opac_model_options *options, opac_model **model,
                                          opac_error *error);
OPAC_API void opac_model_free(opac_model *model);

/* ---- writing ---- */

/*
 * Reading back what was written gives the same model, state for state: names,
 * labels, probabilities to the last bit, and for .tra the valuations in .sta
 * (where variables range over the values that there are).
 */
OPAC_API void opac_model_write_drn(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_tra(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_lab(const opac_model *model, opac_output *out);
OPAC_API void opac_model_write_sta(const opac_model *model, opac_output *out);
/* For Graphviz; more than max_states states are OPAC_ERROR_LIMIT. */
OPAC_API opac_status opac_model_write_dot(const opac_model *model, uint32_t max_states,
                                          opac_output *out, opac_error *error);

/* ---- looking at it ---- */

/* What it is, and its size; transitions are the branches of all choices. */
OPAC_API opac_model_type opac_model_get_type(const opac_model *model);
OPAC_API uint32_t opac_model_states(const opac_model *model);
OPAC_API uint32_t opac_model_choices(const opac_model *model);
OPAC_API uint32_t opac_model_transitions(const opac_model *model);

/* How many initial states it has, at least one. */
OPAC_API uint32_t opac_model_initial_count(const opac_model *model);
/* Ascending; index below the count. */
OPAC_API uint32_t opac_model_initial(const opac_model *model, uint32_t index);

/* The choices of a state are first … first + count - 1; likewise the branches of a choice, each of
 * which leads to a target with a probability. */
OPAC_API uint32_t opac_model_choice_begin(const opac_model *model, uint32_t state);
OPAC_API uint32_t opac_model_choice_count(const opac_model *model, uint32_t state);
OPAC_API uint32_t opac_model_branch_begin(const opac_model *model, uint32_t choice);
OPAC_API uint32_t opac_model_branch_count(const opac_model *model, uint32_t choice);
OPAC_API uint32_t opac_model_branch_target(const opac_model *model, uint32_t branch);
OPAC_API double opac_model_branch_probability(const opac_model *model, uint32_t branch);
/* The name of the choice's action; "": it has none. Borrowed. */
OPAC_API const char *opac_model_choice_action(const opac_model *model, uint32_t choice);

/* The names of actions that there are, not counting "". Borrowed; index below the count. */
OPAC_API uint32_t opac_model_action_count(const opac_model *model);
OPAC_API const char *opac_model_action(const opac_model *model, uint32_t index);

/* Labels, their names (borrowed), and where they hold; each index below its count. */
OPAC_API uint32_t opac_model_label_count(const opac_model *model);
OPAC_API const char *opac_model_label(const opac_model *model, uint32_t index);
OPAC_API bool opac_model_has_label(const opac_model *model, uint32_t state, uint32_t label);
/* In how many states it holds. */
OPAC_API uint32_t opac_model_label_states(const opac_model *model, uint32_t label);

/* The types of variables. */
typedef enum opac_value_type {
    OPAC_VALUE_INT = 0, /* a whole number */
    OPAC_VALUE_BOOL = 1 /* 0 or 1 */
} opac_value_type;

/* Variables, their names (borrowed), types and ranges, and their values in a state; each index
 * below its count. */
OPAC_API uint32_t opac_model_variable_count(const opac_model *model);
OPAC_API const char *opac_model_variable(const opac_model *model, uint32_t index);
OPAC_API opac_value_type opac_model_variable_type(const opac_model *model, uint32_t index);
OPAC_API void opac_model_variable_range(const opac_model *model, uint32_t index, int64_t *low,
                                        int64_t *high);
OPAC_API int64_t opac_model_value(const opac_model *model, uint32_t state, uint32_t variable);
/* Whether there is a variable of that name and type, and which one. */
OPAC_API bool opac_model_find_variable(const opac_model *model, const char *name,
                                       opac_value_type type, uint32_t *index);
/* A value in words, "done=false", and those of all variables, "x=1, done=false"; the number of the
 * state when it has none. */
OPAC_API void opac_model_write_value(const opac_model *model, uint32_t state, uint32_t variable,
                                     opac_output *out);
OPAC_API void opac_model_write_state(const opac_model *model, uint32_t state, opac_output *out);
/* The values of a state as an object, {"x": 1, "done": false}; its labels as an array of names. */
OPAC_API void opac_model_write_values_json(const opac_model *model, uint32_t state,
                                           opac_json *json);
OPAC_API void opac_model_write_labels_json(const opac_model *model, uint32_t state,
                                           opac_json *json);

/* ---- propositions ---- */

/*
 * Where a proposition holds: a label by its name, or a Boolean expression over
 * the variables, constants and formulas of a PRISM model ("x=3 & y<2"), or over
 * the variables of a .sta file. Sets bit s % 64 of bits[s / 64] for each state s
 * where it does, and clears all others; bits has (states + 63) / 64 words. An
 * unknown one is an error that lists the labels there are; line and column
 * are those in the proposition.
 */
OPAC_API opac_status opac_model_evaluate(const opac_model *model, const char *proposition,
                                         uint64_t *bits, opac_error *error);

/*
 * The letter of each state: bit i of letters[s] says whether proposition i
 * holds in state s. More than 64 propositions are OPAC_ERROR_LIMIT.
 */
OPAC_API opac_status opac_model_letters(const opac_model *model, const char *const *propositions,
                                        size_t count, uint64_t *letters, opac_error *error);

/* ---- what it is like ---- */

/* Sizes, and what the graph is like. */
typedef struct opac_model_summary {
    uint32_t states, choices, transitions, initial, actions; /* how many there are */
    uint32_t deadlocks;                                      /* states */
    double least_probability;                                /* of a branch */
    double least_start_probability; /* of an initial state; 1: there is one, or none */
    uint32_t most_choices;          /* of a state */
    uint32_t most_branches;         /* of a choice */
    uint32_t components, bottom_components, largest_component;            /* strongly connected */
    uint32_t end_components, end_component_states, largest_end_component; /* maximal ones */
} opac_model_summary;

/* Linear but for the end components. Stops on a request with OPAC_ERROR_CANCELLED. */
OPAC_API opac_status opac_model_summarize(const opac_model *model, const opac_cancel *cancel,
                                          opac_model_summary *summary, opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
