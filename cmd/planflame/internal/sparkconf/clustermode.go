package sparkconf

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keyDeployMode says where the driver runs, as --deploy-mode does.
const keyDeployMode = "spark.submit.deployMode"

// envDeployMode is the place that Spark asks last.
const envDeployMode = "DEPLOY_MODE"

// refuseCluster returns an error that names the setting by which spark-submit would start the
// driver in a cluster. conf is the configuration folder, "" if none counts. The places are in
// Spark's order: the first that has a mode wins (org.apache.spark.deploy.SparkSubmitArguments, 3.5
// and 4.x).
func refuseCluster(args []string, conf string, environ []string) error {
	var option, setting, file, defaults string
	_, err := mapOptions(args, func(name, value string) (string, error) {
		switch name {
		case "--deploy-mode":
			option = value
		case "--conf", "-c":
			if mode, ok := strings.CutPrefix(value, keyDeployMode+"="); ok {
				setting = mode
			}
		case "--properties-file":
			file = value
		}
		return value, nil
	})
	if err != nil {
		return err
	}
	if conf != "" && (file == "" || slices.Contains(args, "--load-spark-defaults")) {
		defaults = filepath.Join(conf, defaultsFile)
	}
	env, _ := getEnv(environ, envDeployMode)
	for _, place := range []struct{ mode, name string }{
		{option, "--deploy-mode cluster"},
		{setting, "--conf " + keyDeployMode + "=cluster"},
		{deployModeIn(file), keyDeployMode + "=cluster in " + file},
		{deployModeIn(defaults), keyDeployMode + "=cluster in " + defaults},
		{env, envDeployMode + "=cluster"},
	} {
		if place.mode == "cluster" {
			return fmt.Errorf("%s: Spark runs in the cluster, where a Collector can profile it (docs/use/fleet.md)", place.name)
		}
		if place.mode != "" {
			break
		}
	}
	return nil
}

// deployModeIn is the deploy mode of a properties file. It is "" if the file has none or cannot be
// read, which Additions.File or Spark reports.
func deployModeIn(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	properties, err := parseProperties(string(text))
	if err != nil {
		return ""
	}
	return properties[keyDeployMode]
}
