package exporter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	pyroscopego "github.com/grafana/pyroscope-go"
	"go.uber.org/zap"

	"github.com/planflame/planflame/exporter/push"
)

// selfProfiler profiles this process into the exporter's own server, over the exporter's HTTP
// client. A Go process has one CPU profiler: at most one exporter of a Collector may turn it on.
type selfProfiler struct{ profiler *pyroscopego.Profiler }

// selfProfiling is true while an exporter profiles this process: Go has one CPU profiler a process.
var selfProfiling atomic.Bool

// selfProfilePeriod is how often the Collector's own profile is sent.
const selfProfilePeriod = 15 * time.Second

// startSelfProfile begins to profile this process. No push of a profile outlasts ctx.
func startSelfProfile(ctx context.Context, config *Config, client *http.Client, log *zap.Logger) (*selfProfiler, error) {
	if !selfProfiling.CompareAndSwap(false, true) {
		return nil, errors.New("another exporter of this Collector profiles it already: enable it in one of them")
	}
	tags := map[string]string{}
	for _, labels := range []map[string]string{config.Series.Static, config.SelfProfile.Labels} {
		for name, value := range labels {
			if name != push.LabelServiceName {
				tags[name] = value
			}
		}
	}
	profiler, err := pyroscopego.Start(pyroscopego.Config{
		ApplicationName: config.SelfProfile.ServiceName,
		Tags:            tags,
		ServerAddress:   config.ClientConfig.Endpoint,
		UploadRate:      selfProfilePeriod,
		ProfileTypes: []pyroscopego.ProfileType{
			pyroscopego.ProfileCPU, pyroscopego.ProfileInuseSpace, pyroscopego.ProfileAllocSpace,
		},
		DisableGCRuns: true,
		HTTPClient:    ending{ctx, client},
		Logger:        selfLog{log.Named("self_profile").Sugar()},
	})
	if err != nil {
		selfProfiling.Store(false)
		return nil, fmt.Errorf("start: %w", err)
	}
	return &selfProfiler{profiler: profiler}, nil
}

// stop sends what is left and waits for it, until the context of startSelfProfile ends.
func (s *selfProfiler) stop() error {
	defer selfProfiling.Store(false)
	return s.profiler.Stop()
}

// ending is an HTTP client whose requests end with ctx. Requests of pyroscope-go have no context.
type ending struct {
	ctx    context.Context
	client *http.Client
}

// Do implements remote.HTTPClient.
func (e ending) Do(req *http.Request) (*http.Response, error) {
	return e.client.Do(req.WithContext(e.ctx))
}

// selfLog passes on pyroscope-go's log; its chatter on every upload is debug.
type selfLog struct{ *zap.SugaredLogger }

// Infof logs at debug level.
func (l selfLog) Infof(format string, args ...any) { l.Debugf(format, args...) }
