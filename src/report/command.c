/* SPDX-License-Identifier: MIT */
/*
 * The command line of a result, from what it says of its inputs, parameters and seed. Members of
 * `params` are named after the options: "max_steps" is --max-steps; the few others are listed here.
 * Options that do not change a result (--threads, -q) are not in it.
 */
#include <string.h>

#include <omegapac/number.h>
#include <omegapac/text.h>

#include "base/text.h"
#include "base/utf8.h"
#include "report/sections.h"

typedef struct line {
    report_page *page;
    base_text text;
    bool is_exact; /* false: it holds what a line cannot show, or lacks something */
} line;

/* Whether a page shows it as it is, so that it can be copied from there. */
static bool is_shown(const char *word)
{
    char shown[16];
    for (size_t left = strlen(word), size; left > 0; word += size, left -= size) {
        size = base_utf8_length(word, left);
        if (size == 0 || strncmp(opac_text_show(word, size, shown, sizeof shown), word, size) != 0)
            return false;
    }
    return true;
}

/* A word as a shell reads it. */
static void add_word(line *l, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_./:=,+%@-";
    if (l->text.length > 0)
        base_text_add(&l->text, " ");
    l->is_exact = l->is_exact && is_shown(word);
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        base_text_add(&l->text, word);
        return;
    }
    base_text_add(&l->text, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            base_text_add(&l->text, "'\\''");
        else
            base_text_add_char(&l->text, *word);
    base_text_add(&l->text, "'");
}

/*
 * A text as it is; a number as we write it, whatever wrote the file (1e-06 is 1e-6), and whole numbers
 * with all their digits. NULL: neither. The buffer has OPAC_NUMBER_SIZE characters.
 */
static const char *scalar_text(report_value value, char *buffer)
{
    const char *text = NULL;
    double number;
    if (base_json_kind_of(value) == BASE_JSON_STRING) {
        if (base_json_string(value, &text, NULL, NULL) != OPAC_OK)
            return NULL;
    } else if (base_json_number_text(value, &text, NULL) != OPAC_OK) {
        return NULL;
    } else if (strpbrk(text, ".eE") != NULL && base_json_double(value, &number, NULL) == OPAC_OK) {
        return opac_number_format(number, buffer);
    }
    return text;
}

/* A text or a number. Nothing else is the value of an option as we know them: a later version may
 * have others (keys may be added), and then the command cannot be told. */
static void add_scalar(line *l, report_value value)
{
    char buffer[OPAC_NUMBER_SIZE];
    const char *text = scalar_text(value, buffer);
    if (text == NULL) {
        l->is_exact = false;
        return;
    }
    l->is_exact = l->is_exact && strcmp(text, "-") != 0; /* standard input is gone */
    add_word(l, text);
}

static void add_option(line *l, const char *option, report_value value)
{
    report_page *page = l->page;
    bool flag = false;
    if (report_failed(page) || !report_has(value))
        return;
    if (base_json_kind_of(value) == BASE_JSON_ARRAY) {
        size_t count = report_length(page, value);
        for (size_t i = 0; i < count && !report_failed(page); i++) {
            add_word(l, option);
            add_scalar(l, report_item(page, value, i));
        }
        return;
    }
    if (base_json_kind_of(value) == BASE_JSON_BOOL) {
        report_fail(page, base_json_bool(value, &flag, page->error));
        if (flag)
            add_word(l, option);
        return;
    }
    add_word(l, option);
    add_scalar(l, value);
}

/* "max_steps" as "--max-steps". */
static void add_named(line *l, const char *key, report_value value)
{
    char option[64] = "--";
    size_t length = strlen(key);
    if (length + 3 > sizeof option) { /* of no option that we know */
        l->is_exact = false;
        return;
    }
    for (size_t i = 0; i <= length; i++)
        option[i + 2] = key[i] == '_' ? '-' : key[i];
    add_option(l, option, value);
}

/* What an option has when it is not given: it need not be said. */
static bool is_default(report_value value, const char *command)
{
    static const struct {
        const char *key, *text;
    } defaults[] = {{"max_states", "50000000"}, {"dot_limit", "1000"},   {"precision", "1e-6"},
                    {"kind", "deterministic"},  {"stop", "policy"},      {"counts", "model"},
                    {"explore", "episodes"},    {"max_component", "20"}, {"max_work", "4000000000"},
                    {"samples", "100000"}};
    char buffer[OPAC_NUMBER_SIZE];
    const char *text = scalar_text(value, buffer);
    if (strcmp(command, "translate") == 0 && strcmp(value.key, "max_states") == 0)
        return false; /* it has another default */
    for (size_t i = 0; text != NULL && i < sizeof defaults / sizeof *defaults; i++)
        if (strcmp(value.key, defaults[i].key) == 0)
            return strcmp(text, defaults[i].text) == 0;
    return false;
}

/* Those that stand for no option of that name: the learner's own findings, and what add_rule
 * says. */
static bool is_special(const char *key, bool is_learn)
{
    static const char *const always[] = {"k", "k_rule", "T", "T_auto", "target", "sampler_given"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(key, always[i]) == 0)
            return true;
    return is_learn && strcmp(key, "sampler") == 0;
}

