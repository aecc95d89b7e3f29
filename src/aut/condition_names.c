/* SPDX-License-Identifier: MIT */
/*
 * Recognition of named conditions. In the canonical formulas of HOA each mark occurs once. Up to the order
 * and grouping of operands, such a formula is determined by its literals and its groups; a group is the set
 * of marks below an And or Or that is not an operand of the same kind. So a condition is compared with the
 * canonical formula of each name by comparing two sorted lists.
 */
#include <stdlib.h>
#include <string.h>

#include "aut/condition.h"

/* A literal or a group. */
typedef struct group {
    uint64_t marks;
    uint64_t kind;
} group;

enum {
    MOST_GROUPS = 2 * AUT_MOST_MARKS /* 63 literals in a tree of groups of two or more */
};

typedef struct profile {
    group groups[MOST_GROUPS];
    uint32_t count;
    uint64_t fins; /* the marks under Fin */
} profile;

static int compare_groups(const void *a, const void *b)
{
    const group *x = a, *y = b;
    if (x->marks != y->marks)
        return x->marks < y->marks ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static bool is_gate(aut_term_kind kind)
{
    return kind == AUT_TERM_AND || kind == AUT_TERM_OR;
}

/* Finds the profile of a condition. Returns false unless the condition is a tree in which each of the marks
 * occurs exactly once. */
static bool find_profile(const aut_condition *condition, uint32_t mark_count, profile *found)
{
    uint64_t below[MOST_GROUPS] = {0}, used = 0;
    bool has_parent[MOST_GROUPS] = {false}, is_inner[MOST_GROUPS] = {false};
    size_t count = condition->terms.count;
    *found = (profile){.count = 0};
    if (mark_count == 0 || count != 2 * (size_t)mark_count - 1)
        return false;
    for (size_t i = 0; i < count; i++) {
        const aut_term *term = &condition->terms.items[i];
        if (term->kind == AUT_TERM_FALSE || term->kind == AUT_TERM_TRUE)
            return false;
        if (!is_gate(term->kind)) {
            below[i] = UINT64_C(1) << term->left;
            if ((used & below[i]) != 0 || term->left >= mark_count)
                return false;
            used |= below[i];
            found->fins |= term->kind == AUT_TERM_FIN ? below[i] : 0;
            continue;
        }
        uint32_t children[2] = {term->left, term->right};
        for (int j = 0; j < 2; j++) {
            if (has_parent[children[j]])
                return false;
            has_parent[children[j]] = true;
            is_inner[children[j]] = condition->terms.items[children[j]].kind == term->kind;
            below[i] |= below[children[j]];
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!is_inner[i])
            found->groups[found->count++] = (group){below[i], condition->terms.items[i].kind};
    qsort(found->groups, found->count, sizeof *found->groups, compare_groups);
    return true;
}

/* Whether a canonical condition has this profile. Frees the condition. */
static bool matches(aut_condition *canonical, uint32_t mark_count, const profile *wanted)
{
    profile own;
    bool same = find_profile(canonical, mark_count, &own) && own.count == wanted->count &&
                memcmp(own.groups, wanted->groups, own.count * sizeof(group)) == 0;
    aut_condition_fini(canonical);
    return same;
}

/* Makes the canonical formula of a name for mark_count marks. *applies tells whether there is one. */
static opac_status make_canonical(aut_condition_name name, uint32_t mark_count,
                                  aut_condition_class *made, aut_condition *canonical,
                                  bool *applies, opac_error *error)
{
    *applies = true;
    *made = (aut_condition_class){.name = name, .count = mark_count};
    switch (name) {
    case AUT_NAME_BUCHI:
        *applies = mark_count == 1;
        return aut_condition_buchi(canonical, error);
    case AUT_NAME_COBUCHI:
        *applies = mark_count == 1;
        return aut_condition_cobuchi(canonical, error);
    case AUT_NAME_GENERALIZED_BUCHI:
        return aut_condition_generalized_buchi(canonical, mark_count, error);
    case AUT_NAME_GENERALIZED_COBUCHI:
        return aut_condition_generalized_cobuchi(canonical, mark_count, error);
    case AUT_NAME_RABIN:
    case AUT_NAME_STREETT:
        *applies = mark_count % 2 == 0;
        made->count = mark_count / 2;
        return name == AUT_NAME_RABIN ? aut_condition_rabin(canonical, made->count, error)
                                      : aut_condition_streett(canonical, made->count, error);
    default:
        *applies = false;
        *canonical = (aut_condition){0};
        return OPAC_OK;
    }
}

static opac_status try_names(const profile *wanted, uint32_t mark_count, aut_condition_class *found,
                             opac_error *error)
{
    static const aut_condition_name names[] = {
        AUT_NAME_BUCHI, AUT_NAME_COBUCHI, AUT_NAME_GENERALIZED_BUCHI, AUT_NAME_GENERALIZED_COBUCHI,
        AUT_NAME_RABIN, AUT_NAME_STREETT};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        aut_condition canonical;
        aut_condition_class made;
        bool applies;
        TRY(make_canonical(names[i], mark_count, &made, &canonical, &applies, error));
        if (matches(&canonical, mark_count, wanted) && applies) {
            *found = made;
            break;
        }
    }
    return OPAC_OK;
}

static opac_status try_parity(const profile *wanted, uint32_t mark_count,
                              aut_condition_class *found, opac_error *error)
{
    for (int i = 0; i < 4 && found->name == AUT_NAME_EMERSON_LEI; i++) {
        aut_condition canonical;
        bool is_max = i < 2, is_even = i % 2 == 0;
        TRY(aut_condition_parity(&canonical, is_max, is_even, mark_count, error));
        if (matches(&canonical, mark_count, wanted))
            *found = (aut_condition_class){
                .name = AUT_NAME_PARITY, .count = mark_count, .is_max = is_max, .is_even = is_even};
    }
    return OPAC_OK;
}

/* Each mark under Fin begins a pair. */
static opac_status try_generalized_rabin(const profile *wanted, uint32_t mark_count,
                                         aut_condition_class *found, opac_error *error)
{
    base_u32_vec sizes = {0};
    aut_condition canonical;
    opac_status status;
    if ((wanted->fins & 1) == 0)
        return OPAC_OK;
    for (uint32_t mark = 0; mark < mark_count; mark++) {
        if ((wanted->fins >> mark) & 1)
            TRY_OR(done, base_u32_vec_push(&sizes, 0, error));
        else
            sizes.items[sizes.count - 1]++;
    }
    TRY_OR(done,
           aut_condition_generalized_rabin(&canonical, sizes.items, (uint32_t)sizes.count, error));
    if (matches(&canonical, mark_count, wanted)) {
        *found = (aut_condition_class){.name = AUT_NAME_GENERALIZED_RABIN,
                                       .count = (uint32_t)sizes.count,
                                       .pair_sizes = sizes};
        return OPAC_OK;
    }
done:
    base_u32_vec_fini(&sizes);
    return status;
}

opac_status aut_condition_classify(const aut_condition *condition, uint32_t mark_count,
                                   aut_condition_class *found, opac_error *error)
{
    profile wanted;
    *found = (aut_condition_class){.name = AUT_NAME_EMERSON_LEI};
    size_t count = condition->terms.count;
    aut_term_kind kind = count > 0 ? condition->terms.items[count - 1].kind : AUT_TERM_FALSE;
    if (kind == AUT_TERM_FALSE || kind == AUT_TERM_TRUE) {
        if (mark_count == 0)
            found->name = kind == AUT_TERM_TRUE ? AUT_NAME_ALL : AUT_NAME_NONE;
        return OPAC_OK;
    }
    if (!find_profile(condition, mark_count, &wanted))
        return OPAC_OK;
    TRY(try_names(&wanted, mark_count, found, error));
    if (found->name == AUT_NAME_EMERSON_LEI)
        TRY(try_parity(&wanted, mark_count, found, error));
    if (found->name == AUT_NAME_EMERSON_LEI)
        TRY(try_generalized_rabin(&wanted, mark_count, found, error));
    return OPAC_OK;
}

void aut_condition_class_fini(aut_condition_class *found)
{
    base_u32_vec_fini(&found->pair_sizes);
}

void aut_condition_class_write(const aut_condition_class *found, opac_output *out)
{
    static const char *const names[] = {
        [AUT_NAME_EMERSON_LEI] = "Emerson-Lei",
        [AUT_NAME_ALL] = "all",
        [AUT_NAME_NONE] = "none",
        [AUT_NAME_BUCHI] = "Buchi",
        [AUT_NAME_COBUCHI] = "co-Buchi",
        [AUT_NAME_GENERALIZED_BUCHI] = "generalized-Buchi",
        [AUT_NAME_GENERALIZED_COBUCHI] = "generalized-co-Buchi",
        [AUT_NAME_RABIN] = "Rabin",
        [AUT_NAME_STREETT] = "Streett",
        [AUT_NAME_GENERALIZED_RABIN] = "generalized-Rabin",
        [AUT_NAME_PARITY] = "parity",
    };
    opac_output_text(out, names[found->name]);
    if (found->name == AUT_NAME_PARITY)
        opac_output_print(out, " %s %s", found->is_max ? "max" : "min",
                          found->is_even ? "even" : "odd");
    if (found->name > AUT_NAME_COBUCHI)
        opac_output_print(out, " %u", found->count);
    for (size_t i = 0; i < found->pair_sizes.count; i++)
        opac_output_print(out, " %u", found->pair_sizes.items[i]);
}
