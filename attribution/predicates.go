package attribution

import "strings"

// Names of the SQLMetrics that shuffles have (SQLShuffleReadMetricsReporter,
// SQLShuffleWriteMetricsReporter; 3.5 to 4.3).
var (
	shuffleReadMetrics = map[string]bool{"records read": true, "fetch wait time": true, "local bytes read": true, "remote bytes read": true,
		"local blocks read": true, "remote blocks read": true, "remote bytes read to disk": true, "remote reqs duration": true}
	shuffleWriteMetrics = map[string]bool{"shuffle bytes written": true, "shuffle records written": true, "shuffle write time": true}
)

// ReadsShuffle reports whether a metric of that name counts what a stage reads of a shuffle.
func ReadsShuffle(metric string) bool { return shuffleReadMetrics[metric] }

// isWrapper reports whether a node is of a kind whose name stands first in its node name:
// `WholeStageCodegen (3)`.
func isWrapper(n *Node, name string) bool {
	return strings.HasPrefix(n.Name, name) && (len(n.Name) == len(name) || n.Name[len(name)] == ' ')
}

// classIs reports whether a node is of the physical class with that simple name.
func classIs(n *Node, simple string) bool {
	return strings.HasSuffix(n.Class, simple) && (len(n.Class) == len(simple) || n.Class[len(n.Class)-len(simple)-1] == '.')
}

// isScan reports whether a node reads a source: a leaf of the plan that is no exchange.
func isScan(n *Node) bool {
	if n.Role == "scan" {
		return true
	}
	for _, name := range []string{"Scan", "BatchScan", "FileScan", "InMemoryTableScan", "LocalTableScan", "CometScan", "CometBatchScan", "MicroBatchScan", "ContinuousScan"} {
		if isWrapper(n, name) {
			return true
		}
	}
	return strings.HasSuffix(n.Class, "ScanExec") || strings.HasSuffix(n.Class, "ScanExecTransformer")
}

// isCache reports whether a node reads a cached table.
func isCache(n *Node) bool {
	return isWrapper(n, "InMemoryTableScan") || classIs(n, "InMemoryTableScanExec")
}

// isStateful reports whether a node keeps rows in a state store (Spark 3.5 to 4.3; in 4.x the
// classes stand in a package of their own).
func isStateful(n *Node) bool {
	return strings.HasPrefix(n.Class, sqlx+"streaming.") && (strings.Contains(n.Class, "State") || strings.Contains(n.Class, ".Streaming")) ||
		strings.Contains(n.Class, "WithState")
}

// isPython reports whether a node runs Python workers.
func isPython(n *Node) bool { return strings.HasPrefix(n.Class, sqlx+"python.") }

// isEngine reports whether a node runs in a native engine.
func isEngine(n *Node) bool {
	return strings.HasPrefix(n.Class, "org.apache.spark.sql.comet.") || strings.HasPrefix(n.Class, "org.apache.gluten.") ||
		strings.HasPrefix(n.Class, "io.glutenproject.") || strings.HasSuffix(n.Class, "Transformer")
}

// isWrite reports whether a node writes a table or a file.
func isWrite(n *Node) bool {
	return strings.HasPrefix(n.Class, sqlx+"datasources.v2.") && !strings.HasSuffix(n.Class, "ScanExec") ||
		strings.HasSuffix(n.Class, "DataWritingCommandExec") || strings.HasSuffix(n.Class, "WriteFilesExec") || n.Name == "StreamSink"
}

// isShuffle reports whether a node writes and reads a shuffle: an exchange, or a limit with a
// shuffle inside.
func isShuffle(n *Node) bool {
	for _, m := range n.Metrics {
		if shuffleWriteMetrics[m.Name] {
			return true
		}
	}
	return strings.HasSuffix(n.Class, "ShuffleExchangeExec")
}

// isBroadcast reports whether a node builds a broadcast relation.
func isBroadcast(n *Node) bool {
	return isWrapper(n, "BroadcastExchange") || strings.HasSuffix(n.Class, "BroadcastExchangeExec")
}

// isHandedOver reports whether a node reads the rows of an RDD, which code of another plan may make
// (RDDScanExec, of a LogicalRDD).
func isHandedOver(n *Node) bool {
	return classIs(n, "RDDScanExec") || classIs(n, "ExternalRDDScanExec")
}

// endsStage reports whether what is below a node runs in another stage.
func endsStage(n *Node) bool { return isShuffle(n) || isBroadcast(n) || n.Subquery }
