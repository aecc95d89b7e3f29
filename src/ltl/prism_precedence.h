/* SPDX-License-Identifier: MIT */
/*
 * The precedence of PRISM's operators in models and in properties, in ascending order. It is the list in
 * PRISM's manual. All binary operators except ?: and ^ are left-associative, including => and <=>.
 */
#ifndef LTL_PRISM_PRECEDENCE_H
#define LTL_PRISM_PRECEDENCE_H

enum {
    LTL_BIND_PARENTHESIS, /* an open parenthesis, which no operator reduces */
    LTL_BIND_UNTIL,       /* U W R  not associative */
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
