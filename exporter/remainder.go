package exporter

import "go.opentelemetry.io/collector/pdata/pprofile"

// remainder gathers what of a request was not stored. The request itself is not changed: others may
// read it.
type remainder struct {
	cause error
	data  pprofile.Profiles

	fromResource pprofile.ResourceProfiles
	fromScope    pprofile.ScopeProfiles
	toResource   pprofile.ResourceProfiles
	toScope      pprofile.ScopeProfiles
}

func newRemainder(pd pprofile.Profiles, cause error) *remainder {
	r := &remainder{cause: cause, data: pprofile.NewProfiles()}
	pd.Dictionary().CopyTo(r.data.Dictionary())
	return r
}

// keep copies a profile with the samples that unsent names; nil means all.
func (r *remainder) keep(rp pprofile.ResourceProfiles, sp pprofile.ScopeProfiles, p pprofile.Profile, unsent func(i int) bool) {
	if r.data.ResourceProfiles().Len() == 0 || r.fromResource != rp {
		r.fromResource, r.fromScope = rp, pprofile.ScopeProfiles{}
		r.toResource = r.data.ResourceProfiles().AppendEmpty()
		rp.Resource().CopyTo(r.toResource.Resource())
		r.toResource.SetSchemaUrl(rp.SchemaUrl())
	}
	if r.fromScope != sp {
		r.fromScope = sp
		r.toScope = r.toResource.ScopeProfiles().AppendEmpty()
		sp.Scope().CopyTo(r.toScope.Scope())
		r.toScope.SetSchemaUrl(sp.SchemaUrl())
	}
	to := r.toScope.Profiles().AppendEmpty()
	p.CopyTo(to)
	if unsent == nil {
		return
	}
	i := -1
	to.Samples().RemoveIf(func(pprofile.Sample) bool {
		i++
		return !unsent(i)
	})
}
