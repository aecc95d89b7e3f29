/* SPDX-License-Identifier: MIT */
#include "report/page.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <omegapac/model.h>
#include <omegapac/version.h>

#include "drawing/draw_graph.h"
#include "report/report_automaton.h"
#include "report/report_escape.h"
#include "report/report_policy.h"
#include "result/members.h"
#include "result/result_read.h"
#include "result/result_text.h"

enum {
    NAME_SIZE = 40 /* of the name of a picture or of a mark */
};

typedef struct picture {
    char name[NAME_SIZE]; /* "picture" of the policy, "automaton-0" */
    opac_output *svg;
} picture;
BASE_VEC(picture_vec, picture);

typedef struct page {
    opac_output *out;
    const char *title;
    const report_article *articles;
    size_t count, at; /* number of articles, and the one being written */
    picture_vec pictures;
    size_t picture;    /* the one being written */
    opac_output *json; /* data of the article for the script */
    opac_output *text;
    opac_error *error;
} page;

const char *report_subject(const report_article *article)
{
    static const char *const paths[] = {"inputs.objective", "inputs.formula", "inputs.model"};
    const char *subject = NULL;
    for (size_t i = 0; i < sizeof paths / sizeof *paths && subject == NULL; i++)
        subject = result_get_text(report_head(article)->root, paths[i]);
    return subject;
}

/* ---- the data of an article ---- */

/* Takes the output: keeps it as a picture, or frees it if it is empty. */
static opac_status add_picture(page *p, const char *name, opac_output *svg)
{
    picture one = {.svg = svg};
    size_t length = 0;
    opac_status status = OPAC_OK;
    snprintf(one.name, sizeof one.name, "%s", name);
    if (opac_output_bytes(svg, &length) == NULL)
        status = base_fail_memory(p->error);
    else if (length > 0)
        status = picture_vec_push(&p->pictures, one, p->error);
    if (status != OPAC_OK || length == 0)
        opac_output_free(svg);
    return status;
}

static opac_status put_automaton(page *p, opac_json *json, base_json_value found, size_t index)
{
    opac_output *svg;
    char name[NAME_SIZE];
    TRY(opac_output_open_memory(&svg, p->error));
    opac_status status = report_automaton(result_get_text(found, "automaton"), json, svg, p->error);
    if (status != OPAC_OK) {
        opac_output_free(svg);
        return status;
    }
    snprintf(name, sizeof name, "automaton-%zu", index);
    return add_picture(p, name, svg);
}

/* The automaton of the result, then that of each of its results. */
static opac_status put_automata(page *p, opac_json *json, base_json_value root)
{
    base_json_value parts = result_get(root, "results");
    opac_json_key(json, "automata");
    opac_json_begin_array(json);
    TRY(put_automaton(p, json, root, 0));
    for (size_t i = 0; i < result_count(parts); i++)
        TRY(put_automaton(p, json, result_item(parts, i), i + 1));
    opac_json_end_array(json);
    return OPAC_OK;
}

static void put_numbers(opac_json *json, const char *key, const base_u32_vec *numbers)
{
    opac_json_key(json, key);
    opac_json_begin_array(json);
    for (size_t i = 0; i < numbers->count; i++)
        opac_json_uint(json, numbers->items[i]);
    opac_json_end_array(json);
}

static void put_texts(opac_json *json, const char *key, const report_states *states, bool is_name)
{
    opac_json_key(json, key);
    opac_json_begin_array(json);
    for (size_t i = 0; i < states->items.count; i++)
        opac_json_string(json,
                         is_name ? states->items.items[i].name : states->items.items[i].labels);
    opac_json_end_array(json);
}

/* Names and labels of states, and for each decision and each step of the sample the index of its state. */
static void put_places(opac_json *json, const report_policy *policy)
{
    opac_json_key(json, "places");
    opac_json_begin_object(json);
    result_put_text(json, "picture", policy->kind);
    result_put_bool(json, "memory", policy->uses_memory);
    result_put_uint(json, "memories", policy->memories.count);
    put_texts(json, "names", &policy->states, true);
    put_texts(json, "labels", &policy->states, false);
    put_numbers(json, "decisions", &policy->deciding);
    put_numbers(json, "sample", &policy->visited);
    opac_json_end_object(json);
}

