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
