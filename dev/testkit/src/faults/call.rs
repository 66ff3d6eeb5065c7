//! A request to the API server, in the terms of RBAC.

use std::fmt;

use bytes::Bytes;
use http::request::Parts;
use http::{Method, header};

use super::fault::Fault;

/// One request to the API server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// Its number among all calls, from 1.
    pub number: usize,
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, `deletecollection`.
    pub verb: &'static str,
    /// Group of the resource; empty for the core group and for other paths.
    pub group: String,
    /// Version of the resource.
    pub version: String,
    /// Plural name of the resource; empty for other paths, such as discovery.
    pub resource: String,
    /// Subresource, such as `status`; else empty.
    pub subresource: String,
    /// Namespace, if any.
    pub namespace: String,
    /// Name of the object; empty for a collection. For a create it comes from the body.
    pub name: String,
    /// Whether it is a dry run.
    pub dry_run: bool,
    /// Field manager, if any.
    pub manager: String,
    /// The impersonated user, if any.
    pub impersonated: String,
    /// The user agent.
    pub agent: String,
    /// Path and query.
    pub uri: String,
    /// The body of a write.
    pub body: Bytes,
    /// Status of the response, once there is one.
    pub status: Option<u16>,
    /// The fault that the proxy injected.
    pub fault: Option<Fault>,
}

impl Call {
    pub(super) fn of(parts: &Parts, body: &Bytes) -> Self {
        let header = |name: &str| {
            parts
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default()
                .to_owned()
        };
        let query = parts.uri.query().unwrap_or_default();
        let parameter = |name: &str| {
            query
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value)
        };
        let mut call = Self {
            dry_run: parameter("dryRun").is_some(),
            manager: parameter("fieldManager").unwrap_or_default().to_owned(),
            impersonated: header("impersonate-user"),
            agent: header("user-agent"),
            uri: parts
                .uri
                .path_and_query()
                .map(ToString::to_string)
                .unwrap_or_default(),
            ..Self::default()
        };
        call.read_path(parts.uri.path());
        let watches = matches!(parameter("watch"), Some("true" | "1"));
        let applies = parts
            .headers
            .get(header::CONTENT_TYPE)
            .is_some_and(|kind| kind.as_bytes().starts_with(b"application/apply-patch"));
        call.verb = match parts.method {
            _ if watches => "watch",
            Method::POST => "create",
            Method::PUT => "update",
            Method::PATCH if applies => "apply",
            Method::PATCH => "patch",
            Method::DELETE if call.name.is_empty() => "deletecollection",
            Method::DELETE => "delete",
            _ if call.name.is_empty() && !call.resource.is_empty() => "list",
            _ => "get",
        };
        if parts.method != Method::GET {
            call.body = body.clone();
        }
        if call.verb == "create" && call.name.is_empty() {
            call.name = name_in(body);
        }
        call
    }

    fn read_path(&mut self, path: &str) {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let rest = match &*parts {
            ["api", version, rest @ ..] => {
                (*version).clone_into(&mut self.version);
                rest
            }
            ["apis", group, version, rest @ ..] => {
                (*group).clone_into(&mut self.group);
                (*version).clone_into(&mut self.version);
                rest
            }
            _ => return,
        };
        let rest = match rest {
            // `…/namespaces/NAME` is the namespace itself, and these two are its subresources.
            ["namespaces", _] | ["namespaces", _, "status" | "finalize"] => rest,
            ["namespaces", namespace, rest @ ..] => {
                (*namespace).clone_into(&mut self.namespace);
                rest
            }
            _ => rest,
        };
        let part = |index: usize| rest.get(index).copied().unwrap_or_default().to_owned();
        (self.resource, self.name, self.subresource) = (part(0), part(1), part(2));
    }

    /// Whether the call changes something. Dry runs, lease renewals, access reviews and tokens do
    /// not count.
    pub fn is_write(&self) -> bool {
        !matches!(self.verb, "get" | "list" | "watch")
            && !self.dry_run
            && self.resource != "leases"
            && self.subresource != "token"
            && !self.group.ends_with("authorization.k8s.io")
            && !self.group.ends_with("authentication.k8s.io")
    }

    /// `resource/subresource`.
    pub fn target(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{} {} ", self.number, self.verb)?;
        if self.resource.is_empty() {
            write!(formatter, "{}", self.uri)?;
        } else {
            write!(formatter, "{}", self.target())?;
            match (&*self.namespace, &*self.name) {
                ("", "") => {}
                ("", name) => write!(formatter, " {name}")?,
                (namespace, name) => write!(formatter, " {namespace}/{name}")?,
            }
        }
        if self.dry_run {
            write!(formatter, " (dry run)")?;
        }
        if let Some(fault) = &self.fault {
            write!(formatter, " [{fault:?}]")?;
        }
        if let Some(status) = self.status {
            write!(formatter, " -> {status}")?;
        }
        Ok(())
    }
}

