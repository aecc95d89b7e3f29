/* SPDX-License-Identifier: MIT */
/* The examples that experiments run: the files of examples/models, put in by the build. */
#include <stddef.h>
#include <string.h>

#include "experiment/lab.h"

extern const char experiment_model_chain[];
extern const char experiment_model_counterexample[];
extern const char experiment_model_gridworld[];
extern const char experiment_model_gridworld_w2[];
extern const char experiment_model_robust[];
extern const char experiment_model_stay[];

const char *experiment_model_text(const char *name)
{
    static const struct {
        const char *name, *text;
    } models[] = {
        {"chain", experiment_model_chain},
        {"counterexample", experiment_model_counterexample},
        {"gridworld", experiment_model_gridworld},
        {"gridworld-w2", experiment_model_gridworld_w2},
        {"robust", experiment_model_robust},
        {"stay", experiment_model_stay},
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strcmp(models[i].name, name) == 0)
            return models[i].text;
    return NULL;
}
