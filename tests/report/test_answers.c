/* SPDX-License-Identifier: MIT */
/* What was found, in words and numbers: verdicts, guarantees, summaries, roundings. */
#include "pages.h"

/* What holds at the last change of the policy holds until the run ends; a run without steps has no curve. */
static void curves_end_with_the_run(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": 0, \"known\": 0, \"value\": 1}], "
             "\"stats\": "
             "{\"steps\": %d, \"known\": 0, \"episodes\": 1, \"policies\": 1, \"samples\": 1}}";
    char whole[300];
    snprintf(whole, sizeof whole, text, 285);
    char *page = page_of(whole);
    assert_has(page, "1 sample that counts, in 285 steps and 1 episode; 1 policy on the way.");
    assert_int_equal(count(page, "<figure"), 2);
    assert_has(page, ">250</text>");
    assert_lacks(page, "\xe2\x88\x92"); /* a minus: no steps, and no pairs, are fewer than none */
    test_free(page);
    snprintf(whole, sizeof whole, text, 0);
    page = page_of(whole);
    assert_has(page, "How it got there");
    assert_int_equal(count(page, "<figure"), 0);
    test_free(page);
}

static void guarantees_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *guarantee, *words;
    } cases[] = {
        {"\"T_check\": \"refuted\", \"T_found\": 12345", "contradicts T</strong>"},
        {"\"T_check\": \"refuted\", \"T_found\": 12345", "The learned chain needs 12,345 steps."},
        {"\"T_check\": \"refuted\", \"T_found\": 9, \"T_found_is_bound\": true",
         "at least 9 steps"},
        {"\"T_check\": \"consistent\"", "that is no evidence for it"},
        {"\"T_check\": \"unchecked\"", "was not checked"},
        {"\"refuted\": {\"by\": \"edge\", \"count\": 3}", "that the graph does not have"},
        {"\"refuted\": {\"by\": \"edge\", \"state\": 7, \"values\": {\"x\": 5}, \"action\": "
         "\"go\", "
         "\"successor\": {\"state\": 8}, \"count\": 3, \"visits\": 12345}",
         "in the state</th><td>x: 5</td></tr>\n<tr><th scope=\"row\">by the action</th><td>go</td>"
         "</tr>\n<tr><th scope=\"row\">which led to</th><td class=\"digits\">8</td></tr>\n<tr>"
         "<th scope=\"row\">seen so often</th><td class=\"digits\">3</td></tr>\n<tr><th "
         "scope=\"row\">tried so often</th><td class=\"digits\">12,345</td>"},
        {"\"refuted\": {\"by\": \"width\", \"count\": 3, \"visits\": 5}",
         "different states that it led to</th><td class=\"digits\">3</td></tr>\n<tr><th "
         "scope=\"row\">tried so often</th><td class=\"digits\">5</td>"},
        {"\"refuted\": {\"by\": \"edge\"}}, \"trace\": [{\"step\": 1, \"value\": 0, \"lower\": 0, "
         "\"upper\": 1}], \"stats\": {\"steps\": 2",
         "this bracket promises nothing"},
        {"\"refuted\": null}, \"trace\": [{\"step\": 1, \"value\": 0, \"lower\": 0, "
         "\"upper\": 1}], \"stats\": {\"steps\": 2",
         "The bracket contains the best probability"},
        {"\"end\": \"max-seconds\"",
         "<p>The run was ended by the limit on its time: another run may "
         "get farther, or less far.</p>\n"},
        {"\"end\": \"exceeded\", \"exceeded\": \"states\"", "Exceeded: states."},
        {"\"holds\": false", "No guarantee."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "\"learn\", \"inputs\": {}, \"guarantee\": {%s}}",
                 cases[i].guarantee);
        char *page = page_of(text);
        assert_has(page, cases[i].words);
        test_free(page);
    }
}

