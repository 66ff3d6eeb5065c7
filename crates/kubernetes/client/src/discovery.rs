//! Discovery: the kinds that a server serves, with path and scope.
//!
//! Aggregated discovery takes two requests; older servers are queried group by group. The result is
//! cached until a kind or a path in it proves missing, or a caller invalidates it. One refresh then
//! serves all callers that wait.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use http::Request;
use http::header::ACCEPT;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroupList, APIResourceList, APIVersions};
use kube::core::ApiResource;
use serde::Deserialize;
use sluice_gvk::{GroupKind, GroupVersionKind};

use crate::decode::{self, decode};
use crate::error::Error;
use crate::no_match::NoMatch;
use crate::segment::{InvalidName, segment};

/// Requests aggregated discovery, and the plain lists from older servers.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// The path and scope of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Group, version, kind and plural name.
    pub api: ApiResource,
    /// Whether its objects are namespaced.
    pub namespaced: bool,
    /// Its verbs, such as `list`, `watch`, `patch`.
    pub verbs: Vec<String>,
    /// Its singular and short names.
    pub names: Vec<String>,
}

impl Resource {
    /// The path of the collection. Cluster-wide kinds ignore the namespace.
    pub fn path(&self, namespace: Option<&str>) -> Result<String, InvalidName> {
        let namespace = namespace.filter(|namespace| self.namespaced && !namespace.is_empty());
        let group = if self.api.group.is_empty() {
            "/api".to_owned()
        } else {
            format!("/apis/{}", self.api.group)
        };
        let (version, plural) = (&self.api.version, &self.api.plural);
        Ok(match namespace {
            Some(namespace) => {
                let namespace = segment("namespace", namespace)?;
                format!("{group}/{version}/namespaces/{namespace}/{plural}")
            }
            None => format!("{group}/{version}/{plural}"),
        })
    }

    /// Whether it has a verb.
    pub fn supports(&self, verb: &str) -> bool {
        self.verbs.iter().any(|offered| offered == verb)
    }

    /// The kind with its group and version.
    pub fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::gvk(&self.api.group, &self.api.version, &self.api.kind)
    }
}

/// The result of one discovery.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ServedKinds {
    by_kind: HashMap<GroupVersionKind, Resource>,
    /// Versions of a kind, the preferred one first.
    preferred: HashMap<GroupKind, Vec<GroupVersionKind>>,
    /// All listed groups, with or without kinds.
    groups: HashSet<String>,
    /// Groups whose server did not respond, with the reason.
    absent: HashMap<String, String>,
}

impl ServedKinds {
    fn add(&mut self, resource: Resource) {
        let gvk = resource.gvk();
        if self.by_kind.contains_key(&gvk) {
            // A kind may be served under several plurals. kubectl takes the first one too.
            return;
        }
        let kind = GroupKind {
            group: gvk.group.clone(),
            kind: gvk.kind.clone(),
        };
        self.preferred.entry(kind).or_default().push(gvk.clone());
        self.by_kind.insert(gvk, resource);
    }

    fn resource(&self, gvk: &GroupVersionKind) -> Option<&Resource> {
        self.by_kind.get(gvk)
    }

    fn preferred(&self, kind: &GroupKind) -> Option<&Resource> {
        self.by_kind.get(self.preferred.get(kind)?.first()?)
    }

    fn add_aggregated(&mut self, list: AggregatedList) {
        for group in list.items {
            let name = group.metadata.name.unwrap_or_default();
            self.groups.insert(name.clone());
            for version in group.versions {
                if version.freshness.as_deref() == Some("Stale") && version.resources.is_empty() {
                    self.absent
                        .insert(name.clone(), "its API service does not answer".to_owned());
                }
                for resource in version.resources {
                    let kind = resource.response_kind.unwrap_or_default();
                    // The kind may belong to another group, as for scale; such a resource cannot
                    // be applied. Built-in kinds leave the group empty.
                    if kind
                        .group
                        .as_deref()
                        .is_some_and(|group| !group.is_empty() && group != name)
                    {
                        continue;
                    }
                    let Some(kind) = kind.kind.filter(|kind| !kind.is_empty()) else {
                        continue;
                    };
                    let api = ApiResource {
                        group: name.clone(),
                        version: version.version.clone(),
                        api_version: api_version(&name, &version.version),
                        kind,
                        plural: resource.resource,
                    };
                    let mut names = resource.short_names;
                    names.extend(resource.singular_resource);
                    self.add(Resource {
                        api,
                        namespaced: resource.scope == "Namespaced",
                        verbs: resource.verbs,
                        names,
                    });
                }
            }
        }
    }

