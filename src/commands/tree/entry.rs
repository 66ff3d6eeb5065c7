//! What a tree is made of, and how it is printed: as a drawing, as YAML or as JSON.

use serde::Serialize;
use sluice_object::ObjectId;

use crate::output::tree::{Canvas, Node, Tone};
use crate::output::{self, Format};
use crate::{CommandResult, Exit};

/// An object and what it brought about. `missing` marks one that the inventory has and the
/// cluster has not.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    pub(super) resource: Identity,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) missing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resources: Vec<Self>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Identity {
    pub(super) namespace: String,
    pub(super) name: String,
    pub(super) group_kind: GroupKind,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct GroupKind {
    pub(super) group: String,
    pub(super) kind: String,
}

impl Identity {
    pub(super) fn id(&self) -> ObjectId {
        ObjectId {
            namespace: self.namespace.clone(),
            name: self.name.clone(),
            group: self.group_kind.group.clone(),
            kind: self.group_kind.kind.clone(),
        }
    }
}

/// Prints a tree. Flux ends drawings and YAML with an empty line.
pub(super) fn print(root: &Entry, format: Option<Format>) -> CommandResult {
    let text = match format {
        Some(Format::Json) => output::value(root, Format::Json)?,
        Some(Format::Yaml) => format!("{}\n", output::value(root, Format::Yaml)?),
        None => format!("{}\n", node(root).render_on(Canvas::stdout())),
    };
    output::data(&text)?;
    Ok(Exit::SUCCESS)
}

impl Entry {
    pub(super) fn leaf(id: &ObjectId) -> Self {
        Self {
            resource: Identity {
                namespace: id.namespace.clone(),
                name: id.name.clone(),
                group_kind: GroupKind {
                    group: id.group.clone(),
                    kind: id.kind.clone(),
                },
            },
            missing: false,
            status: None,
            resources: Vec::new(),
        }
    }

    pub(super) fn missing(mut self) -> Self {
        self.missing = true;
        self
    }

    pub(super) fn kind(&self) -> &str {
        &self.resource.group_kind.kind
    }

    pub(super) fn group(&self) -> &str {
        &self.resource.group_kind.group
    }
}

pub(super) fn node(entry: &Entry) -> Node {
    let Identity {
        namespace, name, ..
    } = &entry.resource;
    let label = if namespace.is_empty() {
        format!("{}/{name}", entry.kind())
    } else {
        format!("{}/{namespace}/{name}", entry.kind())
    };
    let note = if entry.missing {
        Some((Tone::Bad, "missing".to_owned()))
    } else {
        entry.status.clone().map(|status| (tone(&status), status))
    };
    Node {
        label,
        note,
        children: entry.resources.iter().map(node).collect(),
    }
}

/// How a status is to be taken, by its first word.
fn tone(status: &str) -> Tone {
    match status.split(':').next().unwrap_or_default() {
        "Current" => Tone::Good,
        "Failed" | "NotFound" => Tone::Bad,
        _ => Tone::Open,
    }
}
