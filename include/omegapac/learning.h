/* SPDX-License-Identifier: MIT */
/*
 * Learns a policy from samples. What can be said of it depends on what is known:
 *
 *     a bound on positive probabilities       a bracket [L, U]: the policy's probability is at least L, and
 *     the graph of the system                   no policy's exceeds U; valid at any time
 *     a bound T on the recurrence time        the same, with epsilon included in L and U; or, with a rule for
 *                                               k or k itself, ω-PAC: a policy with a bounded error
 *     nothing                                 the policy's probability is at least L, for objectives that
 *                                               finite runs can satisfy, such as F goal
 *
 * The guarantees are Theorem 14 (p_min, graph), Theorem 17 (T), Theorem 5 (ω-PAC) and Corollary 7 (nothing) of
 * docs/theory.md.
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
 * The result is a function of the environment, the objective, the options and the seed. It does not depend
 * on the number of threads, or on interruptions and resumptions.
 *
 * A learning is freed by the caller, and borrows the environment. Several threads are used only if the
 * environment can fork (environment.h); callbacks of the options are called in the thread that called
 * opac_learn. After opac_learn has returned, several threads may use the learning at the same time, except
 * for opac_learning_policy, which asks the environment for names. An error of the environment is
 * OPAC_ERROR_SIMULATOR, and the checkpoint is kept.
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

/* The stopping condition of ω-PAC. */
typedef enum opac_learn_stop {
    OPAC_STOP_POLICY = 0,     /* the pairs that the policy takes are known */
    OPAC_STOP_ALL_ACTIONS = 1 /* all pairs of the states that the policy visits are known */
} opac_learn_stop;

/* How episodes are sampled. */
typedef enum opac_learn_sampler {
    OPAC_SAMPLER_AUTO = 0,       /* POPULATION if it is expected to be faster, otherwise STEP */
    OPAC_SAMPLER_POPULATION = 1, /* many episodes together, by counts */
    OPAC_SAMPLER_STEP = 2        /* one transition at a time */
} opac_learn_sampler;

/* What a run with pmin or a graph samples. */
typedef enum opac_learn_explore {
    OPAC_EXPLORE_EPISODES = 0, /* episodes from the start state */
    /* successors of any state, where they narrow the bracket most; requires an environment that can draw */
    OPAC_EXPLORE_GENERATIVE = 1
} opac_learn_explore;

typedef struct opac_learning opac_learning;

/* An entry of the trace: a policy of the run. */
typedef struct opac_trace_entry {
    uint64_t episode, step; /* numbers of episodes and steps before the policy was used */
    uint64_t known;         /* number of known pairs */
    uint64_t horizon;       /* T; it grows if opac_learn_options.horizon is 0 */
    uint64_t candidates;    /* with a bracket from T: number of policies tried so far; else 0 */
    double value;           /* of the policy in the optimistic model */
    double lower, upper;    /* the bracket; NAN with ω-PAC */
    double truth;           /* NAN; the listener may set the true value, which is kept */
} opac_trace_entry;

/* Called for each entry of the trace. Of the functions of `learning`, only opac_learning_policy may be
 * called. After a resumption the earlier entries are reported first, with `learning` NULL. */
typedef void (*opac_trace_listener)(void *context, const opac_learning *learning,
                                    opac_trace_entry *entry);

/*
 * Gives a lower bound, in (0, 1], on the positive probabilities of an action's transitions. *pmin is 0 before
 * the call; if it stays 0, the bound is opac_learn_options.pmin or, with a graph, may be unknown. It must be a
 * function of the key and the action: the guarantee assumes that it was fixed before the first sample. The key
 * is aligned as by malloc. Called between episodes, at least once for every pair seen, in the thread that
 * called opac_learn; again when a run is resumed, where another number is OPAC_ERROR_ARGUMENT. A failure, with
 * its message in *error, ends the run as one of the environment does.
 */
typedef opac_status (*opac_learn_pmin)(void *context, const void *key, size_t length,
                                       uint32_t action, double *pmin, opac_error *error);

