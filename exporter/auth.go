package exporter

import "net/http"

// tenantHeader names the tenant in Grafana's databases.
const tenantHeader = "X-Scope-OrgID"

// authorized adds the tenant and the convenience authentications to each request.
type authorized struct {
	next   http.RoundTripper
	config *Config
}

// RoundTrip implements http.RoundTripper.
func (a *authorized) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	if a.config.Tenant != "" {
		req.Header.Set(tenantHeader, a.config.Tenant)
	}
	switch {
	case a.config.BasicAuth.Username != "":
		req.SetBasicAuth(a.config.BasicAuth.Username, string(a.config.BasicAuth.Password))
	case a.config.BearerToken != "":
		req.Header.Set("Authorization", "Bearer "+string(a.config.BearerToken))
	}
	return a.next.RoundTrip(req)
}
