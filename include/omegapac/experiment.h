/* SPDX-License-Identifier: MIT */
/*
 * The experiments of the paper, and those that explain where its numbers and ours differ. Each
 * writes data, figures and a page into a folder.
 *
 *     opac_experiment_options options = opac_experiment_defaults();
 *     options.folder = "experiments";
 *     opac_experiment_result *result;
 *     if (opac_experiment_run("chain", &options, &result, &error) == OPAC_OK)
 *         for (size_t i = 0; i < opac_experiment_finding_count(result); i++) {
 *             opac_experiment_finding found = opac_experiment_finding_at(result, i);
 *             printf("%s: %s there, %s here\n", found.what, found.paper, found.ours);
 *         }
 *     opac_experiment_result_free(result);
 *
 * Seeds are fixed, so that the same version gives the same bytes, for any number of threads;
 * measured times are the only exception, and can be left out. The models are part of the library.
 *
 * A result belongs to the caller. Experiments may run at the same time, in folders of their own.
 */
#ifndef OMEGAPAC_EXPERIMENT_H
#define OMEGAPAC_EXPERIMENT_H

#include <omegapac/cancel.h>
#include <omegapac/output.h>
#include <omegapac/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One that can be run. */
typedef struct opac_experiment {
    const char *name;    /* "chain" */
    const char *summary; /* half a line */
} opac_experiment;

/* In the order in which they are best read. NULL: there is no such index. */
OPAC_API size_t opac_experiment_count(void);
OPAC_API const opac_experiment *opac_experiment_at(size_t index);

/* As opac_experiment_defaults gives it. */
typedef struct opac_experiment_options {
    const char *folder; /* is made, if it is not there (its parent must be) */
    uint64_t seed;      /* 1 */
    unsigned threads;   /* 0: as many as there are processors */
    bool no_timing;     /* nothing that was measured with a clock */
    bool no_png;        /* SVG alone; else PNG beside it, if a converter is installed */
    const opac_cancel *cancel;
    opac_progress *progress;
} opac_experiment_options;

OPAC_API opac_experiment_options opac_experiment_defaults(void);

typedef struct opac_experiment_result opac_experiment_result;

/*
 * Runs one of them, and writes NAME.html, NAME.json, NAME-TABLE.csv and NAME-FIGURE.svg, each whole
 * or not at all (docs/formats/experiment.md). A name that there is not: OPAC_ERROR_ARGUMENT.
 */
OPAC_API opac_status opac_experiment_run(const char *name, const opac_experiment_options *options,
                                         opac_experiment_result **result, opac_error *error);
OPAC_API void opac_experiment_result_free(opac_experiment_result *result);

/* What the paper says, and what was found. Texts are borrowed from the result. */
typedef struct opac_experiment_finding {
    const char *what;   /* "k by Theorem 1" */
    const char *paper;  /* as printed there, or what follows from it; "": it says nothing */
    const char *ours;   /* what was found here */
    const char *remark; /* where they differ: why; "" */
} opac_experiment_finding;

/* Which experiment it was, and what it found; index below the count. */
OPAC_API const char *opac_experiment_result_name(const opac_experiment_result *result);
OPAC_API size_t opac_experiment_finding_count(const opac_experiment_result *result);
OPAC_API opac_experiment_finding opac_experiment_finding_at(const opac_experiment_result *result,
                                                            size_t index);
/* The files that it wrote, without the folder, the page first; NULL: there is no such index. */
OPAC_API const char *opac_experiment_file_at(const opac_experiment_result *result, size_t index);
/* What is missing, and why, in half a line: "no PNG: …". "": nothing. */
OPAC_API const char *opac_experiment_result_note(const opac_experiment_result *result);

/* index.html, with the findings of the results; other experiments whose pages are in the folder are
 * named, too. */
OPAC_API opac_status opac_experiment_write_index(const opac_experiment_result *const *results,
                                                 size_t count,
                                                 const opac_experiment_options *options,
                                                 opac_error *error);

#ifdef __cplusplus
}
#endif

#endif