/* What is counted is named, and a simulator is not called a model. */
static void sources_are_named(void **state)
{
    static const struct {
        const char *result, *words, *not ;
    } cases[] = {
        {"\"learn\", \"inputs\": {\"model\": \"exec:python3 x.py\", \"automaton_states\": 2, "
         "\"product_states\": null, \"product_reachable\": 83}}",
         "<th scope=\"row\">simulator</th><td><code>exec:python3 x.py</code>",
         "<th scope=\"row\">model</th>"},
        {"\"learn\", \"inputs\": {\"automaton_states\": 2, \"product_reachable\": 83}}",
         "<th scope=\"row\">states of the product that were met</th>", "of these met"},
        {"\"recurrence\", \"inputs\": {\"product_states\": 90, \"product_reachable\": 83}}",
         "<th scope=\"row\">states of the product that can be reached</th>", "were met"},
        {"\"estimate\", \"inputs\": {\"model\": \"plugin:./a.so\"}}",
         "<th scope=\"row\">simulator</th>", "<th scope=\"row\">model</th>"},
        {"\"learn\", \"inputs\": {\"model\": \"MyEnv\"}}", "<th scope=\"row\">simulator</th>",
         "<th scope=\"row\">model</th>"},
        {"\"learn\", \"inputs\": {\"model\": \"a.prism\"}}", "<th scope=\"row\">model</th>",
         "<th scope=\"row\">simulator</th>"},
        {"\"learn\", \"inputs\": {\"model\": \"-\"}, \"truth\": {\"optimum\": 1}}",
         "<th scope=\"row\">model</th>", "<th scope=\"row\">simulator</th>"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, HEAD "%s", cases[i].result);
        char *page = page_of(text);
        assert_has(page, cases[i].words);
        const char *question = strstr(page, "id=\"r1-question\"");
        assert_non_null(question);
        assert_lacks(question, cases[i].not );
        test_free(page);
    }
}

/* Where the model is known and is not as was promised, nothing is green. */
static void contradictions_come_first(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD "\"learn\", \"inputs\": {}, \"result\": {\"value\": 0.5, \"lower\": 0.4, \"upper\": "
             "0.6}, \"guarantee\": {\"holds\": true, \"statement\": \"so it is\", \"assumes\": "
             "[\"a\"]}, \"truth\": {\"policy\": 0.5, \"optimum\": 0.9, \"contradicts\": true}, "
             "\"trace\": [{\"step\": 1, \"value\": 0, \"lower\": 0, \"upper\": 1}], \"stats\": "
             "{\"steps\": 2}}");
    assert_has(page, "<div class=\"summary bad\">");
    assert_has(page, "<strong>Contradicted by the model</strong>: so it is.");
    assert_has(page, "The guarantee is contradicted by the model.");
    assert_has(page, "these bounds are wrong");
    assert_has(page, "The model contradicts this bracket");
    assert_has(page, "<p>This is not what is promised above");
    assert_lacks(page, "class=\"summary good\"");
    assert_lacks(page, "class=\"verdict good\"");
    assert_lacks(page, "The bracket contains");
    test_free(page);
    static const char runs[] = HEAD "\"learn\", \"inputs\": {}, \"summary\": {\"runs\": 4, "
                                    "\"holds\": 4, \"judged\": 4, \"within\": %d}}";
    for (int within = 1; within <= 2; within++) {
        char text[sizeof runs + 16];
        snprintf(text, sizeof text, runs, within);
        page = page_of(text);
        assert_has(page, within == 1 ? "class=\"summary bad\"" : "class=\"summary good\"");
        test_free(page);
    }
}

static void numbers_of_any_size(void **state)
{
    (void)state;
    char *page =
        page_of(HEAD "\"bound\", \"params\": {}, \"result\": {\"k\": 1.63e1003, \"C\": "
                     "18446744073709551615, \"samples\": -12345, \"error\": 1234, \"rules\": "
                     "{\"paper\": {\"k\": 1e999}}}}");
    assert_has(page, "<strong>1.63e1003</strong>");
    assert_has(page, "18,446,744,073,709,551,615");
    assert_has(page, "<td class=\"digits\">-12,345</td>");
    assert_has(page, "<td class=\"digits\">1234</td>");
    assert_has(page, "<td class=\"number\">1e999</td>");
    test_free(page);
}

