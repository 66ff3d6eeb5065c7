//! The observed sources of a generator, and their digest. Pure.

use std::collections::BTreeMap;

use sluice_api::artifact::Artifact;
use sluice_consumer::source::origin_revision;
use sluice_digest::Algorithm;

/// The artifacts of the sources, by alias.
pub(crate) type Sources = BTreeMap<String, Artifact>;

/// The digest of all sources, for `status.observedSourcesDigest`. The form is that of Flux.
pub(crate) fn digest(sources: &Sources) -> String {
    let mut parts: Vec<String> = sources
        .iter()
        .map(|(alias, artifact)| {
            let Artifact {
                digest,
                revision,
                url,
                ..
            } = artifact;
            format!("{alias}=[digest={digest},revision={revision},url={url}]")
        })
        .collect();
    parts.sort();
    Algorithm::Sha256
        .digest(parts.join("|").as_bytes())
        .to_string()
}

/// The source of a reference such as `@alias`.
pub(crate) fn find<'a>(sources: &'a Sources, reference: &str) -> Option<&'a Artifact> {
    sources.get(alias(reference))
}

/// The alias of a reference such as `@alias`.
pub(crate) fn alias(reference: &str) -> &str {
    reference.strip_prefix('@').unwrap_or(reference)
}

/// The upstream revision of a source, or else its own.
pub(crate) fn origin(artifact: &Artifact) -> String {
    origin_revision(artifact).unwrap_or_else(|| artifact.revision.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(digest: &str, revision: &str, url: &str) -> Artifact {
        Artifact {
            digest: digest.to_owned(),
            revision: revision.to_owned(),
            url: url.to_owned(),
            ..Artifact::default()
        }
    }

    /// The sources and the digest are those of `api/v1beta1/observed_source_test.go`.
    #[test]
    fn digest_equals_that_of_flux() {
        let sources = Sources::from([
            (
                "source1".to_owned(),
                source(
                    "sha256:1b1452058f747245f79b4d45d589ad5693c516987e678d13231ddfdf26979208",
                    "main@sha1:28deef923f4da39062d2902cb640011a36d52e19",
                    "https://example.com/repo1.git",
                ),
            ),
            (
                "source2".to_owned(),
                source(
                    "sha256:966a0b26898be9448d927312d81f9221edac224e383f131a6451f22b918bd66d",
                    "main@sha1:4b94f17f5ceb13341bdfe15d4d9249bb0a3a011e",
                    "https://example.com/repo2.git",
                ),
            ),
        ]);
        assert_eq!(
            digest(&sources),
            "sha256:0dd16ff06ef2efe7bbc5b6a356eb9f3b59467d76617969eb7bb34e094abbd58e"
        );
    }

    #[test]
    fn origin_falls_back_to_revision() {
        let mut artifact = source("sha256:abc", "v1", "http://x");
        assert_eq!(origin(&artifact), "v1");
        let key = "org.opencontainers.image.revision".to_owned();
        artifact.metadata.insert(key, "main@sha1:1".to_owned());
        assert_eq!(origin(&artifact), "main@sha1:1");
        let sources = Sources::from([("app".to_owned(), artifact)]);
        assert!(find(&sources, "@app").is_some() && find(&sources, "@other").is_none());
    }
}
