//! Markers, and the values that policies give them.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use sluice_api::image::{ImagePolicy, ImageRef};
use sluice_golang::quote;
use sluice_oci::Reference;

/// The key of a marker.
pub const KEY: &str = "$imagepolicy";

/// The bytes that a file with a marker contains.
pub const TOKEN: &[u8] = b"\"$imagepolicy\"";

/// The part of an image that a marker stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// `name:tag[@digest]`
    Image,
    /// The tag.
    Tag,
    /// The name without the tag.
    Name,
    /// The digest.
    Digest,
}

/// A marker.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marker {
    /// Namespace of the policy.
    pub namespace: String,
    /// Name of the policy.
    pub policy: String,
    /// The part of the image.
    pub part: Part,
}

/// A comment names the key of markers but is not a marker. The value stays.
#[derive(Debug, Clone, PartialEq, Eq, Hash, thiserror::Error)]
pub enum MarkerError {
    /// There is text around the object, or the object is malformed.
    #[error("the comment is not exactly one JSON object of texts")]
    Json,
    /// The object has other keys only, or an empty value.
    #[error("the marker names no policy")]
    NoPolicy,
    /// The value does not have two or three parts.
    #[error("'{0}' is not NAMESPACE:NAME, NAMESPACE:NAME:tag, …:name or …:digest")]
    Form(String),
}

impl Marker {
    /// Parses a comment with its `#`. A comment without the key of markers is `None`.
    pub fn parse(comment: &str) -> Option<Result<Self, MarkerError>> {
        if !comment.contains(KEY) {
            return None;
        }
        Some(Self::parse_json(comment.trim_start_matches('#')))
    }

    fn parse_json(text: &str) -> Result<Self, MarkerError> {
        let entries: HashMap<String, Value> =
            serde_json::from_str(text).map_err(|_| MarkerError::Json)?;
        // Go decodes null as an empty text.
        let is_text = |value: &Value| value.is_string() || value.is_null();
        if !entries.values().all(is_text) {
            return Err(MarkerError::Json);
        }
        let setter = entries.get(KEY).and_then(Value::as_str).unwrap_or_default();
        if setter.is_empty() {
            return Err(MarkerError::NoPolicy);
        }
        let form = || MarkerError::Form(setter.to_owned());
        let mut parts = setter.split(':');
        let (Some(namespace), Some(policy)) = (parts.next(), parts.next()) else {
            return Err(form());
        };
        let part = match (parts.next(), parts.next()) {
            (None, _) => Part::Image,
            (Some("tag"), None) => Part::Tag,
            (Some("name"), None) => Part::Name,
            (Some("digest"), None) => Part::Digest,
            _ => return Err(form()),
        };
        if namespace.is_empty() || policy.is_empty() {
            return Err(form());
        }
        Ok(Self {
            namespace: namespace.to_owned(),
            policy: policy.to_owned(),
            part,
        })
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            namespace, policy, ..
        } = self;
        let part = match self.part {
            Part::Image => "",
            Part::Tag => ":tag",
            Part::Name => ":name",
            Part::Digest => ":digest",
        };
        write!(formatter, "{namespace}:{policy}{part}")
    }
}

/// The latest image of a policy is malformed. The whole run fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "encountered invalid image ref {}: could not parse reference: {image}",
    quote::quote(.image)
)]
pub struct InvalidImage {
    image: String,
}

/// The values of markers, by policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setters {
    images: BTreeMap<(String, String), Option<ImageRef>>,
}

/// The answer to a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// The new value.
    Value(String),
    /// No policy of the namespace has the name.
    UnknownPolicy,
    /// Policies of other namespaces are not used.
    OtherNamespace,
    /// The policy has not selected an image yet.
    NoImage,
}

impl Setters {
    /// Collects the latest images of policies.
    pub fn of<'p>(
        policies: impl IntoIterator<Item = &'p ImagePolicy>,
    ) -> Result<Self, InvalidImage> {
        let mut images = BTreeMap::new();
        for policy in policies {
            let metadata = &policy.metadata;
            let key = (
                metadata.namespace.clone().unwrap_or_default(),
                metadata.name.clone().unwrap_or_default(),
            );
            let status = policy.status.as_ref();
            let latest = status.and_then(|status| status.latest_ref.clone());
            if let Some(latest) = &latest {
                let image = image_text(latest);
                if Reference::parse(&image).is_err() {
                    return Err(InvalidImage { image });
                }
            }
            images.insert(key, latest);
        }
        Ok(Self { images })
    }

    /// Returns the value of a marker.
    pub fn lookup(&self, marker: &Marker) -> Lookup {
        let key = (marker.namespace.clone(), marker.policy.clone());
        let Some(latest) = self.images.get(&key) else {
            let mut known = self.images.keys();
            let is_known = known.any(|(namespace, _)| *namespace == marker.namespace);
            return if is_known || self.images.is_empty() {
                Lookup::UnknownPolicy
            } else {
                Lookup::OtherNamespace
            };
        };
        let Some(latest) = latest else {
            return Lookup::NoImage;
        };
        Lookup::Value(match marker.part {
            Part::Image => image_text(latest),
            Part::Tag => latest.tag.clone(),
            Part::Name => latest.name.clone(),
            Part::Digest => latest.digest.clone().unwrap_or_default(),
        })
    }
}

