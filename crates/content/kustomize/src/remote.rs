//! Remote files and repositories.
//!
//! The engine opens no connection. A caller that supports remote bases passes a [`Fetcher`].
//! Without one, remote paths are rejected with [`Code::RemoteDenied`]. This module decides by
//! upstream's grammar which paths are repositories.
//!
//! Parity: kustomize: `api/internal/git/repospec.go`.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_golang::boolean;
use sluice_golang::duration::{self, GoDuration};

use crate::error::{Code, Error};
use crate::fs::Fs;
use crate::redact::redact_url;

/// The default timeout of a fetch.
const TIMEOUT: Duration = Duration::from_secs(27);

/// Fetches remote files and repositories.
///
/// Each build has its own fetcher, which may cache results. All kustomizations of a build see
/// the same commit of a branch.
pub trait Fetcher: Send + Sync {
    /// Fetches a file of at most `limit` bytes over HTTP.
    fn fetch_file(&self, url: &str, limit: u64) -> Result<Vec<u8>, FetchError>;

    /// Checks out a repository and returns its tree.
    fn fetch_repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, FetchError>;
}

/// Why a fetch failed. The texts contain no secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchError {
    /// The server answered with an error status.
    Status {
        /// The status code.
        code: u16,
        /// Its meaning.
        reason: String,
    },
    /// The fetch was refused, for this reason.
    Refused(String),
    /// The fetch timed out.
    Timeout(Duration),
    /// The file or repository is too large.
    Limit(String),
    /// The fetch failed, for this reason.
    Failed(String),
}

impl FetchError {
    /// Converts the error of a file, in upstream's words where it has them.
    fn into_file_error(self, url: &str) -> Error {
        let shown = redact_url(url);
        match self {
            // The path may be a repository, which is tried next.
            Self::Status { .. } if Repository::parse(url).is_some() => {
                Error::new(Code::RemoteFailed, "URL is a git repository")
            }
            Self::Status { code, reason } => {
                let message = format!("{HTTP_ERROR}: status code {code} ({reason})");
                Error::new(Code::RemoteFailed, message)
            }
            Self::Refused(reason) => denied_because(&shown, &reason),
            Self::Timeout(limit) => {
                let limit = format_duration(limit);
                let message = format!("hit {limit} timeout reading '{shown}'");
                Error::new(Code::RemoteTimeout, message)
            }
            Self::Limit(reason) => Error::new(Code::Limit, format!("Get \"{shown}\": {reason}")),
            Self::Failed(reason) => {
                Error::new(Code::RemoteFailed, format!("Get \"{shown}\": {reason}"))
            }
        }
    }

    /// Converts the error of a repository. Upstream's text names a git command; this has none.
    fn into_repository_error(self, repository: &Repository) -> Error {
        let url = redact_url(&repository.url);
        let reference = match repository.reference.as_str() {
            "" => "HEAD",
            reference => reference,
        };
        let failed = |code, reason: &str| {
            Error::new(
                code,
                format!("failed to fetch '{reference}' of '{url}': {reason}"),
            )
        };
        match self {
            Self::Status { code, reason } => failed(
                Code::RemoteFailed,
                &format!("status code {code} ({reason})"),
            ),
            Self::Refused(reason) => denied_because(&url, &reason),
            Self::Timeout(limit) => {
                let limit = format_duration(limit);
                let message = format!("hit {limit} timeout fetching '{reference}' of '{url}'");
                Error::new(Code::RemoteTimeout, message)
            }
            Self::Limit(reason) => failed(Code::Limit, &reason),
            Self::Failed(reason) => failed(Code::RemoteFailed, &reason),
        }
    }
}

/// The prefix of an HTTP error. After such an error, the path is not tried as a folder.
pub(crate) const HTTP_ERROR: &str = "HTTP Error";

fn format_duration(duration: Duration) -> String {
    GoDuration::from_std(duration).to_string()
}

/// Fetches a file.
pub(crate) fn file(fetcher: Option<&dyn Fetcher>, url: &str, limit: u64) -> Result<Vec<u8>, Error> {
    let Some(fetcher) = fetcher else {
        return Err(remote_denied(url));
    };
    fetcher
        .fetch_file(url, limit)
        .map_err(|error| error.into_file_error(url))
}

/// Fetches a repository.
pub(crate) fn check_out(
    fetcher: Option<&dyn Fetcher>,
    repository: &Repository,
) -> Result<Arc<dyn Fs>, Error> {
    let Some(fetcher) = fetcher else {
        return Err(remote_denied(&repository.raw));
    };
    fetcher
        .fetch_repository(repository)
        .map_err(|error| error.into_repository_error(repository))
}

/// A folder of a repository, as a kustomization refers to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// The path as written, to detect a cycle.
    pub(crate) raw: String,
    /// The URL to clone.
    pub url: String,
    /// The folder within the repository.
    pub folder: PathBuf,
    /// A branch, a tag or a commit; empty for the default branch.
    pub reference: String,
    /// Whether to check out submodules.
    pub submodules: bool,
    /// The timeout of the fetch.
    pub timeout: Duration,
}