/* Options of opac_learn; initialise them with opac_learn_defaults. epsilon, delta and one of horizon, pmin,
 * pmin_of, graph and nothing_known must be set; epsilon may be 0 without T if at_least is set. */
typedef struct opac_learn_options {
    /* T, at least 1. 0: double T until nothing refutes it, without a guarantee. Ignored with pmin or a
     * graph, and with nothing_known */
    uint64_t horizon;
    /*
     * pmin: a lower bound on the positive transition probabilities, in (0, 1]; 0 if unknown. graph: an
     * environment that knows the successors of all actions (a model, or with the callback `successors`),
     * which may be the environment itself; borrowed during opac_learn; NULL if unknown. With at least one
     * of them, the run ends when the bracket is at most epsilon wide. pmin_of: gives each state and action a
     * bound of its own; may be NULL. Where these headers say "with pmin", pmin_of is meant, too.
     */
    double pmin;
    opac_learn_pmin pmin_of;
    void *pmin_context;
    /*
     * With pmin or graph, if the reset is random: a lower bound on the probabilities of start states, in
     * (0, 1], which pmin does not cover. 0 if unknown; then, without a graph, the bracket accounts for
     * start states that have not been sampled.
     */
    double pmin_start;
    opac_environment *graph;
    /* With alike (below): a lower bound on the positive probabilities of outcomes, in (0, 1], which pmin does not bound; 0 if
     * unknown. */
    double pmin_outcome;
    opac_learn_explore explore; /* with pmin or graph; default: episodes */
    double
        epsilon; /* in (0, 1): that of the recurrence time; with pmin or a graph, the bracket's width */
    double delta; /* in (0, 1): probability that the guarantee fails */
    /*
     * With T: k_rule other than OPAC_K_NONE, or k above 0, selects ω-PAC, in which a pair is known after k
     * observations, or as many as the rule gives if k is 0. Otherwise (the default) the run maintains a
     * bracket.
     */
    opac_k_rule k_rule;
    uint64_t k;
    /*
     * With T, above 2 epsilon; 0: 4 epsilon. With a bracket, the width at which the run ends. With ω-PAC, the
     * required error: use rule l1 with the accuracy target/2 - epsilon.
     */
    double target;
    /*
     * With a bracket: asks whether some policy satisfies the objective with at least this probability, in
     * (0, 1]. The run ends as soon as the lower bound is at least at_least (yes) or the upper bound is below
     * it (no), also if the bracket is still wide: opac_learn_report.answer. 0: no question. For a greatest
     * probability, and not with a T that is searched for.
     * at_least_up: the least double that is not below the probability in question, if that is not a double:
     * opac_number_parse_up. 0: it is at_least.
     */
    double at_least, at_least_up;
    /* The following four are for ω-PAC. */
    double slack;               /* h of opac_bound_episodes; 0: not used */
    opac_learn_stop stop;       /* default: policy */
    opac_learn_sampler sampler; /* default: auto. Brackets use STEP and accept it */
    bool count_pairs; /* count observations by pair of the product instead of the environment */
    /*
     * Declares that the system is deterministic: it has one initial state, and every action of a state has
     * one successor. A second successor refutes it (OPAC_END_EXCEEDED). Not needed for models.
     */
    bool deterministic;
    /*
     * Environments other than models are tested, before and during sampling, for independent episodes
     * (docs/simulators.md). If episodes are not independent, opac_learn fails with OPAC_ERROR_SIMULATOR.
     */
    bool untested; /* disable these tests; the statement then says so */
    /*
     * With pmin or graph, in an environment that tells outcomes: believe them, so that the samples of all pairs of a
     * class count together (rows alike, docs/certify.md). Needs episodes, not generative exploration.
     */
    bool alike;
    /* Nothing is known. There is no upper bound: U is 1. The run ends when L is within epsilon of an
     * upper confidence bound on the probability that its policy wins an episode, and no policy is better by the
     * frequencies. */
    bool nothing_known;
    /* Bounds on the states, actions and successors of the environment; 0: those of the model, if it is
     * one. */
    uint64_t states, actions, branching;
    uint64_t trial_steps;     /* maximum steps of the trial before the first episode; 0: 4096 */
    opac_automaton_kind kind; /* kind of automaton to translate a formula to */
    uint64_t seed;            /* default: 1 */
    unsigned threads;         /* 0: number of processors */
    uint64_t max_steps;       /* 0: no limit */
    double max_seconds;       /* 0: no limit */
    /* Maximum growth of this process in bytes in an environment that is not a model; then the run ends,
     * with its result so far. 0: 90% of the machine's memory. */
    uint64_t max_memory;
    /* A file from which the run can be resumed; may be NULL. It is written every checkpoint_seconds, when
     * the run is stopped, and at its end. It is locked during the run; a second run with the same file is
     * OPAC_ERROR_ARGUMENT. A failure to write it is reported to `failure` (to `notice` if NULL) and in the
     * report, and does not stop the run. */
    const char *checkpoint;
    double checkpoint_seconds; /* default: 60 */
    bool resume;               /* resume from the checkpoint */
    bool replace_checkpoint;   /* replace an existing checkpoint, which is otherwise
                                  OPAC_ERROR_ARGUMENT */
    opac_trace_listener trace; /* may be NULL */
    void *trace_context;
    opac_notice_callback notice;  /* warnings; may be NULL */
    void *notice_context;         /* of notice and failure */
    opac_notice_callback failure; /* failures to write the checkpoint; may be NULL */
    /* ends the run with its result so far and OPAC_OK; during the translation to an automaton it
     * is OPAC_ERROR_CANCELLED */
    const opac_cancel *cancel;
    opac_progress *progress;
    uint64_t recurrence_work; /* maximum work of the check of T; 0: about a second */
} opac_learn_options;

