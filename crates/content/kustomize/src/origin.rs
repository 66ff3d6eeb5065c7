//! The origin of a resource, and the transformers that changed it.
//!
//! Both are annotations during the build, as upstream has them, because a patch may read
//! them. They stay in the output only if `buildMetadata` asks for them.
//!
//! Parity: kustomize: `api/resource/origin.go`.

use std::path::{Component, Path, PathBuf};

use sluice_yaml::Value;
use sluice_yaml::tree::{self, Indent, Node, Text};

use crate::error::Error;
use crate::remote::Repository;
use crate::resource::{ORIGIN_ANNOTATION, TRANSFORMATIONS_ANNOTATION};
use crate::resource_map::ResourceMap;

/// The configuration of a generator or transformer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ConfiguredBy {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
}

/// The source of a resource, or the generator or transformer that made or changed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Relative to the top of the build, or of the repository.
    pub(crate) path: String,
    pub(crate) repository: String,
    pub(crate) reference: String,
    pub(crate) configured_in: String,
    pub(crate) configured_by: ConfiguredBy,
}

impl Origin {
    /// Returns the origin of a path that a kustomization at this origin refers to.
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
                // Upstream's name for a checkout that does not exist.
                "" => "notCloned".to_owned(),
                folder => folder.to_owned(),
            },
            repository: repository.url,
            reference: repository.reference,
            ..self.clone()
        }
    }

    /// Returns the origin of a resource of a builtin that a kustomization file configures.
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

    /// Parses the text of [`to_text`](Self::to_text), without the configuration.
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

    /// Renders the text of the annotation.
    pub(crate) fn to_text(&self) -> String {
        tree::to_string(&self.to_node(), Indent::Compact)
    }
}

/// Records a transformer in the annotations of every resource. A resource without an
/// origin was created by it.
pub(crate) fn record(resources: &mut ResourceMap, origin: &Origin) -> Result<(), Error> {
    let made = origin.to_text();
    let listed = tree::to_string(&Node::seq([origin.to_node()]), Indent::Compact);
    let growth = resources.growth();
    for resource in resources.iter_mut_keeping(true) {
        // A deleted resource remains until the next step, and cannot have annotations.
        if resource.is_empty() {
            continue;
        }
        if resource.annotation(ORIGIN_ANNOTATION).is_none() {
            resource.set_annotation(ORIGIN_ANNOTATION, &made);
            continue;
        }
        let before = resource
            .annotation(TRANSFORMATIONS_ANNOTATION)
            .unwrap_or_default();
        growth.add(listed.len() as u64)?;
        resource.set_annotation(TRANSFORMATIONS_ANNOTATION, &format!("{before}{listed}"));
    }
    Ok(())
}

fn put(node: &mut Node, field: &str, value: &str) {
    if !value.is_empty() {
        // Quoted as Go quotes the fields of a struct.
        node.set(field, Node::from_value(&Value::from(value)));
    }
}

/// Joins and normalises like Go's `filepath.Join`; the result may begin with `..`.
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
    fn origin_prints_only_its_fields() {
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
    fn joined_path_may_lead_upwards() {
        assert_eq!(join("a/b", "../../../c"), "../c");
        assert_eq!(join("", "./x/."), "x");
    }
}
