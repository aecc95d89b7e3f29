/* SPDX-License-Identifier: MIT */
/* Character classes for files and formulas. ASCII only, independent of the locale. */
#ifndef BASE_CHARACTERS_H
#define BASE_CHARACTERS_H

#include <stdbool.h>

static inline bool base_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Names of PRISM, HOA and LTL begin with such a character, and continue with these and digits. */
static inline bool base_is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool base_is_name_character(char c)
{
    return base_is_name_start(c) || base_is_digit(c);
}

/* A blank within a line. */
static inline bool base_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A blank or a line end. */
static inline bool base_is_space(char c)
{
    return base_is_blank(c) || c == '\r' || c == '\n';
}

/* Also \v and \f, which are blanks in PRISM. */
static inline bool base_is_whitespace(char c)
{
    return base_is_space(c) || c == '\v' || c == '\f';
}

#endif
