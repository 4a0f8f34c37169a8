package chart_test

import (
	"crypto/tls"
	"crypto/x509"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checkCertificate holds the chart's own certificate against the name that nodes dial.
func checkCertificate(t *testing.T, secret map[string][]byte, name string) {
	t.Helper()
	pair, err := tls.X509KeyPair(secret["tls.crt"], secret["tls.key"])
	require.NoError(t, err)
	cert, err := x509.ParseCertificate(pair.Certificate[0])
	require.NoError(t, err)
	authorities := x509.NewCertPool()
	require.True(t, authorities.AppendCertsFromPEM(secret["ca.crt"]))
	_, err = cert.Verify(x509.VerifyOptions{DNSName: name, Roots: authorities})
	assert.NoError(t, err)
}
