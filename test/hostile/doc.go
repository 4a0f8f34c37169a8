// Command hostile publishes an agent's two memfds as no agent would, from the process of an
// ordinary user: one mode for each attack on whoever reads them. Its argument names the mode.
//
//	hostile MODE → memfds planflame-log and planflame-control → Collector
//
// The tests beside it run each mode next to a good JVM under the real Collector, and judge what the
// Collector does (docs/how-it-works/threats.md). The program writes what package jvmlog encodes and
// must not import what reads it.
package main
