// Package loopback has what benches need to start servers of this machine: ports, and to wait until
// one answers.
package loopback

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Ports are n ports of 127.0.0.1, all different, that were free a moment ago.
func Ports(n int) ([]int, error) {
	var out []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer l.Close() // after all are found, so that they differ
		out = append(out, l.Addr().(*net.TCPAddr).Port)
	}
	return out, nil
}

// Await waits until a URL answers 200, for half a minute at most.
func Await(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		if resp, err := http.Get(url); err == nil {
			resp.Body.Close() // only the status is of interest
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
	}
}
