package sparkprofile

import (
	"fmt"

	"github.com/planflame/planflame/sampler"
)

// samplerDefaults sets what the sampler has a default of its own for, so that there is one place that says it. RingPages stays 0: the
// sampler sizes rings by the rate.
func samplerDefaults(c *Config) {
	c.SamplingHz = hz(sampler.DefaultBasePeriod)
	c.ScanInterval = sampler.DefaultScanInterval
	c.DrainInterval = sampler.DefaultDrainInterval
	c.StackBytes = sampler.DefaultStackBytes
}

// settings are the sampler's.
func (c *Config) settings() (sampler.Settings, error) {
	policy, err := sampler.ParsePolicy(c.Mode)
	if err != nil {
		return sampler.Settings{}, fmt.Errorf("mode: %w", err)
	}
	stack := c.StackBytes
	if stack == 0 {
		stack = -1 // in the sampler's settings 0 is the default
	}
	return sampler.Settings{
		Mode: policy, BasePeriod: c.period(), StackBytes: stack, RingPages: c.RingPages, ScanInterval: c.ScanInterval, DrainInterval: c.DrainInterval,
	}, nil
}
