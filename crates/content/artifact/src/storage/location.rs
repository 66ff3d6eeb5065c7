//! Paths of artifacts, and the address they are advertised under.

use std::net::SocketAddr;

/// The directory of one object: kind, namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    kind: String,
    namespace: String,
    name: String,
}

/// A kind, namespace or name that is no path component.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' cannot be a directory of the artifact storage")]
pub struct LocationError(String);

impl Location {
    /// Locates an object; the kind is lower-cased. Kubernetes promises names without a slash,
    /// but this is the place where a broken promise would write elsewhere, so it is checked.
    pub fn new(kind: &str, namespace: &str, name: &str) -> Result<Self, LocationError> {
        for component in [kind, namespace, name] {
            if !plain(component) {
                return Err(LocationError(component.to_owned()));
            }
        }
        Ok(Self {
            kind: kind.to_lowercase(),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        })
    }

    /// The path of a file of this object, relative to the root.
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

/// Neither hidden nor a way out: `.sluice` and temporary files must not be reachable by name.
fn plain(component: &str) -> bool {
    !component.is_empty() && !component.starts_with('.') && !component.contains(['/', '\0'])
}

/// Splits a stored path into directories and file; `None` for one that leads nowhere, which is
/// what a `..` in a status deserves.
pub(crate) fn split(path: &str) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut components = Vec::new();
    for component in path.trim_start_matches('/').split('/') {
        if !plain(component) {
            return None;
        }
        components.push(component.as_bytes());
    }
    let file = components.pop()?;
    Some((components, file))
}

/// The address to advertise: the one given, else one derived from where the server listens.
///
/// An empty host is reachable from this host only; all interfaces are reachable by the host's
/// name.
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
