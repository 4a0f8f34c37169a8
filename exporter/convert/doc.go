// Package convert turns a profile of OpenTelemetry (pprofile, profiles v1development) into a
// google/pprof profile.
//
//	pprofile.Profile + its dictionary ──Converter──▶ profile.Profile, string labels = the listed sample attributes
//
// What becomes of what:
//   - sample type, period type, period, time, duration: the same fields. A missing period type is
//     taken from the sample type.
//   - a sample: its stack (leaf first in both), and as its value the sum of its values, or, where
//     it has none, the number of its timestamps. Samples with equal stack and equal listed
//     attributes are added up.
//   - sample attributes: only the attributes listed by the caller, as string labels under their
//     Pyroscope names. All others, links and the timestamps of single samples are left out.
//     Pyroscope would make a series of each distinct set or drop them.
//   - an empty stack: one frame "[no stack]". A location without lines: a frame "file+0xoffset" or
//     "0xaddress", unless a build id lets the server find the symbols. Pyroscope would drop either
//     sample without a word.
//   - location, line, function, mapping: the same fields; process.executable.build_id.gnu of a
//     mapping is its build id. Attributes of locations (profile.frame.type) have no place in pprof.
//
// Invariants: a profile either converts whole or is refused whole with an error that names the bad
// reference; the sum of values is kept; every profile returned passes profile.CheckValid.
package convert
