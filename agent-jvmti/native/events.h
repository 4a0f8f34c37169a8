/* The ring of task events (FORMAT.md, "Task event"): written on the tasks' own threads, without
 * lock, wait or allocation. */
#ifndef PF_EVENTS_H
#define PF_EVENTS_H

#include "log.h"

/* Appends one event; its seq field is ignored and set. Counts tasks_started or tasks_ended.
 * Overwrites the oldest event. */
void pf_events_append(struct pf_log *log, const struct wire_event *event);

#endif
