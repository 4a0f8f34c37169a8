package unwind

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecodeCall(t *testing.T) {
	const ra = 0x10000
	cases := map[string]struct {
		code []byte
		want call
		ok   bool
	}{
		"call rel32 forwards":         {[]byte{0x90, 0xe8, 0x34, 0x12, 0, 0}, call{true, 0x11234}, true},
		"call rel32 backwards":        {[]byte{0xe8, 0xf0, 0xff, 0xff, 0xff}, call{true, 0xfff0}, true},
		"call rax":                    {[]byte{0x90, 0x90, 0x90, 0xff, 0xd0}, call{}, true},
		"call r10":                    {[]byte{0x90, 0x90, 0x90, 0x41, 0xff, 0xd2}, call{}, true},
		"movabs r10; call r10":        {[]byte{0x49, 0xba, 0x78, 0x56, 0x34, 0x12, 0xff, 0x7f, 0, 0, 0x41, 0xff, 0xd2}, call{true, 0x7fff12345678}, true},
		"movabs rax; call rax":        {[]byte{0x48, 0xb8, 1, 0, 0, 0, 0, 0, 0, 0x70, 0xff, 0xd0}, call{true, 0x7000000000000001}, true},
		"movabs r11; call r10":        {[]byte{0x49, 0xbb, 1, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xd2}, call{}, true},
		"call [rax]":                  {[]byte{0x90, 0x90, 0x90, 0x90, 0xff, 0x10}, call{}, true},
		"call [rbx+0x48]":             {[]byte{0x90, 0x90, 0x90, 0xff, 0x53, 0x48}, call{}, true},
		"call [r12+0x48]":             {[]byte{0x90, 0x41, 0xff, 0x54, 0x24, 0x48}, call{}, true},
		"call [rbx+0x100]":            {[]byte{0xff, 0x93, 0, 1, 0, 0}, call{}, true},
		"call [rip+0x100]":            {[]byte{0xff, 0x15, 0, 1, 0, 0}, call{}, true},
		"call [disp32]":               {[]byte{0xff, 0x14, 0x25, 0, 1, 0, 0}, call{}, true},
		"call [rsp+0x100]":            {[]byte{0xff, 0x94, 0x24, 0, 1, 0, 0}, call{}, true},
		"jmp rel32":                   {[]byte{0xe9, 0x34, 0x12, 0, 0}, call{}, false},
		"jmp rax":                     {[]byte{0x90, 0x90, 0x90, 0xff, 0xe0}, call{}, false},
		"push [rax]":                  {[]byte{0x90, 0x90, 0x90, 0xff, 0x30}, call{}, false},
		"call rax, then another byte": {[]byte{0x90, 0x90, 0xff, 0xd0, 0x90}, call{}, false},
		"nops":                        {[]byte{0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90}, call{}, false},
		"nothing":                     {nil, call{}, false},
		"one byte":                    {[]byte{0xff}, call{}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, ok := decodeCall(c.code, ra)
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, got)
		})
	}
}

func FuzzDecodeCall(f *testing.F) {
	f.Add([]byte{0xe8, 1, 2, 3, 4}, uint64(5))
	f.Add([]byte{0x41, 0xff, 0x54, 0x24, 0x48}, uint64(9))
	f.Fuzz(func(t *testing.T, code []byte, ra uint64) {
		if c, ok := decodeCall(code, ra); !ok && c != (call{}) {
			t.Fatalf("no call, and yet %+v", c)
		}
	})
}