static opac_status put_policy(page *p, opac_json *json, base_json_value root)
{
    report_policy policy = {0};
    opac_output *svg = NULL;
    opac_status status;
    TRY_OR(done, report_policy_read(root, &policy, p->error));
    TRY_OR(done, opac_output_open_memory(&svg, p->error));
    TRY_OR(done, report_policy_draw(&policy, svg, p->error));
    put_places(json, &policy);
    status = add_picture(p, "picture", svg);
    svg = NULL;
done:
    opac_output_free(svg);
    report_policy_fini(&policy);
    return status;
}

/*
 * Whether `inputs.model` is a simulator: a program, a plugin, or an environment in Python. The last has neither the
 * suffix of a model file nor values computed from a model.
 */
static bool is_simulated(const report_result *result)
{
    const char *name = result_get_text(result->root, "inputs.model");
    opac_model_format format;
    if (name == NULL ||
        (strcmp(result->command, "learn") != 0 && strcmp(result->command, "estimate") != 0))
        return false;
    if (strncmp(name, "exec:", 5) == 0 || strncmp(name, "plugin:", 7) == 0)
        return true;
    return !base_json_is_there(result_get(result->root, "truth")) &&
           !base_json_is_there(result_get(result->root, "summary.optimum")) &&
           !opac_model_format_of(name, &format);
}

static opac_status make_json(page *p, const report_article *article)
{
    const report_result *head = report_head(article);
    opac_json json;
    TRY(opac_output_open_memory(&p->json, p->error));
    opac_json_init(&json, p->json);
    opac_json_begin_object(&json);
    result_put_text(&json, "file", head->file);
    result_put_bool(&json, "simulated", is_simulated(head));
    TRY(put_automata(p, &json, head->root));
    TRY(put_policy(p, &json, head->root));
    opac_json_key(&json, "results");
    opac_json_begin_array(&json);
    for (size_t i = 0; i < article->count; i++)
        result_put_value(&json, article->results[i].root);
    opac_json_end_array(&json);
    opac_json_end_object(&json);
    return OPAC_OK;
}

/* The text of a result whose command has none: its short members, one per line. */
static void write_members(base_json_value root, opac_output *out)
{
    static const char *const shown[] = {"command",   "inputs",  "params", "result",
                                        "results",   "summary", "truth",  "findings",
                                        "guarantee", "model",   "stats"};
    opac_json json;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        base_json_value value = result_get(root, shown[i]);
        if (!base_json_is_there(value))
            continue;
        opac_output_print(out, "%-12s", shown[i]);
        opac_json_init(&json, out);
        result_put_value(&json, value);
        opac_output_text(out, "\n");
    }
}

static opac_status make_text(page *p, base_json_value root)
{
    size_t length;
    TRY(opac_output_open_memory(&p->text, p->error));
    result_write_text(root, &(result_extras){0}, p->text);
    if (opac_output_bytes(p->text, &length) != NULL && length == 0)
        write_members(root, p->text);
    return OPAC_OK;
}

static void article_fini(page *p)
{
    for (size_t i = 0; i < p->pictures.count; i++)
        opac_output_free(p->pictures.items[i].svg);
    picture_vec_fini(&p->pictures);
    opac_output_free(p->json);
    opac_output_free(p->text);
    p->json = p->text = NULL;
}

/* ---- the marks ---- */

static opac_status expand(page *p, const char *begin, const char *end);

/* Writes the hash of the part of the template between a tag and its end tag. */
static void write_hash(page *p, const char *tag, const char *end)
{
    const char *begin = strstr(report_template, tag) + strlen(tag);
    report_hash(p->out, begin, (size_t)(strstr(begin, end) - begin));
}

/* Copies the bytes of an output in memory with a function that escapes them. */
static opac_status write_bytes(page *p, opac_output *from,
                               void (*write)(opac_output *out, const char *bytes, size_t length))
{
    size_t length;
    const char *bytes = opac_output_bytes(from, &length);
    if (bytes == NULL)
        return opac_output_commit(from, p->error);
    write(p->out, bytes, length);
    return OPAC_OK;
}

