/* SPDX-License-Identifier: MIT */
/*
 * Acquiring and releasing the GIL in threads that may still run when the interpreter ends.
 *
 * The interpreter does not wait for daemon threads when it ends. Python before 3.14 ends
 * such a thread where it next requests the GIL. Its stack is then unwound, although the other
 * threads of the same run still use objects on it. The functions here block the thread instead
 * until the process ends, as Python does from 3.14 on. They rely on a C library that runs
 * cleanup functions when a thread is ended, such as glibc.
 */
#ifndef CORE_GIL_H
#define CORE_GIL_H

#include "core.h"

/* In a callback of the library, in any thread: GIL_HOLD g; gil_acquire(&g); ... gil_release(&g) */
typedef struct gil_hold {
    PyGILState_STATE state;
    bool is_held; /* also while it is being acquired or released */
} gil_hold;

/* In a function called by Python, around work without the GIL:
 * GIL_SUSPENSION s; gil_suspend(&s); ... gil_resume(&s) */
typedef struct gil_suspension {
    PyThreadState *state;
    opac_cancel *cancel; /* cancels the run if the thread is blocked forever; may be NULL */
} gil_suspension;

void gil_acquire(gil_hold *g);
void gil_release(gil_hold *g);
void gil_suspend(gil_suspension *b);
void gil_resume(gil_suspension *b);

/* Cleanup functions, called at the end of the scope, and when the thread is being ended (-fexceptions). */
void gil_block_if_held(gil_hold *g);
void gil_block_if_suspended(gil_suspension *b);

#define GIL_HOLD       __attribute__((cleanup(gil_block_if_held))) gil_hold
#define GIL_SUSPENSION __attribute__((cleanup(gil_block_if_suspended))) gil_suspension

#endif
