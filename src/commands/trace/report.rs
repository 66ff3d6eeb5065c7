//! Formats the report about an object and its sources as blocks of aligned lines.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;
use sluice_insight::fields::{at, text};
use sluice_insight::trace::Origin;
use sluice_object::Object;

/// Annotations of an artifact with its origin.
const ORIGINS: [(&str, &str); 2] = [
    ("Origin Revision", "org.opencontainers.image.revision"),
    ("Origin Source", "org.opencontainers.image.source"),
];

/// Lines of a report, each with a leading line feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    text: String,
}

/// A block of lines with aligned values.
struct Block<'r> {
    report: &'r mut Report,
    width: usize,
}

/// Owner of an object, whose kind changes the source's block.
#[derive(Clone, Copy)]
enum Owner {
    Kustomization,
    HelmRelease,
}

impl Report {
    /// Creates the report of an object and its origin.
    pub(super) fn of(object: &Object, origin: &Origin) -> Self {
        match origin {
            Origin::Kustomization { owner, source } => {
                of_kustomization(object, owner, source.as_ref())
            }
            Origin::HelmRelease {
                owner,
                chart,
                source,
            } => of_helm_release(object, owner, chart.as_ref(), source.as_ref()),
        }
    }

    /// Returns the whole report with a final line feed.
    pub(super) fn text(&self) -> String {
        format!("{}\n", self.text)
    }

    fn block(&mut self, width: usize) -> Block<'_> {
        Block {
            report: self,
            width,
        }
    }

    fn separate(&mut self) {
        self.text.push_str("\n---");
    }
}

impl Block<'_> {
    fn line(&mut self, label: &str, value: &str) {
        let (label, width) = (format!("{label}:"), self.width);
        let _ = write!(self.report.text, "\n{label:<width$}{value}");
    }

    fn optional(&mut self, label: &str, value: &str) {
        if !value.is_empty() {
            self.line(label, value);
        }
    }

    /// Adds time and message of the last reconciliation.
    fn status(&mut self, object: &Object, tells_failure: bool) {
        let conditions = at(object, "/status/conditions").and_then(Value::as_array);
        let ready = conditions
            .into_iter()
            .flatten()
            .find(|condition| condition["type"] == "Ready");
        let Some(ready) = ready else {
            return self.line("Status", "Unknown");
        };
        let field = |name: &str| ready[name].as_str().unwrap_or_default();
        let time = local(field("lastTransitionTime"), &TimeZone::system());
        let how = if tells_failure && field("status") == "False" {
            "Last reconciliation failed at"
        } else {
            "Last reconciled at"
        };
        self.line("Status", &format!("{how} {time}"));
        self.line("Message", field("message"));
    }

    /// Adds the revision of the artifact, if there is one.
    fn revision(&mut self, object: &Object) {
        if at(object, "/status/artifact").is_some() {
            self.line("Revision", text(object, "/status/artifact/revision"));
        }
    }

    /// Adds the origin of the artifact, with an empty line for each missing annotation.
    fn origins(&mut self, object: &Object) {
        let Some(metadata) = at(object, "/status/artifact/metadata").and_then(Value::as_object)
        else {
            return;
        };
        if metadata.is_empty() {
            return;
        }
        for (label, annotation) in ORIGINS {
            match metadata.get(annotation).and_then(Value::as_str) {
                Some(value) if !value.is_empty() => self.line(label, value),
                _ => self.report.text.push('\n'),
            }
        }
    }
}

/// Formats a time in the local zone like Go.
fn local(time: &str, zone: &TimeZone) -> String {
    time.parse::<Timestamp>().map_or_else(
        |_| time.to_owned(),
        |time| {
            time.to_zoned(zone.clone())
                .strftime("%Y-%m-%d %H:%M:%S %z %Z")
                .to_string()
        },
    )
}

fn begin(report: &mut Report, object: &Object, width: usize) {
    let mut block = report.block(width);
    block.line("Object", &format!("{}/{}", object.kind(), object.name()));
    block.optional("Namespace", object.namespace());
    block.line("Status", "Managed by Flux");
    report.separate();
}

fn of_kustomization(object: &Object, owner: &Object, source: Option<&Object>) -> Report {
    let mut report = Report::default();
    begin(&mut report, object, 17);
    let mut block = report.block(17);
    block.line("Kustomization", owner.name());
    block.line("Namespace", owner.namespace());
    block.optional("Target", text(owner, "/spec/targetNamespace"));
    block.line("Path", text(owner, "/spec/path"));
    block.line("Revision", text(owner, "/status/lastAppliedRevision"));
    block.status(owner, false);
    if let Some(source) = source {
        of_source(&mut report, source, Owner::Kustomization);
    }
    report
}

fn of_helm_release(
    object: &Object,
    owner: &Object,
    chart: Option<&Object>,
    source: Option<&Object>,
) -> Report {
    let mut report = Report::default();
    begin(&mut report, object, 16);
    let mut block = report.block(16);
    block.line("HelmRelease", owner.name());
    block.line("Namespace", owner.namespace());
    block.optional("Target", text(owner, "/spec/targetNamespace"));
    block.line("Revision", text(owner, "/status/lastAttemptedRevision"));
    block.status(owner, false);
    if let Some(chart) = chart {
        report.separate();
        let mut block = report.block(16);
        block.line("HelmChart", chart.name());
        block.line("Namespace", chart.namespace());
        block.line("Chart", text(chart, "/spec/chart"));
        block.line("Version", text(chart, "/spec/version"));
        block.revision(chart);
        block.status(chart, false);
    }
    if let Some(source) = source {
        of_source(&mut report, source, Owner::HelmRelease);
    }
    report
}

