/* SPDX-License-Identifier: MIT */
/* Values of variables from the comments of a DRN file; see drn_values.h. */
#include "model/drn_values.h"

#include <string.h>

#include "base/alloc.h"
#include "base/scan.h"
#include "model/line_scanner.h"

#define MOST_WIDTH UINT64_C(0xFFFFFFFF) /* largest high - low of a range, as in model_values.h */

enum {
    CHUNK_VALUES = 1 << 18, /* values in a chunk, but */
    CHUNK_STATES = 16       /* at least this many states */
};

void drn_values_init(drn_values *values)
{
    *values = (drn_values){0};
    base_intern_init(&values->names);
}

static void release_chunk(drn_chunk *chunk)
{
    model_layout_fini(&chunk->layout);
    base_free(chunk->rows);
    *chunk = (drn_chunk){0};
}

void drn_values_fini(drn_values *values)
{
    for (size_t i = 0; i < values->chunks.count; i++)
        release_chunk(&values->chunks.items[i]);
    drn_chunk_vec_fini(&values->chunks);
    for (size_t i = 0; i < values->variables.count; i++)
        base_free(values->variables.items[i].name);
    drn_variable_vec_fini(&values->variables);
    base_intern_fini(&values->names);
    base_free(values->pending);
    *values = (drn_values){.ended = values->ended};
}

static void end(drn_values *values)
{
    drn_values_fini(values);
    values->ended = true;
}

/* ---- chunks ---- */

static opac_status chunk_init(drn_chunk *chunk, const drn_values *values, opac_error *error)
{
    chunk->states = values->pending_states;
    for (size_t v = 0; v < values->variables.count; v++) {
        const drn_variable *variable = &values->variables.items[v];
        TRY(model_layout_add(&chunk->layout, "", OPAC_VALUE_INT, variable->least_here,
                             variable->most_here, error));
    }
    if (chunk->layout.words > 0) {
        chunk->rows =
            base_alloc_zeroed((size_t)chunk->states * chunk->layout.words, sizeof *chunk->rows);
        if (chunk->rows == NULL)
            return base_fail_memory(error);
    }
    return OPAC_OK;
}

/* The row of a state; NULL if no variable needs a bit. */
static uint64_t *row_of(uint64_t *rows, uint32_t words, size_t state)
{
    return words == 0 ? NULL : rows + state * words;
}

/* Packs the pending states into a new chunk. */
static opac_status flush(drn_values *values, opac_error *error)
{
    drn_chunk chunk = {0};
    if (values->pending_states == 0)
        return OPAC_OK;
    opac_status status;
    TRY_OR(done, chunk_init(&chunk, values, error));
    TRY_OR(done, drn_chunk_vec_push(&values->chunks, chunk, error));
    const int64_t *value = values->pending;
    for (uint32_t s = 0; s < chunk.states; s++) {
        uint64_t *row = row_of(chunk.rows, chunk.layout.words, s);
        for (uint32_t v = 0; v < chunk.layout.count; v++)
            model_value_set(&chunk.layout.variables[v], row, *value++);
    }
    for (size_t v = 0; v < values->variables.count; v++) {
        values->variables.items[v].least_here = INT64_MAX;
        values->variables.items[v].most_here = INT64_MIN;
    }
    values->pending_states = 0;
    return OPAC_OK;
done:
    release_chunk(&chunk);
    return status;
}

/* Makes space for the values of one more state. */
static opac_status reserve_state(drn_values *values, opac_error *error)
{
    if (values->pending == NULL) {
        size_t states = CHUNK_VALUES / values->variables.count;
        values->most_pending = states < CHUNK_STATES ? CHUNK_STATES : (uint32_t)states;
        values->pending =
            base_alloc(values->most_pending, values->variables.count * sizeof *values->pending);
        if (values->pending == NULL)
            return base_fail_memory(error);
    }
    return values->pending_states < values->most_pending ? OPAC_OK : flush(values, error);
}

/* Copies the states of a chunk to rows with the layout of the model. */
static void repack(const drn_chunk *chunk, const model_layout *layout, uint64_t *rows)
{
    for (uint32_t s = 0; s < chunk->states; s++) {
        const uint64_t *from = row_of(chunk->rows, chunk->layout.words, s);
        uint64_t *to = row_of(rows, layout->words, s);
        for (uint32_t v = 0; v < layout->count; v++)
            model_value_set(&layout->variables[v], to,
                            model_value_get(&chunk->layout.variables[v], from));
    }
}

static opac_status move_rows(drn_values *values, opac_model *model, opac_error *error)
{
    const model_layout *layout = &model->layout;
    size_t state = 0;
    if (layout->words == 0)
        return OPAC_OK;
    model->rows = base_alloc_zeroed((size_t)values->states * layout->words, sizeof *model->rows);
    if (model->rows == NULL)
        return base_fail_memory(error);
    for (size_t i = 0; i < values->chunks.count; i++) {
        drn_chunk *chunk = &values->chunks.items[i];
        repack(chunk, layout, model->rows + state * layout->words);
        state += chunk->states;
        release_chunk(chunk);
    }
    return OPAC_OK;
}

opac_status drn_values_move(drn_values *values, opac_model *model, opac_error *error)
{
    if (values->ended || values->states == 0 || values->states != model->process.state_count)
        return OPAC_OK;
    opac_status status;
    TRY_OR(done, flush(values, error));
    for (size_t v = 0; v < values->variables.count; v++) {
        const drn_variable *variable = &values->variables.items[v];
        TRY_OR(done, model_layout_add(&model->layout, variable->name, variable->type,
                                      variable->least, variable->most, error));
    }
    status = move_rows(values, model, error);
done:
    drn_values_fini(values);
    return status;
}