fn name_in(body: &[u8]) -> String {
    let value: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    value["metadata"]["name"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: &str, uri: &str, kind: &str, body: &'static str) -> String {
        let request = http::Request::builder()
            .method(method)
            .uri(uri)
            .header("content-type", kind)
            .body(())
            .unwrap();
        let (parts, ()) = request.into_parts();
        Call::of(&parts, &Bytes::from_static(body.as_bytes())).to_string()
    }

    #[test]
    fn call_is_displayed_in_terms_of_rbac() {
        let json = "application/json";
        for (method, uri, kind, body, wanted) in [
            (
                "GET",
                "/api/v1/namespaces/a/pods?limit=5",
                json,
                "",
                "#0 list pods a/",
            ),
            (
                "GET",
                "/api/v1/namespaces/a/pods/b",
                json,
                "",
                "#0 get pods a/b",
            ),
            (
                "GET",
                "/api/v1/namespaces/a",
                json,
                "",
                "#0 get namespaces a",
            ),
            (
                "PUT",
                "/api/v1/namespaces/a/finalize",
                json,
                "",
                "#0 update namespaces/finalize a",
            ),
            ("GET", "/api/v1/namespaces", json, "", "#0 list namespaces"),
            (
                "GET",
                "/apis/apps/v1/deployments?watch=true",
                json,
                "",
                "#0 watch deployments",
            ),
            ("GET", "/apis/apps/v1", json, "", "#0 get /apis/apps/v1"),
            ("GET", "/version", json, "", "#0 get /version"),
            (
                "POST",
                "/api/v1/namespaces/a/configmaps",
                json,
                r#"{"metadata":{"name":"b"}}"#,
                "#0 create configmaps a/b",
            ),
            (
                "PATCH",
                "/apis/g.io/v1/namespaces/a/things/b/status?fieldManager=m",
                "application/merge-patch+json",
                "",
                "#0 patch things/status a/b",
            ),
            (
                "PATCH",
                "/apis/g.io/v1/namespaces/a/things/b?dryRun=All",
                "application/apply-patch+yaml",
                "",
                "#0 apply things a/b (dry run)",
            ),
            (
                "DELETE",
                "/apis/g.io/v1/things/b",
                json,
                "",
                "#0 delete things b",
            ),
            (
                "DELETE",
                "/apis/g.io/v1/namespaces/a/things",
                json,
                "",
                "#0 deletecollection things a/",
            ),
        ] {
            assert_eq!(call(method, uri, kind, body), wanted, "{method} {uri}");
        }
    }

    #[test]
    fn leases_reviews_and_dry_runs_are_not_writes() {
        let of = |method: &str, uri: &str| {
            let (parts, ()) = http::Request::builder()
                .method(method)
                .uri(uri)
                .body(())
                .unwrap()
                .into_parts();
            Call::of(&parts, &Bytes::new()).is_write()
        };
        assert!(of("POST", "/api/v1/namespaces/a/configmaps"));
        assert!(!of("POST", "/api/v1/namespaces/a/configmaps?dryRun=All"));
        assert!(!of(
            "PUT",
            "/apis/coordination.k8s.io/v1/namespaces/a/leases/b"
        ));
        assert!(!of(
            "POST",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
        ));
        assert!(!of("POST", "/api/v1/namespaces/a/serviceaccounts/b/token"));
        assert!(!of("GET", "/api/v1/namespaces/a/configmaps/b"));
    }
}
