//! Where a resource came from, and what transformed it.
//!
//! Upstream keeps both as annotations in the course of the build, and so do we:
//! a patch may see them. They stay in the result only if `buildMetadata` asks
//! for them.
//!
//! Parity: kustomize: `api/resource/origin.go`.

use std::path::{Component, Path, PathBuf};

use sluice_yaml::Value;
use sluice_yaml::tree::{self, Indent, Node, Text};

use crate::error::Error;
use crate::remote::Repository;
use crate::resmap::ResMap;

/// The annotation that tells the origin.
pub(crate) const ANNOTATION: &str = "config.kubernetes.io/origin";
/// The annotation that lists what transformed the resource.
pub(crate) const TRANSFORMATIONS: &str = "alpha.config.kubernetes.io/transformations";

/// The configuration of a generator or transformer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ConfiguredBy {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
}

/// Where a resource came from, or what generated or transformed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// From the top of the build, or of the repository.
    pub(crate) path: String,
    pub(crate) repository: String,
    pub(crate) reference: String,
    pub(crate) configured_in: String,
    pub(crate) configured_by: ConfiguredBy,
}

impl Origin {
    /// The origin one step further down.
    pub(crate) fn append(&self, path: &str) -> Self {
        let Some(repository) = Repository::parse(path) else {
            return Self {
                path: join(&self.path, path),
                ..self.clone()
            };
        };
        let folder = repository.folder.to_string_lossy();
        Self {
            path: match &*folder {
                // What upstream calls a clone that it has not made.
                "" => "notCloned".to_owned(),
                folder => folder.to_owned(),
            },
            repository: repository.url,
            reference: repository.reference,
            ..self.clone()
        }
    }

    /// The origin of what a builtin made because of the file of a kustomization.
    pub(crate) fn builtin(&self, file_name: &str, kind: &str) -> Self {
        Self {
            path: String::new(),
            configured_in: join(&self.path, file_name),
            configured_by: ConfiguredBy {
                api_version: "builtin".to_owned(),
                kind: kind.to_owned(),
                ..ConfiguredBy::default()
            },
            ..self.clone()
        }
    }

    pub(crate) fn to_node(&self) -> Node {
        let mut node = Node::map::<Text>([]);
        put(&mut node, "path", &self.path);
        put(&mut node, "repo", &self.repository);
        put(&mut node, "ref", &self.reference);
        put(&mut node, "configuredIn", &self.configured_in);
        let by = &self.configured_by;
        if *by != ConfiguredBy::default() {
            let mut configured_by = Node::map::<Text>([]);
            put(&mut configured_by, "apiVersion", &by.api_version);
            put(&mut configured_by, "kind", &by.kind);
            put(&mut configured_by, "name", &by.name);
            put(&mut configured_by, "namespace", &by.namespace);
            node.set("configuredBy", configured_by);
        }
        node
    }

    /// Reads what [`to_text`](Self::to_text) wrote, but for who configured it.
    pub(crate) fn parse(text: &str) -> Self {
        let node = tree::parse_documents(text)
            .ok()
            .and_then(|mut nodes| nodes.pop());
        let node = node.unwrap_or_default();
        let field = |name: &str| node.text_at(&[name]).unwrap_or_default().to_owned();
        Self {
            path: field("path"),
            repository: field("repo"),
            reference: field("ref"),
            configured_in: field("configuredIn"),
            configured_by: ConfiguredBy::default(),
        }
    }

    /// The text of the annotation.
    pub(crate) fn to_text(&self) -> String {
        tree::to_string(&self.to_node(), Indent::Compact)
    }
}

/// Notes on every resource what transformed it; what has no origin yet was made
/// by that.
pub(crate) fn record(resources: &mut ResMap, origin: &Origin) -> Result<(), Error> {
    let made = origin.to_text();
    let listed = tree::to_string(&Node::seq([origin.to_node()]), Indent::Compact);
    let growth = resources.growth();
    for resource in resources.iter_mut_keeping(true) {
        // What a patch deleted is there until the next step; nothing can be noted on it.
        if resource.is_empty() {
            continue;
        }
        if resource.annotation(ANNOTATION).is_none() {
            resource.set_annotation(ANNOTATION, &made);
            continue;
        }
        let before = resource.annotation(TRANSFORMATIONS).unwrap_or_default();
        growth.add(listed.len() as u64)?;
        resource.set_annotation(TRANSFORMATIONS, &format!("{before}{listed}"));
    }
    Ok(())
}

fn put(node: &mut Node, field: &str, value: &str) {
    if !value.is_empty() {
        // Quoted as Go prints the fields of a struct.
        node.set(field, Node::from_value(&Value::from(value)));
    }
}

/// Joins and normalises as Go's `filepath.Join` does; the way may lead upwards.
fn join(way: &str, path: &str) -> String {
    let mut joined = PathBuf::new();
    for component in Path::new(way)
        .components()
        .chain(Path::new(path).components())
    {
        match component {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir
                if matches!(joined.components().next_back(), Some(Component::Normal(_))) =>
            {
                joined.pop();
            }
            Component::ParentDir => joined.push(".."),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    joined.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Origin, join};

    #[test]
    fn an_origin_prints_what_it_has() {
        let origin = Origin::default().append("base/").append("../a.yaml");
        assert_eq!(origin.to_text(), "path: a.yaml\n");
        assert_eq!(
            origin
                .builtin("kustomization.yaml", "PrefixTransformer")
                .to_text(),
            "configuredIn: a.yaml/kustomization.yaml\nconfiguredBy:\n  apiVersion: builtin\n  kind: PrefixTransformer\n"
        );
    }

    #[test]
    fn the_way_may_lead_upwards() {
        assert_eq!(join("a/b", "../../../c"), "../c");
        assert_eq!(join("", "./x/."), "x");
    }
}
