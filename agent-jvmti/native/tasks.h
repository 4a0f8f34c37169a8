/* What happens on the tasks' own threads: task start and end, the start and end of the threads. */
#ifndef PF_TASKS_H
#define PF_TASKS_H

#include <jvmti.h>

#include "wire.h"

/* Task start or end, on the task's thread. The caller fills in all that Spark knows. This function
 * adds clocks, CPU and tid. It also adds whether the task is selected for the detail rate (flags,
 * and inclusion_probability if the reader asked for that rate). It takes no lock and does not wait.
 * It makes system calls only to read clocks, with two exceptions. A thread's first task opens its
 * perf event, and a task selected for detail has its event switched on and off. */
void pf_task(struct wire_event *event);

/* ThreadStart, on the new thread: remembers the name that the pool gave it. */
void pf_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);

/* ThreadEnd, on the ending thread. */
void pf_thread_ended(void);

#endif
