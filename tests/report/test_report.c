/* SPDX-License-Identifier: MIT */
/* The page as C writes it: the template and its marks, the data in it, and what is refused. The script's part is
 * tested in a browser (tests/browser), pages of real results with the command line (tests/cli/report.py). */
#include "pages.h"
#include "report/page.h"
#include "report/report_escape.h"
#include "support/faults.h"

static void learn_has_all_data(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<title>omegapac learn: G F a</title>",
        "<h1>omegapac learn: G F a</h1>",
        "<article class=\"result\" id=\"r1\" data-command=\"learn\">",
        "<div class=\"picture scroll\" id=\"r1-automaton-0\">\n<svg ",
        "<div class=\"picture scroll\" id=\"r1-picture\">\n<svg ",
        "\"file\": \"r.json\", \"simulated\": false, ",
        "\"automata\": [{\"kind\": \"deterministic\", \"states\": 1, \"name\": \"Buchi\", "
        "\"acceptance\": \"Inf(0)\"}]",
        "\"places\": {\"picture\": \"grid\", \"memory\": true, \"memories\": 2, \"names\": [\"x=0, "
        "y=0\", \"x=0, y=1\"], \"labels\": [\"\", \"a\"], \"decisions\": [0, 1], \"sample\": [0, "
        "1]}",
        "\"results\": [{\"schema\": \"omegapac.result/1\", \"command\": \"learn\"",
        "\"steps\": 1234567"};
    char *page = page_of(grid);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_has(page, texts[i]);
    assert_int_equal(count(page, "<h1>"), 1);
    assert_int_equal(count(page, "<h2>"), 0); /* one result has no heading of its own */
    assert_lacks(page, "{{");
    test_free(page);
}

/* A reader without scripts has the text of the result, escaped. */
static void results_have_their_text(void **state)
{
    (void)state;
    char *page = page_of(HEAD "\"bound\", \"params\": {\"T\": 9}, \"result\": {\"k\": 7777}}");
    const char *text = strstr(page, "<pre>");
    assert_non_null(text);
    *strstr(text, "</pre>") = '\0';
    assert_has(text, "7777");
    test_free(page);
    /* One of a command without a text has its members. */
    page = page_of(HEAD "\"other\", \"result\": {\"a<b\": [1, true]}, \"trace\": []}");
    assert_has(page, "<pre>command     &quot;other&quot;\nresult      {&quot;a&lt;b&quot;: [1, "
                     "true]}\n</pre>");
    test_free(page);
}

static void titles_are_given(void **state)
{
    (void)state;
    char *page;
    opac_error error = {0};
    assert_ok(write(chain, "<b>mine</b>", &page, &error), &error);
    assert_has(page, "<title>&lt;b&gt;mine&lt;/b&gt;</title>");
    assert_has(page, "<h1>&lt;b&gt;mine&lt;/b&gt;</h1>");
    test_free(page);
}

/* A simulator is not called a model. */
static void sources_are_told_apart(void **state)
{
    static const struct {
        const char *result;
        bool is_simulated;
    } cases[] = {
        {"\"learn\", \"inputs\": {\"model\": \"exec:python3 x.py\"}}", true},
        {"\"estimate\", \"inputs\": {\"model\": \"plugin:./a.so\"}}", true},
        {"\"learn\", \"inputs\": {\"model\": \"MyEnv\"}}", true},
        {"\"learn\", \"inputs\": {\"model\": \"a.prism\"}}", false},
        {"\"learn\", \"inputs\": {\"model\": \"-\"}, \"truth\": {\"optimum\": 1}}", false},
        {"\"learn\", \"inputs\": {\"model\": \"-\"}, \"summary\": {\"optimum\": 1}}", false},
        {"\"check\", \"inputs\": {\"model\": \"MyModel\"}}", false},
        {"\"learn\"}", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "%s", cases[i].result);
        char *page = page_of(text);
        assert_has(page, cases[i].is_simulated ? "\"simulated\": true" : "\"simulated\": false");
        test_free(page);
    }
}

/* ---- safety ---- */

