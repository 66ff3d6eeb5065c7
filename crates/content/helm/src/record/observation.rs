//! The form of a release that Flux's digests cover.

use super::{Hook, Release, shape};
use sluice_chart::values::{Json, Values};

/// The event of test hooks. Users may run tests themselves, so digests do not cover them.
const TEST: &str = "test";

impl Hook {
    /// Whether the hook is a test.
    pub fn is_test(&self) -> bool {
        self.events.iter().any(|event| event == TEST)
    }
}

impl Release {
    /// The JSON of the parts of a release that Flux's digests cover, with a final line feed.
    ///
    /// Parity: `helm-controller: internal/release/observation.go`.
    pub fn observation(&self, oci_digest: Option<&str>) -> String {
        let metadata = self.chart.as_ref().and_then(|chart| chart.get("metadata"));
        let config = self.config.as_ref().filter(|config| !config.is_empty());
        let hooks = self.hooks.iter().filter(|hook| !hook.is_test());
        let hooks: Vec<Json> = hooks
            .map(|hook| Json::Object(hook.known_fields()))
            .collect();
        let mut info = self.info.to_object();
        info.retain(|name, _| !self.info.rest.contains_key(name) || name == "resources");
        let mut object = Values::new();
        object.insert("name".into(), (&*self.name).into());
        object.insert("version".into(), self.version.into());
        object.insert("info".into(), Json::Object(info));
        object.insert(
            "chartMetadata".into(),
            metadata.cloned().unwrap_or_default(),
        );
        object.insert(
            "config".into(),
            config.cloned().map_or(Json::Null, Json::Object),
        );
        object.insert("manifest".into(), (&*self.manifest).into());
        let hooks = if hooks.is_empty() {
            Json::Null
        } else {
            Json::Array(hooks)
        };
        object.insert("hooks".into(), hooks);
        object.insert("namespace".into(), (&*self.namespace).into());
        object.insert("ociDigest".into(), oci_digest.unwrap_or_default().into());
        let mut out = String::with_capacity(self.manifest.len() * 2);
        shape::OBSERVATION.write(&object, &mut out);
        out.push('\n');
        out
    }
}

impl Hook {
    /// The fields that Go's struct has.
    fn known_fields(&self) -> Values {
        let mut hook = self.clone();
        hook.rest = Values::new();
        hook.last_run.rest = Values::new();
        hook.to_object()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Execution, Status};
    use super::*;

    #[test]
    fn observation_has_fields_in_gos_order() {
        let mut release = Release {
            name: "web".to_owned(),
            namespace: "apps".to_owned(),
            version: 2,
            manifest: "a: <b>\n".to_owned(),
            hooks: vec![Hook {
                name: "check".to_owned(),
                events: vec![TEST.to_owned()],
                last_run: Execution::default(),
                ..Hook::default()
            }],
            ..Release::default()
        };
        release.set_status(Status::DEPLOYED, "Install complete");
        assert_eq!(
            release.observation(None),
            "{\"name\":\"web\",\"version\":2,\"info\":{\"description\":\"Install complete\",\
             \"status\":\"deployed\"},\"chartMetadata\":{},\"config\":null,\
             \"manifest\":\"a: \\u003cb\\u003e\\n\",\"hooks\":null,\"namespace\":\"apps\"}\n"
        );
        assert!(
            release
                .observation(Some("sha256:1"))
                .ends_with(",\"ociDigest\":\"sha256:1\"}\n")
        );
    }
}
