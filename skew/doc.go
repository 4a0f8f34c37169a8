// Package skew finds the tasks of a stage that are slow beside their peers, says what their excess
// is made of, and how long the job would take without it. It is pure: no files, no clock, no
// goroutines.
//
//	[]Stage ──▶ Judge ──▶ Report: slow tasks with a verdict, time of the job without their excess
//
// The judge works on the tasks of one stage attempt that succeeded:
//
//  1. A task's peers are the others. The typical peer is the mean of the middle half of them, by
//     duration, so its parts add up to its duration.
//  2. The excess is the task's duration less the typical peer's. It must exceed 1 s and half of the
//     typical peer, and six robust deviations of log(1 + seconds), more of them beside few peers.
//  3. Rows explain what the task would take beyond its peers at their speed. The volume is the
//     largest of the ratios of rows in, bytes in and rows out.
//  4. The rest is split in proportion to what each part has beyond the peers: CPU, garbage
//     collection, (de)serialization, fetch wait, other waits. A thread waits for a core in
//     proportion to its CPU, so that wait is CPU. What its peers would have waited more at its
//     place is the host's. So is what all tasks of its host have beyond tasks of other hosts.
//  5. A part with half of the excess or more is the verdict. Else the verdict is mixed. The JVM may
//     be cold: tasks of the first wave are slow only beside the wave, unless it is by their rows.
//     A task that is slow by pauses may be the victim of another slow task, in whose time they fall.
//  6. A stage is replayed as a list schedule: tasks in the order of their launch, each on the first
//     free slot. Tasks whose excess does not matter there are left alone: without the excess of all
//     that are flagged the stage must take 5 % less time.
//
// The gain is the difference of two replays of the whole job by package schedule, with and without
// the excess. In it a stage begins as long after the last stage that had ended before it as it did.
package skew
