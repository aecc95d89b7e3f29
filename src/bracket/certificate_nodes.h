/* SPDX-License-Identifier: MIT */
/*
 * The nodes of a bracket that a certificate lists: those that prove L or U, and no others
 * (docs/formats/certificate.md).
 *
 *     for U   the nodes reached from the start by all choices, through nodes with upper < 1: nodes that are
 *             not listed count as 1
 *     for L   the nodes reached from the start by the pessimistic choices, through nodes with lower > 0,
 *             including those of W that its strategy visits
 *
 * A node that is listed for only one of them has the trivial value for the other: upper 1 or lower 0.
 */
#ifndef BRACKET_CERTIFICATE_NODES_H
#define BRACKET_CERTIFICATE_NODES_H

#include "bracket/bracket_model.h"
#include "sample/statistics.h"

BASE_VEC(bracket_certificate_vec, bracket_model_node);

/* In the order of the model's nodes, the start first. */
opac_status bracket_certificate_nodes(const sample_statistics *stats, const bracket_model *bracket,
                                      bracket_certificate_vec *nodes, opac_error *error);

#endif