/* The script makes no markup from texts, and neither style nor script ends early. */
static void the_template_is_safe(void **state)
{
    (void)state;
    static const char *const forbidden[] = {"innerHTML",
                                            "outerHTML",
                                            "insertAdjacentHTML",
                                            "document.write",
                                            "eval(",
                                            "new Function",
                                            "DOMParser",
                                            "createContextualFragment",
                                            "setHTML",
                                            "srcdoc",
                                            "javascript:",
                                            "fetch(",
                                            "XMLHttpRequest",
                                            "WebSocket",
                                            "import(",
                                            "http:",
                                            "https:",
                                            "unsafe-inline",
                                            " onclick",
                                            " onload"};
    static const char svg[] = "\"http://www.w3.org/2000/svg\"";
    const char *name = strstr(report_template, svg);
    assert_non_null(name);
    assert_null(strstr(name + 1, svg));
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        for (const char *at = report_template; (at = strstr(at, forbidden[i])) != NULL; at++)
            if (at != name + 1) /* the namespace of SVG is a name, not an address */
                fail_msg("the template has %s", forbidden[i]);
    assert_int_equal(count(report_template, "<style>"), 1);
    assert_int_equal(count(report_template, "</style>"), 1);
    assert_int_equal(count(report_template, "<script type=\"module\">"), 1);
    assert_int_equal(count(report_template, "</script>"), 2); /* and that of the data */
    assert_has(report_template, "default-src 'none'");
}

static const char *json_of(char *page)
{
    char *json = strstr(page, "<script type=\"application/json\" class=\"data\">");
    assert_non_null(json);
    json = strchr(json, '>') + 1;
    char *end = strstr(json, "</script>");
    assert_non_null(end);
    *end = '\0';
    return json;
}

/* Nothing of a result is markup. */
static void texts_are_escaped(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD
        "\"<script>\", \"inputs\": {\"model\": \"</script><!--<img src=x>\", \"<i>\": \"<u>\", "
        "\"objective\": \"a\\\"b'c\\u202e&\\u2028\"}, \"params\": {\"<b>\": \"<s>\"}, "
        "\"automaton\": \"<em>\", \"policy\": {\"decisions\": [{\"values\": {\"<q>\": 1, "
        "\"x\": 0, \"y\": 0}, \"action\": \"<a>\"}]}, \"stats\": {\"<tt>\": \"<var>\"}}");
    static const char *const tags[] = {"<script>\"", "<img", "<i>", "<u>", "<b>",  "<s>",
                                       "<!--",       "<em>", "<q>", "<a>", "<tt>", "<var>"};
    const char *body = strstr(page, "<body>");
    assert_int_equal(count(page, "<script"), 2); /* the data, and the page's own */
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        assert_lacks(body, tags[i]);
    assert_lacks(page, "\xe2\x80\xae");
    assert_lacks(page, "\xe2\x80\xa8");
    assert_has(page, "data-command=\"&lt;script&gt;\"");
    assert_has(page, "data-place=\"&lt;q&gt;=1, x=0, y=0\"");
    const char *json = json_of(page);
    assert_lacks(json, "<");
    assert_lacks(json, ">");
    assert_lacks(json, "&");
    assert_has(json, "\"model\": \"\\u003c/script\\u003e\\u003c!--\\u003cimg src=x\\u003e\"");
    assert_has(json, "\"objective\": \"a\\\"b'c\\u202e\\u0026\\u2028\"");
    assert_has(json, "\"automata\": [{\"error\": \"");
    test_free(page);
}

