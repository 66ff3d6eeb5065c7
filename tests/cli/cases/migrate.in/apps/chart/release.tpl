{{- if .Values.enabled }}
apiVersion: helm.toolkit.fluxcd.io/v2beta2
kind: HelmRelease
metadata:
  name: {{ .Release.Name }}
{{- end }}
