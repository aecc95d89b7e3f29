/* SPDX-License-Identifier: MIT */
/*
 * Learning a policy from samples alone. One of three things has to be known:
 *
 *     a bound T on the recurrence time        ω-PAC
 *     a bound on positive probabilities       a bracket [L, U] around the best probability, which
 *     the graph of the system                   is valid whenever one stops, and closes
 *
 * With T, for instance:
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
 *
 * A learning belongs to the caller, and borrows the environment. Other threads use forks of that
 * (environment.h); all callbacks of the options are called in the thread that called opac_learn. When
 * that has returned, any number of threads may read the learning; opac_learning_policy alone asks the
 * environment, for names. What an environment does wrong is OPAC_ERROR_SIMULATOR, and the checkpoint
 * is kept.
 */
#ifndef OMEGAPAC_LEARNING_H
#define OMEGAPAC_LEARNING_H

#include <omegapac/bound.h>
#include <omegapac/cancel.h>
#include <omegapac/environment.h>
#include <omegapac/objective.h>
#include <omegapac/output.h>
#include <omegapac/policy.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* When a run with T has seen enough. */
typedef enum opac_learn_stop {
    OPAC_STOP_POLICY = 0,     /* the pairs that the policy takes are known */
    OPAC_STOP_ALL_ACTIONS = 1 /* all pairs of the states that it visits */
} opac_learn_stop;

/* How episodes are run. */
typedef enum opac_learn_sampler {
    OPAC_SAMPLER_AUTO = 0,       /* population where that pays, else step */
    OPAC_SAMPLER_POPULATION = 1, /* many episodes together, by counts */
    OPAC_SAMPLER_STEP = 2        /* one transition at a time */
} opac_learn_sampler;

/* How a run that knows pmin or the graph chooses what to sample. */
typedef enum opac_learn_explore {
    OPAC_EXPLORE_EPISODES = 0,  /* whole runs, from the start */
    OPAC_EXPLORE_GENERATIVE = 1 /* successors of any state, where that narrows the bracket most;
                                   needs an environment that can draw */
} opac_learn_explore;

typedef struct opac_learning opac_learning;

/* The policies that a run goes through. */
typedef struct opac_trace_entry {
    uint64_t episode, step; /* when the policy began: so many were done */
    uint64_t known;         /* pairs */
    uint64_t horizon;       /* T, which grows with opac_learn_options.horizon 0 */
    double value;           /* in the optimistic model */
    double lower, upper;    /* the bracket, with pmin or a graph; else NAN */
    double truth;           /* NAN; the listener may put in what it knows, and it is kept */
} opac_trace_entry;

/* learning: as it is then; of its functions, opac_learning_policy may be called. After a resume
 * the entries of before come first, with `learning` NULL. */
typedef void (*opac_trace_listener)(void *context, const opac_learning *learning,
                                    opac_trace_entry *entry);

