/* SPDX-License-Identifier: MIT */
/* The commands behind the choices of a model: see model_commands.h. */
#include "model/model_commands.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "graph/process.h"

enum {
    MOST_OWN_NAME = 24 /* bytes of "#" and the number of a choice */
};

opac_status model_commands_new(model_commands **commands, opac_error *error)
{
    model_commands *made = base_alloc_zeroed(1, sizeof *made);
    *commands = made;
    if (made == NULL)
        return base_fail_memory(error);
    base_intern_init(&made->names);
    opac_status status = base_u32_vec_push(&made->first, 0, error);
    if (status == OPAC_OK)
        return OPAC_OK;
    model_commands_free(made);
    *commands = NULL;
    return status;
}

void model_commands_free(model_commands *c)
{
    if (c == NULL)
        return;
    base_intern_fini(&c->names);
    base_u32_vec_fini(&c->first);
    base_double_vec_fini(&c->prob);
    base_u32_vec_fini(&c->class_of);
    base_u32_vec_fini(&c->first_target);
    base_u32_vec_fini(&c->targets);
    base_free(c);
}

static opac_status add_class(model_commands *c, const double *prob, size_t count, opac_error *error)
{
    TRY(base_double_vec_reserve(&c->prob, c->prob.count + count, error));
    memcpy(c->prob.items + c->prob.count, prob, count * sizeof *prob);
    c->prob.count += count;
    return base_u32_vec_push(&c->first, (uint32_t)c->prob.count, error);
}

static bool has_probabilities(const model_commands *c, uint32_t class, const double *prob,
                              size_t count)
{
    return model_commands_width(c, class) == count &&
           memcmp(c->prob.items + c->first.items[class], prob, count * sizeof *prob) == 0;
}

/* The class with this name and these probabilities, or else a class of the choice alone. */
static opac_status find_class(model_commands *c, const char *name, size_t length,
                              const double *prob, size_t count, uint32_t *class, opac_error *error)
{
    char own[MOST_OWN_NAME];
    bool is_new;
    TRY(base_intern_add(&c->names, name, length, class, &is_new, error));
    if (is_new)
        return add_class(c, prob, count, error);
    if (has_probabilities(c, *class, prob, count))
        return OPAC_OK;
    int own_length = snprintf(own, sizeof own, "#%zu", c->class_of.count);
    TRY(base_intern_add(&c->names, own, (size_t)own_length, class, &is_new, error));
    return add_class(c, prob, count, error);
}

opac_status model_commands_add(model_commands *c, const char *name, size_t length,
                               const uint32_t *targets, const double *prob, size_t count,
                               opac_error *error)
{
    uint32_t class;
    size_t begin = c->targets.count;
    if (begin + count > GRAPH_LARGEST || c->prob.count + count > GRAPH_LARGEST)
        return base_fail(error, OPAC_ERROR_LIMIT, "the commands have more than %u outcomes",
                         (unsigned)GRAPH_LARGEST);
    TRY(find_class(c, name, length, prob, count, &class, error));
    TRY(base_u32_vec_reserve(&c->targets, begin + count, error));
    memcpy(c->targets.items + begin, targets, count * sizeof *targets);
    c->targets.count += count;
    TRY(base_u32_vec_push(&c->first_target, (uint32_t)begin, error));
    return base_u32_vec_push(&c->class_of, class, error);
}
