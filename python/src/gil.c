/* SPDX-License-Identifier: MIT */
#include "gil.h"

#include <unistd.h>

static void stay(void)
{
    for (;;)
        pause();
}

void gil_enter(gil_gate *g)
{
    g->is_inside = true;
    /* A thread of the library's own is unknown to Python, which must not be asked to make its state
     * in an interpreter that is being taken down. */
    if (Py_IsInitialized() == 0 && PyGILState_GetThisThreadState() == NULL)
        stay();
    g->state = PyGILState_Ensure();
}

void gil_leave(gil_gate *g)
{
    PyGILState_Release(g->state); /* which may run Python, and so wait for the GIL */
    g->is_inside = false;
}

void gil_stay_in(gil_gate *g)
{
    if (g->is_inside)
        stay();
}

void gil_pause(gil_break *b)
{
    b->state = PyEval_SaveThread();
}

void gil_resume(gil_break *b)
{
    PyEval_RestoreThread(b->state);
    b->state = NULL;
}

void gil_stay_out(gil_break *b)
{
    if (b->state == NULL)
        return;
    if (b->cancel != NULL)
        opac_cancel_request(b->cancel);
    stay();
}
