/* SPDX-License-Identifier: MIT */
/* What was asked. */
#include <math.h>
#include <string.h>

#include <omegapac/model.h>

#include "report/sections.h"

/* What a command asks, in a sentence; the objective and the system follow as facts. */
static const char *in_words(const char *command)
{
    static const struct {
        const char *command, *words;
    } questions[] = {
        {"learn", "Which policy makes the objective most probable, and how probable is that? Found "
                  "from samples of the system, without looking at its probabilities."},
        {"check", "What is the optimal probability of the objective over all policies? Computed "
                  "from the model."},
        {"evaluate", "How probable is the objective when the given policy makes all decisions? "
                     "Computed from the model."},
        {"estimate", "How probable is the objective in this Markov chain? Estimated from samples."},
        {"bound", "How many samples does a learner need for its guarantee, and what does that "
                  "promise?"},
        {"recurrence", "After how many steps has a run shown, with high probability, what it will "
                       "do for ever? Computed from the model."},
        {"verify", "Does the certificate of a learner show what it claims?"},
        {"info", "What is the model like?"},
        {"translate", "Which automaton accepts the runs that satisfy the formula?"},
        {"convert", "The same object in another form."},
        {"env check", "Does the simulator keep the contract that learning relies on?"}};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (strcmp(questions[i].command, command) == 0)
            return questions[i].words;
    return NULL;
}

/* The objectives of several results, as a list. */
static void list_objectives(report_page *page, report_value results)
{
    size_t count = report_length(page, results);
    if (count == 0)
        return;
    report_raw(page, "<tr><th scope=\"row\">objectives</th><td><ol>\n");
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value inputs = report_member(page, report_item(page, results, i), "inputs");
        report_raw(page, "<li>");
        report_code(page, report_text(page, inputs, "objective"));
        report_raw(page, "</li>\n");
    }
    report_raw(page, "</ol></td></tr>\n");
}

bool report_is_simulated(report_page *page, const report_result *result)
{
    static const char *const samplers[] = {"learn", "estimate", "simulate"};
    report_value root = result->root, summary = report_member(page, root, "summary");
    const char *name = report_text(page, report_member(page, root, "inputs"), "model");
    opac_model_format format;
    bool samples = false;
    for (size_t i = 0; i < sizeof samplers / sizeof *samplers; i++)
        samples |= strcmp(result->command, samplers[i]) == 0;
    if (!samples || name == NULL)
        return false;
    if (strncmp(name, "exec:", 5) == 0 || strncmp(name, "plugin:", 7) == 0)
        return true;
    return !report_has(report_member(page, root, "truth")) &&
           !report_has(report_member(page, summary, "optimum")) &&
           strcmp(result->command, "simulate") != 0 && !opac_model_format_of(name, &format);
}

static void code_fact(report_page *page, const char *what, report_value object, const char *name)
{
    const char *text = report_text(page, object, name);
    if (text == NULL)
        return;
    report_raw(page, "<tr><th scope=\"row\">");
    report_put(page, what);
    report_raw(page, "</th><td>");
    report_code(page, text);
    report_raw(page, "</td></tr>\n");
}

static void list_facts(report_page *page, const report_result *result, report_value inputs)
{
    report_value root = result->root, params = report_member(page, root, "params");
    static const char *const shown[] = {"model",     "simulator",      "objective",
                                        "formula",   "name",           "automaton",
                                        "policy",    "certificate",    "automaton_states",
                                        "branching", "product_states", "product_reachable",
                                        "states",    "actions",        NULL};
    report_facts(page);
    code_fact(page, report_is_simulated(page, result) ? "simulator" : "model", inputs, "model");
    code_fact(page, "simulator", inputs, "simulator");
    report_fact(page, "constants", report_member(page, params, "constants"));
    code_fact(page, "property", inputs, "name");
    code_fact(page, "objective", inputs, "objective");
    code_fact(page, "formula", inputs, "formula");
    report_fact(page, "automaton", report_member(page, inputs, "automaton"));
    report_fact(page, "policy", report_member(page, inputs, "policy"));
    code_fact(page, "certificate", inputs, "certificate");
    list_objectives(page, report_member(page, root, "results"));
    if (strcmp(result->command, "bound") == 0)
        report_fact_members(page, params, NULL);
    if (report_number(page, inputs, "states") <= 0) /* a simulator without a bound */
        report_fact_text(page, "states", "unknown: no bound on them was given");
    else
        report_fact(page, "states", report_member(page, inputs, "states"));
    if (!(report_number(page, inputs, "actions") <= 0)) /* 0: no bound was given */
        report_fact(page, "actions a state, at most", report_member(page, inputs, "actions"));
    if (!(report_number(page, inputs, "branching") <= 0))
        report_fact(page, "successors of an action, at most",
                    report_member(page, inputs, "branching"));
    report_fact(page, "states of the automaton", report_member(page, inputs, "automaton_states"));
    report_fact(page, "states of the product", report_member(page, inputs, "product_states"));
    report_fact(page,
                strcmp(result->command, "learn") == 0 ? "states of the product that were met"
                                                      : "states of the product that can be reached",
                report_member(page, inputs, "product_reachable"));
    report_fact_members(page, inputs, shown);
    report_facts_end(page);
}

static void show_automata(report_page *page, report_value root)
{
    report_value results = report_member(page, root, "results");
    size_t count = report_length(page, results);
    const char *text = report_text(page, root, "automaton");
    if (text != NULL)
        report_automaton(page, text);
    for (size_t i = 0; i < count && !report_failed(page); i++) {
        report_value item = report_item(page, results, i);
        text = report_text(page, item, "automaton");
        if (text == NULL)
            continue;
        report_raw(page, "<details><summary>The automaton of ");
        report_code(page, report_text(page, report_member(page, item, "inputs"), "objective"));
        report_raw(page, "</summary>\n");
        report_automaton(page, text);
        report_raw(page, "</details>\n");
    }
}

void report_question(report_page *page, const report_result *result)
{
    report_value inputs = report_member(page, result->root, "inputs");
    const char *words = in_words(result->command);
    report_section(page, "question", "The question");
    if (words != NULL) {
        report_raw(page, "<p>");
        report_put(page, words);
        report_raw(page, "</p>\n");
    }
    list_facts(page, result, inputs);
    show_automata(page, result->root);
    report_section_end(page);
}