/* Six digits: promises are rounded so that they stay true, others to the nearest. */
static void numbers_are_rounded(void **state)
{
    (void)state;
    char *page = page_of(
        HEAD "\"learn\", \"inputs\": {\"states\": 0}, \"result\": {\"value\": 0.12345678, "
             "\"lower\": 0.10000099, \"upper\": 0.20000011, \"optimum_upper\": 0.30000011}, "
             "\"guarantee\": {\"holds\": true, \"error\": 0.1000001}, \"truth\": {\"policy\": "
             "0.12345612}, \"stats\": {\"seconds\": 7200.5, \"read_seconds\": 0.0001, "
             "\"milliseconds\": 1500, \"mean\": 10418.8123, \"below\": -0.12345678}}");
    assert_has(page, "<span title=\"0.12345678\">0.123457</span>");
    assert_has(page, "[<span title=\"0.10000099\">0.1</span>, <span "
                     "title=\"0.20000011\">0.200001</span>]");
    assert_has(page, "error, at most</th><td class=\"digits\"><span "
                     "title=\"0.1000001\">0.100001</span>");
    assert_has(page, "<span title=\"0.30000011\">0.300001</span>");
    assert_has(page, "<span title=\"0.12345612\">0.123456</span>");
    assert_has(page, "<span title=\"-0.12345678\">-0.123457</span>");
    assert_has(page, "<span title=\"10418.8123\">10,418.8</span>");
    assert_has(page, "time in all</th><td class=\"digits\">about 2 hours</td>");
    assert_has(page, "time to read the model</th><td class=\"digits\">under 1 ms</td>");
    assert_has(page, "time</th><td class=\"digits\">1.5 s</td>");
    assert_has(page, "unknown: no bound on them was given");
    assert_has(page, "<title>0.123457, between 0.1 and 0.200001</title>");
    test_free(page);
}

/* What was asked, how good, how sure, and on what it rests, in the first lines. */
static void summaries_say_it_all(void **state)
{
    (void)state;
    static const struct {
        const char *result, *words;
    } cases[] = {
        {"\"learn\", \"inputs\": {\"objective\": \"G a\", \"model\": \"m\"}, \"guarantee\": "
         "{\"holds\": false, \"statement\": \"no guarantee: T\", \"assumes\": [\"b\"]}, "
         "\"stats\": {\"samples\": 12345}",
         "&#10007;</span> <strong>No guarantee</strong>: T. It would have rested on <a "
         "href=\"#r1-assumptions\">1 assumption</a>.</p>\n<p class=\"about\">A policy for "
         "<code>G a</code> in <code>m</code>, from 12,345 samples.</p>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1}, \"guarantee\": {\"holds\": false}",
         "<span class=\"caveat\">as learned; nothing is promised of it</span>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false}",
         "<span class=\"caveat\">bounds wider than was asked for</span>"},
        {"\"learn\", \"inputs\": {}, \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false, \"statement\": \"s\", \"assumes\": [\"b\"]}",
         "<strong>Less than was asked for</strong>: s. This rests on <a"},
        {"\"estimate\", \"result\": {\"value\": 1, \"lower\": 0, \"upper\": 1}, "
         "\"guarantee\": {\"holds\": false, \"error\": 0.5}",
         "Less is guaranteed than was asked for.</p>\n<div class=\"scroll\"><table "
         "class=\"facts\">\n<tbody>\n<tr><th scope=\"row\">error, at most</th>"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true}",
         "the probability of the objective itself may be larger.</p>"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true}",
         "The greatest probability is at least <strong>1/2</strong>."},
        {"\"evaluate\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"is_bound\": true, "
         "\"bound\": \"upper\"}",
         "the probability of the objective itself may be smaller.</p>"},
        {"\"estimate\", \"inputs\": {}, \"guarantee\": {\"holds\": true}, \"stats\": "
         "{\"episodes\": 9}",
         "The probability, from 9 trajectories."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": 0.4, \"upper\": 0.6, "
         "\"direction\": \"min\"}",
         "<div class=\"summary\">\n<p>The least probability is <strong>0.5</strong>, certainly in "
         "[0.4, 0.6]. Computed from the model; nothing was sampled."},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"undecided\"}",
         "<strong>The property is undecided.</strong> The greatest probability"},
        {"\"check\", \"results\": [{\"result\": {\"verdict\": \"true\"}}, {\"result\": {}}, "
         "{\"result\": {\"verdict\": \"false\"}}]",
         "&#10007;</span> <strong>1 of 2 properties are true</strong>. Probabilities of 3 "
         "objectives"},
        {"\"evaluate\", \"inputs\": {\"policy\": \"p.json\"}, \"result\": {\"exact\": \"1/9\", "
         "\"value\": 0.1}",
         "The probability under the policy <code>p.json</code> is <strong>1/9</strong>."},
        {"\"verify\", \"result\": {\"holds\": true, \"lower\": 0.25, \"upper\": 1, "
         "\"confidence\": 0.9}",
         "<strong>The certificate holds</strong>: with confidence 0.9, the probability of the "
         "policy, and the best there is, are in [0.25, 1]."},
        {"\"verify\", \"result\": {\"holds\": false, \"reason\": \"digest\"}",
         "<div class=\"summary bad\">\n<p><span class=\"sign\" "
         "aria-hidden=\"true\">&#10007;</span> "
         "<strong>The certificate is refused</strong>: digest."},
        {"\"env check\", \"result\": {\"conforms\": true, \"errors\": 0, \"warnings\": 2}",
         "<strong>The simulator keeps the contract</strong>: 0 errors, 2 warnings."},
        {"\"bound\", \"params\": {\"delta\": 0.1}, \"result\": {\"k\": 7, \"samples\": 70, "
         "\"error\": 0.2}",
         "<strong>7 samples</strong> of each pair of state and action, 70 in all, for a policy "
         "that is within 0.2 of the best, with confidence 0.9, if T bounds the recurrence time."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": -1e999, \"upper\": 1e999}",
         "<strong>0.5</strong>, certainly in [-inf, inf]."},
        {"\"verify\", \"result\": {\"holds\": true, \"lower\": -0.10000011, \"upper\": 1}",
         "at least</th><td class=\"digits\"><span title=\"-0.10000011\">-0.100001</span></td>"},
        {"\"verify\", \"result\": {\"holds\": true}",
         "Does the certificate of a learner show what it"},
        {"\"info\", \"result\": {}", "<p>What is the model like?</p>"},
        {"\"recurrence\", \"result\": {\"T\": 198, \"kind\": \"lower-bound\"}",
         "The recurrence time is at least <strong>198 steps</strong>."},
        {"\"recurrence\", \"inputs\": {\"policy\": \"p\"}, \"result\": {\"T\": 1, \"kind\": "
         "\"exact\"}",
         "The recurrence time under the policy <code>p</code> is <strong>1 step</strong>."},
        {"\"recurrence\", \"result\": {\"T\": 9, \"kind\": \"estimate\", \"one_policy\": true}",
         "is about <strong>9 steps</strong> for one policy; others may take longer."},
        {"\"check\", \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, \"is_bound\": "
         "true}",
         "The greatest probability is at least <strong>0.25</strong>. Computed"},
        {"\"evaluate\", \"result\": {\"value\": 0.5, \"lower\": 0.25, \"upper\": 0.75, "
         "\"is_bound\": true, \"bound\": \"upper\"}",
         "The probability is at most <strong>0.75</strong>. Computed"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"initial\": [{\"state\": 0, "
         "\"value\": 0.5, \"exact\": \"1/2\"}, {\"state\": 7, \"value\": 0.125, \"exact\": "
         "\"1/8\"}]}",
         "is <strong>1/2</strong>, from the first of 2 initial states. Computed"},
        {"\"check\", \"result\": {\"value\": 0.5, \"exact\": \"1/2\", \"initial\": [{\"state\": 0, "
         "\"value\": 0.5, \"exact\": \"1/2\"}, {\"state\": 7, \"value\": 0.125, \"exact\": "
         "\"1/8\"}]}",
         "<td>7</td><td>1/8</td>"},
        /* what is said of one policy is not said of all */
        {"\"recurrence\", \"inputs\": {\"policy\": \"p\"}, \"result\": {\"T\": 1, \"kind\": "
         "\"exact\"}",
         "exactly, of the policy that was given"},
        {"\"recurrence\", \"result\": {\"T\": 9, \"kind\": \"estimate\", \"one_policy\": true}",
         "of one policy: others may take longer"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "%s}", cases[i].result);
        char *page = page_of(text);
        assert_has(page, cases[i].words);
        test_free(page);
    }
}

