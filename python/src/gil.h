/* SPDX-License-Identifier: MIT */
/*
 * Taking the GIL and giving it up, in threads that may not outlive the interpreter.
 *
 * An interpreter that ends waits for no daemon thread. Python before 3.14 ends
 * such a thread where it next asks for the GIL: its stack goes away, and with
 * it what the other threads of its run still use there. Here the thread stays
 * where it stands until the process ends, as it does from 3.14 on. That needs a
 * C library that leaves scopes when a thread is ended, such as glibc.
 */
#ifndef CORE_GIL_H
#define CORE_GIL_H

#include "core.h"

/* In a callback of the library, in whichever thread: GIL_GATE g; gil_enter(&g); ... gil_leave(&g) */
typedef struct gil_gate {
    PyGILState_STATE state;
    bool is_inside;
} gil_gate;

/* In a call by Python, around work without the GIL: GIL_BREAK b; gil_pause(&b); ... gil_resume(&b) */
typedef struct gil_break {
    PyThreadState *state;
    opac_cancel *cancel; /* requested when the thread cannot go on; NULL: there is none */
} gil_break;

void gil_enter(gil_gate *g);
void gil_leave(gil_gate *g);
void gil_pause(gil_break *b);
void gil_resume(gil_break *b);

/* Run when the scope ends, also where the thread is being ended (-fexceptions). */
void gil_stay_in(gil_gate *g);
void gil_stay_out(gil_break *b);

#define GIL_GATE  __attribute__((cleanup(gil_stay_in))) gil_gate
#define GIL_BREAK __attribute__((cleanup(gil_stay_out))) gil_break

#endif
