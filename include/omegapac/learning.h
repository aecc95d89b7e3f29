/* SPDX-License-Identifier: MIT */
/*
 * Learning a policy from samples alone, when a bound T on the recurrence time is
 * known: ω-PAC.
 *
 *     opac_objective objective = {.formula = formula};
 *     opac_learn_options options = opac_learn_defaults();
 *     options.horizon = 306;
 *     options.epsilon = 0.05;
 *     options.delta = 0.1;
 *     opac_learning *learning;
 *     if (opac_learn(environment, &objective, &options, &learning, &error) == OPAC_OK) {
 *         const opac_learn_report *report = opac_learning_report(learning);
 *         printf("%g, guarantee %s\n", report->value, report->holds ? "holds" : "does not hold");
 *     }
 *     opac_learning_free(learning);
 *
 * The result is a function of the environment, the objective, the options and
 * the seed; the number of threads, interruptions and resumptions change nothing.
 */
#ifndef OMEGAPAC_LEARNING_H
#define OMEGAPAC_LEARNING_H

#include <omegapac/bound.h>
#include <omegapac/cancel.h>
#include <omegapac/environment.h>
#include <omegapac/objective.h>
#include <omegapac/policy.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum opac_learn_stop {
    OPAC_STOP_POLICY = 0,     /* the pairs that the policy takes are known */
    OPAC_STOP_ALL_ACTIONS = 1 /* all pairs of the states that it visits */
} opac_learn_stop;

typedef enum opac_learn_sampler {
    OPAC_SAMPLER_AUTO = 0,
    OPAC_SAMPLER_POPULATION = 1, /* many episodes together, by counts */
    OPAC_SAMPLER_STEP = 2        /* one transition at a time */
} opac_learn_sampler;

typedef struct opac_learning opac_learning;

/* The policies that a run goes through. */
typedef struct opac_trace_entry {
    uint64_t episode, step; /* when the policy began: so many were done */
    uint64_t known;         /* pairs */
    uint64_t horizon;       /* T, which grows with opac_learn_options.horizon 0 */
    double value;           /* in the optimistic model */
    double truth;           /* NAN; the listener may put in what it knows, and it is kept */
} opac_trace_entry;

/* learning: as it is then; of its functions, opac_learning_policy may be called. After a resume
 * the entries of before come first, with `learning` NULL. */
typedef void (*opac_trace_listener)(void *context, const opac_learning *learning,
                                    opac_trace_entry *entry);

/* As opac_learn_defaults gives it; only horizon, epsilon and delta have no default. */
typedef struct opac_learn_options {
    uint64_t horizon; /* T, at least 1; 0: doubled until the learned model no longer refutes it,
                         which gives no guarantee */
    double epsilon, delta;
    /* How many observations make a pair known: by rule, or, if k is not 0, that many. */
    opac_k_rule k_rule;
    uint64_t k;
    double target; /* the error wanted: the accuracy of rule l1 becomes target/2 - epsilon;
                      0: none; it must exceed 2 epsilon */
    double slack;  /* h; 0: none */
    opac_learn_stop stop;
    opac_learn_sampler sampler;
    bool count_pairs; /* observations are counted by pair of the product, not of the environment */
    /* Bounds on the environment's own states, actions and successors; 0: what it knows itself. */
    uint64_t states, actions, branching;
    opac_automaton_kind kind; /* of the automaton that a formula becomes */
    uint64_t seed;
    unsigned threads;   /* 0: as many as there are processors */
    uint64_t max_steps; /* 0: no limit */
    double max_seconds; /* 0: no limit */
    /* A file from which the run can be continued: written every checkpoint_seconds, when
     * it is stopped, and at the end. NULL: none. A failure to write is told to
     * `failure` (NULL: to `notice`), and stops nothing. */
    const char *checkpoint;
    double checkpoint_seconds; /* 60 */
    bool resume;               /* begin with what is in that file */
    opac_trace_listener trace; /* may be NULL */
    void *trace_context;
    opac_notice_callback notice; /* warnings; may be NULL */
    void *notice_context;        /* of both */
    opac_notice_callback failure;
    const opac_cancel *cancel; /* ends the run: the result so far is OPAC_OK; while the automaton is
                                  made there is none yet: OPAC_ERROR_CANCELLED */
    opac_progress *progress;
    uint64_t recurrence_work; /* a bound on the effort of T_check; 0: about a second's worth */
} opac_learn_options;

OPAC_API opac_learn_options opac_learn_defaults(void);

