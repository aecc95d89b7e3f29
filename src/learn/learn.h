/* SPDX-License-Identifier: MIT */
/* opac_learn with parameters for tests and benchmarks (sample_tuning). */
#ifndef LEARN_LEARN_H
#define LEARN_LEARN_H

#include "sample/learning.h"

opac_status learn_tuned(opac_environment *environment, const opac_objective *objective,
                        const opac_learn_options *options, const sample_tuning *tuning,
                        opac_learning **learning, opac_error *error);

#endif
