/* SPDX-License-Identifier: MIT */
/* Fuzzes number parsing: every number that is accepted is parsed back from its shortest representation. */
#include <math.h>

#include <omegapac/number.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    double value, again;
    uint64_t count;
    opac_error error;
    char buffer[OPAC_NUMBER_SIZE];
    if (opac_number_parse(text, &value, &error) == OPAC_OK) {
        opac_number_format(value, buffer);
        fuzz_require(opac_number_parse(buffer, &again, &error) == OPAC_OK && again == value);
    }
    if (opac_number_parse_up(text, &again, &error) == OPAC_OK)
        fuzz_require(opac_number_parse(text, &value, &error) == OPAC_OK &&
                     fabs(again - value) <= 1e-14 * fabs(value));
    if (opac_number_parse_whole(text, &count, &error) == OPAC_OK)
        fuzz_require(opac_number_parse(text, &value, &error) == OPAC_OK && value == (double)count);
    free(text);
    return 0;
}
