//! Which kinds a server serves, under which path, in which scope.
//!
//! Two requests answer it all (aggregated discovery); a server too old for that
//! is asked group by group. The answer is kept until someone asks for a kind that
//! is not in it, finds that a path in it is not served, or says that it changed:
//! then one refresh serves everyone who waits.
//!
//! A long file because its tests are in it: they build what the parser alone knows.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use http::Request;
use http::header::ACCEPT;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroupList, APIResourceList, APIVersions};
use kube::core::ApiResource;
use serde::Deserialize;
use sluice_gvk::{GroupKind, GroupVersionKind};

use crate::error::Error;
use crate::segment::{InvalidName, segment};

/// Aggregated where it is known, the plain lists elsewhere: both are parsed.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/// How a kind is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    /// Group, version, kind and plural name.
    pub api: ApiResource,
    /// Whether objects of it live in namespaces.
    pub namespaced: bool,
    /// What may be done, such as `list`, `watch`, `patch`.
    pub verbs: Vec<String>,
    /// Other names: the singular, and short ones.
    pub names: Vec<String>,
}

impl Resource {
    /// The path of the collection; a namespace is ignored by cluster-wide kinds.
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

    /// Whether a verb is offered.
    pub fn supports(&self, verb: &str) -> bool {
        self.verbs.iter().any(|offered| offered == verb)
    }

    /// The kind with its group and version.
    pub fn gvk(&self) -> GroupVersionKind {
        GroupVersionKind::gvk(&self.api.group, &self.api.version, &self.api.kind)
    }
}

/// A kind that the server does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct NoMatch {
    /// The kind.
    pub kind: String,
    /// `group/version`, or the group alone when no version was asked for.
    pub version: String,
    /// Whether a version was asked for.
    versioned: bool,
}

impl fmt::Display for NoMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.versioned { "version" } else { "group" };
        write!(
            f,
            "no matches for kind {:?} in {place} {:?}",
            self.kind, self.version
        )
    }
}

impl NoMatch {
    fn versioned(gvk: &GroupVersionKind) -> Self {
        Self {
            kind: gvk.kind.clone(),
            version: gvk.api_version(),
            versioned: true,
        }
    }

    fn grouped(kind: &GroupKind) -> Self {
        Self {
            kind: kind.kind.clone(),
            version: kind.group.clone(),
            versioned: false,
        }
    }
}

/// Everything served, at one moment.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Served {
    by_kind: HashMap<GroupVersionKind, Resource>,
    /// Versions of a kind, the server's favourite first.
    preferred: HashMap<GroupKind, Vec<GroupVersionKind>>,
    /// Every group that was listed, with kinds or without.
    groups: HashSet<String>,
    /// Groups whose server did not answer, with what was wrong.
    absent: HashMap<String, String>,
}

