/* SPDX-License-Identifier: MIT */
/*
 * Readers of explicit files. Mistakes go to a report of their own, whose
 * listener is that of the options, with the path of the file at fault; the
 * first is returned.
 */
#ifndef MODEL_EXPLICIT_H
#define MODEL_EXPLICIT_H

#include "model/input.h"
#include "model/model.h"

/* PRISM's .tra, with .lab and .sta beside it where they exist (.srew and .trew are not looked at). */
opac_status model_read_tra(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error);
/* The .tra alone. Without labels the initial state is 0. */
opac_status model_read_tra_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error);

/* Storm's DRN. path NULL: the text. */
opac_status model_read_drn(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error);
opac_status model_read_drn_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error);

#endif
