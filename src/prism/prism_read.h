/* SPDX-License-Identifier: MIT */
/* Models from texts of the PRISM language. */
#ifndef PRISM_READ_H
#define PRISM_READ_H

#include "model/model.h"

/* The path is for messages; NULL: there is none. */
opac_status prism_read(const char *path, const char *text, size_t length,
                       const opac_model_options *options, opac_model **model, opac_error *error);

/* Expressions over a model of another format: its variables, if it has any, are their names. */
opac_status prism_vocabulary_of_layout(opac_model *model, opac_error *error);

#endif
