/* SPDX-License-Identifier: MIT */
/* Reads the body of a HOA text: states and edges, up to "--END--". */
#ifndef AUT_HOA_BODY_H
#define AUT_HOA_BODY_H

#include "aut/hoa_header.h"

/*
 * Reads from the token after "--BODY--" to "--END--", which is then the current token. Adds states and edges
 * to the builder.
 */
opac_status hoa_body_read(hoa_header *header, hoa_lexer *lexer, aut_builder *builder,
                          hoa_usage *usage, opac_error *error);

#endif
