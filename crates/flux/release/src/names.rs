//! Names and namespaces of a release, from its `HelmRelease`. Pure.

use sluice_api::helm::HelmRelease;
use sluice_digest::Algorithm;

/// The longest name that Helm accepts.
const MAX_NAME: usize = 53;
/// Bytes of the hash in a shortened name.
const SHORT_HASH: usize = 12;

/// The name of the release, before it is shortened.
pub fn release_name(object: &HelmRelease) -> String {
    let name = object.metadata.name.as_deref().unwrap_or_default();
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    if let Some(name) = given(&object.spec.release_name) {
        return name;
    }
    match given(&object.spec.target_namespace) {
        Some(namespace) => format!("{namespace}-{name}"),
        None => name.to_owned(),
    }
}

/// The name of the release, which Helm limits in length.
pub fn short_name(object: &HelmRelease) -> String {
    let name = release_name(object);
    if name.len() <= MAX_NAME {
        return name;
    }
    let hash = Algorithm::Sha256.digest(name.as_bytes());
    let end = name.floor_char_boundary(MAX_NAME - SHORT_HASH - 1);
    format!("{}-{}", &name[..end], &hash.hex()[..SHORT_HASH])
}

/// The namespace of the release.
pub fn release_namespace(object: &HelmRelease) -> &str {
    namespace_or_own(object, object.spec.target_namespace.as_deref())
}

/// The namespace of the records.
pub fn storage_namespace(object: &HelmRelease) -> &str {
    namespace_or_own(object, object.spec.storage_namespace.as_deref())
}

fn namespace_or_own<'a>(object: &'a HelmRelease, namespace: Option<&'a str>) -> &'a str {
    let own = object.metadata.namespace.as_deref().unwrap_or_default();
    namespace.filter(|name| !name.is_empty()).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use sluice_api::helm::HelmReleaseSpec;

    use super::*;

    fn named(name: &str, spec: HelmReleaseSpec) -> HelmRelease {
        let mut object = HelmRelease::new(name, spec);
        object.metadata.namespace = Some("apps".to_owned());
        object
    }

    /// Vectors of `TestShortenName` of the reference.
    #[test]
    fn long_release_name_is_shortened() {
        let of = |name: &str| short_name(&named(name, HelmReleaseSpec::default()));
        assert_eq!(of("release-name"), "release-name");
        assert_eq!(
            of("release-name-with-very-long-name-which-is-longer-than-53-characters"),
            "release-name-with-very-long-name-which-i-788ca0d0d7b0"
        );
        assert_eq!(
            of("another-release-name-with-very-long-name-which-is-longer-than-53-characters"),
            "another-release-name-with-very-long-name-7e72150d5a36"
        );
    }

    #[test]
    fn names_and_namespaces_have_defaults() {
        let object = named("web", HelmReleaseSpec::default());
        assert_eq!(release_name(&object), "web");
        assert_eq!(release_namespace(&object), "apps");
        assert_eq!(storage_namespace(&object), "apps");
        let object = named(
            "web",
            HelmReleaseSpec {
                target_namespace: Some("prod".to_owned()),
                storage_namespace: Some("records".to_owned()),
                ..HelmReleaseSpec::default()
            },
        );
        assert_eq!(release_name(&object), "prod-web");
        assert_eq!(release_namespace(&object), "prod");
        assert_eq!(storage_namespace(&object), "records");
    }
}
