/* SPDX-License-Identifier: MIT */
/*
 * Long computations that Ctrl-C can stop. Python runs handlers of signals only
 * in its main thread and only while that runs Python; so the computation goes
 * to a thread of its own, and the one that called waits and looks.
 */
#include "core.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

static const long second = 1000L * 1000 * 1000; /* in nanoseconds */
static const long slice = 50L * 1000 * 1000;    /* between two looks at signals */

typedef struct job {
    core_work work;
    void *context;
    opac_cancel *cancel;
    opac_error *error;
    opac_status status;
    pthread_mutex_t lock; /* guards is_done */
    pthread_cond_t done;
    bool is_done;
} job;

typedef struct waiter {
    job *job;
    pthread_t thread;
    bool raised; /* by the handler of a signal */
} waiter;

static void *work(void *context)
{
    job *j = context;
    j->status = j->work(j->context, j->cancel, j->error);
    pthread_mutex_lock(&j->lock);
    j->is_done = true;
    pthread_cond_signal(&j->done);
    pthread_mutex_unlock(&j->lock);
    return NULL;
}

/* Signals are for the threads of Python. */
static int start(job *j, pthread_t *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, work, j);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* Whether it is done, after a slice at most. */
static bool wait_a_slice(job *j)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += slice;
    if (end.tv_nsec >= second) {
        end.tv_sec++;
        end.tv_nsec -= second;
    }
    pthread_mutex_lock(&j->lock);
    int timed_out = 0;
    while (!j->is_done && timed_out == 0)
        timed_out = pthread_cond_timedwait(&j->done, &j->lock, &end);
    bool is_done = j->is_done;
    pthread_mutex_unlock(&j->lock);
    return is_done;
}

/* When the interpreter ends, it ends threads that come back for the GIL; what the work uses is on the
 * stack of this one. */
static void abandon(void *context)
{
    waiter *w = context;
    opac_cancel_request(w->job->cancel);
    pthread_join(w->thread, NULL);
}

static void wait_for_end(waiter *w)
{
    bool is_done = false;
    while (!is_done) {
        Py_BEGIN_ALLOW_THREADS is_done = wait_a_slice(w->job);
        Py_END_ALLOW_THREADS if (!w->raised && PyErr_CheckSignals() != 0)
        {
            w->raised = true;
            opac_cancel_request(w->job->cancel);
        }
    }
}

/* Returns whether a handler raised. */
static bool wait_for(job *j, pthread_t thread)
{
    waiter w = {j, thread, false};
    pthread_cleanup_push(abandon, &w);
    wait_for_end(&w);
    pthread_cleanup_pop(0);
    return w.raised;
}

opac_status core_run_with(core_work work_of_job, void *context, opac_cancel *cancel,
                          opac_error *error)
{
    job j = {.work = work_of_job, .context = context, .cancel = cancel, .error = error};
    pthread_t thread;
    bool raised = false;
    pthread_mutex_init(&j.lock, NULL);
    pthread_cond_init(&j.done, NULL);
    if (start(&j, &thread) == 0) {
        raised = wait_for(&j, thread);
        pthread_join(thread, NULL);
    } else { /* no threads left: then here, unstoppable */
        Py_BEGIN_ALLOW_THREADS work(&j);
        Py_END_ALLOW_THREADS
    }
    pthread_cond_destroy(&j.done);
    pthread_mutex_destroy(&j.lock);
    if (!raised)
        return j.status;
    error->code = OPAC_ERROR_CANCELLED;
    return OPAC_ERROR_CANCELLED;
}

opac_status core_run(core_work work_of_job, void *context, opac_error *error)
{
    opac_cancel *cancel;
    opac_status status = opac_cancel_new(&cancel, error);
    if (status != OPAC_OK)
        return status;
    status = core_run_with(work_of_job, context, cancel, error);
    opac_cancel_free(cancel);
    return status;
}
