/* SPDX-License-Identifier: MIT */
/* What opac_properties are, and the stages that make them. */
#ifndef PRISM_PROPERTIES_H
#define PRISM_PROPERTIES_H

#include <omegapac/property.h>

#include "base/intern.h"
#include "base/text.h"
#include "prism/program.h"
#include "prism/property_items.h"

BASE_VEC(prism_property_vec, opac_property);

struct opac_properties {
    const opac_model *model;   /* borrowed; may be NULL */
    prism_program definitions; /* the file's labels, and the model's scope with its definitions */
    base_intern labels;        /* names of the file's labels; the ids are their numbers */
    base_arena arena;          /* of names and texts */
    prism_property_vec items;  /* each owns its formula */
};

/* While a text is being read. */
typedef struct prism_property_reader {
    opac_properties *properties;
    const char *text; /* as given */
    char *blanked;    /* the same without comments */
    prism_item_vec items;
    base_intern names;  /* of properties */
    base_u32_vec lines; /* a name: where it was first */
    opac_constants *constants;
    model_report report;
    bool is_lenient; /* definitions are wrong, or enough is: names are not looked up */
    prism_place at;  /* of the property at hand: what ltl tells is relative to it */
} prism_property_reader;

/* Reads one property, and adds it unless it has a mistake, which is noted. */
opac_status prism_read_property(prism_property_reader *reader, const prism_item *item,
                                opac_error *error);

/*
 * What a proposition means to the model, which is not NULL, without the file:
 * an expression. It is empty where the model knows the proposition itself, and
 * where it reads no expressions.
 */
opac_status prism_properties_meaning(const opac_properties *properties, const char *proposition,
                                     base_text *meaning, opac_error *error);

/* A label of the file; NULL: there is none. */
const prism_label *prism_properties_label(const opac_properties *properties, const char *name,
                                          size_t length);
/* There is no such label; lists those of model and file. */
opac_status prism_properties_fail_label(const opac_properties *properties, const char *name,
                                        size_t length, uint32_t line, uint32_t column,
                                        opac_error *error);

#endif
