/* SPDX-License-Identifier: MIT */
/* Public functions that translate formulas to automata and convert automata. */
#include <string.h>

#include <omegapac/text.h>

#include "aut/convert.h"
#include "aut/translate.h"
#include "base/alloc.h"
#include "base/output.h"
#include "ltl/copy.h"
#include "ltl/ltl_public.h"
#include "ltl/simplify.h"

/* ---- names of kinds ---- */

static const char *const kind_names[] = {"deterministic", "ldba", "any"};
static const char *const acceptance_names[] = {"any", "buchi", "rabin", "parity"};

static const char *name_of(const char *const *names, size_t count, unsigned index)
{
    return index < count ? names[index] : "unknown";
}

static opac_status find_name(const char *const *names, size_t count, const char *text,
                             const char *what, unsigned *index, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    for (*index = 0; *index < count; (*index)++)
        if (strcmp(names[*index], text) == 0)
            return OPAC_OK;
    return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown %s '%s'", what,
                     opac_text_show(text, strlen(text), shown, sizeof shown));
}

const char *opac_automaton_kind_name(opac_automaton_kind kind)
{
    return name_of(kind_names, sizeof kind_names / sizeof *kind_names, (unsigned)kind);
}

const char *opac_acceptance_name(opac_acceptance acceptance)
{
    return name_of(acceptance_names, sizeof acceptance_names / sizeof *acceptance_names,
                   (unsigned)acceptance);
}

opac_status opac_automaton_kind_parse(const char *text, opac_automaton_kind *kind,
                                      opac_error *error)
{
    unsigned index;
    TRY(find_name(kind_names, sizeof kind_names / sizeof *kind_names, text, "kind of automaton",
                  &index, error));
    *kind = (opac_automaton_kind)index;
    return OPAC_OK;
}

opac_status opac_acceptance_parse(const char *text, opac_acceptance *acceptance, opac_error *error)
{
    unsigned index;
    TRY(find_name(acceptance_names, sizeof acceptance_names / sizeof *acceptance_names, text,
                  "acceptance", &index, error));
    *acceptance = (opac_acceptance)index;
    return OPAC_OK;
}

/* ---- making automata ---- */

static const opac_automaton_options default_options, as_given = {.kind = OPAC_KIND_ANY};

static opac_status check_options(const opac_automaton_options *options, opac_error *error)
{
    if ((unsigned)options->kind > OPAC_KIND_ANY ||
        (unsigned)options->acceptance > OPAC_ACCEPTANCE_PARITY)
        return base_fail(error, OPAC_ERROR_ARGUMENT, "unknown kind of automaton or acceptance");
    return OPAC_OK;
}

/* The limit on work. The default grows with the size of the automaton, so that large automata can be
 * converted. */
static uint64_t convert_limit(const opac_automaton *given, const opac_automaton_options *options)
{
    const uint64_t units_an_edge = 1024;
    return options->work_limit != 0 ? options->work_limit
                                    : ltl_work_limit(0) + units_an_edge * aut_edge_count(given);
}

opac_status opac_automaton_convert(const opac_automaton *given,
                                   const opac_automaton_options *options,
                                   opac_automaton **automaton, opac_error *error)
{
    opac_automaton *own = NULL, *made = NULL;
    base_work work;
    options = options != NULL ? options : &as_given;
    TRY(check_options(options, error));
    base_work_init(&work, options->cancel, convert_limit(given, options));
    /* The conversion creates labels, so it works on a copy: other automata may share the given label
     * store. */
    opac_status status;
    TRY_OR(done, aut_copy_counted(given, &work, &own, error));
    TRY_OR(done, aut_convert(own, options, &made, error));
    status = aut_detach(made, automaton, error);
done:
    if (status != OPAC_OK && base_work_is_stopped(&work))
        status = base_work_fail(&work, "converting the automaton", error);
    opac_automaton_free(made);
    opac_automaton_free(own);
    return status;
}

/* Sets the automaton's name to the formula. */
static opac_status name_after(const opac_formula *formula, opac_automaton *automaton,
                              opac_error *error)
{
    opac_output *out;
    size_t length;
    TRY(opac_output_open_memory(&out, error));
    opac_formula_write(formula, OPAC_FORMULA_INFIX, out);
    const char *text = opac_output_bytes(out, &length);
    char *name = text != NULL ? base_copy_text(text, length) : NULL;
    opac_output_free(out);
    if (name == NULL)
        return base_fail_memory(error);
    base_free(automaton->name);
    automaton->name = name;
    return OPAC_OK;
}

opac_automaton_options opac_automaton_defaults(void)
{
    return (opac_automaton_options){.state_limit = AUT_STATE_LIMIT};
}

opac_status opac_automaton_translate(const opac_formula *formula,
                                     const opac_automaton_options *options,
                                     opac_automaton **automaton, opac_error *error)
{
    ltl_store *store;
    ltl_formula root;
    opac_automaton *made = NULL;
    options = options != NULL ? options : &default_options;
    TRY(check_options(options, error));
    if (opac_formula_proposition_count(formula) > AUT_MOST_PROPOSITIONS)
        return base_fail(error, OPAC_ERROR_LIMIT, "the formula has more than %d propositions",
                         AUT_MOST_PROPOSITIONS);
    TRY(ltl_store_new(&store, error));
    opac_status status;
    TRY_OR(done, ltl_copy(formula->store, formula->root, store, &root, error));
    TRY_OR(done, aut_translate(store, root, options, &made, error));
    status = name_after(formula, made, error);
done:
    if (status == OPAC_OK)
        *automaton = made;
    else
        opac_automaton_free(made);
    ltl_store_free(store);
    return status;
}

/* ---- acceptance conditions as text ---- */

void opac_automaton_write_acceptance(const opac_automaton *automaton, opac_output *out)
{
    aut_condition_write(&automaton->condition, out);
}

void opac_automaton_write_acceptance_name(const opac_automaton *automaton, opac_output *out)
{
    aut_condition_class found = {.name = AUT_NAME_EMERSON_LEI};
    opac_error error;
    if (aut_condition_classify(&automaton->condition, automaton->mark_count, &found, &error) !=
        OPAC_OK)
        base_output_fail(out, error.code, error.message);
    if (found.name == AUT_NAME_EMERSON_LEI)
        opac_output_text(out, "Emerson-Lei");
    else
        aut_condition_class_write(&found, out);
    aut_condition_class_fini(&found);
}
