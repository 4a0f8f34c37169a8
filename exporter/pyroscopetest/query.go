package pyroscopetest

import (
	"context"
	"fmt"
	"time"

	"connectrpc.com/connect"
	"github.com/google/pprof/profile"
	querierv1 "github.com/grafana/pyroscope/api/gen/proto/go/querier/v1"
	"github.com/grafana/pyroscope/api/gen/proto/go/querier/v1/querierv1connect"
	typesv1 "github.com/grafana/pyroscope/api/gen/proto/go/types/v1"
	"google.golang.org/protobuf/proto"
)

// CPU is the profile type of CPU time that planflame pushes.
const CPU = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"

// Query asks about one profile type and series selector over the last hour and the next ten
// minutes, all that a server takes.
type Query struct {
	Type     string // such as CPU
	Selector string // such as {service_name="x"}
	Tenant   string // "" for none
}

// LabelValues returns the values of a label in the series that match.
func (s *Server) LabelValues(ctx context.Context, q Query, label string) ([]string, error) {
	from, to := window()
	req := connect.NewRequest(&typesv1.LabelValuesRequest{
		Name: label, Matchers: []string{q.Selector}, Start: from.UnixMilli(), End: to.UnixMilli(),
	})
	q.authorize(req)
	resp, err := s.querier().LabelValues(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("label values of %s: %w", label, err)
	}
	return resp.Msg.Names, nil
}

// ProfileTypes returns the ids of the profile types that the server has.
func (s *Server) ProfileTypes(ctx context.Context, q Query) ([]string, error) {
	from, to := window()
	req := connect.NewRequest(&querierv1.ProfileTypesRequest{Start: from.UnixMilli(), End: to.UnixMilli()})
	q.authorize(req)
	resp, err := s.querier().ProfileTypes(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("profile types: %w", err)
	}
	var ids []string
	for _, t := range resp.Msg.ProfileTypes {
		ids = append(ids, t.ID)
	}
	return ids, nil
}

// Merged returns all profiles that match as one, and nil if there is none.
func (s *Server) Merged(ctx context.Context, q Query) (*profile.Profile, error) {
	from, to := window()
	req := connect.NewRequest(&querierv1.SelectMergeProfileRequest{
		ProfileTypeID: q.Type, LabelSelector: q.Selector, Start: from.UnixMilli(), End: to.UnixMilli(),
	})
	q.authorize(req)
	//lint:ignore SA1019 its successor, SelectMergeStacktraces in pprof format, gives nothing back from the v1 storage (1.21)
	resp, err := s.querier().SelectMergeProfile(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("merge %s%s: %w", q.Type, q.Selector, err)
	}
	if len(resp.Msg.Sample) == 0 {
		return nil, nil
	}
	raw, err := proto.Marshal(resp.Msg)
	if err != nil {
		return nil, fmt.Errorf("merge %s%s: %w", q.Type, q.Selector, err)
	}
	return profile.ParseData(raw)
}

// maxNodes is how many boxes a flame graph may have before the server folds the small ones into
// "other". The server's default (8,192) is too few to find an operator of one sample.
const maxNodes = 1 << 18

// FlameGraph returns the total of the merged flame graph and, by name, the total of all of its
// boxes of that name.
func (s *Server) FlameGraph(ctx context.Context, q Query) (total int64, boxes map[string]int64, err error) {
	from, to := window()
	req := connect.NewRequest(&querierv1.SelectMergeStacktracesRequest{
		ProfileTypeID: q.Type, LabelSelector: q.Selector, Start: from.UnixMilli(), End: to.UnixMilli(), MaxNodes: proto.Int64(maxNodes),
	})
	q.authorize(req)
	resp, err := s.querier().SelectMergeStacktraces(ctx, req)
	if err != nil {
		return 0, nil, fmt.Errorf("flame graph of %s%s: %w", q.Type, q.Selector, err)
	}
	graph := resp.Msg.Flamegraph
	boxes = map[string]int64{}
	for _, level := range graph.GetLevels() {
		// Four numbers a box: offset, total, self, index of the name.
		for i := 0; i+3 < len(level.Values); i += 4 {
			boxes[graph.Names[level.Values[i+3]]] += level.Values[i+1]
		}
	}
	return graph.GetTotal(), boxes, nil
}

func (q Query) authorize(req connect.AnyRequest) {
	if q.Tenant != "" {
		req.Header().Set("X-Scope-OrgID", q.Tenant)
	}
}

func (s *Server) querier() querierv1connect.QuerierServiceClient {
	return querierv1connect.NewQuerierServiceClient(httpClient, s.URL)
}

func window() (from, to time.Time) {
	now := time.Now()
	return now.Add(-time.Hour), now.Add(10 * time.Minute)
}