/* As opac_learn_defaults gives it; only epsilon, delta and what is known have no default. */
typedef struct opac_learn_options {
    uint64_t horizon; /* T, at least 1; 0: doubled until the learned model no longer refutes it,
                         which gives no guarantee. Not looked at with pmin or a graph */
    /*
     * A lower bound on positive transition probabilities, in (0, 1]; 0: unknown. And an environment that knows
     * where each action can lead to (of a model, or with the callback `successors`), which may be
     * the environment itself; borrowed for the time of opac_learn; NULL: unknown. With one of
     * these, or both, the run ends when the bracket is narrower than epsilon.
     */
    double pmin;
    /*
     * With one of these: a lower bound on the probabilities of start states, in (0, 1], where the
     * reset is random; pmin says nothing about them. 0: unknown. Then, unless the graph is given, the
     * bracket allows for start states that were not drawn yet.
     */
    double pmin_start;
    opac_environment *graph;
    opac_learn_explore explore; /* with one of them: episodes */
    double epsilon;             /* in (0, 1): of the recurrence time; of the bracket, its width */
    double delta;               /* in (0, 1): the probability that the promise fails */
    /* How many observations make a pair known: by rule, or, if k is not 0, that many. */
    opac_k_rule k_rule;
    uint64_t k;
    double target;        /* the error wanted: the accuracy of rule l1 becomes target/2 - epsilon;
                      0: none; it must exceed 2 epsilon */
    double slack;         /* h; 0: none */
    opac_learn_stop stop; /* with T: policy */
    opac_learn_sampler sampler; /* auto */
    bool count_pairs; /* observations are counted by pair of the product, not of the environment */
    /*
     * The system is deterministic: it has one initial state, and an action of a state leads to one
     * state. A second successor refutes it (OPAC_END_EXCEEDED). It need not be declared of models.
     */
    bool deterministic;
    /*
     * Tests of environments other than models, before and while they are sampled, whether episodes are
     * independent (docs/simulators.md). One that is not is OPAC_ERROR_SIMULATOR.
     */
    bool untested; /* no such test: the statement says so */
    /* Bounds on the environment's own states, actions and successors; 0: what it knows itself. */
    uint64_t states, actions, branching;
    uint64_t trial_steps;     /* at most, of the trial before the first episode; 0: 4096 */
    opac_automaton_kind kind; /* of the automaton that a formula becomes */
    uint64_t seed;            /* 1 */
    unsigned threads;         /* 0: as many as there are processors */
    uint64_t max_steps;       /* 0: no limit */
    double max_seconds;       /* 0: no limit */
    /* Bytes by which this process may grow while it learns in an environment that is not a model; 0:
     * nine tenths of the machine's memory. Then the run ends, with the result so far. */
    uint64_t max_memory;
    /* A file from which the run can be continued: written every checkpoint_seconds, when
     * it is stopped, and at the end. NULL: none. It is locked while the run lasts: a second run
     * with the same file is OPAC_ERROR_ARGUMENT. A failure to write is told to
     * `failure` (NULL: to `notice`), noted in the report, and stops nothing. */
    const char *checkpoint;
    double checkpoint_seconds; /* 60 */
    bool resume;               /* begin with what is in that file */
    bool replace_checkpoint;   /* otherwise a file that is there, and not empty, is
                                  OPAC_ERROR_ARGUMENT */
    opac_trace_listener trace; /* may be NULL */
    void *trace_context;
    opac_notice_callback notice;  /* warnings; may be NULL */
    void *notice_context;         /* of both */
    opac_notice_callback failure; /* of writing the checkpoint; may be NULL */
    const opac_cancel *cancel; /* ends the run: the result so far is OPAC_OK; while the automaton is
                                  made there is none yet: OPAC_ERROR_CANCELLED */
    opac_progress *progress;
    uint64_t recurrence_work; /* a bound on the effort of T_check; 0: about a second's worth */
} opac_learn_options;

OPAC_API opac_learn_options opac_learn_defaults(void);

/* Why a run ended. */
typedef enum opac_learn_end {
    OPAC_END_DONE = 0,      /* the stopping condition is met */
    OPAC_END_STEPS = 1,     /* max_steps */
    OPAC_END_SECONDS = 2,   /* max_seconds */
    OPAC_END_CANCELLED = 3, /* on request */
    OPAC_END_EXCEEDED = 4,  /* a declared bound on states, actions or branching was wrong */
    OPAC_END_LIVELOCK = 5,  /* nothing can be learned any more, which contradicts the theory */
    OPAC_END_REFUTED = 6,   /* pmin or the graph was wrong */
    OPAC_END_MEMORY = 7     /* max_memory */
} opac_learn_end;

/* What shows that pmin or the graph was wrong (or, with probability delta at most, bad luck). */
typedef enum opac_refutation {
    OPAC_REFUTED_NONE = 0,      /* nothing does */
    OPAC_REFUTED_FREQUENCY = 1, /* a successor is seen too rarely for pmin */
    OPAC_REFUTED_SUPPORT = 2,   /* a new successor of a pair whose support was complete */
    OPAC_REFUTED_EDGE = 3,      /* a successor that the graph does not have */
    OPAC_REFUTED_WIDTH = 4,     /* more successors than 1/pmin */
    OPAC_REFUTED_SUM = 5        /* the intervals of a pair admit no distribution */
} opac_refutation;

/* What the learned model says of T. */
typedef enum opac_horizon_check {
    OPAC_HORIZON_UNCHECKED = 0,  /* too large to compute, or epsilon + c >= 1 */
    OPAC_HORIZON_CONSISTENT = 1, /* nothing speaks against it */
    OPAC_HORIZON_REFUTED = 2     /* some policy takes longer there */
} opac_horizon_check;

/* The enumerations above, for the words that options and results have for their values. */
typedef enum opac_learn_enum {
    OPAC_ENUM_STOP = 0,       /* "policy", "all-actions" */
    OPAC_ENUM_SAMPLER = 1,    /* "auto", "population", "step" */
    OPAC_ENUM_EXPLORE = 2,    /* "episodes", "generative" */
    OPAC_ENUM_COUNTS = 3,     /* "model", "product": opac_learn_options.count_pairs */
    OPAC_ENUM_END = 4,        /* "done", "max-steps", … */
    OPAC_ENUM_REFUTATION = 5, /* "none", "frequency", "support", … */
    OPAC_ENUM_CHECK = 6       /* "unchecked", "consistent", "refuted" */
} opac_learn_enum;