typedef enum opac_learn_end {
    OPAC_END_DONE = 0,      /* the stopping condition is met */
    OPAC_END_STEPS = 1,     /* max_steps */
    OPAC_END_SECONDS = 2,   /* max_seconds */
    OPAC_END_CANCELLED = 3, /* on request */
    OPAC_END_EXCEEDED = 4,  /* a declared bound on states, actions or branching was wrong */
    OPAC_END_LIVELOCK = 5   /* nothing can be learned any more, which contradicts the theory */
} opac_learn_end;

typedef enum opac_horizon_check {
    OPAC_HORIZON_UNCHECKED = 0, /* too large to compute, or epsilon + c >= 1 */
    OPAC_HORIZON_CONSISTENT = 1,
    OPAC_HORIZON_REFUTED = 2
} opac_horizon_check;

typedef struct opac_learn_report {
    /* ---- inputs ---- */
    uint64_t states, actions, branching;    /* N, K, m of the environment; 0: unknown */
    uint64_t theory_states, theory_actions; /* N and K of the theorem, by what is counted */
    uint32_t automaton_states;
    bool is_guess; /* the automaton is nondeterministic, and not known to be good for MDPs */
    bool is_least; /* a least probability is asked for: value, lower and upper are the objective's,
                      and the best probability is at least, not at most, optimum_upper */
    opac_count product_states;  /* |S| |Q|, as declared or known */
    uint64_t product_reachable; /* pairs met */
    /* ---- parameters ---- */
    uint64_t horizon; /* T, the last one */
    uint64_t k;
    opac_count k_wanted;        /* by the rule, or for the target; log10 is NAN when unknown */
    opac_learn_sampler sampler; /* the one in use at the end */
    /* ---- result ---- */
    double value;        /* of the policy in the learned (optimistic) model */
    double lower, upper; /* the policy's true probability, with the confidence; NAN: no guarantee */
    double optimum_upper; /* the best probability is at most this, likewise */
    /* ---- guarantee ---- */
    bool holds;
    opac_learn_end end;
    double accuracy; /* c; NAN: unknown */
    double solver;   /* η */
    double risk;     /* of meeting what is unknown, counted in the error: 0, or at most the slack */
    double error;    /* 2 (epsilon + c) + η + risk; NAN: unknown */
    double confidence;    /* 1 - delta */
    const char *exceeded; /* which bound was wrong: "states", "actions", "branching"; else NULL */
    opac_horizon_check horizon_check;
    uint64_t horizon_found; /* the recurrence time of the learned chain; 0: unknown */
    bool horizon_is_bound;  /* it is that long at least */
    /* ---- statistics ---- */
    uint64_t episodes, steps, known, policies, solves;
    uint64_t states_seen, pairs_seen, samples;         /* samples: observations that count */
    double seconds, sampling_seconds, solving_seconds; /* of this process */
    bool resumed;
} opac_learn_report;

/*
 * OPAC_OK also when the run was ended early: the report says so. The
 * environment, and the objective's properties, are borrowed for as long as the
 * learning lives.
 */
OPAC_API opac_status opac_learn(opac_environment *environment, const opac_objective *objective,
                                const opac_learn_options *options, opac_learning **learning,
                                opac_error *error);
OPAC_API void opac_learning_free(opac_learning *learning);

OPAC_API const opac_learn_report *opac_learning_report(const opac_learning *learning);

/* The guarantee in a sentence or two, and what it assumes, one item after the other; NULL: no
 * such item. Both are borrowed. */
OPAC_API const char *opac_learning_statement(const opac_learning *learning);
OPAC_API const char *opac_learning_assumption(const opac_learning *learning, size_t index);

/* The automaton whose acceptance is made probable. Borrowed. */
OPAC_API const opac_automaton *opac_learning_automaton(const opac_learning *learning);

/* As they were told to the listener. Borrowed. */
OPAC_API const opac_trace_entry *opac_learning_trace(const opac_learning *learning, size_t *count);

/*
 * The policy, over the model that the environment runs; the environment is that
 * of opac_environment_of_model. For the caller; the model is borrowed.
 */
OPAC_API opac_status opac_learning_policy(const opac_learning *learning, const opac_model *model,
                                          opac_policy **policy, opac_error *error);

/* ---- running the policy in any environment ---- */

/* What it remembers when a run begins in a state. */
OPAC_API uint32_t opac_learning_start(const opac_learning *learning, const void *key,
                                      size_t length);
/* The action in a state; the memory becomes what it is afterwards. States that were not seen take
 * action 0 and leave the memory alone. */
OPAC_API uint32_t opac_learning_act(const opac_learning *learning, const void *key, size_t length,
                                    uint32_t *memory);

#ifdef __cplusplus
}
#endif

#endif