/* The answer below the summary: signs and words agree. */
static void answers_are_told(void **state)
{
    (void)state;
#define GOOD "<p class=\"verdict good\"><span class=\"sign\" aria-hidden=\"true\">&#10003;</span> "
#define BAD  "<p class=\"verdict bad\"><span class=\"sign\" aria-hidden=\"true\">&#10007;</span> "
    static const struct {
        const char *result, *words, *lacks;
    } cases[] = {
        {"\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": true}",
         GOOD "The guarantee holds.</p>", BAD},
        {"\"learn\", \"inputs\": {}, \"guarantee\": {\"holds\": false}", BAD "No guarantee.</p>",
         GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"true\"}",
         GOOD "The property is true.</p>", BAD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"false\"}",
         BAD "The property is false.</p>", GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"verdict\": \"undecided\"}",
         BAD "The property is undecided.</p>", GOOD},
        {"\"check\", \"result\": {\"value\": 1, \"precise\": false}",
         "which are not as close as was asked for.</p>", "without rounding"},
        {"\"check\", \"result\": {\"value\": 1, \"precise\": true}",
         "certainly lies within the bounds.</p>", "not as close"},
        {"\"check\", \"result\": {\"value\": 1, \"lower\": 1, \"upper\": null}",
         "<p class=\"value\"><strong>1</strong></p>", "class=\"bracket\""},
        {"\"check\", \"result\": {\"value\": 1, \"initial\": [{\"state\": 3, \"value\": 0.5, "
         "\"lower\": 0.25, \"upper\": 0.75}]}",
         "From each initial state</caption><thead><tr><th scope=\"col\">state</th><th "
         "scope=\"col\">value</th><th scope=\"col\">bounds</th></tr></thead>\n<tbody>\n"
         "<tr><td>3</td><td>0.5</td><td>[0.25, 0.75]</td></tr>\n</tbody>",
         "none"},
        {"\"check\", \"result\": {\"value\": 1}", "<strong>1</strong>", "From each initial"},
        {"\"verify\", \"result\": {\"holds\": true, \"statement\": \"it is so\"}",
         GOOD "The certificate holds.</p>\n<p class=\"statement\">It is so.</p>", BAD},
        {"\"verify\", \"result\": {\"holds\": false, \"reason\": \"it is not\"}",
         BAD "The certificate is refused.</p>\n<p class=\"statement\">It is not.</p>", GOOD},
        {"\"env check\", \"result\": {\"conforms\": false}, \"findings\": [{\"kind\": "
         "\"error\", \"check\": \"seeds\", \"text\": \"differ\"}]",
         BAD "The simulator breaks the contract.</p>\n<div class=\"scroll\"><table class=\"data\">"
             "<caption>What was found</caption><thead><tr><th scope=\"col\">kind</th><th "
             "scope=\"col\">check</th><th scope=\"col\">finding</th></tr></thead>\n<tbody>\n"
             "<tr><td>error</td><td>seeds</td><td>differ</td></tr>\n</tbody>",
         GOOD},
        {"\"recurrence\", \"result\": {\"T\": 7, \"kind\": \"estimate\"}",
         "what it is</th><td>estimated from simulated runs</td>", "exactly"},
        {"\"recurrence\", \"result\": {\"T\": 7, \"kind\": \"exact\"}",
         "what it is</th><td>exactly: no policy takes longer, and some takes as long</td>",
         "estimated"},
    };
