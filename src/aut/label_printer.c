/* SPDX-License-Identifier: MIT */
#include "aut/label_printer.h"

#include <string.h>

#include "base/bits.h"
#include "base/characters.h"
#include "base/digits.h"

#define LARGE (UINT64_C(1) << 32)

opac_status aut_label_printer_init(aut_label_printer *printer, opac_error *error)
{
    printer->copies = (base_map){0};
    return aut_bdd_store_new(&printer->store, error);
}

void aut_label_printer_fini(aut_label_printer *printer)
{
    aut_bdd_store_free(printer->store);
    base_map_fini(&printer->copies);
}

bool aut_is_plain_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++)
        if (!base_is_name_character(*at))
            return false;
    return base_is_name_start(name[0]) && strcmp(name, "t") != 0;
}

void aut_write_number(opac_output *out, uint32_t number)
{
    char digits[BASE_MAX_DIGITS], *end = digits + sizeof digits, *begin = base_digits(number, end);
    opac_output_write(out, begin, (size_t)(end - begin));
}

static bool count_product(void *context, aut_cube cube)
{
    uint32_t *count = context;
    (void)cube;
    return ++*count <= AUT_MANY_PRODUCTS;
}

opac_status aut_label_find(aut_label_printer *printer, aut_bdd label, aut_printable *found,
                           opac_error *error)
{
    uint64_t *known;
    TRY(base_map_at(&printer->copies, label, &known, error));
    if (*known == 0) {
        uint32_t products = 0;
        aut_bdd copy = aut_bdd_copy(printer->automaton->labels, label, printer->store, NULL);
        aut_bdd_cubes(printer->store, copy, count_product, &products);
        *known = (1 + (uint64_t)copy) | (products > AUT_MANY_PRODUCTS ? LARGE : 0);
    }
    *found = (aut_printable){.copy = (aut_bdd)((*known & ~LARGE) - 1),
                             .is_large = (*known & LARGE) != 0};
    return aut_bdd_store_check(printer->store, error);
}

typedef struct print {
    const aut_label_printer *printer;
    uint32_t done, most;
} print;

static bool print_product(void *context, aut_cube cube)
{
    print *state = context;
    const aut_label_printer *printer = state->printer;
    opac_output *out = printer->out;
    if (state->done > 0)
        opac_output_text(out, printer->or_sign);
    if (state->done++ == state->most) {
        opac_output_text(out, "...");
        return false;
    }
    if (cube.care == 0)
        opac_output_write(out, "t", 1);
    for (uint64_t left = cube.care; left != 0; left &= left - 1) {
        uint32_t proposition = base_lowest_bit(left);
        if (left != cube.care)
            opac_output_text(out, printer->and_sign);
        if (((cube.value >> proposition) & 1) == 0)
            opac_output_write(out, "!", 1);
        printer->write_proposition(printer, proposition);
    }
    return true;
}

opac_status aut_label_print(aut_label_printer *printer, aut_printable label, uint32_t most,
                            opac_error *error)
{
    print state = {.printer = printer, .most = most};
    aut_bdd_cubes(printer->store, label.copy, print_product, &state);
    return aut_bdd_store_check(printer->store, error);
}
