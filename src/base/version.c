/* SPDX-License-Identifier: MIT */
#include <omegapac/version.h>

const char *opac_version(void)
{
    return OPAC_VERSION;
}