/* The word for a value; NULL: there is no such value. */
OPAC_API const char *opac_learn_enum_name(opac_learn_enum words, unsigned value);
/* The value of a word; false: there is no such word. */
OPAC_API bool opac_learn_enum_find(opac_learn_enum words, const char *word, unsigned *value);

/* All numbers of a run. */
typedef struct opac_learn_report {
    /* ---- inputs ---- */
    uint64_t states, actions, branching;    /* N, K, m of the environment; 0: unknown */
    uint64_t theory_states, theory_actions; /* N and K of the theorem, by what is counted */
    uint32_t automaton_states;              /* of the objective's automaton */
    bool is_guess; /* the automaton is nondeterministic, and not known to be good for MDPs */
    bool is_least; /* a least probability is asked for: value, lower and upper are the objective's,
                      and the best probability is at least, not at most, optimum_upper */
    opac_count product_states;  /* |S| |Q|, as declared or known */
    uint64_t product_reachable; /* pairs met */
    /* ---- parameters ---- */
    uint64_t horizon; /* T, the last one */
    uint64_t k; /* observations that made a pair known; 0: with pmin or a graph there is none */
    opac_count k_wanted;        /* by the rule, or for the target; log10 is NAN when unknown */
    opac_learn_sampler sampler; /* the one in use at the end */
    /* ---- result ---- */
    /* The policy's, in the learned (optimistic) model. With a bracket: in that of the frequencies;
     * but lower (of a least probability, upper) if time or a cancel leaves no time to compute it. */
    double value;
    double lower, upper; /* the policy's true probability, with the confidence; NAN: no guarantee */
    double optimum_upper; /* the best probability is at most this, likewise */
    /* ---- guarantee ---- */
    bool holds;         /* the promise is earned, if what is assumed is so */
    opac_learn_end end; /* why the run ended */
    double accuracy;    /* c; NAN: unknown */
    double solver;      /* η */
    double risk;  /* of meeting what is unknown, counted in the error: 0, or at most the slack */
    double error; /* 2 (epsilon + c) + η + risk; NAN: unknown */
    double confidence;    /* 1 - delta, below 1 */
    const char *exceeded; /* which bound was wrong: "states", "actions", "branching"; else NULL */
    opac_horizon_check horizon_check; /* of T, by the learned model */
    /* ---- with pmin or a graph ---- */
    bool is_bracket;      /* lower and optimum_upper are L and U, at any end but two: refuted, and a
                             declared bound exceeded; holds: also that U - L is at most epsilon */
    double gap;           /* U - L; NAN: none */
    double delta_support; /* what of delta the supports may cost; the intervals have the rest */
    opac_refutation refutation;             /* what shows that pmin or the graph was wrong */
    uint64_t refuted_count, refuted_visits; /* of the successor, of the pair; see the statement */
    uint64_t complete;                      /* pairs whose support is complete */
    /* ---- with T ---- */
    uint64_t horizon_found; /* the recurrence time of the learned chain; 0: unknown */
    bool horizon_is_bound;  /* it is that long at least */
    /* ---- statistics ---- */
    uint64_t episodes, steps;                          /* that were run */
    uint64_t known;                                    /* pairs */
    uint64_t policies;                                 /* that were followed */
    uint64_t solves;                                   /* of the learned model */
    uint64_t states_seen, pairs_seen, samples;         /* samples: observations that count */
    double seconds, sampling_seconds, solving_seconds; /* of this process */
    bool resumed;                                      /* it began with a checkpoint */
    bool checkpoint_failed;                            /* the last one was not written */
} opac_learn_report;

/*
 * Learns. OPAC_OK also when the run was ended early: the report says so. The
 * environment, and the objective's properties, are borrowed for as long as the
 * learning lives.
 */
OPAC_API opac_status opac_learn(opac_environment *environment, const opac_objective *objective,
                                const opac_learn_options *options, opac_learning **learning,
                                opac_error *error);
OPAC_API void opac_learning_free(opac_learning *learning);

/* Its numbers. Borrowed. */
OPAC_API const opac_learn_report *opac_learning_report(const opac_learning *learning);

/*
 * Whether what is known from elsewhere, the policy's true probability and the best one (NAN: unknown),
 * contradicts the numbers of a report, by more than the error of such computations (2e-6). Then something
 * that was assumed is not so, or it is one of the runs that the confidence leaves.
 */
