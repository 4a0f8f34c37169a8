package pipeline

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/sampler"
	"github.com/planflame/planflame/sampler/jvmlog"
)

// Executors keep what their application's texts were parsed to once. Each is charged for all of it,
// and keeps it when another one lets it go.
func TestExecutorsShareWhatIsParsed(t *testing.T) {
	node := `{"parent": %d, "class": "p.FilterExec", "name": "Filter", "text": "Filter (a#1 > %d)", "operator": "filter@1", "operator_name": "Filter a > ?", "codegen": -1, "stage": "result", "metrics": [{"id": %d, "name": "number of output rows", "type": "sum"}]}`
	nodes := []string{fmt.Sprintf(node, -1, 0, 1)}
	for i := range 2000 {
		nodes = append(nodes, fmt.Sprintf(node, i, i, i))
	}
	body := "final class GeneratedIteratorForCodegenStage1 extends BufferedRowIterator {\n  protected void processNext() {\n    /*filter_c_0*/\n" + strings.Repeat("    filter_a_0 = filter_b_0;\n", 20_000) + "  }\n}\n"
	p := New(Settings{}, nowhere{})
	found := func(id sampler.JVMID) { p.JVMFound(sampler.JVM{ID: id, Header: jvmlog.Header{Minor: jvmlog.Minor}}) }
	for id := range sampler.JVMID(17) {
		found(1 + id)
	}
	executor := func(id sampler.JVMID) {
		p.Record(id, 1, &jvmlog.Dictionary{Execution: 4, JSON: fmt.Appendf(nil, `{"version": 1, "execution_id": 4, "update": 0, "nodes": [%s]}`, strings.Join(nodes, ","))})
		p.Record(id, 1, &jvmlog.Source{Loader: 3, Class: "GeneratedClass$GeneratedIteratorForCodegenStage1", Body: body, Comments: []byte(`{"filter_c_0": "// PRODUCE: Filter (a#1 > 1)"}`)})
	}
	begin := liveHeap()
	executor(1)
	one := liveHeap() - begin
	require.Greater(t, one, 500<<10)
	for id := range sampler.JVMID(16) {
		executor(2 + id)
	}
	require.Less(t, liveHeap()-begin, 3*one, "17 executors, each with an index of its own")
	require.Zero(t, p.Counts().BadPlans+p.Counts().BadSources)
	require.InEpsilon(t, p.jvms[1].budget.used, p.jvms[17].budget.used, 0.1)
	require.Same(t, &p.jvms[1].ops.plan(4).Updates[0].Nodes[7], &p.jvms[17].ops.plan(4).Updates[0].Nodes[7])
	require.NotSame(t, p.jvms[1].ops.plan(4), p.jvms[17].ops.plan(4))

	for id := range sampler.JVMID(16) {
		p.JVMGone(1 + id)
	}
	runtime.GC()
	require.Equal(t, 1, p.Attribution(17).Texts)
	last := &p.jvms[17].ops.plan(4).Updates[0].Nodes[7]
	found(1)
	executor(1)
	require.Same(t, last, &p.jvms[1].ops.plan(4).Updates[0].Nodes[7], "from the one that is left")
	for _, id := range []sampler.JVMID{1, 17} {
		p.JVMGone(id)
	}
	require.Less(t, liveHeap()-begin, one/2, "no one holds it")
	runtime.KeepAlive(p)
}