/* T, k and the sampler, of which a result says what they became, too. */
static void add_rule(line *l, report_value params, bool is_learn)
{
    report_page *page = l->page;
    if (report_flag(page, params, "T_auto")) {
        add_word(l, "-T");
        add_word(l, "auto");
    } else
        add_option(l, "-T", report_member(page, params, "T"));
    if (report_is(page, params, "k_rule", "number") ||
        !report_has(report_member(page, params, "k_rule")))
        add_option(l, "--k", report_member(page, params, "k"));
    else if (!report_is(page, params, "k_rule", "target"))
        add_option(l, "--k", report_member(page, params, "k_rule"));
    add_option(l, "--target", report_member(page, params, "target"));
    if (is_learn && report_flag(page, params, "sampler_given"))
        add_option(l, "--sampler", report_member(page, params, "sampler"));
}

static void add_params(line *l, report_value params, const char *command)
{
    static const struct {
        const char *key, *option;
    } letters[] = {{"constants", "-D"},
                   {"formulas", "-f"},
                   {"properties", "-p"},
                   {"property_files", "-P"},
                   {"automata", "-a"}};
    report_page *page = l->page;
    report_value member = {0};
    bool is_learn = strcmp(command, "learn") == 0;
    add_rule(l, params, is_learn);
    while (!report_failed(page) && report_has(params) && base_json_next(params, &member)) {
        const char *option = NULL;
        for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
            if (strcmp(member.key, letters[i].key) == 0)
                option = letters[i].option;
        if (is_special(member.key, is_learn) || is_default(member, command))
            continue;
        if (option != NULL)
            add_option(l, option, member);
        else
            add_named(l, member.key, member);
    }
}

static const char *const operands[] = {"certificate", "model", "simulator", "formula"};

enum {
    OPERANDS = sizeof operands / sizeof *operands
};

/* Whether an operand would be taken for an option: then all stand at the end, where none can follow. */
static bool has_dash(report_page *page, report_value inputs)
{
    for (size_t i = 0; i < OPERANDS; i++) {
        const char *text = report_text(page, inputs, operands[i]);
        if (text != NULL && text[0] == '-')
            return true;
    }
    return false;
}

static void add_operands(line *l, report_value inputs)
{
    for (size_t i = 0; i < OPERANDS; i++) {
        report_value operand = report_member(l->page, inputs, operands[i]);
        if (report_has(operand))
            add_scalar(l, operand);
    }
}

/* What it is about, where no parameter says so. */
static void add_question(line *l, const char *command, report_value inputs, report_value params)
{
    report_page *page = l->page;
    if (strcmp(command, "learn") == 0 && !report_has(report_member(page, params, "automata")))
        add_option(l, "-f", report_member(page, inputs, "objective"));
    if (strcmp(command, "evaluate") == 0 || strcmp(command, "recurrence") == 0)
        add_option(l, "--policy", report_member(page, inputs, "policy"));
}

static bool is_known(const char *command)
{
    static const char *const known[] = {"bound", "check", "env check",  "estimate",  "evaluate",
                                        "info",  "learn", "recurrence", "translate", "verify"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], command) == 0)
            return true;
    return false;
}

/* Whether times were left out, where they can be. */
static bool is_untimed(report_page *page, const report_result *result)
{
    report_value stats = report_member(page, result->root, "stats");
    return strcmp(result->command, "bound") != 0 && strcmp(result->command, "verify") != 0 &&
           !report_has(
               report_member(page, report_member(page, result->root, "summary"), "seconds")) &&
           !report_has(report_member(page, stats, "seconds")) &&
           !report_has(report_member(page, stats, "milliseconds")) &&
           !report_has(report_member(page, stats, "simulator_seconds"));
}

/* A result that was made in another program may not say which system it is about. */
static bool has_input(report_page *page, report_value inputs)
{
    for (size_t i = 0; i < OPERANDS; i++)
        if (report_has(report_member(page, inputs, operands[i])))
            return true;
    return false;
}

bool report_command(report_page *page, const report_result *result)
{
    report_value inputs = report_member(page, result->root, "inputs");
    report_value params = report_member(page, result->root, "params");
    line l = {.page = page, .is_exact = true};
    if (report_failed(page) || !is_known(result->command) || !report_has(params))
        return false;
    if (strcmp(result->command, "bound") != 0 && !has_input(page, inputs))
        return false;
    bool is_behind = has_dash(page, inputs);
    add_word(&l, "omegapac");
    base_text_add(&l.text, " ");
    base_text_add(&l.text, result->command); /* of our own commands, which need no quotes */
    if (!is_behind)
        add_operands(&l, inputs);
    add_question(&l, result->command, inputs, params);
    add_params(&l, params, result->command);
    add_option(&l, "--seed", report_member(page, result->root, "seed"));
    add_option(&l, "--runs",
               report_member(page, report_member(page, result->root, "summary"), "runs"));
    add_word(&l, "--json");
    if (is_untimed(page, result))
        add_word(&l, "--no-timing");
    if (is_behind) {
        add_word(&l, "--");
        add_operands(&l, inputs);
    }
    report_fail(page, base_text_check(&l.text, page->error));
    bool is_written = l.is_exact && !report_failed(page);
    if (is_written) {
        report_raw(page, "<pre class=\"command\"><code>");
        report_put(page, base_text_get(&l.text));
        report_raw(page, "</code></pre>\n");
    }
    base_text_fini(&l.text);
    return is_written;
}