OPAC_API bool opac_learn_contradicts(const opac_learn_report *report, double policy,
                                     double optimum);

/* The guarantee in a sentence or two, and what it assumes, one item after the other; NULL: no
 * such item. Both are borrowed. */
OPAC_API const char *opac_learning_statement(const opac_learning *learning);
OPAC_API const char *opac_learning_assumption(const opac_learning *learning, size_t index);

/* How the independence of episodes was tested, in a sentence; NULL: nothing was
 * sampled, or the environment is a model, whose randomness is the library's own. Borrowed. */
OPAC_API const char *opac_learning_tested(const opac_learning *learning);

/* What refutes pmin or the graph: an action of a state, and where it led to. Keys are borrowed. */
typedef struct opac_refuted_pair {
    const void *key;         /* of the state; NULL: it is the reset */
    size_t length;           /* of the key */
    uint32_t action;         /* of the state */
    const void *successor;   /* NULL: it is not about one of them */
    size_t successor_length; /* of its key */
} opac_refuted_pair;
/* False: nothing is refuted. */
OPAC_API bool opac_learning_refuted(const opac_learning *learning, opac_refuted_pair *pair);

/* The automaton whose acceptance is made probable. Borrowed. */
OPAC_API const opac_automaton *opac_learning_automaton(const opac_learning *learning);

/* As they were told to the listener. Borrowed. */
OPAC_API const opac_trace_entry *opac_learning_trace(const opac_learning *learning, size_t *count);

/*
 * The policy, over the model that the environment runs; the environment is that
 * of opac_environment_of_model. For the caller; the model is borrowed. model NULL: over the states
 * that were seen, by their keys, whatever the environment is (policy.h); it lives on its own, but
 * is given the names of actions by the environment, which must still be there. It acts as
 * opac_learning_act does; its memory is numbered otherwise.
 */
OPAC_API opac_status opac_learning_policy(const opac_learning *learning, const opac_model *model,
                                          opac_policy **policy, opac_error *error);

/* ---- the certificate ---- */

/* Where the question came from, for the reader of a certificate. Members may be NULL. */
typedef struct opac_certificate_inputs {
    const char *model, *model_digest; /* as opac_digest_file gives it */
    const char *constants;            /* as given, "N=3,p=0.2" */
} opac_certificate_inputs;

/*
 * What a second program needs in order to check the bracket, docs/formats/certificate.md; only of a
 * run with pmin or a graph, that was not refuted. The output is not committed. Nothing is written before
 * opac_verify_text has accepted it: what it refuses is OPAC_ERROR_INTERNAL. opac_learn asks it,
 * too, and fails in the same way, where that takes less than some tenths of a second.
 */
OPAC_API opac_status opac_learning_write_certificate(const opac_learning *learning,
                                                     const opac_certificate_inputs *inputs,
                                                     opac_output *out, opac_error *error);

/* ---- before a run ---- */

/*
 * What each unknown costs at least, with pmin or a graph, in samples; UINT64_MAX: beyond what can
 * be counted. Of the options epsilon, delta, pmin, pmin_start, graph, states, actions and branching
 * are looked at; 0 is unknown, and no environment is asked.
 */
typedef struct opac_learn_costs {
    uint64_t support_first, support_hundredth; /* until the support of the first, and of the
                                                  hundredth pair (the last, if there are fewer)
                                                  is complete; 0: the graph is known */
    uint64_t interval; /* until a probability of 1/2 is known up to epsilon, of the first pair;
                          0: pmin or branching tell as much */
    uint64_t most_successors; /* of a pair; 0: no bound */
    uint64_t start; /* where the start is random: resets without a new start state until those not
                       seen have a probability of epsilon at most; 0: pmin_start or the graph is
                       known */
} opac_learn_costs;
/* Before any sample is taken. */
OPAC_API opac_status opac_learn_find_costs(const opac_learn_options *options,
                                           opac_learn_costs *costs, opac_error *error);

/* ---- running the policy in any environment ---- */

/* What it remembers when a run begins in a state. */
OPAC_API uint32_t opac_learning_start(const opac_learning *learning, const void *key,
                                      size_t length);
/* The action in a state; the memory becomes what it is afterwards. States that were not seen take
 * action 0 and leave the memory alone; in those that were, but not with this memory, it is action
 * 0 as well, and the memory follows the automaton. */
OPAC_API uint32_t opac_learning_act(const opac_learning *learning, const void *key, size_t length,
                                    uint32_t *memory);

#ifdef __cplusplus
}
#endif

#endif
