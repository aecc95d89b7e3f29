/* SPDX-License-Identifier: MIT */
/*
 * Makes many independent learning runs on one model in parallel, for statistics about a learner such as the
 * fraction of runs whose policy is within its error.
 *
 *     opac_learn_options learn = opac_learn_defaults();
 *     learn.horizon = 306;
 *     learn.epsilon = 0.05;
 *     learn.delta = 0.1;
 *     opac_repetition_options options = {.learn = &learn, .runs = 100};
 *     opac_repetition *repetition;
 *     if (opac_learn_repeat(model, &objective, &options, &repetition, &error) == OPAC_OK)
 *         for (uint64_t i = 0; i < 100; i++)
 *             printf("%g\n", opac_repetition_truth(repetition, i));
 *     opac_repetition_free(repetition);
 *
 * Each run uses one thread, and its result depends only on its seed, not on the number of threads. A
 * repetition keeps the results of all runs, so its memory grows with their number.
 *
 * A repetition is freed by the caller, and borrows the model and the properties of the objective. It is
 * immutable; several threads may use it at the same time.
 */
#ifndef OMEGAPAC_REPETITION_H
#define OMEGAPAC_REPETITION_H

#include <omegapac/learning.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The runs to make. Members that are not used must be zero. */
typedef struct opac_repetition_options {
    /*
     * Options of each run. Run i uses the seed plus i. threads is the number of runs in parallel (0: the
     * number of processors), and cancel ends all of them. The members graph, checkpoint, trace and
     * progress must be zero, because runs in parallel cannot share them. pmin_of is called by several threads
     * at the same time.
     */
    const opac_learn_options *learn;
    uint64_t runs;    /* at least 1 */
    bool knows_graph; /* the learner knows the graph of the model */
    bool no_truth;    /* do not evaluate the policies in the model */
    bool trace_truth; /* also evaluate the policies of the trace, if that is cheap enough */
} opac_repetition_options;

typedef struct opac_repetition opac_repetition;

/*
 * Makes all runs. If runs fail, the error is that of the run with the least number. A request to stop is
 * OPAC_ERROR_CANCELLED.
 */
OPAC_API opac_status opac_learn_repeat(const opac_model *model, const opac_objective *objective,
                                       const opac_repetition_options *options,
                                       opac_repetition **repetition, opac_error *error);
OPAC_API void opac_repetition_free(opac_repetition *repetition);

/* The learning of a run, with its report, trace and policy; index below the number of runs. Owned by the
 * repetition. */
OPAC_API const opac_learning *opac_repetition_learning(const opac_repetition *repetition,
                                                       uint64_t index);
/* The true probability of the policy of a run, averaged over initial states; NAN with no_truth. */
OPAC_API double opac_repetition_truth(const opac_repetition *repetition, uint64_t index);

#ifdef __cplusplus
}
#endif

#endif
