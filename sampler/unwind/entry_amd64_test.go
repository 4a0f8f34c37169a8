package unwind

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The interpreter is entered from A. Each case builds the stack from the return address on, as
// generate_normal_entry does.
func TestFramesThatTheInterpreterBuilds(t *testing.T) {
	const method, bytecodes = 0x5008, 0x6010
	entered := []Interpreted{{Method: method, Entering: true}}
	for name, test := range map[string]struct {
		build    func(m *machine, sender uint64)
		register uint64 // rax
		bcp      uint64 // r13; 0: the caller's stack pointer
		want     []Interpreted
	}{
		"the return address is on top": {
			build: func(m *machine, _ uint64) { m.push(inA) },
			want:  entered,
		},
		"locals are cleared, the return address is in a register": {
			build: func(m *machine, _ uint64) {
				for range 40 {
					m.push(0)
				}
			},
			register: inA, want: entered,
		},
		"the caller's frame pointer was pushed": {
			build:    func(m *machine, _ uint64) { m.push(0); m.push(inA); m.push(m.fp) },
			register: inA, want: entered,
		},
		"the frame pointer is the method's own": {
			build:    func(m *machine, _ uint64) { m.push(0); m.push(inA); m.enter(0) },
			register: inA, want: entered,
		},
		"the bytecode pointer is loaded, the Method* not pushed": {
			build: func(m *machine, sender uint64) { m.push(0); m.push(inA); m.enter(0); m.push(sender); m.push(0) },
			bcp:   bytecodes, want: entered,
		},
		"the frame is complete": {
			build: func(m *machine, sender uint64) {
				m.push(inA)
				m.interpreted(sender)
				m.mem[m.fp-24], m.mem[m.fp-64] = 0x5010, 0x6020
			},
			bcp: bytecodes, want: []Interpreted{{Method: 0x5010, BCP: [2]uint64{bytecodes, 0x6020}}},
		},
		"the frame is gone, registers hold anything": {
			build: func(m *machine, _ uint64) { m.push(inA) },
			bcp:   bytecodes, register: 0x77,
		},
		"a register points into the stack, but nothing returns to code that calls methods": {
			build: func(m *machine, _ uint64) { m.push(0); m.push(stubS + 8) }, register: 0x77,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			m.base()
			m.compiled(frameA)
			sender := m.sp
			test.build(m, sender)
			in := m.sample(interpreter+0x200, wholeStack)
			in.Method, in.Return, in.BCP = method, test.register, test.bcp
			if test.bcp == 0 {
				in.BCP = sender
			}
			addrs, r := m.unwinder().Unwind(in, nil)
			assert.Equal(t, test.want, append([]Interpreted(nil), r.Interpreted...))
			if test.want != nil {
				assert.Equal(t, append([]uint64{interpreter + 0x200, inA}, baseAddrs...), addrs)
				assert.True(t, r.Complete)
			}
		})
	}
}

// An interpreted caller's frame is its own, not the frame of the method that it enters.
func TestTheInterpreterEntersAMethodFromTheInterpreter(t *testing.T) {
	m := newMachine()
	m.base()
	m.interpreted(m.sp + 8)
	m.mem[m.fp-24], m.mem[m.fp-64] = 0x5010, 0x6020
	const ra = interpreter + 0x900
	m.push(7) // an argument
	sender := m.sp
	m.push(ra)
	in := m.sample(interpreter+0x200, wholeStack)
	in.Method, in.BCP = 0x5008, sender
	addrs, r := m.unwinder().Unwind(in, nil)
	assert.Equal(t, append([]uint64{interpreter + 0x200, ra}, baseAddrs...), addrs)
	assert.Equal(t, []Interpreted{
		{Frame: 0, Method: 0x5008, Entering: true},
		{Frame: 1, Method: 0x5010, BCP: [2]uint64{0x6020}},
	}, r.Interpreted)
}
