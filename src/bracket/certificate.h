/* SPDX-License-Identifier: MIT */
/*
 * What of a bracket is written down: the nodes that its two ends rest on, and no
 * others (docs/formats/certificate.md).
 *
 *     upper   from the start through every choice, as long as `upper` is below 1: what
 *             is not listed counts as 1
 *     lower   from the start by the cautious choice, as long as `lower` is above 0: through W,
 *             where the strategy of W stays
 *
 * A node that only one of the two needs is written as if the other knew nothing
 * of it.
 */
#ifndef BRACKET_CERTIFICATE_H
#define BRACKET_CERTIFICATE_H

#include "bracket/bracket_model.h"
#include "sample/statistics.h"

BASE_VEC(bracket_certificate_vec, bracket_model_node);

/* In the order of the drawing, the start first; upper is 1, or lower 0, where that end does not need
 * the node. */
opac_status bracket_certificate_nodes(const sample_statistics *stats, const bracket_model *bracket,
                                      bracket_certificate_vec *nodes, opac_error *error);

/*
 * OPAC_ERROR_INTERNAL: the checker (omegapac/verification.h) refuses the certificate of the run, whose
 * report must then not be shown. Runs without a bracket pass, and so do those whose certificate would
 * have more than some 30 000 lines: they are checked when it is written.
 */
struct opac_learning;
opac_status bracket_certificate_check(const struct opac_learning *learning, opac_error *error);

#endif
