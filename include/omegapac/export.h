/* SPDX-License-Identifier: MIT */
/* Marks the symbols that the shared library exports. All others are hidden. */
#ifndef OMEGAPAC_EXPORT_H
#define OMEGAPAC_EXPORT_H

#if defined(__GNUC__) || defined(__clang__)
#define OPAC_API __attribute__((visibility("default")))
#else
#define OPAC_API
#endif

#endif
