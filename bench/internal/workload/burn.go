package workload

import "fmt"

// elements is how many elements of an array the expression of BurnSQL goes through for a row.
const elements = 1000

// BurnSQL is a statement whose expression goes through so many percent more elements. It finds
// nothing, which the code cannot know. How much it costs is a literal's doing, so the names of the
// query and of its operators stay.
func BurnSQL(percent int) string {
	return fmt.Sprintf("SELECT sum(p) AS s FROM (SELECT CAST(array_position(sequence(1, %d), l_suppkey + 200000000) AS INT) AS p, l_orderkey FROM lineitem WHERE l_linenumber = 1) WHERE l_orderkey > 0",
		elements+elements*percent/100)
}
