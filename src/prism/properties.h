/* SPDX-License-Identifier: MIT */
/* The representation of opac_properties, and the stages of reading a property file. */
#ifndef PRISM_PROPERTIES_H
#define PRISM_PROPERTIES_H

#include <omegapac/property.h>

#include "base/intern.h"
#include "base/text.h"
#include "prism/program.h"
#include "prism/property_items.h"

BASE_VEC(prism_property_vec, opac_property);

struct opac_properties {
    const opac_model *model; /* borrowed; may be NULL */
    /* Labels of the file, and the scope of the model with its definitions. */
    prism_program definitions;
    /* Names of the labels of the file; an id is an index of definitions.labels. */
    base_intern labels;
    base_arena arena;         /* of names and texts */
    prism_property_vec items; /* each owns its formula */
};

/* State while a text is being read. */
typedef struct prism_property_reader {
    opac_properties *properties;
    const char *text; /* as given by the caller */
    char *blanked;    /* the same without comments */
    prism_item_vec items;
    base_intern names;  /* of properties */
    base_u32_vec lines; /* for each name: the line of its first occurrence */
    opac_constants *constants;
    model_report report;
    /* Do not resolve names: definitions have errors, or no more errors are shown. */
    bool skips_names;
    prism_place place; /* of the current property; ltl reports places relative to it */
} prism_property_reader;

/* Reads a property and adds it. An error in it is reported. */
opac_status prism_read_property(prism_property_reader *reader, const prism_item *item,
                                opac_error *error);

/*
 * Expands a proposition to an equivalent expression that does not use definitions of the property file. The
 * properties must have a model. The text is empty if the model itself knows the proposition, or if it does
 * not support expressions.
 */
opac_status prism_properties_expand(const opac_properties *properties, const char *proposition,
                                    base_text *expanded, opac_error *error);

/* The label of the file with this name; NULL if there is none. */
const prism_label *prism_properties_label(const opac_properties *properties, const char *name,
                                          size_t length);
/* Fails because there is no such label; the message lists the labels of the model and of the file. */
opac_status prism_properties_fail_label(const opac_properties *properties, const char *name,
                                        size_t length, uint32_t line, uint32_t column,
                                        opac_error *error);

#endif
