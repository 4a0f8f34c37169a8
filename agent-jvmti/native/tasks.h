/* What happens on the tasks' own threads: task start and end, the start and end of the threads. */
#ifndef PF_TASKS_H
#define PF_TASKS_H

#include <jvmti.h>

#include "wire.h"

/* Task start or end, on the task's thread. The caller fills in all that Spark knows; clocks, CPU,
 * tid and whether the task is selected for the detail rate (flags and inclusion_probability, where
 * the reader asked for that rate) are added here. No lock, no wait; system calls only to read
 * clocks, except that a thread's first task opens its perf event, and that a task selected for
 * detail has its event switched on and off. */
void pf_task(struct wire_event *event);

/* ThreadStart, on the new thread: remembers the name that the pool gave it. */
void pf_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);

/* ThreadEnd, on the ending thread. */
void pf_thread_ended(void);

#endif
