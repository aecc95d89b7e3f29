/* SPDX-License-Identifier: MIT */
/*
 * Prints formulas with an explicit stack of parts that are still to be written. Takes time linear in the
 * text, and memory proportional to the depth times the largest number of children of a node.
 */
#include "ltl/print.h"

#include <stdio.h>

#include <omegapac/text.h>

#include "base/map.h"
#include "base/output.h"
#include "base/vec.h"
#include "ltl/print_name.h"

/* The precedence of an operator, and the lowest precedence of its operands without parentheses. */
typedef struct level {
    uint8_t own, left, right;
} level;

enum {
    LEVEL_ATOM = 9 /* higher than all operators of both grammars */
};

static level infix_level(ltl_op op)
{
    switch (op) {
    case LTL_IMPLIES:
    case LTL_IFF:
        return (level){1, 2, 1};
    case LTL_OR:
        return (level){2, 3, 3};
    case LTL_XOR:
        return (level){3, 3, 4};
    case LTL_AND:
        return (level){4, 5, 5};
    case LTL_U:
    case LTL_R:
    case LTL_W:
    case LTL_M:
        return (level){5, 6, 5};
    case LTL_NOT:
    case LTL_X:
    case LTL_F:
    case LTL_G:
        return (level){6, 6, 6};
    default:
        return (level){LEVEL_ATOM, LEVEL_ATOM, LEVEL_ATOM};
    }
}

static level prism_level(ltl_op op)
{
    switch (op) {
    case LTL_U:
    case LTL_R:
    case LTL_W:
    case LTL_M:
        return (level){1, 2, 2};
    case LTL_X:
    case LTL_F:
    case LTL_G:
        return (level){2, 2, 2};
    case LTL_IMPLIES:
        return (level){4, 4, 5};
    case LTL_IFF:
        return (level){5, 5, 6};
    case LTL_OR:
        return (level){6, 7, 7};
    case LTL_AND:
        return (level){7, 8, 8};
    case LTL_NOT:
    case LTL_XOR: /* printed as a negation */
        return (level){8, 8, 8};
    default:
        return (level){LEVEL_ATOM, LEVEL_ATOM, LEVEL_ATOM};
    }
}

typedef struct spelling {
    const char *infix, *prism, *latex;
} spelling;

static const spelling spellings[] = {
    [LTL_FALSE] = {"false", "false", "\\mathrm{false}"},
    [LTL_TRUE] = {"true", "true", "\\mathrm{true}"},
    [LTL_NOT] = {"!", "!", "\\lnot "},
    [LTL_AND] = {" & ", " & ", " \\land "},
    [LTL_OR] = {" | ", " | ", " \\lor "},
    [LTL_IMPLIES] = {" -> ", " => ", " \\rightarrow "},
    [LTL_IFF] = {" <-> ", " <=> ", " \\leftrightarrow "},
    [LTL_XOR] = {" xor ", " <=> ", " \\oplus "},
    [LTL_X] = {"X ", "X ", "\\mathsf{X} "},
    [LTL_F] = {"F ", "F ", "\\mathsf{F} "},
    [LTL_G] = {"G ", "G ", "\\mathsf{G} "},
    [LTL_U] = {" U ", " U ", " \\mathbin{\\mathsf{U}} "},
    [LTL_R] = {" R ", " R ", " \\mathbin{\\mathsf{R}} "},
    [LTL_W] = {" W ", " W ", " \\mathbin{\\mathsf{W}} "},
    [LTL_M] = {" M ", " U ", " \\mathbin{\\mathsf{M}} "},
};

/* A part that is still to be written: a formula or a text. */
typedef struct task {
    const char *text; /* NULL: a formula */
    ltl_formula formula;
    uint8_t least; /* lowest precedence that needs no parentheses */
} task;

BASE_VEC(task_vec, task);

typedef struct printer {
    const ltl_store *store;
    opac_formula_style style;
    bool is_full;
    opac_output *out;
    task_vec tasks;         /* the last one is next */
    base_map forms;         /* proposition ► ltl_name_form */
    uint64_t printed, most; /* numbers of formulas */
    opac_status status;
    opac_error error;
} printer;

static void push(printer *run, task next)
{
    if (run->status == OPAC_OK)
        run->status = task_vec_push(&run->tasks, next, &run->error);
}

static void push_text(printer *run, const char *text)
{
    push(run, (task){.text = text});
}

static void push_formula(printer *run, ltl_formula formula, uint8_t least)
{
    push(run, (task){.formula = formula, .least = least});
}

static const char *spell(const printer *run, ltl_op op)
{
    switch (run->style) {
    case OPAC_FORMULA_PRISM:
        return spellings[op].prism;
    case OPAC_FORMULA_LATEX:
        return spellings[op].latex;
    default:
        return spellings[op].infix;
    }
}

static level level_of(const printer *run, ltl_op op)
{
    return run->style == OPAC_FORMULA_PRISM ? prism_level(op) : infix_level(op);
}

