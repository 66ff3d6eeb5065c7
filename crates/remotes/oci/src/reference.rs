//! Names of repositories, tags and digests.
//!
//! The rules are those of Flux's library. `docker.io` is an alias. The first component is a
//! registry if it is `localhost` or has a dot or colon. The default tag is `latest`. Names that are
//! unsafe in a request path are rejected.
//!
//! Parity: go-containerregistry: pkg/name.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use sluice_digest::Digest;

/// The registry of a name without one.
const DEFAULT_REGISTRY: &str = "index.docker.io";
const DEFAULT_TAG: &str = "latest";
/// The URL scheme of repositories.
pub const SCHEME: &str = "oci://";

/// An invalid reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReference {
    /// The scheme is wrong or missing.
    #[error("URL must be in format 'oci://<domain>/<org>/<repo>'")]
    Scheme,
    /// The repository name has an invalid length.
    #[error("repository must be between 2 and 255 characters in length: {0}")]
    Length(String),
    /// The repository name has invalid characters.
    #[error(
        "repository can only contain the characters `abcdefghijklmnopqrstuvwxyz0123456789_-./`: {0}"
    )]
    Repository(String),
    /// The repository name is a path that leads elsewhere.
    #[error("repository must not have empty parts, '.' or '..': {0}")]
    Path(String),
    /// The registry is not a host with an optional port.
    #[error("registries must be valid RFC 3986 URI authorities: {0}")]
    Registry(String),
    /// The tag has invalid characters or an invalid length.
    #[error("tag must be 1 to 128 letters, digits and the characters _-.: {0}")]
    Tag(String),
    /// The part after `@` is not a digest.
    #[error("could not parse reference: {0}")]
    Digest(String),
    /// The URL of a repository has a tag or digest.
    #[error("{}: URL must not contain a tag; remove ':{tag}'", Self::Repository(path.clone()))]
    HasTag {
        /// The name of the repository with the tag.
        path: String,
        /// The tag.
        tag: String,
    },
}

/// A repository of a registry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Repository {
    registry: String,
    path: String,
}

/// A tag or digest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Version {
    /// A tag.
    Tag(String),
    /// A digest.
    Digest(Digest),
}

/// A version of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The repository.
    pub repository: Repository,
    /// The version.
    pub version: Version,
}

impl Repository {
    /// Parses `registry/path`.
    pub fn parse(text: &str) -> Result<Self, InvalidReference> {
        let (registry, path) = match text.split_once('/') {
            Some((first, rest)) if first == "localhost" || first.contains(['.', ':']) => {
                (first, rest)
            }
            _ => ("", text),
        };
        let allowed = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-./".contains(&byte)
        };
        // The library accepts `..` and empty components, which would change the path of a request.
        let climbs = path.split('/').any(|part| matches!(part, "" | "." | ".."));
        let shown = || crate::text::printable(path, 300);
        // The library wants two characters, but registries serve names of one.
        if !(1..=255).contains(&path.len()) {
            return Err(InvalidReference::Length(shown()));
        }
        if !path.bytes().all(allowed) {
            return Err(InvalidReference::Repository(shown()));
        }
        if climbs {
            return Err(InvalidReference::Path(shown()));
        }
        let registry = match registry {
            "" | "docker.io" => DEFAULT_REGISTRY,
            registry => registry,
        };
        if !is_authority(registry) {
            return Err(InvalidReference::Registry(crate::text::printable(
                registry, 300,
            )));
        }
        let path = if registry == DEFAULT_REGISTRY && !path.contains('/') {
            format!("library/{path}")
        } else {
            path.to_owned()
        };
        Ok(Self {
            registry: registry.to_owned(),
            path,
        })
    }

    /// Parses `oci://registry/path` without a version, as in a Kubernetes object.
    pub fn parse_url(url: &str) -> Result<Self, InvalidReference> {
        let name = url.strip_prefix(SCHEME).ok_or(InvalidReference::Scheme)?;
        if let Some((_, rest)) = name.split_once('/')
            && let Some((_, tag)) = rest.split_once(':')
        {
            let tag = tag.split(':').next().unwrap_or_default();
            return Err(InvalidReference::HasTag {
                path: crate::text::printable(rest, 300),
                tag: crate::text::printable(tag, 300),
            });
        }
        Self::parse(name)
    }

    /// The registry: a host with an optional port.
    pub fn registry(&self) -> &str {
        &self.registry
    }

    /// The path below the registry.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// A reference to a tag of this repository.
    pub fn tag(&self, tag: &str) -> Result<Reference, InvalidReference> {
        Ok(Reference {
            repository: self.clone(),
            version: Version::Tag(checked_tag(tag)?),
        })
    }

    /// A reference to a digest of this repository.
    pub fn digest(&self, digest: Digest) -> Reference {
        Reference {
            repository: self.clone(),
            version: Version::Digest(digest),
        }
    }

    /// Whether plain HTTP is tried by default: for this host and private IPv4 networks.
    pub fn is_local(&self) -> bool {
        let host = self.registry.rsplit_once(':').map_or_else(
            || self.registry.as_str(),
            |(host, port)| {
                if port.bytes().all(|byte| byte.is_ascii_digit()) {
                    host
                } else {
                    &self.registry
                }
            },
        );
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => address == Ipv4Addr::LOCALHOST || address.is_private(),
            Ok(IpAddr::V6(address)) => address.is_loopback(),
            Err(_) => self.registry.starts_with("localhost:") || host.ends_with(".localhost"),
        }
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.registry, self.path)
    }
}

