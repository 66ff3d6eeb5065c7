//! The generated charts, which are deterministic.

use std::fmt::Write as _;
use std::path::Path;

use sluice_system::fs;

/// Applications of the large chart. Each renders to 3.5 kB.
const LARGE: usize = 1_000;
/// Template files of the large chart.
const FILES: usize = 40;

const HELPERS: &str = r#"{{- define "app.fullname" -}}
{{- printf "%s-%s" .release .name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "app.labels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .release }}
{{- with .app.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "app.all" -}}
{{- $full := include "app.fullname" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $full }}
  labels:
    {{- include "app.labels" . | nindent 4 }}
  annotations:
    checksum/config: {{ .app.config | toJson | sha256sum }}
spec:
  replicas: {{ .app.replicas | default 1 | int }}
  selector:
    matchLabels:
      app.kubernetes.io/name: {{ .name }}
  template:
    metadata:
      labels:
        {{- include "app.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ $full }}
      {{- with .app.securityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: "{{ .app.image.repository }}:{{ .app.image.tag | default "latest" }}"
          {{- if .app.args }}
          args:
            {{- range .app.args }}
            - {{ tpl . $.root | quote }}
            {{- end }}
          {{- end }}
          ports:
            - name: http
              containerPort: {{ .app.port | int }}
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
          envFrom:
            - configMapRef:
                name: {{ $full }}
          resources:
            {{- toYaml .app.resources | nindent 12 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $full }}
  labels:
    {{- include "app.labels" . | nindent 4 }}
spec:
  type: ClusterIP
  ports:
    - port: 80
      targetPort: http
      protocol: TCP
      name: http
  selector:
    app.kubernetes.io/name: {{ .name }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $full }}
  labels:
    {{- include "app.labels" . | nindent 4 }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $full }}
  labels:
    {{- include "app.labels" . | nindent 4 }}
data:
  {{- range $key, $value := .app.config }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
{{- if .app.ingress }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ $full }}
  labels:
    {{- include "app.labels" . | nindent 4 }}
spec:
  rules:
    - host: {{ printf "%s.%s" .name .app.domain }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ $full }}
                port:
                  name: http
{{- end }}
{{- end }}
"#;

const VALUES: &str = r#"app:
  replicas: 2
  image: {repository: registry.example.com/team/app, tag: v1.2.3}
  domain: example.com
  port: 8080
  ingress: true
  labels: {team: platform, tier: backend, environment: production}
  args: ["--listen=:8080", "--release={{ .Release.Name }}", "--level=info"]
  securityContext: {runAsNonRoot: true, runAsUser: 1000, fsGroup: 2000}
  resources:
    limits: {cpu: 500m, memory: 256Mi}
    requests: {cpu: 100m, memory: 128Mi}
  config:
    DATABASE_HOST: db.example.com
    DATABASE_PORT: "5432"
    FEATURES: "alpha,beta,gamma"
    LOG_FORMAT: json
    LOG_LEVEL: info
    TIMEOUT: 30s
"#;

/// Writes a chart of two applications, which renders to 7 kB.
pub(super) fn small(root: &Path) -> Result<(), fs::Error> {
    chart(root, 1, 2)
}

/// Writes a chart of a thousand applications, which renders to 3.5 MB.
pub(super) fn large(root: &Path) -> Result<(), fs::Error> {
    chart(root, FILES, LARGE)
}

/// Writes a chart with applications in a number of template files.
fn chart(root: &Path, files: usize, apps: usize) -> Result<(), fs::Error> {
    fs::create_dir_all(root.join("templates"))?;
    let metadata = "apiVersion: v2\nname: apps\nversion: 1.0.0\nappVersion: v1.2.3\n";
    fs::write(root.join("Chart.yaml"), metadata)?;
    fs::write(root.join("values.yaml"), VALUES)?;
    fs::write(root.join("templates/_helpers.tpl"), HELPERS)?;
    for file in 0..files {
        let mut text = String::new();
        for app in (0..apps).filter(|app| app % files == file) {
            let _ = writeln!(
                text,
                "---\n{{{{ include \"app.all\" (dict \"name\" \"app-{app:04}\" \"release\" \
                 .Release.Name \"app\" .Values.app \"root\" $) }}}}"
            );
        }
        fs::write(root.join(format!("templates/apps-{file:02}.yaml")), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sluice_chart::load::{self, Limits, Links};
    use sluice_chart::{TemplateOptions, Values, template};

    #[test]
    fn small_chart_renders_to_seven_kilobytes() {
        let root = tempfile::tempdir().unwrap();
        super::small(root.path()).unwrap();
        let chart = load::path(root.path(), Links::Inside, &Limits::default()).unwrap();
        let rendered = template(chart, &Values::new(), &TemplateOptions::default(), None);
        let size = rendered.unwrap().to_text().len();
        assert!((6_000..8_000).contains(&size), "{size}");
    }
}
