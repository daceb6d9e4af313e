{{/* Scales the executors of one pool. Takes root, pool and spec. docs/decisions/0080 says why demand is the default source. */}}
{{- define "planwright.scaledObject" -}}
{{- $root := .root -}}
{{- $scaling := .spec.autoscaling -}}
{{- $source := $root.Values.autoscaling.source -}}
{{- $target := max 1 (div (mul (int .spec.concurrency) (int $scaling.targetPercent)) 100) -}}
{{- $metric := printf "planwright_pool_demand{pool=\"%s\"}" .pool -}}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: planwright-executor-{{ .pool }}
  labels:
    {{- include "planwright.labels" (dict "root" $root "component" "executor" "pool" .pool) | nindent 4 }}
spec:
  scaleTargetRef:
    name: planwright-executor-{{ .pool }}
  pollingInterval: {{ $root.Values.autoscaling.pollingSeconds }}
  cooldownPeriod: {{ $root.Values.autoscaling.cooldownSeconds }}
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleDown:
          stabilizationWindowSeconds: {{ $root.Values.autoscaling.cooldownSeconds }}
  triggers:
    {{- if eq $source "gateway" }}
    - type: metrics-api
      metricType: AverageValue
      metadata:
        url: {{ printf "http://planwright-gateway.%s.svc:%d/metrics" $root.Release.Namespace (int $root.Values.service.port) }}
        format: prometheus
        valueLocation: {{ $metric | squote }}
        targetValue: {{ $target | quote }}
        authMode: bearer
      authenticationRef:
        name: planwright-metrics
    {{- else if eq $source "prometheus" }}
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ required "autoscaling.prometheusUrl: set the address of Prometheus, or another autoscaling.source" $root.Values.autoscaling.prometheusUrl | quote }}
        # Every gateway adds up all planners: the maximum, not the sum.
        query: {{ printf "max(%s)" $metric | squote }}
        threshold: {{ $target | quote }}
    {{- else }}
    - type: nats-jetstream
      metricType: AverageValue
      metadata:
        # The headless Service: KEDA puts the name of the pod that leads the consumer in front of it.
        natsServerMonitoringEndpoint: {{ printf "%s-headless.%s.svc:%d" $root.Values.nats.fullnameOverride $root.Release.Namespace (int $root.Values.nats.config.monitor.port) }}
        account: $G
        stream: WORK
        consumer: pool-{{ .pool }}
        lagThreshold: {{ $target | quote }}
    {{- end }}
{{- end }}
