/* SPDX-License-Identifier: MIT */
/* What pictures of models and of policies say of a state, within quotes of Graphviz. */
#ifndef MODEL_DOT_H
#define MODEL_DOT_H

#include "model/writer.h"

/* For people: what a terminal could not show is shown escaped. */
void model_dot_name(model_writer *writer, const char *name);
/* "x=1, done=false"; nothing where there are no variables. */
void model_dot_values(model_writer *writer, const opac_model *model, uint32_t state);
/* On a line of their own, all but "init", for which there is an arrow. */
void model_dot_labels(model_writer *writer, const opac_model *model, uint32_t state);

#endif
