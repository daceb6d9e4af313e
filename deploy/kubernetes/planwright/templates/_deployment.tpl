{{/*
One Deployment. Takes root, name, service (whose main script runs), pool, user (of NATS), replicas (absent: an autoscaler sets them),
spec (the service's values), settings, secrets (Secrets that are its environment), graceSeconds and probes.
*/}}
{{- define "planwright.deployment" -}}
{{- $root := .root -}}
{{- $ids := dict "root" $root "component" .service "pool" .pool -}}
{{- $sandbox := and (eq .service "executor") $root.Values.executor.wall.enabled -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- include "planwright.labels" $ids | nindent 4 }}
spec:
  {{- if not (kindIs "invalid" .replicas) }}
  replicas: {{ int .replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: RollingUpdate
    rollingUpdate:
      {{- toYaml .spec.rollingUpdate | nindent 6 }}
  selector:
    matchLabels:
      {{- include "planwright.selector" $ids | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "planwright.labels" $ids | nindent 8 }}
      annotations:
        # A change of a setting replaces the pods.
        planwright/settings: {{ toJson .settings | sha256sum }}
        {{- with .spec.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ $root.Values.serviceAccount.name }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .graceSeconds }}
      {{- if $sandbox }}
      hostUsers: false
      {{- end }}
      securityContext:
        {{- include "planwright.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .spec.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with .spec.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .spec.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "planwright.selector" $ids | nindent 14 }}
        {{- end }}
      containers:
        - name: {{ .service }}
          image: {{ include "planwright.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          command: [node, {{ printf "services/%s/src/main.ts" .service }}]
          env:
            {{- include "planwright.natsEnv" $root | nindent 12 }}
            - name: NATS_MONITOR_URL
              value: {{ include "planwright.natsMonitorUrl" $root | quote }}
            {{- range $name, $value := .settings }}
            - name: {{ $name }}
              value: {{ $value | toString | quote }}
            {{- end }}
          envFrom:
            {{- range .secrets }}
            - secretRef:
                name: {{ .name }}
                optional: {{ .optional }}
            {{- end }}
          {{- if eq .service "gateway" }}
          ports:
            - name: http
              containerPort: 8080
          lifecycle:
            # Until no Service sends connections here any more.
            preStop:
              sleep: { seconds: 5 }
          {{- end }}
          {{- toYaml .probes | nindent 10 }}
          resources:
            {{- toYaml .spec.resources | nindent 12 }}
          securityContext:
            {{- include "planwright.containerSecurity" $root | nindent 12 }}
            {{- if $sandbox }}
            procMount: Unmasked
            seccompProfile:
              {{- toYaml $root.Values.executor.wall.seccompProfile | nindent 14 }}
            {{- end }}
          volumeMounts:
            {{- include "planwright.natsMounts" $root | nindent 12 }}
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            {{- with .spec.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        {{- include "planwright.natsVolumes" (dict "root" $root "user" .user) | nindent 8 }}
        # What a service keeps here it can rebuild from the log.
        - name: data
          emptyDir:
            sizeLimit: {{ .spec.dataSize }}
        - name: tmp
          emptyDir:
            sizeLimit: {{ .spec.tmpSize }}
        {{- with .spec.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end }}

{{/*
Probes of a service without an HTTP interface: whether this pod's process is connected to NATS. Liveness does not count a server of NATS
that does not answer, so that an outage of NATS restarts nothing.
*/}}
{{- define "planwright.execProbes" -}}
startupProbe:
  exec:
    command: [node, deploy/healthcheck.ts, {{ . }}]
  periodSeconds: 5
  timeoutSeconds: 10
  failureThreshold: 36
readinessProbe:
  exec:
    command: [node, deploy/healthcheck.ts, {{ . }}]
  periodSeconds: 20
  timeoutSeconds: 10
  failureThreshold: 3
livenessProbe:
  exec:
    command: [node, deploy/healthcheck.ts, --live, {{ . }}]
  periodSeconds: 30
  timeoutSeconds: 10
  failureThreshold: 6
{{- end }}

{{- define "planwright.httpProbes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 90
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 3
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