OPAC_API opac_learn_options opac_learn_defaults(void);

/* Why a run ended. */
typedef enum opac_learn_end {
    OPAC_END_DONE = 0,      /* the stopping condition was met */
    OPAC_END_STEPS = 1,     /* max_steps was reached */
    OPAC_END_SECONDS = 2,   /* max_seconds was reached */
    OPAC_END_CANCELLED = 3, /* a request to stop */
    OPAC_END_EXCEEDED = 4,  /* a declared bound on states, actions or branching was wrong */
    OPAC_END_LIVELOCK = 5,  /* no further sample can change the result; excluded by the theory */
    OPAC_END_REFUTED = 6,   /* the samples refute pmin, the graph, or T of a bracket */
    OPAC_END_MEMORY = 7     /* max_memory was reached */
} opac_learn_end;

/* The observation that refutes pmin, the graph, or T of a bracket. If they are right, it occurs with
 * probability at most delta. */
typedef enum opac_refutation {
    OPAC_REFUTED_NONE = 0,      /* not refuted */
    OPAC_REFUTED_FREQUENCY = 1, /* the frequency of a successor is too low for pmin */
    OPAC_REFUTED_SUPPORT = 2,   /* a new successor of a pair whose support was complete */
    OPAC_REFUTED_EDGE = 3,      /* a successor that the graph does not have */
    OPAC_REFUTED_WIDTH = 4,     /* more successors than 1/pmin */
    OPAC_REFUTED_SUM = 5,       /* the intervals of a pair admit no distribution */
    /* T: in every model that the samples admit, runs of the policy take longer (report.horizon_found) */
    OPAC_REFUTED_RECURRENCE = 6,
    /* T: too many episodes were classified differently after 2 T steps than after T: count of visits */
    OPAC_REFUTED_VERDICT = 7,
    OPAC_REFUTED_CROSSING = 8, /* T: the lower bound exceeds the upper bound */
    /* rows alike: a pair with a second class; a second successor of a pair with the same outcome; outcomes of a class
     * whose probabilities differ between its pairs; a new outcome of a class whose outcomes were complete */
    OPAC_REFUTED_CLASS = 9,
    OPAC_REFUTED_OUTCOME = 10,
    OPAC_REFUTED_ALIKE = 11,
    OPAC_REFUTED_NEW_OUTCOME = 12
} opac_refutation;