    fn add_plain(&mut self, group: &str, version: &str, list: APIResourceList) {
        self.groups.insert(group.to_owned());
        for resource in list.resources {
            if resource.name.contains('/')
                || resource
                    .group
                    .as_deref()
                    .is_some_and(|own| !own.is_empty() && own != group)
            {
                continue;
            }
            let api = ApiResource {
                group: group.to_owned(),
                version: version.to_owned(),
                api_version: api_version(group, version),
                kind: resource.kind,
                plural: resource.name,
            };
            let mut names = resource.short_names.unwrap_or_default();
            names.push(resource.singular_name);
            self.add(Resource {
                api,
                namespaced: resource.namespaced,
                verbs: resource.verbs,
                names,
            });
        }
    }
}

fn api_version(group: &str, version: &str) -> String {
    if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    }
}

/// The cached discovery.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// The result and its number, which grows with each refresh.
    served: RwLock<(u64, Option<Arc<ServedKinds>>)>,
    refreshing: tokio::sync::Mutex<()>,
}

impl Discovery {
    /// Finds a kind; refreshes the cache if it lacks the kind.
    pub(crate) async fn resource(
        &self,
        client: &kube::Client,
        host: &str,
        gvk: &GroupVersionKind,
    ) -> Result<Resource, Error> {
        self.find(client, host, &gvk.group, |served| {
            served.resource(gvk).cloned()
        })
        .await?
        .map_err(|missing| missing.unwrap_or_else(|| NoMatch::versioned(gvk).into()))
    }

    /// Finds a kind in the version that the server prefers.
    ///
    /// Callers drop objects of a missing kind, so a missing group is requested by name first: a
    /// server that has just started lists its custom kinds late.
    pub(crate) async fn preferred(
        &self,
        client: &kube::Client,
        host: &str,
        kind: &GroupKind,
    ) -> Result<Resource, Error> {
        let found = self
            .find(client, host, &kind.group, |served| {
                served.preferred(kind).cloned()
            })
            .await?;
        match found {
            Ok(resource) => Ok(resource),
            Err(Some(unreachable)) => Err(unreachable),
            Err(None) => {
                self.confirm_absent(client, host, &kind.group).await?;
                Err(NoMatch::grouped(kind).into())
            }
        }
    }

    /// Fails unless the server reports the group as unknown, or has just listed it.
    async fn confirm_absent(
        &self,
        client: &kube::Client,
        host: &str,
        group: &str,
    ) -> Result<(), Error> {
        let (_, served) = self.current();
        if group.is_empty() || served.is_some_and(|served| served.groups.contains(group)) {
            return Ok(());
        }
        // A name that is not a path segment cannot be a group.
        let Ok(group) = segment("API group", group) else {
            return Ok(());
        };
        let path = format!("/apis/{group}");
        match fetch(client, host, &path).await {
            Err(error) if error.status().is_some_and(|status| status.code == 404) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(Error::Unreachable {
                action: action(&path),
                host: host.to_owned(),
                reason: "the group exists, but its kinds are not listed yet".to_owned(),
            }),
        }
    }

    /// All resources, unordered.
    pub(crate) async fn all(
        &self,
        client: &kube::Client,
        host: &str,
    ) -> Result<Vec<Resource>, Error> {
        let (number, served) = self.current();
        let served = match served {
            Some(served) => served,
            None => self.refresh(client, host, number).await?,
        };
        Ok(served.by_kind.values().cloned().collect())
    }

    /// Drops the cached result.
    pub(crate) fn invalidate(&self) {
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        *served = (served.0 + 1, None);
    }

    /// The number of the cached result, for [`Discovery::invalidate_up_to`].
    pub(crate) fn number(&self) -> u64 {
        self.current().0
    }

    /// Drops the cached result if its number is at most `number`, so that concurrent callers cause
    /// one refresh.
    pub(crate) fn invalidate_up_to(&self, number: u64) {
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        if served.0 <= number {
            *served = (served.0 + 1, None);
        }
    }

