package sparkconf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A submission to a cluster is refused by the setting that Spark would follow, and by no other.
func TestLaunchRefusesACluster(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	defaults := file("cluster/spark-defaults.conf", "spark.submit.deployMode: cluster\n")
	plain := filepath.Dir(file("plain/spark-defaults.conf", "spark.master yarn\n"))
	cluster := filepath.Dir(defaults)
	in, without := file("in.conf", "spark.submit.deployMode cluster\n"), file("without.conf", "spark.master yarn\n")
	client := file("client.conf", "spark.submit.deployMode client\n")
	tests := []struct {
		name, conf string
		env        string
		command    []string
		want       string // what the error names; "" if there is none
	}{
		{"an option", plain, "", []string{"spark-submit", "--deploy-mode", "cluster", "job.py"}, "--deploy-mode cluster"},
		{"an option, joined", plain, "", []string{"spark3-submit", "--deploy-mode=cluster", "job.py"}, "--deploy-mode cluster"},
		{"a setting", plain, "", []string{"spark-submit", "--conf", "spark.submit.deployMode=cluster", "job.py"}, "--conf spark.submit.deployMode=cluster"},
		{"a setting, joined", plain, "", []string{"spark-submit", "--conf=spark.submit.deployMode=cluster", "job.py"}, "--conf spark.submit.deployMode=cluster"},
		{"a setting, short", plain, "", []string{"spark-submit", "-c", "spark.submit.deployMode=cluster", "job.py"}, "--conf spark.submit.deployMode=cluster"},
		{"a properties file", plain, "", []string{"spark-submit", "--properties-file", in, "job.py"}, "spark.submit.deployMode=cluster in " + in},
		{"the defaults", cluster, "", []string{"spark-submit", "job.py"}, "spark.submit.deployMode=cluster in " + defaults},
		{"the defaults too", cluster, "", []string{"spark-submit", "--load-spark-defaults", "--properties-file", without, "job.py"}, "spark.submit.deployMode=cluster in " + defaults},
		{"the environment", plain, "DEPLOY_MODE=cluster", []string{"spark-submit", "job.py"}, "DEPLOY_MODE=cluster"},
		{"arguments of pyspark", plain, "PYSPARK_SUBMIT_ARGS=--deploy-mode cluster pyspark-shell", []string{"python", "job.py"}, "PYSPARK_SUBMIT_ARGS: --deploy-mode cluster"},
		{"a setting of pyspark", plain, "PYSPARK_SUBMIT_ARGS=--conf spark.submit.deployMode=cluster pyspark-shell", []string{"python"}, "PYSPARK_SUBMIT_ARGS: --conf spark.submit.deployMode=cluster"},

		{"nothing", plain, "", []string{"spark-submit", "job.py"}, ""},
		{"the last option", plain, "", []string{"spark-submit", "--deploy-mode", "cluster", "--deploy-mode", "client", "job.py"}, ""},
		{"an option before a setting", plain, "", []string{"spark-submit", "--deploy-mode", "client", "--conf", "spark.submit.deployMode=cluster", "job.py"}, ""},
		{"a setting before a file", plain, "", []string{"spark-submit", "--conf", "spark.submit.deployMode=client", "--properties-file", in, "job.py"}, ""},
		{"a file in place of the defaults", cluster, "", []string{"spark-submit", "--properties-file", without, "job.py"}, ""},
		{"a file before the defaults", cluster, "", []string{"spark-submit", "--load-spark-defaults", "--properties-file", client, "job.py"}, ""},
		{"the job's own arguments", plain, "", []string{"spark-submit", "job.py", "--deploy-mode", "cluster"}, ""},
		{"no Spark's arguments", cluster, "", []string{"deploy", "--deploy-mode", "cluster"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := withJar(t).Launch(t.Context(), test.command, []string{"SPARK_CONF_DIR=" + test.conf, test.env}, t.TempDir())
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, test.want+": Spark runs in the cluster, where a Collector can profile it (docs/use/fleet.md)")
		})
	}
}
