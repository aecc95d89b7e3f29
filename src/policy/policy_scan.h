/* SPDX-License-Identifier: MIT */
/*
 * A fast reader for decisions that are formatted exactly as opac_policy_write formats them:
 *
 *     {"memory": 0, "state": 3, "values": {"x": 1}, "action": "go", "choice": 0, "next": 1}
 *
 * It rejects everything else, including errors, which is left to the JSON reader. What it accepts, the JSON
 * reader accepts with the same result.
 */
#ifndef POLICY_SCAN_H
#define POLICY_SCAN_H

#include "policy/policy.h"

typedef struct policy_scanned {
    uint32_t state;
    policy_decision decision;
    size_t length; /* of the text of the decision */
} policy_scanned;

/* False: the text begins with another form, or with an error. The number of memory values must be known. */
bool policy_scan_decision(const opac_policy *policy, const char *text, size_t length,
                          policy_scanned *found);

#endif
