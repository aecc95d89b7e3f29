/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the parser of property files, with a small model and without one. Every accepted property can be
 * printed, and each of its propositions can be evaluated.
 */
#include <omegapac/property.h>
#include <omegapac/text.h>

#include "target.h"

static const char model_text[] = "mdp const int N=3; const double p=0.5; formula low = x<2;\n"
                                 "module m x:[0..N]; b:bool;\n"
                                 "[a] x<N -> p:(x'=x+1) + 1-p:(b'=!b); [c] x=N -> (x'=0);\n"
                                 "endmodule label \"top\" = x=N; label \"b\" = x=1;\n";

static void hear(void *context, const opac_message *message)
{
    size_t *errors = context;
    *errors += message->code != OPAC_OK;
    fuzz_require((message->line > 0) == (message->column > 0));
    fuzz_require_message(message->text);
}

/* Evaluates each proposition. This may fail in some state (1 mod 0). */
static void check_property(const opac_properties *properties, size_t index, const opac_model *model)
{
    const opac_property *property = opac_properties_get(properties, index);
    opac_error error = {0};
    opac_output *out;
    uint64_t bits[1];
    fuzz_require(property->line > 0 && property->bound >= 0 && property->bound <= 1);
    fuzz_require(opac_output_open_memory(&out, &error) == OPAC_OK);
    opac_formula_write(property->formula, OPAC_FORMULA_PRISM, out);
    opac_output_free(out);
    for (size_t i = 0; model != NULL && i < opac_formula_proposition_count(property->formula);
         i++) {
        const char *name = opac_formula_proposition(property->formula, i);
        opac_status status = opac_properties_evaluate(properties, name, bits, &error);
        fuzz_require(status == OPAC_OK || status == OPAC_ERROR_ARGUMENT ||
                     status == OPAC_ERROR_LIMIT);
        fuzz_require(opac_model_states(model) < 64 && bits[0] >> opac_model_states(model) == 0);
    }
}

static void check(const char *text, const opac_model *model, opac_constants *constants)
{
    size_t errors = 0;
    opac_property_options options = {
        .constants = constants, .listener = hear, .listener_context = &errors};
    opac_properties *properties;
    opac_error error = {0};
    opac_status status = opac_properties_parse(text, model, &options, &properties, &error);
    if (status != OPAC_OK) {
        fuzz_require(status == error.code && properties == NULL);
        fuzz_require(status != OPAC_ERROR_MEMORY && status != OPAC_ERROR_INTERNAL);
        fuzz_require(errors > 0 || error.line == 0);
        fuzz_require_message(error.message);
        return;
    }
    fuzz_require(errors == 0 && opac_properties_count(properties) > 0);
    for (size_t i = 0; i < opac_properties_count(properties); i++)
        check_property(properties, i, model);
    opac_properties_free(properties);
}

/* Explored once and used for all inputs. */
static const opac_model *small_model(void)
{
    static opac_model *model;
    opac_error error = {0};
    if (model == NULL)
        fuzz_require(opac_model_read_text(OPAC_FORMAT_PRISM, model_text, sizeof model_text - 1,
                                          NULL, &model, &error) == OPAC_OK);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    opac_constants *constants;
    opac_error error = {0};
    fuzz_require(opac_constants_new(&constants, &error) == OPAC_OK);
    fuzz_require(opac_constants_add(constants, "k=2,q=1/3,yes=true", &error) == OPAC_OK);
    check(text, small_model(), constants);
    check(text, NULL, constants);
    opac_constants_free(constants);
    free(text);
    return 0;
}
