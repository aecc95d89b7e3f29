/* SPDX-License-Identifier: MIT */
/* Results to make pages of, and checks of a page. */
#ifndef TESTS_REPORT_PAGES_H
#define TESTS_REPORT_PAGES_H

#include <omegapac/report.h>

#include "support/check.h"

#define HEAD "{\"schema\": \"omegapac.result/1\", \"command\": "

/* Two places, one above the other; the memory changes. */
static const char grid[] = HEAD
    "\"learn\", \"version\": \"0\", \"seed\": 7, \"inputs\": {\"model\": \"m.prism\", "
    "\"objective\": \"G F a\", \"states\": 2, \"actions\": 0}, \"params\": {\"epsilon\": 0.05, "
    "\"delta\": 0.1, \"pmin\": 0.2, \"graph\": null, \"explore\": \"episodes\", \"kind\": "
    "\"deterministic\"}, \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, "
    "\"optimum_upper\": 0.75}, \"guarantee\": {\"holds\": true, \"statement\": \"with "
    "confidence\", "
    "\"error\": 0.5, \"confidence\": 0.9, \"assumes\": [\"a thing\", \"another\"], \"bracket\": "
    "true, "
    "\"refuted\": null, \"end\": \"done\"}, \"stats\": {\"episodes\": 3, \"steps\": 1234567, "
    "\"samples\": 9, \"policies\": 2}, \"truth\": {\"policy\": 0.5, \"optimum\": 0.625}, "
    "\"automaton\": \"HOA: v1\\nStates: 1\\nStart: 0\\nAP: 1 \\\"a\\\"\\nacc-name: Buchi\\n"
    "Acceptance: 1 Inf(0)\\n--BODY--\\nState: 0\\n[!0] 0\\n[0] 0 {0}\\n--END--\\n\", "
    "\"policy\": {\"objective\": \"G F a\", \"memory\": {\"count\": 2, \"start\": [{\"state\": 0, "
    "\"values\": {\"x\": 0, \"y\": 0}, \"memory\": 0}]}, \"decisions\": ["
    "{\"memory\": 0, \"state\": 0, \"values\": {\"x\": 0, \"y\": 0}, \"action\": \"n\", "
    "\"choice\": 0, "
    "\"next\": 1}, {\"memory\": 1, \"state\": 1, \"values\": {\"x\": 0, \"y\": 1}, \"action\": "
    "\"\", "
    "\"choice\": 4, \"next\": 0}]}, \"trace\": [{\"episode\": 0, \"step\": 0, \"known\": 0, "
    "\"value\": "
    "0, \"lower\": 0, \"upper\": 1, \"truth\": null}, {\"episode\": 3, \"step\": 9, \"known\": 2, "
    "\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, \"truth\": 0.5}], \"sample\": [{\"state\": "
    "0, "
    "\"values\": {\"x\": 0, \"y\": 0}, \"labels\": [\"init\"], \"memory\": 0, \"action\": \"n\"}, "
    "{\"state\": 1, \"values\": {\"x\": 0, \"y\": 1}, \"labels\": [\"deadlock\", \"a\"], "
    "\"memory\": "
    "1}]}";

/* No places, but the chain; the two edges from 0 to 1 are one arrow. */
static const char chain[] = HEAD
    "\"check\", \"inputs\": {\"model\": \"m.prism\", \"objective\": \"F a\"}, \"params\": "
    "{\"formulas\": [\"F a\"], \"min\": true}, \"result\": {\"value\": 0.5, \"lower\": 0.5, "
    "\"upper\": "
    "0.5, \"exact\": \"1/2\", \"direction\": \"min\", \"precise\": true}, \"policy\": {\"memory\": "
    "{\"count\": 1, \"start\": []}, \"decisions\": [{\"memory\": 0, \"state\": 3, \"action\": "
    "\"go\", "
    "\"choice\": 0, \"next\": 0}]}, \"chain\": {\"initial\": [0], \"nodes\": [{\"state\": 3, "
    "\"labels\": [], \"memory\": 0, \"action\": \"go\"}, {\"state\": 4, \"labels\": [\"a\"], "
    "\"memory\": 0, \"action\": \"\"}], \"edges\": [{\"from\": 0, \"to\": 1, \"probability\": "
    "0.25}, "
    "{\"from\": 0, \"to\": 1, \"probability\": 0.5}, {\"from\": 0, \"to\": 0, \"probability\": "
    "0.25}, "
    "{\"from\": 1, \"to\": 1, \"probability\": 1}]}}";

static const char run[] = HEAD
    "\"learn\", \"seed\": 1, \"result\": {\"value\": 1, \"lower\": null, \"upper\": null}, "
    "\"guarantee\": {\"holds\": false}, \"stats\": {\"steps\": 10}, \"truth\": {\"policy\": 1}}\n";
static const char summary[] =
    HEAD "\"learn\", \"seed\": 1, \"inputs\": {\"model\": \"m\", \"objective\": \"F a\"}, "
         "\"params\": {}, "
         "\"summary\": {\"runs\": 2, \"holds\": 1, \"judged\": 2, \"within\": 2, \"optimal\": 1, "
         "\"optimum\": 1}}\n";

/* ---- help ---- */

static inline opac_status write(const char *text, const char *title, char **page, opac_error *error)
{
    opac_report_input input = {.name = "r.json", .text = text, .length = strlen(text)};
    opac_report_options options = {.title = title};
    opac_output *out = NULL;
    size_t length = 0;
    *page = NULL;
    opac_status status = opac_output_open_memory(&out, error);
    if (status != OPAC_OK)
        return status;
    status = opac_report_write(&input, 1, &options, out, error);
    const char *bytes = opac_output_bytes(out, &length);
    if (status == OPAC_OK && bytes == NULL)
        status = opac_output_commit(out, error);
    if (status == OPAC_OK) {
        *page = test_malloc(length + 1);
        memcpy(*page, bytes, length + 1);
    } else if (status != OPAC_ERROR_MEMORY) {
        assert_int_equal(length, 0); /* all or nothing */
    }
    opac_output_free(out);
    return status;
}

static inline char *page_of(const char *text)
{
    char *page;
    opac_error error = {0};
    assert_ok(write(text, NULL, &page, &error), &error);
    return page;
}

static inline size_t count(const char *page, const char *text)
{
    size_t found = 0;
    for (; (page = strstr(page, text)) != NULL; page++)
        found++;
    return found;
}

#define assert_has(page, text)                                                                     \
    do {                                                                                           \
        if (strstr(page, text) == NULL)                                                            \
            fail_msg("the page lacks %s", text);                                                   \
    } while (0)
#define assert_lacks(page, text) assert_null(strstr(page, text))

#endif
