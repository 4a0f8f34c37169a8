{{- define "planflame.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "planflame.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What selects the pods of a component: (list . "node"). It must not change between releases. */}}
{{- define "planflame.selector" -}}
app.kubernetes.io/name: planflame
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "planflame.labels" -}}
{{ include "planflame.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Credentials of Pyroscope, for whoever pushes: the gateway, or nodes without one. */}}
{{- define "planflame.pyroscopeEnv" -}}
- {name: PYROSCOPE_URL, value: {{ .Values.pyroscope.url | quote }}}
{{- with .Values.pyroscopeAuth.tenant }}
- {name: PYROSCOPE_TENANT, value: {{ . | quote }}}
{{- end }}
{{- with .Values.pyroscopeAuth.existingSecret }}
- name: PYROSCOPE_USERNAME
  valueFrom: {secretKeyRef: {name: {{ . }}, key: username}}
- name: PYROSCOPE_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ . }}, key: password}}
{{- end }}
{{- end }}

{{/* Where a Collector in a pod listens, and where it keeps what waits. */}}
{{- define "planflame.podEnv" -}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- {name: PLANFLAME_METRICS_HOST, value: $(POD_IP)}
- {name: PLANFLAME_HEALTH_ENDPOINT, value: ":13133"}
- {name: PLANFLAME_QUEUE_DIR, value: /var/lib/planflame-collector}
{{- end }}

{{/* limit_mib of a component's memory_limiter: (list "node" .Values.node.resources). It is five eighths of the container's limit: the memory_limiter refuses data above four fifths of that. */}}
{{- define "planflame.memoryEnv" -}}
{{- with ((index . 1).limits).memory }}
{{- $units := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 }}
{{- $unit := toString . | regexFind "([mkMGTP]|[KMGTP]i)?$" }}
{{- $mib := divf (mulf (toString . | trimSuffix $unit | float64) (get $units $unit) 0.625) 1048576 | int64 }}
{{- if lt $mib 1 }}{{ fail (printf "%s.resources.limits.memory: %v: want a quantity like 768Mi" (index $ 0) .) }}{{ end -}}
- {name: PLANFLAME_MEMORY_MIB, value: {{ $mib | quote }}}
{{- end }}
{{- end }}

{{/* A map as Kubernetes wants it, of texts alone: a value may be a number or a boolean to YAML. */}}
{{- define "planflame.texts" -}}
{{- $texts := dict }}
{{- range $key, $value := . }}
{{- $_ := set $texts $key (kindIs "float64" $value | ternary (int64 $value | toString) (toString $value)) }}
{{- end }}
{{- toYaml $texts }}
{{- end }}

{{/* The argument is the port that says whether a restart is needed. Readiness also hangs on what may mend itself, if the Collector's file says so. */}}
{{- define "planflame.probes" -}}
startupProbe:
  httpGet: {path: /, port: {{ . }}}
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: {path: /, port: {{ . }}}
  periodSeconds: 20
  timeoutSeconds: 5
readinessProbe:
  httpGet: {path: /, port: health}
  timeoutSeconds: 5
{{- end }}

{{- define "planflame.tlsSecret" -}}
{{ .Values.gateway.tls.existingSecret | default (printf "%s-gateway" (include "planflame.name" .)) }}
{{- end }}

{{- define "planflame.tokenSecret" -}}
{{ .Values.gateway.token.existingSecret | default (printf "%s-gateway" (include "planflame.name" .)) }}
{{- end }}
