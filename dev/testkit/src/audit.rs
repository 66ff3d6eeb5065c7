//! Requests to the API server, read from its audit log.
//!
//! A test proves with it that a controller wrote nothing. Counts of our own client could be wrong.

use std::fmt;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sluice_system::fs;

use crate::wait;

/// A completed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The authenticated user.
    pub user: String,
    /// The impersonated user, if any.
    pub impersonated: Option<String>,
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`.
    pub verb: String,
    /// Group of the resource; empty for the core group.
    pub group: String,
    /// Plural name of the resource; empty for other paths.
    pub resource: String,
    /// Subresource, if any.
    pub subresource: String,
    /// Namespace, if any.
    pub namespace: String,
    /// Name of the object, if any.
    pub name: String,
    /// Path and query.
    pub uri: String,
    /// The user agent.
    pub agent: String,
    /// Status of the response.
    pub code: u64,
}

impl Entry {
    fn parse(line: &str) -> Option<Self> {
        let event: Value = serde_json::from_str(line).ok()?;
        // The log has two entries for a watch. The first one is the request.
        let stage = event["stage"].as_str()?;
        let verb = text(&event["verb"]);
        if stage
            != if verb == "watch" {
                "ResponseStarted"
            } else {
                "ResponseComplete"
            }
        {
            return None;
        }
        let object = &event["objectRef"];
        Some(Self {
            user: text(&event["user"]["username"]),
            impersonated: event["impersonatedUser"]["username"]
                .as_str()
                .map(str::to_owned),
            verb,
            group: text(&object["apiGroup"]),
            resource: text(&object["resource"]),
            subresource: text(&object["subresource"]),
            namespace: text(&object["namespace"]),
            name: text(&object["name"]),
            uri: text(&event["requestURI"]),
            agent: text(&event["userAgent"]),
            code: event["responseStatus"]["code"].as_u64().unwrap_or_default(),
        })
    }

    /// Whether the request changes something and is not a dry run.
    pub fn is_write(&self) -> bool {
        matches!(
            &*self.verb,
            "create" | "update" | "patch" | "delete" | "deletecollection"
        ) && !self.uri.contains("dryRun=All")
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            user,
            verb,
            resource,
            namespace,
            name,
            code,
            ..
        } = self;
        write!(formatter, "{user}: {verb} {resource}")?;
        if !self.subresource.is_empty() {
            write!(formatter, "/{}", self.subresource)?;
        }
        write!(formatter, " {namespace}/{name} -> {code}")
    }
}

/// The audit log of a control plane.
#[derive(Debug, Clone)]
pub struct AuditLog {
    path: PathBuf,
}

/// A position in the audit log, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark(u64);

impl AuditLog {
    /// Opens the log at a path.
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Returns the position after all requests that were answered so far.
    ///
    /// The server logs a request after its response. This method sends a request with a unique path
    /// and waits for its entry.
    pub async fn mark(&self, client: &kube::Client) -> Mark {
        let token: String = std::iter::repeat_with(fastrand::alphanumeric)
            .take(16)
            .collect();
        // The log may have hundreds of megabytes, so reading starts near its end.
        let before = fs::metadata(&self.path).map_or(0, |metadata| metadata.len());
        let request = http::Request::get(format!("/version?mark={token}"))
            .body(Vec::new())
            .unwrap();
        client
            .request_text(request)
            .await
            .unwrap_or_else(|error| panic!("mark the audit log: {error}"));
        wait::eventually("the audit log holds the mark", || async {
            let text = self.tail(before).map_err(|error| error.to_string())?;
            let at = text.find(&token).ok_or("it is not there yet")?;
            let end = text[at..].find('\n').ok_or("its line has no end yet")?;
            Ok(Mark(before + (at + end + 1) as u64))
        })
        .await
    }

    /// Returns all requests since a position, in the order of completion.
    pub fn since(&self, mark: Mark) -> Vec<Entry> {
        let text = self.tail(mark.0).unwrap_or_else(|error| panic!("{error}"));
        text.lines().filter_map(Entry::parse).collect()
    }

    /// Reads the log from an offset.
    fn tail(&self, from: u64) -> std::io::Result<String> {
        let mut file = fs::open(&self.path).map_err(std::io::Error::other)?;
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // The last line may be incomplete.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n');
        bytes.truncate(whole.map_or(0, |end| end + 1));
        String::from_utf8(bytes).map_err(std::io::Error::other)
    }

    /// Returns the writes of a user since a position.
    pub fn writes_by(&self, user: &str, since: Mark) -> Vec<Entry> {
        self.since(since)
            .into_iter()
            .filter(|entry| {
                entry.is_write()
                    && (entry.user == user || entry.impersonated.as_deref() == Some(user))
            })
            .collect()
    }

    /// Fails the test if a user wrote something since a position.
    ///
    /// `except` names resources that do not count, usually `leases` and `events`.
    pub fn assert_no_writes_by(&self, user: &str, since: Mark, except: &[&str]) {
        let writes: Vec<String> = self
            .writes_by(user, since)
            .into_iter()
            .filter(|entry| !except.contains(&&*entry.resource))
            .map(|entry| entry.to_string())
            .collect();
        assert!(writes.is_empty(), "{user} wrote:\n{}", writes.join("\n"));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = r#"{"stage":"ResponseComplete","requestURI":"/api/v1/namespaces/a/configmaps/b?dryRun=All","verb":"patch","user":{"username":"jane"},"objectRef":{"resource":"configmaps","namespace":"a","name":"b","apiVersion":"v1"},"responseStatus":{"code":200}}"#;

    #[test]
    fn dry_run_is_not_a_write() {
        let entry = Entry::parse(PATCH).unwrap();
        assert!(!entry.is_write());
        assert_eq!(entry.to_string(), "jane: patch configmaps a/b -> 200");
        assert!(
            Entry::parse(&PATCH.replace("?dryRun=All", ""))
                .unwrap()
                .is_write()
        );
    }

    #[test]
    fn watch_counts_once_at_its_start() {
        let line = PATCH.replace("\"patch\"", "\"watch\"");
        assert!(Entry::parse(&line).is_none());
        assert!(Entry::parse(&line.replace("ResponseComplete", "ResponseStarted")).is_some());
    }
}
