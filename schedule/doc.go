// Package schedule replays the recorded tasks of an application on its task slots, or on another
// number of them. It is pure: no Spark, no files, no clock.
//
//	Schedule ──Pace────▶ how fast the driver handed out tasks
//	Schedule ──Replay──▶ when each stage starts and ends ──Span──▶ time of the application
//
// A task has one pair of times, which its caller chooses. Package skew gives the driver's launch
// and finish, for what the driver waits for is slow. planflame time gives the executor's start and
// end, which recordings without a driver have, too. The way to the executor and back is then in the
// pace.
//
// All functions may be called concurrently, for they change no argument.
package schedule
