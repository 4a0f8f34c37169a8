// Package packages has the test that holds the .rpm against the .deb. Tools that read them are no
// part of the product, so their modules are apart.
package packages
