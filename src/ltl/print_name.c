/* SPDX-License-Identifier: MIT */
/*
 * Names of propositions are printed bare if the grammar reads them as names, otherwise in quotes. For PRISM
 * the parser itself decides this, so that parser and printer agree.
 */
#include "ltl/print_name.h"

#include <string.h>

#include "base/characters.h"
#include "base/text.h"
#include "ltl/formula.h"
#include "ltl/parse_infix.h"
#include "ltl/parse_prism.h"

static bool is_word(const char *name)
{
    for (const char *at = name; *at != '\0'; at++)
        if (!base_is_name_character(*at))
            return false;
    return base_is_name_start(name[0]);
}

static void write_quoted(const char *name, opac_output *out)
{
    opac_output_text(out, "\"");
    for (const char *at = name; *at != '\0';) {
        size_t plain = strcspn(at, "\"\\");
        opac_output_write(out, at, plain);
        at += plain;
        if (*at != '\0') {
            opac_output_text(out, "\\");
            opac_output_write(out, at++, 1);
        }
    }
    opac_output_text(out, "\"");
}

/* Spot's rule: a name does not begin with an operator letter unless a digit follows, and is not reserved. */
static bool is_infix_name(const char *name)
{
    static const char *const reserved[] = {"tt", "ff", "xor", "U", "W", "R", "M", "V"};
    bool has_prefix = name[0] == 'F' || name[0] == 'G' || name[0] == 'X';
    if (!is_word(name) || (has_prefix && !base_is_digit(name[1])))
        return false;
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(name, reserved[i]) == 0)
            return false;
    /* True, FALSE and the like. */
    for (int i = 0; i < 2; i++) {
        const char *constant = i == 0 ? "true" : "false";
        size_t at = 0;
        while (constant[at] != '\0' && (name[at] | 0x20) == constant[at])
            at++;
        if (constant[at] == '\0' && name[at] == '\0')
            return false;
    }
    return true;
}

/* Whether PRISM's parser reads the text as the proposition, or its negation, with this name. */
static opac_status reads_as(const base_text *text, const char *name, ltl_op op, bool *same,
                            opac_error *error)
{
    ltl_store *store;
    ltl_formula formula;
    *same = false;
    TRY(base_text_check(text, error));
    TRY(ltl_store_new(&store, error));
    opac_status status = ltl_read_prism(store, base_text_get(text), text->length, NULL,
                                        LTL_WORDS_WHOLE, &formula, error);
    if (status == OPAC_OK && op == LTL_NOT && ltl_op_of(store, formula) == LTL_NOT)
        formula = ltl_child(store, formula, 0);
    else if (op == LTL_NOT)
        formula = LTL_FALSE;
    if (status == OPAC_OK && ltl_op_of(store, formula) == LTL_AP)
        *same = strcmp(ltl_ap_name(store, ltl_ap_of(store, formula)), name) == 0;
    ltl_store_free(store);
    return status == OPAC_ERROR_MEMORY ? status : OPAC_OK;
}

/*
 * A word could be a label or a variable; it is printed as a label, in quotes. An expression that is the
 * operand of ! as a whole needs no parentheses anywhere.
 */
static opac_status choose_prism(const char *name, ltl_name_form *form, opac_error *error)
{
    base_text text = {0};
    bool is_bare = false, is_expression = false;
    opac_status status = OPAC_OK;
    if (!is_word(name) && strchr(name, '"') == NULL) {
        base_text_format(&text, "!%s", name);
        status = reads_as(&text, name, LTL_NOT, &is_bare, error);
        if (status == OPAC_OK && !is_bare) {
            base_text_clear(&text);
            base_text_format(&text, "(%s)", name);
            status = reads_as(&text, name, LTL_AP, &is_expression, error);
        }
    }
    *form = LTL_NAME_QUOTES;
    if (is_bare || is_expression)
        *form = is_bare ? LTL_NAME_BARE : LTL_NAME_PARENTHESES;
    base_text_fini(&text);
    return status;
}

static void write_latex(const char *name, opac_output *out)
{
    opac_output_text(out, "\\mathit{");
    for (const char *at = name; *at != '\0'; at++) {
        if (strchr("#$%&_{}", *at) != NULL)
            opac_output_print(out, "\\%c", *at);
        else if (*at == '\\')
            opac_output_text(out, "{\\backslash}");
        else if (*at == '^')
            opac_output_text(out, "{\\wedge}");
        else if (*at == '~')
            opac_output_text(out, "{\\sim}");
        else if ((unsigned char)*at <= ' ' || *at == 0x7F)
            opac_output_text(out, "\\ ");
        else
            opac_output_write(out, at, 1);
    }
    opac_output_text(out, "}");
}

opac_status ltl_name_choose(const char *name, opac_formula_style style, ltl_name_form *form,
                            opac_error *error)
{
    if (style == OPAC_FORMULA_PRISM)
        return choose_prism(name, form, error);
    *form = is_infix_name(name) ? LTL_NAME_BARE : LTL_NAME_QUOTES;
    if (style == OPAC_FORMULA_LATEX)
        *form = LTL_NAME_LATEX;
    return OPAC_OK;
}

void ltl_name_write(const char *name, ltl_name_form form, opac_output *out)
{
    switch (form) {
    case LTL_NAME_BARE:
        opac_output_text(out, name);
        break;
    case LTL_NAME_PARENTHESES:
        opac_output_text(out, "(");
        opac_output_text(out, name);
        opac_output_text(out, ")");
        break;
    case LTL_NAME_QUOTES:
        write_quoted(name, out);
        break;
    case LTL_NAME_LATEX:
        write_latex(name, out);
        break;
    }
}
