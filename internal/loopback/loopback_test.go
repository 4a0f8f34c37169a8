package loopback_test

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planflame/planflame/internal/loopback"
)

// A connection of this machine must not be able to take a port between its choice and its use.
func TestPortsAreFreeDifferentAndNoConnections(t *testing.T) {
	seen := map[int]bool{}
	for range 20 {
		ports, err := loopback.Ports(3)
		require.NoError(t, err)
		require.Len(t, ports, 3)
		for _, port := range ports {
			require.False(t, seen[port], "port %d was given twice", port)
			seen[port] = true
			require.Less(t, port, 32768)
			l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, l.Close()) })
		}
	}
}