static void json_becomes_ascii(void **state)
{
    (void)state;
    static const struct {
        const char *json, *written;
    } cases[] = {{"", ""},
                 {"{\"a\": 1}", "{\"a\": 1}"},
                 {"<>&\x7f", "\\u003c\\u003e\\u0026\\u007f"},
                 {"\xc3\xbc.\xe2\x82\xac", "\\u00fc.\\u20ac"},
                 {"\xef\xbf\xbf\xf0\x90\x80\x80", "\\uffff\\ud800\\udc00"},
                 {"\xf4\x8f\xbf\xbf", "\\udbff\\udfff"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        opac_output *out;
        size_t length;
        assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
        report_json_bytes(out, cases[i].json, strlen(cases[i].json));
        assert_string_equal(opac_output_bytes(out, &length), cases[i].written);
        opac_output_free(out);
    }
}

/* SHA-256 of "abc" (FIPS 180-2, appendix B.1), in base 64. */
static void policies_name_digests(void **state)
{
    (void)state;
    opac_output *out;
    size_t length;
    assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
    report_hash(out, "abc", 3);
    assert_string_equal(opac_output_bytes(out, &length),
                        "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    opac_output_free(out);
}

static void lines_stay_lines(void **state)
{
    (void)state;
    opac_output *out;
    size_t length;
    static const char text[] = "a<\n\n\tb\r\n";
    assert_status(opac_output_open_memory(&out, NULL), OPAC_OK);
    report_html_lines(out, text, sizeof text - 1);
    assert_string_equal(opac_output_bytes(out, &length), "a&lt;\n\n\\x09b\\x0D\n");
    opac_output_free(out);
}

/* ---- results from elsewhere ---- */

/* What later versions may add is no mistake. */
static void later_keys_are_no_mistakes(void **state)
{
    (void)state;
    static const char *const later[] = {"{\"a\": 1}", "[[1]]",  "[{}]",
                                        "[1, null]",  "[true]", "null"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 HEAD "\"check\", \"later\": %s, \"inputs\": {\"model\": \"m\", \"later\": %s}, "
                      "\"params\": {\"later\": %s}, \"result\": {\"value\": 1, \"later\": %s}}",
                 later[i], later[i], later[i], later[i]);
        char *page = page_of(text);
        assert_has(page, "\"later\": ");
        test_free(page);
    }
}

/* Numbers are in the page as they are in the result, also those that no double holds. */
static void numbers_keep_their_digits(void **state)
{
    (void)state;
    char *page = page_of(HEAD "\"bound\", \"params\": {}, \"result\": {\"k\": 1.63e1003, \"C\": "
                              "18446744073709551615}}");
    assert_has(page, "{\"k\": 1.63e1003, \"C\": 18446744073709551615}");
    test_free(page);
}

static void pages_are_repeatable(void **state)
{
    (void)state;
    char *one = page_of(grid), *two = page_of(grid);
    assert_string_equal(one, two);
    test_free(one);
    test_free(two);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        opac_status status;
        const char *message;
    } cases[] = {
        {"", OPAC_ERROR_SYNTAX, "r.json: the file contains no result"},
        {" \n ", OPAC_ERROR_SYNTAX, "r.json: the file contains no result"},
        {"{", OPAC_ERROR_SYNTAX, "r.json:1:"},
        {"[1]", OPAC_ERROR_SYNTAX, "r.json: expected an object, found an array"},
        {"{}", OPAC_ERROR_SYNTAX, "r.json: member 'schema' is missing"},
        {"{\"episode\": 1, \"step\": 2}", OPAC_ERROR_ARGUMENT, "r.json: these are the steps"},
        {"{\"schema\": \"omegapac.result/2\"}", OPAC_ERROR_ARGUMENT,
         "r.json: the result has schema"},
        {"{\"schema\": \"omegapac.experiment/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: these are the data of an experiment, not a result"},
        {"{\"schema\": \"omegapac.policy/1\"}", OPAC_ERROR_ARGUMENT, "r.json: this is a policy"},
        {"{\"schema\": \"omegapac.certificate/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: this is a certificate"},
        {"\n mdp", OPAC_ERROR_SYNTAX, "r.json:2:2: this is not JSON"},
        {"omegapac checkpoint 4\n\xa8", OPAC_ERROR_SYNTAX, "r.json:2:1: this is not JSON"},
        {"[1", OPAC_ERROR_SYNTAX, "r.json:1:3: "},
        {"\xef\xbb\xbf{}", OPAC_ERROR_SYNTAX, "r.json:1:1: JSON must not begin with a byte order"},
        {"{\"schema\": \"x\"}", OPAC_ERROR_ARGUMENT, "r.json: expected a result"},
        {HEAD "3}", OPAC_ERROR_SYNTAX, "r.json: command: expected a string, found a number"},
        {HEAD "\"learn\", \"inputs\": []}", OPAC_ERROR_SYNTAX,
         "r.json: inputs: expected an object"},
        {HEAD "\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": 1}}", OPAC_ERROR_SYNTAX,
         "r.json: guarantee.holds: expected a boolean, found a number"},
        {HEAD "\"learn\", \"inputs\": {}, \"stats\": {\"trial\": {\"wins\": \"x\"}}}",
         OPAC_ERROR_SYNTAX, "r.json: stats.trial.wins: expected a number, found a string"},
        {HEAD "\"bound\", \"result\": {\"bracket\": 3}}", OPAC_ERROR_SYNTAX,
         "r.json: result.bracket: expected an object, found a number"},
        {HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": \"x\"}]}", OPAC_ERROR_SYNTAX,
         "r.json: trace[0].step: expected a number, found a string"},
        {HEAD "\"learn\", \"inputs\": {}, \"policy\": {\"decisions\": [{\"memory\": -1}]}}",
         OPAC_ERROR_ARGUMENT, "r.json: policy.decisions[0].memory: expected a whole number"},
        {HEAD "\"check\", \"policy\": {\"decisions\": []}, \"chain\": {\"nodes\": [{}], \"edges\": "
              "[{\"from\": 0, \"to\": 1}]}}",
         OPAC_ERROR_ARGUMENT, "r.json: chain.edges[0].to: expected a whole number from 0 to 0"},
        {HEAD "\"check\"}\n\n{", OPAC_ERROR_SYNTAX, "r.json:3:"},
        {HEAD "\"check\"}\n\n{\"schema\": 1}", OPAC_ERROR_SYNTAX, "r.json:3: schema: expected"},
        {HEAD "\"check\"}\n" HEAD "\"learn\", \"inputs\": {\"model\": 1}}", OPAC_ERROR_SYNTAX,
         "r.json:2: inputs.model: expected a string"},
        {HEAD "\"learn\"}\n" HEAD "\"learn\", \"guarantee\": 3}\n" HEAD "\"learn\"}",
         OPAC_ERROR_SYNTAX, "r.json:2: guarantee: expected an object"},
        {HEAD "\"check\", \"results\": [null]}", OPAC_ERROR_SYNTAX,
         "r.json: results[0]: expected an object, found null"},
        {HEAD "\"check\", \"results\": [{\"result\": {\"value\": \"1\"}}]}", OPAC_ERROR_SYNTAX,
         "r.json: results[0].result.value: expected a number, found a string"},
        {HEAD "\"bound\", \"result\": {\"rules\": {\"paper\": {\"k\": []}}}}", OPAC_ERROR_SYNTAX,
         "r.json: result.rules.paper.k: expected a number, found an array"},
        {HEAD "\"check\", \"policy\": {\"decisions\": [{\"values\": {\"x\": []}}]}}",
         OPAC_ERROR_SYNTAX,
         "r.json: policy.decisions[0].values.x: expected a number, found an array"},
        {HEAD "\"check\", \"states\": {}}", OPAC_ERROR_SYNTAX,
         "r.json: states: expected an array, found an object"},
        {HEAD "\"check\", \"sample\": [{\"labels\": [3]}]}", OPAC_ERROR_SYNTAX,
         "r.json: sample[0].labels[0]: expected a string, found a number"},
        {HEAD "\"check\", \"arguments\": [3]}", OPAC_ERROR_SYNTAX,
         "r.json: arguments[0]: expected a string, found a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page;
        opac_error error = {0};
        assert_status(write(cases[i].text, NULL, &page, &error), cases[i].status);
        assert_int_equal(error.code, cases[i].status);
        if (strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s, expected %s", error.message, cases[i].message);
        assert_lacks(error.message, "--"); /* interfaces differ in how a result is written */
    }
}

