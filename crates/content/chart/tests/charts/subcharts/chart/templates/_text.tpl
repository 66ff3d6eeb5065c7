{{- define "shared.text" -}}
from the parent for {{ .Chart.Name }}
{{- end -}}
