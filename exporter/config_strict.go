package exporter

import (
	"fmt"
	"reflect"

	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/confmap"
)

// clientKeys has the keys of the HTTP client's settings without their Unmarshal method.
type clientKeys confighttp.ClientConfig

// Unmarshal implements confmap.Unmarshaler. A squashed confighttp.ClientConfig makes the Collector
// accept any unknown key, at every depth (confmap v1.68, unmarshalerEmbeddedStructsHookFunc sets
// IgnoreUnused). So the keys are decoded a second time, strictly, into a struct of the same fields.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	if err := conf.Unmarshal(c); err != nil {
		return err
	}
	if err := confmap.NewFromStringMap(conf.ToStringMap()).Unmarshal(newKeys()); err != nil {
		return fmt.Errorf("unknown key: %w", err)
	}
	return nil
}

// newKeys returns a pointer to a struct with Config's fields, the client's without methods.
func newKeys() any {
	var fields []reflect.StructField
	for f := range reflect.TypeFor[Config]().Fields() {
		if f.Type == reflect.TypeFor[confighttp.ClientConfig]() {
			f.Type = reflect.TypeFor[clientKeys]()
		}
		fields = append(fields, f)
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}
