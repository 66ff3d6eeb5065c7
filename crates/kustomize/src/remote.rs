//! What is not in the tree: files by HTTP, and repositories.
//!
//! The engine opens no connection. A caller that wants remote bases hands in a
//! [`Fetcher`]; without one, whatever would have to be fetched is refused with
//! [`Code::RemoteDenied`]. Which paths mean a repository is decided here, by
//! upstream's grammar.
//!
//! Parity: kustomize: `api/internal/git/repospec.go`.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_golang::{boolean, duration};

use crate::error::{Code, Error};
use crate::fs::Fs;

/// How long a fetch may take if its URL does not say.
const TIMEOUT: Duration = Duration::from_secs(27);

/// Brings what is not in the tree.
pub trait Fetcher: Send + Sync {
    /// Reads a file of at most `limit` bytes by HTTP. A status that is no
    /// success is [`Code::RemoteFailed`].
    fn file(&self, url: &str, limit: u64) -> Result<Vec<u8>, Error>;

    /// Checks out a repository and returns its tree, whose root is its root.
    fn repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, Error>;
}

/// A folder of a repository, as a kustomization names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// As written, to notice that one leads to itself.
    pub(crate) raw: String,
    /// What to clone.
    pub url: String,
    /// The folder within.
    pub folder: PathBuf,
    /// A branch, a tag or a commit; empty for the default branch.
    pub reference: String,
    /// Whether submodules are wanted.
    pub submodules: bool,
    /// How long it may take.
    pub timeout: Duration,
}

/// Would upstream fetch this path as a file?
pub(crate) fn is_file(path: &str) -> bool {
    let scheme = path
        .split_once(':')
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(scheme.as_deref(), Some("http" | "https"))
}

/// A path without what may be a secret: the query may carry a token, and so may
/// what stands before the host.
pub(crate) fn shown(path: &str) -> String {
    let Some(scheme) = path.find("://") else {
        return path.to_owned();
    };
    let path = path.split('?').next().unwrap_or_default();
    match path.rfind('@') {
        Some(at) if at > scheme => format!("{}{}", &path[..scheme + 3], &path[at + 1..]),
        _ => path.to_owned(),
    }
}

/// The refusal of something that would have to be fetched.
pub(crate) fn denied(path: &str) -> Error {
    let shown = shown(path);
    let message = format!(
        "remote resource '{shown}' is not fetched: remote bases are off, keep a copy in the tree"
    );
    Error::new(Code::RemoteDenied, message)
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

impl Repository {
    /// Reads a path as the URL of a repository; `None` if it is none.
    pub(crate) fn parse(raw: &str) -> Option<Self> {
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

    fn read_query(&mut self, query: &str) {
        for pair in query.split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            match key {
                "ref" if !value.is_empty() => value.clone_into(&mut self.reference),
                "version" if self.reference.is_empty() => value.clone_into(&mut self.reference),
                "timeout" => {
                    let seconds = value.parse::<u64>().ok().map(Duration::from_secs);
                    let nanoseconds = || {
                        let parsed = duration::parse(value).ok()?;
                        u64::try_from(parsed.0).ok().map(Duration::from_nanos)
                    };
                    if let Some(timeout) = seconds.or_else(nanoseconds)
                        && !timeout.is_zero()
                    {
                        self.timeout = timeout;
                    }
                }
                "submodules" => {
                    if let Ok(wanted) = boolean::parse(value) {
                        self.submodules = wanted;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The folder without detours; `None` if it leads out of the repository.
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

/// Takes scheme, user and host off an address.
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

/// Takes `name@` off.
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

/// Splits a path into that of the repository and the folder within.
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
    // The owner and the name, as at GitHub.
    let first = path.find('/')?;
    let end = path[first + 1..]
        .find('/')
        .map_or(path.len(), |end| first + 1 + end);
    Some(part(end, (end + 1).min(path.len())))
}

#[cfg(test)]
mod tests {
    use super::{Repository, denied, is_file};

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
    fn repositories_are_named_in_many_ways() {
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
    fn local_paths_are_no_repositories() {
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
    fn no_token_is_shown() {
        let error = denied("https://user:secret@example.com/a/b?token=secret");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
