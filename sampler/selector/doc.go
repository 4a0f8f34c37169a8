// Package selector says which JVMs a reader takes, by rules that a user wrote.
//
//	Process, then Application → Rules.Judge → Yes, No, Later
//
// It knows values only, neither processes nor files. It imports the standard library and package
// attributes, whose vocabulary labels are of.
package selector
