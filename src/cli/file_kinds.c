/* SPDX-License-Identifier: MIT */
/*
 * Recognises the kind of a file by its first bytes. A file that may be of two kinds is not recognised,
 * because files that are not recognised are not replaced without --force.
 */
#include <string.h>

#include "cli/outputs.h"

static const char *const words[CLI_FILE_COUNT] = {
    [CLI_FILE_RESULT] = "a result",
    [CLI_FILE_PAGE] = "an HTML page of omegapac",
    [CLI_FILE_TRACES] = "a list of traces",
    [CLI_FILE_TRACE] = "the trace of a run",
    [CLI_FILE_POLICY] = "a policy",
    [CLI_FILE_CERTIFICATE] = "a certificate",
    [CLI_FILE_CHECKPOINT] = "a checkpoint",
    [CLI_FILE_HOA] = "an automaton in HOA",
    [CLI_FILE_DOT] = "a Graphviz file",
    [CLI_FILE_SVG] = "an SVG picture",
    [CLI_FILE_TRA] = "a .tra file",
    [CLI_FILE_LAB] = "a .lab file",
    [CLI_FILE_STA] = "a .sta file",
    [CLI_FILE_DRN] = "a .drn file",
    [CLI_FILE_FORMULAS] = "known to be a list of formulas",
};

const char *cli_file_words(cli_file file)
{
    return words[file];
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether the text begins with these tokens, with any blanks between them; they end with NULL. */
static bool begins_with_tokens(const char *text, const char *const *tokens)
{
    for (; *tokens != NULL; tokens++) {
        text += strspn(text, " \t\r\n");
        if (!begins(text, *tokens))
            return false;
        text += strlen(*tokens);
    }
    return true;
}

/* The schema is the first member of all JSON files that are written. */
static bool has_schema(const char *text, const char *name)
{
    const char *const tokens[] = {"{", "\"schema\"", ":", name, NULL};
    return begins_with_tokens(text, tokens);
}

/* Skips blanks and comments of C, C++ and shell style. */
static const char *skip_comments(const char *text)
{
    for (;;) {
        text += strspn(text, " \t\r\n");
        const char *end = NULL;
        if (begins(text, "/*"))
            end = strstr(text + 2, "*/");
        else if (begins(text, "//") || begins(text, "#"))
            end = strchr(text, '\n');
        if (end == NULL)
            return text;
        text = end + (*end == '*' ? 2 : 1);
    }
}

/* A line of two or three whole numbers. */
static bool begins_with_sizes(const char *text)
{
    int count = 0;
    for (; *text != '\n' && *text != '\r' && *text != '\0'; count++) {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0)
            return false;
        text += digits;
        text += strspn(text, " \t");
    }
    return count == 2 || count == 3;
}

/* 0="init" */
static bool is_lab(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && begins(text + digits, "=\"");
}

/* (x,y), and then 0:(…) */
static bool is_sta(const char *text)
{
    const char *line = strchr(text, '\n');
    return *text == '(' && line != NULL && (begins(line, "\n0:(") || line[1] == '\0');
}

/* Lines of JSON, without a schema. */
static bool is_trace(const char *text, const char *third)
{
    const char *const first[] = {"{", "\"episode\"", ":", NULL};
    const char *newline = strchr(text, '\n');
    const char *found = strstr(text, third);
    return begins_with_tokens(text, first) && found != NULL && (newline == NULL || found < newline);
}

/* Results as text; env check begins with a finding. */
static bool is_result(const char *text)
{
    static const char *const first[] = {"Result: ",  "Property: ", "ok       ",
                                        "note     ", "warning  ",  "error    "};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (begins(text, first[i]))
            return true;
    return has_schema(text, "\"omegapac.result/");
}

static bool is_page(const char *text)
{
    return begins(text, "<!DOCTYPE html>") &&
           strstr(text, "<meta name=\"generator\" content=\"omegapac\">") != NULL;
}

static bool is_svg(const char *text)
{
    return begins(text, "<svg") || (begins(text, "<?xml") && strstr(text, "<svg") != NULL);
}

static bool is_dot(const char *code)
{
    return begins(code, "digraph ") || begins(code, "graph ") || begins(code, "strict ");
}

cli_file cli_file_recognise(const char *bytes, size_t length)
{
    const char *code = skip_comments(bytes);
    if (begins(bytes, "omegapac checkpoint "))
        return CLI_FILE_CHECKPOINT; /* the only binary format */
    if (memchr(bytes, '\0', length) != NULL)
        return CLI_FILE_NONE;
    if (has_schema(bytes, "\"omegapac.policy/"))
        return CLI_FILE_POLICY;
    if (has_schema(bytes, "\"omegapac.certificate/"))
        return CLI_FILE_CERTIFICATE;
    if (is_result(bytes))
        return CLI_FILE_RESULT;
    if (is_trace(bytes, "\"known\""))
        return CLI_FILE_TRACE;
    if (begins(bytes, "episode 1\n") || is_trace(bytes, "\"state\""))
        return CLI_FILE_TRACES;
    if (is_page(bytes))
        return CLI_FILE_PAGE;
    if (is_svg(bytes))
        return CLI_FILE_SVG;
    if (begins(code, "HOA:"))
        return CLI_FILE_HOA;
    if (is_dot(code))
        return CLI_FILE_DOT;
    if (begins(code, "@type:"))
        return CLI_FILE_DRN;
    if (is_lab(bytes))
        return CLI_FILE_LAB;
    if (is_sta(bytes))
        return CLI_FILE_STA;
    return begins_with_sizes(code) ? CLI_FILE_TRA : CLI_FILE_NONE;
}

cli_file cli_file_of_policy(const char *path)
{
    size_t length = strlen(path);
    const char *suffix = length > 4 ? path + length - 4 : "";
    if (strcmp(suffix, ".tra") == 0)
        return CLI_FILE_TRA;
    return strcmp(suffix, ".drn") == 0 ? CLI_FILE_DRN : CLI_FILE_POLICY;
}
