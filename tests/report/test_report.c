/* SPDX-License-Identifier: MIT */
/* Pages from results: their sections, what is escaped, the command that does it again, and what is refused. What
 * pages of real results are like is tested with the command line (tests/cli/report.py). */
#include "pages.h"
#include "support/faults.h"

static void learn_has_all_sections(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "<title>omegapac learn: G F a</title>",
        "<article class=\"result\" id=\"r1\" data-command=\"learn\">",
        "<section class=\"question\" id=\"r1-question\">",
        "<section class=\"answer\" id=\"r1-answer\">",
        "<section class=\"course\" id=\"r1-course\">",
        "<section class=\"policy\" id=\"r1-policy\">",
        "<section class=\"sample\" id=\"r1-sample\">",
        "<section class=\"parameters\" id=\"r1-parameters\">",
        "<strong>0.5</strong> <span class=\"bracket\">[0.25, ",
        "<div class=\"summary good\">\n<p><span class=\"sign\" "
        "aria-hidden=\"true\">&#10003;</span> "
        "<strong>Guaranteed</strong>: with confidence. This rests on <a "
        "href=\"#r1-assumptions\">2 assumptions</a>.",
        "<ul class=\"assumptions\" id=\"r1-assumptions\">",
        "The guarantee holds.",
        "With confidence.</p>",
        "<li>a thing</li>\n<li>another</li>",
        "not from samples",
        "A deterministic Buchi automaton with 1 state ",
        "1,234,567 steps",
        "<div class=\"tools\" hidden><label>Filter <input type=\"search\" class=\"filter\" "
        "data-table=\"r1-decisions\"></label> <output class=\"count\"></output></div>",
        "<div class=\"player\" data-table=\"r1-steps\" data-picture=\"r1-picture\" ",
        "max=\"1\" value=\"0\"",
        "omegapac learn m.prism -f &#39;G F a&#39; --epsilon 0.05 --delta 0.1 --pmin 0.2 --seed 7 "
        "--json --no-timing"};
    char *page = page_of(grid);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_has(page, texts[i]);
    assert_int_equal(count(page, "<h1>"), 1);
    assert_int_equal(count(page, "<h2>"), 6);
    assert_has(page, "<h3>It is assumed that</h3>");
    assert_lacks(page, "actions a state"); /* 0: there is no bound */
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

/* Nothing of a result is markup. */
static void texts_are_escaped(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD "\"<script>\", \"inputs\": {\"model\": \"</script><img src=x>\", \"<i>\": \"<u>\", "
             "\"objective\": \"a\\\"b'c\\u202e\"}, \"params\": {\"<b>\": \"<s>\"}, \"automaton\": "
             "\"<em>\", \"policy\": {\"decisions\": [{\"values\": {\"<q>\": 1}, \"action\": "
             "\"<a>\"}]}, \"stats\": {\"<tt>\": \"<var>\"}}");
    static const char *const tags[] = {"<script>\"", "<img", "<i>", "<u>",  "<b>",  "<s>",
                                       "<em>",       "<q>",  "<a>", "<tt>", "<var>"};
    assert_int_equal(count(page, "<script"), 1);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        assert_lacks(page, tags[i]);
    assert_lacks(page, "\xe2\x80\xae");
    assert_has(page, "data-command=\"&lt;script&gt;\"");
    assert_has(page, "The automaton cannot be read");
    test_free(page);
}

/* Words that a shell would read otherwise, and those that no line can show. */
static void commands_are_quoted(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"check\", \"inputs\": {\"model\": \"-a b\"}, \"params\": {\"formulas\": "
                     "[\"a$b\"], \"exact\": true, \"precision\": 1e-6, \"automata\": [\"\"]}}");
    /* The model comes last: options behind the dashes would be none. */
    assert_has(page, "<code>omegapac check -f &#39;a$b&#39; --exact -a &#39;&#39; --json "
                     "--no-timing -- &#39;-a b&#39;</code>");
    test_free(page);
    page = page_of(HEAD "\"check\", \"inputs\": {\"model\": \"it's\"}, \"params\": "
                        "{\"precision\": 1e-5, \"kind\": \"ldba\"}}");
    assert_has(page,
               "<code>omegapac check &#39;it&#39;\\&#39;&#39;s&#39; --precision 0.00001 --kind "
               "ldba --json --no-timing</code>");
    test_free(page);
    page = page_of(HEAD "\"check\", \"inputs\": {\"model\": \"\\u00fc\\u03c9\"}, \"params\": {}}");
    assert_has(page, "omegapac check &#39;\xc3\xbc\xcf\x89&#39; --json");
    test_free(page);
    static const char *const lost[] = {"\"model\": \"-\"",        "\"model\": \"a\\nb\"",
                                       "\"model\": null",         "\"model\": \"a\x7f\"",
                                       "\"model\": \"a\\u202e\"", "\"model\": \"a\\u0085\""};
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "\"check\", \"inputs\": {%s}, \"params\": {}}", lost[i]);
        page = page_of(text);
        assert_has(page, "does not say enough");
        test_free(page);
    }
}

