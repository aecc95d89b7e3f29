/* SPDX-License-Identifier: MIT */
/* Whether a result has the shape that the page relies on (docs/formats/result.md). */
#ifndef REPORT_SHAPE_H
#define REPORT_SHAPE_H

#include "base/json_read.h"

/* Members that are absent or null are accepted, and so are members that are not known here. The
 * first member of another type is an error that names it: "guarantee.holds: expected a boolean, got
 * a number". */
opac_status report_check_shape(base_json_value result, opac_error *error);

#endif