    fn current(&self) -> (u64, Option<Arc<ServedKinds>>) {
        self.served
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn find(
        &self,
        client: &kube::Client,
        host: &str,
        group: &str,
        look: impl Fn(&ServedKinds) -> Option<Resource>,
    ) -> Result<Result<Resource, Option<Error>>, Error> {
        let (number, cached) = self.current();
        if let Some(found) = cached.as_deref().and_then(&look) {
            return Ok(Ok(found));
        }
        let served = self.refresh(client, host, number).await?;
        if let Some(found) = look(&served) {
            return Ok(Ok(found));
        }
        // The server of the group may be down.
        Ok(Err(served.absent.get(group).map(|reason| {
            Error::Unreachable {
                action: format!("discover the kinds of API group {group:?}"),
                host: host.to_owned(),
                reason: reason.clone(),
            }
        })))
    }

    /// Refreshes the cache, unless another caller did so since `seen`.
    async fn refresh(
        &self,
        client: &kube::Client,
        host: &str,
        seen: u64,
    ) -> Result<Arc<ServedKinds>, Error> {
        let _exclusive = self.refreshing.lock().await;
        let (number, cached) = self.current();
        if number > seen
            && let Some(cached) = cached
        {
            return Ok(cached);
        }
        let fresh = Arc::new(request_all(client, host).await?);
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        // A result that was invalidated during the requests may predate the change. It is returned
        // but not cached.
        let kept = (served.0 == number).then(|| fresh.clone());
        *served = (served.0 + 1, kept);
        Ok(fresh)
    }
}

/// Requests the whole discovery.
async fn request_all(client: &kube::Client, host: &str) -> Result<ServedKinds, Error> {
    let mut served = ServedKinds::default();
    let (core, groups) =
        tokio::try_join!(fetch(client, host, "/api"), fetch(client, host, "/apis"))?;
    for (path, answer) in [("/api", core), ("/apis", groups)] {
        match decode::run(answer.len(), move || read(path, &answer)).await? {
            Root::Aggregated(list) => served.add_aggregated(list),
            Root::Core(versions) => {
                for version in versions.versions {
                    add_version(client, host, &mut served, "", &version).await?;
                }
            }
            Root::Groups(list) => {
                for group in list.groups {
                    let first = group.preferred_version.map(|preferred| preferred.version);
                    let others = group.versions.into_iter().map(|version| version.version);
                    let mut versions: Vec<String> = first.clone().into_iter().collect();
                    versions.extend(others.filter(|version| Some(version) != first.as_ref()));
                    for version in versions {
                        add_version(client, host, &mut served, &group.name, &version).await?;
                    }
                }
            }
        }
    }
    Ok(served)
}

async fn add_version(
    client: &kube::Client,
    host: &str,
    served: &mut ServedKinds,
    group: &str,
    version: &str,
) -> Result<(), Error> {
    let path = if group.is_empty() {
        format!("/api/{version}")
    } else {
        format!("/apis/{group}/{version}")
    };
    match fetch(client, host, &path).await {
        Ok(text) => {
            let decoded = decode(text).await;
            let list = decoded.map_err(|error| answer_error(&path, &error))?;
            served.add_plain(group, version, list);
        }
        // One dead aggregated API must not hide the others.
        Err(error) if error.status().is_some() => {
            served.absent.insert(group.to_owned(), error.message());
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

async fn fetch(client: &kube::Client, host: &str, path: &str) -> Result<String, Error> {
    let request = Request::get(path)
        .header(ACCEPT, AGGREGATED)
        .body(Vec::new())
        .map_err(|error| Error::Request {
            action: action(path),
            reason: error.to_string(),
        })?;
    client
        .request_text(request)
        .await
        .map_err(|error| Error::new(action(path), host, error))
}

fn action(path: &str) -> String {
    format!("discover the API at {path}")
}

fn answer_error(path: &str, error: &serde_json::Error) -> Error {
    Error::Answer {
        action: action(path),
        reason: error.to_string(),
    }
}

/// The response of a discovery root.
enum Root {
    Aggregated(AggregatedList),
    Core(APIVersions),
    Groups(APIGroupList),
}

fn read(path: &str, text: &str) -> Result<Root, Error> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(default)]
        kind: String,
    }
    let kind: Kind = serde_json::from_str(text).map_err(|error| answer_error(path, &error))?;
    let root = match kind.kind.as_str() {
        "APIGroupDiscoveryList" => serde_json::from_str(text).map(Root::Aggregated),
        "APIVersions" => serde_json::from_str(text).map(Root::Core),
        _ => serde_json::from_str(text).map(Root::Groups),
    };
    root.map_err(|error| answer_error(path, &error))
}

#[derive(Debug, Deserialize)]
struct AggregatedList {
    #[serde(default)]
    items: Vec<AggregatedGroup>,
}

#[derive(Debug, Deserialize)]
struct AggregatedGroup {
    #[serde(default)]
    metadata: NamedGroup,
    #[serde(default)]
    versions: Vec<AggregatedVersion>,
}

#[derive(Debug, Default, Deserialize)]
struct NamedGroup {
    name: Option<String>,
}

#[derive(Debug, Deserialize)]
struct AggregatedVersion {
    version: String,
    #[serde(default)]
    resources: Vec<AggregatedResource>,
    freshness: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AggregatedResource {
    resource: String,
    response_kind: Option<ResponseKind>,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    verbs: Vec<String>,
    #[serde(default)]
    short_names: Vec<String>,
    singular_resource: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct ResponseKind {
    group: Option<String>,
    kind: Option<String>,
}

#[cfg(test)]
mod minors;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn aggregated() -> ServedKinds {
        let list = json!({"kind": "APIGroupDiscoveryList", "items": [
            {"metadata": {"name": "apps"}, "versions": [
                {"version": "v1", "freshness": "Current", "resources": [
                    {"resource": "deployments", "responseKind": {"group": "", "kind": "Deployment"}, "scope": "Namespaced", "verbs": ["get", "patch"]},
                    {"resource": "scales", "responseKind": {"group": "autoscaling", "kind": "Scale"}, "scope": "Namespaced", "verbs": ["get"]},
                    {"resource": "broken", "responseKind": {"group": "apps", "kind": ""}, "scope": "Namespaced", "verbs": []}]},
                {"version": "v1beta1", "resources": [
                    {"resource": "deployments", "responseKind": {"group": "apps", "kind": "Deployment"}, "scope": "Namespaced", "verbs": ["get"]}]}]},
            {"metadata": {"name": "metrics.k8s.io"}, "versions": [{"version": "v1", "freshness": "Stale", "resources": []}]}]});
        let mut served = ServedKinds::default();
        served.add_aggregated(serde_json::from_value(list).unwrap());
        served
    }

    #[test]
    fn kinds_are_found_by_version_and_by_preference() {
        let served = aggregated();
        let deployment = GroupVersionKind::gvk("apps", "v1beta1", "Deployment");
        assert_eq!(
            served
                .resource(&deployment)
                .unwrap()
                .path(Some("a"))
                .as_deref(),
            Ok("/apis/apps/v1beta1/namespaces/a/deployments")
        );
        let kind = GroupKind {
            group: "apps".to_owned(),
            kind: "Deployment".to_owned(),
        };
        assert_eq!(served.preferred(&kind).unwrap().api.version, "v1");
        assert!(
            served
                .resource(&GroupVersionKind::gvk("apps", "v1", "Scale"))
                .is_none()
        );
        assert!(served.absent.contains_key("metrics.k8s.io"));
    }

    #[test]
    fn paths_follow_scope_and_group() {
        let core = |namespaced| Resource {
            api: ApiResource::from_gvk_with_plural(
                &kube::core::GroupVersionKind::gvk("", "v1", "Thing"),
                "things",
            ),
            namespaced,
            verbs: vec!["get".to_owned()],
            names: Vec::new(),
        };
        for (namespaced, namespace, path) in [
            (true, Some("a"), "/api/v1/namespaces/a/things"),
            (true, Some("a#b"), "/api/v1/namespaces/a%23b/things"),
            (true, None, "/api/v1/things"),
            (true, Some(""), "/api/v1/things"),
            (false, Some("a"), "/api/v1/things"),
            (false, Some("../a"), "/api/v1/things"),
        ] {
            assert_eq!(core(namespaced).path(namespace).as_deref(), Ok(path));
        }
        assert_eq!(
            core(true).path(Some("../a")).unwrap_err().to_string(),
            r#"invalid namespace "../a": [may not contain '/']"#
        );
    }

    #[test]
    fn missing_kind_has_the_kubectl_message() {
        let gvk = GroupVersionKind::gvk("example.com", "v1", "Thing");
        assert_eq!(
            NoMatch::versioned(&gvk).to_string(),
            r#"no matches for kind "Thing" in version "example.com/v1""#
        );
        let kind = GroupKind {
            group: "example.com".to_owned(),
            kind: "Thing".to_owned(),
        };
        assert_eq!(
            NoMatch::grouped(&kind).to_string(),
            r#"no matches for kind "Thing" in group "example.com""#
        );
    }
}
