/* SPDX-License-Identifier: MIT */
/* Widths are those of a wide sans-serif font (Verdana, DejaVu Sans), by classes of characters. */
#include "drawing/draw_text.h"

#include <math.h>
#include <string.h>

#include <omegapac/text.h>

#include "base/characters.h"

/* The width of an ASCII character, in thousandths of the font size. */
static double width_of_byte(unsigned char byte)
{
    static const char narrow[] = "ijl.,:;'|!I ", thin[] = "frt()[]{}/\\-\"`*", wide[] = "mwMW@%";
    if (strchr(narrow, byte) != NULL)
        return 350;
    if (strchr(thin, byte) != NULL)
        return 460;
    if (strchr(wide, byte) != NULL)
        return 1000;
    if ((byte >= 'A' && byte <= 'Z') || strchr("+<>=_&#~^", byte) != NULL)
        return 800;
    return 640;
}

double drawing_text_width(const char *text)
{
    double width = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at < 0x80)
            width += width_of_byte(*at);
        else if (*at >= 0xE2) /* mostly ideographs and symbols, which are wide */
            width += 1000;
        else if (*at >= 0xC0)
            width += 700;
    }
    return width / 1000 * DRAWING_FONT;
}

/* Compares two numbers and skips them. Without leading zeros, the longer one is larger. */
static int compare_numbers(const char **a, const char **b)
{
    const char *ends[2] = {*a, *b};
    for (int i = 0; i < 2; i++) {
        const char **at = i == 0 ? a : b;
        while (base_is_digit(*ends[i]))
            ends[i]++;
        while (**at == '0' && base_is_digit((*at)[1]))
            ++*at;
    }
    size_t left = (size_t)(ends[0] - *a), right = (size_t)(ends[1] - *b);
    int order = left != right ? (left < right ? -1 : 1) : memcmp(*a, *b, left);
    *a = ends[0];
    *b = ends[1];
    return order;
}

int drawing_text_compare(const char *a, const char *b)
{
    const char *p = a, *q = b;
    while (*p != '\0' && *q != '\0') {
        bool is_negative = p > a && p[-1] == '-';
        int order = (unsigned char)*p - (unsigned char)*q;
        if (base_is_digit(*p) && base_is_digit(*q))
            order = compare_numbers(&p, &q) * (is_negative ? -1 : 1);
        else {
            p++;
            q++;
        }
        if (order != 0)
            return order;
    }
    int order = (unsigned char)*p - (unsigned char)*q;
    return order != 0 ? order : strcmp(a, b); /* "01" is not "1" */
}

const char *drawing_text_copy(base_arena *arena, const char *bytes, size_t length, size_t most)
{
    char *shown = base_arena_alloc(arena, most + 4, 1);
    if (shown != NULL)
        opac_text_show(bytes, length, shown, most + 4);
    return shown;
}

void drawing_text_write(opac_output *out, const char *text)
{
    for (;;) {
        size_t run = strcspn(text, "<>&\"'");
        opac_output_write(out, text, run);
        text += run;
        switch (*text++) {
        case '\0':
            return;
        case '<':
            opac_output_text(out, "&lt;");
            break;
        case '>':
            opac_output_text(out, "&gt;");
            break;
        case '&':
            opac_output_text(out, "&amp;");
            break;
        case '"':
            opac_output_text(out, "&quot;");
            break;
        default:
            opac_output_text(out, "&#39;");
            break;
        }
    }
}

void drawing_number_write(opac_output *out, double value)
{
    long tenths = lround(value * 10);
    if (tenths < 0) {
        opac_output_text(out, "-");
        tenths = -tenths;
    }
    if (tenths % 10 == 0)
        opac_output_print(out, "%ld", tenths / 10);
    else
        opac_output_print(out, "%ld.%ld", tenths / 10, tenths % 10);
}
