package selector

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func pattern(t *testing.T, text string) Pattern {
	t.Helper()
	p, err := Parse(text)
	require.NoError(t, err)
	return p
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"nightly", "nightly", true},
		{"nightly", "nightly-2", false},
		{"nightly-*", "nightly-", true},
		{"*kubepods*spark*", "/kubepods.slice/pod7/spark-1.scope", true},
		{"/kubepods/*", "/../kubepods/x", false},
		{"a.c", "abc", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"a?c", "aöc", true},
		{"[ab]", "a", false},
		{"[ab]", "[ab]", true},
		{"*", "", true},
		{"*", "two\nlines", true},
		{`\d`, "7", false},
	} {
		assert.Equal(t, c.want, pattern(t, c.pattern).Matches(c.text), "%q against %q", c.pattern, c.text)
	}
	_, err := Parse("")
	assert.Error(t, err)
	assert.False(t, Pattern{}.Matches(""))
}

func TestJudge(t *testing.T) {
	uid := func(ids ...int) Rule { return Rule{UIDs: ids} }
	cgroup := func(text string) Rule { return Rule{Cgroups: []Pattern{pattern(t, text)}} }
	application := func(texts ...string) (r Rule) {
		for _, text := range texts {
			r.Applications = append(r.Applications, pattern(t, text))
		}
		return r
	}
	label := func(pairs ...string) Rule {
		r := Rule{Labels: map[string]Pattern{}}
		for i := 0; i < len(pairs); i += 2 {
			r.Labels[pairs[i]] = pattern(t, pairs[i+1])
		}
		return r
	}
	both := Rule{UIDs: []int{185}, Applications: []Pattern{pattern(t, "nightly-*")}}
	list := func(r ...Rule) []Rule { return r }
	app := &Application{Name: "nightly-7", Labels: map[string]string{"team": "risk", "tenant": "t3"}}
	for _, c := range []struct {
		name             string
		include, exclude []Rule
		early, then      Verdict // before the application is known, and with it
		unknown          Verdict // the JVM does not say it
	}{
		{"nothing is asked", nil, nil, Yes, Yes, Yes},
		{"a rule without keys", list(Rule{}), nil, Yes, Yes, Yes},
		{"its user", list(uid(7, 185)), nil, Yes, Yes, Yes},
		{"another user", list(uid(7, 9)), nil, No, No, No},
		{"one of its cgroups", list(cgroup("/yarn/*")), nil, Yes, Yes, Yes},
		{"another cgroup", list(cgroup("/yarn")), nil, No, No, No},
		{"one of two rules", list(uid(9), cgroup("/*")), nil, Yes, Yes, Yes},
		{"its name", list(application("daily", "nightly-?")), nil, Later, Yes, No},
		{"another name", list(application("daily")), nil, Later, No, No},
		{"its label", list(label("team", "r*")), nil, Later, Yes, No},
		{"both labels", list(label("team", "risk", "tenant", "t?")), nil, Later, Yes, No},
		{"one label of two", list(label("team", "risk", "tenant", "t4")), nil, Later, No, No},
		{"a label that it lacks", list(label("owner", "*")), nil, Later, No, No},
		{"its user and its name", list(both), nil, Later, Yes, No},
		{"not its user decides early", list(Rule{UIDs: []int{9}, Applications: both.Applications}), nil, No, No, No},
		{"one rule is sure, the other not", list(uid(185), application("daily")), nil, Yes, Yes, Yes},
		{"excluded by user", nil, list(uid(185)), No, No, No},
		{"excluded, though included", list(uid(185)), list(cgroup("*")), No, No, No},
		{"excluded by name", list(uid(185)), list(application("nightly*")), Later, No, Yes},
		{"not excluded by name", nil, list(application("daily")), Later, Yes, Yes},
		{"excluded by label", nil, list(label("tenant", "t3")), Later, No, Yes},
		{"not included: what excludes does not matter", list(uid(9)), list(application("daily")), No, No, No},
	} {
		r := &Rules{Include: c.include, Exclude: c.exclude}
		p := Process{UID: 185, Cgroups: []string{"/", "/yarn/container_2"}}
		assert.Equal(t, c.early, r.Judge(p, nil), "%s, early", c.name)
		assert.Equal(t, c.then, r.Judge(p, app), c.name)
		assert.Equal(t, c.unknown, r.Judge(p, &Application{Unknown: true}), "%s, unknown", c.name)
		assert.Equal(t, c.early == Later, r.NeedApplication() && r.Judge(p, nil) == Later, c.name)
	}
	assert.Equal(t, Yes, (*Rules)(nil).Judge(Process{}, nil))
	assert.False(t, (*Rules)(nil).NeedApplication())
	assert.True(t, (&Rules{Exclude: list(uid(1), label("a", "b"))}).NeedLabels())
	assert.False(t, (&Rules{Include: list(application("a"))}).NeedLabels())
}

func TestParseApplication(t *testing.T) {
	app, err := ParseApplication([]byte(`{"application_id": "app-1", "application_name": "nightly-7", "labels": {"team": "risk", "spark.x": "reserved"},
		"environment": {"OTEL_RESOURCE_ATTRIBUTES": "team=other,tenant=t%2C3", "OTEL_SERVICE_NAME": "s"}}`))
	require.NoError(t, err)
	assert.Equal(t, Application{Name: "nightly-7", Labels: map[string]string{"team": "risk", "tenant": "t,3"}}, app)
	app, err = ParseApplication([]byte(`{"environment": {"OTEL_RESOURCE_ATTRIBUTES": "nothing good"}}`))
	require.NoError(t, err)
	assert.Equal(t, Application{Labels: map[string]string{}}, app)
	_, err = ParseApplication([]byte(`{"application_name`))
	assert.ErrorContains(t, err, "decode application")
}
