// Package loopback has what tests and benches need to start servers of this machine: ports, and to
// wait until one answers.
package loopback

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// first and end bound the ports that Ports gives out. They lie below the range from which Linux
// takes ports for connections and for listeners of port 0 (net.ipv4.ip_local_port_range, 32768 and
// up). A port of that range may be taken between its choice and its use.
const first, end = 20000, 32000

var (
	mu    sync.Mutex
	given = map[int]bool{}
)

// Ports are n ports of 127.0.0.1 at which nothing listens. A process gets each at most once. Safe
// for concurrent use.
func Ports(n int) ([]int, error) {
	mu.Lock()
	defer mu.Unlock()
	var out []int
	// Random, because other processes choose ports too.
	for _, i := range rand.Perm(end - first) {
		port := first + i
		if given[port] {
			continue
		}
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err != nil {
			continue // in use
		}
		if err := l.Close(); err != nil {
			return nil, err
		}
		given[port] = true
		if out = append(out, port); len(out) == n {
			return out, nil
		}
	}
	return nil, fmt.Errorf("only %d of %d ports are free in %d to %d", len(out), n, first, end-1)
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
