/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stdint.h>

size_t base_utf8_length(const char *bytes, size_t length)
{
    if (length == 0)
        return 0;
    unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80)
        return 1;
    size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || size > length)
        return 0;
    uint32_t code = first & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code >= least[size] && code <= 0x10FFFF && !surrogate ? size : 0;
}