static void no_input_is_a_mistake(void **state)
{
    (void)state;
    opac_output *out;
    opac_error error = {0};
    assert_ok(opac_output_open_memory(&out, &error), &error);
    assert_status(opac_report_write(NULL, 0, NULL, out, &error), OPAC_ERROR_ARGUMENT);
    opac_output_free(out);
}

static opac_status action(void *context, opac_error *error)
{
    char *page;
    opac_status status = write(context, NULL, &page, error);
    test_free(page);
    return status;
}

static void memory_may_fail(void **state)
{
    (void)state;
    char text[sizeof grid + sizeof chain + 3 * sizeof run + sizeof summary];
    snprintf(text, sizeof text, "%s\n%s\n%s%s%s", grid, chain, run, run, summary);
    assert_true(faults_sweep(action, text) > 50);
}

SUITE(report)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learn_has_all_data),        cmocka_unit_test(results_have_their_text),
        cmocka_unit_test(titles_are_given),          cmocka_unit_test(sources_are_told_apart),
        cmocka_unit_test(the_template_is_safe),      cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(json_becomes_ascii),        cmocka_unit_test(policies_name_digests),
        cmocka_unit_test(lines_stay_lines),          cmocka_unit_test(later_keys_are_no_mistakes),
        cmocka_unit_test(numbers_keep_their_digits), cmocka_unit_test(pages_are_repeatable),
        cmocka_unit_test(mistakes_are_named),        cmocka_unit_test(no_input_is_a_mistake),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
