/* SPDX-License-Identifier: MIT */
/*
 * Decisions read the quick way, when they look exactly as opac_policy_write
 * makes them and fit the states:
 *
 *     {"memory": 0, "state": 3, "values": {"x": 1}, "action": "go", "choice": 0, "next": 1}
 *
 * Of anything else nothing is said: it is left to the reader of JSON, which
 * knows all forms and all mistakes. What is taken here, that one takes as well,
 * and to the same effect.
 */
#ifndef POLICY_SCAN_H
#define POLICY_SCAN_H

#include "policy/policy.h"

typedef struct policy_scanned {
    uint32_t state;
    policy_decision decision;
    size_t length; /* bytes that it takes */
} policy_scanned;

/* The policy has its memory. False: it is something unusual, or wrong. */
bool policy_scan_decision(const opac_policy *policy, const char *text, size_t length,
                          policy_scanned *found);

#endif