static const picture *shown_picture(const page *p)
{
    assert(p->pictures.items != NULL && p->picture < p->pictures.count);
    return &p->pictures.items[p->picture];
}

static bool is(const char *name, const char *mark)
{
    return strcmp(name, mark) == 0;
}

/* An unknown name is an error of the template, which tests find. */
static opac_status write_value(page *p, const char *name)
{
    const report_article *article = &p->articles[p->at];
    if (is(name, "json"))
        return write_bytes(p, p->json, report_json_bytes);
    if (is(name, "text"))
        return write_bytes(p, p->text, report_html_lines);
    if (is(name, "picture"))
        return write_bytes(p, shown_picture(p)->svg, opac_output_write);
    if (is(name, "picture-name"))
        report_html_text(p->out, shown_picture(p)->name);
    else if (is(name, "command"))
        report_html_text(p->out, report_head(article)->command);
    else if (is(name, "subject"))
        report_html_text(p->out, report_subject(article));
    else if (is(name, "number"))
        opac_output_print(p->out, "%zu", p->at + 1);
    else if (is(name, "title"))
        report_html_text(p->out, p->title);
    else if (is(name, "version"))
        report_html_text(p->out, OPAC_VERSION);
    else if (is(name, "script-hash"))
        write_hash(p, "<script type=\"module\">", "</script>");
    else if (is(name, "style-hash"))
        write_hash(p, "<style>", "</style>");
    else if (is(name, "drawing-hash"))
        report_hash(p->out, drawing_style, strlen(drawing_style));
    else
        return base_fail(p->error, OPAC_ERROR_INTERNAL, "the page has no value '%s'", name);
    return OPAC_OK;
}

static opac_status write_article(page *p, const char *begin, const char *end)
{
    const report_article *article = &p->articles[p->at];
    opac_status status;
    TRY_OR(done, make_json(p, article));
    TRY_OR(done, make_text(p, report_head(article)->root));
    TRY_OR(done, expand(p, begin, end));
done:
    article_fini(p);
    return status;
}

/* Writes a block once for each item, or if a condition holds. */
static opac_status write_block(page *p, const char *name, const char *begin, const char *end)
{
    if (is(name, "result"))
        for (p->at = 0; p->at < p->count; p->at++)
            TRY(write_article(p, begin, end));
    else if (is(name, "picture"))
        for (p->picture = 0; p->picture < p->pictures.count; p->picture++)
            TRY(expand(p, begin, end));
    else if (is(name, "heading"))
        return p->count > 1 ? expand(p, begin, end) : OPAC_OK;
    else if (is(name, "subject"))
        return report_subject(&p->articles[p->at]) != NULL ? expand(p, begin, end) : OPAC_OK;
    else
        return base_fail(p->error, OPAC_ERROR_INTERNAL, "the page has no block '%s'", name);
    return OPAC_OK;
}

static opac_status expand(page *p, const char *begin, const char *end)
{
    for (const char *mark; (mark = strstr(begin, "{{")) != NULL && mark < end;) {
        char name[NAME_SIZE], close[NAME_SIZE + 8];
        bool is_block = mark[2] == '#';
        const char *at = mark + 2 + is_block, *after = strstr(at, "}}");
        opac_output_write(p->out, begin, (size_t)(mark - begin));
        snprintf(name, sizeof name, "%.*s", (int)(after - at), at);
        begin = after + 2;
        if (!is_block) {
            TRY(write_value(p, name));
            continue;
        }
        begin += *begin == '\n';
        snprintf(close, sizeof close, "{{/%s}}", name);
        const char *inner_end = strstr(begin, close);
        TRY(write_block(p, name, begin, inner_end));
        begin = inner_end + strlen(close);
        begin += *begin == '\n';
    }
    opac_output_write(p->out, begin, (size_t)(end - begin));
    return OPAC_OK;
}

opac_status report_page_write(const char *title, const report_article *articles, size_t count,
                              opac_output *out, const report_result **wrong, opac_error *error)
{
    page p = {.out = out, .title = title, .articles = articles, .count = count, .error = error};
    opac_status status = expand(&p, report_template, report_template + strlen(report_template));
    *wrong = status != OPAC_OK && p.at < count ? report_head(&articles[p.at]) : NULL;
    return status;
}
