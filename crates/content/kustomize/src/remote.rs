//! What is not in the tree: files by HTTP, and repositories.
//!
//! The engine opens no connection. A caller that wants remote bases hands in a
//! [`Fetcher`]; without one, whatever would have to be fetched is refused with
//! [`Code::RemoteDenied`]. Which paths mean a repository is decided here, by
//! upstream's grammar.
//!
//! Parity: kustomize: `api/internal/git/repospec.go`.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sluice_golang::boolean;
use sluice_golang::duration::{self, GoDuration};

use crate::error::{Code, Error};
use crate::fs::Fs;

/// How long a fetch may take if its URL does not say.
const TIMEOUT: Duration = Duration::from_secs(27);

/// Brings what is not in the tree.
///
/// One is made for each build: what it was asked for once it need not bring
/// again, and two kustomizations of a build see the same commit of a branch.
pub trait Fetcher: Send + Sync {
    /// Reads a file of at most `limit` bytes by HTTP.
    fn file(&self, url: &str, limit: u64) -> Result<Vec<u8>, Unfetched>;

    /// Checks out a repository and returns its tree, whose root is its root.
    fn repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, Unfetched>;
}

/// Why something was not fetched. No text of it holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfetched {
    /// A server answered that it does not give the file.
    Status {
        /// The status.
        code: u16,
        /// What it means.
        reason: String,
    },
    /// It is not even tried, for this reason.
    Refused(String),
    /// It took longer than it may.
    Timeout(Duration),
    /// It is larger than it may be.
    Limit(String),
    /// It failed, for this reason.
    Failed(String),
}

impl Unfetched {
    /// Of a file, in upstream's words where it has some.
    fn of_file(self, url: &str) -> Error {
        let shown = shown(url);
        match self {
            // The file may be a repository, which is tried next.
            Self::Status { .. } if Repository::parse(url).is_some() => {
                Error::new(Code::RemoteFailed, "URL is a git repository")
            }
            Self::Status { code, reason } => {
                let message = format!("{HTTP_ERROR}: status code {code} ({reason})");
                Error::new(Code::RemoteFailed, message)
            }
            Self::Refused(reason) => refused(&shown, &reason),
            Self::Timeout(limit) => {
                let limit = shown_duration(limit);
                let message = format!("hit {limit} timeout reading '{shown}'");
                Error::new(Code::RemoteTimeout, message)
            }
            Self::Limit(reason) => Error::new(Code::Limit, format!("Get \"{shown}\": {reason}")),
            Self::Failed(reason) => {
                Error::new(Code::RemoteFailed, format!("Get \"{shown}\": {reason}"))
            }
        }
    }

    /// Of a repository. Upstream tells which git command failed; there is none here.
    fn of_repository(self, repository: &Repository) -> Error {
        let url = shown(&repository.url);
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
            Self::Refused(reason) => refused(&url, &reason),
            Self::Timeout(limit) => {
                let limit = shown_duration(limit);
                let message = format!("hit {limit} timeout fetching '{reference}' of '{url}'");
                Error::new(Code::RemoteTimeout, message)
            }
            Self::Limit(reason) => failed(Code::Limit, &reason),
            Self::Failed(reason) => failed(Code::RemoteFailed, &reason),
        }
    }
}

/// How the error of a file begins that a server does not give; nothing else is
/// tried then.
pub(crate) const HTTP_ERROR: &str = "HTTP Error";

fn shown_duration(duration: Duration) -> String {
    GoDuration::from_std(duration).to_string()
}

/// Reads a file by HTTP.
pub(crate) fn file(fetcher: Option<&dyn Fetcher>, url: &str, limit: u64) -> Result<Vec<u8>, Error> {
    let Some(fetcher) = fetcher else {
        return Err(denied(url));
    };
    fetcher.file(url, limit).map_err(|error| error.of_file(url))
}

