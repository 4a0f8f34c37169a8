package attribution

import "testing"

func TestNullFlag(t *testing.T) {
	for code, want := range map[string]string{
		"int hashAgg_value_10 = hashAgg_isNull_9 ? -1 : (hashAgg_keyTerm_0.getInt(2));": "hashAgg_isNull_9",
		"UTF8String bhj_value_3 = bhj_isNull_2 ?":                                       "bhj_isNull_2",
		"boolean a_0 = b_1 > 3 ? true : false;":                                         "",
		"long a_0 = -1L;":                                                               "",
		"f(a_0 ? 1 : 2);":                                                               "",
	} {
		if got := nullFlag(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestBuildSide(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"BroadcastHashJoin", "BroadcastHashJoin [a#1], [b#2], Inner, BuildLeft, false, false", 0},
		{"BroadcastHashJoin", "BroadcastHashJoin [a#1], [b#2], LeftOuter, BuildRight, (c#3 = x BuildLeft), false", 1},
		{"ShuffledHashJoin", "ShuffledHashJoin [a#1], [b#2], Inner, BuildLeft", 0},
		{"BroadcastNestedLoopJoin", "BroadcastNestedLoopJoin BuildRight, Cross", 1},
		{"SortMergeJoin", "SortMergeJoin [a#1], [b#2], Inner", -1},
		{"Project", "Project [ BuildLeft AS x#4]", -1},
	} {
		if got := buildSide(&Node{Name: test.name, Text: test.text}); got != test.want {
			t.Errorf("%s: %d, want %d", test.text, got, test.want)
		}
	}
}