/* Pushes a M b as b U (a & b). */
static void push_strong_release(printer *run, ltl_formula formula)
{
    ltl_formula a = ltl_child(run->store, formula, 0), b = ltl_child(run->store, formula, 1);
    level inner = prism_level(LTL_AND), outer = prism_level(LTL_U);
    push_text(run, ")");
    push_formula(run, b, run->is_full ? LEVEL_ATOM : inner.right);
    push_text(run, spell(run, LTL_AND));
    push_formula(run, a, run->is_full ? LEVEL_ATOM : inner.left);
    push_text(run, "(");
    push_text(run, spell(run, LTL_U));
    push_formula(run, b, run->is_full ? LEVEL_ATOM : outer.left);
}

/* Pushes a xor b as !(a <=> b). */
static void push_xor(printer *run, ltl_formula formula)
{
    level inner = prism_level(LTL_IFF);
    push_text(run, ")");
    push_formula(run, ltl_child(run->store, formula, 1), run->is_full ? LEVEL_ATOM : inner.right);
    push_text(run, spell(run, LTL_IFF));
    push_formula(run, ltl_child(run->store, formula, 0), run->is_full ? LEVEL_ATOM : inner.left);
    push_text(run, "!(");
}

/* Pushes the operands and operators between them, the last one first. */
static void push_operands(printer *run, ltl_formula formula, ltl_op op)
{
    uint32_t arity = ltl_arity(run->store, formula);
    level levels = level_of(run, op);
    if (run->is_full)
        levels.left = levels.right = LEVEL_ATOM;
    for (uint32_t i = arity; i-- > 0;) {
        push_formula(run, ltl_child(run->store, formula, i), i == 0 ? levels.left : levels.right);
        if (i > 0 || arity == 1)
            push_text(run, spell(run, op));
    }
}

/* Choosing a form may run a parser, so it is done once for each proposition. */
static void write_name(printer *run, uint32_t proposition)
{
    const char *name = ltl_ap_name(run->store, proposition);
    ltl_name_form form = LTL_NAME_QUOTES;
    uint64_t *known;
    run->status = base_map_at(&run->forms, proposition, &known, &run->error);
    if (run->status == OPAC_OK && *known == 0) {
        run->status = ltl_name_choose(name, run->style, &form, &run->error);
        *known = form;
    }
    if (run->status == OPAC_OK)
        ltl_name_write(name, (ltl_name_form)*known, run->out);
}

static void write_formula(printer *run, const task *next)
{
    ltl_op op = ltl_op_of(run->store, next->formula);
    bool is_prism = run->style == OPAC_FORMULA_PRISM;
    if (++run->printed > run->most) {
        run->status =
            base_fail(&run->error, OPAC_ERROR_LIMIT,
                      "the formula has more than %d operators and propositions, too many to print",
                      LTL_PRINT_LIMIT);
        return;
    }
    if (op == LTL_AP) {
        write_name(run, ltl_ap_of(run->store, next->formula));
        return;
    }
    bool needs_parentheses = level_of(run, op).own < next->least;
    if (needs_parentheses) {
        opac_output_text(run->out, "(");
        push_text(run, ")");
    }
    if (op <= LTL_TRUE)
        opac_output_text(run->out, spell(run, op));
    else if (op == LTL_M && is_prism)
        push_strong_release(run, next->formula);
    else if (op == LTL_XOR && is_prism)
        push_xor(run, next->formula);
    else
        push_operands(run, next->formula, op);
}

/* Prints at most `most` operators and names. If there are more, sets *is_cut or, if it is NULL, fails. */
static void print(const ltl_store *store, ltl_formula formula, opac_formula_style style,
                  bool is_full, uint64_t most, bool *is_cut, opac_output *out)
{
    printer run = {.store = store, .style = style, .is_full = is_full, .out = out, .most = most};
    push_formula(&run, formula, 0);
    while (run.status == OPAC_OK && run.tasks.count > 0) {
        task next = run.tasks.items[--run.tasks.count];
        if (next.text != NULL)
            opac_output_text(out, next.text);
        else
            write_formula(&run, &next);
    }
    task_vec_fini(&run.tasks);
    base_map_fini(&run.forms);
    if (is_cut != NULL)
        *is_cut = run.status == OPAC_ERROR_LIMIT;
    else if (run.status != OPAC_OK)
        base_output_fail(out, run.status, run.error.message);
}

void ltl_print(const ltl_store *store, ltl_formula formula, opac_formula_style style,
               opac_output *out)
{
    print(store, formula, style, false, LTL_PRINT_LIMIT, NULL, out);
}

void ltl_print_full(const ltl_store *store, ltl_formula formula, opac_formula_style style,
                    opac_output *out)
{
    print(store, formula, style, true, LTL_PRINT_LIMIT, NULL, out);
}

const char *ltl_print_short(const ltl_store *store, ltl_formula formula, char *text, size_t size)
{
    enum {
        MOST_SHOWN = 40 /* operators and names */
    };
    opac_output *out;
    size_t length = 0;
    bool is_cut = false;
    snprintf(text, size, "...");
    if (opac_output_open_memory(&out, NULL) != OPAC_OK)
        return text;
    print(store, formula, OPAC_FORMULA_INFIX, false, MOST_SHOWN, &is_cut, out);
    if (is_cut)
        opac_output_text(out, "...");
    const char *bytes = opac_output_bytes(out, &length);
    if (bytes != NULL)
        opac_text_show(bytes, length, text, size);
    opac_output_free(out);
    return text;
}