/* Whether the learned model contradicts T. */
typedef enum opac_horizon_check {
    OPAC_HORIZON_UNCHECKED = 0,  /* too large to compute, or epsilon + c >= 1 */
    OPAC_HORIZON_CONSISTENT = 1, /* no contradiction, which is no evidence for T */
    OPAC_HORIZON_REFUTED = 2     /* some policy takes longer in the learned model */
} opac_horizon_check;

/* The answer to the question of opac_learn_options.at_least. */
typedef enum opac_learn_answer_kind {
    OPAC_ANSWER_NONE = 0, /* nothing was asked */
    OPAC_ANSWER_YES = 1,  /* the policy satisfies the objective with at least this probability */
    OPAC_ANSWER_NO = 2,   /* no policy does */
    OPAC_ANSWER_UNDECIDED =
        3 /* the bracket contains the probability, or there is no valid bracket */
} opac_learn_answer_kind;

/* The enumerations above, to look up the names of their values in options and results. */
typedef enum opac_learn_enum {
    OPAC_ENUM_STOP = 0,       /* "policy", "all-actions" */
    OPAC_ENUM_SAMPLER = 1,    /* "auto", "population", "step" */
    OPAC_ENUM_EXPLORE = 2,    /* "episodes", "generative" */
    OPAC_ENUM_COUNTS = 3,     /* "model", "product": opac_learn_options.count_pairs */
    OPAC_ENUM_END = 4,        /* "done", "max-steps", … */
    OPAC_ENUM_REFUTATION = 5, /* "none", "frequency", "support", …, "recurrence", "verdict",
                              "crossing", "class", "outcome", "alike", "new-outcome" */
    OPAC_ENUM_CHECK = 6,      /* "unchecked", "consistent", "refuted" */
    OPAC_ENUM_ANSWER = 7      /* "none", "yes", "no", "undecided" */
} opac_learn_enum;

/* The name of a value; NULL if there is no such value. */
OPAC_API const char *opac_learn_enum_name(opac_learn_enum words, unsigned value);
/* Finds the value with a name; returns false if there is none. */
OPAC_API bool opac_learn_enum_find(opac_learn_enum words, const char *word, unsigned *value);