/// Whether upstream would fetch this path as a file.
pub(crate) fn is_file(path: &str) -> bool {
    let scheme = path
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https"))
}

/// Creates the error for a remote path without a fetcher.
pub(crate) fn remote_denied(path: &str) -> Error {
    let reason = "remote bases are off, keep a copy in the tree";
    denied_because(&redact_url(path), reason)
}

fn denied_because(shown: &str, reason: &str) -> Error {
    let message = format!("remote resource '{shown}' is not fetched: {reason}");
    Error::new(Code::RemoteDenied, message)
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

impl Repository {
    /// Parses a path as the URL of a repository; `None` for other paths.
    pub fn parse(raw: &str) -> Option<Self> {
        if raw.starts_with('/') {
            return None;
        }
        let (address, query) = raw.split_once('?').unwrap_or((raw, ""));
        let (host, rest) = host(address)?;
        let all = host.starts_with("file://");
        let (path, folder) = split(&rest, all)?;
        if path.is_empty() {
            return None;
        }
        let folder = normalised(folder.trim_start_matches('/'))?;
        let mut repository = Self {
            raw: raw.to_owned(),
            url: format!("{host}{path}"),
            folder,
            reference: String::new(),
            submodules: true,
            timeout: TIMEOUT,
        };
        repository.read_query(query);
        Some(repository)
    }

    /// Whether the path begins with `git::`, which has no effect.
    pub(crate) fn is_forced(&self) -> bool {
        strip(&self.raw, "git::").is_some()
    }

    fn read_query(&mut self, query: &str) {
        let Some(pairs) = pairs(query) else {
            return;
        };
        // The first of several values counts.
        let value = |key: &str| {
            let pair = pairs.iter().find(|(found, _)| found == key);
            pair.map(|(_, value)| value.as_str())
                .filter(|value| !value.is_empty())
        };
        if let Some(reference) = value("ref").or_else(|| value("version")) {
            reference.clone_into(&mut self.reference);
        }
        if let Some(text) = value("timeout") {
            let seconds = text.parse::<u64>().ok().map(Duration::from_secs);
            let timeout = seconds.or_else(|| duration::parse(text).ok()?.to_std());
            if let Some(timeout) = timeout.filter(|timeout| !timeout.is_zero()) {
                self.timeout = timeout;
            }
        }
        if let Some(wanted) = value("submodules").and_then(|text| boolean::parse(text).ok()) {
            self.submodules = wanted;
        }
    }
}

/// Parses a query like Go's `url.ParseQuery`; `None` if any part is malformed.
fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        if pair.contains(';') {
            return None;
        }
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push((unescaped(key)?, unescaped(value)?));
    }
    Some(pairs)
}

/// Decodes `%XX` and `+`; `None` if a `%` is not followed by two hexadecimal digits.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let digits = str::from_utf8(after.get(..2)?).ok()?;
                if digits.starts_with('+') {
                    return None;
                }
                rest = &after[2..];
                u8::from_str_radix(digits, 16).ok()?
            }
            byte => *byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Normalises a folder; `None` if it leads out of the repository.
fn normalised(folder: &str) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in Path::new(folder).components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::ParentDir if !normal.pop() => return None,
            _ => {}
        }
    }
    Some(normal)
}

/// Splits scheme, user and host off an address.
fn host(address: &str) -> Option<(String, String)> {
    let address = strip(address, "git::").unwrap_or(address);
    let schemes = ["ssh://", "https://", "http://", "file://"];
    let (scheme, address) = schemes
        .iter()
        .find_map(|scheme| Some((*scheme, strip(address, scheme)?)))
        .unwrap_or(("", address));
    let (user, address) = user(address);
    let is_github =
        strip(address, "github.com/").is_some() || strip(address, "github.com:").is_some();
    let is_scp = scheme.is_empty() && (!user.is_empty() || is_github);
    if scheme.is_empty() && !is_scp {
        return None;
    }
    if scheme == "file://" {
        return Some((scheme.to_owned(), format!("{user}{address}")));
    }
    let slash = address.find('/');
    let colon = address.find(':').filter(|_| is_scp);
    let separator = match (slash, colon) {
        (Some(slash), Some(colon)) if colon > 0 && colon < slash => Some(colon),
        (None, colon) => colon,
        (slash, _) => slash,
    };
    let (host, rest) = match separator {
        Some(at) => (&address[..=at], &address[at + 1..]),
        None => (address, ""),
    };
    let host = if !is_github {
        format!("{scheme}{user}{host}")
    } else if scheme == "ssh://" || !user.is_empty() {
        format!("{user}github.com:")
    } else {
        "https://github.com/".to_owned()
    };
    (!host.is_empty()).then(|| (host, rest.to_owned()))
}

