// Package pyroscopetest runs a real Pyroscope server for tests, the one that
// scripts/build-pyroscope builds, and asks it over its API.
//
// The server listens on loopback, keeps its data in the test's temporary folder and ends with the
// test.
package pyroscopetest