/* The report of a run. */
typedef struct opac_learn_report {
    /* ---- inputs ---- */
    uint64_t states, actions, branching;    /* N, K, m of the environment; 0 if unknown */
    uint64_t theory_states, theory_actions; /* N and K of the theorem, depending on count_pairs */
    uint32_t automaton_states;              /* of the objective's automaton */
    bool is_guess; /* the automaton is nondeterministic, and not known to be good for MDPs */
    /* a least probability: value, lower and upper are those of the objective, and the optimum is
     * at least, not at most, optimum_upper */
    bool is_least;
    opac_count product_states;  /* |S| |Q|, declared or known */
    uint64_t product_reachable; /* product states seen */
    /* ---- parameters ---- */
    uint64_t horizon;           /* the last T; 0 with pmin or a graph, or if nothing is known */
    uint64_t k;                 /* observations after which a pair is known; 0 with a bracket */
    opac_count k_wanted;        /* k by the rule or for the target; log10 is NAN if unknown */
    opac_learn_sampler sampler; /* the one in use at the end */
    /* ---- result ---- */
    /* The probability of the policy in the learned (optimistic) model; with a bracket, in the model of the
     * observed frequencies, or lower (upper for a least probability) if the run was stopped before it was
     * computed. */
    double value;
    double lower, upper; /* bounds on the true probability of the policy; NAN without a guarantee */
    /* upper bound on the optimal probability, with the confidence; NAN without one */
    double optimum_upper;
    /* ---- guarantee ---- */
    /* the guarantee holds under the assumptions; if a question was asked: it is answered */
    bool holds;
    opac_learn_end end; /* why the run ended */
    double accuracy;    /* c; NAN if unknown */
    double solver;      /* η, the error of the solver */
    /* bound on the probability of meeting an unknown pair, included in the error; at most the
     * slack */
    double risk;
    double error;      /* 2 (epsilon + c) + η + risk, or the gap of a bracket; NAN if unknown */
    double confidence; /* 1 - delta, below 1 */
    /* the declared bound that was wrong: "states", "actions", "branching"; else NULL */
    const char *exceeded;
    opac_horizon_check horizon_check; /* check of T against the samples */
    /* ---- with a bracket: pmin, a graph, or T without k ---- */
    /* lower and optimum_upper are L and U, unless the run ended by REFUTED or EXCEEDED, or searched for T.
     * Without a question, `holds` then means that also U - L <= gap_wanted, or, if nothing is known, that L is as
     * close as wanted to the policy's probability by the frequencies */
    bool is_bracket;
    bool nothing_known; /* the option: U is 1, and other policies may be better */
    double gap;         /* U - L; NAN without a bracket */
    double
        gap_wanted; /* the width at which the run ends: epsilon, or with T the target; NAN if none */
    double at_least; /* of the options; 0 without a question */
    /* With the confidence, like the bracket. UNDECIDED, not NO, if is_guess: U is then a bound for the
     * policies of the product only. */
    opac_learn_answer_kind answer;
    /* Parts of delta: for supports and unseen successors (with T, for the latter only), for intervals, and, with T,
     * for episodes. */
    double delta_support, delta_interval, delta_episodes;
    double
        pmin_least; /* with pmin_of: its least value over the pairs seen; 0 if it does not bound all */
    opac_refutation refutation;             /* observation that refutes pmin, the graph or T */
    uint64_t refuted_count, refuted_visits; /* count of the successor and visits of the pair */
    uint64_t complete;                      /* number of complete pairs; 0 with T */
    /* With T: the number of policies tried; of the policy returned, the episodes of T steps that were run
     * after it was fixed, and how many of them won. */
    uint64_t candidates, trial_episodes, trial_wins;
    uint64_t
        trial_horizon; /* number of steps of these episodes: T; if nothing is known, the learner's choice */
    /* ---- with T ---- */
    uint64_t horizon_found; /* recurrence time of the learned chain; 0 if unknown */
    bool horizon_is_bound;  /* horizon_found is only a lower bound */
    bool
        lower_is_model; /* L is computed from the learned model, not from the episodes of a trial */
    /* ---- statistics ---- */
    uint64_t episodes, steps; /* numbers of episodes and steps run */
    /* Of a simulator, the steps that it was asked for in this process: also those of tests, and of episodes that
     * were not counted; 0 for a model. */
    uint64_t taken;
    uint64_t known;                            /* number of known pairs */
    uint64_t policies;                         /* number of policies sampled */
    uint64_t solves;                           /* number of solutions of the learned model */
    uint64_t states_seen, pairs_seen, samples; /* samples: observations that were counted */
    double seconds, sampling_seconds, solving_seconds; /* of this process */
    bool resumed;                                      /* the run was resumed from a checkpoint */
    bool checkpoint_failed;                            /* the last checkpoint was not written */
} opac_learn_report;

/*
 * Learns a policy. Returns OPAC_OK also if the run ended early; see opac_learn_report.end. The caller frees
 * *learning, before the environment and the properties of the objective, which it borrows. Errors:
 * OPAC_ERROR_ARGUMENT for options that are out of range or contradictory, OPAC_ERROR_SIMULATOR, and those
 * of a translation.
 */
OPAC_API opac_status opac_learn(opac_environment *environment, const opac_objective *objective,
                                const opac_learn_options *options, opac_learning **learning,
                                opac_error *error);
OPAC_API void opac_learning_free(opac_learning *learning);

/* The report. Owned by the learning. */
OPAC_API const opac_learn_report *opac_learning_report(const opac_learning *learning);

/*
 * Whether the true probability of the policy and the optimum (NAN if unknown) contradict the report by more
 * than the numerical error (2e-6). Then an assumption is wrong, or the run belongs to the fraction delta
 * for which the guarantee fails.
 */
OPAC_API bool opac_learn_contradicts(const opac_learn_report *report, double policy,
                                     double optimum);

/* The guarantee as text, and its assumptions by index; NULL beyond the last. Owned by the learning. */
OPAC_API const char *opac_learning_statement(const opac_learning *learning);
OPAC_API const char *opac_learning_assumption(const opac_learning *learning, size_t index);

/* How the independence of episodes was tested, as text; NULL if nothing was sampled, or the environment is
 * a model. Owned by the learning. */
