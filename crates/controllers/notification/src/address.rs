//! Addresses of services and of Git repositories.
//!
//! Parity: notification-controller: `internal/notifier/util.go` with `chainguard-dev/git-urls`.

use url::Url;

use crate::error::Error;

/// Longest address that is accepted.
pub const MAX_ADDRESS_BYTES: usize = 2048;

/// Parses the address of an HTTP service. `what` names it in errors.
pub fn http_url(what: &'static str, address: &str) -> Result<Url, Error> {
    let refuse = |reason: &str| {
        Err(Error::Address {
            what,
            reason: reason.to_owned(),
        })
    };
    if address.is_empty() {
        return refuse("empty url");
    }
    if address.len() > MAX_ADDRESS_BYTES {
        return refuse("longer than 2048 bytes");
    }
    if address.contains(|c: char| c.is_control() || c == ' ') {
        return refuse("it holds a space or a control character");
    }
    let url = match Url::parse(address) {
        Ok(url) => url,
        Err(url::ParseError::RelativeUrlWithoutBase) => {
            return refuse("invalid URI for request: it has no scheme");
        }
        Err(error) => return refuse(&error.to_string()),
    };
    if !matches!(url.scheme(), "http" | "https") {
        return refuse("the scheme must be http or https");
    }
    Ok(url)
}

/// A repository on a Git host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// Scheme and host of the API.
    pub host: Url,
    /// Parts of the path.
    pub path: Vec<String>,
}

impl Repository {
    /// Parses `https://host/a/b`, `ssh://git@host/a/b` or `git@host:a/b`, with an optional `.git`.
    pub fn parse(address: &str) -> Result<Self, Error> {
        if address.len() > MAX_ADDRESS_BYTES {
            return Err(invalid("longer than 2048 bytes"));
        }
        let (scheme, host, path) = match Url::parse(address) {
            Ok(url) if is_transport(url.scheme()) => {
                let scheme = match url.scheme() {
                    "ssh" => "https",
                    scheme => scheme,
                };
                let host = url.host_str().ok_or_else(|| invalid("it has no host"))?;
                // The port of SSH is kept too, as the reference does.
                let port = url
                    .port()
                    .map(|port| format!(":{port}"))
                    .unwrap_or_default();
                let path = decode(url.path())?;
                (scheme.to_owned(), format!("{host}{port}"), path)
            }
            _ => {
                let (host, path) = scp_form(address).ok_or_else(|| invalid("not a Git URL"))?;
                ("https".to_owned(), host.to_owned(), path.to_owned())
            }
        };
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(invalid("the scheme must be http, https or ssh"));
        }
        let host = Url::parse(&format!("{scheme}://{host}"))
            .map_err(|error| invalid(&error.to_string()))?;
        let path = path.trim_start_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let path: Vec<_> = path.split('/').map(str::to_owned).collect();
        if path.iter().any(|part| matches!(part.as_str(), "." | "..")) {
            return Err(Error::Repository(path.join("/")));
        }
        Ok(Self { host, path })
    }

    /// Returns the parts if there are as many as wanted, none of them empty.
    pub fn parts<const N: usize>(&self) -> Result<[&str; N], Error> {
        let refuse = || Error::Repository(self.id());
        let parts: Vec<_> = self.path.iter().map(String::as_str).collect();
        let parts: [&str; N] = parts.try_into().map_err(|_| refuse())?;
        if parts.contains(&"") {
            return Err(refuse());
        }
        Ok(parts)
    }

    /// Returns the path without a leading slash.
    pub fn id(&self) -> String {
        self.path.join("/")
    }
}

/// Appends parts to the path of an address. Each part is escaped as a whole.
pub fn join<'p>(base: &Url, parts: impl IntoIterator<Item = &'p str>) -> Url {
    let mut url = base.clone();
    {
        let mut path = url
            .path_segments_mut()
            .expect("the scheme is http or https");
        path.pop_if_empty().extend(parts);
    }
    url
}

fn invalid(reason: &str) -> Error {
    Error::Address {
        what: "repository URL",
        reason: reason.to_owned(),
    }
}

fn is_transport(scheme: &str) -> bool {
    const TRANSPORTS: [&str; 9] = [
        "ssh", "git", "git+ssh", "http", "https", "ftp", "ftps", "rsync", "file",
    ];
    TRANSPORTS.contains(&scheme)
}

fn decode(path: &str) -> Result<String, Error> {
    percent_encoding::percent_decode_str(path)
        .decode_utf8()
        .map(std::borrow::Cow::into_owned)
        .map_err(|_| invalid("the path is not UTF-8"))
}

/// Splits `user@host:path`.
fn scp_form(address: &str) -> Option<(&str, &str)> {
    let (host, path) = address.split_once(':')?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let is_host = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let is_path = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
    let path = path.split('?').next().unwrap_or(path);
    let is_valid = !host.is_empty()
        && host.chars().all(is_host)
        && !path.is_empty()
        && path.chars().all(is_path);
    is_valid.then_some((host, path))
}

#[cfg(test)]
mod tests;