/* ---- variables ---- */

/* Whether the character cannot be part of a name. */
static bool ends_name(char c)
{
    return (unsigned char)c <= ' ' || c == '=' || c == '&' || c == '!' || c == ']';
}

static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (ends_name(name[i]))
            return false;
    return length > 0;
}

/* Adds a variable. If one with this name exists, clears *is_new and adds nothing. */
static opac_status add_variable(drn_values *values, const char *name, size_t length,
                                opac_value_type type, int64_t least, int64_t most, bool *is_new,
                                opac_error *error)
{
    uint32_t id;
    TRY(base_intern_add(&values->names, name, length, &id, is_new, error));
    if (!*is_new)
        return OPAC_OK;
    drn_variable variable = {.name = base_copy_text(name, length),
                             .length = length,
                             .type = type,
                             .least = type == OPAC_VALUE_BOOL ? 0 : least,
                             .most = type == OPAC_VALUE_BOOL ? 1 : most,
                             .least_here = INT64_MAX,
                             .most_here = INT64_MIN};
    if (variable.name == NULL)
        return base_fail_memory(error);
    opac_status status = drn_variable_vec_push(&values->variables, variable, error);
    if (status != OPAC_OK)
        base_free(variable.name);
    return status;
}

opac_status drn_values_declare(drn_values *values, const char *name, size_t length,
                               opac_value_type type, int64_t low, int64_t high, opac_error *error)
{
    bool fits =
        is_name(name, length) && low <= high && (uint64_t)high - (uint64_t)low <= MOST_WIDTH;
    if (values->ended)
        return OPAC_OK;
    if (fits)
        TRY(add_variable(values, name, length, type, low, high, &fits, error));
    if (fits)
        values->declared = true;
    else
        end(values);
    return OPAC_OK;
}

/* ---- comments ---- */

/* An item such as "x=3", "done" or "!done". */
typedef struct assignment {
    const char *name;
    size_t length;
    opac_value_type type;
    int64_t value;
} assignment;

static bool read_assignment(base_scan *in, assignment *item)
{
    bool negated = base_scan_take(in, '!');
    item->name = in->at;
    while (in->at < in->end && !ends_name(*in->at))
        in->at++;
    item->length = (size_t)(in->at - item->name);
    item->type = OPAC_VALUE_BOOL;
    item->value = !negated;
    if (item->length == 0)
        return false;
    if (!base_scan_take(in, '='))
        return true;
    item->type = OPAC_VALUE_INT;
    return !negated && model_parse_integer(&in->at, in->end, &item->value);
}

/* Sets the value of the next variable, which is added in the first state. *fits: it is the expected one. */
static opac_status assign(drn_values *values, size_t index, const assignment *item, bool *fits,
                          opac_error *error)
{
    drn_variable_vec *variables = &values->variables;
    *fits = true;
    if (!values->declared && values->states == 0)
        TRY(add_variable(values, item->name, item->length, item->type, INT64_MAX, INT64_MIN, fits,
                         error));
    if (!*fits)
        return OPAC_OK;
    *fits = index < variables->count && variables->items[index].type == item->type &&
            variables->items[index].length == item->length &&
            memcmp(variables->items[index].name, item->name, item->length) == 0;
    if (*fits)
        variables->items[index].value = item->value;
    return OPAC_OK;
}

static opac_status read_assignments(drn_values *values, base_scan *in, bool *fits,
                                    opac_error *error)
{
    size_t count = 0;
    *fits = base_scan_take(in, '[');
    while (*fits) {
        assignment item;
        base_scan_blanks(in);
        *fits = read_assignment(in, &item);
        if (*fits)
            TRY(assign(values, count++, &item, fits, error));
        base_scan_blanks(in);
        if (!base_scan_take(in, '&'))
            break;
    }
    *fits = *fits && base_scan_take(in, ']') && count == values->variables.count;
    base_scan_blanks(in);
    *fits = *fits && in->at == in->end;
    return OPAC_OK;
}

/* Adds the current values as those of the next state. If a range becomes too large, ignores all values. */
static opac_status add_state(drn_values *values, opac_error *error)
{
    TRY(reserve_state(values, error));
    size_t count = values->variables.count;
    int64_t *to = values->pending + (size_t)values->pending_states * count;
    for (size_t v = 0; v < count; v++) {
        drn_variable *variable = &values->variables.items[v];
        int64_t value = variable->value;
        variable->least = value < variable->least ? value : variable->least;
        variable->most = value > variable->most ? value : variable->most;
        variable->least_here = value < variable->least_here ? value : variable->least_here;
        variable->most_here = value > variable->most_here ? value : variable->most_here;
        if ((uint64_t)variable->most - (uint64_t)variable->least > MOST_WIDTH) {
            end(values);
            return OPAC_OK;
        }
        to[v] = value;
    }
    values->pending_states++;
    values->states++;
    return OPAC_OK;
}

opac_status drn_values_read(drn_values *values, uint32_t state, const char *text, size_t length,
                            opac_error *error)
{
    base_scan in = {.at = text, .end = text + length};
    bool fits = false;
    if (values->ended)
        return OPAC_OK;
    if (state == values->states)
        TRY(read_assignments(values, &in, &fits, error));
    if (fits)
        TRY(add_state(values, error));
    else
        end(values);
    return OPAC_OK;
}