OPAC_API const char *opac_learning_tested(const opac_learning *learning);

/* The pair whose observation refutes pmin or the graph. Keys are owned by the learning. */
typedef struct opac_refuted_pair {
    const void *key;         /* of the state; NULL for the reset */
    size_t length;           /* of the key */
    uint32_t action;         /* of the state */
    const void *successor;   /* key of the successor; NULL if it is not about one */
    size_t successor_length; /* of its key */
} opac_refuted_pair;
/* Returns the refuting observation; false if nothing is refuted, or T is. */
OPAC_API bool opac_learning_refuted(const opac_learning *learning, opac_refuted_pair *pair);

/* The automaton whose acceptance is maximised. Owned by the learning. */
OPAC_API const opac_automaton *opac_learning_automaton(const opac_learning *learning);

/* The entries of the trace. Owned by the learning. */
OPAC_API const opac_trace_entry *opac_learning_trace(const opac_learning *learning, size_t *count);

/*
 * Makes the policy; the caller frees it. With the model of opac_environment_of_model, it is a policy of
 * that model, which it borrows. With model NULL, it is a policy over the keys of the states seen
 * (policy.h), for any environment; it borrows nothing, but the environment must still exist, for the names
 * of actions. The policy acts like opac_learning_act, with a different numbering of the memory.
 */
OPAC_API opac_status opac_learning_policy(const opac_learning *learning, const opac_model *model,
                                          opac_policy **policy, opac_error *error);

/* ---- the certificate ---- */

/* Inputs that are named in a certificate. Members may be NULL. */
typedef struct opac_certificate_inputs {
    const char *model, *model_digest; /* as opac_digest_file gives it */
    const char *constants;            /* as given, "N=3,p=0.2" */
} opac_certificate_inputs;

/*
 * Writes a certificate of the bracket (docs/formats/certificate.md), for a run with a bracket that was not
 * refuted, and in which T was given; does not commit the output. The certificate is checked by opac_verify_text first: a
 * refusal is OPAC_ERROR_INTERNAL. opac_learn makes the same check if it takes less than some tenths of a
 * second.
 */
OPAC_API opac_status opac_learning_write_certificate(const opac_learning *learning,
                                                     const opac_certificate_inputs *inputs,
                                                     opac_output *out, opac_error *error);

/* ---- before a run ---- */

/*
 * The least numbers of samples with pmin or a graph; UINT64_MAX if they do not fit. They depend on the
 * options epsilon, delta, pmin, pmin_start, graph, states, actions and branching, of which 0 is unknown.
 * pmin_of is not called, because no state is known yet: the numbers are for pairs with pmin.
 * epsilon may be 0 if at_least is set; then interval and start are 0.
 */
typedef struct opac_learn_costs {
    uint64_t support_first,
        support_hundredth; /* visits after which the first pair and the hundredth pair (the last,
                                                  if there are fewer) are complete; 0 if the graph is known */
    /* samples until a probability of 1/2 of the first pair is known up to epsilon; 0 if pmin or
     * branching determine it */
    uint64_t interval;
    uint64_t most_successors; /* maximum number of successors of a pair; 0 if unknown */
    /* for a random start: resets without a new start state after which the unseen ones have
     * probability at most epsilon; 0 if pmin_start or the graph is known */
    uint64_t start;
} opac_learn_costs;
/* Computes these numbers from the options, without an environment. */
OPAC_API opac_status opac_learn_find_costs(const opac_learn_options *options,
                                           opac_learn_costs *costs, opac_error *error);

/* ---- running the policy in any environment ---- */

/* The initial memory of a run that begins in a state. */
OPAC_API uint32_t opac_learning_start(const opac_learning *learning, const void *key,
                                      size_t length);
/* The action in a state; updates the memory. In a state that was not seen, it returns action 0 and does not
 * change the memory. In a state that was not seen with this memory, it returns action 0, and the memory
 * follows the automaton; it stays the same if an edge leads back to it. */
OPAC_API uint32_t opac_learning_act(const opac_learning *learning, const void *key, size_t length,
                                    uint32_t *memory);

#ifdef __cplusplus
}
#endif

#endif
