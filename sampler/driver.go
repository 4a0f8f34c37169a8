package sampler

import (
	"time"

	"github.com/planflame/planflame/sampler/jvmlog"
)

// ofCode are the types of records that only samples ask for.
func ofCode(t jvmlog.RecordType) bool {
	switch t {
	case jvmlog.TypeMethod, jvmlog.TypeCodeLoad, jvmlog.TypeCodeUnload, jvmlog.TypeStub, jvmlog.TypeSource:
		return true
	}
	return false
}

// application looks whether the JVM runs no tasks, as a cluster's driver. Then records of code are
// not read any more, and what was read of them is forgotten. They are a third of all code on a node
// with a driver and two executors.
func (j *jvm) application(r *jvmlog.Application) {
	if !r.ClusterDriver() || len(j.rings.threads) > 0 {
		return
	}
	j.log.Skip = ofCode
	j.code.forgetCode()
	j.reading.met, j.reading.waiting = nil, nil // they do not end any more
	j.methods.forget()
	j.quickUntil = time.Time{}
	j.reading.comparesUntil = time.Time{}
}

// readCode reads records of code again, from the beginning, where they were not read: the JVM has a
// task thread after all.
func (j *jvm) readCode() error {
	if j.log.Skip == nil || len(j.rings.threads) == 0 {
		return nil
	}
	j.log.Skip = nil
	return j.requestReplay()
}
