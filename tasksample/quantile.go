package tasksample

import "math"

// normalQuantile is the value that a standard normal variable stays below with probability p, in (0, 1).
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// studentQuantile is that of Student's t with df > 0 degrees of freedom; +Inf df is the normal distribution.
func studentQuantile(p, df float64) float64 {
	if math.IsInf(df, 1) || df > 1e6 {
		return normalQuantile(p)
	}
	if p < 0.5 {
		return -studentQuantile(1-p, df)
	}
	// P(|T| > t) = I(df/(df+t²); df/2, 1/2).
	x := betaQuantile(2*(1-p), df/2, 0.5)
	return math.Sqrt(df * (1 - x) / x)
}

// betaQuantile inverts betaRegularized by bisection.
func betaQuantile(p, a, b float64) float64 {
	low, high := 0.0, 1.0
	for range 100 {
		mid := (low + high) / 2
		if betaRegularized(mid, a, b) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// betaRegularized is the regularised incomplete beta function I(x; a, b), by Lentz's continued fraction (Abramowitz and Stegun 26.5.8;
// Lentz, Applied Optics 15, 1976).
func betaRegularized(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // the fraction converges fast below its mean only
		return 1 - betaRegularized(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	return front * betaFraction(x, a, b)
}

func betaFraction(x, a, b float64) float64 {
	const tiny, enough = 1e-300, 1e-14
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/nonzero(1-(a+b)*x/(a+1))
	f := d
	for i := range 1000 {
		m := float64(i + 1)
		for _, numerator := range []float64{
			m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m)),
			-(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1)),
		} {
			d = 1 / nonzero(1+numerator*d)
			c = nonzero(1 + numerator/c)
			f *= c * d
		}
		if math.Abs(c*d-1) < enough {
			break
		}
	}
	return f
}
