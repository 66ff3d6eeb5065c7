//! URLs of repositories, of their indexes and of their charts. Pure.

use sluice_gotemplate::sprig::url::parse_url;
use url::{ParseError, Url};

/// The scheme of registries.
const OCI: &str = "oci";

/// The name of an index.
const INDEX: &str = "index.yaml";

/// The address of a repository: one slash at its end, none for a registry.
///
/// Parity: source-controller: internal/helm/repository/utils.go.
pub(crate) fn normalize(url: &str) -> Result<Url, ParseError> {
    let mut url = Url::parse(url)?;
    let path = url.path().trim_end_matches('/').to_owned();
    if url.scheme() == OCI {
        url.set_path(&path);
    } else {
        url.set_path(&format!("{path}/"));
    }
    Ok(url)
}

/// The address of the index of an HTTP URL without a host, as Go writes it. `None` for other URLs.
/// The parser of URLs would take the first part of the path as the host.
pub(crate) fn index_without_host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if !matches!(&*scheme.to_ascii_lowercase(), "http" | "https") {
        return None;
    }
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if !authority.rsplit('@').next().unwrap_or_default().is_empty() {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let root = if path.is_empty() { "" } else { "/" };
    let parts = path.split('/').filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.chain([INDEX]).collect();
    Some(format!("{scheme}://{root}{}", parts.join("/")))
}

/// The address of the index. Empty parts of the path are dropped, and the query stays.
pub(crate) fn index(url: &str) -> Result<Url, ParseError> {
    let mut url = Url::parse(url)?;
    let parts = url.path().split('/').filter(|part| !part.is_empty());
    let path: String = parts.chain([INDEX]).flat_map(|part| ["/", part]).collect();
    url.set_path(&path);
    Ok(url)
}

/// The address of a chart, by its reference in an index.
pub(crate) fn chart(repository: &Url, reference: &str) -> Result<Url, ParseError> {
    match Url::parse(reference) {
        Err(ParseError::RelativeUrlWithoutBase) => {
            let mut url = repository.join(reference)?;
            url.set_query(repository.query());
            Ok(url)
        }
        absolute => absolute,
    }
}

/// Why an address cannot be parsed, in Go's words if Go cannot parse it either. The message shows
/// no user and no password.
pub(crate) fn unreadable(url: &str, error: ParseError) -> String {
    let shown = match url.split_once("://") {
        Some((scheme, rest)) => {
            let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
            format!("{scheme}://{host}")
        }
        None => url.to_owned(),
    };
    let words = parse_url(shown.as_bytes()).err();
    words.unwrap_or_else(|| error.to_string())
}

/// An address for messages, without a user and a password.
pub(crate) fn display_url(url: &Url) -> String {
    let mut url = url.clone();
    // Fails for URLs that have none.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// The host of an address, with its port unless it is the default.
pub(crate) fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Whether two addresses have the same scheme, host and port.
pub(crate) fn is_same_host(left: &Url, right: &Url) -> bool {
    left.scheme() == right.scheme()
        && left.host() == right.host()
        && left.port_or_known_default() == right.port_or_known_default()
}

/// Whether an address is one of a registry.
pub(crate) fn is_registry(url: &str) -> bool {
    url.starts_with("oci://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_follow_flux() {
        for (url, normal, of_index) in [
            ("https://a.b", "https://a.b/", "https://a.b/index.yaml"),
            ("https://a.b//", "https://a.b/", "https://a.b/index.yaml"),
            (
                "https://a.b/c",
                "https://a.b/c/",
                "https://a.b/c/index.yaml",
            ),
            (
                "https://a.b/c//d/",
                "https://a.b/c//d/",
                "https://a.b/c/d/index.yaml",
            ),
            (
                "https://a.b/c?d=e",
                "https://a.b/c/?d=e",
                "https://a.b/c/index.yaml?d=e",
            ),
        ] {
            assert_eq!(normalize(url).unwrap().as_str(), normal, "{url}");
            assert_eq!(index(url).unwrap().as_str(), of_index, "{url}");
        }
        assert_eq!(normalize("oci://a.b/c/").unwrap().as_str(), "oci://a.b/c");
        assert!(normalize("://a").is_err());
    }

    #[test]
    fn host_is_never_taken_from_the_path() {
        for (url, expected) in [
            ("https:///app", Some("https:///app/index.yaml")),
            ("https:///app//b/?c=d", Some("https:///app/b/index.yaml")),
            ("http://me:canary@/app", Some("http:///app/index.yaml")),
            ("https://", Some("https://index.yaml")),
            ("https://a.b/c", None),
            ("oci:///app", None),
            ("ftp:///app", None),
        ] {
            assert_eq!(index_without_host(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn chart_address_is_relative_to_the_repository() {
        let repository = normalize("https://a.b/c?token=t").unwrap();
        for (reference, expected) in [
            ("d.tgz", "https://a.b/c/d.tgz?token=t"),
            ("/d.tgz", "https://a.b/d.tgz?token=t"),
            ("d/e.tgz?f=g", "https://a.b/c/d/e.tgz?token=t"),
            (
                "https://other.host/d.tgz?f=g",
                "https://other.host/d.tgz?f=g",
            ),
        ] {
            let found = chart(&repository, reference).unwrap();
            assert_eq!(found.as_str(), expected, "{reference}");
        }
    }

    #[test]
    fn shown_address_has_no_credentials() {
        let url = Url::parse("https://me:canary@a.b/c").unwrap();
        assert_eq!(display_url(&url), "https://a.b/c");
    }
}
