/* SPDX-License-Identifier: MIT */
/* Parts of node labels that drawings of models and of policies in Graphviz share. */
#ifndef MODEL_DOT_H
#define MODEL_DOT_H

#include "model/writer.h"

/* A name, with unprintable bytes, quotes and backslashes escaped. */
void model_dot_name(model_writer *writer, const char *name);
/* "x=1, done=false"; nothing if the model has no variables. */
void model_dot_values(model_writer *writer, const opac_model *model, uint32_t state);
/* The labels on a line of their own, except "init", which is drawn as an arrow. */
void model_dot_labels(model_writer *writer, const opac_model *model, uint32_t state);

#endif
