/* SPDX-License-Identifier: MIT */
/* Evaluates propositions: a proposition is a label, or else an expression in the model's language. */
#include "model/propositions.h"

#include <string.h>

#include "base/characters.h"
#include "base/text.h"

enum {
    MOST_LISTED = 240 /* bytes of names in a message */
};

/* ---- unknown labels ---- */

static void list_names(const char *const *names, size_t count, base_text *text)
{
    char shown[OPAC_SHOWN_SIZE];
    size_t begin = text->length;
    for (size_t i = 0; i < count; i++) {
        if (text->length - begin > MOST_LISTED) {
            base_text_format(text, ", and %zu more", count - i);
            return;
        }
        base_text_format(text, "%s\"%s\"", i == 0 ? "" : ", ",
                         opac_text_show(names[i], strlen(names[i]), shown, sizeof shown));
    }
}

static opac_status fail_among(const char *const *names, size_t count, const char *word,
                              size_t length, uint32_t line, uint32_t column, opac_error *error)
{
    base_text text = {0};
    char shown[OPAC_SHOWN_SIZE], copy[OPAC_SHOWN_SIZE];
    const char *nearest = NULL;
    if (length < sizeof copy) {
        memcpy(copy, word, length);
        copy[length] = '\0';
        nearest = opac_text_nearest(copy, names, count);
    }
    base_text_format(&text, "there is no label \"%s\"",
                     opac_text_show(word, length, shown, sizeof shown));
    if (nearest != NULL)
        base_text_format(&text, "; did you mean \"%s\"?",
                         opac_text_show(nearest, strlen(nearest), shown, sizeof shown));
    base_text_add(&text, nearest != NULL ? " The labels are " : "; the labels are ");
    list_names(names, count, &text);
    opac_status status = base_text_check(&text, error);
    if (status == OPAC_OK)
        status = base_fail_at(error, OPAC_ERROR_ARGUMENT, line, column, "%s", base_text_get(&text));
    base_text_fini(&text);
    return status;
}

opac_status model_fail_label(const opac_model *model, const char *const *more, size_t more_count,
                             const char *name, size_t length, uint32_t line, uint32_t column,
                             opac_error *error)
{
    size_t count = model->labels.count;
    const char **names = base_alloc(count + more_count, sizeof *names);
    if (names == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = model->labels.items[i].name;
    for (size_t i = 0; i < more_count; i++)
        names[count + i] = more[i];
    opac_status status = fail_among(names, count + more_count, name, length, line, column, error);
    base_free(names);
    return status;
}

/* ---- propositions ---- */

/* Whether the text is a name rather than an expression, so that it may be a misspelt label. */
static bool is_word(const char *text)
{
    for (; *text != '\0'; text++)
        if (!base_is_name_character(*text) && (unsigned char)*text < 0x80)
            return false;
    return true;
}

opac_status opac_model_evaluate(const opac_model *model, const char *proposition, uint64_t *bits,
                                opac_error *error)
{
    size_t length = strlen(proposition);
    uint32_t label = model_label_find(model, proposition, length);
    base_bitset states = {.words = bits, .size = opac_model_states(model)};
    if (label != UINT32_MAX) {
        base_bitset_copy(&states, &model->labels.items[label].states);
        return OPAC_OK;
    }
    base_bitset_clear(&states);
    if (model->vocabulary.evaluate == NULL)
        return model_fail_label(model, NULL, 0, proposition, length, 1, 1, error);
    opac_status status = model->vocabulary.evaluate(model->vocabulary.context, model, proposition,
                                                    length, &states, error);
    bool is_unknown = status == OPAC_ERROR_SYNTAX && is_word(proposition);
    return is_unknown ? model_fail_label(model, NULL, 0, proposition, length, 1, 1, error) : status;
}

/* ---- letters ---- */

static void add_to_letters(const base_bitset *states, size_t bit, uint64_t *letters)
{
    for (size_t s = base_bitset_next(states, 0); s < states->size;
         s = base_bitset_next(states, s + 1))
        letters[s] |= UINT64_C(1) << bit;
}

opac_status model_fail_proposition(const char *proposition, const char *where, opac_status status,
                                   const opac_error *found, opac_error *error)
{
    char shown[OPAC_SHOWN_SIZE];
    if (status == OPAC_ERROR_MEMORY || status == OPAC_ERROR_INTERNAL)
        return base_fail(error, status, "%s", found->message);
    return base_fail(error, status, "proposition \"%s\"%s: %s",
                     opac_text_show(proposition, strlen(proposition), shown, sizeof shown), where,
                     found->message);
}

opac_status model_make_letters(uint32_t states, const char *const *propositions, size_t count,
                               model_evaluator evaluate, const void *context, uint64_t *letters,
                               opac_error *error)
{
    enum {
        MOST = 64
    };
    base_bitset holds = {0};
    if (count > MOST)
        return base_fail(error, OPAC_ERROR_LIMIT,
                         "the objective has %zu propositions, but the limit is %d", count, MOST);
    opac_status status;
    TRY_OR(done, base_bitset_init(&holds, states, error));
    memset(letters, 0, states * sizeof *letters);
    for (size_t i = 0; i < count; i++) {
        TRY_OR(done, evaluate(context, propositions[i], holds.words, error));
        add_to_letters(&holds, i, letters);
    }
done:
    base_bitset_fini(&holds);
    return status;
}

static opac_status evaluate_in_model(const void *context, const char *proposition, uint64_t *bits,
                                     opac_error *error)
{
    return opac_model_evaluate(context, proposition, bits, error);
}

opac_status opac_model_letters(const opac_model *model, const char *const *propositions,
                               size_t count, uint64_t *letters, opac_error *error)
{
    return model_make_letters(opac_model_states(model), propositions, count, evaluate_in_model,
                              model, letters, error);
}
