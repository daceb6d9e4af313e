{{/* One release per namespace: users, streams and Secrets have fixed names. */}}
{{- define "planwright.labels" -}}
{{ include "planwright.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Labels that select the pods of one component; without a component, all pods of Planwright and none of NATS. */}}
{{- define "planwright.selector" -}}
app.kubernetes.io/name: planwright
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- with .pool }}
planwright/pool: {{ . }}
{{- end }}
{{- end }}

{{- define "planwright.natsSelector" -}}
app.kubernetes.io/name: nats
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: nats
{{- end }}

{{- define "planwright.image" -}}
{{- $image := .Values.image -}}
{{- $name := required "image.repository: set it to the repository that the image was pushed to, such as registry.example.com/planwright" $image.repository -}}
{{- if $image.digest -}}
{{ printf "%s@%s" $name $image.digest }}
{{- else -}}
{{ printf "%s:%s" $name ($image.tag | default .Chart.AppVersion) }}
{{- end -}}
{{- end }}

{{/* The names of the NATS pods, as their headless Service resolves them: a client knows only the servers that it is given. */}}
{{- define "planwright.natsHosts" -}}
{{- $nats := .Values.nats -}}
{{- $hosts := list -}}
{{- $count := ternary (int $nats.config.cluster.replicas) 1 $nats.config.cluster.enabled -}}
{{- range $index := until $count -}}
{{- $hosts = append $hosts (printf "%s-%d.%s-headless" $nats.fullnameOverride $index $nats.fullnameOverride) -}}
{{- end -}}
{{- toJson $hosts -}}
{{- end }}

{{- define "planwright.natsUrl" -}}
{{- if .Values.nats.enabled -}}
{{- $urls := list -}}
{{- range include "planwright.natsHosts" . | fromJsonArray -}}
{{- $urls = append $urls (printf "%s://%s:%d" (ternary "tls" "nats" $.Values.nats.config.nats.tls.enabled) . (int $.Values.nats.config.nats.port)) -}}
{{- end -}}
{{- join "," $urls -}}
{{- else -}}
{{- required "externalNats.urls: name the servers, or set nats.enabled" (join "," .Values.externalNats.urls) -}}
{{- end -}}
{{- end }}

{{- define "planwright.natsMonitorUrl" -}}
{{- if .Values.nats.enabled -}}
{{- $urls := list -}}
{{- range include "planwright.natsHosts" . | fromJsonArray -}}
{{- $urls = append $urls (printf "http://%s:%d" . (int $.Values.nats.config.monitor.port)) -}}
{{- end -}}
{{- join "," $urls -}}
{{- else -}}
{{- required "externalNats.monitorUrls: name the monitoring interfaces, which the probes read" (join "," .Values.externalNats.monitorUrls) -}}
{{- end -}}
{{- end }}

{{/* On how many servers each message is kept. */}}
{{- define "planwright.natsReplicas" -}}
{{- if .Values.streams.replicas -}}
{{- int .Values.streams.replicas -}}
{{- else if .Values.nats.enabled -}}
{{- ternary (int .Values.nats.config.cluster.replicas) 1 .Values.nats.config.cluster.enabled -}}
{{- else -}}
3
{{- end -}}
{{- end }}

{{/* The environment by which a process logs in to NATS as the user whose seed is mounted. */}}
{{- define "planwright.natsEnv" -}}
- name: NATS_URL
  value: {{ include "planwright.natsUrl" . | quote }}
- name: NATS_NKEY_SEED
  value: /users/seed.nk
{{- with .Values.natsTls.caSecret }}
- name: NATS_TLS_CA
  value: /nats-tls/ca.crt
{{- end }}
{{- end }}

{{- define "planwright.natsMounts" -}}
- name: nats-user
  mountPath: /users
  readOnly: true
{{- if .Values.natsTls.caSecret }}
- name: nats-tls
  mountPath: /nats-tls
  readOnly: true
{{- end }}
{{- end }}

{{/* Takes root and user. */}}
{{- define "planwright.natsVolumes" -}}
- name: nats-user
  secret:
    secretName: {{ printf "planwright-nats-%s" .user }}
    defaultMode: 0440
{{- with .root.Values.natsTls.caSecret }}
- name: nats-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0444
    items:
      - key: ca.crt
        path: ca.crt
{{- end }}
{{- end }}

{{/* The account `node` of the image. */}}
{{- define "planwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "planwright.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