#undef GOOD
#undef BAD
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text, HEAD "%s}", cases[i].result);
        char *page = page_of(text), *answer = strstr(page, "id=\"r1-answer\"");
        assert_non_null(answer);
        assert_has(answer, cases[i].words);
        *strstr(answer, "</section>") = '\0';
        assert_lacks(answer, cases[i].lacks);
        test_free(page);
    }
}

/* Curves are there for what a trace has: a bracket, a value beside it, what is true. */
static void traces_have_their_curves(void **state)
{
    (void)state;
    static const struct {
        const char *entry;
        bool bracket, value, learned, truth;
    } cases[] = {
        {"\"value\": 0.5, \"lower\": 0.25, \"upper\": 1, \"truth\": 1", true, true, false, true},
        {"\"value\": 0.25, \"lower\": 0.25, \"upper\": 1", true, false, false, false},
        {"\"value\": 0.5, \"lower\": 0.25, \"upper\": null", false, false, true, false},
        {"\"value\": null, \"lower\": null, \"upper\": 1", false, false, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 HEAD "\"learn\", \"inputs\": {}, \"trace\": [{\"step\": 1, \"known\": 0, %s}, "
                      "{\"step\": 9, \"known\": 1, %s}]}",
                 cases[i].entry, cases[i].entry);
        char *page = page_of(text);
        assert_int_equal(count(page, "<title>bracket</title>"), cases[i].bracket);
        assert_int_equal(count(page, "<title>value of the policy</title>"), cases[i].value);
        assert_int_equal(count(page, "<title>value in the learned model</title>"),
                         cases[i].learned);
        assert_int_equal(count(page, "<title>true probability of the policy</title>"),
                         cases[i].truth);
        test_free(page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_end_with_the_run),   cmocka_unit_test(guarantees_are_explained),
        cmocka_unit_test(contradictions_come_first), cmocka_unit_test(sources_are_named),
        cmocka_unit_test(numbers_of_any_size),       cmocka_unit_test(numbers_are_rounded),
        cmocka_unit_test(summaries_say_it_all),      cmocka_unit_test(answers_are_told),
        cmocka_unit_test(traces_have_their_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
