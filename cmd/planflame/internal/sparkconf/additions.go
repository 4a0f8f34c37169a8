package sparkconf

import (
	"maps"
	"slices"
	"strings"
)

// Additions are what a configuration gets.
type Additions struct {
	Plugin        string   // a class for spark.plugins.defaultList
	Jar           string   // the file that holds the class
	DriverOptions []string // JVM options for spark.driver.defaultJavaOptions
	// JarKey is a key of the plugin's own for the path of Jar. With it the plugin gives its jar to
	// executors if a program sets spark.jars itself.
	JarKey string
	// Properties replace the user's values of their keys.
	Properties map[string]string
}

// Keys that Additions touch.
const (
	keyPlugins       = "spark.plugins.defaultList"
	keyJars          = "spark.jars"
	keyDriverOptions = "spark.driver.defaultJavaOptions"
)

// keys are the keys that Additions touch, in the order in which they are written.
func (a Additions) keys() []string {
	return append([]string{keyPlugins, keyJars, keyDriverOptions, a.JarKey}, slices.Sorted(maps.Keys(a.Properties))...)
}

// merged returns the value of a key after the addition. ok is false if the key is not one of ours.
func (a Additions) merged(key, value string) (_ string, ok bool) {
	switch key {
	case keyPlugins:
		return appendItem(value, a.Plugin), true
	case keyJars:
		return appendItem(value, a.Jar), true
	case keyDriverOptions:
		return appendOptions(value, a.DriverOptions), true
	case a.JarKey:
		return a.Jar, true
	}
	if own, ok := a.Properties[key]; ok {
		return own, true
	}
	return value, false
}

// appendItem adds an item to a comma-separated list unless it stands there.
func appendItem(list, item string) string {
	if item == "" {
		return list
	}
	trimmed := strings.TrimSpace(list)
	if trimmed == "" {
		return item
	}
	for old := range strings.SplitSeq(trimmed, ",") {
		if strings.TrimSpace(old) == item {
			return list
		}
	}
	return strings.TrimRight(trimmed, ",") + "," + item
}

// appendOptions adds JVM options to a line of options. An option that stands there already, also
// with the opposite sign or another value, is the user's choice and stays alone.
func appendOptions(line string, options []string) string {
	have := map[string]bool{}
	for _, o := range splitOptions(line) {
		have[optionName(o)] = true
	}
	out := strings.TrimSpace(line)
	for _, o := range options {
		if have[optionName(o)] {
			continue
		}
		if out != "" {
			out += " "
		}
		out += o
	}
	return out
}

// optionName is what tells a JVM option from others: -XX:+Foo, -XX:-Foo and -XX:Foo=1 are all Foo;
// -Da=b is -Da.
func optionName(o string) string {
	if flag, ok := strings.CutPrefix(o, "-XX:"); ok {
		flag = strings.TrimLeft(flag, "+-")
		name, _, _ := strings.Cut(flag, "=")
		return "-XX:" + name
	}
	if strings.HasPrefix(o, "-D") {
		name, _, _ := strings.Cut(o, "=")
		return name
	}
	return o
}

// splitOptions splits a line of options as Spark does
// (org.apache.spark.launcher.CommandBuilderUtils.parseOptionString): at white space, outside of
// quotes, with backslashes. An open quote ends with the line.
func splitOptions(line string) []string {
	var out []string
	var word strings.Builder
	inWord, quote, escaped := false, rune(0), false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\':
			inWord, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			inWord, quote = true, r
		case strings.ContainsRune(" \t\n\r\f", r):
			if inWord {
				out = append(out, word.String())
				word.Reset()
				inWord = false
			}
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if inWord {
		out = append(out, word.String())
	}
	return slices.Clip(out)
}
