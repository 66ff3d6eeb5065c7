{{- define "web.labels" -}}
app: {{ .Chart.Name }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}
