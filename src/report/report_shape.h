/* SPDX-License-Identifier: MIT */
/* Checks that a result has the types of members that the page relies on (docs/formats/result.md). */
#ifndef REPORT_SHAPE_H
#define REPORT_SHAPE_H

#include "base/json_read.h"

/* Accepts members that are absent, null or unknown. The first member of a wrong type is an error that names it:
 * "guarantee.holds: expected a boolean, found a number". */
opac_status report_check_shape(base_json_value result, opac_error *error);

#endif