/* Keys may be added, of any kind: the page is there, without a command that would leave them
 * out. */
static void later_keys_are_no_mistakes(void **state)
{
    (void)state;
    static const char *const later[] = {"{\"a\": 1}", "[[1]]", "[{}]", "[1, null]", "[true]"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 HEAD "\"check\", \"later\": %s, \"inputs\": {\"model\": \"m\", \"later\": %s}, "
                      "\"params\": {\"later\": %s}, \"result\": {\"value\": 1, \"later\": %s}}",
                 later[i], later[i], later[i], later[i]);
        char *page = page_of(text);
        assert_has(page, "does not say enough");
        test_free(page);
    }
    char *page = page_of(
        HEAD "\"check\", \"inputs\": {\"model\": \"m\"}, \"params\": {\"an_option_whose_name_is_"
             "longer_than_any_that_is_known_to_this_version\": 1}}");
    assert_has(page, "does not say enough");
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
        {"", OPAC_ERROR_SYNTAX, "r.json: there is no result in it"},
        {" \n ", OPAC_ERROR_SYNTAX, "r.json: there is no result in it"},
        {"{", OPAC_ERROR_SYNTAX, "r.json:1:"},
        {"[1]", OPAC_ERROR_SYNTAX, "r.json: expected an object, got an array"},
        {"{}", OPAC_ERROR_SYNTAX, "r.json: member 'schema' is missing"},
        {"{\"episode\": 1, \"step\": 2}", OPAC_ERROR_ARGUMENT, "r.json: these are steps"},
        {"{\"schema\": \"omegapac.result/2\"}", OPAC_ERROR_ARGUMENT, "r.json: the result is of"},
        {"{\"schema\": \"omegapac.experiment/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: these are the data"},
        {"{\"schema\": \"omegapac.policy/1\"}", OPAC_ERROR_ARGUMENT, "r.json: this is a policy"},
        {"{\"schema\": \"omegapac.certificate/1\"}", OPAC_ERROR_ARGUMENT,
         "r.json: this is a certificate"},
        {"\n mdp", OPAC_ERROR_SYNTAX, "r.json:2:2: this is not JSON: give what"},
        {"omegapac checkpoint 3\n\xa8", OPAC_ERROR_SYNTAX, "r.json:2:1: this is not JSON"},
        {"[1", OPAC_ERROR_SYNTAX, "r.json:1:3: "},
        {"\xef\xbb\xbf{}", OPAC_ERROR_SYNTAX, "r.json:1:1: JSON does not begin with a byte order"},
        {"{\"schema\": \"x\"}", OPAC_ERROR_ARGUMENT, "r.json: expected a result"},
        {HEAD "3}", OPAC_ERROR_SYNTAX, "r.json: command: expected a string, got a number"},
        {HEAD "\"learn\", \"inputs\": []}", OPAC_ERROR_SYNTAX,
         "r.json: inputs: expected an object"},
        {HEAD "\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": 1}}", OPAC_ERROR_SYNTAX,
         "r.json: guarantee.holds: expected a boolean, got a number"},
        {HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": \"x\"}]}", OPAC_ERROR_SYNTAX,
         "r.json: trace[0].step: expected a number, got a string"},
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
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page;
        opac_error error = {0};
        assert_status(write(cases[i].text, NULL, &page, &error), cases[i].status);
        assert_int_equal(error.code, cases[i].status);
        if (strncmp(error.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s, expected %s", error.message, cases[i].message);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learn_has_all_sections),
        cmocka_unit_test(titles_are_given),
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(commands_are_quoted),
        cmocka_unit_test(later_keys_are_no_mistakes),
        cmocka_unit_test(pages_are_repeatable),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(no_input_is_a_mistake),
        cmocka_unit_test(memory_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
