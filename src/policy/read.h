/* SPDX-License-Identifier: MIT */
/* The parts of reading a policy file. */
#ifndef POLICY_READ_H
#define POLICY_READ_H

#include "policy/policy.h"
#include "policy/split.h"
#include "policy/states.h"

/* The decisions, in the items of an array; the policy has its memory. */
opac_status policy_read_decisions(policy_split *split, policy_states *states, opac_policy *policy,
                                  opac_error *error);

#endif
