// Package filestorage is the file_storage extension of the Collector's contributors, made safe
// against damaged files.
//
// A bbolt file has no checksums of its entries. The original extension fails or panics on most
// damaged files, and then the Collector does not start. Before any component opens its file, this
// one has a child process check each: a fault, a panic or a lack of memory there ends the child
// alone.
//
//	file ──child: check──▶ sound: left as it is
//	                   └─▶ damaged: file.damaged, and the component makes a new one
//
// Nothing is taken from a damaged file: its pages may be older than the file, with windows that
// were delivered. Changed bytes within a value cannot be seen here. Its reader refuses them or
// takes them for good.
//
//go:generate go tool -modfile=../../scripts/tools/otel/go.mod mdatagen metadata.yaml
package filestorage