fn of_source(report: &mut Report, source: &Object, owner: Owner) {
    report.separate();
    let width = match (owner, source.kind()) {
        (Owner::HelmRelease, "HelmRepository") => 16,
        (Owner::HelmRelease, "GitRepository") => 15,
        _ => 17,
    };
    let mut block = report.block(width);
    block.line(source.kind(), source.name());
    block.line("Namespace", source.namespace());
    if source.kind() == "ExternalArtifact" {
        let of = |field: &str| text(source, &format!("/spec/sourceRef/{field}"));
        let origin = format!("{}/{}/{}", of("kind"), of("namespace"), of("name"));
        block.line("Source", &origin);
    } else {
        block.line("URL", text(source, "/spec/url"));
    }
    let last = match source.kind() {
        "GitRepository" => ("Branch", "branch"),
        _ => ("Digest", "digest"),
    };
    if ["GitRepository", "OCIRepository"].contains(&source.kind()) {
        let wanted = [("Tag", "tag"), ("Tag", "semver"), last]
            .map(|(label, field)| (label, text(source, &format!("/spec/ref/{field}"))));
        if let Some((label, value)) = wanted.iter().find(|(_, value)| !value.is_empty()) {
            block.line(label, value);
        }
    }
    block.revision(source);
    if matches!(owner, Owner::Kustomization) && source.kind() != "GitRepository" {
        block.origins(source);
    }
    block.status(source, source.kind() != "HelmRepository");
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    fn ready(status: &str, message: &str) -> Value {
        json!([{"type": "Ready", "status": status, "message": message,
            "lastTransitionTime": "2021-07-16T15:42:20Z"}])
    }

    #[test]
    fn times_have_the_form_of_go() {
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        assert_eq!(
            local("2021-07-16T15:42:20Z", &TimeZone::UTC),
            "2021-07-16 15:42:20 +0000 UTC"
        );
        assert!(local("2021-07-16T15:42:20Z", &zone).starts_with("2021-07-16 17:42:20 +0200 "));
        assert_eq!(local("soon", &zone), "soon");
    }

    #[test]
    fn artifact_origin_is_shown_for_kustomization_source() {
        let traced = object(
            json!({"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": {"name": "podinfo", "namespace": "apps"}}),
        );
        let owner = object(json!({"apiVersion": "kustomize.toolkit.fluxcd.io/v1",
            "kind": "Kustomization", "metadata": {"name": "infra", "namespace": "flux-system"},
            "spec": {"path": "./infra"}, "status": {"lastAppliedRevision": "main@sha1:69"}}));
        let source = object(json!({"apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "OCIRepository", "metadata": {"name": "fleet", "namespace": "flux-system"},
            "spec": {"url": "oci://example.com/fleet", "ref": {"tag": "1.2.3", "digest": "sha256:1"}},
            "status": {"artifact": {"revision": "1.2.3@sha256:db", "metadata": {
                "org.opencontainers.image.source": "https://example.com/fleet.git"}}}}));
        assert_eq!(
            of_kustomization(&traced, &owner, Some(&source)).text(),
            "\n\
             Object:          HelmRelease/podinfo\n\
             Namespace:       apps\n\
             Status:          Managed by Flux\n\
             ---\n\
             Kustomization:   infra\n\
             Namespace:       flux-system\n\
             Path:            ./infra\n\
             Revision:        main@sha1:69\n\
             Status:          Unknown\n\
             ---\n\
             OCIRepository:   fleet\n\
             Namespace:       flux-system\n\
             URL:             oci://example.com/fleet\n\
             Tag:             1.2.3\n\
             Revision:        1.2.3@sha256:db\n\
             \n\
             Origin Source:   https://example.com/fleet.git\n\
             Status:          Unknown\n"
        );
    }

    #[test]
    fn failing_source_is_reported_and_failing_owner_is_not() {
        let traced =
            object(json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}));
        let owner = object(
            json!({"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": {"name": "podinfo", "namespace": "apps"}, "spec": {"targetNamespace": "t"},
            "status": {"lastAttemptedRevision": "6.3.5", "conditions": ready("False", "no")}}),
        );
        let source = object(json!({"apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "GitRepository", "metadata": {"name": "fleet", "namespace": "flux-system"},
            "spec": {"url": "https://example.com", "ref": {"branch": "main"}},
            "status": {"conditions": ready("False", "gone")}}));
        let text = of_helm_release(&traced, &owner, None, Some(&source)).text();
        assert!(
            text.starts_with(
                "\nObject:         Namespace/a\nStatus:         Managed by Flux\n---\n\
             HelmRelease:    podinfo\nNamespace:      apps\nTarget:         t\n\
             Revision:       6.3.5\nStatus:         Last reconciled at "
            ),
            "{text}"
        );
        assert!(text.contains("\n---\nGitRepository: fleet\nNamespace:     flux-system\nURL:           https://example.com\nBranch:        main\nStatus:        Last reconciliation failed at "), "{text}");
        assert!(text.ends_with("\nMessage:       gone\n"), "{text}");
    }
}
