package skew

// contend books the run queue of a task and of a peer. A thread waits for a core in proportion to
// the CPU that it uses, so the wait belongs to the CPU. What the peer would have waited more at the
// task's place is the host's.
func contend(task, peer profile) (profile, profile) {
	there := peer.parts[PartHost]
	here := task.parts[PartHost]
	if task.parts[PartCPU] > peer.parts[PartCPU] {
		here *= peer.parts[PartCPU] / task.parts[PartCPU]
	}
	task.parts[PartCPU] += task.parts[PartHost]
	peer.parts[PartCPU] += here
	task.parts[PartHost], peer.parts[PartHost] = max(here-there, 0), 0
	return task, peer
}

// divide splits what a task of some volume has beyond a peer. host is what CPU and other waits of
// its host's tasks have beyond other hosts', in seconds.
func divide(of, than *profile, volume, host float64) Parts {
	var out Parts
	task, peer := contend(*of, *than)
	excess := task.duration - peer.duration
	more := max(volume-1, 0)
	var beyond, grown Parts
	for part := PartCPU; part < PartsCount; part++ {
		beyond[part] = max(task.parts[part]-peer.parts[part], 0)
		if part != PartSerde { // it does not grow with rows
			grown[part] = peer.parts[part] * more
		}
	}
	out[PartRows] = min(grown.sum(), excess)
	// Each part gives first what its peers' speed explains. A part that grew faster, as spilling
	// does, gives the rest of what all rows explain.
	budget := out[PartRows]
	for part := range beyond {
		given := min(beyond[part], grown[part], budget)
		beyond[part] -= given
		budget -= given
	}
	if left := beyond.sum(); left > 0 {
		keep := max(excess-out[PartRows], 0) / left
		for part := range beyond {
			out[part] += beyond[part] * keep
		}
	}
	if slow := out[PartCPU] + out[PartWait]; slow > 0 {
		host = min(max(host, 0), slow)
		out[PartHost] += host
		out[PartCPU] -= host * out[PartCPU] / slow
		out[PartWait] = slow - host - out[PartCPU]
	}
	return out
}

func (p *Parts) sum() (sum float64) {
	for _, v := range p {
		sum += v
	}
	return sum
}
