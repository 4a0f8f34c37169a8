package pipeline

import "github.com/planflame/planflame/attribution"

// planTexts are the texts of the plans that are kept and were parsed here, each charged once for as
// long as a plan has it. Texts of an update that another JVM's pipeline parsed have no entry here.
// They are charged as often as they stand in it.
type planTexts struct {
	known   map[string]string // each to itself
	holders map[string]int    // :: text → places of updates that have it
}

func newPlanTexts() planTexts {
	return planTexts{known: map[string]string{}, holders: map[string]int{}}
}

// hold keeps the texts of an update, and returns the bytes to charge. A fresh update, which was
// parsed here, gets texts that are known instead of equal ones.
func (t *planTexts) hold(update *attribution.PlanUpdate, fresh bool) (bytes int) {
	update.EachText(func(s *string) {
		if !fresh {
			bytes += len(*s)
			return
		}
		if t.holders[*s]++; t.holders[*s] == 1 {
			t.known[*s] = *s
			bytes += textBytes + len(*s)
		}
		*s = t.known[*s]
	})
	return bytes
}

// release lets the texts of an update go, and returns the bytes that hold charged.
func (t *planTexts) release(update *attribution.PlanUpdate, fresh bool) (bytes int) {
	update.EachText(func(s *string) {
		if !fresh {
			bytes += len(*s)
			return
		}
		if t.holders[*s]--; t.holders[*s] == 0 {
			delete(t.holders, *s)
			delete(t.known, *s)
			bytes += textBytes + len(*s)
		}
	})
	return bytes
}
