/* SPDX-License-Identifier: MIT */
#include "gil.h"

#include <unistd.h>

static void block_for_ever(void)
{
    for (;;)
        pause();
}

void gil_acquire(gil_hold *g)
{
    g->is_held = true;
    /* A thread of the library has no Python thread state yet, and none must be created while the
     * interpreter is being finalised. */
    if (Py_IsInitialized() == 0 && PyGILState_GetThisThreadState() == NULL)
        block_for_ever();
    g->state = PyGILState_Ensure();
}

void gil_release(gil_hold *g)
{
    PyGILState_Release(g->state); /* may run Python code, and so wait for the GIL */
    g->is_held = false;
}

void gil_block_if_held(gil_hold *g)
{
    if (g->is_held)
        block_for_ever();
}

void gil_suspend(gil_suspension *b)
{
    b->state = PyEval_SaveThread();
}

void gil_resume(gil_suspension *b)
{
    PyEval_RestoreThread(b->state);
    b->state = NULL;
}

void gil_block_if_suspended(gil_suspension *b)
{
    if (b->state == NULL)
        return;
    if (b->cancel != NULL)
        opac_cancel_request(b->cancel);
    block_for_ever();
}
