package attribution

import (
	"fmt"
	"runtime"
	"testing"
)

// An update that someone holds is the same one for whoever comes with the same text, and another
// text's is another.
func TestCommonPlans(t *testing.T) {
	var c Common
	read := func(text string) (*PlanUpdate, bool) {
		t.Helper()
		u, fresh, err := c.PlanUpdate([]byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		return u, fresh
	}
	const text = `{"version": 1, "execution_id": %d, "nodes": []}`
	four, fresh := read(fmt.Sprintf(text, 4))
	if !fresh {
		t.Error("no one has read it before")
	}
	if again, fresh := read(fmt.Sprintf(text, 4)); again != four || fresh {
		t.Errorf("the same text gives %p, fresh %t, want %p", again, fresh, four)
	}
	if five, fresh := read(fmt.Sprintf(text, 5)); five.ExecutionID != 5 || !fresh {
		t.Errorf("another text gives execution %d, fresh %t", five.ExecutionID, fresh)
	}
	if _, _, err := c.PlanUpdate([]byte("{"), nil); err == nil {
		t.Error("no error of a broken text")
	}
	runtime.KeepAlive(four)
}

// What no one holds does not stay, however much comes.
func TestCommonHoldsNothing(t *testing.T) {
	var c Common
	for i := range 1000 {
		if i%100 == 0 {
			runtime.GC()
		}
		if _, _, err := c.PlanUpdate(fmt.Appendf(nil, `{"version": 1, "execution_id": %d, "nodes": []}`, i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.plans.by); n > 500 {
		t.Errorf("%d entries of 1,000 updates that no one holds", n)
	}
}
