{{- define "common.labels" -}}
app: {{ .Chart.Name }}
{{- with .Values.extra }}
{{ toYaml . }}
{{- end }}
{{- end -}}
{{- define "common.merge" -}}
{{- $over := fromYaml (include (index . 2) (index . 0)) -}}
{{- toYaml (merge $over (fromYaml (include (index . 1) (index . 0)))) -}}
{{- end -}}
