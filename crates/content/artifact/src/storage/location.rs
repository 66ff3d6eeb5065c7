//! Paths of artifacts, and the advertised address of the file server.

use std::net::SocketAddr;

/// The directory of one object: kind, namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    kind: String,
    namespace: String,
    name: String,
}

/// A kind, namespace or name that is not a valid path component.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' cannot be a directory of the artifact storage")]
pub struct LocationError(String);

impl Location {
    /// Creates a location. The kind is lower-cased. Kubernetes forbids slashes in names, but a
    /// slash would write to another directory, so it is checked here.
    pub fn new(kind: &str, namespace: &str, name: &str) -> Result<Self, LocationError> {
        for component in [kind, namespace, name] {
            if !is_plain(component) {
                return Err(LocationError(component.to_owned()));
            }
        }
        Ok(Self {
            kind: kind.to_lowercase(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }

    /// The path of a file, relative to the root.
    pub fn path(&self, file: &str) -> String {
        format!("{}/{}/{}/{file}", self.kind, self.namespace, self.name)
    }

    /// The namespace of the object.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The name of the object.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn components(&self) -> [&[u8]; 3] {
        [&self.kind, &self.namespace, &self.name].map(String::as_bytes)
    }
}

/// Rejects hidden names, because `.sluice` and temporary files must not be reachable.
fn is_plain(component: &str) -> bool {
    !component.is_empty() && !component.starts_with('.') && !component.contains(['/', '\0'])
}

/// Splits a path of a status into directories and file name. Returns `None` for paths with `..`,
/// empty or hidden components.
pub(crate) fn split(path: &str) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut components = Vec::new();
    for component in path.trim_start_matches('/').split('/') {
        if !is_plain(component) {
            return None;
        }
        components.push(component.as_bytes());
    }
    let file = components.pop()?;
    Some((components, file))
}

/// Returns the given address, or one derived from the listen address.
///
/// An empty host becomes `localhost`; `0.0.0.0` becomes the host name.
pub fn advertised_address(given: &str, listen: &str, hostname: &str) -> String {
    if !given.is_empty() {
        return given.to_owned();
    }
    let (host, port) = match listen.parse::<SocketAddr>() {
        Ok(address) => (address.ip().to_string(), address.port().to_string()),
        Err(_) => match listen.rsplit_once(':') {
            Some((host, port)) => (host.to_owned(), port.to_owned()),
            None => (listen.to_owned(), String::new()),
        },
    };
    let host = match host.as_str() {
        "" => "localhost",
        "0.0.0.0" => hostname,
        host => host,
    };
    if host.contains(':') {
        format!("[{host}]:{port}")
    } else {
        format!("{host}:{port}")
    }
}
