package usualcost

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/planflame/planflame/costmodel"
)

//go:embed model.json
var shipped []byte

// Shipped returns the model that planflame comes with, which bench/model fits. Callers share it and
// must not change it.
var Shipped = sync.OnceValue(func() *costmodel.Model {
	m, err := Parse("the shipped model", shipped)
	if err != nil {
		panic(err) // the build holds another version's: TestShipped fails
	}
	return m
})

// Parse reads a model's JSON; name names it in errors.
func Parse(name string, text []byte) (*costmodel.Model, error) {
	m := &costmodel.Model{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if m.Version != costmodel.Version {
		return nil, fmt.Errorf("%s: a model of version %d, not %d: fit it again", name, m.Version, costmodel.Version)
	}
	return m, nil
}
