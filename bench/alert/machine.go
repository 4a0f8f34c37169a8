package main

import (
	"fmt"
	"os"
	"runtime"
)

// machine is how busy the machine was while the bench ran, with the bench's own work.
type machine struct {
	CPUs  int     `json:"cpus"`
	Busy  float64 `json:"busy_share"`  // of all CPUs, the bench's own work included
	Steal float64 `json:"steal_share"` // of all CPUs, taken by the hypervisor
	Load  float64 `json:"load_15m"`    // at the end: threads that run or want to
}

// ticks are fields of /proc/stat's first line, proc(5): user, nice, system, idle, iowait, irq,
// softirq, steal.
type ticks [8]float64

func watchMachine() (t ticks) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t
	}
	fmt.Sscanf(string(text), "cpu %f %f %f %f %f %f %f %f", &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) // zeroes say that it is not known
	return t
}

func (t ticks) since() machine {
	now := watchMachine()
	var all float64
	for i := range now {
		now[i] -= t[i]
		all += now[i]
	}
	m := machine{CPUs: runtime.NumCPU()}
	if all > 0 {
		m.Busy, m.Steal = 1-(now[3]+now[4])/all, now[7]/all
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		var one, five float64
		fmt.Sscan(string(text), &one, &five, &m.Load) // 0 says that it is not known
	}
	return m
}
