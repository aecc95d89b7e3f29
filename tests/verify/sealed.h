/* SPDX-License-Identifier: MIT */
/*
 * Handwritten certificates for tests: certificates that hold, modified by replacing texts, with a
 * recomputed digest, so that only their contents can be wrong.
 *
 * "reach": from s0, action 0 leads to the goal s1 or the trap s2, action 1 stays. G F a, pmin. "guess": a
 * random reset, a graph, and F G a | F b by an automaton with an epsilon edge and a universal memory.
 * "open": of version 2: a random reset without a bound, to two states that win. Unseen states have value
 * 0 for lower, which is 1 minus their mass, 0.0549348690….
 */
#ifndef VERIFY_SEALED_H
#define VERIFY_SEALED_H

#include <omegapac/verification.h>

#include "base/sha256.h"
#include "support/check.h"

enum {
    SEALED_SIZE = 1 << 14,
    SEALED_END = 128 /* what sealed_close adds, at most */
};

static const char sealed_reach[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/1\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": \"m.prism\", \"digest\": \"sha256:12\", \"constants\": null, "
    "\"objective\": \"G F a\", \"formula\": \"G F a\", \"least\": false, \"seed\": 1},\n"
    "\"assumes\": {\"pmin\": 0.2, \"graph\": false, \"states\": null, \"actions\": null, "
    "\"branching\": null},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.1, \"support\": 0.05, \"interval\": 0.05},\n"
    "\"automaton\": \"HOA: v1\\nname: \\\"G F a\\\"\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\n"
    "acc-name: Buchi\\nAcceptance: 1 Inf(0)\\nproperties: trans-acc\\n--BODY--\\nState: 0\\n"
    "[!0] 0\\n[0] 0 {0}\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 0, \"actions\": 2}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 1}, "
    "{\"key\": \"02\", \"letter\": 0, \"actions\": 0}],\n"
    "\"start\": 0,\n"
    "\"rows\": [{\"index\": 1, \"state\": 0, \"action\": 0, \"counts\": [[1, 60], [2, 40]]},\n"
    "{\"index\": 2, \"state\": 0, \"action\": 1, \"counts\": [[0, 30]]},\n"
    "{\"index\": 3, \"state\": 1, \"action\": 0, \"counts\": [[1, 40]]}],\n"
    "\"nodes\": [{\"state\": 0, \"memory\": 0, \"upper\": 0.79, \"lower\": 0.41, \"wins\": false, "
    "\"rank\": 1, \"action\": 0, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]},\n"
    "{\"state\": 2, \"memory\": 0, \"upper\": 0, \"lower\": 0, \"wins\": false, "
    "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null}],\n"
    "\"claim\": {\"lower\": 0.41, \"upper\": 0.79, \"confidence\": 0.9, \"value\": 0.6, "
    "\"statement\": \"with probability at least 0.9 over what was sampled, the policy meets the "
    "objective with probability at least 0.41, and no policy with more than 0.79\"},\n";

static const char sealed_guess[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/1\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": null, \"digest\": null, \"constants\": null, "
    "\"objective\": null, \"formula\": null, \"least\": true, \"seed\": 0},\n"
    "\"assumes\": {\"pmin\": null, \"graph\": true, \"states\": 4, \"actions\": 1, "
    "\"branching\": 3},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.25, \"support\": 0, \"interval\": 0.25},\n"
    "\"automaton\": \"HOA: v1\\nStates: 3\\nStart: 0\\nAP: 3 \\\"a\\\" \\\"b\\\" \\\"epsilon\\\"\\n"
    "Acceptance: 2 Fin(1) & Inf(0)\\n--BODY--\\nState: 0 \\\"guess\\\"\\n"
    "[!1] 0\\n[1] 2\\n[2] 1\\nState: 1\\n[0] 1 {0}\\nState: 2 {0}\\n[0 & 1 | !1] 2\\n"
    "[!(0 | !1)] 2\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 0, \"actions\": 1}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 1}, "
    "{\"key\": \"02\", \"letter\": 2, \"actions\": 0}, "
    "{\"key\": \"03\", \"letter\": 0, \"actions\": 0}],\n"
    "\"start\": null,\n"
    "\"rows\": [{\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 50], [1, "
    "50]]},\n"
    "{\"index\": 2, \"state\": 0, \"action\": 0, \"counts\": [[1, 30], [2, 20], [3, 0]]},\n"
    "{\"index\": 3, \"state\": 1, \"action\": 0, \"counts\": [[1, 0]]}],\n"
    "\"nodes\": [{\"state\": null, \"memory\": null, \"upper\": 1, \"lower\": 0.8, "
    "\"wins\": false, \"rank\": 1, \"action\": null, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 0, \"memory\": 0, \"upper\": 1, \"lower\": 0.7, \"wins\": false, "
    "\"rank\": 1, \"action\": 0, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": null, \"next\": 1, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 1, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": 0, \"next\": 1, \"marks\": [0]},\n"
    "{\"state\": 2, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": null, \"next\": 2, \"marks\": []},\n"
    "{\"state\": 0, \"memory\": 1, \"upper\": 0, \"lower\": 0, \"wins\": false, "
    "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null},\n"
    "{\"state\": 3, \"memory\": 1, \"upper\": 0, \"lower\": 0, \"wins\": false, "
    "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null},\n"
    "{\"state\": 3, \"memory\": 0, \"upper\": 0, \"lower\": 0, \"wins\": false, "
    "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null}],\n"
    "\"claim\": {\"lower\": 0.8, \"upper\": 1, \"confidence\": 0.75, \"value\": null, "
    "\"statement\": null},\n";

static const char sealed_open[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/2\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": null, \"digest\": null, \"constants\": null, "
    "\"objective\": \"G F a\", \"formula\": \"G F a\", \"least\": false, \"seed\": 1},\n"
    "\"assumes\": {\"pmin\": 1, \"pmin_start\": null, \"graph\": false, \"states\": null, "
    "\"actions\": null, \"branching\": null},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.1, \"support\": 0.05, \"interval\": 0.05},\n"
    "\"automaton\": \"HOA: v1\\nname: \\\"G F a\\\"\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\n"
    "acc-name: Buchi\\nAcceptance: 1 Inf(0)\\nproperties: trans-acc\\n--BODY--\\nState: 0\\n"
    "[!0] 0\\n[0] 0 {0}\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 1, \"actions\": 0}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 0}],\n"
    "\"start\": null,\n"
    "\"rows\": [{\"index\": 1, \"state\": null, \"action\": null, \"counts\": [[0, 60], [1, 40]], "
    "\"discovered\": [[0, 1, 1], [1, 3, 1]], \"quiet\": [2, 97]}],\n"
    "\"nodes\": [{\"state\": null, \"memory\": null, \"upper\": 1, \"lower\": 0.945065, "
    "\"wins\": false, \"rank\": 1, \"action\": null, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 0, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": null, \"next\": 0, \"marks\": [0]},\n"
    "{\"state\": 1, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": null, \"next\": 0, \"marks\": [0]}],\n"
    "\"claim\": {\"lower\": 0.945065, \"upper\": 1, \"confidence\": 0.9, \"value\": 1, "
    "\"statement\": null},\n";

/* With pmin: the first row is open, the second one is complete by its visits, the third by its unseen mass. */
static const char sealed_seen[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/2\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": null, \"digest\": null, \"constants\": null, "
    "\"objective\": \"G F a\", \"formula\": \"G F a\", \"least\": false, \"seed\": 1},\n"
    "\"assumes\": {\"pmin\": 0.05, \"pmin_start\": null, \"graph\": false, \"states\": null, "
    "\"actions\": null, \"branching\": null},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.1, \"support\": 0.01, \"interval\": 0.045, \"unseen\": 0.04, "
    "\"discovery\": 0.005},\n"
    "\"automaton\": \"HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nAcceptance: 1 Inf(0)\\n"
    "--BODY--\\nState: 0\\n[!0] 0\\n[0] 0 {0}\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 0, \"actions\": 1}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 1}, "
    "{\"key\": \"02\", \"letter\": 0, \"actions\": 1}],\n"
    "\"start\": 0,\n"
    "\"rows\": [{\"index\": 1, \"state\": 0, \"action\": 0, \"counts\": [[1, 60], [2, 40]], "
    "\"discovered\": [[1, 1, 1], [2, 3, 1]], \"quiet\": [2, 97]},\n"
    "{\"index\": 2, \"state\": 1, \"action\": 0, \"counts\": [[1, 200]]},\n"
    "{\"index\": 3, \"state\": 2, \"action\": 0, \"counts\": [[2, 150]], "
    "\"discovered\": [[2, 1, 1]], \"quiet\": [1, 149]}],\n"
    "\"nodes\": [{\"state\": 0, \"memory\": 0, \"upper\": 0.9, \"lower\": 0.3, "
    "\"wins\": false, \"rank\": 1, \"action\": 0, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 0, \"upper\": 1, \"lower\": 1, \"wins\": true, "
    "\"rank\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]},\n"
    "{\"state\": 2, \"memory\": 0, \"upper\": 0, \"lower\": 0, \"wins\": false, "
    "\"rank\": null, \"action\": null, \"next\": null, \"marks\": null}],\n"
    "\"claim\": {\"lower\": 0.3, \"upper\": 0.9, \"confidence\": 0.9, \"value\": 0.6, "
    "\"statement\": null},\n";

static const char sealed_timed[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/2\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": null, \"digest\": null, \"constants\": null, "
    "\"objective\": \"G F a\", \"formula\": \"G F a\", \"least\": false, \"seed\": 1},\n"
    "\"assumes\": {\"pmin\": null, \"pmin_start\": null, \"graph\": false, \"T\": 10, "
    "\"states\": null, \"actions\": null, \"branching\": null},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.1, \"support\": 0.025, \"interval\": 0.025, \"episodes\": 0.05},\n"
    "\"automaton\": \"HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nAcceptance: 1 Inf(0)\\n"
    "--BODY--\\nState: 0\\n[!0] 0\\n[0] 0 {0}\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 0, \"actions\": 1}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 1}, "
    "{\"key\": \"02\", \"letter\": 0, \"actions\": 1}],\n"
    "\"start\": 0,\n"
    "\"rows\": [{\"index\": 1, \"state\": 0, \"action\": 0, \"counts\": [[1, 600], [2, 400]], "
    "\"discovered\": [[1, 1, 1], [2, 3, 1]], \"quiet\": [2, 997]},\n"
    "{\"index\": 2, \"state\": 1, \"action\": 0, \"counts\": [[1, 2000]], "
    "\"discovered\": [[1, 1, 1]], \"quiet\": [1, 1999]},\n"
    "{\"index\": 3, \"state\": 2, \"action\": 0, \"counts\": [[2, 2000]], "
    "\"discovered\": [[2, 1, 1]], \"quiet\": [1, 1999]}],\n"
    "\"nodes\": [{\"state\": 0, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": [0]},\n"
    "{\"state\": 2, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": []}],\n"
    "\"trial\": {\"index\": 2, \"episodes\": 500, \"wins\": 300},\n"
    "\"sweeps\": {\"upper\": 10, \"risk\": 0},\n"
    "\"claim\": {\"lower\": 0.4564767, \"upper\": 0.7271737, \"confidence\": 0.9, "
    "\"value\": 0.6, \"statement\": null},\n";

/* Without knowledge: F a, from a random start to one of two states; memory 1 is universal. */
static const char sealed_free[] =
    "{\n"
    "\"schema\": \"omegapac.certificate/2\",\n"
    "\"version\": \"0.2.0\",\n"
    "\"inputs\": {\"model\": null, \"digest\": null, \"constants\": null, "
    "\"objective\": \"F a\", \"formula\": \"F a\", \"least\": false, \"seed\": 1},\n"
    "\"assumes\": {\"pmin\": null, \"pmin_start\": null, \"graph\": false, \"T\": null, "
    "\"states\": null, \"actions\": null, \"branching\": null},\n"
    "\"epsilon\": 0.05,\n"
    "\"delta\": {\"total\": 0.1, \"support\": 0.025, \"interval\": 0.025, \"episodes\": 0.05},\n"
    "\"automaton\": \"HOA: v1\\nStates: 2\\nStart: 0\\nAP: 1 \\\"a\\\"\\nAcceptance: 1 Inf(0)\\n"
    "--BODY--\\nState: 0\\n[!0] 0\\n[0] 1\\nState: 1\\n[t] 1 {0}\\n--END--\\n\",\n"
    "\"states\": [{\"key\": \"00\", \"letter\": 0, \"actions\": 1}, "
    "{\"key\": \"01\", \"letter\": 1, \"actions\": 0}],\n"
    "\"start\": 0,\n"
    "\"rows\": [],\n"
    "\"nodes\": [{\"state\": 0, \"memory\": 0, \"action\": 0, \"next\": 0, \"marks\": []},\n"
    "{\"state\": 1, \"memory\": 0, \"action\": null, \"next\": 1, \"marks\": []}],\n"
    "\"trial\": {\"index\": 1, \"episodes\": 500, \"wins\": 500, \"steps\": 2},\n"
    "\"sweeps\": {\"upper\": 0, \"risk\": 0},\n"
    "\"claim\": {\"lower\": 0.9913236, \"upper\": 1, \"confidence\": 0.9, "
    "\"value\": 1, \"statement\": null},\n";

/* Replaces the first text `from`, which is to be there. */
static inline void sealed_edit(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);
    if (at == NULL)
        fail_msg("no '%s' to replace", from);
    size_t rest = strlen(at + strlen(from)) + 1;
    assert_true((size_t)(at - text) + strlen(to) + rest <= SEALED_SIZE - SEALED_END);
    memmove(at + strlen(to), at + strlen(from), rest);
    memcpy(at, to, strlen(to));
}

/* Adds the digest. text has room for SEALED_END bytes more. */
static inline void sealed_close(char *text)
{
    base_sha256 hash;
    char digest[BASE_SHA256_TEXT];
    size_t length = strlen(text);
    base_sha256_init(&hash);
    base_sha256_add(&hash, text, length);
    base_sha256_finish_text(&hash, digest);
    snprintf(text + length, SEALED_END, "\"digest\": \"%s\"\n}\n", digest);
}

typedef struct sealed_change {
    const char *from, *to;
} sealed_change;

typedef struct sealed_sample {
    const char *text;
    sealed_change changes[6];
    const char *reason; /* a part of it; NULL: it holds */
} sealed_sample;

static inline void sealed_build(const sealed_sample *s, char *text)
{
    snprintf(text, SEALED_SIZE, "%s", s->text);
    for (int i = 0; i < 6 && s->changes[i].from != NULL; i++)
        sealed_edit(text, s->changes[i].from, s->changes[i].to);
    sealed_close(text);
}

/* Verifies the sample, which holds, or is refused for its reason. */
static inline void sealed_check(const sealed_sample *s)
{
    char text[SEALED_SIZE];
    opac_verification found;
    opac_error error;
    sealed_build(s, text);
    assert_ok(opac_verify_text(text, strlen(text), NULL, &found, &error), &error);
    const char *from = s->changes[0].from != NULL ? s->changes[0].from : "";
    const char *to = s->changes[0].to != NULL ? s->changes[0].to : "";
    if (found.holds != (s->reason == NULL))
        fail_msg("'%s' > '%s': %s", from, to, found.holds ? "holds" : found.reason);
    if (!found.holds && strstr(found.reason, s->reason) == NULL)
        fail_msg("'%s' > '%s': '%s' without '%s'", from, to, found.reason, s->reason);
    assert_true(found.holds == (found.reason == NULL));
    assert_true(found.holds == (found.statement != NULL));
    opac_verification_fini(&found);
}

#endif