/// Splits `name@` off an address.
fn user(address: &str) -> (&str, &str) {
    let Some((name, _)) = address.split_once('@') else {
        return ("", address);
    };
    let mut characters = name.chars();
    let is_name = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '-');
    if is_name {
        address.split_at(name.len() + 1)
    } else {
        ("", address)
    }
}

/// Splits the path of a repository from the folder within it.
fn split(path: &str, all: bool) -> Option<(String, String)> {
    let part = |at: usize, from: usize| (path[..at].to_owned(), path[from..].to_owned());
    if let Some(at) = path.find("_git/") {
        let name = at + "_git/".len();
        let end = path[name..].find('/').map_or(path.len(), |end| name + end);
        return Some(part(end, (end + 1).min(path.len())));
    }
    if let Some(at) = path.find("//") {
        return Some(part(at, at + 2));
    }
    if let Some(at) = path.find(".git") {
        return Some(part(at + 4, at + 4));
    }
    if all {
        return Some(part(path.len(), path.len()));
    }
    // Owner and name, as on GitHub.
    let first = path.find('/')?;
    let end = path[first + 1..]
        .find('/')
        .map_or(path.len(), |end| first + 1 + end);
    Some(part(end, (end + 1).min(path.len())))
}

#[cfg(test)]
mod tests {
    use super::{Repository, is_file, remote_denied};

    #[track_caller]
    fn parses(text: &str, url: &str, folder: &str, reference: &str) {
        let repository = Repository::parse(text).unwrap();
        assert_eq!(
            (
                repository.url.as_str(),
                repository.folder.to_str().unwrap(),
                repository.reference.as_str()
            ),
            (url, folder, reference),
            "{text}"
        );
    }

    #[test]
    fn repository_urls_are_parsed() {
        parses("github.com/a/b", "https://github.com/a/b", "", "");
        parses(
            "GitHub.com:a/b/c?ref=v1",
            "https://github.com/a/b",
            "c",
            "v1",
        );
        parses(
            "git@github.com:a/b.git//c/d",
            "git@github.com:a/b.git",
            "c/d",
            "",
        );
        parses(
            "https://example.com/a/b//c?version=v2",
            "https://example.com/a/b",
            "c",
            "v2",
        );
        parses(
            "ssh://git@example.com/a/b.git",
            "ssh://git@example.com/a/b.git",
            "",
            "",
        );
        parses(
            "https://dev.azure.com/o/p/_git/r/c",
            "https://dev.azure.com/o/p/_git/r",
            "c",
            "",
        );
        parses("file:///srv/r.git/c", "file:///srv/r.git", "c", "");
        parses(
            "git::https://example.com/a/b",
            "https://example.com/a/b",
            "",
            "",
        );
    }

    #[test]
    fn local_paths_are_not_repositories() {
        for path in [
            "../base",
            "base",
            "a/b/c",
            "/abs",
            "https://example.com/a.yaml",
        ] {
            assert_eq!(Repository::parse(path), None, "{path}");
        }
        assert_eq!(Repository::parse("github.com/a/b//../../c"), None);
        assert!(is_file("https://example.com/a.yaml") && !is_file("ssh://example.com/a"));
    }

    #[test]
    fn query_sets_reference_timeout_and_submodules() {
        let parse = |query: &str| {
            let url = format!("https://example.com/a/b?{query}");
            let repository = Repository::parse(&url).unwrap();
            let time = repository.timeout.as_millis();
            (repository.reference, time, repository.submodules)
        };
        let plain = |reference: &str| (reference.to_owned(), 27_000, true);
        assert_eq!(parse(""), plain(""));
        assert_eq!(parse("ref=v1&version=v2"), plain("v1"));
        assert_eq!(parse("ref=&version=v2"), plain("v2"));
        assert_eq!(parse("ref=a&ref=b"), plain("a"));
        assert_eq!(parse("ref=feature%2Fx+y"), plain("feature/x y"));
        // A malformed query is ignored as a whole.
        assert_eq!(parse("ref=v1&timeout=%zz"), plain(""));
        assert_eq!(parse("ref=v1;timeout=1"), plain(""));
        for (timeout, milliseconds) in [
            ("61", 61_000),
            ("1m1s", 61_000),
            ("500ms", 500),
            ("0", 27_000),
            ("-5", 27_000),
            ("soon", 27_000),
        ] {
            let parsed = parse(&format!("timeout={timeout}")).1;
            assert_eq!(parsed, milliseconds, "{timeout}");
        }
        for (submodules, wanted) in [("false", false), ("0", false), ("T", true), ("no", true)] {
            assert_eq!(parse(&format!("submodules={submodules}")).2, wanted);
        }
    }

    #[test]
    fn error_does_not_show_tokens() {
        let error = remote_denied("https://user:secret@example.com/a/b?token=secret");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
