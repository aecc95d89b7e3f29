/* SPDX-License-Identifier: MIT */
/*
 * How tightly the operators of PRISM bind, loosest first, in models and in properties (PRISM's
 * manual has the same list of operators; all but ?: and ^ associate to the left, => and <=> too).
 */
#ifndef LTL_PRISM_PRECEDENCE_H
#define LTL_PRISM_PRECEDENCE_H

enum {
    LTL_BIND_PARENTHESIS, /* an open one, which no operator passes */
    LTL_BIND_UNTIL,       /* U W R: do not associate */
    LTL_BIND_TEMPORAL,    /* F G X, prefix */
    LTL_BIND_CONDITIONAL, /* ?:  right */
    LTL_BIND_IMPLIES,     /* => */
    LTL_BIND_IFF,         /* <=> */
    LTL_BIND_OR,          /* | */
    LTL_BIND_AND,         /* & */
    LTL_BIND_NOT,         /* !  prefix: !x=1 is !(x=1), !a&b is (!a)&b */
    LTL_BIND_EQUAL,       /* = != */
    LTL_BIND_RELATION,    /* < <= > >= */
    LTL_BIND_SUM,         /* + - */
    LTL_BIND_PRODUCT,     /* * / */
    LTL_BIND_MINUS,       /* -  prefix: -x*y is (-x)*y */
    LTL_BIND_POWER        /* ^  right: -x^2 is -(x^2), 2^-x is 2^(-x) */
};

#endif
