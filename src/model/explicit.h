/* SPDX-License-Identifier: MIT */
/*
 * Readers of explicit models. Errors go to the listener of the options, with the path of the file that has
 * the error; the first one is returned.
 */
#ifndef MODEL_EXPLICIT_H
#define MODEL_EXPLICIT_H

#include "model/input.h"
#include "model/model.h"

/*
 * Reads PRISM's .tra file, and the .lab and .sta files beside it if they exist (.srew and .trew are
 * ignored).
 */
opac_status model_read_tra(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error);
/* Reads the text of a .tra file. Unless it names initial states, the initial state is 0. */
opac_status model_read_tra_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error);

/* Reads Storm's DRN, from a file or a text. */
opac_status model_read_drn(const char *path, const opac_model_options *options, opac_model **model,
                           opac_error *error);
opac_status model_read_drn_text(const char *text, size_t length, const opac_model_options *options,
                                opac_model **model, opac_error *error);

#endif
