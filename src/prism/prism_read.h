/* SPDX-License-Identifier: MIT */
/* Reads models from texts in the PRISM language. */
#ifndef PRISM_READ_H
#define PRISM_READ_H

#include "model/model.h"

/* The path is used in messages and may be NULL. */
opac_status prism_read(const char *path, const char *text, size_t length,
                       const opac_model_options *options, opac_model **model, opac_error *error);

/* Allows expressions over the variables of a model in another format, if it has any. */
opac_status prism_vocabulary_of_layout(opac_model *model, opac_error *error);

#endif
