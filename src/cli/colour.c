/* SPDX-License-Identifier: MIT */
/* Colours results. A text is a result if it begins with "Result: " or "Property: ", or with "runs" for the
 * summary of several runs. */
#include "cli/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omegapac/result.h>

static const char *const style_codes[] = {
    [CLI_PLAIN] = "\033[0m",   [CLI_STRONG] = "\033[1m", [CLI_KEY] = "\033[36m",
    [CLI_GOOD] = "\033[1;32m", [CLI_BAD] = "\033[1;31m", [CLI_REMARK] = "\033[1;33m",
};

static bool is_disabled;

void cli_disable_colour(void)
{
    is_disabled = true;
}

bool cli_has_colour(FILE *stream)
{
    const char *refusal = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !is_disabled && (refusal == NULL || *refusal == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0 && isatty(fileno(stream)) == 1;
}

const char *cli_style_code(FILE *stream, cli_style style)
{
    return cli_has_colour(stream) ? style_codes[style] : "";
}

/* ---- results ---- */

static bool begins(const char *line, size_t length, const char *with)
{
    size_t wanted = strlen(with);
    return length >= wanted && memcmp(line, with, wanted) == 0;
}

static bool has(const char *line, size_t length, const char *words)
{
    for (size_t i = 0; i < length; i++)
        if (begins(line + i, length - i, words))
            return true;
    return false;
}

/* Whether a line reports a failure. */
static bool is_refusal(const char *line, size_t length)
{
    static const char *const refusals[] = {"no guarantee", "Result: refused", "Result: false",
                                           "Result: does not conform"};
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (has(line, length, refusals[i]))
            return true;
    return false;
}

static void write_in(opac_output *out, cli_style style, const char *text, size_t length)
{
    opac_output_text(out, style_codes[style]);
    opac_output_write(out, text, length);
    opac_output_text(out, style_codes[CLI_PLAIN]);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "automaton          2 states, Rabin 1" */
static bool has_key(const char *line, size_t length)
{
    return length > OPAC_KEY_WIDTH && is_letter(line[0]) && line[OPAC_KEY_WIDTH - 1] == ' ' &&
           line[OPAC_KEY_WIDTH] != ' ';
}

static void write_line(const char *line, size_t length, opac_output *out)
{
    if (begins(line, length, "Result: ") || begins(line, length, "Property: "))
        write_in(out, is_refusal(line, length) ? CLI_BAD : CLI_STRONG, line, length);
    else if (has_key(line, length)) {
        write_in(out, CLI_KEY, line, OPAC_KEY_WIDTH);
        opac_output_write(out, line + OPAC_KEY_WIDTH, length - OPAC_KEY_WIDTH);
    } else
        opac_output_write(out, line, length);
}

void cli_colour_result(const char *text, size_t length, opac_output *out)
{
    const char *at = text, *end = text + length;
    while (at < end && *at == '\n')
        at++;
    size_t rest = (size_t)(end - at);
    bool is_result = begins(at, rest, "Result: ") || begins(at, rest, "Property: ") ||
                     begins(at, rest, "runs  ");
    if (!is_result) {
        opac_output_write(out, text, length);
        return;
    }
    for (at = text; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        write_line(at, (size_t)((stop != NULL ? stop : end) - at), out);
        if (stop == NULL)
            return;
        opac_output_text(out, "\n");
        at = stop + 1;
    }
}