impl Reference {
    /// Parses `registry/path`, `registry/path:tag` or `registry/path@digest`.
    pub fn parse(text: &str) -> Result<Self, InvalidReference> {
        if let Some((name, digest)) = text.split_once('@') {
            let digest = digest
                .parse()
                .map_err(|_| InvalidReference::Digest(crate::text::printable(text, 300)))?;
            // A tag next to a digest is ignored.
            let name = split_tag(name).map_or(name, |(name, _)| name);
            return Ok(Repository::parse(name)?.digest(digest));
        }
        let (name, tag) = split_tag(text).unwrap_or((text, DEFAULT_TAG));
        let tag = checked_tag(tag)?;
        Ok(Self {
            repository: Repository::parse(name)?,
            version: Version::Tag(tag),
        })
    }

    /// Parses `oci://…`.
    pub fn parse_url(url: &str) -> Result<Self, InvalidReference> {
        Self::parse(url.strip_prefix(SCHEME).ok_or(InvalidReference::Scheme)?)
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.version {
            Version::Tag(tag) => write!(formatter, "{}:{tag}", self.repository),
            Version::Digest(digest) => write!(formatter, "{}@{digest}", self.repository),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tag(tag) => formatter.write_str(tag),
            Self::Digest(digest) => digest.fmt(formatter),
        }
    }
}

/// Splits off the tag. The colon of a port does not start a tag.
fn split_tag(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once(':').filter(|(_, tag)| !tag.contains('/'))
}

fn checked_tag(tag: &str) -> Result<String, InvalidReference> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    // `.` and `..` would change the path of a URL.
    if (1..=128).contains(&tag.len()) && tag.bytes().all(allowed) && !matches!(tag, "." | "..") {
        Ok(tag.to_owned())
    } else {
        Err(InvalidReference::Tag(crate::text::printable(tag, 300)))
    }
}

/// Whether the text is a host with an optional port.
fn is_authority(text: &str) -> bool {
    url::Url::parse(&format!("https://{text}/")).is_ok_and(|url| {
        url.username().is_empty()
            && url.password().is_none()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && !text.contains('@')
            && !text.contains('\\')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_like_docker() {
        for (text, expected) in [
            ("ghcr.io/org/app:v1", "ghcr.io/org/app:v1"),
            ("ghcr.io/org/app", "ghcr.io/org/app:latest"),
            ("app", "index.docker.io/library/app:latest"),
            ("org/app:v1", "index.docker.io/org/app:v1"),
            ("docker.io/org/app", "index.docker.io/org/app:latest"),
            ("localhost/app", "localhost/app:latest"),
            ("127.0.0.1:5000/app", "127.0.0.1:5000/app:latest"),
            ("[::1]:5000/app:v1", "[::1]:5000/app:v1"),
        ] {
            assert_eq!(
                Reference::parse(text).unwrap().to_string(),
                expected,
                "{text}"
            );
        }
        let digest = Digest::of(b"");
        let text = format!("ghcr.io/org/app:v1@{digest}");
        assert_eq!(
            Reference::parse(&text).unwrap().to_string(),
            format!("ghcr.io/org/app@{digest}")
        );
    }

    #[test]
    fn unsafe_path_components_are_rejected() {
        for text in [
            "",
            "ghcr.io/",
            "ghcr.io/UPPER",
            "ghcr.io/a/../../b",
            "ghcr.io/a//b",
            "ghcr.io/a b",
            "ghcr.io/a?x=y",
            "ghcr.io/a#b",
            "ghcr.io/a:..",
            "ghcr.io/a:tag/../x:",
            "user:password@ghcr.io/a",
            "evil.com\\@ghcr.io/a",
            "ghcr.io:port/a",
            "ghcr.io/a@sha256:00",
            "ghcr.io/a@b@c",
        ] {
            assert!(Reference::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn repository_url_has_no_version() {
        assert_eq!(
            Repository::parse_url("https://ghcr.io/a")
                .unwrap_err()
                .to_string(),
            "URL must be in format 'oci://<domain>/<org>/<repo>'"
        );
        assert_eq!(
            Repository::parse_url("oci://127.0.0.1:5000/a:v1")
                .unwrap_err()
                .to_string(),
            "repository can only contain the characters \
             `abcdefghijklmnopqrstuvwxyz0123456789_-./`: a:v1: URL must not contain a tag; remove \
             ':v1'"
        );
        assert!(Repository::parse_url("oci://127.0.0.1:5000/a").is_ok());
    }

    #[test]
    fn plain_http_is_for_local_and_private_hosts() {
        for (name, local) in [
            ("localhost:5000/a", true),
            ("127.0.0.1:5000/a", true),
            ("10.1.2.3/a", true),
            ("192.168.1.1:5000/a", true),
            ("[::1]:5000/a", true),
            ("registry.localhost:5000/a", true),
            ("ghcr.io/a", false),
            ("127.0.0.1.evil.com/a", false),
            ("8.8.8.8/a", false),
        ] {
            assert_eq!(Repository::parse(name).unwrap().is_local(), local, "{name}");
        }
    }
}
