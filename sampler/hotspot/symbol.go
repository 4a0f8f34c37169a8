package hotspot

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// errText says that bytes are no text of a class file.
var errText = errors.New("not modified UTF-8")

// decodeText turns a JVM's modified UTF-8 (JVMS 4.4.7: NUL as two bytes, surrogates apart, three
// bytes each) into a string. Bytes that cannot come from a class file are an error; a lone
// surrogate, which can, becomes U+FFFD.
func decodeText(b []byte) (string, error) {
	plain := true
	for _, c := range b {
		if c == 0 || c >= 0xf0 {
			return "", fmt.Errorf("%w: byte %#x", errText, c)
		}
		plain = plain && c < utf8.RuneSelf
	}
	if plain {
		return string(b), nil
	}
	units := make([]uint16, 0, len(b))
	for i := 0; i < len(b); {
		unit, n := decodeUnit(b[i:])
		if n == 0 {
			return "", fmt.Errorf("%w: byte %#x at %d", errText, b[i], i)
		}
		units = append(units, unit)
		i += n
	}
	return string(utf16.Decode(units)), nil
}

// decodeUnit decodes one UTF-16 unit of one to three bytes; 0 bytes: there is none.
func decodeUnit(b []byte) (unit uint16, n int) {
	follows := func(i int) bool { return i < len(b) && b[i]&0xc0 == 0x80 }
	switch c := b[0]; {
	case c < 0x80:
		return uint16(c), 1
	case c&0xe0 == 0xc0 && follows(1):
		return uint16(c&0x1f)<<6 | uint16(b[1]&0x3f), 2
	case c&0xf0 == 0xe0 && follows(1) && follows(2):
		return uint16(c&0x0f)<<12 | uint16(b[1]&0x3f)<<6 | uint16(b[2]&0x3f), 3
	}
	return 0, 0
}

// binaryName turns the name of a Klass into the class's binary name with dots, as METHOD records
// have it: java/lang/String → java.lang.String. A hidden class's name ends in + and a number, which
// Class.getName writes with a slash.
func binaryName(internal string) (string, error) {
	name := strings.ReplaceAll(internal, "/", ".")
	if i := strings.LastIndexByte(name, '+'); i > 0 && strings.HasPrefix(name[i+1:], "0x") {
		name = name[:i] + "/" + name[i+1:]
	}
	if name == "" || strings.ContainsAny(internal, ";[.") { // JVMS 4.2.2
		return "", fmt.Errorf("%q is no name of a class", internal)
	}
	return name, nil
}

// checkMethodName accepts what JVMS 4.2.2 allows.
func checkMethodName(name string) error {
	if name == "<init>" || name == "<clinit>" {
		return nil
	}
	if name == "" || strings.ContainsAny(name, ".;[/<>") {
		return fmt.Errorf("%q is no name of a method", name)
	}
	return nil
}

// checkDescriptor accepts what looks like a method's descriptor (JVMS 4.3.3).
func checkDescriptor(d string) error {
	if end := strings.LastIndexByte(d, ')'); !strings.HasPrefix(d, "(") || end < 0 || end == len(d)-1 {
		return fmt.Errorf("%q is no descriptor of a method", d)
	}
	return nil
}