/// Checks out a repository.
pub(crate) fn check_out(
    fetcher: Option<&dyn Fetcher>,
    repository: &Repository,
) -> Result<Arc<dyn Fs>, Error> {
    let Some(fetcher) = fetcher else {
        return Err(denied(&repository.raw));
    };
    fetcher
        .repository(repository)
        .map_err(|error| error.of_repository(repository))
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

/// A path or URL without what may be a secret: what stands before the host, and a
/// query that says more than what upstream reads of it.
pub fn shown(path: &str) -> String {
    const HARMLESS: [&str; 4] = ["ref", "version", "timeout", "submodules"];
    let (address, query) = path.split_once('?').unwrap_or((path, ""));
    let mut parts = query.split('&');
    let harmless = parts.all(|part| HARMLESS.contains(&part.split('=').next().unwrap_or(part)));
    let query = if harmless && !query.is_empty() {
        &path[address.len()..]
    } else {
        ""
    };
    let Some(scheme) = address.find("://") else {
        return path.to_owned();
    };
    let (scheme, rest) = address.split_at(scheme + 3);
    let host = rest.split('/').next().unwrap_or_default();
    match host.rfind('@') {
        // The name alone, which SSH needs, is no secret.
        Some(at) if host[..at].contains(':') || scheme.contains("http") => {
            format!("{scheme}{}{query}", &rest[at + 1..])
        }
        _ => format!("{address}{query}"),
    }
}

/// A text with every URL in it [`shown`]: errors put many sentences around the path
/// that a kustomization names, and quote what it says.
pub(crate) fn without_secrets(text: &str) -> Cow<'_, str> {
    const ENDS: &[char] = &[
        '\'', '"', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', '\\',
    ];
    let mut out = String::new();
    let mut rest = text;
    while let Some(found) = rest.find("://") {
        let is_scheme = |character: char| character.is_ascii_alphanumeric();
        let start = rest[..found].trim_end_matches(is_scheme).len();
        let is_end = |character: char| character.is_whitespace() || ENDS.contains(&character);
        let end = rest[found..].find(is_end);
        let end = end.map_or(rest.len(), |end| found + end);
        out.push_str(&rest[..start]);
        out.push_str(&shown(&rest[start..end]));
        rest = &rest[end..];
    }
    if out.is_empty() {
        return text.into();
    }
    out.push_str(rest);
    out.into()
}

/// The refusal of something that would have to be fetched.
pub(crate) fn denied(path: &str) -> Error {
    let reason = "remote bases are off, keep a copy in the tree";
    refused(&shown(path), reason)
}

fn refused(shown: &str, reason: &str) -> Error {
    let message = format!("remote resource '{shown}' is not fetched: {reason}");
    Error::new(Code::RemoteDenied, message)
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

impl Repository {
    /// Reads a path as the URL of a repository; `None` if it is none.
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

    /// Whether it begins with `git::`, which changes nothing.
    pub(crate) fn is_forced(&self) -> bool {
        strip(&self.raw, "git::").is_some()
    }

    fn read_query(&mut self, query: &str) {
        let Some(pairs) = pairs(query) else {
            return;
        };
        // Of several values the first counts.
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

/// Takes a query apart as Go's `url.ParseQuery` does; `None` if any of it is
/// malformed.
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

/// Resolves `%XX` and `+`; `None` if a `%` stands before something else.
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
    fn a_query_says_which_commit_how_long_and_what_else() {
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
        // Any mistake, and nothing of the query counts.
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
    fn an_address_is_shown_with_what_it_names_and_without_secrets() {
        for (path, expected) in [
            (
                "https://example.com/a/b?ref=v1&timeout=5s",
                "https://example.com/a/b?ref=v1&timeout=5s",
            ),
            (
                "https://example.com/a/b?ref=v1&token=x",
                "https://example.com/a/b",
            ),
            ("https://x:y@example.com/a@b", "https://example.com/a@b"),
            (
                "git::https://token@example.com/a/b",
                "git::https://example.com/a/b",
            ),
            ("ssh://git@example.com/a/b", "ssh://git@example.com/a/b"),
            ("git@example.com:a/b", "git@example.com:a/b"),
            ("../base", "../base"),
        ] {
            assert_eq!(super::shown(path), expected);
        }
    }

    #[test]
    fn a_text_keeps_its_addresses_and_loses_their_secrets() {
        let redacted = |text| super::without_secrets(text).into_owned();
        assert_eq!(
            redacted("path: http://u:p@h/x\n`: read 'https://t@h/y?a=b': ssh://git@h/z?ref=a"),
            "path: http://h/x\n`: read 'https://h/y': ssh://git@h/z?ref=a"
        );
        for text in [
            "",
            "no address",
            "://",
            "http://",
            "a://b ://c",
            "http://h/x@y",
        ] {
            assert_eq!(redacted(text), text);
        }
    }

    #[test]
    fn no_token_is_shown() {
        let error = denied("https://user:secret@example.com/a/b?token=secret");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