/// Returns `name:tag[@digest]`.
fn image_text(image: &ImageRef) -> String {
    let ImageRef { name, tag, digest } = image;
    match digest.as_deref() {
        None | Some("") => format!("{name}:{tag}"),
        Some(digest) => format!("{name}:{tag}@{digest}"),
    }
}

#[cfg(test)]
mod tests {
    use sluice_api::image::{ImagePolicySpec, ImagePolicyStatus};

    use super::*;

    #[test]
    fn marker_is_exactly_one_json_object_of_texts() {
        for (comment, expected) in [
            ("# uses app", None),
            (r#"# {"$imagepolicy": "ns:p"}"#, Some(Ok("ns:p"))),
            (r#"### {"$imagepolicy":"ns:p:tag"} "#, Some(Ok("ns:p:tag"))),
            (
                r#"#{"$imagepolicy":"ns:p:name","x":"y"}"#,
                Some(Ok("ns:p:name")),
            ),
            (
                r#"# {"$imagepolicy":"ns:p:digest","x":null}"#,
                Some(Ok("ns:p:digest")),
            ),
            (
                r#"# x {"$imagepolicy": "ns:p"}"#,
                Some(Err("the comment is not exactly one JSON object of texts")),
            ),
            (
                r#"# {"$imagepolicy": "ns:p"} x"#,
                Some(Err("the comment is not exactly one JSON object of texts")),
            ),
            (
                r#"# {"$imagepolicy": "ns:p", "x": 1}"#,
                Some(Err("the comment is not exactly one JSON object of texts")),
            ),
            (
                "# {'$imagepolicy': 'ns:p'}",
                Some(Err("the comment is not exactly one JSON object of texts")),
            ),
            (
                r#"# {"$imagepolicy": null}"#,
                Some(Err("the marker names no policy")),
            ),
            (
                r#"# {"$imagepolicy": "p"}"#,
                Some(Err(
                    "'p' is not NAMESPACE:NAME, NAMESPACE:NAME:tag, …:name or …:digest",
                )),
            ),
            (
                r#"# {"$imagepolicy": "ns:p:x"}"#,
                Some(Err(
                    "'ns:p:x' is not NAMESPACE:NAME, NAMESPACE:NAME:tag, …:name or …:digest",
                )),
            ),
            (
                r#"# {"$imagepolicy": "ns:p:tag:"}"#,
                Some(Err(
                    "'ns:p:tag:' is not NAMESPACE:NAME, NAMESPACE:NAME:tag, …:name or …:digest",
                )),
            ),
        ] {
            let parsed = Marker::parse(comment).map(|marker| match marker {
                Ok(marker) => Ok(marker.to_string()),
                Err(error) => Err(error.to_string()),
            });
            let expected = expected.map(|expected| match expected {
                Ok(marker) => Ok(marker.to_owned()),
                Err(error) => Err(error.to_owned()),
            });
            assert_eq!(parsed, expected, "{comment}");
        }
    }

    fn policy(namespace: &str, name: &str, image: Option<(&str, &str, &str)>) -> ImagePolicy {
        let mut policy = ImagePolicy::new(name, ImagePolicySpec::default());
        policy.metadata.namespace = Some(namespace.to_owned());
        let latest_ref = image.map(|(name, tag, digest)| ImageRef {
            name: name.to_owned(),
            tag: tag.to_owned(),
            digest: Some(digest.to_owned()),
        });
        policy.status = Some(ImagePolicyStatus {
            latest_ref,
            ..ImagePolicyStatus::default()
        });
        policy
    }

    #[test]
    fn marker_selects_a_part_of_the_image() {
        let digest = format!("sha256:{}", "ab".repeat(32));
        let policies = [
            policy("ns", "p", Some(("ghcr.io/app", "v1", &digest))),
            policy("ns", "q", Some(("ghcr.io/app", "v1", ""))),
            policy("ns", "new", None),
        ];
        let setters = Setters::of(&policies).unwrap();
        for (setter, expected) in [
            ("ns:p", Lookup::Value(format!("ghcr.io/app:v1@{digest}"))),
            ("ns:p:tag", Lookup::Value("v1".to_owned())),
            ("ns:p:name", Lookup::Value("ghcr.io/app".to_owned())),
            ("ns:p:digest", Lookup::Value(digest.clone())),
            ("ns:q", Lookup::Value("ghcr.io/app:v1".to_owned())),
            ("ns:q:digest", Lookup::Value(String::new())),
            ("ns:new", Lookup::NoImage),
            ("ns:x", Lookup::UnknownPolicy),
            ("other:p", Lookup::OtherNamespace),
        ] {
            let comment = format!("# {{\"$imagepolicy\": \"{setter}\"}}");
            let marker = Marker::parse(&comment).unwrap().unwrap();
            assert_eq!(setters.lookup(&marker), expected, "{setter}");
        }
    }

    #[test]
    fn malformed_latest_image_fails_the_run() {
        let policies = [policy("ns", "p", Some(("ghcr.io/App", "v1", "")))];
        assert_eq!(
            Setters::of(&policies).unwrap_err().to_string(),
            "encountered invalid image ref \"ghcr.io/App:v1\": could not parse reference: ghcr.io/App:v1"
        );
    }
}
