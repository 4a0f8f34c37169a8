package sparkconf

import (
	"fmt"
	"strings"
)

// flags are the options of spark-submit without a value
// (org.apache.spark.launcher.SparkSubmitOptionParser, 3.5 and 4.x), and the options of spark-sql
// (Hive's OptionsProcessor).
var flags = map[string]bool{
	"--help": true, "-h": true, "--supervise": true, "--usage-error": true, "--verbose": true, "-v": true, "--version": true,
	"--load-spark-defaults": true, "--remote-only": true, "-S": true, "--silent": true, "-H": true,
}

// SubmitArgs rewrites the arguments of spark-submit (or spark-shell, spark-sql, pyspark) so that
// options which would hide our additions carry them. copyFile makes the merged copy of a
// --properties-file and returns its path. Arguments from the application on stay.
func (a Additions) SubmitArgs(args []string, copyFile func(path string) (string, error)) ([]string, error) {
	return mapOptions(args, func(name, value string) (string, error) { return a.option(name, value, copyFile) })
}

// mapOptions returns the arguments of spark-submit with another value for each option that has one.
func mapOptions(args []string, f func(name, value string) (string, error)) ([]string, error) {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if !strings.HasPrefix(arg, "-") {
			return append(out, args[i:]...), nil
		}
		if flags[arg] {
			out = append(out, arg)
			continue
		}
		name, value, joined := strings.Cut(arg, "=")
		if !joined || !strings.HasPrefix(name, "--") {
			if i+1 == len(args) {
				return append(out, arg), nil // spark-submit itself will complain
			}
			i++
			name, value, joined = arg, args[i], false
		}
		value, err := f(name, value)
		if err != nil {
			return nil, err
		}
		if joined {
			out = append(out, name+"="+value)
		} else {
			out = append(out, name, value)
		}
	}
	return out, nil
}

// option merges the value of one option of spark-submit.
func (a Additions) option(name, value string, copyFile func(string) (string, error)) (string, error) {
	switch name {
	case "--jars":
		return appendItem(value, a.Jar), nil
	case "--conf", "-c":
		key, v, ok := strings.Cut(value, "=")
		if !ok {
			return value, nil
		}
		if merged, ours := a.merged(key, v); ours {
			return key + "=" + merged, nil
		}
	case "--properties-file":
		copied, err := copyFile(value)
		if err != nil {
			return "", fmt.Errorf("--properties-file %s: %w", value, err)
		}
		return copied, nil
	}
	return value, nil
}

// submitArgsLine is SubmitArgs for PYSPARK_SUBMIT_ARGS, which pyspark splits as a shell does.
func (a Additions) submitArgsLine(line string, copyFile func(string) (string, error)) (string, error) {
	words := splitShell(line)
	if err := refuseCluster(words, "", nil); err != nil {
		return "", err
	}
	args, err := a.SubmitArgs(words, copyFile)
	if err != nil {
		return "", err
	}
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = Quote(arg)
	}
	return strings.Join(quoted, " "), nil
}

// splitShell splits as Python's shlex.split does: no escapes within single quotes, only \" and \\
// within double quotes.
func splitShell(line string) []string {
	var out []string
	var word strings.Builder
	inWord, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line) && (quote == 0 || line[i+1] == '"' || line[i+1] == '\\'):
			i++
			word.WriteByte(line[i])
			inWord = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			inWord, quote = true, c
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				out = append(out, word.String())
				word.Reset()
				inWord = false
			}
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	if inWord {
		out = append(out, word.String())
	}
	return out
}

// Quote quotes a word for a shell, if it needs to be.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\r\n'\"\\$`!*?[]{}()<>|&;#~") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}
