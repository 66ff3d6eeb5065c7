{{- define "shared.text" -}}
from the child
{{- end -}}
