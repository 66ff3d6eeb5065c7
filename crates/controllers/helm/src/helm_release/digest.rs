//! The digests of values and of parts of the spec. Pure.
//!
//! Releases are compared by them, so a controller that takes over must compute the same.
//!
//! Parity: `fluxcd/pkg: chartutil`, `helm-controller: internal/postrender/build.go`.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use serde_json::Value;
use sluice_api::helm::{HelmReleaseSpec, PostRenderer};
use sluice_api::kustomize::Selector;
use sluice_api::meta::CommonMetadata;
use sluice_chart::Values;
use sluice_digest::{Algorithm, Digest};
use sluice_yaml::{json, v2};

/// The digest of values. Empty values have the digest of an empty text.
pub(super) fn of_values(algorithm: Algorithm, values: &Values) -> String {
    algorithm.digest(&printed(values)).to_string()
}

/// Whether a digest is of values. An invalid digest is of none.
pub(super) fn is_of_values(digest: &str, values: &Values) -> bool {
    Digest::from_str(digest).is_ok_and(|digest| digest.matches(&printed(values)))
}

fn printed(values: &Values) -> Vec<u8> {
    if values.is_empty() {
        return Vec::new();
    }
    v2::to_string_by_bytes(&Value::Object(values.clone())).into_bytes()
}

/// The digest of the post-renderers of a spec, if it has any.
pub(super) fn of_post_renderers(algorithm: Algorithm, spec: &HelmReleaseSpec) -> Option<String> {
    if spec.post_renderers.is_empty() {
        return None;
    }
    let renderers = spec.post_renderers.iter().map(post_renderer);
    let text = format!("{}\n", list(renderers));
    Some(algorithm.digest(text.as_bytes()).to_string())
}

/// The digest of the common metadata of a spec, if it has any.
pub(super) fn of_common_metadata(algorithm: Algorithm, spec: &HelmReleaseSpec) -> Option<String> {
    let CommonMetadata {
        annotations,
        labels,
    } = spec.common_metadata.as_ref()?;
    let text = GoObject::default()
        .map("annotations", annotations)
        .map("labels", labels)
        .finish();
    Some(algorithm.digest(format!("{text}\n").as_bytes()).to_string())
}

fn post_renderer(renderer: &PostRenderer) -> String {
    let Some(kustomize) = &renderer.kustomize else {
        return "{}".to_owned();
    };
    let patches = kustomize.patches.iter().map(|patch| {
        GoObject::default()
            .required("patch", &patch.patch)
            .raw("target", patch.target.as_ref().map(selector))
            .finish()
    });
    let images = kustomize.images.iter().map(|image| {
        GoObject::default()
            .required("name", &image.name)
            .text("newName", image.new_name.as_deref())
            .text("newTag", image.new_tag.as_deref())
            .text("digest", image.digest.as_deref())
            .finish()
    });
    let unless_empty = |is_empty: bool, text: String| (!is_empty).then_some(text);
    let kustomize = GoObject::default()
        .raw(
            "patches",
            unless_empty(kustomize.patches.is_empty(), list(patches)),
        )
        .raw(
            "images",
            unless_empty(kustomize.images.is_empty(), list(images)),
        )
        .finish();
    GoObject::default()
        .raw("kustomize", Some(kustomize))
        .finish()
}

fn selector(selector: &Selector) -> String {
    GoObject::default()
        .text("group", selector.group.as_deref())
        .text("version", selector.version.as_deref())
        .text("kind", selector.kind.as_deref())
        .text("namespace", selector.namespace.as_deref())
        .text("name", selector.name.as_deref())
        .text(
            "annotationSelector",
            selector.annotation_selector.as_deref(),
        )
        .text("labelSelector", selector.label_selector.as_deref())
        .finish()
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("[{}]", items.join(","))
}

/// Writes a struct as Go does: its fields in their order, without empty ones.
#[derive(Default)]
struct GoObject(Vec<String>);

impl GoObject {
    fn raw(mut self, name: &str, value: Option<String>) -> Self {
        self.0
            .extend(value.map(|value| format!("{}:{value}", json::quote(name))));
        self
    }

    fn required(self, name: &str, text: &str) -> Self {
        self.raw(name, Some(json::quote(text)))
    }

    fn text(self, name: &str, text: Option<&str>) -> Self {
        let text = text.filter(|text| !text.is_empty());
        self.raw(name, text.map(json::quote))
    }

    fn map(self, name: &str, entries: &BTreeMap<String, String>) -> Self {
        let pairs = entries
            .iter()
            .map(|(key, value)| format!("{}:{}", json::quote(key), json::quote(value)));
        let pairs: Vec<String> = pairs.collect();
        self.raw(
            name,
            (!pairs.is_empty()).then(|| format!("{{{}}}", pairs.join(","))),
        )
    }

    fn finish(self) -> String {
        format!("{{{}}}", self.0.join(","))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_chart::values;

    use super::*;

    fn values(value: &Value) -> Values {
        values::from_json(value.as_object().unwrap().clone())
    }

    /// Vectors of `TestDigestValues` of the reference.
    #[test]
    fn values_have_the_digests_of_the_reference() {
        let cases = [
            (
                json!({}),
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                json!({"replicas": 3, "image": {"tag": "latest", "repository": "nginx"},
                    "ports": [{"port": 8080, "protocol": "TCP"}, {"protocol": "UDP", "port": 9090}]}),
                "sha256:fcdc2b0de1581a3633ada4afee3f918f6eaa5b5ab38c3fef03d5b48d3f85d9f6",
            ),
            (
                json!({"test": {"632bd82398e71231a98004b6": "value4", "632bd817c559818a52307da2": "value3",
                    "632bd80ddf416cf32fd50679": "value2", "632bd80235a05f4192aefade": "value1"}, "replicas": 3}),
                "sha256:8a980fcbeadd6f05818f07e8aec14070c22250ca3d96af1fcd5f93b3e85b4d70",
            ),
        ];
        for (value, expected) in cases {
            let values = values(&value);
            assert_eq!(of_values(Algorithm::Sha256, &values), expected, "{value}");
            assert!(is_of_values(expected, &values));
        }
        let other = values(&json!({"foo": "bar", "baz": {"cool": "stuff"}}));
        let expected = "sha512:b5f9cd4855ca3b08afd602557f373069b1732ce2e6d52341481b0d38f1938452e9d7759ab177c66699962b592f20ceded03eea3cd405d8670578c47842e2c550";
        assert_eq!(of_values(Algorithm::Sha512, &other), expected);
        assert!(!is_of_values("sha256:1", &values(&json!({}))));
    }

    #[test]
    fn post_renderers_have_fields_in_gos_order() {
        let renderer: PostRenderer = serde_json::from_value(json!({"kustomize": {
            "images": [{"name": "a", "newTag": "2", "newName": "b"}],
            "patches": [{"target": {"kind": "Service", "group": "g"}, "patch": "<x>"}],
        }}))
        .unwrap();
        assert_eq!(
            post_renderer(&renderer),
            "{\"kustomize\":{\"patches\":[{\"patch\":\"\\u003cx\\u003e\",\"target\":{\"group\":\"g\",\"kind\":\"Service\"}}],\
             \"images\":[{\"name\":\"a\",\"newName\":\"b\",\"newTag\":\"2\"}]}}"
        );
    }
}