impl Served {
    fn add(&mut self, resource: Resource) {
        let gvk = resource.gvk();
        if self.by_kind.contains_key(&gvk) {
            // A kind may be served under several plurals; the first is the one
            // that the server lists first, which is also what kubectl takes.
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

    fn favourite(&self, kind: &GroupKind) -> Option<&Resource> {
        self.by_kind.get(self.preferred.get(kind)?.first()?)
    }

    fn add_aggregated(&mut self, list: Aggregated) {
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
                    // The kind of the answer may belong to another group, as for
                    // scale; then it is no object that we could apply. Built-in kinds leave
                    // the group empty and mean their own.
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

/// The cached answer.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// The answer and its number; the number grows with each refresh.
    served: RwLock<(u64, Option<Arc<Served>>)>,
    refreshing: tokio::sync::Mutex<()>,
}

impl Discovery {
    /// Finds a kind, asking the server again if the cached answer has it not.
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
    /// That there is none makes callers forget objects, so a group that is missing from
    /// the answer is asked for by name: a server that has just started lists its custom
    /// kinds late, and refuses with 503 what it would call unknown later.
    pub(crate) async fn favourite(
        &self,
        client: &kube::Client,
        host: &str,
        kind: &GroupKind,
    ) -> Result<Resource, Error> {
        let found = self
            .find(client, host, &kind.group, |served| {
                served.favourite(kind).cloned()
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

    /// Fails unless the server says that a group is unknown, or has just listed it.
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
        // It came from whoever names the kind, and no group can have a name that makes no path.
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
                reason: "the group is there, and its kinds are not listed yet".to_owned(),
            }),
        }
    }

    /// Every resource, in no particular order.
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

    /// Forgets the answer.
    pub(crate) fn invalidate(&self) {
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        *served = (served.0 + 1, None);
    }

    /// The number of the answer that is kept, for [`Discovery::outdate`].
    pub(crate) fn number(&self) -> u64 {
        self.current().0
    }

    /// Forgets the answer of this number or an older one: something in it proved wrong.
    /// One refresh is enough for everyone who finds that out at the same time.
    pub(crate) fn outdate(&self, number: u64) {
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        if served.0 <= number {
            *served = (served.0 + 1, None);
        }
    }

    fn current(&self) -> (u64, Option<Arc<Served>>) {
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
        look: impl Fn(&Served) -> Option<Resource>,
    ) -> Result<Result<Resource, Option<Error>>, Error> {
        let (number, cached) = self.current();
        if let Some(found) = cached.as_deref().and_then(&look) {
            return Ok(Ok(found));
        }
        let served = self.refresh(client, host, number).await?;
        if let Some(found) = look(&served) {
            return Ok(Ok(found));
        }
        // A group whose server is down is not a group that does not exist.
        Ok(Err(served.absent.get(group).map(|reason| {
            Error::Unreachable {
                action: format!("discover the kinds of API group {group:?}"),
                host: host.to_owned(),
                reason: reason.clone(),
            }
        })))
    }

    /// Asks the server, unless someone did since `seen`.
    async fn refresh(
        &self,
        client: &kube::Client,
        host: &str,
        seen: u64,
    ) -> Result<Arc<Served>, Error> {
        let _turn = self.refreshing.lock().await;
        let (number, cached) = self.current();
        if number > seen
            && let Some(cached) = cached
        {
            return Ok(cached);
        }
        let fresh = Arc::new(ask(client, host).await?);
        let mut served = self.served.write().unwrap_or_else(PoisonError::into_inner);
        // Invalidated while we asked: what we heard may predate the change, so it
        // serves this caller and is not kept.
        let kept = (served.0 == number).then(|| fresh.clone());
        *served = (served.0 + 1, kept);
        Ok(fresh)
    }
}

/// Asks for everything that is served.
async fn ask(client: &kube::Client, host: &str) -> Result<Served, Error> {
    let mut served = Served::default();
    let (core, groups) =
        tokio::try_join!(fetch(client, host, "/api"), fetch(client, host, "/apis"))?;
    for (path, answer) in [("/api", core), ("/apis", groups)] {
        match read(path, &answer)? {
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
    served: &mut Served,
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
            let list = serde_json::from_str(&text).map_err(|error| answer_error(&path, &error))?;
            served.add_plain(group, version, list);
        }
        // One dead aggregated API must not hide all the others.
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

/// What a discovery root may answer.
enum Root {
    Aggregated(Aggregated),
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
struct Aggregated {
    #[serde(default)]
    items: Vec<AggregatedGroup>,
}

#[derive(Debug, Deserialize)]
struct AggregatedGroup {
    #[serde(default)]
    metadata: Named,
    #[serde(default)]
    versions: Vec<AggregatedVersion>,
}

#[derive(Debug, Default, Deserialize)]
struct Named {
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

    fn aggregated() -> Served {
        let list = json!({"kind": "APIGroupDiscoveryList", "items": [
            {"metadata": {"name": "apps"}, "versions": [
                {"version": "v1", "freshness": "Current", "resources": [
                    {"resource": "deployments", "responseKind": {"group": "", "kind": "Deployment"}, "scope": "Namespaced", "verbs": ["get", "patch"]},
                    {"resource": "scales", "responseKind": {"group": "autoscaling", "kind": "Scale"}, "scope": "Namespaced", "verbs": ["get"]},
                    {"resource": "broken", "responseKind": {"group": "apps", "kind": ""}, "scope": "Namespaced", "verbs": []}]},
                {"version": "v1beta1", "resources": [
                    {"resource": "deployments", "responseKind": {"group": "apps", "kind": "Deployment"}, "scope": "Namespaced", "verbs": ["get"]}]}]},
            {"metadata": {"name": "metrics.k8s.io"}, "versions": [{"version": "v1", "freshness": "Stale", "resources": []}]}]});
        let mut served = Served::default();
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
        assert_eq!(served.favourite(&kind).unwrap().api.version, "v1");
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
    fn a_missing_kind_reads_as_in_kubectl() {
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
